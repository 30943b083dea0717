//! Tests that are made, through the binary and with the real sandbox. What they must hold is known without it.

use serde_json::{Value, json};

use crate::support::Workshop;

/// How many of n numbers are above ten, with two tests that careless programs pass.
fn above_ten(solutions: &[&str]) -> Value {
    json!({
        "problem_id": 7, "question": "Print how many of n numbers are above ten.\n\nInput\nn, and then n numbers\n\nOutput\nThe count\n",
        "solutions": json!(solutions).to_string(),
        "input_output": json!({"inputs": ["2\n8 12\n", "1\n13\n"], "outputs": ["1\n", "1\n"]}).to_string(),
        "difficulty": "introductory", "starter_code": "",
    })
}

const BY_HAND: &str = "n = int(input())\ncount = 0\nfor x in map(int, input().split()):\n    if x > 10:\n        count += 1\nprint(count)\n";
const AT_ONCE: &str = "input()\nprint(sum(int(x) > 10 for x in input().split()))\n";
/// Right on what is known, and hardly elsewhere.
const ONE: &str = "print(1)\n";

const MAKE: [&str; 2] = ["--generate", "6"];

fn verified(rows: &[Value], options: &[&str]) -> Vec<Value> {
    let shop = Workshop::new();
    verify(&shop, rows, options);
    shop.records("verified.jsonl")
}

fn verify(shop: &Workshop, rows: &[Value], options: &[&str]) {
    let text: String = rows.iter().map(|row| format!("{row}\n")).collect();
    std::fs::write(shop.path("apps.jsonl"), text).unwrap();
    shop.run(&["collect", "apps.jsonl", "-o", "raw.jsonl"]);
    shop.run(&[&["verify", "raw.jsonl", "-o", "verified.jsonl"], options].concat());
}

fn made(record: &Value) -> Vec<&Value> {
    let tests = record["tests"].as_array().unwrap().iter();
    tests.filter(|test| test.get("made_by").is_some()).collect()
}

#[test]
fn tests_that_are_made_hold_what_references_agree_on() {
    let records = verified(&[above_ten(&[BY_HAND, AT_ONCE])], &MAKE);
    let made = made(&records[0]);
    assert!(!made.is_empty(), "{}", records[0]);
    for test in made {
        let mut lines = test["input"].as_str().unwrap().lines();
        let count: usize = lines.next().unwrap().parse().unwrap();
        let numbers = lines
            .next()
            .unwrap()
            .split(' ')
            .map(|word| word.parse::<u64>().unwrap());
        let numbers: Vec<u64> = numbers.collect();
        assert_eq!(count, numbers.len(), "{test}");
        let count = numbers.iter().filter(|number| **number > 10).count();
        assert_eq!(test["output"], format!("{count}\n"), "{test}");
        assert!(
            test["made_by"]
                .as_str()
                .unwrap()
                .starts_with("mc-data verify: ")
        );
    }
}

#[test]
fn they_reject_what_the_known_tests_do_not() {
    let row = above_ten(&[BY_HAND, AT_ONCE]);
    let strength = |records: &[Value]| {
        let strength = &records[0]["strength"];
        (
            strength["killed"].as_u64().unwrap(),
            strength["tried"].as_u64().unwrap(),
        )
    };
    let (before, tried) = strength(&verified(std::slice::from_ref(&row), &[]));
    let (after, tried_again) = strength(&verified(&[row], &MAKE));
    assert_eq!(tried, tried_again);
    assert!(after > before, "{before} of {tried}, then {after}");
}

#[test]
fn they_stay_when_a_record_is_verified_again() {
    let shop = Workshop::new();
    verify(&shop, &[above_ten(&[BY_HAND, AT_ONCE])], &MAKE);
    shop.run(&["verify", "verified.jsonl", "-o", "again.jsonl"]);
    let [first, again] = ["verified.jsonl", "again.jsonl"].map(|name| shop.records(name));
    assert!(!made(&first[0]).is_empty());
    assert_eq!(made(&again[0]).len(), made(&first[0]).len());
}

#[test]
fn no_test_is_made_where_references_differ_or_are_too_few() {
    let differ = verified(&[above_ten(&[BY_HAND, ONE])], &MAKE);
    for test in made(&differ[0]) {
        assert_eq!(test["output"], "1\n", "they agree on it");
    }
    let one = verified(&[above_ten(&[BY_HAND])], &MAKE);
    assert_eq!(made(&one[0]).len(), 0, "two must agree");
    let trusted = verified(
        &[above_ten(&[BY_HAND])],
        &["--generate", "6", "--agreeing", "1"],
    );
    assert!(!made(&trusted[0]).is_empty());
}

#[test]
fn test_code_gets_assertions_within_stated_bounds() {
    let tests = "def check(candidate):\n    assert candidate(nums = [3,4,5], k = 2) == 9\n    assert candidate(nums = [1,1], k = 1) == 1\n    assert candidate(nums = [7,2,9,4], k = 3) == 20\n\n\ncheck(Solution().best)";
    let code =
        "class Solution:\n    def best(self, nums, k):\n        return sum(sorted(nums)[-k:])\n";
    let row = json!({
        "id": "leetcode-9", "problem": "The sum of the k largest numbers.\n\n1 <= k <= nums.length\n1 <= nums[i] <= 12\n2 <= nums.length <= 5\n\n```python\nclass Solution:\n    def best(self, nums, k):\n```",
        "solutions": code, "tests": {"functional": tests},
    });
    let shop = Workshop::new();
    std::fs::write(shop.path("leetcode.jsonl"), format!("{row}\n")).unwrap();
    shop.run(&["collect", "leetcode.jsonl", "-o", "raw.jsonl"]);
    shop.run(&["process", "raw.jsonl", "-o", "processed.jsonl"]);
    let options = ["--generate", "8", "--agreeing", "1"];
    shop.run(
        &[
            &["verify", "processed.jsonl", "-o", "verified.jsonl"],
            &options[..],
        ]
        .concat(),
    );
    let records = shop.records("verified.jsonl");
    let made = made(&records[0]);
    assert!(!made.is_empty(), "{}", records[0]);
    for test in made {
        let code = test["code"].as_str().unwrap();
        let (_, call) = code
            .split_once("assert candidate(nums = [")
            .expect("the same code");
        let (numbers, _) = call.split_once(']').unwrap();
        let numbers: Vec<i64> = numbers
            .split(", ")
            .map(|number| number.parse().unwrap())
            .collect();
        assert!((2..=5).contains(&numbers.len()), "{code}");
        assert!(
            numbers.iter().all(|number| (1..=12).contains(number)),
            "{code}"
        );
    }
}
