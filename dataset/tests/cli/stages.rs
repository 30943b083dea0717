//! The stages, tested through the binary and with the real sandbox, on raw files in the shapes of published data sets.

use crate::support::{Workshop, dropped, fixture};
use evaluator::jsonl::to_line;
use evaluator::verdict::VerdictRecord;
use serde_json::json;

#[test]
fn a_record_says_where_it_is_from() {
    let shop = Workshop::new();
    shop.run(&[
        "collect",
        &fixture("apps.jsonl"),
        "-o",
        "raw.jsonl",
        "--license",
        "MIT",
    ]);
    let records = shop.records("raw.jsonl");
    assert_eq!(records.len(), 8);
    let expected = json!({
        "source": "apps", "file": "apps.jsonl", "line": 1, "id": "1",
        "url": "https://example.org/sum", "license": "MIT",
    });
    assert_eq!(records[0]["origin"], expected);
    assert_eq!(records[0]["solutions"].as_array().unwrap().len(), 2);
}

#[test]
fn what_is_dropped_stays_with_its_evidence() {
    let shop = Workshop::new();
    shop.collect();
    shop.run(&[
        "filter",
        "raw.jsonl",
        "-o",
        "filtered.jsonl",
        "--benchmark",
        &fixture("benchmark.jsonl"),
    ]);
    shop.run(&["verify", "filtered.jsonl", "-o", "verified.jsonl"]);
    let records = shop.records("verified.jsonl");
    assert_eq!(records.len(), 10);
    let reasons: Vec<(&str, &str)> = records.iter().filter_map(dropped).collect();
    assert_eq!(
        reasons,
        [
            ("2", "near_duplicate"),
            ("4", "reference_fails"),
            ("5", "contradicting_tests"),
            ("6", "needs_checker"),
            ("7", "flaky_reference"),
            ("8", "no_reference"),
            ("made-2", "contaminated"),
        ]
    );
    let evidence = |id: &str| {
        let record = records.iter().find(|record| record["id"] == id).unwrap();
        &record["dropped_by"]["evidence"]
    };
    assert_eq!(evidence("2")["of"], "1");
    assert_eq!(evidence("4")["test"], 2);
    assert_eq!(evidence("4")["difference"]["actual"], "2");
    assert_eq!(evidence("5")["outputs"], json!(["14", "15"]));
    assert_eq!(evidence("made-2")["by"], "benchmark.jsonl: Bench/0");
}

#[test]
fn a_reference_that_fails_is_set_aside_if_another_passes() {
    let shop = Workshop::new();
    shop.collect();
    shop.run(&["verify", "raw.jsonl", "-o", "verified.jsonl"]);
    let records = shop.records("verified.jsonl");
    let vowels = records.iter().find(|record| record["id"] == "3").unwrap();
    let roles = [
        &vowels["solutions"][0]["role"],
        &vowels["solutions"][1]["role"],
    ];
    assert_eq!(roles, ["verified", "rejected"]);
    assert_eq!(vowels["notes"][0]["what"], "reference_rejected");
}

#[test]
fn what_is_left_is_judged_as_it_was_verified() {
    let shop = Workshop::new();
    shop.collect();
    shop.run(&["verify", "raw.jsonl", "-o", "verified.jsonl"]);
    shop.run(&[
        "export",
        "verified.jsonl",
        "-o",
        "problems.jsonl",
        "--solutions",
        "solutions.jsonl",
    ]);
    let (problems, errors) = evaluator::readers::problems(&[shop.path("problems.jsonl")]);
    assert!(errors.is_empty(), "{errors:?}");
    let ids: Vec<&str> = problems.iter().map(|problem| problem.id.as_str()).collect();
    assert_eq!(ids, ["1", "2", "3", "made-1", "made-2"]);
    assert_eq!(shop.records("solutions.jsonl").len(), 6);
}

#[test]
fn a_killed_stage_goes_on_where_it_was() {
    let shop = Workshop::new();
    shop.collect();
    shop.run(&["filter", "raw.jsonl", "-o", "whole.jsonl"]);
    let whole = shop.text("whole.jsonl");
    shop.run(&["filter", "raw.jsonl", "-o", "part.jsonl"]);
    let (kept, _) = whole.split_at(whole.len() / 2);
    std::fs::write(shop.path("part.jsonl"), kept).unwrap();
    shop.run(&["filter", "raw.jsonl", "-o", "part.jsonl", "--resume"]);
    assert_eq!(shop.text("part.jsonl"), whole);
}

