//! The default output validator of the Kattis problem package format.
//!
//! Tokens are compared, by default without regard to the case of ASCII's letters and to the layout; reals within a
//! tolerance only where flags ask for that. Format: <https://www.kattis.com/problem-package-format/spec/legacy.html>,
//! "Default validator". Where it leaves room, the reference implementation in C++ decides: a number is what `scanf` reads
//! with `%lf`, and a token ends at its first zero byte.

use super::rejection::{Checked, Rejection, excerpt, wrong};

/// What the flags ask for.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct KattisRules {
    case_sensitive: bool,
    space_change_sensitive: bool,
    /// Unset where not admitted; also where a flag gives a negative one.
    absolute: Option<f64>,
    relative: Option<f64>,
}

impl KattisRules {
    fn of(flags: &[String]) -> Result<KattisRules, String> {
        let mut rules = KattisRules::default();
        let mut flags = flags.iter();
        while let Some(flag) = flags.next() {
            let mut tolerance = || {
                let text = flags.next().ok_or(format!("{flag} needs a number"))?;
                let number =
                    real(text.as_bytes()).ok_or(format!("{flag} needs a number, not {text}"))?;
                Ok::<_, String>((number >= 0.0).then_some(number))
            };
            match flag.as_str() {
                "case_sensitive" => rules.case_sensitive = true,
                "space_change_sensitive" => rules.space_change_sensitive = true,
                "float_absolute_tolerance" => rules.absolute = tolerance()?,
                "float_relative_tolerance" => rules.relative = tolerance()?,
                "float_tolerance" => {
                    rules.absolute = tolerance()?;
                    rules.relative = rules.absolute;
                }
                other => {
                    return Err(format!(
                        "\"{other}\" is not a flag of the default validator"
                    ));
                }
            }
        }
        Ok(rules)
    }

    fn admits(&self, expected: f64, actual: f64) -> bool {
        let error = (expected - actual).abs();
        self.absolute.is_some_and(|most| error <= most)
            || self
                .relative
                .is_some_and(|most| error <= most * expected.abs())
    }
}

/// Why these are no flags of the validator, if they are not.
pub(super) fn fault(flags: &[String]) -> Option<String> {
    KattisRules::of(flags).err()
}

/// Compare under these flags.
pub(super) fn compare(flags: &[String], expected: &[u8], actual: &[u8]) -> Checked {
    let rules = KattisRules::of(flags).map_err(Rejection::Undecided)?;
    let mut ours = TokenReader::new(expected);
    let mut theirs = TokenReader::new(actual);
    loop {
        spaces(&rules, &mut ours, &mut theirs)?;
        let Some(expected) = ours.token() else {
            return match theirs.token() {
                None => Ok(()),
                Some(token) => Err(theirs.complaint(format!("unexpected \"{}\"", excerpt(token)))),
            };
        };
        let place = theirs.clone();
        let Some(actual) = theirs.token() else {
            return Err(place.complaint(format!("ends before \"{}\"", excerpt(expected))));
        };
        token(&rules, expected, actual).map_err(|why| place.complaint(why))?;
    }
}

/// Pass over the space before a token, which must be the same where layout matters.
fn spaces(
    rules: &KattisRules,
    ours: &mut TokenReader<'_>,
    theirs: &mut TokenReader<'_>,
) -> Checked {
    let (expected, place) = (ours.space(), theirs.clone());
    let actual = theirs.space();
    match rules.space_change_sensitive && expected != actual {
        true => Err(place.complaint("white space differs".to_owned())),
        false => Ok(()),
    }
}

fn token(rules: &KattisRules, expected: &[u8], actual: &[u8]) -> Result<(), String> {
    let differ = || {
        format!(
            "expected \"{}\", got \"{}\"",
            excerpt(expected),
            excerpt(actual)
        )
    };
    if rules.absolute.or(rules.relative).is_some()
        && let Some(number) = real(expected)
    {
        let theirs = real(actual)
            .ok_or_else(|| format!("expected a number, got \"{}\"", excerpt(actual)))?;
        return match rules.admits(number, theirs) {
            true => Ok(()),
            false => Err(differ()),
        };
    }
    let (ours, theirs) = (as_c_string(expected), as_c_string(actual));
    let same = match rules.case_sensitive {
        true => ours == theirs,
        false => ours.eq_ignore_ascii_case(theirs),
    };
    same.then_some(()).ok_or_else(differ)
}

/// A text from the place on that is read next.
#[derive(Clone)]
struct TokenReader<'a> {
    rest: &'a [u8],
    line: usize,
}

impl<'a> TokenReader<'a> {
    fn new(text: &'a [u8]) -> TokenReader<'a> {
        TokenReader {
            rest: text,
            line: 1,
        }
    }

    fn space(&mut self) -> &'a [u8] {
        let end = self.rest.iter().position(|byte| !is_space(*byte));
        let (space, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.line += memchr::memchr_iter(b'\n', space).count();
        self.rest = rest;
        space
    }

    fn token(&mut self) -> Option<&'a [u8]> {
        let end = self.rest.iter().position(|byte| is_space(*byte));
        let (token, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest;
        (!token.is_empty()).then_some(token)
    }

    fn complaint(&self, why: String) -> Rejection {
        wrong(format!("line {}: {why}", self.line))
    }
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t'..=b'\r' | b' ')
}

fn as_c_string(token: &[u8]) -> &[u8] {
    token.split(|byte| *byte == 0).next().unwrap_or_default()
}

/// The finite number that `scanf` reads with `%lf`, if nothing follows it.
fn real(token: &[u8]) -> Option<f64> {
    let token = as_c_string(token);
    let digits = token
        .strip_prefix(b"-")
        .or(token.strip_prefix(b"+"))
        .unwrap_or(token);
    let number = match digits.get(..2) {
        Some(b"0x" | b"0X") => hexadecimal(&digits[2..])?,
        _ if digits
            .first()
            .is_some_and(|byte| byte.is_ascii_digit() || *byte == b'.') =>
        {
            str::from_utf8(without_bare_exponent(digits, b'e'))
                .ok()?
                .parse()
                .ok()?
        }
        _ => return None,
    };
    let signed: f64 = if token.starts_with(b"-") {
        -number
    } else {
        number
    };
    signed.is_finite().then_some(signed)
}

/// Without an exponent that has no digits, which the C library passes over.
fn without_bare_exponent(digits: &[u8], mark: u8) -> &[u8] {
    let unsigned = digits
        .strip_suffix(b"+")
        .or(digits.strip_suffix(b"-"))
        .unwrap_or(digits);
    match unsigned.split_last() {
        Some((last, before)) if last.eq_ignore_ascii_case(&mark) => before,
        _ => digits,
    }
}

/// The digits of a C hexadecimal real behind its `0x`: `1.8p-3`.
fn hexadecimal(digits: &[u8]) -> Option<f64> {
    let text = str::from_utf8(without_bare_exponent(digits, b'p'))
        .ok()?
        .to_ascii_lowercase();
    let (mantissa, exponent) = text.split_once('p').unwrap_or((&text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let exponent: i32 = exponent.parse().ok()?;
    let mut value = 0.0;
    for digit in whole.chars().chain(fraction.chars()) {
        value = value * 16.0 + f64::from(digit.to_digit(16)?);
    }
    let scale = exponent.checked_sub(4 * i32::try_from(fraction.len()).ok()?)?;
    Some(value * 2f64.powi(scale))
}
