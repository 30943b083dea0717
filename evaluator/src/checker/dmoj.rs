//! The standard checkers of the DMOJ judge: <https://docs.dmoj.ca/#/problem_format/checkers>.

use super::rejection::{Checked, Rejection, excerpt, wrong};

/// The value of the flag `name=value`, if it is given.
fn option<'a>(flags: &'a [String], name: &str) -> Option<&'a str> {
    let values = flags.iter().filter_map(|flag| flag.split_once('='));
    let mut values = values.filter(|(key, _)| *key == name);
    values.next_back().map(|(_, value)| value)
}

/// Why these are no flags of a checker that knows `names`, if they are not.
fn stranger(flags: &[String], names: &[&str]) -> Option<String> {
    let is_known = |flag: &&String| {
        flag.split_once('=')
            .is_some_and(|(key, _)| names.contains(&key))
    };
    let flag = flags.iter().find(|flag| !is_known(flag))?;
    Some(format!("\"{flag}\" is not a flag of this checker"))
}

/// The same tokens, and a line's end between two of them in both outputs or in neither.
pub(super) fn standard(expected: &[u8], actual: &[u8]) -> Checked {
    let (mut ours, mut theirs) = (trim_start(expected), trim_start(actual));
    for place in 1.. {
        let (gap, rest) = gap_of(ours);
        ours = rest;
        let (other_gap, rest) = gap_of(theirs);
        theirs = rest;
        match (ours.is_empty(), theirs.is_empty()) {
            (true, true) => return Ok(()),
            (true, false) => return Err(wrong("more output than expected")),
            (false, true) => return Err(wrong("less output than expected")),
            (false, false) => {}
        }
        if gap != other_gap {
            return Err(wrong(format!("line ends differ before token {place}")));
        }
        let token = &ours[..ours
            .iter()
            .position(|byte| is_space(*byte))
            .unwrap_or(ours.len())];
        // What follows in the actual output is the gap's affair.
        let Some(rest) = theirs.strip_prefix(token) else {
            return Err(wrong(format!(
                "token {place} is not \"{}\"",
                excerpt(token)
            )));
        };
        (ours, theirs) = (&ours[token.len()..], rest);
    }
    Ok(())
}

fn trim_start(text: &[u8]) -> &[u8] {
    &text[text.iter().take_while(|byte| is_space(**byte)).count()..]
}

/// What separates: nothing, space, or an end of line.
#[derive(PartialEq)]
enum Gap {
    None,
    Space,
    Line,
}

fn gap_of(text: &[u8]) -> (Gap, &[u8]) {
    let rest = trim_start(text);
    let space = &text[..text.len() - rest.len()];
    let gap = match space {
        [] => Gap::None,
        space if space.iter().any(|byte| is_line_end(*byte)) => Gap::Line,
        _ => Gap::Space,
    };
    (gap, rest)
}

/// How far a real may be off, from the flags `precision` and `error_mode`.
pub(super) struct Floats<'a> {
    epsilon: f64,
    mode: &'a str,
}

