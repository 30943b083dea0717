//! What decides about outputs in place of the comparator: a checker that the problem names, which is decided here without
//! running a program, or a program of its own.
//!
//! The named ones are testlib's standard checkers, each of which accepts, rejects and says exactly what testlib's does,
//! oddities of its reading included; the default validator of Kattis packages; and DMOJ's. What a candidate writes can
//! make an answer wrong and nothing else; only a malformed expected output makes a checker fail. All take linear time,
//! but for those that sort.
//!
//! ```
//! use evaluator::checker::StandardChecker;
//!
//! let checker = StandardChecker::named("rcmp6").unwrap();
//! assert_eq!(checker.check(&[], b"0.5\n", b"5e-1"), Ok(None));
//! let rejection = checker.check(&[], b"0.5\n", b"0.6").unwrap_err();
//! assert_eq!(rejection.words(), "wrong answer 1st numbers differ - expected: '0.5000000', found: '0.6000000', error = '0.1000000'");
//! ```

mod case_lists;
mod dmoj;
mod integers;
mod kattis;
mod own;
mod reals;
mod rejection;
mod stream;
mod words;
mod yes_no;

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use own::{CheckerStyle, OwnChecker, ScoreRule};
pub use rejection::{Points, Rejection};

use rejection::Checked;

use stream::Stream;

/// What decides in place of the comparator.
#[derive(Debug, Clone, PartialEq)]
pub enum Checker {
    /// One that is decided here, with these flags.
    Standard(StandardChecker, Vec<String>),
    /// The problem's own program.
    Own(Arc<OwnChecker>),
}

/// A checker that is known by name.
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
pub enum StandardChecker {
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
    /// The distance of two reals, as points.
    Pointscmp,
    /// The default validator of Kattis packages; its flags are those of the package format.
    Kattis,
    /// DMOJ's `standard`: the same tokens on the same lines.
    Standard,
    /// DMOJ's `floats`, with the flags `precision=6` and `error_mode=default`, `absolute` or `relative`.
    Floats,
    /// DMOJ's `sorted`: lines in any order; with the flag `split_on=whitespace`, tokens.
    Sorted,
    /// DMOJ's `linecount`: points for every right line.
    Linecount,
}

impl StandardChecker {
    /// All of them.
    pub const ALL: &[StandardChecker] = <StandardChecker as strum::VariantArray>::VARIANTS;

    /// The one of this name.
    pub fn named(name: &str) -> Option<StandardChecker> {
        let mut all = StandardChecker::ALL.iter().copied();
        all.find(|checker| checker.name() == name)
    }

    /// Its name in a problem and in a verdict line.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Why it cannot be given these flags, if it cannot.
    pub fn fault(self, flags: &[String]) -> Option<String> {
        match self {
            StandardChecker::Kattis => kattis::fault(flags),
            checker => dmoj::fault(checker.name(), flags),
        }
    }

    /// Hold the actual output against the expected one. An accepted output may have earned points.
    ///
    /// # Errors
    /// Why it is not accepted. Flags that it does not have, too: [`Rejection::Undecided`].
    pub fn check(
        self,
        flags: &[String],
        expected: &[u8],
        actual: &[u8],
    ) -> Result<Option<Points>, Rejection> {
        if let Some(why) = self.fault(flags) {
            return Err(Rejection::Undecided(why));
        }
        match self {
            StandardChecker::Kattis => kattis::compare(flags, expected, actual)?,
            StandardChecker::Standard => dmoj::standard(expected, actual)?,
            StandardChecker::Floats => {
                let floats = dmoj::Floats::of(flags).map_err(Rejection::Undecided)?;
                floats.compare(expected, actual)?;
            }
            StandardChecker::Sorted => dmoj::sorted(flags, expected, actual)?,
            StandardChecker::Linecount => dmoj::line_count(expected, actual)?,
            StandardChecker::Pointscmp => return points(expected, actual).map(Some),
            _ => self.testlib(expected, actual)?,
        }
        Ok(None)
    }

    fn testlib(self, expected: &[u8], actual: &[u8]) -> Checked {
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
            StandardChecker::Wcmp => words::tokens(expected, actual),
            StandardChecker::Lcmp => words::lines(expected, actual, words::same_tokens),
            StandardChecker::Fcmp => words::lines(expected, actual, |a, b| a == b),
            StandardChecker::Icmp => integers::one(expected, actual),
            StandardChecker::Hcmp => integers::huge(expected, actual),
            StandardChecker::Ncmp => integers::ordered(expected, actual),
            StandardChecker::Uncmp => integers::unordered(expected, actual),
            StandardChecker::Acmp | StandardChecker::Rcmp => {
                reals::one(expected, actual, &reals::ABSOLUTE_6)
            }
            StandardChecker::Dcmp => reals::one(expected, actual, &reals::EITHER_6),
            StandardChecker::Rncmp => reals::sequence(expected, actual, &reals::ABSOLUTE_5),
            StandardChecker::Rcmp4 => reals::sequence(expected, actual, &reals::EITHER_4),
            StandardChecker::Rcmp6 => reals::sequence(expected, actual, &reals::EITHER_6),
            StandardChecker::Rcmp9 => reals::sequence(expected, actual, &reals::EITHER_9),
            StandardChecker::Yesno => yes_no::one(expected, actual),
            StandardChecker::Nyesno => yes_no::sequence(expected, actual),
            StandardChecker::Casewcmp => case_lists::tokens(expected, actual),
            StandardChecker::Casencmp => case_lists::integers(expected, actual),
            StandardChecker::Caseicmp => case_lists::one_integer_each(expected, actual),
            StandardChecker::Pointscmp
            | StandardChecker::Kattis
            | StandardChecker::Standard
            | StandardChecker::Floats
            | StandardChecker::Sorted
            | StandardChecker::Linecount => unreachable!("it does not read as testlib does"),
        }
    }
}

/// The most points that testlib lets a checker give.
const MOST_POINTS: f64 = 1e6;

/// How far the two reals are apart: more is worse, as the checker is but an example of points.
fn points(expected: &[u8], actual: &[u8]) -> Result<Points, Rejection> {
    let (mut actual, mut expected) = (Stream::actual(actual)?, Stream::expected(expected)?);
    let (ours, theirs) = (expected.real()?, actual.real()?);
    let points = (ours - theirs).abs();
    // Testlib fails here. A candidate must not be able to choose that nothing is decided of it.
    if points.is_nan() || points > MOST_POINTS {
        return Err(Rejection::Wrong(format!("{points} cannot be points")));
    }
    if !actual.at_end() {
        return Err(actual.refuse("Extra information in the output file"));
    }
    let shown = format!("ja={ours:.4} pa={theirs:.4}");
    Ok(Points::of_testlib(points, &shown))
}
