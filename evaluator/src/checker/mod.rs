//! Checkers that a problem asks for by name: testlib's standard ones, decided here without running a program.
//!
//! Each accepts, rejects and says exactly what testlib's checker of that name does, oddities of its reading included.
//! What a candidate writes can make an answer wrong and nothing else; only a malformed expected output makes a checker
//! fail. All take linear time and memory, but for the sort of `uncmp`.
//!
//! ```
//! use evaluator::Checker;
//!
//! let checker = Checker::named("rcmp6").unwrap();
//! assert_eq!(checker.check(b"0.5\n", b"5e-1"), Ok(()));
//! let rejection = checker.check(b"0.5\n", b"0.6").unwrap_err();
//! assert_eq!(rejection.words(), "wrong answer 1st numbers differ - expected: '0.5000000', found: '0.6000000', error = '0.1000000'");
//! ```

mod case_lists;
mod integers;
mod reals;
mod rejection;
mod stream;
mod words;
mod yes_no;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use rejection::{Checked, Rejection};

use stream::Stream;

/// A checker, under testlib's name for it.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    Hash,
    PartialOrd,
    Ord,
    Serialize,
    Deserialize,
    JsonSchema,
    strum::IntoStaticStr,
    strum::VariantArray,
)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Checker {
    /// The same tokens.
    Wcmp,
    /// The same signed 64-bit integers, in order.
    Ncmp,
    /// The same tokens in every line.
    Lcmp,
    /// The same lines.
    Fcmp,
    /// The same integer of any size.
    Hcmp,
    /// The same signed 32-bit integer.
    Icmp,
    /// One real, absolute or relative error 1e-6.
    Dcmp,
    /// One real, absolute error 1.5e-6.
    Acmp,
    /// One real, absolute error 1.5e-6.
    Rcmp,
    /// Reals, absolute or relative error 1e-4.
    Rcmp4,
    /// Reals, absolute or relative error 1e-6.
    Rcmp6,
    /// Reals, absolute or relative error 1e-9.
    Rcmp9,
    /// Reals, absolute error 1.5e-5.
    Rncmp,
    /// The same signed 64-bit integers, in any order.
    Uncmp,
    /// The same sequence of yes and no, in any letter case.
    Nyesno,
    /// The same yes or no, in any letter case.
    Yesno,
    /// The same tokens in every `Case n:`.
    Casewcmp,
    /// The same signed 64-bit integers in every `Case n:`.
    Casencmp,
    /// The same signed 64-bit integer in every `Case n:`.
    Caseicmp,
}

impl Checker {
    /// All of them.
    pub const ALL: &[Checker] = <Checker as strum::VariantArray>::VARIANTS;

    /// The one of this name.
    pub fn named(name: &str) -> Option<Checker> {
        let mut all = Checker::ALL.iter().copied();
        all.find(|checker| checker.name() == name)
    }

    /// Its name in a problem and in a verdict line.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Hold the actual output against the expected one.
    pub fn check(self, expected: &[u8], actual: &[u8]) -> Checked {
        let mut actual = Stream::actual(actual)?;
        let mut expected = Stream::expected(expected)?;
        self.compare(&mut expected, &mut actual)?;
        match actual.at_end() {
            true => Ok(()),
            false => Err(actual.refuse("Extra information in the output file")),
        }
    }

    fn compare<'a>(self, expected: &mut Stream<'a>, actual: &mut Stream<'a>) -> Checked {
        match self {
            Checker::Wcmp => words::tokens(expected, actual),
            Checker::Lcmp => words::lines(expected, actual, words::same_tokens),
            Checker::Fcmp => words::lines(expected, actual, |a, b| a == b),
            Checker::Icmp => integers::one(expected, actual),
            Checker::Hcmp => integers::huge(expected, actual),
            Checker::Ncmp => integers::ordered(expected, actual),
            Checker::Uncmp => integers::unordered(expected, actual),
            Checker::Acmp | Checker::Rcmp => reals::one(expected, actual, &reals::ABSOLUTE_6),
            Checker::Dcmp => reals::one(expected, actual, &reals::EITHER_6),
            Checker::Rncmp => reals::sequence(expected, actual, &reals::ABSOLUTE_5),
            Checker::Rcmp4 => reals::sequence(expected, actual, &reals::EITHER_4),
            Checker::Rcmp6 => reals::sequence(expected, actual, &reals::EITHER_6),
            Checker::Rcmp9 => reals::sequence(expected, actual, &reals::EITHER_9),
            Checker::Yesno => yes_no::one(expected, actual),
            Checker::Nyesno => yes_no::sequence(expected, actual),
            Checker::Casewcmp => case_lists::tokens(expected, actual),
            Checker::Casencmp => case_lists::integers(expected, actual),
            Checker::Caseicmp => case_lists::one_integer_each(expected, actual),
        }
    }
}
