//! Tests in groups: which are run after which, and what decision and score they come to.
//!
//! The rules are those of the Kattis problem package format, `legacy` ("Test data", "Graders") and `2025-09` ("Result
//! aggregation"): <https://www.kattis.com/problem-package-format/spec/>.

use std::sync::Arc;

use crate::checker::ScoreRule;
use crate::source::SourceFile;
use crate::verdict::Decision;

/// The tests of a problem as a tree.
#[derive(Debug, Clone, PartialEq)]
pub struct Grading {
    /// All tests, in the order in which they are run.
    pub root: Group,
    /// Whether the problem gives points.
    pub scoring: bool,
    /// The highest score, where one is stated.
    pub max_score: Option<f64>,
    /// What grades the groups that ask for it.
    pub grader: Option<Arc<OwnGrader>>,
}

/// A problem's own grader: a program that reads a line `AC 1` for each member of a group, what was decided and its score,
/// and writes such a line for the group.
#[derive(Debug, Clone, PartialEq)]
pub struct OwnGrader {
    /// Its language; `None` for a folder with a script `build` or `run`, which says itself how it is run.
    pub language: Option<String>,
    /// Its files, the main one first.
    pub files: Vec<SourceFile>,
}

/// Tests that stand or fall together.
#[derive(Debug, Clone, PartialEq)]
pub struct Group {
    /// Its path below `data`.
    pub name: String,
    /// In the order in which they are run.
    pub members: Vec<Member>,
    /// Whether the first failure ends it.
    pub stops: bool,
    /// What its members come to.
    pub rule: Rule,
}

/// What is in a group.
#[derive(Debug, Clone, PartialEq)]
pub enum Member {
    /// A test, by its place in the problem.
    Test(usize),
    /// A group of its own.
    Group(Group),
}

/// How a group comes to a decision and a score.
#[derive(Debug, Clone, PartialEq)]
pub enum Rule {
    /// As the default grader of the legacy format.
    Legacy(Legacy),
    /// As in 2025-09.
    Aggregate {
        /// How the scores of members become that of the group.
        mode: Aggregation,
        /// The highest score; `None` for unbounded.
        max_score: Option<f64>,
        /// Groups that must have passed before this one is run.
        requires: Vec<String>,
    },
}

/// How scores are put together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Aggregation {
    /// All or nothing.
    PassFail,
    /// Their sum.
    Sum,
    /// The smallest.
    Min,
}

/// The flags of the legacy format's default grader, and the scores of tests that do not bring their own.
#[derive(Debug, Clone, PartialEq)]
pub struct Legacy {
    /// Which failure is that of the group.
    pub verdict: LegacyVerdict,
    /// How scores are put together.
    pub score: LegacyScore,
    /// Whether the first member, the samples, does not count.
    pub ignore_sample: bool,
    /// Whether one accepted member is enough.
    pub any_accepted: bool,
    /// The score of an accepted test.
    pub accept_score: f64,
    /// The score of any other.
    pub reject_score: f64,
    /// Whether the problem's own grader stands in place of these rules.
    pub own_grader: bool,
    /// What that is called with: the flags as they were written.
    pub flags: Vec<String>,
}

/// Which failure is that of the group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LegacyVerdict {
    /// The worst.
    Worst,
    /// The first.
    First,
    /// None.
    Accept,
}

/// How scores are put together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum LegacyScore {
    Sum,
    Average,
    Min,
    Max,
}

impl Default for Legacy {
    fn default() -> Legacy {
        Legacy {
            verdict: LegacyVerdict::Worst,
            score: LegacyScore::Sum,
            ignore_sample: false,
            any_accepted: false,
            accept_score: 1.0,
            reject_score: 0.0,
            own_grader: false,
            flags: Vec::new(),
        }
    }
}

/// What one test came to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tested {
    /// What was decided.
    pub decision: Decision,
    /// The points that a checker gave.
    pub points: Option<Earned>,
}

