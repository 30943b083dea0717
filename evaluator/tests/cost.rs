//! What it costs to compare hostile outputs: memory by counting what is allocated, time against a plain pass over as
//! many bytes in the same build. Whatever a program writes, the cost is a small multiple of its size and of what was
//! expected.

use std::time::{Duration, Instant};

use evaluator::checker::StandardChecker;
use evaluator::value::{DataBudget, Returned, wire};
use evaluator::{Comparator, Declared, Evidence, FloatTolerance, Profile, Value, literal, readers};
use libtest_mimic::{Arguments, Failed, Trial};
use peak_alloc::PeakAlloc;

#[global_allocator]
static HEAP: PeakAlloc = PeakAlloc;

/// Bytes of each hostile output.
const SIZE: usize = 250_000;

/// Memory that any comparison may take: the ten thousand values that a small result may hold, and buffers.
const FIXED: usize = 1_500_000;

/// How many times its size an output may take in memory.
const MEMORY: usize = 4;

/// How many times as long as a plain pass over as many bytes a comparison may take. There are up to nine strategies,
/// some of which look twice.
const PASSES: u32 = 25;

/// Outputs made to cost more than they are worth, by what they repeat.
const TEXTS: [(&str, &str); 17] = [
    ("one long line", "1 "),
    ("many lines", "1\n"),
    ("a long number", "7"),
    ("a long real", "0.7"),
    ("many reals", "0.5\n"),
    ("reals on one line", "0.5 "),
    ("huge reals", "1e308 "),
    ("NaNs", "nan\n"),
    ("words", "a\n"),
    ("yes or no", "yes No\n"),
    ("open brackets", "["),
    ("tiny lists", "[],"),
    ("nested lists", "[[[[1]]]],"),
    ("quotes", "'a',"),
    ("a long word", "a"),
    ("blank lines", " \n"),
    ("bytes that are no text", "\u{0}"),
];

/// What surrounds a hostile output.
const FRAMES: [(&str, &str); 3] = [("", ""), ("[", "0]"), ("1\n", "\n2")];

/// Results of calls, by what the message repeats between a head and a tail.
const RESULTS: [(&str, &str, &str, &str); 11] = [
    ("whole numbers", "[", "1,", "1]"),
    ("tiny lists", "[", "[],", "0]"),
    ("NaNs", "[", "{\"float\":\"nan\"},", "0]"),
    ("equal texts", "[", "\"\",", "0]"),
    ("one long text", "\"", "a", "\""),
    ("a huge whole number", "{\"int\":\"0x", "7", "\"}"),
    ("bytes", "{\"bytes\":\"", "ff", "\"}"),
    ("a set of equal items", "{\"set\":[", "1,", "1]}"),
    (
        "nested sets",
        "{\"set\":[",
        "{\"frozenset\":[{\"frozenset\":[]}]},",
        "1]}",
    ),
    ("a dict", "{\"dict\":[", "[1,1],", "[1,1]]}"),
    (
        "deep lists",
        "[",
        "[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]],",
        "0]",
    ),
];

/// Bytes of a large output, and what may be held to compare it.
const LARGE_SIZE: usize = 750_000;
const MOST_LARGE: usize = 20_000_000;

/// Large outputs by what they repeat, and what is expected instead.
const LARGE: [(&str, &str, &str); 8] = [
    ("rows of a letter", "A\n", "a\n"),
    ("rows of a word", "Abcd\n", "aBCD\n"),
    ("rows of two words", "A b\n", "a B\n"),
    ("near reals", "0.123456\n", "0.123457\n"),
    ("near reals on one line", "0.5 ", "0.6 "),
    ("a flat list", "1,", "2,"),
    ("nested lists", "[[1],[2]],", "[[2],[3]],"),
    ("one word", "a", "b"),
];

fn main() {
    // One at a time: what is allocated is counted for the whole process.
    let arguments = Arguments {
        test_threads: Some(1),
        ..Arguments::from_args()
    };
    let texts = TEXTS.iter().map(|(name, unit)| {
        Trial::test(format!("text::{}", name.replace(' ', "_")), || text(unit))
    });
    let results = RESULTS.iter().map(|(name, head, unit, tail)| {
        let name = format!("result::{}", name.replace(' ', "_"));
        Trial::test(name, || result(head, unit, tail))
    });
    let nested = Trial::test("value::nested_keys", nested_keys);
    let rows = Trial::test("text::rows_that_differ_in_a_real", rows_of_reals);
    let file = Trial::test("file::more_values_than_a_row_may_hold", too_many_values);
    let large = LARGE.iter().map(|&(name, unit, other)| {
        let name = format!("large::{}", name.replace(' ', "_"));
        Trial::test(name, move || large(unit, other))
    });
    let checkers = StandardChecker::ALL.iter().map(|&checker| {
        Trial::test(format!("checker::{}", checker.name()), move || {
            checked(checker)
        })
    });
    let trials = texts.chain(results).chain(checkers).chain(large);
    let written = Trial::test("value::written_in_a_file", written);
    let trials = trials.chain([nested, rows, file, written]).collect();
    libtest_mimic::run(&arguments, trials).exit();
}

