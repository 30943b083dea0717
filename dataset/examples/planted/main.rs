//! Plants faults in a corpus and counts how many of them the stages find, and what else they drop.
//!
//! ```sh
//! cargo run --release -p dataset --example planted -- CORPUS BENCHMARK [SEED [stdin]]
//! ```
//!
//! With `stdin`, problems of functions are made problems of programs, the faulty ones too, before their programs are run.
//!
//! The corpus is first run as it is. What is dropped there is counted as dropped sound at worst, and takes no part in the rest. Then
//! faults of six kinds are planted in one record in twenty each, in records of their own, and the stages run again. A fault is
//! found if its record is dropped for the reason that fits. Precision is the share of planted records among those dropped for
//! that reason.

mod faults;

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::{Path, PathBuf};

use dataset::collect::{Sources, collect};
use dataset::filter::Filter;
use dataset::process::Process;
use dataset::record::Kind;
use dataset::stage::Records;
use dataset::verify::{Verifier, Verify};
use dataset::{DataError, Reason, Record};
use faults::{Fault, plant};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [corpus, benchmark, rest @ ..] = arguments.as_slice() else {
        return Err("usage: planted CORPUS BENCHMARK [SEED [stdin]]".into());
    };
    let seed: u64 = rest.first().map_or(Ok(1), |seed| seed.parse())?;
    let folder = tempfile::tempdir()?;
    let convert = match rest.get(1).map(String::as_str) {
        None => None,
        Some("stdin") => Some(Kind::Stdin),
        Some(_) => return Err("problems can only be made problems of stdin".into()),
    };
    let pipeline = Pipeline::new(folder.path(), PathBuf::from(benchmark), convert)?;
    let clean = pipeline.collect(Path::new(corpus))?;
    let dropped = pipeline.run("clean", &clean)?;
    println!(
        "as it is: {} of {} dropped ({:.2} %)",
        dropped.len(),
        clean.len(),
        100.0 * dropped.len() as f64 / clean.len() as f64
    );
    for (id, reason) in &dropped {
        println!("  {id}: {}", reason.name());
    }
    let sound = clean
        .into_iter()
        .filter(|record| !dropped.contains_key(&record.id))
        .collect();
    let benchmark = pipeline.collect(Path::new(benchmark))?;
    let (records, planted) = plant(sound, &benchmark, seed);
    let dropped = pipeline.run("planted", &records)?;
    print_table(&planted, &dropped);
    Ok(())
}

/// The stages, in a folder.
struct Pipeline {
    folder: PathBuf,
    process: Process,
    filter: Filter,
    verifier: Verifier,
}

impl Pipeline {
    fn new(
        folder: &Path,
        benchmark: PathBuf,
        convert: Option<Kind>,
    ) -> Result<Pipeline, DataError> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let verify = Verify {
            mutants: 0,
            ..Verify::default()
        };
        Ok(Pipeline {
            folder: folder.to_owned(),
            process: Process {
                convert,
                ..Process::default()
            },
            filter: Filter {
                benchmarks: vec![benchmark],
                ..Filter::default()
            },
            verifier: Verifier::new(verify, cores)?,
        })
    }

    fn collect(&self, source: &Path) -> Result<Vec<Record>, DataError> {
        let out = self.folder.join("collected.jsonl");
        let sources = Sources {
            paths: vec![source.to_owned()],
            ..Sources::default()
        };
        collect(&[sources], &out)?;
        let records = Records::open(&out)?.collect();
        std::fs::remove_file(out)?;
        records
    }

    /// Run all stages; gives back what was dropped, and why.
    fn run(&self, name: &str, records: &[Record]) -> Result<BTreeMap<String, Reason>, DataError> {
        let file = |stage: &str| self.folder.join(format!("{name}-{stage}.jsonl"));
        let mut raw = std::fs::File::create(file("raw"))?;
        for record in records {
            writeln!(raw, "{}", serde_json::to_string(record).expect("a record"))?;
        }
        self.process
            .run(&file("raw"), &file("processed"), false, None)?;
        self.filter
            .run(&file("processed"), &file("filtered"), false)?;
        self.verifier
            .run(&file("filtered"), &file("verified"), false)?;
        let mut dropped = BTreeMap::new();
        for record in Records::open(&file("verified"))? {
            let record = record?;
            dropped.extend(record.dropped_by.map(|why| (record.id, why.reason)));
        }
        Ok(dropped)
    }
}

fn print_table(planted: &BTreeMap<String, Fault>, dropped: &BTreeMap<String, Reason>) {
    println!(
        "{:<22} {:>7} {:>6} {:>7} {:>9} {:>9}",
        "fault", "planted", "found", "recall", "others", "precision"
    );
    for fault in Fault::ALL {
        let of: BTreeSet<&String> = planted
            .iter()
            .filter(|(_, one)| **one == fault)
            .map(|(id, _)| id)
            .collect();
        // What was dropped for a reason that fits another fault of its own is not held against this one.
        let fits = |id: &String, reason: &Reason| match planted.get(id) {
            Some(other) if *other != fault => !other.reasons().contains(reason),
            _ => true,
        };
        let for_it: BTreeSet<&String> = dropped
            .iter()
            .filter(|(id, reason)| fault.reasons().contains(reason) && fits(id, reason))
            .map(|(id, _)| id)
            .collect();
        let found = of.intersection(&for_it).count();
        let share = |part: usize, whole: usize| {
            if whole == 0 {
                1.0
            } else {
                part as f64 / whole as f64
            }
        };
        println!(
            "{:<22} {:>7} {:>6} {:>7.3} {:>9} {:>9.3}",
            fault.name(),
            of.len(),
            found,
            share(found, of.len()),
            for_it.len() - found,
            share(found, for_it.len()),
        );
        for id in of.difference(&for_it) {
            println!(
                "  missed: {id} ({})",
                dropped.get(*id).map_or("kept", |reason| reason.name())
            );
        }
        for id in for_it.difference(&of) {
            println!(
                "  other: {id} ({})",
                planted.get(*id).map_or("sound", |fault| fault.name())
            );
        }
    }
}