/// Points that a checker gave.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Earned {
    /// So many.
    Score(f64),
    /// This share of what the test can earn.
    Share(f64),
}

/// Runs what grading needs.
pub trait GroupRunner {
    /// Why grading cannot go on.
    type Error;

    /// The test at this place.
    fn test(&mut self, place: usize) -> Result<Tested, Self::Error>;

    /// The problem's own grader, called with `flags`, on what the members of a group came to. Gives what it wrote, or how it
    /// failed.
    fn own_grader(
        &mut self,
        flags: &[String],
        results: &str,
    ) -> Result<Result<String, String>, Self::Error>;
}

/// What a group came to.
#[derive(Debug, Clone, PartialEq)]
pub struct Graded {
    /// What was decided.
    pub decision: Decision,
    /// What it earned; `None` for a problem without points.
    pub score: Option<f64>,
    /// Why the points that a checker gave cannot stand, which decides nothing about the candidate.
    pub fault: Option<String>,
}

impl Grading {
    /// Every test must pass, in this order, and the first that does not decides.
    pub fn first_failure_decides(tests: usize) -> Grading {
        Grading {
            root: Group {
                name: String::new(),
                members: (0..tests).map(Member::Test).collect(),
                stops: true,
                rule: Rule::Legacy(Legacy::default()),
            },
            scoring: false,
            max_score: None,
            grader: None,
        }
    }

    /// Run what has to be run, and grade it.
    ///
    /// # Errors
    /// That of `runner`, which ends it.
    pub fn grade<R: GroupRunner>(&self, runner: &mut R) -> Result<Graded, R::Error> {
        let mut grader = Grader {
            runner,
            passed: Vec::new(),
            fault: None,
        };
        let (decision, score) = grader.group(&self.root)?;
        Ok(Graded {
            decision: match grader.fault {
                Some(_) => Decision::JudgeFailed,
                None => decision,
            },
            score: self.scoring.then_some(score),
            fault: grader.fault,
        })
    }
}

/// A grading in progress.
struct Grader<'r, R> {
    runner: &'r mut R,
    /// The groups that passed.
    passed: Vec<String>,
    fault: Option<String>,
}

impl<R: GroupRunner> Grader<'_, R> {
    fn group(&mut self, group: &Group) -> Result<(Decision, f64), R::Error> {
        if let Rule::Aggregate { requires, .. } = &group.rule
            && requires.iter().any(|name| !self.passed.contains(name))
        {
            // Not run at all. What it requires was decided before, and is what shows in the whole.
            return Ok((Decision::WrongAnswer, 0.0));
        }
        let mut results = Vec::with_capacity(group.members.len());
        for member in &group.members {
            let result = match member {
                Member::Group(inner) => self.group(inner)?,
                Member::Test(test) => {
                    let tested = self.runner.test(*test)?;
                    (tested.decision, self.score(group, tested))
                }
            };
            results.push(result);
            let ends = result.0 == Decision::JudgeFailed || self.fault.is_some();
            if ends || group.stops && result.0 != Decision::Accepted {
                break;
            }
        }
        let all_passed = results
            .iter()
            .all(|(decision, _)| *decision == Decision::Accepted);
        if all_passed {
            self.passed.push(group.name.clone());
        }
        match &group.rule {
            Rule::Legacy(legacy) if legacy.own_grader && self.fault.is_none() => {
                self.ask(group, legacy, &results)
            }
            rule => Ok(rule.aggregate(&results)),
        }
    }

    /// What the problem's own grader makes of these results.
    fn ask(
        &mut self,
        group: &Group,
        legacy: &Legacy,
        results: &[(Decision, f64)],
    ) -> Result<(Decision, f64), R::Error> {
        if results.is_empty() || judge_failed(results) {
            return Ok(legacy.aggregate(results));
        }
        let line = |(decision, score): &(Decision, f64)| format!("{} {score}\n", word(*decision));
        let mut asked = |results: &[(Decision, f64)]| {
            let lines: String = results.iter().map(line).collect();
            let said = self.runner.own_grader(&legacy.flags, &lines)?;
            Ok(said.and_then(|text| graded(&text)))
        };
        let why = match asked(results)? {
            Ok(graded) => return Ok(graded),
            Err(why) => why,
        };
        // It is the candidate's doing where as many right answers let it grade.
        let all_right = vec![(Decision::Accepted, legacy.accept_score); results.len()];
        if asked(&all_right)?.is_ok() {
            return Ok((Decision::WrongAnswer, 0.0));
        }
        self.fault = Some(format!(
            "the problem's grader {why}, of the group {}",
            group.name
        ));
        Ok((Decision::JudgeFailed, 0.0))
    }

    /// The score of a test of `group`.
    fn score(&mut self, group: &Group, tested: Tested) -> f64 {
        let accepted = tested.decision == Decision::Accepted;
        match (group.rule.score_of_a_test(group, accepted), tested.points) {
            (Ok(_), Some(Earned::Score(points))) if accepted => points,
            (Ok(Some(most)), Some(Earned::Share(share))) if accepted => most * share,
            (Ok(Some(score)), None) => score,
            (Ok(None), None) if !accepted => 0.0,
            (Ok(None), _) => self.fail(group, "must be given a score by the checker"),
            (Ok(Some(score)), Some(_)) => score,
            (Err(why), Some(_)) if accepted => self.fail(group, why),
            (Err(_), _) => 0.0,
        }
    }

    fn fail(&mut self, group: &Group, why: &str) -> f64 {
        self.fault = Some(format!(
            "an accepted test of the group {} {why}",
            group.name
        ));
        0.0
    }
}

