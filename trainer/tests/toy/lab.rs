//! What the tests of the toy ask of `mc-train`, and what they look at afterwards.

use std::process::Command;

use assert_cmd::assert::{Assert, OutputAssertExt};
use trainer::run::metrics::{EvaluationRecord, Record};

use crate::support::mc_train;
pub use crate::support::{Lab, WARM, steps};

impl Lab {
    /// `mc-train grpo` on the toy task, from the warm model, into the folder `out`.
    pub fn grpo(&self, out: &str, settings: &[&str]) -> Assert {
        self.command(out, settings).assert()
    }

    /// The same, not yet begun.
    pub fn command(&self, out: &str, settings: &[&str]) -> Command {
        self.warm("grpo", out, settings)
    }

    /// `mc-train sft` on the toy's corpus, from the warm model.
    pub fn sft(&self, out: &str, settings: &[&str]) -> Assert {
        self.sft_command(out, settings).assert()
    }

    /// The same, not yet begun.
    pub fn sft_command(&self, out: &str, settings: &[&str]) -> Command {
        self.warm("sft", out, settings)
    }

    /// `eval`, `generate` or `probe` of the warm model, into the file `out`.
    pub fn ask(&self, command: &str, out: &str, settings: &[&str]) -> Assert {
        self.warm(command, out, settings).assert()
    }

    fn warm(&self, command: &str, out: &str, settings: &[&str]) -> Command {
        let mut mc_train = mc_train(&self.join(""));
        let model = format!("model.path={}", WARM.join("sft/model").display());
        mc_train
            .args([command, "--out", out, "--config"])
            .arg(WARM.join("toy/run.toml"));
        for setting in [&model[..], "model.random=false"].iter().chain(settings) {
            mc_train.args(["--set", setting]);
        }
        mc_train
    }
}

/// Settings of a run small enough to be made again and again, and more.
pub fn small<'a>(more: &[&'a str]) -> Vec<&'a str> {
    let small = [
        "rollout.prompts=4",
        "update.prompts=2",
        "output.checkpoint_every=2",
        "evaluation.every=2",
        "evaluation.samples=2",
    ];
    [&small[..], more].concat()
}

/// The names in a folder of a lab.
pub fn listed(lab: &Lab, folder: &str) -> Vec<String> {
    let entries = std::fs::read_dir(lab.join(folder)).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// What a command wrote to standard error.
pub fn stderr(assert: &Assert) -> String {
    String::from_utf8_lossy(&assert.get_output().stderr).into_owned()
}

/// The evaluations among some records.
pub fn evaluations(records: &[Record]) -> Vec<EvaluationRecord> {
    let of = |record: &Record| match record {
        Record::Evaluation(evaluation) => Some((**evaluation).clone()),
        _ => None,
    };
    records.iter().filter_map(of).collect()
}
