//! A task small enough to learn on two cores in minutes: one-line programs that read standard input.
//!
//! Twelve families; five of them have a constant that the program must copy from the prompt. A sixth of the constants
//! is held out: they are in no problem and in no pair that is trained on. Of the families without a constant every prompt is trained on: among
//! held-out problems, those of difficulty `constant` are the ones never seen. The corpus is noisy on purpose: most of its
//! programs have the right shape and do the wrong thing, so that supervised training leaves something to learn.
//!
//! With remarks, a program may begin with a comment of a few words, and the longer the comment the likelier the program is
//! right: thinking pays, and costs length. A limit on the length then cuts the better responses first.

mod families;

use fs_err as fs;
use std::collections::BTreeSet;
use std::io;
use std::path::Path;

use rand::RngExt;
use rand::seq::{IndexedRandom, IteratorRandom};
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use crate::chance::{Purpose, stream};
use crate::tokenizer::Tokenizer;

use families::{FAMILIES, Family};

/// The largest constant.
const MAX_CONSTANT: i64 = 999;
/// Problems to train on.
const TRAINED: usize = 1024;
/// Problems to evaluate on.
const HELD_OUT: usize = 96;
/// Pairs in the corpus.
const PAIRS: usize = 51_200;
/// The share of pairs whose program is right; with remarks, that of those whose remark has half of [`MOST_WORDS`].
const RIGHT: f64 = 0.3;
/// The longest remark.
const MOST_WORDS: usize = 8;
/// What a word of a remark adds to the share of right programs.
const PER_WORD: f64 = 0.06;
/// What remarks are made of.
const WORDS: [&str; 8] = ["so", "hm", "try", "now", "well", "wait", "maybe", "again"];

/// Whether the corpus has remarks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Remarks {
    /// None.
    Without,
    /// Before most programs.
    With,
}

/// Constants that are trained on, and those held out.
struct Constants {
    trained: Vec<i64>,
    held_out: Vec<i64>,
}

fn constants(seed: u64) -> Constants {
    let mut rng = stream(seed, Purpose::Toy, 0);
    let all = 2..=MAX_CONSTANT;
    let held_out: BTreeSet<i64> = all
        .clone()
        .sample(&mut rng, all.count() / 6)
        .into_iter()
        .collect();
    Constants {
        trained: (2..=MAX_CONSTANT)
            .filter(|k| !held_out.contains(k))
            .collect(),
        held_out: held_out.into_iter().collect(),
    }
}

/// Write the task: `train.jsonl` and `held_out.jsonl` (problems), `corpus.jsonl` (pairs), the shape of a model in
/// `model/`, and the configuration `run.toml` that uses them.
pub fn write(folder: &Path, seed: u64, remarks: Remarks) -> io::Result<()> {
    let constants = constants(seed);
    fs::create_dir_all(folder.join("model"))?;
    let lines = |rows: Vec<Value>| {
        rows.iter()
            .map(|row| format!("{row}\n"))
            .collect::<String>()
    };
    let trained = problems(
        TRAINED,
        &constants.trained,
        &mut stream(seed, Purpose::Toy, 1),
    );
    let held_out = problems(
        HELD_OUT,
        &constants.held_out,
        &mut stream(seed, Purpose::Toy, 2),
    );
    let mut rng = stream(seed, Purpose::Toy, 3);
    let pairs: Vec<Value> = (0..PAIRS)
        .map(|_| pair(&constants.trained, remarks, &mut rng))
        .collect();
    fs::write(folder.join("train.jsonl"), lines(trained))?;
    fs::write(folder.join("held_out.jsonl"), lines(held_out))?;
    fs::write(folder.join("corpus.jsonl"), lines(pairs))?;
    fs::write(
        folder.join("model/config.json"),
        include_str!("toy/config.json"),
    )?;
    Tokenizer::ascii()
        .save(&folder.join("model"))
        .map_err(io::Error::other)?;
    let settings = include_str!("toy/run.toml");
    let settings = match remarks {
        Remarks::Without => settings.to_owned(),
        Remarks::With => settings.replace("max_tokens = 48", "max_tokens = 96"),
    };
    fs::write(folder.join("run.toml"), settings)
}

fn problems(count: usize, constants: &[i64], rng: &mut ChaCha8Rng) -> Vec<Value> {
    (0..count)
        .map(|number| {
            let (family, constant) = draw(constants, rng);
            let word = family.name.trim_end_matches(" k");
            family.problem(format!("{word}-{number}"), constant, rng)
        })
        .collect()
}

fn pair(constants: &[i64], remarks: Remarks, rng: &mut ChaCha8Rng) -> Value {
    let (family, constant) = draw(constants, rng);
    let (remark, right) = match remarks {
        Remarks::Without => (String::new(), RIGHT),
        Remarks::With => remark(rng),
    };
    let program = match rng.random_bool(right) {
        true => family.solution(constant),
        false => wrong(family, constant, constants, rng),
    };
    json!({"prompt": format!("{}\n", family.statement(constant)), "response": format!("{remark}{program}")})
}

/// A line before the program, or none, and the share of right programs after such a line.
fn remark(rng: &mut ChaCha8Rng) -> (String, f64) {
    let count = rng.random_range(0..=MOST_WORDS);
    let right = RIGHT + PER_WORD * (count as f64 - MOST_WORDS as f64 / 2.0);
    let words: Vec<&str> = (0..count)
        .filter_map(|_| WORDS.choose(rng).copied())
        .collect();
    match words.is_empty() {
        true => (String::new(), right),
        false => (format!("#{}\n", words.join(" ")), right),
    }
}

/// A program of the right shape: of the same family with another constant, or of another family.
fn wrong(family: &Family, constant: i64, constants: &[i64], rng: &mut ChaCha8Rng) -> String {
    if family.has_constant() && rng.random_bool(0.5) {
        let (_, other) = draw(constants, rng);
        return family.solution(other);
    }
    let others = FAMILIES.iter().filter(|other| other.name != family.name);
    let other = others.choose(rng).unwrap_or(family);
    other.solution(constant)
}

fn draw(constants: &[i64], rng: &mut ChaCha8Rng) -> (&'static Family, i64) {
    let family = FAMILIES.choose(rng).unwrap_or(&FAMILIES[0]);
    (family, constants.choose(rng).copied().unwrap_or(2))
}
