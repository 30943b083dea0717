//! Compares an expected output with an actual one.
//!
//! A [`Comparator`] is one of four engines. `Standard` is ours: it admits strategies on evidence, walks both outputs once and names
//! the strictest strategy that accepts every line. `Lcb` and `Exact` are a rule each. `Paper` asks a chain of strategies in turn,
//! all of them always on. What this is not: a checker. Where several answers are right and they are not one answer in
//! another order, the problem needs a program of its own to tell; [`several_answers`] finds such problems.
//!
//! What is compared comes from an untrusted program. The actual output is never held in another form before it is known
//! to be about as large as the expected one, and no step takes more than linear time, but for a sort of what is left over.
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
mod comparison;
mod decimal;
mod difference;
mod effort;
mod evidence;
mod exact;
mod hash;
mod head;
mod lcb;
mod number;
mod numeric;
mod order;
mod paper;
mod places;
mod real;
mod rounding;
mod rows;
mod rules;
mod spacing;
mod standard;
mod strategy;
mod text;
mod token_match;
mod tokenize;
mod typed;
mod unordered;
mod value;
mod whitespace;
mod word_case;

use crate::Value;
use crate::value::literal::LiteralError;
use crate::value::{DataBudget, Exceeded, literal};
use rules::Rules;

pub use admission::Admission;
pub use comparison::{Comparison, Finding};
pub use difference::Difference;
pub use evidence::{Evidence, several_answers};
pub use standard::Standard;
pub use strategy::{CHAIN, Profile, Strategy};

/// Compares outputs by the rules of one profile for one problem.
#[derive(Debug, Clone)]
pub enum Comparator {
    /// Loose strategies on evidence alone.
    Standard(Standard),
    /// LiveCodeBench's rule.
    Lcb,
    /// Byte for byte, value for value.
    Exact,
    /// The paper's chain.
    Paper,
}

impl Comparator {
    /// The engine of `profile`; only `standard` looks at the evidence.
    pub fn new(profile: Profile, evidence: Evidence<'_>) -> Comparator {
        match profile {
            Profile::Standard => Comparator::Standard(Standard::new(evidence)),
            Profile::Lcb => Comparator::Lcb,
            Profile::Exact => Comparator::Exact,
            Profile::Paper => Comparator::Paper,
        }
    }

    /// Which strategies are admitted, strictest first, and why.
    pub fn admissions(&self) -> Vec<Admission> {
        match self {
            Comparator::Standard(standard) => standard.admissions().to_vec(),
            Comparator::Lcb => admission::always(&[Strategy::Lcb], Profile::Lcb),
            Comparator::Exact => admission::always(&[Strategy::Exact], Profile::Exact),
            Comparator::Paper => admission::always(&CHAIN, Profile::Paper),
        }
    }

    /// Do now what comparing answers that are not the same takes once: read the statement.
    pub(crate) fn prepare(&self) {
        if let Comparator::Standard(standard) = self {
            standard.admitted();
        }
    }

    /// Compare two texts, as a `stdin` problem's outputs.
    pub fn compare_text(&self, expected: &[u8], actual: &[u8]) -> Comparison {
        if let Comparator::Standard(standard) = self {
            return standard.compare_text(expected, actual);
        }
        let accepted = self.first_to_accept(|strategy| self.ask_text(strategy, expected, actual));
        accepted.map_or_else(
            || Comparison::Rejected(text::difference(expected, actual)),
            Comparison::Accepted,
        )
    }

    /// Compare two values, as a `call` problem's results.
    pub fn compare_value(&self, expected: &Value, actual: &Value) -> Comparison {
        if let Comparator::Standard(standard) = self {
            return standard.compare_value(expected, actual);
        }
        let accepted = self.first_to_accept(|strategy| self.ask_value(strategy, expected, actual));
        accepted.map_or_else(
            || Comparison::Rejected(value::difference(expected, actual)),
            Comparison::Accepted,
        )
    }

    /// Compare two texts that write values, as results of calls. Of a text that writes more than a list that may be put in any order
    /// can hold, no values are made: then the other has to be the same literal.
    ///
    /// # Errors
    /// The expected text is no literal.
    pub fn compare_written(
        &self,
        expected: &str,
        actual: &str,
    ) -> Result<Comparison, LiteralError> {
        let budget = DataBudget::of_conversion();
        let wanted = match literal::parse_within(expected, &budget) {
            Ok(wanted) => wanted,
            Err(_) if matches!(budget.exceeded(), Some(Exceeded::Items(_))) => {
                return Ok(self.compare_literals(expected.as_bytes(), actual.as_bytes()));
            }
            Err(error) => return Err(error),
        };
        // What was printed for a value and is none equals none.
        let found = literal::parse_within(actual, &DataBudget::of_written(&wanted));
        Ok(match found {
            Ok(found) => self.compare_value(&wanted, &found),
            Err(_) => {
                Comparison::Rejected(text::difference(expected.as_bytes(), actual.as_bytes()))
            }
        })
    }

    fn compare_literals(&self, expected: &[u8], actual: &[u8]) -> Comparison {
        let (wanted, found) = (expected.trim_ascii(), actual.trim_ascii());
        let same = match self {
            Comparator::Lcb => (wanted == found).then_some(Strategy::Lcb),
            _ if wanted == found => Some(Strategy::Exact),
            Comparator::Standard(_) => typed::same(wanted, found, &Rules::STRICT),
            _ => None,
        };
        same.map_or_else(
            || Comparison::Rejected(text::difference(expected, actual)),
            Comparison::Accepted,
        )
    }

    /// What each strategy of the chain says of two texts.
    pub fn explain_text(&self, expected: &[u8], actual: &[u8]) -> Vec<(Admission, Finding)> {
        if let Comparator::Standard(standard) = self {
            return standard.explain_text(expected, actual);
        }
        let mut accepted = false;
        let explain = |admission: Admission| {
            let finding = if accepted {
                Finding::NotAsked
            } else {
                self.ask_text(admission.strategy, expected, actual)
            };
            accepted |= finding == Finding::Same;
            (admission, finding)
        };
        self.admissions().into_iter().map(explain).collect()
    }

    fn ask_text(&self, strategy: Strategy, expected: &[u8], actual: &[u8]) -> Finding {
        match self {
            Comparator::Paper => paper::text(strategy, expected, actual),
            Comparator::Lcb => Finding::from(lcb::same_text(expected, actual)),
            Comparator::Exact | Comparator::Standard(_) => {
                Finding::from(exact::same(expected, actual))
            }
        }
    }

    fn ask_value(&self, strategy: Strategy, expected: &Value, actual: &Value) -> Finding {
        match self {
            Comparator::Paper => paper::value(strategy, expected, actual),
            Comparator::Lcb => Finding::from(lcb::same_value(expected, actual)),
            Comparator::Exact | Comparator::Standard(_) => {
                Finding::from(value::same_exactly(expected, actual))
            }
        }
    }

    fn first_to_accept(&self, ask: impl Fn(Strategy) -> Finding) -> Option<Strategy> {
        let mut strategies = self.admissions().into_iter();
        let accepting = strategies.find(|admission| ask(admission.strategy) == Finding::Same);
        accepting.map(|admission| admission.strategy)
    }
}