impl Rule {
    /// The score of a test to which the checker gives none; `Ok(None)` if the checker has to, `Err` if it must not.
    fn score_of_a_test(&self, group: &Group, accepted: bool) -> Result<Option<f64>, &'static str> {
        match self {
            Rule::Legacy(legacy) if accepted => Ok(Some(legacy.accept_score)),
            Rule::Legacy(legacy) => Ok(Some(legacy.reject_score)),
            Rule::Aggregate { .. } if !accepted => Ok(Some(0.0)),
            Rule::Aggregate {
                mode, max_score, ..
            } => match (mode, max_score) {
                // Points for samples are ignored, and so is what has no place in a problem without points.
                (Aggregation::PassFail, _) if group.name == "sample" => Ok(Some(0.0)),
                (Aggregation::PassFail, _) => {
                    Err("was given a score, but the group passes or fails as a whole")
                }
                (_, None) => Ok(None),
                (Aggregation::Min, Some(most)) => Ok(Some(*most)),
                (Aggregation::Sum, Some(most)) => Ok(Some(most / group.members.len() as f64)),
            },
        }
    }

    fn aggregate(&self, results: &[(Decision, f64)]) -> (Decision, f64) {
        if judge_failed(results) {
            return (Decision::JudgeFailed, 0.0);
        }
        let scores = results.iter().map(|(_, score)| *score);
        match self {
            Rule::Legacy(legacy) => legacy.aggregate(results),
            Rule::Aggregate {
                mode, max_score, ..
            } => {
                let decision = first_failure(results);
                let score = match mode {
                    Aggregation::PassFail if decision == Decision::Accepted => {
                        max_score.unwrap_or(0.0)
                    }
                    Aggregation::PassFail => 0.0,
                    Aggregation::Sum => total(scores),
                    Aggregation::Min => scores.reduce(f64::min).unwrap_or(0.0),
                };
                (decision, score)
            }
        }
    }
}

