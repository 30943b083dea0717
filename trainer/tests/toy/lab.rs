//! A folder to run `mc-train` in, and the toy model after its supervised training, made once for all tests.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use assert_cmd::assert::{Assert, OutputAssertExt};
use tempfile::TempDir;
use trainer::run::metrics::{EvaluationRecord, Record, StepRecord, read};

/// The toy task in `toy/`, and the model after its supervised training in `sft/model`.
pub static WARM: LazyLock<PathBuf> = LazyLock::new(|| {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(env!("CARGO_CRATE_NAME"));
    // What an earlier run of the same tests left.
    std::fs::remove_dir_all(&folder).unwrap_or_default();
    std::fs::create_dir_all(&folder).unwrap();
    train(&folder).args(["toy", "toy"]).assert().success();
    let mut sft = train(&folder);
    sft.args(["sft", "--config", "toy/run.toml", "--out", "sft"]);
    sft.args(["--set", "data.held_out=[]"]).assert().success();
    folder
});

fn train(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mc-train"));
    command
        .current_dir(folder)
        .env("OMP_WAIT_POLICY", "passive");
    command
}

/// A folder to run in.
pub struct Lab(TempDir);

impl Lab {
    /// An empty one.
    pub fn new() -> Lab {
        Lab(tempfile::tempdir().unwrap())
    }

    /// A path in it.
    pub fn join(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

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
        let mut mc_train = train(self.0.path());
        let model = format!("model.path={}", WARM.join("sft/model").display());
        mc_train
            .args([command, "--out", out, "--config"])
            .arg(WARM.join("toy/run.toml"));
        for setting in [&model[..], "model.random=false"].iter().chain(settings) {
            mc_train.args(["--set", setting]);
        }
        mc_train
    }

    /// Any command, in this folder.
    pub fn train(&self, arguments: &[&str]) -> Assert {
        train(self.0.path()).args(arguments).assert()
    }

    /// What a run measured.
    pub fn metrics(&self, out: &str) -> Vec<Record> {
        read(&self.join(out).join("metrics.jsonl")).unwrap()
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

/// The steps among some records, without what the clock says.
pub fn steps(records: &[Record]) -> Vec<StepRecord> {
    let of = |record: &Record| match record {
        Record::Step(step) => Some(StepRecord {
            seconds: Default::default(),
            tokens_per_second: 0.0,
            memory_mib: 0.0,
            ..(**step).clone()
        }),
        _ => None,
    };
    records.iter().filter_map(of).collect()
}
