//! The tests of a package: samples first, then the secret ones by name, in the groups that its folders make.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::fault::PackageFault;
use super::metadata::Metadata;
use super::own_program;
use super::tree::Tree;
use super::yaml::{number, texts, words, yaml_of};
use crate::SourceFile;
use crate::grading::{
    Aggregation, Grading, Group, Legacy, LegacyScore, LegacyVerdict, Member, OwnGrader, Rule,
};
use crate::problem::{TestCase, TestDetails};
use crate::readers::node::{Fault, Node};

/// The tests of a package.
pub(super) struct Data {
    pub tests: Vec<TestCase<String, String>>,
    pub details: Vec<TestDetails>,
    pub grading: Grading,
}

/// What a folder hands on to those in it.
#[derive(Clone, Default)]
struct Inherited {
    legacy: Legacy,
    stops: bool,
    range: Option<String>,
    validator_flags: Vec<String>,
    arguments: Vec<String>,
}

/// Reads the folders one after another.
struct Walk<'a> {
    tree: &'a mut Tree,
    metadata: &'a Metadata,
    /// Whether its groups are those of the legacy format, to which the first drafts of the next one kept.
    legacy_groups: bool,
    tests: Vec<TestCase<String, String>>,
    details: Vec<TestDetails>,
    /// The first file that asks for the package's own grader.
    own_grader: Option<String>,
}

/// Read all tests.
pub(super) fn read(tree: &mut Tree, metadata: &Metadata) -> Result<Data, PackageFault> {
    let has = |name: &str| {
        tree.below("data")
            .any(|(path, _)| path.rsplit('/').next() == Some(name))
    };
    let mut walk = Walk {
        legacy_groups: metadata.is_legacy || has("testdata.yaml") && !has("test_group.yaml"),
        tree,
        metadata,
        tests: Vec::new(),
        details: Vec::new(),
        own_grader: None,
    };
    let (root, max_score) = walk.root()?;
    let grader = walk.grader()?;
    if walk.tests.is_empty() {
        let message = "holds no tests, and a folder or a zip is read as a problem's package";
        return Err(PackageFault::file("data", message));
    }
    let mut grading = Grading {
        root,
        scoring: metadata.scoring,
        max_score,
        grader,
    };
    if !walk.legacy_groups && !metadata.scoring {
        grading = Grading::first_failure_decides(walk.tests.len());
    }
    Ok(Data {
        grading,
        tests: walk.tests,
        details: walk.details,
    })
}

/// A test of which one of the two files is not there.
fn missing_beside(test: &str, ending: &str, other: &str) -> PackageFault {
    let message = format!("is missing beside data/{test}.{other}");
    PackageFault::file(&format!("data/{test}.{ending}"), message)
}

