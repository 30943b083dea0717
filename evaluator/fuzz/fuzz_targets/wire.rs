//! What comes out of a box is plain data, or it is refused, whatever its bytes.
#![no_main]

use evaluator::Value;
use evaluator::value::{DataBudget, wire};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let _ = wire::returned(bytes, &DataBudget::of_result(&Value::None));
});
