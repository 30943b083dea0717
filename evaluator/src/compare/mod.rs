//! The comparator: a chain of strategies, strictest first, and the profiles that admit them.
//!
//! Each strategy is a module of its own; `text` and `value` walk the outputs and ask the admitted ones in order, `lcb` and
//! `paper` are the chains of others. What this is not: a checker. Where several answers are right and they are not
//! one answer in another order, the problem needs a program of its own to tell.
//!
//! ```
//! use evaluator::{Comparator, Comparison, Evidence, Profile, Strategy};
//!
//! let comparator = Comparator::new(Profile::Standard, Evidence::default());
//! let said = comparator.compare_text(b"0.333333333\n", b"0.3333333333");
//! assert_eq!(said, Comparison::Accepted(Strategy::Numeric));
//! assert!(matches!(comparator.compare_text(b"1 2", b"1 2 3"), Comparison::Rejected(_)));
//! ```

mod admission;
mod decimal;
mod difference;
mod evidence;
mod exact;
mod key;
mod lcb;
mod number;
mod numeric;
mod paper;
mod rounding;
mod text;
mod token;
mod tokens;
mod typed;
mod unordered;
mod value;
mod whitespace;
mod word_case;

use crate::Value;

use crate::problem::Declared;
use admission::{Order, Rules};

pub use admission::Admission;

/// Which strategies are admitted, and when.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    Hash,
    Default,
    serde::Serialize,
    serde::Deserialize,
    schemars::JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Profile {
    /// Sound: a loose strategy is admitted only on evidence.
    #[default]
    Standard,
    /// LiveCodeBench's rule exactly.
    Lcb,
    /// Byte for byte.
    Exact,
    /// The paper's full chain, always-on set comparison and rounding.
    Paper,
}

impl Profile {
    /// All of them.
    pub const ALL: [Profile; 4] = [
        Profile::Standard,
        Profile::Lcb,
        Profile::Exact,
        Profile::Paper,
    ];

    /// Its name in options and records.
    pub fn name(self) -> &'static str {
        match self {
            Profile::Standard => "standard",
            Profile::Lcb => "lcb",
            Profile::Exact => "exact",
            Profile::Paper => "paper",
        }
    }
}

/// One way to compare two outputs, strictest first.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    Hash,
    PartialOrd,
    Ord,
    serde::Serialize,
    serde::Deserialize,
    schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Strategy {
    /// The same bytes or the same value.
    Exact,
    /// The same but for line ends, trailing space and blank lines.
    Whitespace,
    /// The same tokens.
    Tokens,
    /// The same numbers.
    Numeric,
    /// The same Python or JSON literal, with conversion.
    Typed,
    /// The same after rounding.
    Rounding,
    /// The same but for the case of yes/no-like words.
    WordCase,
    /// The same lines or items, each as often, in any order.
    Multiset,
    /// The same lines or items in any order and number.
    Set,
    /// LiveCodeBench's own rule.
    Lcb,
}

/// The chain, strictest first.
pub const CHAIN: [Strategy; 9] = [
    Strategy::Exact,
    Strategy::Whitespace,
    Strategy::Tokens,
    Strategy::Numeric,
    Strategy::Typed,
    Strategy::Rounding,
    Strategy::WordCase,
    Strategy::Multiset,
    Strategy::Set,
];

/// What speaks for admitting a loose strategy: what the problem declares, and its statement.
#[derive(Debug, Clone, Copy, Default)]
pub struct Evidence<'a> {
    /// What the problem declares.
    pub declared: Declared,
    /// The problem's statement.
    pub statement: Option<&'a str>,
}

/// Where two outputs first differ; every text is capped.
#[derive(
    Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
)]
pub struct Difference {
    /// Line, from 1, in the actual output; absent for values.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// Column, from 1, in characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<usize>,
    /// Where in the value: `[2]["x"]`; absent for text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The expected token there; empty where nothing more is expected.
    pub expected: String,
    /// The actual token there; empty where the output has ended.
    pub actual: String,
}

/// What came of a comparison.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Comparison {
    /// Accepted, by this strategy.
    Accepted(Strategy),
    /// Rejected by all that were admitted; the first difference.
    Rejected(Difference),
}

/// What one strategy said of two outputs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Finding {
    /// They are the same.
    Same,
    /// They differ.
    Differs,
    /// They differ for the first time on this line of the expected text.
    DiffersAt(usize),
    /// It could not read an output; the chain goes on.
    Erred(String),
    /// It was not admitted, or a stricter one had accepted.
    NotAsked,
}

impl From<bool> for Finding {
    fn from(same: bool) -> Finding {
        if same {
            Finding::Same
        } else {
            Finding::Differs
        }
    }
}

/// The ordered chain of strategies that one profile admits for one problem.
#[derive(Debug, Clone)]
pub struct Comparator {
    profile: Profile,
    rules: Rules,
    admissions: Vec<Admission>,
}

impl Comparator {
    /// The chain that `profile` admits on `evidence`.
    pub fn new(profile: Profile, evidence: Evidence<'_>) -> Comparator {
        let (rules, admissions) = Rules::standard(evidence);
        let admissions = match profile {
            Profile::Standard => admissions,
            named => admission::by_name(named),
        };
        Comparator {
            profile,
            rules,
            admissions,
        }
    }

