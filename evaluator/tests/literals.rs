//! Literals of Python, JSON and numpy, read as values. Expected values follow Python's own `ast.literal_eval` and `json.loads`.

use evaluator::Value::{
    self, BigInt, Bool, Bytes, Complex, Dict, Float, Int, List, None, Set, Str, Tuple,
};
use evaluator::literal::parse;
use proptest::prelude::*;

fn text(text: &str) -> Value {
    Str(text.to_owned())
}

fn ints(items: &[i64]) -> Vec<Value> {
    items.iter().copied().map(Int).collect()
}

#[test]
fn scalars() {
    let huge = || {
        "123456789012345678901234567890"
            .parse()
            .map(BigInt)
            .unwrap()
    };
    let cases = [
        ("0", Int(0)),
        ("-17", Int(-17)),
        ("+5", Int(5)),
        ("1_000", Int(1000)),
        ("0xff", Int(255)),
        ("0b101", Int(5)),
        ("0o17", Int(15)),
        ("9223372036854775807", Int(i64::MAX)),
        ("123456789012345678901234567890", huge()),
        ("1.5", Float(1.5)),
        ("1.", Float(1.0)),
        (".5", Float(0.5)),
        ("-2e-3", Float(-0.002)),
        ("1e400", Float(f64::INFINITY)),
        ("inf", Float(f64::INFINITY)),
        ("-inf", Float(f64::NEG_INFINITY)),
        ("-Infinity", Float(f64::NEG_INFINITY)),
        ("2j", Complex(0.0, 2.0)),
        ("1+2j", Complex(1.0, 2.0)),
        ("(1.5-2j)", Complex(1.5, -2.0)),
        ("None", None),
        ("null", None),
        ("True", Bool(true)),
        ("false", Bool(false)),
        ("np.int64(3)", Int(3)),
        ("np.float64(0.5)", Float(0.5)),
        ("np.True_", Bool(true)),
        ("float('inf')", Float(f64::INFINITY)),
        ("  7\n", Int(7)),
    ];
    for (written, value) in cases {
        assert_eq!(parse(written), Ok(value), "{written}");
    }
    for written in ["nan", "NaN", "-nan", "float('nan')"] {
        assert!(
            matches!(parse(written), Ok(Float(real)) if real.is_nan()),
            "{written}"
        );
    }
}

