//! Where profiles disagree.

use serde_json::json;

use crate::lab::{Lab, function, script};

#[test]
fn profiles_are_told_apart_case_by_case() {
    let lab = Lab::new();
    lab.lines(
        "s.jsonl",
        &[
            script(
                "order",
                "print(1)\nprint('3 2')",
                &[("", "1\n2 3\n"), ("", "1\n3 2\n")],
            ),
            script("space", "print('a  b')", &[("", "a b\n")]),
            script("same", "print(1)", &[("", "1\n")]),
            function("float", "def f(): return 0.1 + 0.2", json!([]), json!(0.3)),
        ],
    );
    let judged = lab.run(&[
        "judge",
        "s.jsonl",
        "--also",
        "exact,lcb,paper",
        "--out",
        "v.jsonl",
    ]);
    assert_eq!(judged.code, Some(0), "{}", judged.stderr);
    let ran = lab.run(&["diff", "v.jsonl"]);
    assert_eq!(ran.code, Some(0));
    insta::assert_snapshot!(ran.stdout, @r#"
    order test 0: standard: wrong_answer (line 2, column 1: expected "2", found "3"); paper: accepted by multiset
    space test 0: standard: accepted by tokens; exact: wrong_answer (line 1, column 3: expected "b\\n", found " b\\n")
    space test 0: standard: accepted by tokens; lcb: wrong_answer (line 1, column 3: expected "b\\n", found " b\\n")
    float test 0: standard: accepted by numeric; exact: wrong_answer (expected "0.3", found "0.30000000000000004")
    float test 0: standard: accepted by numeric; lcb: wrong_answer (expected "0.3", found "0.30000000000000004")
    exact: different verdicts for 2 of 4 submissions, 2 tests
    lcb: different verdicts for 2 of 4 submissions, 2 tests
    paper: different verdicts for 1 of 4 submissions, 1 test
    "#);
}

#[test]
fn a_file_of_one_profile_has_nothing_to_tell() {
    let lab = Lab::new();
    lab.lines("s.jsonl", &[script("a", "print(1)", &[("", "1\n")])]);
    lab.run(&["judge", "s.jsonl", "--out", "v.jsonl"]);
    let ran = lab.run(&["diff", "v.jsonl"]);
    assert_eq!(ran.code, Some(3));
    insta::assert_snapshot!(ran.stderr, @r#"
    error: v.jsonl was judged under only one profile
    hint: judge with --also lcb,paper
    "#);
}

#[test]
fn two_files_are_matched_by_id() {
    let lab = Lab::new();
    let tests = [("", "1\n")];
    lab.lines(
        "s1.jsonl",
        &[
            script("a", "print(1)", &tests),
            script("b", "print(1)", &tests),
        ],
    );
    lab.lines(
        "s2.jsonl",
        &[
            script("b", "print(2)", &tests),
            script("c", "print(1)", &tests),
        ],
    );
    lab.run(&["judge", "s1.jsonl", "--out", "v1.jsonl"]);
    lab.run(&["judge", "s2.jsonl", "--out", "v2.jsonl"]);
    insta::assert_snapshot!(lab.run(&["diff", "v1.jsonl", "v2.jsonl"]).stdout, @r#"
    b: accepted; wrong_answer (line 1, column 1: expected "1", found "2") in test 0
    different verdicts for 1 of 1 submission; 1 only in v1.jsonl, 1 only in v2.jsonl
    "#);
}

#[test]
fn what_is_no_verdict_is_named_by_its_line() {
    let lab = Lab::new();
    lab.write("v.jsonl", "{\"id\": 1}\n");
    let ran = lab.run(&["diff", "v.jsonl"]);
    assert_eq!(ran.code, Some(3));
    insta::assert_snapshot!(ran.stderr, @r"
    error: v.jsonl:1: not a verdict: has no checksum
    hint: a line is read as `judge` wrote it; one that was changed, or was not all written, is damaged
    ");
}

#[test]
fn a_file_that_cannot_be_is_bad_input() {
    let lab = Lab::new();
    lab.lines("s.jsonl", &[script("a", "print(1)", &[("", "1 \n")])]);
    lab.run(&["judge", "s.jsonl", "--also", "exact", "--out", "v.jsonl"]);
    let mut verdict = lab.verdicts("v.jsonl").remove(0);
    verdict["cases"] = json!([]);
    lab.lines("no_case.jsonl", &[verdict]);
    lab.write("empty.jsonl", "");
    for (arguments, told) in [
        (
            &["no_case.jsonl"][..],
            "no_case.jsonl:1: not a verdict: its checksum is wrong\nhint: a line is read as `judge` wrote it; one that was changed, or was not all written, is damaged",
        ),
        (&["empty.jsonl"], "empty.jsonl: contains no verdicts"),
        (
            &["empty.jsonl", "v.jsonl"],
            "empty.jsonl: contains no verdicts",
        ),
        (
            &["v.jsonl", "empty.jsonl"],
            "empty.jsonl: contains no verdicts",
        ),
    ] {
        let ran = lab.run(&[&["diff"], arguments].concat());
        assert_eq!(ran.code, Some(3), "{arguments:?}");
        assert_eq!(ran.stderr, format!("error: {told}\n"));
    }
}
