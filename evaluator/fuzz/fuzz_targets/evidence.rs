//! Any statement can be read for evidence, and any two outputs compared by it.
#![no_main]

use evaluator::compare::several_answers;
use evaluator::{Comparator, Comparison, Evidence, Profile};
use evaluator_fuzz::pair::Pair;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (&str, Pair)| {
    let (statement, Pair { expected, actual }) = input;
    let _ = several_answers(statement);
    let evidence = Evidence {
        statement: Some(statement),
        ..Evidence::default()
    };
    let comparator = Comparator::new(Profile::Standard, evidence);
    comparator.compare_text(&expected, &actual);
    assert!(matches!(
        comparator.compare_text(&expected, &expected),
        Comparison::Accepted(_)
    ));
});
