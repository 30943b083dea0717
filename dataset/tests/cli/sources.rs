//! Every source in its true shape: the fixtures of the evaluator's readers, collected.

use std::path::Path;

use serde_json::Value;

use crate::support::Workshop;

/// A file, and a line for each record that is made of it: id, kind, tests, roles of its solutions, platform, difficulty, date.
const SOURCES: [(&str, &[&str]); 14] = [
    (
        "apps.jsonl",
        &[
            "7 stdin 2 reference,reference - interview -",
            "8 call 2 - - introductory -",
            "9 call 2 reference - introductory -",
            "10 call 0 - - - -",
        ],
    ),
    (
        "taco.jsonl",
        &[
            "taco.jsonl:1 stdin 1 reference codeforces EASY -",
            "taco.jsonl:2 stdin 1 - aizu HARD -",
            "taco.jsonl:3 stdin 1 - codechef UNKNOWN_DIFFICULTY -",
        ],
    ),
    (
        "livecodebench.jsonl",
        &[
            "q_b stdin 3 - atcoder easy 2024-01-06",
            "q_a call 0 - leetcode easy 2024-01-06",
            "q_c stdin 2 - atcoder easy 2024-01-06",
            "q_d stdin 1 - atcoder easy 2024-01-06",
        ],
    ),
    // The second has neither a rating nor a word: its difficulty is 0.
    (
        "code_contests.jsonl",
        &[
            "1_A. Sum stdin 3 reference,wrong codeforces 800 -",
            "p00002 Echo stdin 1 reference aizu - -",
        ],
    ),
    (
        "code_contests_plus.jsonl",
        &["1_B stdin 2 reference,reference,wrong Codeforces - -"],
    ),
    // Its contest began at second 1 700 000 000.
    (
        "codeforces.jsonl",
        &[
            "1/A stdin 3 - codeforces 800 2023-11-14",
            "1/B stdin 1 - codeforces - 2023-11-14",
        ],
    ),
    // A folder as the data set has it, with a further one of tests, which are no problems.
    (
        "folders/codeforces",
        &[
            "17/A stdin 4 - codeforces 800 2023-11-14",
            "17/B stdin 1 - codeforces 800 2023-11-14",
            "17/C stdin 1 - codeforces 800 2023-11-14",
            "2059/A stdin 2 - codeforces 800 2023-11-14",
        ],
    ),
    (
        "synthetic.jsonl",
        &[
            "vcp_0 stdin 2 reference apps - -",
            "vcp_1 call 2 - taco - -",
        ],
    ),
    (
        "kodcode.jsonl",
        &[
            "Algorithm_1_I assert 4 reference - easy -",
            "Algorithm_2_I assert 2 reference - medium -",
            "Algorithm_3_I assert 1 reference - - -",
        ],
    ),
    (
        "leetcode_dataset.jsonl",
        &["back assert 1 reference leetcode Easy -"],
    ),
    (
        "humaneval.jsonl",
        &["Made/0 assert 1 reference - - -", "Made/1 assert 1 - - - -"],
    ),
    (
        "mbpp.jsonl",
        &[
            "601 assert 2 reference - - -",
            "602 assert 1 reference - - -",
            "603 assert 1 reference - - -",
        ],
    ),
    (
        "deepcoder.jsonl",
        &[
            "paired stdin 1 reference,reference - - -",
            "listed stdin 2 - - - -",
            "functional call 1 - - - -",
            "row metadata call 1 - - - -",
            "literal call 1 reference - - -",
            "literal paired stdin 1 - - - -",
        ],
    ),
    ("acecoder.jsonl", &["oss_1 assert 3 - - - -"]),
];

fn line(record: &Value) -> String {
    let text = |value: &Value| value.as_str().unwrap_or("-").to_owned();
    let solutions = record["solutions"].as_array().into_iter().flatten();
    let roles: Vec<String> = solutions.map(|one| text(&one["role"])).collect();
    let roles = if roles.is_empty() {
        "-".to_owned()
    } else {
        roles.join(",")
    };
    let fields = [
        text(&record["id"]),
        text(&record["kind"]),
        record["tests"].as_array().unwrap().len().to_string(),
        roles,
        text(&record["platform"]),
        text(&record["difficulty"]),
        text(&record["origin"]["date"]),
    ];
    fields.join(" ")
}

#[test]
fn rows_of_every_source_are_collected() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/formats");
    for (name, expected) in SOURCES {
        let shop = Workshop::new();
        let file = root.join(name).display().to_string();
        shop.run(&["collect", &file, "-o", "raw.jsonl"]);
        let records = shop.records("raw.jsonl");
        let lines: Vec<String> = records.iter().map(line).collect();
        assert_eq!(lines, expected, "{name}");
    }
}
