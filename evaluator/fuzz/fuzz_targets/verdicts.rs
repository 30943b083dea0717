//! A file of verdicts of any content is read, or refused.
#![no_main]

use std::io::Write;

use evaluator::jsonl::{self, JsonLines};
use evaluator::verdict::VerdictRecord;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let mut file = tempfile::NamedTempFile::new().expect("a temporary file");
    file.write_all(bytes).expect("room for it");
    let read = jsonl::read_all::<VerdictRecord>(file.path());
    // What resumes keeps every whole record, and leaves a file that can be read.
    if let Ok((lines, kept)) = JsonLines::<VerdictRecord>::resume_all(file.path()) {
        drop(lines);
        let again =
            jsonl::read_all::<VerdictRecord>(file.path()).expect("a resumed file can be read");
        assert_eq!(kept.len(), again.len());
        if let Ok(read) = read {
            assert!(read.len() <= kept.len() + 1);
        }
    }
});
