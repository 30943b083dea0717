//! Runs test code against a candidate, each in a box of its own, joined by one channel.
//!
//! Comparison is the test code's own business, so every profile says the same.

use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use sandbox::{
    Files, LaunchError, Limits, Outcome, SandboxError, Termination, content, memory_file,
};

use super::blame::{dry_run, is_open};
use super::budget::Budget;
use super::conclusion::{Account, Conclusion};
use super::context::JudgeContext;
use super::dry_run::DryRun;
use super::ending::{case, failure, is_memory_error, last_line};
use super::launched::{again, launch, program};
use super::one_process::{self, Joined};
use super::reruns::{Company, Reruns};
use super::runtimes::Side;
use super::trial::Trial;
use super::tried::{Tried, enough};
use super::{hints, unshielded};
use crate::Problem;
use crate::harness::{Dry, Entry, Options};
use crate::problem::OneProcess;
use crate::verdict::{AcceptedBy, CaseResult, Clock, Decision, TestCode};

const TOGETHER: &str = "--allow-unshielded runs them together";
const IDLE: &str =
    "the test code never uses the candidate (tests that are only defined are not run)";

/// How a run of test code against a candidate ended.
struct Examination {
    /// The process that held the candidate.
    candidate: Outcome,
    /// The process that ran the test code.
    test_code: Outcome,
    conclusion: Conclusion,
    /// How long the test code waited for the candidate.
    waited: Duration,
    /// Whether the test code was not shown all that the candidate did to what both hold.
    hid_changes: bool,
    /// The test code does not compile, whatever the candidate is.
    is_rejected: bool,
}

/// What one submission's tests leave for the next.
#[derive(Default)]
struct Held {
    /// The candidate's box, compiled once.
    candidate: Option<sandbox::Box>,
    reruns: Reruns,
    /// CPU time that went into compiling it again, where tests left something behind.
    compiling_again: Duration,
    /// CPU time of dry runs that the test at hand made necessary.
    burden: Duration,
}

/// Run all test code of a problem, each against a fresh run of the candidate; and, where its format has that, one after another
/// against the same.
pub(super) fn run(
    context: &mut JudgeContext<'_>,
    source: &str,
    problem: &Arc<Problem>,
    function: &str,
    cases: &[String],
    in_one: Option<&OneProcess>,
) -> Result<Vec<Tried>, LaunchError> {
    let limit = context.settings.cpu_limit(problem);
    let budget = Budget::new(context.settings, limit);
    let mut tried = Vec::with_capacity(cases.len());
    let options = hints::of_test_code(problem);
    let mut held = Held::default();
    for (code, number) in cases.iter().zip(0..) {
        if budget.ends(&mut tried, held.compiling_again) {
            break;
        }
        let trial = Trial {
            source,
            function,
            prelude: problem.prelude,
            code,
            options: &options,
            is_only: cases.len() == 1,
            limit,
            seeds: [2 * number + 1, 2 * number + 2],
        };
        let mut judge = |trial: &Trial<'_>| trial.judge(context, problem, &mut held);
        let joined = in_one.and_then(|it| Joined::after(&tried, it, cases));
        let done = match joined {
            None => {
                let by_itself = judge(&trial)?;
                match in_one {
                    Some(it) => one_process::behind(&tried, it, by_itself),
                    None => by_itself,
                }
            }
            Some(joined) => joined.settle(&trial, budget, judge)?,
        };
        tried.push(done.kept_behind(&tried));
        if enough(context.settings, &tried) {
            break;
        }
    }
    Ok(unless_all_are_idle(tried))
}

/// A test that asks nothing of the candidate passes, as it does in one process; but where no test asks anything, nothing is
/// decided.
fn unless_all_are_idle(tried: Vec<Tried>) -> Vec<Tried> {
    if tried.iter().any(|tried| !tried.is_idle) {
        return tried;
    }
    let undecided = |tried: Tried| tried.deciding(Decision::JudgeFailed, IDLE.to_owned());
    tried.into_iter().map(undecided).collect()
}

