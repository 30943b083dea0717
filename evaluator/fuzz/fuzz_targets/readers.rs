//! A file of problems or solutions of any content is read, or refused with an error that names the place.
#![no_main]

use std::io::Write;

use evaluator::readers;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let mut file = tempfile::NamedTempFile::new().expect("a temporary file");
    file.write_all(bytes).expect("room for it");
    let paths = [file.path().to_owned()];
    let (problems, errors) = readers::problems(&paths);
    assert!(problems.iter().all(|problem| !problem.tests.is_empty()));
    for error in errors {
        assert!(!error.to_string().is_empty());
    }
    if let Ok(items) = readers::submissions(&paths) {
        items.take(1000).for_each(drop);
    }
});
