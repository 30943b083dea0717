//! What a package says of itself: `problem.yaml`, and what DOMjudge and BAPCtools put beside it.

use std::time::Duration;

use super::fault::PackageFault;
use super::tree::Tree;
use super::yaml::{number, positive, words, yaml_of};
use crate::OwnChecker;
use crate::readers::node::{Fault, Node};

/// Memory in MiB where none is stated.
const MEMORY: u64 = 2048;

/// Output in MiB where none is stated.
const OUTPUT: u64 = 8;

/// What a package says of itself.
#[derive(Debug)]
pub(super) struct Metadata {
    /// Whether it is in the format from before there were versions.
    pub is_legacy: bool,
    pub name: Option<String>,
    pub scoring: bool,
    pub interactive: bool,
    pub multi_pass: bool,
    /// Whether it asks for its own output validator; told by the folder in the newer formats.
    pub custom: bool,
    pub custom_score: bool,
    pub validator_flags: Vec<String>,
    pub time: TimeRule,
    pub memory: u64,
    pub output: u64,
    pub passes: u32,
    pub validation_time: Duration,
    pub validation_memory: u64,
    /// Fields of `grading`, which older packages have in `problem.yaml`.
    pub grading: OldGrading,
}

/// What older packages say about grading in `problem.yaml`.
#[derive(Debug, Default)]
pub(super) struct OldGrading {
    pub on_reject: Option<String>,
    pub accept_score: Option<f64>,
    pub reject_score: Option<f64>,
    pub range: Option<String>,
}

/// Where the time limit of a package comes from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum TimeRule {
    /// It is stated, in seconds.
    Stated(f64),
    /// So many times the CPU time of the slowest accepted submission, rounded to whole seconds but at least one.
    Legacy {
        /// How many times.
        multiplier: f64,
    },
    /// The smallest multiple of `resolution` that is at least so many times the CPU time of the slowest accepted submission.
    Multiple {
        /// How many times.
        multiplier: f64,
        /// In seconds.
        resolution: f64,
    },
}

impl TimeRule {
    /// The limit, where the slowest accepted submission took `slowest` seconds for a test.
    pub fn limit(self, slowest: f64) -> f64 {
        match self {
            TimeRule::Stated(seconds) => seconds,
            TimeRule::Legacy { multiplier } => (slowest * multiplier).round().max(1.0),
            TimeRule::Multiple {
                multiplier,
                resolution,
            } => (slowest * multiplier / resolution).ceil().max(1.0) * resolution,
        }
    }
}

/// Read what the package says of itself.
pub(super) fn read(tree: &mut Tree) -> Result<Metadata, PackageFault> {
    let yaml = yaml_of(tree, "problem.yaml")?;
    let row = Node::row(&yaml);
    let mut metadata = of_yaml(&row).map_err(|fault| PackageFault::of("problem.yaml", fault))?;
    let stated = matches!(metadata.time, TimeRule::Stated(_));
    if !stated && let Some(seconds) = beside(tree)? {
        metadata.time = TimeRule::Stated(seconds);
    }
    Ok(metadata)
}

