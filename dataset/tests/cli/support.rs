//! A folder to run `mc-data` in.

use std::path::{Path, PathBuf};

use assert_cmd::Command;
use serde_json::Value;
use tempfile::TempDir;

/// A folder of its own, removed at the end.
pub struct Workshop(TempDir);

impl Workshop {
    pub fn new() -> Workshop {
        Workshop(tempfile::tempdir().expect("a folder"))
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Run a command that must succeed; gives back what it printed.
    pub fn run(&self, arguments: &[&str]) -> String {
        let ran = self.command(arguments).assert().success();
        String::from_utf8_lossy(&ran.get_output().stdout).into_owned()
    }

    /// Run a command that must end with this code; gives back its complaint.
    pub fn fails(&self, arguments: &[&str], code: i32) -> String {
        let ran = self.command(arguments).assert().code(code);
        String::from_utf8_lossy(&ran.get_output().stderr).into_owned()
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mc-data"));
        command.current_dir(self.0.path()).args(arguments);
        command
    }

    /// The fixtures' raw rows as `raw.jsonl`.
    pub fn collect(&self) {
        let (apps, leetcode) = (fixture("apps.jsonl"), fixture("leetcode.jsonl"));
        self.run(&["collect", &apps, &leetcode, "-o", "raw.jsonl"]);
    }

    pub fn text(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).expect("a file that was written")
    }

    /// The lines of a file.
    pub fn records(&self, name: &str) -> Vec<Value> {
        let text = self.text(name);
        text.lines()
            .map(|line| serde_json::from_str(line).expect("JSON"))
            .collect()
    }
}

/// A raw file among the fixtures.
pub fn fixture(name: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/dataset");
    root.join(name).display().to_string()
}

/// The id of a record and why it was dropped, if it was.
pub fn dropped(record: &Value) -> Option<(&str, &str)> {
    Some((
        record["id"].as_str()?,
        record["dropped_by"]["reason"].as_str()?,
    ))
}
