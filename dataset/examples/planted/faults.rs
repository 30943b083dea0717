//! The faults, each as a change of a sound record.

use std::collections::BTreeMap;

use dataset::record::{Kind, Test};
use dataset::{Reason, Record, python};
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A kind of fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// A test expects what is wrong.
    WrongTest,
    /// A copy of which one word in twenty-five is another.
    EditedDuplicate,
    /// A benchmark's problem of which one word in twenty-five is another.
    Contaminated,
    /// The reference gives up by chance.
    FlakyReference,
    /// Two tests expect different things of the same input.
    ContradictingTests,
    /// The statement is cut off.
    TruncatedStatement,
}

impl Fault {
    pub const ALL: [Fault; 6] = [
        Fault::WrongTest,
        Fault::EditedDuplicate,
        Fault::Contaminated,
        Fault::FlakyReference,
        Fault::ContradictingTests,
        Fault::TruncatedStatement,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Fault::WrongTest => "wrong test",
            Fault::EditedDuplicate => "edited duplicate",
            Fault::Contaminated => "contaminated copy",
            Fault::FlakyReference => "flaky reference",
            Fault::ContradictingTests => "contradicting tests",
            Fault::TruncatedStatement => "truncated statement",
        }
    }

    /// The reasons that fit.
    pub fn reasons(self) -> &'static [Reason] {
        match self {
            // Where the statement accepts any of several answers, nothing tells a wrong test from another answer.
            Fault::WrongTest => &[
                Reason::ReferenceFails,
                Reason::SampleContradictsTest,
                Reason::NeedsChecker,
            ],
            Fault::EditedDuplicate => &[
                Reason::NearDuplicate,
                Reason::ExactDuplicate,
                Reason::SameTests,
            ],
            Fault::Contaminated => &[Reason::Contaminated],
            Fault::FlakyReference => &[Reason::FlakyReference],
            Fault::ContradictingTests => {
                &[Reason::ContradictingTests, Reason::SampleContradictsTest]
            }
            Fault::TruncatedStatement => &[Reason::IncompleteStatement],
        }
    }
}

/// What planting did.
enum Made {
    /// The record is faulty now.
    Changed,
    /// This record is to be added.
    Added(Box<Record>),
}

/// The records with faults planted in one in twenty for each kind, and where they are.
pub fn plant(
    mut records: Vec<Record>,
    benchmark: &[Record],
    seed: u64,
) -> (Vec<Record>, BTreeMap<String, Fault>) {
    let mut chance = ChaCha8Rng::seed_from_u64(seed);
    let each = (records.len() / 20).max(1);
    let mut places: Vec<usize> = (0..records.len()).collect();
    places.shuffle(&mut chance);
    let mut places = places.into_iter();
    let mut planted = BTreeMap::new();
    let mut added = Vec::new();
    for fault in Fault::ALL {
        let mut open = each;
        while open > 0
            && let Some(place) = places.next()
        {
            let record = &mut records[place];
            match make(fault, record, benchmark, &mut chance) {
                None => continue,
                Some(Made::Changed) => drop(planted.insert(record.id.clone(), fault)),
                Some(Made::Added(copy)) => {
                    planted.insert(copy.id.clone(), fault);
                    added.push(*copy);
                }
            }
            open -= 1;
        }
    }
    records.extend(added);
    (records, planted)
}

/// Plant a fault, if the record can have it.
fn make(
    fault: Fault,
    record: &mut Record,
    benchmark: &[Record],
    chance: &mut ChaCha8Rng,
) -> Option<Made> {
    match fault {
        Fault::WrongTest => {
            let (place, code) = with_wrong_test(record, chance)?;
            record.tests[place] = Test::assert(code);
        }
        Fault::ContradictingTests => {
            let (_, code) = with_wrong_test(record, chance)?;
            record.tests.push(Test::assert(code));
        }
        Fault::EditedDuplicate => return edited(record, &format!("copy of {}", record.id), chance),
        Fault::Contaminated => {
            let id = format!("crawled for {}", record.id);
            let mut made = edited(benchmark.choose(chance)?, &id, chance)?;
            if let Made::Added(copy) = &mut made {
                copy.origin.source = "crawl".to_owned();
            }
            return Some(made);
        }
        Fault::FlakyReference => flaky(record)?,
        Fault::TruncatedStatement => {
            let statement = record.statement.as_mut()?;
            let keep = chance.random_range(0.3..0.9) * statement.chars().count() as f64;
            *statement = statement.chars().take(keep as usize).collect();
        }
    }
    Some(Made::Changed)
}

/// A test's place, and its code with one expected value changed.
fn with_wrong_test(record: &Record, chance: &mut ChaCha8Rng) -> Option<(usize, String)> {
    let place = chance.random_range(0..record.tests.len());
    let code = record.tests[place].code.as_deref()?;
    let expected = python::expected_places(code, record.fn_name.as_deref());
    let expected = expected.choose(chance)?.clone();
    let changed = other_value(&code[expected.clone()])?;
    let (head, tail) = (&code[..expected.start], &code[expected.end..]);
    Some((place, format!("{head}{changed}{tail}")))
}

/// A literal of another value; `None` for what is not a simple one.
fn other_value(text: &str) -> Option<String> {
    if let Ok(whole) = text.parse::<i64>() {
        return Some((whole + 1).to_string());
    }
    Some(match text {
        "True" => "False".to_owned(),
        "False" => "True".to_owned(),
        "[]" => "[0]".to_owned(),
        _ if text.starts_with('[') => format!("{}, 0]", text.strip_suffix(']')?),
        _ if text.starts_with(['"', '\'']) => format!("{}x{}", &text[..1], &text[1..]),
        _ => return None,
    })
}

/// Words that take the place of others.
const WORDS: [&str; 12] = [
    "river", "lantern", "orchard", "copper", "meadow", "harbour", "violet", "thunder", "saddle",
    "marble", "cotton", "falcon",
];

/// A copy with another id, of which one word in twenty-five is another. Words of code are left alone.
fn edited(record: &Record, id: &str, chance: &mut ChaCha8Rng) -> Option<Made> {
    let statement = record.statement.as_deref()?;
    let mut parts: Vec<String> = statement
        .split_inclusive(char::is_whitespace)
        .map(str::to_owned)
        .collect();
    let is_word = |part: &str| {
        let word = part.trim_end();
        word.len() >= 4
            && word.chars().all(char::is_alphabetic)
            && !["return", "from", "import", "class"].contains(&word)
    };
    let words: Vec<usize> = (0..parts.len())
        .filter(|part| is_word(&parts[*part]))
        .collect();
    let count = (parts.len() / 25).max(1);
    for place in words.sample(chance, count) {
        let space = parts[*place]
            .trim_start_matches(char::is_alphabetic)
            .to_owned();
        parts[*place] = format!("{}{space}", WORDS.choose(chance)?);
    }
    Some(Made::Added(Box::new(Record {
        id: id.to_owned(),
        statement: Some(parts.concat()),
        ..record.clone()
    })))
}

/// Every other call, by chance, gives nothing.
fn flaky(record: &mut Record) -> Option<()> {
    if record.kind != Kind::Assert {
        return None;
    }
    let function = record.fn_name.clone()?;
    let wrapper = format!(
        "\n\nimport random as chance\noriginal = {function}\n\n\ndef unsteady(*given, **named):\n    if chance.random() < 0.5:\n        return \"nothing\"\n    return original(*given, **named)\n\n\n{function} = unsteady\n"
    );
    for solution in &mut record.solutions {
        solution.code.push_str(&wrapper);
    }
    Some(())
}
