//! `mc-eval compare`, through the binary.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use tempfile::TempDir;

/// Runs `mc-eval compare` in a folder with the given files; the exit code and both outputs.
fn compare(files: &[(&str, &str)], arguments: &[&str]) -> String {
    let folder = TempDir::new().unwrap();
    for (name, text) in files {
        fs::write(folder.path().join(name), text).unwrap();
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_mc-eval"));
    let output = command
        .current_dir(folder.path())
        .arg("compare")
        .args(arguments)
        .output()
        .unwrap();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    format!(
        "exit {}\n{}{}",
        output.status.code().unwrap(),
        text(&output.stdout),
        text(&output.stderr)
    )
}

#[test]
fn two_files_alike() {
    let said = compare(
        &[("a", "0.3\n"), ("b", "0.30000000000000004\r\n")],
        &["a", "b"],
    );
    insta::assert_snapshot!(said, @r#"
    exit 0
    accepted by numeric
    "#);
}

#[test]
fn two_files_apart() {
    let said = compare(&[("a", "1 2\n3 4\n"), ("b", "1 2\n\n3  5\n")], &["a", "b"]);
    insta::assert_snapshot!(said, @r#"
    exit 10
    differs at line 3, column 4: expected "4", found "5"
    "#);
    let said = compare(&[("a", "1\n2\n"), ("b", "1\n")], &["a", "b"]);
    insta::assert_snapshot!(said, @r#"
    exit 10
    differs at line 2, column 1: expected "2", found nothing more
    "#);
    let said = compare(&[("a", "1\n"), ("b", "1\n2\n")], &["a", "b"]);
    insta::assert_snapshot!(said, @r#"
    exit 10
    differs at line 2, column 1: expected nothing more, found "2"
    "#);
    let said = compare(&[("a", " *\n**\n"), ("b", "*\n**\n")], &["a", "b"]);
    insta::assert_snapshot!(said, @r#"
    exit 10
    differs at line 1, column 1: expected " *", found "*"
    "#);
    let long = "x".repeat(500);
    let said = compare(
        &[
            ("a", &format!("{long}y{long}\n")),
            ("b", &format!("{long}z{long}\n")),
        ],
        &["a", "b"],
    );
    insta::assert_snapshot!(said, @r#"
    exit 10
    differs at line 1, column 501: expected "…xxxxxxxxxxyxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…", found "…xxxxxxxxxxzxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…"
    "#);
}

#[test]
fn profiles_differ() {
    let files = [("a", "1 2 3\n"), ("b", "3 2 1\n")];
    let said: Vec<String> = ["standard", "lcb", "exact", "paper"]
        .iter()
        .map(|profile| {
            format!(
                "{profile}: {}",
                compare(&files, &["a", "b", "--profile", profile])
            )
        })
        .collect();
    insta::assert_snapshot!(said.concat(), @r#"
    standard: exit 10
    differs at line 1, column 1: expected "1", found "3"
    lcb: exit 10
    differs at line 1, column 1: expected "1", found "3"
    exact: exit 10
    differs at line 1, column 1: expected "1", found "3"
    paper: exit 0
    accepted by multiset
    "#);
}

#[test]
fn explains_each_strategy() {
    let said = compare(
        &[("a", "1 0.5\nyes\n"), ("b", "1  0.50\nyes\n")],
        &["a", "b", "--explain"],
    );
    insta::assert_snapshot!(said, @r#"
    exit 0
    exact       admitted  differs at expected line 1  (always)
    whitespace  admitted  differs at expected line 1  (always)
    tokens      admitted  differs at expected line 1  (where the spacing between tokens carries no meaning)
    numeric     admitted  same  (for real-valued tokens, within 1e-9)
    typed       admitted  not asked: a stricter strategy accepted  (for literals of the same kind and order)
    rounding    admitted  not asked: a stricter strategy accepted  (where a real is expected with six or more decimal places)
    word_case   refused   not asked  (nothing says that letter case does not matter)
    multiset    refused   not asked  (nothing says that the order does not matter)
    set         refused   not asked  (repeated items count; only the paper profile ignores them)
    accepted by numeric
    "#);
    let said = compare(
        &[("a", "1\n"), ("b", "2\n")],
        &["a", "b", "--explain", "--profile", "paper"],
    );
    insta::assert_snapshot!(said, @r#"
    exit 10
    exact       admitted  differs  (always in paper)
    whitespace  admitted  differs  (always in paper)
    tokens      admitted  differs  (always in paper)
    numeric     admitted  differs  (always in paper)
    typed       admitted  differs  (always in paper)
    rounding    admitted  differs  (always in paper)
    word_case   admitted  differs  (always in paper)
    multiset    admitted  differs  (always in paper)
    set         admitted  differs  (always in paper)
    differs at line 1, column 1: expected "1", found "2"
    "#);
}

#[test]
fn pairs_keep_their_order() {
    let pairs = concat!(
        "{\"id\": \"a\", \"expected\": \"1\", \"actual\": \"1\\n\"}\n",
        "\n",
        "{\"id\": 2, \"expected\": \"1 2\", \"actual\": \"2 1\"}\n",
        "{\"id\": \"c\", \"expected\": \"1 2\", \"actual\": \"2 1\", \"compare\": {\"order\": \"any\"}}\n",
        "{\"id\": \"d\", \"expected\": \"[1, 2]\", \"actual\": \"(1, 2)\", \"kind\": \"value\"}\n",
        "{\"id\": \"e\", \"expected\": \"YES\", \"actual\": \"yes\", \"statement\": \"Print each letter in any case.\"}\n",
        "{\"id\": \"f\", \"expected\": \"[1, 2]\", \"actual\": \"[1, 2\", \"kind\": \"value\"}\n",
    );
    insta::assert_snapshot!(compare(&[("pairs.jsonl", pairs)], &["--pairs", "pairs.jsonl"]), @r#"
    exit 0
    {"id":"a","accepted":true,"strategy":"whitespace"}
    {"id":2,"accepted":false,"strategy":null}
    {"id":"c","accepted":true,"strategy":"multiset"}
    {"id":"d","accepted":true,"strategy":"typed"}
    {"id":"e","accepted":true,"strategy":"word_case"}
    {"id":"f","accepted":false,"strategy":null}
    "#);
}

#[test]
fn broken_pairs_are_errors_that_name_the_field() {
    let lines = [
        "{\"id\": 1, \"expected\": \"1\"}",
        "{\"id\": 1, \"expected\": \"1\", \"actual\": 1}",
        "{\"id\": 1, \"expected\": \"1\", \"actual\": \"1\", \"compare\": {\"order\": \"some\"}}",
        "{\"id\": 1, \"expected\": \"1\", \"actual\": \"1\", \"compare\": {\"floats\": 1}}",
        "{\"id\": 1, \"expected\": \"[1\", \"actual\": \"1\", \"kind\": \"value\"}",
        "{\"id\": 1,",
        "{\"id\": 1, \"expected\": \"1\", \"actual\": \"1\", \"statemnt\": \"Print it.\"}",
        "{\"id\": 1, \"expected\": \"1\", \"actual\": \"1\", \"order\": \"any\"}",
        "{\"id\": 1, \"expected\": \"1\", \"actual\": \"1\", \"checker\": \"wcmp\"}",
    ];
    let said: Vec<String> = lines
        .iter()
        .map(|line| {
            compare(
                &[("pairs.jsonl", &format!("\n{line}\n"))],
                &["--pairs", "pairs.jsonl"],
            )
        })
        .collect();
    insta::assert_snapshot!(said.concat(), @r#"
    exit 3
    error: pairs.jsonl:2: field "actual": is missing
    exit 3
    error: pairs.jsonl:2: field "actual": invalid type: integer `1`, expected a string
    exit 3
    error: pairs.jsonl:2: field "compare.order": must be "any"
    exit 3
    error: pairs.jsonl:2: field "compare.floats": is not recognised; expected "float", "order", "case" or "list_of_one"
    exit 3
    error: pairs.jsonl:2: field "expected": line 1, column 3: expected ',' or ']'
    exit 3
    error: pairs.jsonl:2: column 9: EOF while parsing a value
    exit 3
    error: pairs.jsonl:2: field "statemnt": is not recognised; did you mean "statement"?
    exit 3
    error: pairs.jsonl:2: field "order": belongs inside "compare"
    exit 3
    error: pairs.jsonl:2: field "checker": decides nothing here: pairs are compared without a checker
    "#);
}

#[test]
fn a_missing_file_is_bad_input() {
    insta::assert_snapshot!(compare(&[], &["nowhere", "nowhere"]), @r#"
    exit 3
    error: failed to open file `nowhere`: No such file or directory (os error 2)
    "#);
}

#[test]
fn judges_the_labelled_pairs_from_the_command_line() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../fixtures/comparisons");
    let file = folder.join("typed.jsonl");
    let said = compare(&[], &["--pairs", file.to_str().unwrap()]);
    let labels = fs::read_to_string(file).unwrap();
    let records: Vec<serde_json::Value> = said
        .lines()
        .skip(1)
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(records.len(), labels.lines().count());
    for (record, label) in records.iter().zip(labels.lines()) {
        let label: serde_json::Value = serde_json::from_str(label).unwrap();
        assert_eq!(
            (&record["id"], &record["accepted"]),
            (&label["id"], &label["right"])
        );
    }
}

#[test]
fn no_pairs_at_all_are_an_error() {
    let said = compare(&[("pairs.jsonl", "\n")], &["--pairs", "pairs.jsonl"]);
    insta::assert_snapshot!(said, @"
    exit 3
    error: pairs.jsonl: contains no pairs
    ");
}

/// What the problem says admits strategies, as it does when its submissions are judged.
#[test]
fn what_a_problem_says_may_admit_more() {
    let files = [
        ("a", "1 2\n3 4\n"),
        ("b", "3 4\n1 2\n"),
        ("c", "1 2\n3 4.0001\n"),
        ("s", "Print the pairs in any order."),
        ("yes", "Yes\n"),
        ("YES", "YES\n"),
    ];
    let first = |arguments: &[&str]| {
        compare(&files, arguments)
            .lines()
            .next()
            .unwrap()
            .to_owned()
    };
    assert_eq!(first(&["a", "b"]), "exit 10");
    assert_eq!(first(&["a", "b", "--any-order"]), "exit 0");
    assert_eq!(first(&["a", "b", "--statement", "s"]), "exit 0");
    assert_eq!(first(&["a", "c", "--statement", "s"]), "exit 10");
    assert_eq!(first(&["a", "c", "--float-abs", "0.001"]), "exit 0");
    assert_eq!(first(&["a", "c", "--float-abs", "0.00001"]), "exit 10");
    assert_eq!(first(&["a", "c", "--float-rel", "1e-4"]), "exit 0");
    assert_eq!(first(&["a", "c", "--float-rel", "-1"]), "exit 2");
    assert_eq!(
        first(&["yes", "YES", "--ignore-case", "--profile", "exact"]),
        "exit 10"
    );
    assert_eq!(first(&["yes", "YES", "--ignore-case"]), "exit 0");
    assert_eq!(first(&["--pairs", "a", "--any-order"]), "exit 2");
}
