//! Problems that name a checker.

use serde_json::{Value, json};

use crate::lab::{Lab, outline, script, with};

fn checked(id: &str, code: &str, expected: &str, checker: Value) -> Value {
    with(script(id, code, &[("", expected)]), "checker", checker)
}

#[test]
fn a_checker_decides_in_place_of_the_comparator_under_every_profile() {
    let solutions = [
        checked("elsewhere", "print('1\\n2')", "1 2\n", json!("wcmp")),
        checked(
            "near",
            "print('5e-1')",
            "0.5000004\n",
            json!({"name": "rcmp6"}),
        ),
        checked("reordered", "print(2, 1)", "1 2\n", json!("uncmp")),
        checked("spelt-otherwise", "print('01')", "1\n", json!("icmp")),
        checked("other-case", "print('a')", "A\n", json!("wcmp")),
        checked("fails-itself", "print(1); 1/0", "1\n", json!("wcmp")),
    ];
    for profile in ["standard", "exact"] {
        let verdicts = Lab::new().judge(&solutions, &["--profile", profile, "--also", "lcb"]);
        insta::allow_duplicates! {
            insta::assert_snapshot!(outline(&verdicts), @r#"
            elsewhere accepted 1/1 [accepted wcmp]
            near accepted 1/1 [accepted rcmp6]
            reordered accepted 1/1 [accepted uncmp]
            spelt-otherwise wrong_answer 0/1 [wrong_answer wrong output format Expected integer, but "01" found]
            other-case wrong_answer 0/1 [wrong_answer wrong answer 1st words differ - expected: 'A', found: 'a']
            fails-itself runtime_error 0/1 [runtime_error exit=1]
            "#);
        }
        for verdict in &verdicts {
            assert_eq!(verdict["also"]["lcb"]["verdict"], verdict["verdict"]);
        }
    }
}

#[test]
fn a_rejection_carries_the_checkers_words() {
    let solutions = [
        checked("wrong", "print(1, 3)", "1 2\n", json!("ncmp")),
        checked("malformed", "print('maybe')", "YES\n", json!("yesno")),
        checked("too-much", "print(1, 1)", "1\n", json!("icmp")),
    ];
    let verdicts = Lab::new().judge(&solutions, &[]);
    let words: Vec<&Value> = verdicts
        .iter()
        .map(|it| &it["cases"][0]["message"])
        .collect();
    let expected = [
        "wrong answer 2nd numbers differ - expected: '2', found: '3'",
        "wrong output format YES or NO expected, but MAYBE found",
        "wrong output format Extra information in the output file",
    ];
    assert_eq!(words, expected);
}

#[test]
fn a_malformed_expected_output_decides_nothing() {
    let solutions = [checked("any", "print(1)", "one\n", json!("icmp"))];
    let lab = Lab::new();
    let verdict = &lab.judge(&solutions, &[])[0];
    let why = "FAIL Expected integer, but \"one\" found (answer)";
    assert_eq!(verdict["verdict"], "judge_failed");
    assert_eq!(verdict["message"], why);
    assert_eq!(verdict["reward"], Value::Null);
}

#[test]
fn livecodebenchs_harness_refuses_a_checker() {
    let solutions = [checked("any", "print(1)", "1\n", json!("icmp"))];
    let verdict = &Lab::new().judge(&solutions, &["--harness", "lcb", "--profile", "lcb"])[0];
    assert_eq!(verdict["verdict"], "judge_failed");
    let why = "LiveCodeBench has no problems with a checker: judge them without --harness lcb";
    assert_eq!(verdict["message"], why);
}

/// What the one checker of testlib's with points gives is how far an answer is off.
#[test]
fn points_for_a_distance() {
    let solutions = [
        checked("same", "print('3.000')", "3.0\n", json!("pointscmp")),
        checked("near", "print(3.001)", "3.0\n", json!("pointscmp")),
        checked("one-off", "print(4)", "3.0\n", json!("pointscmp")),
    ];
    let verdicts = Lab::new().judge(&solutions, &[]);
    insta::assert_snapshot!(outline(&verdicts), @r#"
    same accepted 1/1 [accepted pointscmp points 0.0 ja=3.0000 pa=3.0000]
    near wrong_answer 0/1 [wrong_answer points 0.001 ja=3.0000 pa=3.0010]
    one-off wrong_answer 0/1 [wrong_answer points 1.0 ja=3.0000 pa=4.0000]
    "#);
}
