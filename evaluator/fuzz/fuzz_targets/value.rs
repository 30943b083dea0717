//! As `text`, of the values that functions give back.
#![no_main]

use evaluator::{Comparator, Comparison, Evidence, Profile, literal};
use evaluator_fuzz::pair::Pair;
use evaluator_fuzz::reference;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|pair: Pair| {
    let parsed = |text: &[u8]| literal::parse(&String::from_utf8_lossy(text));
    let (Ok(expected), Ok(actual)) = (parsed(&pair.expected), parsed(&pair.actual)) else {
        return;
    };
    for profile in [
        Profile::Standard,
        Profile::Lcb,
        Profile::Exact,
        Profile::Paper,
    ] {
        let said = Comparator::new(profile, Evidence::default()).compare_value(&expected, &actual);
        if profile == Profile::Standard && matches!(said, Comparison::Accepted(_)) {
            assert!(
                reference::may_accept_value(&expected, &actual),
                "{said:?}: {expected:?} {actual:?}"
            );
        }
    }
});
