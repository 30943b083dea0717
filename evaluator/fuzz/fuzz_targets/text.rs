//! The profile `standard` never accepts what a slow, obvious reference rejects, and an output is always equal to itself.
#![no_main]

use evaluator::{Comparator, Comparison, Evidence, Profile, Strategy};
use evaluator_fuzz::pair::Pair;
use evaluator_fuzz::reference;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|pair: Pair| {
    let Pair { expected, actual } = pair;
    let standard = Comparator::new(Profile::Standard, Evidence::default());
    if let Comparison::Accepted(strategy) = standard.compare_text(&expected, &actual) {
        assert!(
            reference::may_accept(&expected, &actual),
            "accepted by {strategy:?}: {:?} for {:?}",
            String::from_utf8_lossy(&actual),
            String::from_utf8_lossy(&expected)
        );
    }
    for profile in [
        Profile::Standard,
        Profile::Lcb,
        Profile::Exact,
        Profile::Paper,
    ] {
        let comparator = Comparator::new(profile, Evidence::default());
        // Neither panics, and what explains a comparison comes to the same.
        let accepted = matches!(
            comparator.compare_text(&expected, &actual),
            Comparison::Accepted(_)
        );
        let explained = comparator.explain_text(&expected, &actual);
        let same = explained
            .iter()
            .any(|(_, finding)| *finding == evaluator::compare::Finding::Same);
        assert_eq!(accepted, same, "{profile:?}: {explained:?}");
    }
    assert_eq!(
        standard.compare_text(&expected, &expected),
        Comparison::Accepted(Strategy::Exact)
    );
});
