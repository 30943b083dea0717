//! Rates by platform and difficulty.

use evaluator::rates::{RateTable, difficulty_rank};

fn table() -> RateTable {
    let mut table = RateTable::default();
    for (problem, platform, difficulty, accepted) in [
        ("a", Some("atcoder"), Some("hard"), Some(true)),
        ("a", Some("atcoder"), Some("hard"), Some(false)),
        ("b", Some("atcoder"), Some("easy"), Some(true)),
        ("c", None, Some("easy"), Some(false)),
        ("d", None, Some("easy"), None),
    ] {
        table.add(problem, platform, difficulty, accepted);
    }
    table
}

#[test]
fn groups_stand_from_easy_to_hard() {
    let groups = table().groups();
    let outline: Vec<_> = groups
        .iter()
        .map(|it| (it.platform.as_str(), it.difficulty.as_str(), it.samples))
        .collect();
    assert_eq!(
        outline,
        [
            ("-", "easy", 1),
            ("atcoder", "easy", 1),
            ("atcoder", "hard", 2)
        ]
    );
}

/// What could not be judged is in no rate.
#[test]
fn margins_take_every_platform_or_difficulty() {
    let table = table();
    let easy = table.over(None, Some("easy"));
    assert_eq!((easy.platform.as_str(), easy.problems), ("all", 2));
    assert_eq!((easy.samples, easy.avg), (2, 0.5));
    let atcoder = table.over(Some("atcoder"), None);
    assert_eq!((atcoder.problems, atcoder.samples), (2, 3));
    assert_eq!(atcoder.pass[&1], 0.75);
    let nothing = table.over(Some("leetcode"), None);
    assert_eq!((nothing.samples, nothing.avg), (0, 0.0));
    assert!(nothing.pass.is_empty());
}

#[test]
fn difficulties_of_every_source_have_one_order() {
    let order = [
        "easy",
        "introductory",
        "Medium",
        "interview",
        "MEDIUM_HARD",
        "hard",
        "competition",
        "VERY_HARD",
        "800",
        "1900",
        "gnarly",
        "-",
        "all",
    ];
    let ranks = order.map(difficulty_rank);
    assert!(ranks.is_sorted_by(|a, b| a < b), "{ranks:?}");
}
