//! Judges the programs of fixtures/languages through the binary, each reported as a test of its own.
//!
//! The folder of a file is its language, and what its name begins with is its verdict. After each comes an honest program of
//! that language, which must not suffer by it. A language that is not installed here fails its tests: what is not there is not
//! tested.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, OnceLock};

use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::{Value, json};

/// Verdicts that a name may begin with.
const VERDICTS: [&str; 7] = [
    "accepted",
    "compile_error",
    "memory_limit",
    "output_limit",
    "runtime_error",
    "time_limit",
    "wrong_answer",
];

/// Languages that the engine for WebAssembly plays.
const ENGINE: [&str; 4] = ["c-wasi", "cpp-wasi", RUST_TO_WASI, "wat"];

const RUST_TO_WASI: &str = "rust-wasi";

/// In the name of a program that a compiler never comes to the end of.
const ENDLESS: &str = "compile_error_endless_";

/// What a compiler has for such a program, in seconds: less than it usually has, as nothing but waiting depends on it.
const SHORT: i64 = 8;

/// The languages as they are built in.
const TABLE: &str = include_str!("../src/languages/table.toml");

fn main() {
    let arguments = Arguments::from_args();
    let programs = programs();
    let verdicts = Arc::new(OnceLock::new());
    let has_rust_to_wasi = has_rust_to_wasi();
    let trials = programs.iter().map(|path| {
        let (name, verdicts, programs) = (name(path), verdicts.clone(), programs.clone());
        let is_ignored = language(path) == RUST_TO_WASI && !has_rust_to_wasi;
        let trial = Trial::test(name.clone(), move || {
            let verdicts: &Result<BTreeMap<String, Value>, String> =
                verdicts.get_or_init(|| judge(&programs));
            expect(&name, verdicts.as_ref()?)
        });
        trial.with_ignored_flag(is_ignored)
    });
    let trials = trials.collect();
    libtest_mimic::run(&arguments, trials).exit();
}

/// Whether rustc can compile to WASI: the library for it comes from rustup, which not every machine can reach.
fn has_rust_to_wasi() -> bool {
    let place = Command::new("rustc")
        .args(["--print", "target-libdir", "--target", "wasm32-wasip1"])
        .output();
    place.is_ok_and(|place| Path::new(String::from_utf8_lossy(&place.stdout).trim()).is_dir())
}

fn expect(name: &str, verdicts: &BTreeMap<String, Value>) -> Result<(), Failed> {
    let (_, file) = name.split_once('/').ok_or("no language")?;
    let wanted = VERDICTS.iter().find(|verdict| file.starts_with(*verdict));
    let wanted = wanted.ok_or("its name begins with no verdict")?;
    let after = after(name);
    for (id, wanted) in [(name, *wanted), (&after, "accepted")] {
        let verdict = verdicts.get(id).ok_or("no verdict")?;
        if verdict["verdict"] != wanted {
            return Err(format!("{id} should get {wanted}: {verdict}").into());
        }
    }
    Ok(())
}

/// The id of the honest program that comes after another.
fn after(name: &str) -> String {
    format!("after {name}")
}