impl Trial<'_> {
    fn judge(
        &self,
        context: &mut JudgeContext<'_>,
        problem: &Problem,
        held: &mut Held,
    ) -> Result<Tried, LaunchError> {
        let settings = context.settings;
        let limit = self.limit;
        let gate = context.gate;
        let allowance = gate.allowance(limit);
        let among_others = settings.limits(problem, allowance);
        let alone = settings.limits_alone(problem, limit);
        let mut reruns = std::mem::take(&mut held.reruns);
        let mut is_unshieldable = false;
        let mut is_idle = false;
        let tried = reruns.settle(gate, limit, |company| {
            let (limits, limit) = match company {
                Company::Others => (&among_others, allowance),
                Company::Alone => (&alone, limit),
            };
            let examined = self.settled(context, limits, held)?;
            is_unshieldable = matches!(
                examined.conclusion,
                Conclusion::Unshieldable { .. } | Conclusion::Chosen(_)
            );
            is_idle = examined.conclusion == Conclusion::Idle;
            let case = weigh(&examined, limit, settings.keep_output);
            let burden = std::mem::take(&mut held.burden) + examined.burden(limit);
            let tried = Tried::undisputed(case, settings).burdening(burden);
            Ok(tried.after_sleeping(examined.slept()))
        })?;
        held.reruns = reruns;
        if settings.allow_unshielded && is_unshieldable {
            let case = unshielded::run(context, problem, self)?;
            return Ok(Tried::undisputed(case, settings));
        }
        Ok(tried.idling(is_idle))
    }

    /// Examine the candidate, and find whose doing it is where that decides nothing.
    ///
    /// What it did to its arguments may say what the test code expects of it, or that it did what it must not. So it has to pass
    /// where that is not shown, and where it is.
    fn settled(
        &self,
        context: &mut JudgeContext<'_>,
        limits: &Limits,
        held: &mut Held,
    ) -> Result<Examination, LaunchError> {
        let mut options = self.options.clone();
        let examined = self.blamed(context, limits, &mut options, held)?;
        if examined.conclusion != Conclusion::Passed || !examined.hid_changes {
            return Ok(examined);
        }
        options.shown = true;
        let shown = self.patiently(context, limits, &options, held)?;
        Ok(shown.or_failed())
    }

    /// The same where changes are shown only if they say nothing of what is expected; `options` get the objects that are found.
    fn blamed(
        &self,
        context: &mut JudgeContext<'_>,
        limits: &Limits,
        options: &mut Options,
        held: &mut Held,
    ) -> Result<Examination, LaunchError> {
        let mut examined = self.patiently(context, limits, options, held)?;
        let is_open = is_open(&examined.conclusion);
        if examined.is_rejected || !is_open {
            return Ok(examined);
        }
        let dry = self.dry(context, limits, held, Dry::Agreeing)?;
        if let Conclusion::Live(_, chain) = &examined.conclusion
            && dry.objects.contains(chain)
        {
            options.objects.extend(dry.objects.iter().cloned());
            examined = self.patiently(context, limits, options, held)?;
        }
        let settled = dry.settle(examined.conclusion.clone());
        examined.conclusion = if settled.decides_nothing() {
            let other = self.dry(context, limits, held, Dry::Denying)?;
            other.confirm(examined.conclusion)
        } else {
            settled
        };
        Ok(examined)
    }

    /// Run the test code without a candidate.
    fn dry(
        &self,
        context: &mut JudgeContext<'_>,
        limits: &Limits,
        held: &mut Held,
        dry: Dry,
    ) -> Result<Arc<DryRun>, LaunchError> {
        let (dry, cpu) = dry_run(
            context.runtimes,
            self.code,
            self.function,
            self.options,
            limits,
            dry,
        )?;
        held.burden += cpu;
        Ok(dry)
    }

    /// Examine the candidate, which is held to the idle limit while the test code waits for it. While the test code works
    /// it is the candidate that waits: where that may have been so, it is given time, so much more that a few runs lead to the
    /// wall limit. What it sleeps once the test code has ended is its own doing.
    fn patiently(
        &self,
        context: &mut JudgeContext<'_>,
        limits: &Limits,
        options: &Options,
        held: &mut Held,
    ) -> Result<Examination, LaunchError> {
        let mut idle = limits.idle;
        loop {
            let examined = self.examine(context, limits, idle, options, held)?;
            let worked = examined.worked();
            let ran_out = examined.candidate.termination == Termination::IdleLimit;
            if !ran_out || worked * 2 <= idle || idle >= limits.wall {
                return Ok(examined);
            }
            idle = limits.wall.min(worked * 2 + limits.idle);
        }
    }

    /// Tie the boxes of candidate and test code together, and wait for both to end.
    fn examine(
        &self,
        context: &mut JudgeContext<'_>,
        limits: &Limits,
        idle: Duration,
        options: &Options,
        held: &mut Held,
    ) -> Result<Examination, LaunchError> {
        let mut candidate_box = self.candidate(context, limits, held)?;
        let entry = Entry::TestCode(self.function, options);
        let test_code = program(self.code, entry);
        let runtime = context.runtimes.of(Side::TestCode, self.code, entry)?;
        let mut test_box = match runtime.launch_once(&test_code, limits) {
            Err(LaunchError::Rejected(why)) => return Ok(Examination::rejected(why)),
            launched => launched?,
        };
        let idling = |idle: Duration| Limits {
            idle,
            ..limits.clone()
        };
        let (theirs, ours) = UnixStream::pair().map_err(host("make a channel"))?;
        let result = memory_file("result")?;
        let result_end = result.try_clone().map_err(host("share the result file"))?;
        let files = Files::new(&[])?.give(theirs);
        candidate_box.begin(files, &idling(idle), self.seeds[0])?;
        let files = Files::new(&[])?.give(ours).give(result_end);
        // The test code waits for the candidate; only the clock can tell that it waits too long.
        test_box.begin(files, &idling(limits.wall), self.seeds[1])?;
        let (test_code, candidate) = finish_both(&mut test_box, &mut candidate_box);
        let (test_code, candidate) = (test_code?, candidate?);
        held.candidate = Some(candidate_box);
        let exited_well = test_code.termination == Termination::Exited(0);
        let said = Account::read(&content(&result)?, &options.key);
        Ok(Examination {
            candidate,
            test_code,
            conclusion: Conclusion::of(&said, exited_well),
            waited: said.waited(),
            hid_changes: said.hid_changes(),
            is_rejected: false,
        })
    }

    /// A box that holds the candidate and nothing of an earlier test.
    fn candidate(
        &self,
        context: &mut JudgeContext<'_>,
        limits: &Limits,
        held: &mut Held,
    ) -> Result<sandbox::Box, LaunchError> {
        let (limits, is_again) = match held.candidate.take() {
            Some(boxed) if !boxed.is_spent() => return Ok(boxed),
            Some(_) => (again(limits, limits), true),
            None => (limits.clone(), false),
        };
        let entry = Entry::Candidate(self.function, self.prelude);
        let candidate = program(self.source, entry);
        let runtime = context.runtimes.of(Side::Candidate, self.source, entry)?;
        let launched = launch(runtime, &candidate, self.is_only, &limits)?;
        if is_again {
            held.compiling_again += launched.compiling();
        }
        Ok(launched)
    }
}

