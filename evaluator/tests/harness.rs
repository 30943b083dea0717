//! The unit tests of the Python in harness/, each as a test of its own.

use std::path::{Path, PathBuf};
use std::process::Command;

use libtest_mimic::{Arguments, Failed, Trial};

/// Writes the name of every test, one a line.
const LIST: &str = "\
import sys, unittest
def names(tests):
    for test in tests:
        yield from names(test) if isinstance(test, unittest.TestSuite) else [test.id()]
print(*names(unittest.defaultTestLoader.discover('.')), sep='\\n')
";

fn main() {
    let arguments = Arguments::from_args();
    let listed = python(&["-c", LIST]).expect("the tests are found");
    let trials = listed.lines().map(|name| {
        let name = name.to_owned();
        Trial::test(name.clone(), move || {
            python(&["-m", "unittest", &name]).map(drop)
        })
    });
    libtest_mimic::run(&arguments, trials.collect()).exit();
}

/// Run the interpreter that judges too; what it wrote to standard output.
fn python(arguments: &[&str]) -> Result<String, Failed> {
    let harness = Path::new(env!("CARGO_MANIFEST_DIR")).join("harness");
    let interpreter = std::env::var_os("PYTHON").map_or_else(|| "python3".into(), PathBuf::from);
    let output = Command::new(interpreter)
        .args(["-B"])
        .args(arguments)
        .env(
            "PYTHONPATH",
            format!("{0}:{0}/../../sandbox/python", harness.display()),
        )
        .current_dir(harness)
        .output()?;
    if output.status.success() {
        Ok(String::from_utf8(output.stdout)?)
    } else {
        Err(String::from_utf8_lossy(&output.stderr).into_owned().into())
    }
}
