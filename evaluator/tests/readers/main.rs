//! Problems and submissions of every known format, good and broken, through the public readers.

mod files;
mod formats;
mod fuzz;
#[cfg(feature = "parquet")]
mod generated_tests;
mod shapes;

use std::path::{Path, PathBuf};

use evaluator::readers::{self, Item, ReadError};
use evaluator::{TestCase, Tests};

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../fixtures/formats")
        .join(name)
}

fn results(path: &Path) -> Vec<Result<Item, ReadError>> {
    readers::submissions(&[path.to_owned()]).unwrap().collect()
}

fn written(folder: &tempfile::TempDir, name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).unwrap();
    path
}

fn stdin(cases: &[(&str, &str)]) -> Tests {
    let case = |(input, expected): &(&str, &str)| TestCase {
        input: (*input).to_owned(),
        expected: (*expected).to_owned(),
    };
    Tests::Stdin(cases.iter().map(case).collect())
}
