//! `mc-eval merge`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use evaluator::jsonl::{JsonLines, LineContent, LineReader};
use evaluator::verdict::{ShardPlace, VerdictRecord};

use super::exit::{self, CliError};
use super::notices::say;
use super::output::refused;
use super::words::several;

/// Put the verdicts of all parts of a run together (`judge --shard`), in the order of the submissions.
///
/// The result is the file that one machine would have written. Parts that are missing, given twice, not complete or not of
/// the same run are errors, and nothing is written then.
#[derive(Debug, Args)]
pub struct MergeArgs {
    /// The verdict files of all parts, in any order.
    #[arg(required = true)]
    parts: Vec<PathBuf>,

    /// Write the verdicts to this file, which must not exist.
    #[arg(long, short, value_name = "FILE")]
    out: PathBuf,
}

/// What a file holds.
#[derive(Debug)]
struct Part {
    path: PathBuf,
    number: u32,
    of: u32,
    total: u64,
}

/// Merge.
pub fn run(args: &MergeArgs) -> Result<ExitCode, CliError> {
    let mut parts = Vec::new();
    for path in &args.parts {
        parts.extend(part(path)?);
    }
    parts.sort_by_key(|part| part.number);
    let total = complete(&parts, &args.parts)?;
    write(&parts, total, &args.out)?;
    let from = several(parts.len() as u64, "part");
    say(&format!("{} from {from}", several(total, "verdict")));
    Ok(ExitCode::from(exit::FINE))
}

/// Read a file through. Empty ones are of parts that had no submission.
fn part(path: &Path) -> Result<Option<Part>, CliError> {
    let mut lines = PartLines::open(path)?;
    let mut last: Option<ShardPlace> = None;
    while let Some(record) = lines.next()? {
        let shard = record
            .shard
            .ok_or_else(|| lines.fault("is no verdict of a part: it was judged without --shard"))?;
        follows(last, shard).map_err(|message| lines.fault(&message))?;
        last = Some(shard);
    }
    let Some(ShardPlace {
        number, of, total, ..
    }) = last
    else {
        return Ok(None);
    };
    let total = total.ok_or_else(|| {
        let message = format!("{}: part {number}/{of} is not complete", path.display());
        let again = format!("go on with it: judge --shard {number}/{of} --resume");
        CliError::new(exit::INPUT, message).hint(again)
    })?;
    Ok(Some(Part {
        path: path.to_owned(),
        number,
        of,
        total,
    }))
}

/// Whether a line is the one behind `last` in its part.
fn follows(last: Option<ShardPlace>, next: ShardPlace) -> Result<(), String> {
    let expected = match last {
        None => (next.number, next.of, u64::from(next.number) - 1),
        Some(ShardPlace { total: Some(_), .. }) => {
            return Err("stands behind the last verdict of its part".to_owned());
        }
        Some(last) => (last.number, last.of, last.place + u64::from(last.of)),
    };
    let (number, of, place) = expected;
    match (next.number, next.of) == (number, of) && next.place == place {
        true => Ok(()),
        false => Err(format!(
            "is number {} in part {}/{}, but number {place} in part {number}/{of} is due",
            next.place, next.number, next.of
        )),
    }
}

/// How many submissions there are, if each is in one part.
fn complete(parts: &[Part], given: &[PathBuf]) -> Result<u64, CliError> {
    let Some(first) = parts.first() else {
        let message = format!(
            "{} contain no verdicts",
            several(given.len() as u64, "file")
        );
        return Err(CliError::new(exit::NOTHING_JUDGED, message));
    };
    for pair in parts.windows(2) {
        let [before, part] = pair else {
            continue;
        };
        if part.of != before.of || part.total != before.total {
            return Err(unlike(before, part));
        }
        if part.number == before.number {
            let (a, b) = (before.path.display(), part.path.display());
            let message = format!("{a} and {b} both hold part {}/{}", part.number, part.of);
            return Err(CliError::new(exit::INPUT, message));
        }
    }
    // A part has no submissions where there are fewer of them than parts.
    let expected = 1..=first.total.min(first.of.into());
    let is_there = |number: &u64| parts.iter().any(|part| u64::from(part.number) == *number);
    let missing: Vec<String> = expected
        .filter(|number| !is_there(number))
        .map(|number| format!("{number}/{}", first.of))
        .collect();
    match missing.is_empty() {
        true => Ok(first.total),
        false => {
            let message = format!("missing: part {}", missing.join(", "));
            Err(CliError::new(exit::INPUT, message))
        }
    }
}

fn unlike(a: &Part, b: &Part) -> CliError {
    let told = |part: &Part| {
        format!(
            "{} is part {} of {} with {} submissions in all",
            part.path.display(),
            part.number,
            part.of,
            part.total
        )
    };
    let message = format!("not of one run: {}, {}", told(a), told(b));
    CliError::new(exit::INPUT, message)
}

/// Take a line from each part in turn. A file that is not whole is left under another name.
fn write(parts: &[Part], total: u64, out: &Path) -> Result<(), CliError> {
    if out.exists() {
        let message = format!("output file already exists: {}", out.display());
        return Err(CliError::new(exit::INPUT, message));
    }
    let mut unfinished = out.as_os_str().to_owned();
    unfinished.push(".unfinished");
    let unfinished = PathBuf::from(unfinished);
    if unfinished.exists() {
        fs_err::remove_file(&unfinished).map_err(|error| CliError::new(exit::INTERNAL, error))?;
    }
    let mut file = JsonLines::create(&unfinished).map_err(refused)?;
    let mut lines: Vec<PartLines> = Vec::new();
    for part in parts {
        lines.push(PartLines::open(&part.path)?);
    }
    for place in 0..total {
        let part = (place % u64::from(parts[0].of)) as usize;
        let record = lines[part].next()?;
        let record = record.filter(|it| it.shard.is_some_and(|shard| shard.place == place));
        let record = record.ok_or_else(|| lines[part].fault("was changed meanwhile"))?;
        let whole = VerdictRecord {
            shard: None,
            ..record
        };
        file.append(&whole).map_err(refused)?;
    }
    file.complete().map_err(refused)?;
    fs_err::rename(&unfinished, out).map_err(|error| CliError::new(exit::INTERNAL, error))
}

/// The verdicts of a file, all of which must be whole.
struct PartLines {
    reader: LineReader<VerdictRecord>,
    number: usize,
}

impl PartLines {
    fn open(path: &Path) -> Result<PartLines, CliError> {
        let reader = LineReader::open(path).map_err(refused)?;
        Ok(PartLines { reader, number: 0 })
    }

    fn next(&mut self) -> Result<Option<VerdictRecord>, CliError> {
        let Some(line) = self.reader.read_next().map_err(refused)? else {
            return Ok(None);
        };
        self.number = line.number;
        match line.content {
            LineContent::Record(record) => Ok(Some(record)),
            LineContent::Torn => Err(self.fault("is torn: the run that wrote it was killed")),
            LineContent::Broken(why) => Err(self.fault(&why)),
        }
    }

    fn fault(&self, message: &str) -> CliError {
        let path = self.reader.path().display();
        CliError::new(exit::INPUT, format!("{path}:{}: {message}", self.number))
    }
}
