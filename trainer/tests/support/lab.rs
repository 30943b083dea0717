//! A folder to run `mc-train` in, and the toy model after its supervised training, made once for all tests.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use assert_cmd::assert::{Assert, OutputAssertExt};
use tempfile::TempDir;
use trainer::run::metrics::{Record, StepRecord, read};

/// The toy task in `toy/`, and the model after its supervised training in `sft/model`. It is made anew for each build of
/// the program, by the first test that needs it; the others wait.
pub static WARM: LazyLock<PathBuf> = LazyLock::new(|| {
    let place = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (folder, stamp) = (place.join("warm"), place.join("warm/made_by"));
    let lock = File::create(place.join("warm.lock")).unwrap();
    lock.lock().unwrap();
    let program = fs::metadata(env!("CARGO_BIN_EXE_mc-train")).unwrap();
    let program = format!("{:?}", program.modified().unwrap());
    if fs::read_to_string(&stamp).is_ok_and(|made_by| made_by == program) {
        return folder;
    }
    fs::remove_dir_all(&folder).unwrap_or_default();
    fs::create_dir_all(&folder).unwrap();
    mc_train(&folder).args(["toy", "toy"]).assert().success();
    let mut sft = mc_train(&folder);
    sft.args(["sft", "--config", "toy/run.toml", "--out", "sft"]);
    // With half of the usual batch it learns what the tests need in half the time.
    sft.args(["--set", "data.held_out=[]", "--set", "sft.batch=32"])
        .assert()
        .success();
    fs::write(stamp, program).unwrap();
    folder
});

/// `mc-train` in a folder, without arguments.
pub fn mc_train(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mc-train"));
    command
        .current_dir(folder)
        .env("OMP_WAIT_POLICY", "passive")
        .env("NO_PROXY", "127.0.0.1");
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

    /// Any command, in this folder.
    pub fn train(&self, arguments: &[&str]) -> Assert {
        mc_train(self.0.path()).args(arguments).assert()
    }

    /// What a run measured.
    pub fn metrics(&self, out: &str) -> Vec<Record> {
        read(&self.join(out).join("metrics.jsonl")).unwrap()
    }
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
