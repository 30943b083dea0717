//! Judges the labelled pairs of fixtures/comparisons, each as a test of its own: what a careful human judge says
//! against what the `standard` profile says. In the end it prints the rates of every profile.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use evaluator::{Comparator, Comparison, Declared, Evidence, Profile, literal, readers};
use libtest_mimic::{Arguments, Failed, Trial};
use serde::Deserialize;

/// Right answers that `standard` rejects. A wrong one that is accepted has no place here.
const KNOWN_REJECTIONS: [&str; 1] = ["numeric-010"];

/// A labelled pair.
#[derive(Clone, Deserialize)]
struct Pair {
    id: String,
    expected: String,
    actual: String,
    right: bool,
    note: String,
    statement: Option<String>,
    #[serde(default)]
    compare: serde_json::Value,
    #[serde(default)]
    kind: String,
}

impl Pair {
    fn accepted(&self, profile: Profile) -> Result<bool, Failed> {
        let evidence = Evidence {
            declared: self.declared()?,
            statement: self.statement.as_deref(),
        };
        let comparator = Comparator::new(profile, evidence);
        let comparison = if self.kind == "value" {
            comparator.compare_value(
                &literal::parse(&self.expected)?,
                &literal::parse(&self.actual)?,
            )
        } else {
            comparator.compare_text(self.expected.as_bytes(), self.actual.as_bytes())
        };
        Ok(matches!(comparison, Comparison::Accepted(_)))
    }

    fn declared(&self) -> Result<Declared, Failed> {
        if self.compare.is_null() {
            return Ok(Declared::default());
        }
        Ok(readers::declared(&self.compare.to_string())?)
    }

    /// Judged as its label says, unless it is known not to be.
    fn check(&self) -> Result<(), Failed> {
        let as_labelled = self.accepted(Profile::Standard)? == self.right;
        let known = KNOWN_REJECTIONS.contains(&self.id.as_str());
        match (as_labelled, known) {
            (true, false) => Ok(()),
            (false, true) if self.right => Ok(()),
            (true, true) => Err("is judged right by now: strike it off KNOWN_REJECTIONS".into()),
            (false, _) if self.right => Err(format!("rejected though right: {}", self.note).into()),
            (false, _) => Err(format!("accepted though wrong: {}", self.note).into()),
        }
    }
}

fn main() {
    let arguments = Arguments::from_args();
    let files = files();
    let pairs: Vec<Pair> = files.iter().flat_map(|file| pairs(file)).collect();
    let mut trials: Vec<Trial> = pairs.iter().cloned().map(trial).collect();
    let ids: Vec<String> = pairs.iter().map(|pair| pair.id.clone()).collect();
    trials.push(Trial::test("ids", move || check_ids(&ids)));
    let conclusion = libtest_mimic::run(&arguments, trials);
    if !arguments.list {
        print_rates(&pairs);
    }
    conclusion.exit();
}

fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/comparisons");
    let entries = fs::read_dir(folder).expect("fixtures/comparisons");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

fn pairs(file: &Path) -> Vec<Pair> {
    let text = fs::read_to_string(file).expect("a file of pairs");
    let pairs: Vec<Pair> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{line}: {e}")))
        .collect();
    assert!(!pairs.is_empty(), "{} is empty", file.display());
    pairs
}

fn trial(pair: Pair) -> Trial {
    Trial::test(pair.id.clone(), move || pair.check())
}

/// Every pair has an id of its own, and every known rejection is the id of a pair.
fn check_ids(ids: &[String]) -> Result<(), Failed> {
    let mut seen = BTreeSet::new();
    if let Some(id) = ids.iter().find(|id| !seen.insert(id.as_str())) {
        return Err(format!("two pairs have the id {id}").into());
    }
    match KNOWN_REJECTIONS.iter().find(|id| !seen.contains(**id)) {
        None => Ok(()),
        Some(id) => Err(format!("no pair has the id {id}").into()),
    }
}

fn print_rates(pairs: &[Pair]) {
    let (right, wrong): (Vec<&Pair>, Vec<&Pair>) = pairs.iter().partition(|pair| pair.right);
    println!("{} right pairs, {} wrong ones", right.len(), wrong.len());
    for &profile in Profile::ALL {
        let accepted = |pair: &&&Pair| pair.accepted(profile).is_ok_and(|accepted| accepted);
        let accepts = wrong.iter().filter(accepted).count();
        let rejects = right.len() - right.iter().filter(accepted).count();
        println!(
            "{profile:?}: false accepts {accepts} ({:.1} %), false rejects {rejects} ({:.1} %)",
            100.0 * accepts as f64 / wrong.len() as f64,
            100.0 * rejects as f64 / right.len() as f64,
        );
    }
}