impl Legacy {
    fn aggregate(&self, results: &[(Decision, f64)]) -> (Decision, f64) {
        // A sample group that failed alone, with the secret data not run, still decides.
        let counted = match self.ignore_sample {
            true => &results[results.len().saturating_sub(1)..],
            false => results,
        };
        if counted.is_empty() {
            return (Decision::Accepted, 0.0);
        }
        let any = counted
            .iter()
            .any(|(decision, _)| *decision == Decision::Accepted);
        let decision = match self.verdict {
            _ if self.any_accepted && any => Decision::Accepted,
            LegacyVerdict::Accept => Decision::Accepted,
            LegacyVerdict::First => first_failure(counted),
            LegacyVerdict::Worst => worst(counted),
        };
        let scores = counted.iter().map(|(_, score)| *score);
        let score = match self.score {
            LegacyScore::Sum => total(scores),
            LegacyScore::Average => total(scores) / counted.len() as f64,
            LegacyScore::Min => scores.reduce(f64::min).unwrap_or(0.0),
            LegacyScore::Max => scores.reduce(f64::max).unwrap_or(0.0),
        };
        (decision, score)
    }
}

/// The sum of scores, which is a number however large they are.
pub(crate) fn total(scores: impl Iterator<Item = f64>) -> f64 {
    scores.sum::<f64>().clamp(f64::MIN, f64::MAX)
}

fn judge_failed(results: &[(Decision, f64)]) -> bool {
    let mut decisions = results.iter().map(|(decision, _)| *decision);
    decisions.any(|decision| decision == Decision::JudgeFailed)
}

/// Decisions as graders read and write them.
const WORDS: [(&str, Decision); 7] = [
    ("AC", Decision::Accepted),
    ("WA", Decision::WrongAnswer),
    ("TLE", Decision::TimeLimit),
    ("RTE", Decision::RuntimeError),
    ("MLE", Decision::MemoryLimit),
    ("OLE", Decision::OutputLimit),
    ("JE", Decision::JudgeFailed),
];

/// What a grader is told of a test: of the words that it may write itself, the format lets it read the first four.
fn word(decision: Decision) -> &'static str {
    let known = WORDS[..4].iter().find(|(_, it)| *it == decision);
    known.map_or("RTE", |(word, _)| word)
}

/// What a grader wrote.
fn graded(text: &str) -> Result<(Decision, f64), String> {
    let mut said = text.split_whitespace();
    let decision = said
        .next()
        .and_then(|word| WORDS.iter().find(|(it, _)| *it == word));
    let score = said.next().and_then(|score| score.parse::<f64>().ok());
    match (decision, score.filter(|it| it.is_finite()), said.next()) {
        (Some((_, decision)), Some(score), None) if *decision != Decision::JudgeFailed => {
            Ok((*decision, score))
        }
        _ => Err(format!("wrote \"{}\"", text.trim().escape_debug())),
    }
}

fn first_failure(results: &[(Decision, f64)]) -> Decision {
    let mut decisions = results.iter().map(|(decision, _)| *decision);
    decisions
        .find(|decision| *decision != Decision::Accepted)
        .unwrap_or(Decision::Accepted)
}

/// By the legacy grader's order of failures.
fn worst(results: &[(Decision, f64)]) -> Decision {
    const ORDER: [Decision; 5] = [
        Decision::RuntimeError,
        Decision::MemoryLimit,
        Decision::TimeLimit,
        Decision::OutputLimit,
        Decision::WrongAnswer,
    ];
    let has = |wanted: &&Decision| results.iter().any(|(decision, _)| decision == *wanted);
    ORDER
        .iter()
        .find(has)
        .copied()
        .unwrap_or_else(|| first_failure(results))
}

/// Whether a checker's points, or that it gave none, go against the rule.
pub fn fault_of_points(rule: ScoreRule, accepted: bool, gave: bool) -> Option<&'static str> {
    match (rule, accepted, gave) {
        (_, false, true) => Some("gave a score to what it did not accept"),
        (ScoreRule::Forbidden, _, true) => {
            Some("gave a score, which the problem does not allow for")
        }
        (ScoreRule::Required, true, false) => Some("gave no score, which the problem asks for"),
        _ => None,
    }
}
