//! Pairs of outputs. Two independent strings are hardly ever equal under any strategy, so the second is made from the
//! first by a few small edits, of the kind that programs make.

use arbitrary::{Arbitrary, Result, Unstructured};

/// An expected output, and another made from it.
#[derive(Debug)]
pub struct Pair {
    /// What is expected.
    pub expected: Vec<u8>,
    /// What a program printed.
    pub actual: Vec<u8>,
}

/// Tokens that the strategies treat in some way of their own.
const WORDS: [&str; 26] = [
    "0",
    "-0",
    "1",
    "12",
    "007",
    "1e9",
    "3.0",
    "0.1",
    "0.1000000001",
    "3.14159",
    "3.1415926",
    "-1.5",
    "nan",
    "inf",
    "true",
    "True",
    "None",
    "null",
    "yes",
    "NO",
    "'a'",
    "\"a\"",
    "[1, 2]",
    "(1,2)",
    "{1: 'b'}",
    "99999999999999999999",
];
const GAPS: [&str; 6] = [" ", "  ", "\n", "\n\n", "\t", "\r\n"];

impl<'a> Arbitrary<'a> for Pair {
    fn arbitrary(input: &mut Unstructured<'a>) -> Result<Pair> {
        let expected = text(input)?;
        let mut actual = expected.clone();
        for _ in 0..input.int_in_range(0..=4)? {
            edit(&mut actual, input)?;
        }
        Ok(Pair { expected, actual })
    }
}

fn text(input: &mut Unstructured<'_>) -> Result<Vec<u8>> {
    let mut text = Vec::new();
    for _ in 0..input.int_in_range(0..=12)? {
        text.extend(piece(input)?);
    }
    Ok(text)
}

fn piece(input: &mut Unstructured<'_>) -> Result<Vec<u8>> {
    Ok(match input.int_in_range(0..=3)? {
        0 => input.choose(&WORDS)?.as_bytes().to_vec(),
        1 | 2 => input.choose(&GAPS)?.as_bytes().to_vec(),
        _ => vec![input.int_in_range(b' '..=b'~')?],
    })
}

/// Insert, remove or replace a piece at some place.
fn edit(text: &mut Vec<u8>, input: &mut Unstructured<'_>) -> Result<()> {
    let start = input.int_in_range(0..=text.len())?;
    let end = (start + input.int_in_range(0..=3)?).min(text.len());
    let new = if input.arbitrary()? {
        piece(input)?
    } else {
        Vec::new()
    };
    text.splice(start..end, new);
    Ok(())
}