/// Wait for two runs, each of which may be held up by the other.
fn finish_both(
    one: &mut sandbox::Box,
    other: &mut sandbox::Box,
) -> (Result<Outcome, SandboxError>, Result<Outcome, SandboxError>) {
    thread::scope(|scope| {
        let other = scope.spawn(|| other.finish());
        let one = one.finish();
        let other = other
            .join()
            .unwrap_or_else(|_| Err(SandboxError::Worker("waiting for it panicked".to_owned())));
        (one, other)
    })
}

impl Examination {
    /// CPU time of test code that ran into a limit: by what the candidate answered, perhaps.
    fn burden(&self, limit: Duration) -> Duration {
        match limit_of(&self.test_code, limit) {
            Some(_) => self.test_code.usage.cpu,
            None => Duration::ZERO,
        }
    }

    /// How long the candidate slept while it was waited for, at least.
    fn slept(&self) -> Duration {
        let usage = &self.candidate.usage;
        (usage.slept + self.waited).saturating_sub(usage.wall)
    }

    /// How long the test code went on without waiting for the candidate, at most.
    fn worked(&self) -> Duration {
        self.test_code.usage.wall.saturating_sub(self.waited)
    }

    /// Of a candidate that has passed once: that it does not do so again is its own doing.
    fn or_failed(mut self) -> Examination {
        if self.conclusion.decides_nothing() || matches!(self.conclusion, Conclusion::Live(..)) {
            let why = "what it did to its arguments cannot be judged";
            self.conclusion = Conclusion::candidate_failed(why);
        }
        self
    }