impl<'a> Floats<'a> {
    pub fn of(flags: &'a [String]) -> Result<Floats<'a>, String> {
        if let Some(why) = stranger(flags, &["precision", "error_mode"]) {
            return Err(why);
        }
        let mode = option(flags, "error_mode").unwrap_or("default");
        if !["default", "absolute", "relative"].contains(&mode) {
            return Err(format!(
                "error_mode is \"{mode}\", but must be default, absolute or relative"
            ));
        }
        let precision = option(flags, "precision").unwrap_or("6");
        let digits: i32 = precision
            .parse()
            .map_err(|_| format!("precision is \"{precision}\", but must be an integer"))?;
        // As Python's `10 ** -digits`, which is not always the nearest real to that power.
        Ok(Floats {
            epsilon: 10f64.powf(-f64::from(digits)),
            mode,
        })
    }

    fn admits(&self, expected: f64, actual: f64) -> bool {
        let absolute = (actual - expected).abs() <= self.epsilon;
        match self.mode {
            "absolute" => absolute,
            "relative" => {
                let bounds = [
                    expected * (1.0 - self.epsilon),
                    expected * (1.0 + self.epsilon),
                ];
                bounds[0].min(bounds[1]) <= actual && actual <= bounds[0].max(bounds[1])
            }
            _ => {
                absolute
                    || expected.abs() >= self.epsilon
                        && (1.0 - actual / expected).abs() <= self.epsilon
            }
        }
    }

    /// Line by line and token by token: reals within the margin, all else the same.
    pub fn compare(&self, expected: &[u8], actual: &[u8]) -> Checked {
        let (ours, theirs) = (lines(expected), lines(actual));
        let (wanted, found) = (ours.clone().count(), theirs.clone().count());
        if wanted != found {
            return Err(wrong(format!("{found} lines, expected {wanted}")));
        }
        for (place, (ours, theirs)) in ours.zip(theirs).enumerate() {
            let (ours, theirs) = (words(ours), words(theirs));
            let same = ours.clone().count() == theirs.clone().count()
                && ours.zip(theirs).all(|(a, b)| self.same(a, b));
            if !same {
                return Err(wrong(format!("line {} differs", place + 1)));
            }
        }
        Ok(())
    }

    fn same(&self, expected: &[u8], actual: &[u8]) -> bool {
        match python_float(expected) {
            None => expected == actual,
            Some(number) => python_float(actual).is_some_and(|theirs| self.admits(number, theirs)),
        }
    }
}

/// The same lines as lists of tokens, in any order; with `split_on=whitespace` the same tokens in any order.
pub(super) fn sorted(flags: &[String], expected: &[u8], actual: &[u8]) -> Checked {
    let by_line = splits_on_lines(flags).map_err(Rejection::Undecided)?;
    // What an actual output has beyond the expected one is counted, not held.
    let sizes = |text| (words(text).count(), lines(text).filter(|_| by_line).count());
    let same = sizes(expected) == sizes(actual)
        && match by_line {
            true => in_order(lines(expected).map(tokens)) == in_order(lines(actual).map(tokens)),
            false => in_order(words(expected)) == in_order(words(actual)),
        };
    match same {
        true => Ok(()),
        false => Err(wrong("the two differ, in whatever order")),
    }
}

fn in_order<T: Ord>(items: impl Iterator<Item = T>) -> Vec<T> {
    let mut items: Vec<T> = items.collect();
    items.sort_unstable();
    items
}

fn tokens(line: &[u8]) -> Vec<&[u8]> {
    words(line).collect()
}

fn splits_on_lines(flags: &[String]) -> Result<bool, String> {
    if let Some(why) = stranger(flags, &["split_on"]) {
        return Err(why);
    }
    match option(flags, "split_on") {
        None | Some("lines") => Ok(true),
        Some("whitespace") => Ok(false),
        Some(other) => Err(format!(
            "split_on is \"{other}\", but must be lines or whitespace"
        )),
    }
}

/// Points for every line that is right, of as many as are expected; too many lines are wrong.
pub(super) fn line_count(expected: &[u8], actual: &[u8]) -> Checked {
    let (ours, theirs) = (lines(expected), lines(actual));
    let (wanted, found) = (ours.clone().count(), theirs.clone().count());
    if found > wanted {
        return Err(wrong(format!("{found} lines, expected {wanted}")));
    }
    let pairs = ours.zip(theirs);
    let right = pairs
        .filter(|(ours, theirs)| trim(ours) == trim(theirs))
        .count();
    match right == wanted {
        true => Ok(()),
        false => Err(Rejection::Partial(
            right as f64 / wanted as f64,
            format!("{right} of {wanted} lines are right"),
        )),
    }
}

/// Why these are no flags of `floats`, `sorted` or a checker without any, if they are not.
pub(super) fn fault(name: &str, flags: &[String]) -> Option<String> {
    match name {
        "floats" => Floats::of(flags).err(),
        "sorted" => splits_on_lines(flags).err(),
        _ => stranger(flags, &[]),
    }
}

/// The lines that are not empty.
fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> + Clone {
    text.split(|byte| is_line_end(*byte))
        .filter(|line| !line.is_empty())
}

fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> + Clone {
    line.split(|byte| is_space(*byte))
        .filter(|word| !word.is_empty())
}

fn trim(line: &[u8]) -> &[u8] {
    let line = trim_start(line);
    &line[..line
        .iter()
        .rposition(|byte| !is_space(*byte))
        .map_or(0, |last| last + 1)]
}

fn is_line_end(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t'..=b'\r' | b' ')
}

/// A real as Python's `float` reads it from bytes: underscores between digits, `inf` and `nan` too.
fn python_float(token: &[u8]) -> Option<f64> {
    let text = str::from_utf8(token).ok()?;
    let bytes = text.as_bytes();
    for (place, _) in text.match_indices('_') {
        let is_digit = |at: Option<usize>| {
            at.and_then(|at| bytes.get(at))
                .is_some_and(u8::is_ascii_digit)
        };
        if !is_digit(place.checked_sub(1)) || !is_digit(Some(place + 1)) {
            return None;
        }
    }
    text.replace('_', "").parse().ok()
}
