//! checkers known by name decide on any two outputs, and those on tokens as an obvious reference does.
#![no_main]

use evaluator::checker::StandardChecker;
use evaluator_fuzz::pair::Pair;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|pair: Pair| {
    let Pair { expected, actual } = pair;
    for checker in StandardChecker::ALL {
        let _ = checker.check(&[], &expected, &actual);
    }
    let tokens = |text: &[u8]| -> Vec<Vec<u8>> {
        let tokens = text.split(|byte| b" \t\r\n".contains(byte));
        tokens
            .filter(|token| !token.is_empty())
            .map(<[u8]>::to_vec)
            .collect()
    };
    // testlib ends a file at the first byte 0xFF or, where it is a token's, takes it for the end of file.
    if !expected.contains(&0xFF) && !actual.contains(&0xFF) {
        let words = StandardChecker::named("wcmp").expect("a checker of testlib's");
        assert_eq!(
            words.check(&[], &expected, &actual).is_ok(),
            tokens(&expected) == tokens(&actual)
        );
    }
});