#[test]
fn strings() {
    let cases = [
        (r#""abc""#, "abc"),
        ("'a\"b'", "a\"b"),
        (r"'it\'s'", "it's"),
        (r"'a\n\t\\b'", "a\n\t\\b"),
        (r"'\x41\u00e9\U0001F600'", "Aé😀"),
        (r#""\ud83d\ude00 \/""#, "😀 /"),
        (r"'\101\0'", "A\0"),
        (r"r'\n'", "\\n"),
        ("'''a\n'b''c'''", "a\n'b''c"),
        ("\"\"\"x\"\"\"", "x"),
        ("'a' 'b' \"c\"", "abc"),
        ("'a\\\nb'", "ab"),
        (r"'\q'", "\\q"),
        ("''", ""),
        ("'[1, 2'", "[1, 2"),
    ];
    for (written, value) in cases {
        assert_eq!(parse(written), Ok(text(value)), "{written}");
    }
    assert_eq!(parse(r"b'a\xff\n'"), Ok(Bytes(b"a\xff\n".to_vec())));
    assert_eq!(parse("b'a' b'b'"), Ok(Bytes(b"ab".to_vec())));
}

#[test]
fn containers() {
    let cases = [
        ("[]", List(vec![])),
        ("[1, 2,]", List(ints(&[1, 2]))),
        ("()", Tuple(vec![])),
        ("(1,)", Tuple(ints(&[1]))),
        ("(1)", Int(1)),
        ("(1, 2)", Tuple(ints(&[1, 2]))),
        ("{}", Dict(vec![])),
        (
            "{1: 'a', 'b': [2]}",
            Dict(vec![(Int(1), text("a")), (text("b"), List(ints(&[2])))]),
        ),
        ("{1, 2}", Set(ints(&[1, 2]))),
        ("{(1, 2)}", Set(vec![Tuple(ints(&[1, 2]))])),
        ("set()", Set(vec![])),
        ("frozenset({1})", Set(ints(&[1]))),
        ("deque([1, 2], maxlen=3)", List(ints(&[1, 2]))),
        ("Counter({'a': 1})", Dict(vec![(text("a"), Int(1))])),
        ("[1 2 3]", Value::Array(ints(&[1, 2, 3]))),
        (
            "[[1 2]\n [3 4]]",
            Value::Array(vec![
                Value::Array(ints(&[1, 2])),
                Value::Array(ints(&[3, 4])),
            ]),
        ),
        ("[1. 2.5]", Value::Array(vec![Float(1.0), Float(2.5)])),
        ("[ True False]", Value::Array(vec![Bool(true), Bool(false)])),
        ("array([1, 2], dtype=int32)", Value::Array(ints(&[1, 2]))),
        ("[np.int64(1), np.int64(2)]", List(ints(&[1, 2]))),
        (
            "{\"a\": [true, null]}",
            Dict(vec![(text("a"), List(vec![Bool(true), None]))]),
        ),
    ];
    for (written, value) in cases {
        assert_eq!(parse(written), Ok(value), "{written}");
    }
}

#[test]
fn errors_name_the_place() {
    let cases = [
        ("", "line 1, column 1: expected a value, found the end"),
        ("[1, 2", "line 1, column 6: expected ',' or ']'"),
        ("[1,\n  foo]", "line 2, column 3: unknown name \"foo\""),
        ("1 2", "line 1, column 3: text after the end of the literal"),
        ("'abc", "line 1, column 1: string without an end"),
        ("['é', 'a\n']", "line 1, column 9: line end inside a string"),
        ("007", "line 1, column 1: leading zero in \"007\""),
        ("{1: 2, 3}", "line 1, column 9: expected ':'"),
        (
            "[1 2, 3]",
            "line 1, column 5: expected the items of a list all with commas between, or none",
        ),
        (
            "__import__('os')",
            "line 1, column 1: cannot read a call of \"__import__\"",
        ),
        ("1__0", "line 1, column 1: misplaced underscore in \"1__0\""),
        ("'\\ud800'", "line 1, column 1: half of a surrogate pair"),
        ("1 + 2", "line 1, column 3: expected a number"),
        ("[1, ...]", "line 1, column 5: expected a number"),
    ];
    for (written, message) in cases {
        assert_eq!(
            parse(written).map_err(|error| error.to_string()),
            Err(message.to_owned()),
            "{written}"
        );
    }
}

#[test]
fn depth_and_digits_are_capped() {
    let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    assert!(parse(&nested(100)).is_ok());
    assert!(
        parse(&nested(100_000))
            .unwrap_err()
            .message
            .contains("nested")
    );
    assert!(
        parse(&"9".repeat(1_000_000))
            .unwrap_err()
            .message
            .contains("digits")
    );
}

/// Any value that has a literal, with its literal as Python's `repr` writes it.
fn literals() -> impl Strategy<Value = (Value, String)> {
    let leaf = prop_oneof![
        Just((None, "None".to_owned())),
        any::<bool>()
            .prop_map(|truth| (Bool(truth), if truth { "True" } else { "False" }.to_owned())),
        any::<i64>().prop_map(|whole| (Int(whole), whole.to_string())),
        any::<f64>()
            .prop_filter("nan is not equal to itself", |real| !real.is_nan())
            .prop_map(|real| {
                let written = format!("{real:?}");
                (Float(real), written)
            }),
        "[a-z'\"é😀 ]{0,6}".prop_map(|body| {
            let written = format!("'{}'", body.replace('\'', "\\'"));
            (Str(body), written)
        }),
    ];
    leaf.prop_recursive(4, 40, 5, |inner| {
        let items = prop::collection::vec(inner, 0..5);
        items.clone().prop_flat_map(|items| {
            let (values, texts): (Vec<Value>, Vec<String>) = items.into_iter().unzip();
            let joined = texts.join(", ");
            prop_oneof![
                Just((List(values.clone()), format!("[{joined}]"))),
                Just((
                    Tuple(values),
                    if texts.len() == 1 {
                        format!("({joined},)")
                    } else {
                        format!("({joined})")
                    }
                )),
            ]
        })
    })
}

proptest! {
    #[test]
    fn reads_back_what_was_written((value, written) in literals()) {
        prop_assert_eq!(parse(&written), Ok(value));
    }

    #[test]
    fn never_panics(written in "[\\[\\](){},:'\"\\\\a-z0-9.+jx_ é\n-]{0,40}") {
        let _ = parse(&written);
    }
}