impl Walk<'_> {
    fn root(&mut self) -> Result<(Group, Option<f64>), PackageFault> {
        let start = Inherited {
            stops: true,
            validator_flags: match self.metadata.is_legacy {
                // Those of the problem come before those of any test.
                true => Vec::new(),
                false => self.metadata.validator_flags.clone(),
            },
            ..Inherited::default()
        };
        let (inherited, rule) = self.configure("", &start)?;
        let mut members = Vec::new();
        let mut max_score = match inherited.range.as_deref() {
            Some(range) if self.legacy_groups => upper(range),
            _ => None,
        };
        for folder in ["sample", "secret"] {
            if self.tree.children(&format!("data/{folder}")).is_empty() {
                continue;
            }
            let group = self.group(folder, &inherited)?;
            if let (
                Rule::Aggregate {
                    max_score: most, ..
                },
                "secret",
            ) = (&group.rule, folder)
            {
                max_score = *most;
            }
            members.push(Member::Group(group));
        }
        let root = Group {
            name: String::new(),
            members,
            stops: inherited.stops && (self.legacy_groups || !self.metadata.scoring),
            rule,
        };
        Ok((root, max_score))
    }

    /// The package's own grader, if any group asks for it.
    fn grader(&self) -> Result<Option<Arc<OwnGrader>>, PackageFault> {
        let Some(file) = &self.own_grader else {
            return Ok(None);
        };
        let none = || {
            PackageFault::file(
                file,
                "asks for the package's own grader, but graders holds none",
            )
        };
        let place = own_program::grader(self.tree).ok_or_else(none)?;
        let (language, files) = place.read(self.tree)?;
        Ok(Some(Arc::new(OwnGrader { language, files })))
    }

    fn group(&mut self, folder: &str, outer: &Inherited) -> Result<Group, PackageFault> {
        let (inherited, rule) = self.configure(folder, outer)?;
        let mut members = Vec::new();
        for (name, is_folder) in self.entries(folder)? {
            let path = format!("{folder}/{name}");
            if !is_folder {
                members.push(Member::Test(self.test(&path, &inherited)?));
                continue;
            }
            let is_group = self.legacy_groups || self.has_configuration(&path);
            let inner = self.group(&path, &inherited)?;
            match is_group {
                true => members.push(Member::Group(inner)),
                // A folder without a configuration is no group: its tests are those of the group around it.
                false => members.extend(inner.members),
            }
        }
        let stops = match &rule {
            Rule::Legacy(_) => inherited.stops,
            Rule::Aggregate { mode, .. } => *mode != Aggregation::Sum && folder != "secret",
        };
        Ok(Group {
            name: folder.to_owned(),
            members,
            stops,
            rule,
        })
    }

    /// Tests, without their ending, and folders, in the order in which they are run.
    fn entries(&self, folder: &str) -> Result<Vec<(String, bool)>, PackageFault> {
        let children = self.tree.children(&format!("data/{folder}"));
        let mut entries = BTreeMap::new();
        let answers = children.iter().filter(|(_, is_folder)| !**is_folder);
        for test in answers.filter_map(|(name, _)| name.strip_suffix(".ans")) {
            if !children.contains_key(&format!("{test}.in")) {
                return Err(missing_beside(&format!("{folder}/{test}"), "in", "ans"));
            }
        }
        for (name, is_folder) in children {
            let test = name
                .strip_suffix(".in")
                .filter(|_| !is_folder)
                .map(str::to_owned);
            match test {
                // The legacy format sorts by the name of the answer's file.
                Some(test) if self.metadata.is_legacy => {
                    entries.insert(format!("{test}.ans"), (test, false))
                }
                Some(test) => entries.insert(test.clone(), (test, false)),
                None if is_folder && !name.ends_with(".files") => {
                    entries.insert(name.clone(), (name, true))
                }
                None => None,
            };
        }
        Ok(entries.into_values().collect())
    }

    /// The test at `path`, and its place among all.
    fn test(&mut self, path: &str, inherited: &Inherited) -> Result<usize, PackageFault> {
        let input = self.text(&format!("data/{path}.in"))?.unwrap_or_default();
        let answer = self.text(&format!("data/{path}.ans"))?;
        let talks = self.metadata.interactive || self.metadata.multi_pass;
        let expected = answer
            .or_else(|| talks.then(String::new))
            .ok_or_else(|| missing_beside(path, "ans", "in"))?;
        let details = self.details(path, inherited)?;
        self.tests.push(TestCase { input, expected });
        self.details.push(details);
        Ok(self.tests.len() - 1)
    }

    fn text(&mut self, path: &str) -> Result<Option<String>, PackageFault> {
        let text = self.tree.take_text(path).transpose();
        text.map_err(|why| PackageFault::file(path, why))
    }

    fn details(&mut self, path: &str, inherited: &Inherited) -> Result<TestDetails, PackageFault> {
        let file = format!("data/{path}.yaml");
        let yaml = yaml_of(self.tree, &file)?;
        let own = Node::row(&yaml);
        let fault = |fault| PackageFault::of(&file, fault);
        let mut flags = match self.metadata.is_legacy {
            true => self.metadata.validator_flags.clone(),
            false => Vec::new(),
        };
        flags.extend(
            own_flags(&own)
                .map_err(fault)?
                .unwrap_or_else(|| inherited.validator_flags.clone()),
        );
        let arguments = own.read("args", words).map_err(fault)?;
        let folder = format!("data/{path}.files");
        let files = self.tree.below(&folder).map(|(name, member)| SourceFile {
            name: name.to_owned(),
            content: member.content.clone().into(),
            executable: member.executable,
        });
        Ok(TestDetails {
            name: path.to_owned(),
            checker_flags: flags,
            arguments: arguments.unwrap_or_else(|| inherited.arguments.clone()),
            files: files.collect(),
        })
    }

    fn has_configuration(&self, folder: &str) -> bool {
        let has = |name: &&str| self.tree.has(&format!("data/{folder}/{name}"));
        ["test_group.yaml", "testdata.yaml"].iter().any(has)
    }

    /// What the configuration of a folder says, with what it inherits.
    fn configure(
        &mut self,
        folder: &str,
        outer: &Inherited,
    ) -> Result<(Inherited, Rule), PackageFault> {
        let at = |name: &str| match folder {
            "" => format!("data/{name}"),
            folder => format!("data/{folder}/{name}"),
        };
        let old = at("testdata.yaml");
        let file = if self.tree.has(&old) {
            old
        } else {
            at("test_group.yaml")
        };
        let yaml = yaml_of(self.tree, &file)?;
        let row = Node::row(&yaml);
        let read = || -> Result<(Inherited, Rule), Fault> {
            let mut inherited = outer.clone();
            if let Some(flags) = own_flags(&row)? {
                inherited.validator_flags = flags;
            }
            if let Some(arguments) = row.read("args", words)? {
                inherited.arguments = arguments;
            }
            let rule = match self.legacy_groups {
                true => Rule::Legacy(legacy(&row, &mut inherited, self.metadata)?),
                false => aggregate(&row, folder)?,
            };
            Ok((inherited, rule))
        };
        let configured = read().map_err(|fault| PackageFault::of(&file, fault))?;
        if configured.0.legacy.own_grader {
            self.own_grader.get_or_insert(file);
        }
        Ok(configured)
    }
}