#[test]
fn an_output_of_other_settings_is_not_gone_on_with() {
    let shop = Workshop::new();
    shop.collect();
    shop.run(&["filter", "raw.jsonl", "-o", "filtered.jsonl"]);
    let again = [
        "filter",
        "raw.jsonl",
        "-o",
        "filtered.jsonl",
        "--min-tests",
        "2",
        "--resume",
    ];
    let said = shop.fails(&again, 3);
    assert!(
        said.contains("was written from other input or with other settings"),
        "{said}"
    );
    let said = shop.fails(&["filter", "raw.jsonl", "-o", "filtered.jsonl"], 3);
    assert!(said.contains("output file already exists"), "{said}");
}

#[test]
fn a_row_that_cannot_be_read_is_named() {
    let shop = Workshop::new();
    std::fs::write(
        shop.path("broken.jsonl"),
        "{\"id\": 1, \"kind\": \"stdin\", \"tests\": []}\n",
    )
    .unwrap();
    let said = shop.fails(&["collect", "broken.jsonl", "-o", "raw.jsonl"], 3);
    assert!(
        said.contains("broken.jsonl:1: field \"tests\": has no tests"),
        "{said}"
    );
}

#[test]
fn statements_become_text_and_test_code_becomes_tests() {
    let shop = Workshop::new();
    let sources = [fixture("taco.jsonl"), fixture("leetcode.jsonl")];
    shop.run(&["collect", &sources[0], &sources[1], "-o", "raw.jsonl"]);
    shop.run(&["process", "raw.jsonl", "-o", "processed.jsonl"]);
    let records = shop.records("processed.jsonl");
    let statement = records[0]["statement"].as_str().unwrap();
    let start = "You are given a list of n integers a_1, ..., a_n (1 ≤ n ≤ 10^5). Print the largest of them.\n";
    assert!(statement.starts_with(start), "{statement}");
    assert!(
        statement.contains("\nInput\n3\n1 9 2\n\nOutput\n9\n"),
        "{statement}"
    );
    assert!(
        statement.contains("https://example.org/picture.png"),
        "{statement}"
    );
    assert_eq!(records[0]["notes"][0]["what"], "image");
    assert_eq!(records[0]["origin"]["tags"], json!(["Greedy", "Sorting"]));
    let statement = records[1]["statement"].as_str().unwrap();
    let start = "Let f_0 = 0 and f_i = f_(i-1) + i for 1 <= i <= n. Given n (0 <= n <= 10^6), print (f_n)/(1) modulo 7.";
    assert!(statement.starts_with(start), "{statement}");
    let reasons: Vec<(&str, &str)> = records.iter().filter_map(dropped).collect();
    assert_eq!(
        reasons,
        [
            ("taco.jsonl:2", "sample_contradicts_test"),
            ("taco.jsonl:3", "incomplete_statement")
        ]
    );
    assert_eq!(records[1]["dropped_by"]["evidence"]["sample"], "5");
    assert_eq!(
        records[2]["dropped_by"]["evidence"]["lacks"],
        json!(["end_of_code_block"])
    );
    let tests = records[3]["tests"].as_array().unwrap();
    let code = "def check(candidate):\n    assert candidate(nums = [3,4,5]) == 20\n\n\ncheck(Solution().largest)";
    assert_eq!((tests.len(), &tests[0]["code"]), (2, &json!(code)));
    assert_eq!(records[3]["changes"][0]["what"], "one assertion a test");
}

