//! What must hold for any output, on generated ones, in the `standard` profile.

use evaluator::{Comparator, Comparison, Declared, Evidence, Profile, Strategy as Accepted, Value};
use proptest::prelude::*;

fn standard() -> Comparator {
    Comparator::new(Profile::Standard, Evidence::default())
}

fn any_order() -> Comparator {
    let declared = Declared {
        any_order: true,
        ..Declared::default()
    };
    let evidence = Evidence {
        declared,
        statement: None,
    };
    Comparator::new(Profile::Standard, evidence)
}

fn accepts(comparator: &Comparator, expected: &[u8], actual: &[u8]) -> bool {
    matches!(
        comparator.compare_text(expected, actual),
        Comparison::Accepted(_)
    )
}

/// Rows of whole numbers and words, as most outputs are.
fn rows() -> impl Strategy<Value = Vec<Vec<String>>> {
    let token = prop_oneof![
        "[1-9][0-9]{0,20}",
        "-[1-9][0-9]{0,3}",
        "[a-zA-Z]{1,5}",
        Just("0".to_owned())
    ];
    prop::collection::vec(prop::collection::vec(token, 1..5), 1..5)
}

fn text(rows: &[Vec<String>], gap: &str, end: &str) -> Vec<u8> {
    rows.iter()
        .map(|row| row.join(gap) + end)
        .collect::<String>()
        .into_bytes()
}

proptest! {
    #[test]
    fn the_same_bytes_are_always_accepted(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let said = standard().compare_text(&bytes, &bytes);
        prop_assert_eq!(said, Comparison::Accepted(Accepted::Exact));
    }

    #[test]
    fn any_bytes_are_compared_without_a_panic(left in prop::collection::vec(any::<u8>(), 0..80), right in prop::collection::vec(any::<u8>(), 0..80)) {
        for &profile in Profile::ALL {
            let comparator = Comparator::new(profile, Evidence::default());
            comparator.compare_text(&left, &right);
            comparator.explain_text(&left, &right);
        }
    }

    #[test]
    fn line_ends_and_gaps_say_nothing(rows in rows(), gap in "[ ]{1,3}|\t", end in prop::sample::select(vec!["\n", "\r\n", " \n", "\n\n", "\t\r\n"])) {
        prop_assert!(accepts(&standard(), &text(&rows, " ", "\n"), &text(&rows, &gap, end)));
    }

    /// Without reals, tokens decide: other rows are another answer.
    #[test]
    fn other_tokens_are_another_answer(left in rows(), right in rows()) {
        prop_assume!(left != right);
        prop_assert!(!accepts(&standard(), &text(&left, " ", "\n"), &text(&right, " ", "\n")));
    }

    #[test]
    fn one_changed_byte_is_another_answer(rows in rows(), at in any::<prop::sample::Index>(), byte in b'0'..=b'z') {
        let expected = text(&rows, " ", "\n");
        let mut actual = expected.clone();
        let at = at.index(actual.len());
        prop_assume!(actual[at] != byte);
        actual[at] = byte;
        prop_assert!(!accepts(&standard(), &expected, &actual), "{:?}", String::from_utf8_lossy(&actual));
    }

    #[test]
    fn a_part_of_the_lines_is_not_the_answer(rows in rows(), kept in any::<prop::sample::Index>()) {
        let kept = kept.index(rows.len());
        let (whole, part) = (text(&rows, " ", "\n"), text(&rows[..kept], " ", "\n"));
        prop_assert!(!accepts(&standard(), &whole, &part));
        prop_assert!(!accepts(&standard(), &part, &whole));
        prop_assert!(!accepts(&any_order(), &whole, &part));
    }

    #[test]
    fn any_order_is_admitted_by_declaration_alone(rows in rows().prop_flat_map(|rows| (Just(rows.clone()), Just(rows).prop_shuffle()))) {
        let (expected, actual) = (text(&rows.0, " ", "\n"), text(&rows.1, " ", "\n"));
        // A count or a yes at the head stays where it is.
        let head = |row: &[String]| row.len() == 1;
        prop_assume!(!head(&rows.0[0]));
        prop_assert!(accepts(&any_order(), &expected, &actual));
        prop_assert_eq!(accepts(&standard(), &expected, &actual), rows.0 == rows.1);
    }

    /// Without a stated tolerance, reals that are taken for one another differ in no digit that a reader would look at.
    #[test]
    fn reals_are_taken_for_near_ones_alone(wanted in -1e6f64..1e6, offset in -1e-5f64..1e-5) {
        let found = wanted + offset;
        let accepted = accepts(&standard(), format!("{wanted:?}").as_bytes(), format!("{found:?}").as_bytes());
        prop_assert!(!accepted || offset.abs() < 1.01e-6);
        prop_assert!(accepted || offset.abs() > 0.99e-9);
    }

    #[test]
    fn values_are_the_same_as_themselves_alone(items in prop::collection::vec(any::<i64>(), 0..6), changed in any::<prop::sample::Index>()) {
        let list = |items: &[i64]| Value::List(items.iter().copied().map(Value::Int).collect());
        let tuple = Value::Tuple(items.iter().copied().map(Value::Int).collect());
        prop_assert_eq!(standard().compare_value(&list(&items), &list(&items)), Comparison::Accepted(Accepted::Exact));
        prop_assert_eq!(standard().compare_value(&list(&items), &tuple), Comparison::Accepted(Accepted::Typed));
        prop_assume!(!items.is_empty());
        let mut other = items.clone();
        let at = changed.index(items.len());
        other[at] = other[at].wrapping_add(1);
        match standard().compare_value(&list(&items), &list(&other)) {
            Comparison::Accepted(strategy) => prop_assert!(false, "accepted by {strategy:?}"),
            Comparison::Rejected(difference) => prop_assert_eq!(difference.path, Some(format!("[{at}]"))),
        }
    }
}