fn of_yaml(row: &Node<'_>) -> Result<Metadata, Fault> {
    let is_legacy = row
        .read("problem_format_version", is_legacy)?
        .unwrap_or(true);
    let kinds = row.read("type", words)?.unwrap_or_default();
    let validation = row.read("validation", words)?.unwrap_or_default();
    let says = |word: &str| {
        kinds
            .iter()
            .chain(validation.iter().skip(1))
            .any(|it| it == word)
    };
    if says("submit-answer") {
        let node = row.need("type")?;
        return Err(node.fault("is \"submit-answer\": its submissions are no programs"));
    }
    let nothing = crate::Value::Dict(Vec::new());
    let limits = row.find("limits").unwrap_or(Node::at("limits", &nothing));
    let multi_pass = says("multi-pass");
    let whole = |name: &str, default: u64| {
        Ok(limits
            .read(name, positive)?
            .map_or(default, |it| it.ceil() as u64))
    };
    let passes = limits
        .read("validation_passes", positive)?
        .map_or(2, |it| it as u32);
    Ok(Metadata {
        is_legacy,
        name: row
            .find("name")
            .and_then(|name| name.text().ok().map(str::to_owned)),
        scoring: says("scoring") || says("score"),
        interactive: says("interactive"),
        multi_pass,
        custom: validation.first().is_some_and(|it| it == "custom"),
        custom_score: says("score"),
        validator_flags: row.read("validator_flags", words)?.unwrap_or_default(),
        time: time(&limits, is_legacy)?,
        memory: whole("memory", MEMORY)?,
        output: whole("output", OUTPUT)?,
        passes: if multi_pass { passes } else { 1 },
        validation_time: Duration::from_secs(whole("validation_time", OwnChecker::TIME.as_secs())?),
        validation_memory: whole("validation_memory", OwnChecker::MEMORY)?,
        grading: row.read("grading", old_grading)?.unwrap_or_default(),
    })
}

fn is_legacy(version: &Node<'_>) -> Result<bool, Fault> {
    match version.text()? {
        "legacy" | "legacy-icpc" => Ok(true),
        "draft" | "2023-07" | "2023-07-draft" | "2025-09" | "2025-09-draft" => Ok(false),
        other => Err(version.fault(format!(
            "is \"{other}\", but known are legacy, 2023-07 and 2025-09"
        ))),
    }
}

fn time(limits: &Node<'_>, is_legacy: bool) -> Result<TimeRule, Fault> {
    if let Some(seconds) = limits.read("time_limit", positive)? {
        return Ok(TimeRule::Stated(seconds));
    }
    if is_legacy {
        let multiplier = limits.read("time_multiplier", positive)?.unwrap_or(5.0);
        return Ok(TimeRule::Legacy { multiplier });
    }
    let multipliers = limits.find("time_multipliers");
    let multiplier = multipliers.map(|it| it.read("ac_to_time_limit", positive));
    Ok(TimeRule::Multiple {
        multiplier: multiplier.transpose()?.flatten().unwrap_or(2.0),
        resolution: limits.read("time_resolution", positive)?.unwrap_or(1.0),
    })
}

fn old_grading(grading: &Node<'_>) -> Result<OldGrading, Fault> {
    // Before it was an object, it was a word that says no more than the default.
    if grading.object().is_err() {
        return Ok(OldGrading::default());
    }
    Ok(OldGrading {
        on_reject: grading.find_text("on_reject")?,
        accept_score: grading.read("accept_score", number)?,
        reject_score: grading.read("reject_score", number)?,
        range: grading.find_text("range")?,
    })
}

/// The time limit in a file beside `problem.yaml`: BAPCtools' or DOMjudge's.
fn beside(tree: &mut Tree) -> Result<Option<f64>, PackageFault> {
    if let Some(text) = tree.take_text(".timelimit") {
        let text = text.map_err(|why| PackageFault::file(".timelimit", why))?;
        return seconds(&text)
            .map(Some)
            .map_err(|why| PackageFault::file(".timelimit", why));
    }
    let Some(text) = tree.take_text("domjudge-problem.ini") else {
        return Ok(None);
    };
    let fault = |why| PackageFault::file("domjudge-problem.ini", why);
    let text = text.map_err(fault)?;
    let settings = text.lines().filter_map(|line| line.split_once('='));
    let mut limits = settings.filter(|(name, _)| name.trim() == "timelimit");
    let limit = limits.next_back();
    limit
        .map(|(_, value)| seconds(value).map_err(fault))
        .transpose()
}

fn seconds(text: &str) -> Result<f64, String> {
    let plain = text.trim().trim_matches(['\'', '"']).trim();
    let number = plain.parse::<f64>().ok();
    let number = number.filter(|seconds| *seconds > 0.0 && seconds.is_finite());
    number
        .ok_or_else(|| format!("states the time limit \"{plain}\", which is no number of seconds"))
}