/// Every profile, and all that `standard` can be made to admit.
fn comparators() -> Vec<(String, Comparator)> {
    let plain = Profile::ALL.iter().map(|&profile| {
        let comparator = Comparator::new(profile, Evidence::default());
        (profile.name().to_owned(), comparator)
    });
    let declared = Declared {
        any_order: true,
        ignore_case: true,
        float: Some(FloatTolerance {
            abs: 1e-6,
            rel: 1e-6,
        }),
        ..Declared::default()
    };
    let said = "Print the groups in any order, each letter in any case, separated by any whitespace. \
        Answers within an absolute or relative error of 1e-6 are accepted.";
    let declared = Evidence {
        declared,
        statement: None,
    };
    let stated = Evidence {
        statement: Some(said),
        ..Evidence::default()
    };
    let loose = [("declared", declared), ("stated", stated)].map(|(name, evidence)| {
        (
            name.to_owned(),
            Comparator::new(Profile::Standard, evidence),
        )
    });
    let all: Vec<_> = plain.chain(loose).collect();
    // A statement is read once, whatever the outputs are.
    for (_, comparator) in &all {
        comparator.admissions();
    }
    all
}

/// A hostile text against a short one of several kinds, and against its like.
fn text(unit: &str) -> Result<(), Failed> {
    let short = ["0.5 2\n4 5\n", "[1, 2, 3]\n", "yes\n"];
    for (head, tail) in FRAMES {
        let actual = format!("{head}{}{tail}", unit.repeat(SIZE / unit.len()));
        let like = format!("{head}{}8{tail}", unit.repeat(SIZE / unit.len()));
        let shifted = format!("5 {actual}");
        for (name, comparator) in comparators() {
            for expected in short {
                let compare =
                    || drop(comparator.compare_text(expected.as_bytes(), actual.as_bytes()));
                within(&name, actual.len(), compare)?;
            }
            // What is expected may be held as well, and each of its words be a value.
            for expected in [&like, &shifted] {
                let compare =
                    || drop(comparator.compare_text(expected.as_bytes(), actual.as_bytes()));
                within(&name, MOST_HELD * actual.len(), compare)?;
            }
        }
    }
    Ok(())
}

/// A hostile text, as it is and in cases, against a short one: of the text a checker holds one line, or two of its tokens, and
/// what a message shows.
fn checked(checker: StandardChecker) -> Result<(), Failed> {
    const MOST: usize = 2 * SIZE + 100_000;
    let units = TEXTS.iter().map(|(_, unit)| *unit);
    for unit in units.chain(["Case 1: 1\n", "Case "]) {
        for head in ["", "1 ", "Case 1: 1 ", "Case 1: "] {
            let actual = format!("{head}{}", unit.repeat(SIZE / unit.len()));
            for expected in [
                "1 2\n",
                "yes\n",
                "a b\n",
                "Case 1: 1 2\nCase 2: 1\n",
                "Case 1: 1\n",
            ] {
                let check = || drop(checker.check(&[], expected.as_bytes(), actual.as_bytes()));
                let (held, _) = cost(check);
                if held > MOST {
                    return Err(format!("{unit:?}: {held} bytes held").into());
                }
                within(checker.name(), actual.len(), check)?;
            }
        }
    }
    Ok(())
}

/// How many times as much may be held where the expected text is as hostile: then each word of two bytes may be a value
/// of 32 on both sides, in lists that double as they grow.
const MOST_HELD: usize = 16;

/// A hostile message as a result, read and compared.
fn result(head: &str, unit: &str, tail: &str) -> Result<(), Failed> {
    let message = format!(
        "{{\"value\":{head}{}{tail}}}",
        unit.repeat(SIZE / unit.len())
    );
    for expected in [
        "[1, 2, 3]",
        "{1, 2}",
        "{'a': 1}",
        "'text'",
        "7",
        "[[1.5], [2.5]]",
    ] {
        let expected = literal::parse(expected)?;
        for (name, comparator) in comparators() {
            let compare = || {
                let budget = DataBudget::of_result(&expected);
                if let Some(Returned::Value(value)) = wire::returned(message.as_bytes(), &budget) {
                    drop(comparator.compare_value(&expected, &value));
                }
            };
            within(&name, message.len(), compare)?;
        }
    }
    Ok(())
}

/// Lists within lists, of which only the innermost differ.
fn nested_keys() -> Result<(), Failed> {
    let nested = |last: i64| {
        let mut value = Value::Int(last);
        for _ in 0..39 {
            let filler = (0..2000).map(Value::Int);
            value = Value::List(filler.chain([value]).collect());
        }
        Value::Set(vec![value, Value::Int(0)])
    };
    let (expected, actual) = (nested(1), nested(2));
    for (name, comparator) in comparators() {
        let compare = || drop(comparator.compare_value(&expected, &actual));
        within(&name, 2 * 39 * 2000 * size_of::<Value>(), compare)?;
    }
    Ok(())
}

