//! Rates by platform and difficulty.

use evaluator::rates::{RateTable, difficulty_rank, wilson};

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

/// The intervals of method 3 in table I of Newcombe 1998 (Statistics in Medicine 17, 857-872).
#[test]
fn intervals_are_those_of_the_literature() {
    let table: [(u32, u32, f64, f64); 4] = [
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ];
    for (accepted, count, low, high) in table {
        let told = wilson(f64::from(accepted) / f64::from(count), count.into());
        let near = |value: f64, other: f64| (value - other).abs() < 5e-5;
        assert!(
            near(told.0, low) && near(told.1, high),
            "{accepted} of {count}: {told:?}"
        );
    }
    assert_eq!(wilson(0.0, 0), (0.0, 1.0));
}
