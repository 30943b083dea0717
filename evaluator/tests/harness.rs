//! The unit tests of the Python in harness/, each as a test of its own, which one interpreter runs.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use libtest_mimic::{Arguments, Failed, Trial};

/// Runs every test; writes its name and what is wrong with it as a JSON object. What tests print goes to standard error.
const RUN: &str = "\
import json, os, sys, unittest
told = os.fdopen(os.dup(1), 'w')
os.dup2(2, 1)
def each(tests):
    for test in tests:
        yield from each(test) if isinstance(test, unittest.TestSuite) else [test]
def wrong(test):
    result = unittest.TestResult()
    unittest.TestSuite([test]).run(result)
    said = ''.join(text for _, text in result.errors + result.failures)
    return '' if result.wasSuccessful() else said or 'succeeds unexpectedly'
told.write(json.dumps({test.id(): wrong(test) for test in each(unittest.defaultTestLoader.discover('.'))}))
told.close()
";

fn main() {
    let arguments = Arguments::from_args();
    let trials = run().into_iter().map(|(name, wrong)| {
        Trial::test(name, move || match wrong.is_empty() {
            true => Ok(()),
            false => Err(Failed::from(wrong)),
        })
    });
    libtest_mimic::run(&arguments, trials.collect()).exit();
}

/// What is wrong with each test, by its name: with most, nothing. It is the interpreter that judges too.
fn run() -> BTreeMap<String, String> {
    let harness = Path::new(env!("CARGO_MANIFEST_DIR")).join("harness");
    let interpreter = std::env::var_os("PYTHON").map_or_else(|| "python3".into(), PathBuf::from);
    let output = Command::new(interpreter)
        .args(["-B", "-c", RUN])
        .env(
            "PYTHONPATH",
            format!("{0}:{0}/../../sandbox/python", harness.display()),
        )
        .current_dir(harness)
        .output()
        .expect("python3 starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {said}"))
}