#[test]
fn weak_tests_let_wrong_programs_pass() {
    let shop = Workshop::new();
    let strong = json!({"id": "strong", "kind": "stdin", "statement": "Print the larger of two numbers.",
        "tests": [{"input": "1 2", "output": "2"}, {"input": "5 3", "output": "5"}, {"input": "-1 -7", "output": "-1"}],
        "code": "a, b = map(int, input().split())\nif a > b:\n    print(a)\nelse:\n    print(b)\n"});
    let mut weak = strong.clone();
    weak["id"] = json!("weak");
    weak["tests"] = json!([{"input": "4 4", "output": "4"}]);
    std::fs::write(shop.path("own.jsonl"), format!("{strong}\n{weak}\n")).unwrap();
    shop.run(&["collect", "own.jsonl", "-o", "raw.jsonl"]);
    shop.run(&[
        "verify",
        "raw.jsonl",
        "-o",
        "verified.jsonl",
        "--min-strength",
        "0.5",
        "--max-tests",
        "2",
    ]);
    let records = shop.records("verified.jsonl");
    let strength = &records[0]["strength"];
    assert_eq!(
        strength["killed"].as_u64().unwrap() + 1,
        strength["tried"].as_u64().unwrap(),
        "a >= b is as right as a > b"
    );
    assert_eq!(records[0]["tests"].as_array().unwrap().len(), 2);
    assert_eq!(dropped(&records[1]), Some(("weak", "weak")));
    assert_eq!(records[0]["time_limit"], 1.0);
}

fn level(record: &serde_json::Value) -> &str {
    record["level"].as_str().unwrap_or("unknown")
}

#[test]
fn difficulties_become_levels_and_shares_are_kept() {
    let shop = Workshop::new();
    let words = [("easy", 40), ("INTERVIEW", 30), ("2400", 10), ("odd", 20)];
    let rows: Vec<String> = words
        .iter()
        .flat_map(|(word, count)| (0..*count).map(move |number| (word, number)))
        .map(|(word, number)| {
            json!({"id": format!("{word}-{number}"), "kind": "stdin", "statement": format!("{word} {number}"),
                "difficulty": word, "tests": [{"input": "1", "output": "1"}]})
            .to_string()
        })
        .collect();
    std::fs::write(shop.path("own.jsonl"), rows.join("\n")).unwrap();
    shop.run(&["collect", "own.jsonl", "-o", "raw.jsonl"]);
    let choose = |out: &str, seed: &str| {
        shop.run(&[
            "difficulty",
            "raw.jsonl",
            "-o",
            out,
            "--share",
            "easy=0.2",
            "--seed",
            seed,
        ]);
        let records = shop.records(out);
        assert_eq!(records.len(), 100);
        records
    };
    let records = choose("chosen.jsonl", "1");
    let kept = |wanted: &str| {
        let live = records.iter().filter(|record| dropped(record).is_none());
        live.filter(|record| level(record) == wanted).count()
    };
    // 15 of 75 are a fifth.
    let counts = ["easy", "medium", "hard", "unknown"].map(kept);
    assert_eq!(counts, [15, 30, 10, 20]);
    let reasons: Vec<_> = records.iter().filter_map(dropped).collect();
    assert!(
        reasons
            .iter()
            .all(|(id, reason)| id.starts_with("easy") && *reason == "share")
    );
    assert_eq!(shop.text("chosen.jsonl"), {
        choose("again.jsonl", "1");
        shop.text("again.jsonl")
    });
    choose("other.jsonl", "2");
    assert_ne!(shop.text("chosen.jsonl"), shop.text("other.jsonl"));
}

#[test]
fn problems_are_chosen_by_how_often_a_model_solves_them() {
    let shop = Workshop::new();
    let row = |id: &str| json!({"id": id, "kind": "stdin", "statement": id, "tests": [{"input": "1", "output": "1"}]});
    let rows: Vec<String> = ["always", "half", "never", "untried"]
        .map(|id| row(id).to_string())
        .into();
    std::fs::write(shop.path("own.jsonl"), rows.join("\n")).unwrap();
    shop.run(&["collect", "own.jsonl", "-o", "raw.jsonl"]);
    let verdicts = [
        sample("always", 0, "accepted"),
        sample("half", 0, "accepted"),
        sample("half", 1, "wrong_answer"),
        sample("half", 2, "judge_failed"),
        sample("never", 0, "time_limit"),
    ];
    std::fs::write(shop.path("verdicts.jsonl"), verdicts.concat()).unwrap();
    shop.run(&[
        "difficulty",
        "raw.jsonl",
        "-o",
        "chosen.jsonl",
        "--verdicts",
        "verdicts.jsonl",
        "--min-pass-rate",
        "0.1",
        "--max-pass-rate",
        "0.9",
    ]);
    let records = shop.records("chosen.jsonl");
    let reasons: Vec<_> = records.iter().filter_map(dropped).collect();
    let rate = "pass_rate";
    assert_eq!(
        reasons,
        [("always", rate), ("never", rate), ("untried", rate)]
    );
    assert_eq!(records[1]["solved"], json!({"samples": 2, "accepted": 1}));
}

