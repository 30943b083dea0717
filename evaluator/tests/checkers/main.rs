//! Asks every checker of the pairs of fixtures/checkers and holds it to what testlib's own said of them, in status and
//! words. `record.py`, beside this file, recorded that.

use std::collections::BTreeMap;
use std::path::Path;

use evaluator::Checker;
use libtest_mimic::{Arguments, Failed, Trial};
use serde::Deserialize;

/// Every checker has at least so many pairs.
const FEWEST_PAIRS: usize = 80;

/// A pair of outputs, with what testlib said. A character of a text stands for the byte of its number.
#[derive(Deserialize)]
struct Recorded {
    checker: Checker,
    answer: String,
    output: String,
    status: i32,
    words: Option<String>,
}

fn main() {
    let arguments = Arguments::from_args();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/checkers/testlib.jsonl");
    let text = std::fs::read_to_string(path).expect("recorded pairs");
    let mut pairs: BTreeMap<Checker, Vec<Recorded>> = BTreeMap::new();
    for line in text.lines() {
        let pair: Recorded = serde_json::from_str(line).expect("a recorded pair");
        pairs.entry(pair.checker).or_default().push(pair);
    }
    let trials = Checker::ALL.iter().map(|checker| {
        let pairs = pairs.remove(checker).unwrap_or_default();
        Trial::test(checker.name(), move || all_agree(&pairs))
    });
    libtest_mimic::run(&arguments, trials.collect()).exit();
}

fn all_agree(pairs: &[Recorded]) -> Result<(), Failed> {
    if pairs.len() < FEWEST_PAIRS {
        return Err(format!("has only {} pairs", pairs.len()).into());
    }
    let wrong: Vec<String> = pairs.iter().filter_map(disagreement).collect();
    match wrong.is_empty() {
        true => Ok(()),
        false => Err(wrong.join("\n").into()),
    }
}

/// What testlib said and what the checker says, where these differ.
fn disagreement(pair: &Recorded) -> Option<String> {
    let checked = pair
        .checker
        .check(&bytes(&pair.answer), &bytes(&pair.output));
    let said = checked.map_or_else(|it| (it.status(), Some(it.words())), |()| (0, None));
    let words = pair.words.as_deref().map(|it| lossy(&bytes(it)));
    // Brackets that testlib prints as such are left as it holds them where a token has the same control characters.
    let words = words.map(|it| it.replace("\u{b}answer\u{11}", "(answer)"));
    let testlib = (pair.status, words);
    let (answer, output) = (&pair.answer, &pair.output);
    (said != testlib).then(|| format!("{answer:?} {output:?}: {said:?}, but testlib {testlib:?}"))
}

fn bytes(text: &str) -> Vec<u8> {
    let byte = |it| u8::try_from(u32::from(it)).expect("a byte");
    text.chars().map(byte).collect()
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