/// Every program, in the order of their names.
fn programs() -> Vec<PathBuf> {
    let mut folders = entries(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/languages"));
    // What needs the engine for WebAssembly can be left out of a build.
    let needs_engine = |folder: &PathBuf| ENGINE.iter().any(|name| folder.ends_with(name));
    folders.retain(|folder| cfg!(feature = "wasm") || !needs_engine(folder));
    let programs: Vec<PathBuf> = folders.iter().flat_map(|folder| entries(folder)).collect();
    assert!(programs.len() > 50, "fixtures/languages is small");
    programs
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{folder:?}: {error}"));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

/// Language and file.
fn name(path: &Path) -> String {
    let file = path.file_name().expect("a name").display();
    format!("{}/{file}", language(path))
}

fn language(path: &Path) -> String {
    let folder = path.parent().and_then(Path::file_name);
    folder.expect("a folder").display().to_string()
}

/// The sum of two numbers, which no 32 bits hold. Only programs that have to meet their time limit have a short one: no other
/// depends on how fast the machine is.
fn problem(time_limit: u64) -> Value {
    let pairs = [
        (123_456_789_u64, 987_654_321_u64),
        (700_000_001, 31_000_000_000),
    ];
    let tests = pairs
        .map(|(a, b)| json!({"input": format!("{a} {b}\n"), "output": format!("{}\n", a + b)}));
    json!({"id": problem_id(time_limit), "kind": "stdin", "tests": tests, "time_limit": time_limit, "memory_limit": 192})
}

fn problem_id(time_limit: u64) -> String {
    format!("sum-{time_limit}s")
}

/// In seconds, for a program whose file is called so.
fn time_limit(file: &str) -> u64 {
    if file.starts_with("time_limit") {
        2
    } else {
        10
    }
}

/// Of a program that its language's compiler never comes to the end of.
fn hasty(language: &str) -> String {
    format!("hasty-{language}")
}

/// The languages of such programs, once more and with less time for the compiler.
fn table(programs: &[PathBuf]) -> String {
    let built_in: toml::Table = TABLE.parse().expect("the table of languages");
    let endless = programs.iter().filter(|path| name(path).contains(ENDLESS));
    let hasty = endless.map(|path| {
        let mut entry = built_in[language(path).as_str()].clone();
        entry["names"] = toml::Value::Array(Vec::new());
        entry["endings"] = toml::Value::Array(Vec::new());
        let fields = entry.as_table_mut().expect("a table");
        fields.insert("compile_time".to_owned(), SHORT.into());
        (hasty(&language(path)), entry)
    });
    hasty.collect::<toml::Table>().to_string()
}

fn judge(programs: &[PathBuf]) -> Result<BTreeMap<String, Value>, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let place = |file: &str| folder.path().join(file);
    let line = |id: String, path: &Path| {
        let code = fs::read_to_string(path).expect("a program in UTF-8");
        let file = path.file_name().and_then(|file| file.to_str());
        let file = file.expect("a name");
        let mut language = language(path);
        if file.starts_with(ENDLESS) {
            language = hasty(&language);
        }
        let problem = problem_id(time_limit(file));
        let line = json!({"id": id, "problem_id": problem, "language": language, "code": code});
        format!("{line}\n")
    };
    let solution = |path: &PathBuf| {
        let ending = path.extension().expect("an ending").display();
        let honest = path.with_file_name(format!("accepted_plain.{ending}"));
        line(name(path), path) + &line(after(&name(path)), &honest)
    };
    let files = [
        (
            "problems.jsonl",
            [2, 10]
                .map(|limit| format!("{}\n", problem(limit)))
                .concat(),
        ),
        ("solutions.jsonl", programs.iter().map(solution).collect()),
        ("table.toml", table(programs)),
    ];
    for (name, text) in files {
        fs::write(place(name), text).map_err(|error| error.to_string())?;
    }
    let output = Command::new(env!("CARGO_BIN_EXE_mc-eval"))
        .args([Path::new("judge"), &place("solutions.jsonl")])
        .args([Path::new("--problems"), &place("problems.jsonl")])
        .args(["--first-failure", "--no-dedup"])
        .args([Path::new("--languages"), &place("table.toml")])
        .output()
        .map_err(|error| format!("start mc-eval: {error}"))?;
    let verdicts: Result<Vec<Value>, _> = String::from_utf8_lossy(&output.stdout)
        .lines()
        .map(serde_json::from_str)
        .collect();
    let verdicts = verdicts.map_err(|error| format!("a verdict line: {error}"))?;
    if verdicts.is_empty() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let with_id = |verdict: Value| {
        (
            verdict["id"].as_str().unwrap_or_default().to_owned(),
            verdict,
        )
    };
    Ok(verdicts.into_iter().map(with_id).collect())
}
