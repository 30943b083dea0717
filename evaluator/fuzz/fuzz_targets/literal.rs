//! Any text is a literal, or it is not: the parser neither panics nor takes long.
#![no_main]

use evaluator::literal;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let first = literal::parse(text);
    assert_eq!(format!("{first:?}"), format!("{:?}", literal::parse(text)));
});
