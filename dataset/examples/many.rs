//! Measures `filter` over many made records, one in twenty a near copy of an earlier one.
//!
//! ```sh
//! cargo run --release -p dataset --example many -- 100000
//! ```
//!
//! A statement is 120 words drawn by Zipf's law from a vocabulary of 20 000, as the words of a language are; a near copy has
//! one word in fifty replaced. Every record has three tests of its own, and a copy has those of its original.

use std::io::{BufWriter, Write};
use std::path::Path;
use std::time::Instant;

use dataset::filter::Filter;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

const VOCABULARY: usize = 20_000;
const WORDS: usize = 120;
const TESTS: usize = 3;
/// One record in so many is a near copy, in which one word in so many is replaced.
const COPIES: usize = 20;
const REPLACED: usize = 50;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let count: usize = match std::env::args().nth(1) {
        Some(count) => count.parse()?,
        None => return Err("usage: many RECORDS".into()),
    };
    let folder = tempfile::tempdir()?;
    let (raw, filtered) = (folder.path().join("raw"), folder.path().join("filtered"));
    let copies = write(&raw, count)?;
    let began = Instant::now();
    let report = Filter::default().run(&raw, &filtered, false)?;
    println!(
        "{count} records, {copies} near copies: {:.1} s",
        began.elapsed().as_secs_f64()
    );
    println!("{}", report.table());
    Ok(())
}

/// Write the records; gives back how many are copies.
fn write(path: &Path, count: usize) -> std::io::Result<usize> {
    let mut chance = ChaCha8Rng::seed_from_u64(1);
    let mut file = BufWriter::new(std::fs::File::create(path)?);
    let mut last: Option<(Vec<usize>, Vec<Value>)> = None;
    let mut copies = 0;
    for number in 0..count {
        let (words, tests) = match last.take().filter(|_| number % COPIES == COPIES - 1) {
            Some((words, tests)) => {
                copies += 1;
                (edited(words, &mut chance), tests)
            }
            None => {
                let words = (0..WORDS).map(|_| word(&mut chance)).collect();
                (words, (0..TESTS).map(|_| test(&mut chance)).collect())
            }
        };
        let statement: Vec<String> = words.iter().map(|word| format!("w{word}")).collect();
        let record = json!({"id": number.to_string(), "kind": "stdin", "statement": statement.join(" "), "tests": tests,
            "origin": {"source": "made", "id": number.to_string()}});
        writeln!(file, "{record}")?;
        last = Some((words, tests));
    }
    file.flush()?;
    Ok(copies)
}

/// The rank of a word: the logarithm of ranks that are drawn by Zipf's law is spread evenly.
fn word(chance: &mut ChaCha8Rng) -> usize {
    let even: f64 = chance.random();
    (VOCABULARY as f64).powf(even) as usize
}

fn edited(mut words: Vec<usize>, chance: &mut ChaCha8Rng) -> Vec<usize> {
    for _ in 0..WORDS / REPLACED {
        let place = chance.random_range(0..words.len());
        words[place] = word(chance);
    }
    words
}

fn test(chance: &mut ChaCha8Rng) -> Value {
    let number: u64 = chance.random();
    json!({"input": format!("{number}\n"), "output": format!("{}\n", number % 1_000_003)})
}
