//! What Prometheus is told.

use std::fmt;
use std::sync::atomic::{AtomicI64, AtomicU64};
use std::time::Duration;

use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::Registry;

use crate::serve::{Answer, Answered, Load};

type Labels = Vec<(&'static str, String)>;

/// Counted while the server runs.
pub(super) struct Metrics {
    registry: Registry,
    requests: Family<Labels, Counter<u64, AtomicU64>>,
    request_seconds: Histogram,
    verdicts: Family<Labels, Counter<u64, AtomicU64>>,
    runs: Counter<u64, AtomicU64>,
    waiting_seconds: Histogram,
    judging_seconds: Histogram,
    load: Family<Labels, Gauge<i64, AtomicI64>>,
    bytes: Family<Labels, Gauge<i64, AtomicI64>>,
}

impl Default for Metrics {
    fn default() -> Metrics {
        // From a millisecond to a quarter of an hour.
        let seconds = || Histogram::new(exponential_buckets(0.001, 2.0, 20));
        let mut metrics = Metrics {
            registry: Registry::with_prefix("mc_eval"),
            requests: Family::default(),
            request_seconds: seconds(),
            verdicts: Family::default(),
            runs: Counter::default(),
            waiting_seconds: seconds(),
            judging_seconds: seconds(),
            load: Family::default(),
            bytes: Family::default(),
        };
        metrics.register();
        metrics
    }
}

impl Metrics {
    fn register(&mut self) {
        let registry = &mut self.registry;
        let requests = self.requests.clone();
        registry.register("requests", "Requests, by path and status", requests);
        let seconds = self.request_seconds.clone();
        registry.register("request_seconds", "Until the head of the answer", seconds);
        let verdicts = self.verdicts.clone();
        registry.register("verdicts", "Submissions, by verdict", verdicts);
        let runs = self.runs.clone();
        registry.register("runs", "Programs that were run and not judged", runs);
        let waiting = self.waiting_seconds.clone();
        registry.register("waiting_seconds", "From the queue to a worker", waiting);
        let judging = self.judging_seconds.clone();
        registry.register("judging_seconds", "In the hands of a worker", judging);
        let load = self.load.clone();
        registry.register(
            "submissions",
            "Submissions that are not answered, by state",
            load,
        );
        let bytes = self.bytes.clone();
        registry.register("held_bytes", "Memory held, by what for", bytes);
    }

    /// A job was answered.
    pub fn answered(&self, answered: &Answered) {
        match &answered.answer {
            Answer::Verdict(verdict) => {
                let verdict = vec![("verdict", verdict.verdict.name().to_owned())];
                self.verdicts.get_or_create(&verdict).inc();
            }
            Answer::Ran(_) => drop(self.runs.inc()),
        }
        self.waiting_seconds.observe(answered.waited.as_secs_f64());
        self.judging_seconds.observe(answered.took.as_secs_f64());
    }

    /// A request was answered.
    pub fn requested(&self, path: String, status: u16, took: Duration) {
        self.request_seconds.observe(took.as_secs_f64());
        let labels = vec![("path", path), ("status", status.to_string())];
        self.requests.get_or_create(&labels).inc();
    }

    /// All of it as text, with how much there is to do now, and the bytes that registered problems hold.
    pub fn text(&self, load: Load, problems: usize) -> Result<String, fmt::Error> {
        self.look(load, problems);
        let mut text = String::new();
        encode(&mut text, &self.registry)?;
        Ok(text)
    }

    fn look(&self, load: Load, problems: usize) {
        let waiting_for_others = load.unanswered.saturating_sub(load.waiting + load.running);
        let states = [
            ("waiting", load.waiting),
            ("running", load.running),
            ("same_as_another", waiting_for_others),
        ];
        for (state, count) in states {
            let label = vec![("state", state.to_owned())];
            self.load.get_or_create(&label).set(count as i64);
        }
        for (what, count) in [("requests", load.bytes), ("problems", problems)] {
            let label = vec![("what", what.to_owned())];
            self.bytes.get_or_create(&label).set(count as i64);
        }
    }
}