/// Rows of many tokens of which each pair would have to be compared to its end.
fn rows_of_reals() -> Result<(), Failed> {
    let rows = |last: &str| format!("{}{last}\n", "0.5 ".repeat(400)).repeat(SIZE / 1600);
    let (expected, actual) = (rows("0.5"), rows("0.75"));
    for (name, comparator) in comparators() {
        let compare = || drop(comparator.compare_text(expected.as_bytes(), actual.as_bytes()));
        within(&name, MOST_HELD * actual.len(), compare)?;
    }
    Ok(())
}

/// An output as large as what is expected, of which every item differs from its counterpart: not all that an item needs
/// is held for all of them.
fn large(unit: &str, other: &str) -> Result<(), Failed> {
    let frame = |unit: &str, last: &str| {
        let items = unit.repeat(LARGE_SIZE / unit.len());
        let (head, tail) = if unit.ends_with(',') {
            ("[", "]")
        } else {
            ("", "\n")
        };
        format!("{head}{items}{last}{tail}")
    };
    let (expected, actual) = (frame(unit, "5"), frame(other, "6"));
    let loose = |name: &String| ["paper", "stated"].contains(&name.as_str());
    for (name, comparator) in comparators().into_iter().filter(|(name, _)| loose(name)) {
        let compare = || drop(comparator.compare_text(expected.as_bytes(), actual.as_bytes()));
        let (held, _) = cost(compare);
        if held > MOST_LARGE {
            return Err(
                format!("{name}: {held} bytes held, at most {MOST_LARGE} are allowed").into(),
            );
        }
    }
    Ok(())
}

/// Texts of values, as a file of pairs has them: however many values they write, and whichever of the two.
fn written() -> Result<(), Failed> {
    const LENGTH: usize = 3_000_000;
    const MOST: usize = 60_000_000;
    let nested = format!("{}{}", "[".repeat(38), "]".repeat(38));
    for unit in [
        format!("{nested},"),
        "1,".to_owned(),
        "[],".to_owned(),
        "'a',".to_owned(),
    ] {
        let items = unit.repeat(LENGTH / unit.len());
        let (large, other) = (format!("[{items}1]"), format!("[{items}2]"));
        let plain = |(name, _): &(String, Comparator)| name == "standard";
        for (name, comparator) in comparators().into_iter().filter(plain) {
            for (expected, actual) in [("[1]", &large), (&large, &other), (&large, &large)] {
                let same = std::cell::Cell::new(false);
                let (held, _) = cost(|| {
                    let said = comparator.compare_written(expected, actual);
                    let said = said.expect("what is expected is a value");
                    same.set(matches!(said, evaluator::Comparison::Accepted(_)));
                });
                if held > MOST {
                    return Err(format!("{name}, {unit:?}: {held} bytes held").into());
                }
                assert_eq!(same.get(), expected == actual, "{name}");
            }
        }
    }
    let short = format!("[{}1]", "1,".repeat(SIZE));
    for (name, comparator) in comparators() {
        within(&name, short.len(), || {
            let _ = comparator.compare_written("[1]", &short);
        })?;
    }
    Ok(())
}

/// A row that compresses well: it is refused before its values are made.
fn too_many_values() -> Result<(), Failed> {
    const MOST_VALUES: usize = 20_000_000;
    let row = format!("[{}0]", "[],".repeat(MOST_VALUES));
    let read = || {
        let refused = readers::declared(&row).expect_err("a row of too many values");
        assert!(refused.contains("more than 20000000 items"), "{refused}");
    };
    within("a row", row.len() / MEMORY, read)
}

/// Asserts that a comparison takes no more memory than `size` allows, nor longer than some passes over as much.
fn within(name: &str, size: usize, compare: impl Fn()) -> Result<(), Failed> {
    let most = MEMORY * size + FIXED;
    let limit = PASSES * plain_pass() * u32::try_from(size.div_ceil(SIZE))?;
    // Another process may have had the processor: three times in a row are no accident.
    for _ in 0..3 {
        let (held, time) = cost(&compare);
        if held > most {
            return Err(format!("{name}: {held} bytes held, at most {most} are allowed").into());
        }
        if time <= limit {
            return Ok(());
        }
    }
    Err(format!("{name}: took more than {limit:?}").into())
}

/// The memory and the time that some work takes.
fn cost(work: impl Fn()) -> (usize, Duration) {
    HEAP.reset_peak_usage();
    let before = HEAP.current_usage();
    let start = Instant::now();
    work();
    (HEAP.peak_usage().saturating_sub(before), start.elapsed())
}

/// The time of one pass over a usual output of this size whose line ends differ.
fn plain_pass() -> Duration {
    static PASS: std::sync::OnceLock<Duration> = std::sync::OnceLock::new();
    *PASS.get_or_init(|| {
        let comparator = Comparator::new(Profile::Standard, Evidence::default());
        let (expected, actual) = ("1 2\n".repeat(SIZE / 4), "1 2\r\n".repeat(SIZE / 4));
        cost(|| drop(comparator.compare_text(expected.as_bytes(), actual.as_bytes()))).1
    })
}