    /// Of test code that does not compile.
    fn rejected(why: String) -> Examination {
        Examination {
            candidate: Outcome::default(),
            test_code: Outcome::default(),
            conclusion: Conclusion::Broken(why),
            waited: Duration::ZERO,
            hid_changes: false,
            is_rejected: true,
        }
    }
}

fn host(doing: &'static str) -> impl Fn(std::io::Error) -> SandboxError {
    move |source| SandboxError::Host { doing, source }
}

/// Decide one test.
fn weigh(examination: &Examination, limit: Duration, keep_output: usize) -> CaseResult {
    let (decision, clock, message) = decide(examination, limit);
    let mut case = case(&examination.candidate, decision, keep_output);
    if decision == Decision::Accepted {
        case.strategy = Some(AcceptedBy::TestCode(TestCode::Assertions));
    }
    case.clock = clock;
    case.message = message;
    case.shielded = (decision != Decision::JudgeFailed).then_some(true);
    case
}

/// Where nothing can be decided that is all; else a limit that the candidate ran into comes first, then what the test
/// code found, then how the test code ended.
fn decide(examination: &Examination, limit: Duration) -> (Decision, Option<Clock>, Option<String>) {
    let undecided = |why: String| (Decision::JudgeFailed, None, Some(why));
    match &examination.conclusion {
        Conclusion::Unshieldable { why, .. } => {
            return undecided(format!(
                "the test code cannot be kept apart from the candidate: {why}; {TOGETHER}"
            ));
        }
        Conclusion::Broken(why) => return undecided(format!("the test code cannot run: {why}")),
        Conclusion::Left => return undecided("the test code exited before its end".to_owned()),
        _ => {}
    }
    if let Some((decision, clock)) = limit_of(&examination.candidate, limit) {
        return (decision, clock, None);
    }
    match &examination.conclusion {
        Conclusion::CandidateFailed(why) => candidate_failed(&examination.candidate, why),
        Conclusion::Chosen(why) => {
            candidate_failed(&examination.candidate, &format!("{why}; {TOGETHER}"))
        }
        _ => by_test_code(examination, limit),
    }
}

/// The candidate raised an exception or ended early; if it died of an exception, that says more than that it ended.
fn candidate_failed(candidate: &Outcome, why: &str) -> (Decision, Option<Clock>, Option<String>) {
    let died = !candidate.stderr.is_empty() && candidate.termination != Termination::Exited(0);
    let exception = if died {
        last_line(&candidate.stderr)
    } else {
        why.to_owned()
    };
    let decision = if is_memory_error(&exception) {
        Decision::MemoryLimit
    } else {
        Decision::RuntimeError
    };
    (decision, None, Some(exception))
}

fn by_test_code(
    examination: &Examination,
    limit: Duration,
) -> (Decision, Option<Clock>, Option<String>) {
    let test_code = &examination.test_code;
    if let Some((decision, clock)) = limit_of(test_code, limit) {
        let why = match test_code.termination {
            Termination::Signaled(signal) => format!("the test code was ended by signal {signal}"),
            _ => "the test code, not the candidate, ran into the limit".to_owned(),
        };
        return (decision, clock, Some(why));
    }
    if matches!(
        examination.conclusion,
        Conclusion::Passed | Conclusion::Idle
    ) {
        return match examination.candidate.termination {
            Termination::Exited(0) => (Decision::Accepted, None, None),
            _ => (Decision::RuntimeError, None, None),
        };
    }
    let why = match &examination.conclusion {
        Conclusion::Failed { why: Some(why), .. } => why.clone(),
        _ => last_line(&test_code.stderr),
    };
    (Decision::WrongAnswer, None, Some(why))
}

/// A failure other than an exit status: a limit or a signal.
fn limit_of(outcome: &Outcome, limit: Duration) -> Option<(Decision, Option<Clock>)> {
    let exited = matches!(outcome.termination, Termination::Exited(_));
    let failure = failure(outcome, limit)?;
    (!exited || failure.0 == Decision::TimeLimit).then_some(failure)
}
