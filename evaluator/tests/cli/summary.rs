//! The summary of a run.

use serde_json::{Value, json};

use crate::lab::{Lab, Ran, examined, script, with};

/// Two problems with two samples each, on a platform; one without.
fn run(arguments: &[&str]) -> Ran {
    let tests = [("", "1\n"), ("", "1\n")];
    let sample = |id: &str, problem: &str, difficulty: &str, code: &str| {
        let solution = with(script(id, code, &tests), "problem_id", json!(problem));
        let solution = with(solution, "platform", json!("atcoder"));
        with(solution, "difficulty", json!(difficulty))
    };
    let lab = Lab::new();
    lab.lines(
        "s.jsonl",
        &[
            sample("a1", "a", "easy", "print(1)"),
            sample("a2", "a", "easy", "print(2)"),
            sample("b1", "b", "hard", "print( 1 )"),
            sample("b2", "b", "hard", "1/0"),
            script("c1", "print(2)", &[("", "1\n")]),
            script("c2", "print('1 ')", &[("", "1\n")]),
        ]
        .map(|solution| {
            if solution["id"].as_str().unwrap().starts_with('c') {
                with(solution, "problem_id", json!("c"))
            } else {
                solution
            }
        }),
    );
    lab.run(&[&["judge", "s.jsonl", "--out", "v.jsonl"], arguments].concat())
}

#[test]
fn as_tables() {
    let ran = run(&["--also", "exact"]);
    assert_eq!(ran.stderr, "");
    let settled: Vec<&str> = ran
        .stdout
        .lines()
        .map(|line| {
            if line.starts_with("isolation: ") {
                "isolation: ..."
            } else {
                line
            }
        })
        .map(|line| line.split_once(" in ").map_or(line, |(counts, _)| counts))
        .map(str::trim_end)
        .collect();
    insta::assert_snapshot!(settled.join("\n"), @r#"
     platform   difficulty   problems   samples   pass@1    avg@2    pass@2
    ────────────────────────────────────────────────────────────────────────
     -          -                   1         2   50.0 %   50.0 %   100.0 %
     atcoder    easy                1         2   50.0 %   50.0 %   100.0 %
     atcoder    hard                1         2   50.0 %   50.0 %   100.0 %
     all        all                 3         6   50.0 %   50.0 %   100.0 %

     verdict         submissions    share
    ──────────────────────────────────────
     accepted                  3   50.0 %
     wrong_answer              2   33.3 %
     runtime_error             1   16.7 %

     accepted by   tests
    ─────────────────────
     exact             4
     whitespace        1

     also judged by   accepted   unlike standard
    ─────────────────────────────────────────────
     exact                   2                 1

    6 submissions, 10 tests
    isolation: ...
    "#);
}

#[test]
fn as_json() {
    let report: Value = serde_json::from_str(&run(&["--json"]).stdout).unwrap();
    assert_eq!(
        report["verdicts"],
        json!({"accepted": 3, "runtime_error": 1, "wrong_answer": 2})
    );
    assert_eq!(report["all"]["pass"], json!({"1": 0.5, "2": 1.0}));
    assert_eq!(report["all"]["avg"], json!(0.5));
    assert_eq!(report["groups"].as_array().unwrap().len(), 3);
    assert_eq!(report["isolation"]["seccomp"], json!(true));
}

#[test]
fn goes_to_standard_error_when_verdicts_take_standard_output() {
    let lab = Lab::new();
    lab.lines("s.jsonl", &[script("a", "print(1)", &[("", "1\n")])]);
    let ran = lab.run(&["judge", "s.jsonl"]);
    assert_eq!(ran.stdout.lines().count(), 1);
    assert!(ran.stderr.contains("pass@1"));
}

#[test]
fn no_colour_and_no_progress_in_a_pipe() {
    let lab = Lab::new();
    lab.lines("s.jsonl", &[script("a", "print(1)", &[("", "1\n")])]);
    let output = lab
        .command(&["judge", "s.jsonl"])
        .env_remove("NO_COLOR")
        .output()
        .unwrap();
    assert!(!output.stderr.contains(&0x1b));
}

/// Test code that passes a live object cannot be judged, whatever the candidate does; it costs no rate.
#[test]
fn names_what_could_not_be_judged_and_why() {
    let lab = Lab::new();
    let live = |i: u32| {
        examined(
            &format!("live{i}"),
            "def f(g): return 1",
            "f(compile('1', '', 'eval'))",
        )
    };
    let mut solutions: Vec<Value> = (0..7).map(live).collect();
    solutions.push(script("a", "print(1)", &[("", "1\n")]));
    lab.lines("s.jsonl", &solutions);
    let ran = lab.run(&["judge", "s.jsonl", "--out", "v.jsonl"]);
    assert_eq!(ran.code, Some(1));
    let notes = ran
        .stdout
        .lines()
        .skip_while(|line| !line.contains("could not be judged"));
    let notes: Vec<&str> = notes.take(7).collect();
    assert_eq!(
        notes[0],
        "7 submissions could not be judged and are excluded from all rates:"
    );
    let reason = lab.verdicts("v.jsonl")[0]["message"].clone();
    assert_eq!(notes[1], format!("  live0: {}", reason.as_str().unwrap()));
    assert_eq!(notes[6], "  and 2 more");
    assert!(ran.stdout.contains("100.0 %"), "{}", ran.stdout);
}
