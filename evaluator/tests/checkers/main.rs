//! Asks every checker of the pairs of fixtures/checkers and holds it to what the original of that name said of them:
//! testlib's in status and words, that of Kattis in status, and DMOJ's in status and points. `record.py`, beside this
//! file, recorded that.

use std::collections::BTreeMap;
use std::path::Path;

use evaluator::StandardChecker;
use evaluator::checker::Rejection;
use libtest_mimic::{Arguments, Failed, Trial};
use serde::Deserialize;

/// Every checker has at least so many pairs.
const FEWEST_PAIRS: usize = 80;

/// A pair of outputs, with what the original said. A character of a text stands for the byte of its number.
#[derive(Deserialize)]
struct Recorded {
    checker: StandardChecker,
    #[serde(default)]
    flags: Vec<String>,
    answer: String,
    output: String,
    status: i32,
    words: Option<String>,
    points: Option<f64>,
}

fn main() {
    let arguments = Arguments::from_args();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/checkers/recorded.jsonl");
    let text = std::fs::read_to_string(path).expect("recorded pairs");
    let mut pairs: BTreeMap<StandardChecker, Vec<Recorded>> = BTreeMap::new();
    for line in text.lines() {
        let pair: Recorded = serde_json::from_str(line).expect("a recorded pair");
        pairs.entry(pair.checker).or_default().push(pair);
    }
    let trials = StandardChecker::ALL.iter().map(|checker| {
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

/// What the original said and what the checker says, where these differ.
fn disagreement(pair: &Recorded) -> Option<String> {
    let (answer, output) = (bytes(&pair.answer), bytes(&pair.output));
    let said = match pair.checker.check(&pair.flags, &answer, &output) {
        Ok(None) => (0, None, None),
        Ok(Some(points)) => (7, Some(points.words), None),
        Err(Rejection::Partial(points, _)) => (7, None, Some(points)),
        Err(rejection) => (rejection.status(), Some(rejection.words()), None),
    };
    let words = pair.words.as_deref().map(|it| lossy(&bytes(it)));
    // Brackets that testlib prints as such are left as it holds them where a token has the same control characters.
    let words = words.map(|it| it.replace("\u{b}answer\u{11}", "(answer)"));
    let mut original = (pair.status, words, pair.points);
    // Where testlib's checker fails by what the candidate wrote, ours finds it wrong.
    if original.0 == 3
        && original
            .1
            .as_deref()
            .is_some_and(|it| it.starts_with("FAIL Parameter 'points'"))
    {
        original = (1, None, None);
    }
    let agree = match &original.1 {
        Some(_) => said == original,
        None => (said.0, said.2) == (original.0, original.2),
    };
    let Recorded {
        flags,
        answer,
        output,
        ..
    } = pair;
    (!agree).then(|| {
        format!("{flags:?} {answer:?} {output:?}: {said:?}, but the original {original:?}")
    })
}

fn bytes(text: &str) -> Vec<u8> {
    let byte = |it| u8::try_from(u32::from(it)).expect("a byte");
    text.chars().map(byte).collect()
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