    /// Which strategies are admitted, strictest first, and why.
    pub fn admissions(&self) -> &[Admission] {
        &self.admissions
    }

    /// Compare two texts, as a `stdin` problem's outputs.
    pub fn compare_text(&self, expected: &[u8], actual: &[u8]) -> Comparison {
        match self.profile {
            Profile::Standard => self.standard_text(expected, actual).1,
            _ => self.ask_in_turn(
                |strategy| self.ask_text(strategy, expected, actual),
                || first_difference(expected, actual, &self.rules),
            ),
        }
    }

    /// Compare two values, as a `call` problem's results.
    pub fn compare_value(&self, expected: &Value, actual: &Value) -> Comparison {
        if self.profile == Profile::Standard {
            return match value::compare(expected, actual, &self.rules) {
                Ok(strategy) => Comparison::Accepted(strategy),
                Err(difference) => Comparison::Rejected(difference),
            };
        }
        self.ask_in_turn(
            |strategy| self.ask_value(strategy, expected, actual),
            || value::difference(expected, actual),
        )
    }

    /// What each strategy of the chain says of two texts.
    pub fn explain_text(&self, expected: &[u8], actual: &[u8]) -> Vec<(Admission, Finding)> {
        if self.profile != Profile::Standard {
            return self.explain_in_turn(|strategy| self.ask_text(strategy, expected, actual));
        }
        let (steps, comparison) = self.standard_text(expected, actual);
        let fell_short = |strategy| {
            steps
                .iter()
                .find(|(needed, _)| *needed > strategy)
                .map(|(_, line)| *line)
        };
        let accepted = match comparison {
            Comparison::Accepted(strategy) => Some(strategy),
            Comparison::Rejected(_) => None,
        };
        let finding = |admission: &Admission| match admission.strategy {
            _ if !admission.admitted => Finding::NotAsked,
            strategy if accepted == Some(strategy) => Finding::Same,
            strategy if accepted.is_some_and(|accepted| accepted < strategy) => Finding::NotAsked,
            strategy => fell_short(strategy).map_or(Finding::Differs, Finding::DiffersAt),
        };
        self.admissions
            .iter()
            .map(|admission| (admission.clone(), finding(admission)))
            .collect()
    }

    /// Which line needed which strategy, and what came of it, by `standard`.
    fn standard_text(
        &self,
        expected: &[u8],
        actual: &[u8],
    ) -> (Vec<(Strategy, usize)>, Comparison) {
        if exact::same(expected, actual) {
            return (Vec::new(), Comparison::Accepted(Strategy::Exact));
        }
        let (mut progress, mismatch) = text::walk(expected, actual, &self.rules);
        let Some(mismatch) = mismatch else {
            return (progress.steps, Comparison::Accepted(progress.needed));
        };
        progress
            .steps
            .extend(mismatch.line().map(|line| (Strategy::Multiset, line)));
        let accepted = if let Some(level) = typed::same(expected, actual, &self.rules) {
            Comparison::Accepted(level)
        } else if self.rules.order != Order::Kept
            && unordered::same_text(expected, actual, &self.rules)
        {
            Comparison::Accepted(Strategy::Multiset)
        } else {
            Comparison::Rejected(mismatch.describe(actual))
        };
        (progress.steps, accepted)
    }

    fn ask_text(&self, strategy: Strategy, expected: &[u8], actual: &[u8]) -> Finding {
        match self.profile {
            Profile::Paper => paper::text(strategy, expected, actual),
            Profile::Lcb => Finding::from(lcb::same_text(expected, actual)),
            Profile::Exact | Profile::Standard => Finding::from(exact::same(expected, actual)),
        }
    }

    fn ask_value(&self, strategy: Strategy, expected: &Value, actual: &Value) -> Finding {
        match self.profile {
            Profile::Paper => paper::value(strategy, expected, actual),
            Profile::Lcb => Finding::from(lcb::same_value(expected, actual)),
            Profile::Exact | Profile::Standard => {
                Finding::from(value::same_exactly(expected, actual))
            }
        }
    }

    fn ask_in_turn(
        &self,
        ask: impl Fn(Strategy) -> Finding,
        difference: impl Fn() -> Difference,
    ) -> Comparison {
        let mut admitted = self
            .admissions
            .iter()
            .filter(|admission| admission.admitted);
        match admitted.find(|admission| ask(admission.strategy) == Finding::Same) {
            Some(admission) => Comparison::Accepted(admission.strategy),
            None => Comparison::Rejected(difference()),
        }
    }

    fn explain_in_turn(&self, ask: impl Fn(Strategy) -> Finding) -> Vec<(Admission, Finding)> {
        let mut accepted = false;
        let mut explain = |admission: &Admission| {
            let finding = if accepted {
                Finding::NotAsked
            } else {
                ask(admission.strategy)
            };
            accepted |= finding == Finding::Same;
            (admission.clone(), finding)
        };
        self.admissions.iter().map(&mut explain).collect()
    }
}

/// The first difference that is more than space, or else the first byte.
fn first_difference(expected: &[u8], actual: &[u8], rules: &Rules) -> Difference {
    match text::walk(expected, actual, rules).1 {
        Some(mismatch) => mismatch.describe(actual),
        None => difference::of_bytes(expected, actual),
    }
}
