//! Runs mc-eval and its peers side by side on the same honest programs, and prints programs and tests per second, CPU
//! seconds, and how many times as fast mc-eval is.
//!
//! `cargo bench -p benches --bench peers`. Every contender judges the same files with as many workers; the order turns
//! round from one repetition to the next; each figure is the median over the repetitions, each ratio the median of the
//! ratios within a repetition. Time is by the clock from start to end of the whole run, start-up included.

mod contenders;
mod workload;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use contenders::{Contender, Setting};
use workload::Workload;

/// Odd, so that a median is a measured value.
const REPETITIONS: usize = 3;

/// One run of one contender.
#[derive(Clone, Copy)]
struct Measured {
    seconds: f64,
    cpu_seconds: f64,
}

fn main() {
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let python = real_python();
    let contenders = contenders::all(&mc_eval(), &python);
    println!(
        "{workers} workers, {}, medians of {REPETITIONS} repetitions",
        version(&python)
    );
    for contender in contenders
        .iter()
        .filter_map(|contender| contender.missing.as_ref())
    {
        println!("left out: {contender}");
    }
    for workload in [
        Workload::new("one test each", 900, 1),
        Workload::new("ten stdio tests each", 300, 10),
        Workload::mix("one to five tests each, which compute", 540),
    ] {
        let present: Vec<&Contender> = contenders.iter().filter(|c| c.missing.is_none()).collect();
        let setting = Setting::new(&workload, workers).expect("write the workload");
        let measured = race(&present, &setting, workload.programs());
        print_table(&workload, &present, &measured);
        if workload.is_mix {
            let floor = setting.candidates_cpu_seconds() / workers as f64;
            let ours = median(measured[0].iter().map(|run| run.seconds));
            println!(
                "mc-eval judge takes {:.2} times the programs' own CPU time over the workers",
                ours / floor
            );
        }
    }
}

/// Let each contender run once per repetition; the measurements by contender.
fn race(contenders: &[&Contender], setting: &Setting, programs: usize) -> Vec<Vec<Measured>> {
    let mut measured = vec![Vec::new(); contenders.len()];
    for repetition in 0..REPETITIONS {
        for turn in 0..contenders.len() {
            let who = if repetition % 2 == 0 {
                turn
            } else {
                contenders.len() - 1 - turn
            };
            measured[who].push(measure(contenders[who], setting, programs));
        }
    }
    measured
}

fn measure(contender: &Contender, setting: &Setting, programs: usize) -> Measured {
    let (cpu, start) = (children_cpu_seconds(), Instant::now());
    let accepted = (contender.run)(setting);
    let seconds = start.elapsed().as_secs_f64();
    assert_eq!(
        accepted, programs,
        "{} did not accept every program",
        contender.name
    );
    Measured {
        seconds,
        cpu_seconds: children_cpu_seconds() - cpu,
    }
}

/// CPU time of all processes that were waited for, theirs included: fields 16 and 17 of /proc/self/stat, in hundredths.
fn children_cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").expect("/proc/self/stat");
    let fields = stat
        .rsplit_once(')')
        .expect("a command name")
        .1
        .split_whitespace();
    fields
        .skip(13)
        .take(2)
        .map(|ticks| ticks.parse::<f64>().expect("a number") / 100.0)
        .sum()
}

fn print_table(workload: &Workload, contenders: &[&Contender], measured: &[Vec<Measured>]) {
    println!(
        "\n{} programs, {} ({} tests)",
        workload.programs(),
        workload.name,
        workload.tests()
    );
    println!(
        "{:44} {:>10} {:>10} {:>8} {:>15}",
        "", "programs/s", "tests/s", "CPU s", "mc-eval is"
    );
    for (contender, runs) in contenders.iter().zip(measured) {
        let seconds = median(runs.iter().map(|run| run.seconds));
        let cpu_seconds = if contender.waits {
            format!("{:.2}", median(runs.iter().map(|run| run.cpu_seconds)))
        } else {
            "unknown".to_owned()
        };
        let ratio = median(
            runs.iter()
                .zip(&measured[0])
                .map(|(run, ours)| run.seconds / ours.seconds),
        );
        println!(
            "{:44} {:>10.1} {:>10.1} {:>8} {:>8.2}x as fast",
            contender.name,
            workload.programs() as f64 / seconds,
            workload.tests() as f64 / seconds,
            cpu_seconds,
            ratio,
        );
    }
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// The release binary, built now.
fn mc_eval() -> PathBuf {
    let cargo = std::env::var_os("CARGO").expect("run by cargo bench");
    let built = Command::new(cargo)
        .args(["build", "--quiet", "--release", "-p", "evaluator"])
        .status();
    assert!(
        built.is_ok_and(|status| status.success()),
        "cannot build mc-eval"
    );
    let bench = std::env::current_exe().expect("the path of this bench");
    let release = bench.ancestors().nth(2).expect("target/release/deps/peers");
    release.join("mc-eval")
}

/// `python3`, or `MC_EVAL_PYTHON`, with a version manager's shim resolved, so that no peer pays for the shim.
fn real_python() -> PathBuf {
    let given = std::env::var_os("MC_EVAL_PYTHON").unwrap_or_else(|| "python3".into());
    let asked = Command::new(given)
        .args(["-c", "import sys; print(sys.executable)"])
        .output()
        .expect("python3");
    PathBuf::from(String::from_utf8(asked.stdout).expect("a path").trim())
}

fn version(python: &Path) -> String {
    let asked = Command::new(python)
        .arg("--version")
        .output()
        .expect("python3 --version");
    String::from_utf8_lossy(&asked.stdout).trim().to_owned()
}