/// A line of verdicts.
fn sample(id: &str, number: usize, verdict: &str) -> String {
    let line = json!({"id": format!("{id}#{number}"), "problem_id": id, "verdict": verdict, "passed": 0, "total": 1,
        "cases": [], "profile": "standard", "isolation": {"namespaces": [], "seccomp": true, "landlock": 7, "cgroup": "v1"},
        "input_hash": "00"});
    let record: VerdictRecord = serde_json::from_value(line).expect("a verdict");
    to_line(&record)
}

/// So many lines of verdicts, the first `accepted` of them so.
fn samples(id: &str, accepted: usize, of: usize) -> String {
    let verdict = |number| {
        if number < accepted {
            "accepted"
        } else {
            "wrong_answer"
        }
    };
    let lines = (0..of).map(|number| sample(id, number, verdict(number)));
    lines.collect()
}

#[test]
fn a_small_model_tells_what_a_large_one_would_solve() {
    let shop = Workshop::new();
    let row = |id: &str| json!({"id": id, "kind": "stdin", "statement": id, "tests": [{"input": "1", "output": "1"}]});
    let rows = ["a", "b", "c", "d", "e"].map(|id| row(id).to_string());
    std::fs::write(shop.path("own.jsonl"), rows.join("\n")).unwrap();
    shop.run(&["collect", "own.jsonl", "-o", "raw.jsonl"]);
    let small = [
        samples("a", 0, 4),
        samples("b", 1, 4),
        samples("c", 2, 4),
        samples("d", 4, 4),
        samples("e", 1, 4),
    ];
    std::fs::write(shop.path("small.jsonl"), small.concat()).unwrap();
    // What goes down from b to c is one step: the mean of both.
    let large = [
        samples("a", 0, 4),
        samples("b", 3, 4),
        samples("c", 2, 4),
        samples("d", 4, 4),
    ];
    std::fs::write(shop.path("large.jsonl"), large.concat()).unwrap();
    let choose = [
        "difficulty",
        "raw.jsonl",
        "-o",
        "chosen.jsonl",
        "--verdicts",
        "small.jsonl",
        "--reference-verdicts",
        "large.jsonl",
    ];
    shop.run(
        &[
            &choose[..],
            &["--min-pass-rate", "0.5", "--max-pass-rate", "0.9"],
        ]
        .concat(),
    );
    let records = shop.records("chosen.jsonl");
    let calibrated = records.iter().map(|record| record["calibrated"].as_f64());
    let expected = [0.0, 0.625, 0.625, 1.0, 0.625].map(Some);
    assert_eq!(calibrated.collect::<Vec<_>>(), expected);
    let kept = records.iter().filter(|record| dropped(record).is_none());
    let kept: Vec<&str> = kept.filter_map(|record| record["id"].as_str()).collect();
    assert_eq!(kept, ["b", "c", "e"]);
}

#[test]
fn arguments_outside_their_bounds_are_noted() {
    let shop = Workshop::new();
    let row = json!({"id": "top", "kind": "call", "fn_name": "top", "statement": "The largest of nums, where 1 <= nums[i] <= 50.",
        "tests": [{"input": [[3, 50]], "output": 50}, {"input": [[51, 2]], "output": 51}], "code": "def top(nums):\n    return max(nums)\n"});
    std::fs::write(shop.path("own.jsonl"), row.to_string()).unwrap();
    shop.run(&["collect", "own.jsonl", "-o", "raw.jsonl"]);
    shop.run(&["verify", "raw.jsonl", "-o", "verified.jsonl"]);
    let record = &shop.records("verified.jsonl")[0];
    let note =
        json!({"stage": "verify", "what": "outside_bounds", "evidence": "test 2: [[51, 2]]"});
    assert_eq!(record["notes"], json!([note]));
}