/// The flags for the output validator, under any of the names that they have had.
fn own_flags(row: &Node<'_>) -> Result<Option<Vec<String>>, Fault> {
    match row.find("output_validator_args") {
        Some(args) if args.text().is_err() => texts(&args).map(Some),
        Some(args) => words(&args).map(Some),
        None => row.read("output_validator_flags", words),
    }
}

fn legacy(row: &Node<'_>, inherited: &mut Inherited, metadata: &Metadata) -> Result<Legacy, Fault> {
    let old = &metadata.grading;
    let on_reject = row.find_text("on_reject")?;
    match on_reject.as_deref() {
        Some("break") => inherited.stops = true,
        Some("continue" | "grade") => inherited.stops = false,
        Some(other) => {
            let node = row.need("on_reject")?;
            return Err(node.fault(format!("is \"{other}\", but must be break or continue")));
        }
        None => {}
    }
    match old.on_reject.as_deref() {
        Some("first_error") => inherited.stops = true,
        Some("grade") => inherited.stops = false,
        _ => {}
    }
    let accept = row.read("accept_score", number)?;
    let reject = row.read("reject_score", number)?;
    inherited.range = old
        .range
        .clone()
        .or(row.find_text("range")?)
        .or(inherited.range.take());
    let outer = &inherited.legacy;
    let mut rule = Legacy {
        accept_score: old.accept_score.or(accept).unwrap_or(outer.accept_score),
        reject_score: old.reject_score.or(reject).unwrap_or(outer.reject_score),
        ..outer.clone()
    };
    if let Some(flags) = row.read("grader_flags", words)? {
        grader_flags(&mut rule, flags);
    }
    match row
        .find("grading")
        .and_then(|it| it.text().ok().map(str::to_owned))
        .as_deref()
    {
        Some("custom") => rule.own_grader = true,
        Some("default") => rule.own_grader = false,
        _ => {}
    }
    inherited.legacy = rule.clone();
    Ok(rule)
}

/// Flags replace those of the folder above; of two that contradict, the last one holds.
fn grader_flags(rule: &mut Legacy, flags: Vec<String>) {
    let Legacy {
        accept_score,
        reject_score,
        own_grader,
        ..
    } = *rule;
    *rule = Legacy {
        accept_score,
        reject_score,
        own_grader,
        ..Legacy::default()
    };
    for flag in &flags {
        match flag.as_str() {
            "worst_error" | "no_errors" => rule.verdict = LegacyVerdict::Worst,
            "first_error" => rule.verdict = LegacyVerdict::First,
            "always_accept" => rule.verdict = LegacyVerdict::Accept,
            "sum" => rule.score = LegacyScore::Sum,
            "avg" => rule.score = LegacyScore::Average,
            "min" => rule.score = LegacyScore::Min,
            "max" => rule.score = LegacyScore::Max,
            "ignore_sample" => rule.ignore_sample = true,
            "accept_if_any_accepted" => rule.any_accepted = true,
            // The default grader passes over what it does not know.
            _ => {}
        }
    }
    rule.flags = flags;
}

fn upper(range: &str) -> Option<f64> {
    let most = range.split_whitespace().last()?.parse::<f64>().ok()?;
    most.is_finite().then_some(most)
}

fn aggregate(row: &Node<'_>, folder: &str) -> Result<Rule, Fault> {
    let mode = row.read("score_aggregation", aggregation)?;
    let max_score = row.read("max_score", |node| match node.text()? {
        "unbounded" => Ok(None),
        _ => number(node).map(Some),
    })?;
    let (default_mode, default_max) = match folder {
        // It only holds samples and secret tests together.
        "" => (Aggregation::Sum, None),
        "secret" => (Aggregation::Sum, Some(100.0)),
        _ => (Aggregation::PassFail, None),
    };
    Ok(Rule::Aggregate {
        mode: mode.unwrap_or(default_mode),
        max_score: max_score.unwrap_or(default_max),
        requires: row.read("require_pass", words)?.unwrap_or_default(),
    })
}

fn aggregation(node: &Node<'_>) -> Result<Aggregation, Fault> {
    match node.text()? {
        "pass-fail" => Ok(Aggregation::PassFail),
        "sum" => Ok(Aggregation::Sum),
        "min" => Ok(Aggregation::Min),
        other => Err(node.fault(format!("is \"{other}\", but must be pass-fail, sum or min"))),
    }
}
