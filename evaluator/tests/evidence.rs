//! What statements are taken to say: phrases that admit a strategy, and their nearest neighbours that do not.

use evaluator::compare::several_answers;
use evaluator::{Comparator, Comparison, Evidence, Profile, Strategy, literal};

fn comparator(statement: &str) -> Comparator {
    let evidence = Evidence {
        statement: Some(statement),
        ..Evidence::default()
    };
    Comparator::new(Profile::Standard, evidence)
}

fn admits(statement: &str, strategy: Strategy) -> bool {
    let comparator = comparator(statement);
    let admissions = comparator.admissions();
    let row = admissions.iter().find(|row| row.strategy == strategy);
    row.unwrap().admitted
}

fn accepts(statement: &str, expected: &str, actual: &str) -> bool {
    let said = comparator(statement).compare_text(expected.as_bytes(), actual.as_bytes());
    matches!(said, Comparison::Accepted(_))
}

#[test]
fn any_order() {
    let said = [
        "You may return the answer in any order.",
        "Return all the values with the highest frequency in any order.",
        "In case of a tie, return all of them in any order.",
        "If there are several, you can print them in any order.",
        "The final answer list can be returned in any order.",
        "Output the vertices in arbitrary order",
        "The order of the elements in the output does not matter.",
        "Print the pairs, regardless of the order.",
        "The results may be listed in no particular order.",
        "Print the number of pairs, then the pairs in any order.",
        "Print all such numbers, one per line. Their order does not matter.",
        "First print the sum. Then print the numbers in any order.",
        "Print the primes in any order. In the first example the answer is then 2 and 3.",
    ];
    for statement in said {
        assert!(admits(statement, Strategy::Multiset), "{statement}");
    }
    let not_said = [
        "Print the answers in the order of the input.",
        "Note that the order matters.",
        "Tasks can be completed in any order.",
        "You can rearrange the digits in any order. Return the largest number.",
        "The input is not given in any order. Return true if it is a square.",
        "Perform the operations in any order and print the result.",
        "Return the maximum value if dishes can be prepared in any order.",
        "Elements of the input may appear in any order.",
        "Return the sorted list.",
        "Print the answer. Order is important.",
        "Replacing neighbours in any arbitrary order leads to the same result.",
        "The answers of the students were submitted in no particular order.",
        "Return \"\" if the words cannot correspond to any order of letters.",
        "Print the number of ways to line them up in any order, then their sum.",
        "Print the maximum sum. The order does not matter.",
        "You are given some numbers. The order does not matter. Print the sum.",
        "Print the words by decreasing count; words that occur equally often may be printed in any order.",
        "Print the players from best to worst, in case of a tie print them in any order.",
        "Output students by grade; equal ones may be output in arbitrary order.",
        "Return the k most frequent words, most frequent first. If two are equally frequent, return them in any order.",
        "Print a topological order. Independent tasks may be printed in any order.",
        "Print the customers as they leave; those who leave at one moment can be printed in any order.",
        "The results of the matches are reported in no particular order. Print the league table.",
        "The judge gives you the cards in any order. Print them as they should be played.",
        "The pages were printed in any order. Print their numbers.",
        "Print the source, the target and the vertices between them in any order.",
        "Output in any order will not be accepted.",
        "Do not output them in arbitrary order.",
        "Print the numbers in any order, followed by their count.",
        "Print all numbers in any order and their sum on the last line.",
        "Print the numbers in any order. Then print their sum.",
        "Print the numbers in any order. Finally, you should print their sum on the last line.",
        "Print the result of performing all operations in any order.",
    ];
    for statement in not_said {
        assert!(!admits(statement, Strategy::Multiset), "{statement}");
    }
}

/// What the statement puts before those whose order is free stays there.
#[test]
fn one_thing_first() {
    let first = [
        (
            "Print k and the k numbers in any order.",
            "2 3 1\n",
            "2 1 3\n",
            "3 2 1\n",
        ),
        (
            "Output the minimum sum followed by the chosen numbers in any order.",
            "4 1 3\n",
            "4 3 1\n",
            "3 1 4\n",
        ),
        (
            "Print the total cost and the edges used in any order.",
            "5\n1\n2\n",
            "5\n2\n1\n",
            "1\n5\n2\n",
        ),
        (
            "Print the total cost and the indices in any order.",
            "5\n1 2\n",
            "5\n2 1\n",
            "1\n5 2\n",
        ),
        (
            "Print one integer - the cost. Print the indices in any order after it.",
            "5 1 2\n",
            "5 2 1\n",
            "1 5 2\n",
        ),
        (
            "Print the name of each student and their marks in any order.",
            "A 1 2\n",
            "A 2 1\n",
            "1 A 2\n",
        ),
        (
            "Return a list of the count followed by the indices in any order.",
            "[2, 1, 3]",
            "[2, 3, 1]",
            "[1, 2, 3]",
        ),
    ];
    for (statement, expected, right, wrong) in first {
        assert!(accepts(statement, expected, right), "{statement}");
        assert!(!accepts(statement, expected, wrong), "{statement}");
    }
    let both = "Print the first and the last index in any order.";
    assert!(accepts(both, "1 2\n", "2 1\n"));
}

/// Where one output answers several tests, each line may be free in itself.
#[test]
fn lines_of_several_tests() {
    let each = "For each test case, print the divisors in any order.";
    assert!(accepts(each, "1 3 2\n5 1\n", "1 2 3\n1 5\n"));
    assert!(!accepts(each, "1 3 2\n5 1\n", "5 1\n1 3 2\n"));
    assert!(!accepts(each, "1 3 2\n5 1\n", "1 3 5\n2 1\n"));
    assert!(!accepts(each, "Case #1: 3\n", "3 Case #1:\n"));
    let points = "For each test case, print the points in any order.";
    assert!(!accepts(points, "1 2 3 4\n5 6\n", "2 1 3 4\n5 6\n"));
    let counted = "For each test case print k on the first line and the k indices on the second in any order.";
    assert!(accepts(counted, "3\n1 3 2\n2\n5 1\n", "3\n1 2 3\n2\n1 5\n"));
    assert!(!accepts(
        counted,
        "3\n1 3 2\n2\n5 1\n",
        "2\n1 3 2\n3\n5 1\n"
    ));
    let headed = "For each test case print k, then the k indices in any order.";
    assert!(!accepts(headed, "2 3 1\n1 4\n", "3 2 1\n1 4\n"));
}

/// The parts of each item may be free where the items are not, and the other way round.
#[test]
fn parts_of_each_item() {
    let levels = "Print the levels of the tree from the root down, one level per line. Nodes of a level can be printed in any order.";
    assert!(accepts(levels, "1\n2 3\n4\n", "1\n3 2\n4\n"));
    assert!(!accepts(levels, "1\n2 3\n4\n", "4\n2 3\n1\n"));
    assert!(!accepts(levels, "1\n2\n3\n", "2\n1\n3\n"));
    let teams = "Print the members of the first team on the first line and those of the second on the second line. \
                 Members of a team can be printed in any order.";
    assert!(accepts(teams, "1 2\n3 4\n", "2 1\n4 3\n"));
    assert!(accepts(teams, "ann bob\neve\n", "bob ann\neve\n"));
    assert!(!accepts(teams, "1 2\n3 4\n", "3 4\n1 2\n"));
    assert!(!accepts(teams, "1 2\n3 4\n", "1 3\n2 4\n"));
    let lists = "Print the levels. The order of the nodes within each level does not matter.";
    assert!(accepts(lists, "[[1], [2, 3]]\n", "[[1], [3, 2]]\n"));
    assert!(!accepts(lists, "[[1], [2, 3]]\n", "[[2, 3], [1]]\n"));
    let one = "Print the members of the team in any order.";
    assert!(accepts(one, "1\n2\n3\n", "2\n1\n3\n"));
    let ends = "Print n-1 edges, one per line. You may print edges and the endpoints of an edge in any order.";
    assert!(accepts(ends, "1 2\n2 3\n", "3 2\n1 2\n"));
    assert!(!accepts(ends, "1 2\n2 3\n", "1 2\n1 3\n"));
    let only_ends = "Print the n-1 edges in the order of the input. The endpoints of each edge may be printed in any order.";
    assert!(accepts(only_ends, "1 2\n2 3\n", "2 1\n2 3\n"));
    assert!(!accepts(only_ends, "1 2\n2 3\n", "2 3\n1 2\n"));
    let named = "For each team print a line with the team's name and its members. Members of a team can be printed in any order.";
    assert!(accepts(
        named,
        "red ann bob\nblue eve\n",
        "red bob ann\nblue eve\n"
    ));
    assert!(!accepts(
        named,
        "red ann bob\nblue eve\n",
        "ann red bob\nblue eve\n"
    ));
    let counted = "Print a line for each group: how many it has, and these. Members of each group may be in any order in the output.";
    assert!(accepts(counted, "3 1 2 3\n2 5 4\n", "3 3 2 1\n2 4 5\n"));
    assert!(!accepts(counted, "3 1 2 3\n2 5 4\n", "1 3 2 3\n2 4 5\n"));
}

/// The same of results of calls.
#[test]
fn parts_of_each_value() {
    let same = |statement: &str, expected: &str, actual: &str| {
        let [expected, actual] = [expected, actual].map(|text| literal::parse(text).unwrap());
        let said = comparator(statement).compare_value(&expected, &actual);
        matches!(said, Comparison::Accepted(_))
    };
    let members = "Return the teams with the members of each team in any order.";
    assert!(same(members, "{'a': [1, 2]}", "{'a': [2, 1]}"));
    assert!(same(members, "[[1, 2], [3]]", "[[2, 1], [3]]"));
    assert!(!same(
        members,
        "{'a': [1, 2], 'b': [3]}",
        "{'a': [3], 'b': [1, 2]}"
    ));
    assert!(!same(members, "{'a': [1, 2]}", "{'a': [2, 2]}"));
    assert!(!same(members, "[[1, 2], [3]]", "[[3], [1, 2]]"));
    assert!(!same(members, "['ann bob', 'eve']", "['eve', 'ann bob']"));
    let teams = "Return the teams in any order.";
    assert!(same(teams, "[[1, 2], [3]]", "[[3], [1, 2]]"));
    assert!(!same(
        "Return a dict of lists in any order.",
        "{'a': [1, 2]}",
        "{'a': [2, 1]}"
    ));
}

/// What has a point may be no real, by what the statement or the output itself says.
#[test]
fn what_is_no_real() {
    let versions = "Print the latest version.";
    assert!(!accepts(versions, "1.10\n", "1.1\n"));
    assert!(accepts("Print the average.", "1.10\n", "1.1\n"));
    let easy = "This is the easy version of the problem. Print the average.";
    assert!(accepts(easy, "1.10\n", "1.1\n"));
    let binary = "Print the number in base 2.";
    assert!(!accepts(binary, "0.1010000000\n", "0.1010000001\n"));
    assert!(accepts(
        "Print the logarithm of n to base 2.",
        "0.10\n",
        "0.1\n"
    ));
    assert!(!accepts(
        "Print the first 12 digits.",
        "3.14159265358\n",
        "3.14159265359\n"
    ));
    assert!(!accepts("Print all.", "1.2.3\n1.10\n", "1.2.3\n1.1\n"));
    assert!(accepts("Print all averages.", "1.2\n1.10\n", "1.2\n1.1\n"));
    let room = "Print the room.";
    assert!(!accepts(room, "3.10\n", "3.1\n"));
    assert!(accepts(room, "3.00\n", "3.0\n"));
    assert!(accepts(
        "Print the version number. An absolute error of at most 1e-6 is accepted.",
        "1.10\n",
        "1.1\n"
    ));
}

/// Places that are asked for exactly have to be there, where the expected real has them.
#[test]
fn exact_places() {
    let exactly = "Print the result with exactly 2 decimal places.";
    assert!(!accepts(exactly, "3.10\n", "3.1\n"));
    assert!(!accepts(exactly, "3.10\n", "3.100\n"));
    assert!(accepts(exactly, "3.1000\n", "3.1\n"));
    let in_words = "Print it with exactly two digits after the decimal point.";
    assert!(!accepts(in_words, "3.10\n", "3.1\n"));
    let rounded = "Print the result rounded to 2 decimal places.";
    assert!(accepts(rounded, "3.10\n", "3.1\n"));
    let tolerant = "Print exactly 2 decimal places. An absolute error of 0.01 is accepted.";
    assert!(accepts(tolerant, "3.10\n", "3.1\n"));
}

#[test]
fn letter_case() {
    let said = [
        "You can print each letter in any case (upper or lower).",
        "You may output each letter in any register, letters in any case are accepted as the answer.",
        "Print YES or NO (case-insensitive).",
        "The checker ignores case.",
        "You can output the answer in any case (for example, the strings \"yEs\", \"yes\" will be recognized), upper or lower.",
        "The case of the output does not matter.",
        "If there is one, print \"Yes\" in upper or lower case.",
    ];
    for statement in said {
        assert!(admits(statement, Strategy::WordCase), "{statement}");
    }
    let not_said = [
        "Print YES or NO.",
        "In any case, print NO at the end.",
        "Output is case-sensitive.",
        "The string consists of uppercase or lowercase letters. Print it reversed.",
        "Words are compared case-insensitively; print the count.",
        "The input is case-insensitive.",
        "If the letter is a vowel in upper or lower case print \"Vowel\", else print \"Consonant\".",
    ];
    for statement in not_said {
        assert!(!admits(statement, Strategy::WordCase), "{statement}");
    }
}

/// Each statement with the largest error of 1 that it allows: a bit less is accepted, a bit more is not.
#[test]
fn tolerances() {
    let said = [
        (
            "Your answer is considered correct if its absolute or relative error does not exceed 10^{-6}.",
            1e-6,
        ),
        (
            "An absolute or relative error of at most $10^{-9}$ is allowed for the answer.",
            1e-9,
        ),
        (
            "Answers within 10-5 of the actual answer will be accepted.",
            1e-5,
        ),
        ("Your output must have an absolute error below 1e-4.", 1e-4),
        ("The answer should be accurate to within 0.001.", 1e-3),
        ("Output with an error of at most 10⁻⁷ is accepted.", 1e-7),
        (
            "The relative error of the output must be within 10 ^ -8.",
            1e-8,
        ),
        (
            "Answers with an error under 10<sup>-3</sup> are accepted.",
            1e-3,
        ),
        (
            "Your answer is correct if \\frac{|a-b|}{\\max(1,|b|)} \\le 10^{-6}.",
            1e-6,
        ),
        (
            "The checker accepts an error of 5 * 10^-3 in the answer.",
            5e-3,
        ),
        (
            "The answer is accepted if the error is at most 10**-2.",
            1e-2,
        ),
    ];
    for (statement, bound) in said {
        let near = format!("{:.12}", 1.0 + 0.9 * bound);
        let far = format!("{:.12}", 1.0 + 1.1 * bound);
        assert!(
            accepts(statement, "1.0", &near),
            "{near} for 1.0: {statement}"
        );
        assert!(
            !accepts(statement, "1.0", &far),
            "{far} for 1.0: {statement}"
        );
    }
    let not_said = [
        "The numbers are at least 10^{-3}.",
        "Print the answer modulo 10^9+7.",
        "The phone number contains 10-13 digits. Print the answer.",
        "Two circles touch if their distance differs by less than 10^-4.",
        "Print the result rounded to 3 decimal places.",
        "A result within 0.001 of the record is accepted as a record. Print the mean.",
        "The judge accepted a bid of 0.001 dollars. Print the total.",
        "Two answers are considered equal if they differ by less than 0.01. Print their mean.",
    ];
    for statement in not_said {
        assert!(!accepts(statement, "1.0", "1.00001"), "{statement}");
    }
}

/// Precision goes first: a problem that is wrongly held to have several answers is one whose verdicts nobody trusts.
#[test]
fn statements_that_accept_several_answers() {
    let said = [
        "If there are multiple answers, print any of them.",
        "If there are several possible solutions, you may output any.",
        "If there are many answers, you can print any of them.",
        "If there exist multiple such sequences, output any of them.",
        "If there is more than one solution, print any one.",
        "In case there are multiple valid answers, any of them will be accepted.",
        "If multiple answers are possible, print any.",
        "You may return any valid permutation.",
        "Output any valid arrangement of the cards.",
        "If there are multiple solutions, return any of them.",
        "Any valid answer will be accepted.",
        "All correct answers will be accepted.",
        "Print a sequence. If there are different ways to do it, you are allowed to print any of them.",
        "If the answer is not unique, output any of the possible answers.",
        "Return any of the possible arrays.",
        "If there are several optimal plans, find any of them.",
        "Return any permutation p of the numbers that maximizes the sum.",
        "You may return any such answer.",
        "Given an integer n, return any valid n-bit gray code sequence.",
        "If there are multiple palindromes, print any $k$ of them (see the samples). If there are multiple answers, print any.",
    ];
    let missed = said.map(|statement| several_answers(statement).is_none().then_some(statement));
    assert_eq!(missed.into_iter().flatten().collect::<Vec<_>>(), [""; 0]);
    let not_said = [
        "If there are multiple answers, print the lexicographically smallest one.",
        "If there are several solutions, print the one with the fewest moves.",
        "You may return the answer in any order.",
        "If there are multiple answers, print them in any order.",
        "You can print each letter in any case.",
        "Print YES if there is any valid permutation.",
        "Return true if any of them is a palindrome.",
        "Print the number of ways to choose any two numbers.",
        "If any solution exists, print its length.",
        "Choose any two elements and swap them. Print the minimum number of swaps.",
        "You can perform any number of operations. Print the largest sum.",
        "Print -1 if there are no such numbers.",
        "There are multiple test cases. Print the answer for each of them.",
        "In one move you can choose any subset of the piles. Output the number of moves.",
        "Different answers are given by different people. Print how many there are.",
        "If the lock displays any of these codes, it will stop. Return the number of turns.",
        "Return the maximum distance of any valid pair (i, j).",
        "If multiple such elements exist, delete any of them. Print what is left.",
        "Given several words, return any word's length sum.",
    ];
    let mistaken = not_said.map(several_answers);
    assert_eq!(mistaken.into_iter().flatten().collect::<Vec<_>>(), [""; 0]);
}

#[test]
fn admissions_quote_their_evidence() {
    let comparator = comparator("Sort the numbers. You may return the answer in any order.");
    let reasons: Vec<String> = comparator
        .admissions()
        .iter()
        .map(|row| {
            format!(
                "{:?} {}: {}",
                row.strategy,
                if row.admitted { "admitted" } else { "refused" },
                row.reason
            )
        })
        .collect();
    insta::assert_snapshot!(reasons.join("\n"), @r#"
    Exact admitted: always
    Whitespace admitted: always
    Tokens admitted: where spacing carries no meaning; numbers may be on other lines, as the statement mentions none
    Numeric admitted: for real-valued tokens, within 1e-9; as the statement speaks of nothing real, a zero at the end of one stays
    Typed admitted: for literals of the same kind and order
    Rounding admitted: where a real is expected with six or more decimal places
    WordCase refused: nothing says that letter case does not matter
    Multiset admitted: the statement says "You may return the answer in any order."
    Set refused: repeated items count; only the paper profile ignores them
    "#);
}

/// What may come in any order are rows, and a printed tuple is one: its parts stay where they are.
#[test]
fn a_tuple_is_a_row() {
    let points = "Print the coordinates in any order.";
    assert!(!accepts(points, "(1.0, 2.0)\n", "(2.0, 1.0)\n"));
    assert!(!accepts(points, "[(1, 2), (3, 4)]\n", "[(2, 1), (3, 4)]\n"));
    assert!(accepts(points, "[(1, 2), (3, 4)]\n", "[(3, 4), (1, 2)]\n"));
    assert!(accepts(points, "((1, 2), (3, 4))\n", "((3, 4), (1, 2))\n"));
    let numbers = "Print the numbers in any order.";
    assert!(accepts(numbers, "(1, 2)\n", "(2, 1)\n"));
}

/// Within a line, only what is alike may change places.
#[test]
fn items_of_a_line() {
    let scores = "Print the names with their scores in any order.";
    assert!(!accepts(scores, "ann 5 bob 7\n", "ann 7 bob 5\n"));
    assert!(accepts(scores, "ann 5\nbob 7\n", "bob 7\nann 5\n"));
    let lists = "Print the lists in any order.";
    assert!(!accepts(lists, "[1, 2] [3, 4]\n", "[1, 4] [3, 2]\n"));
    let cells = "Print all cells in any order, each as its row and column.";
    assert!(!accepts(cells, "1 2\n", "2 1\n"));
    assert!(accepts(cells, "1 2\n3 4\n", "3 4\n1 2\n"));
    let groups = "Print all groups of friends in any order.";
    assert!(accepts(groups, "1 2\n3\n", "3\n2 1\n"));
    assert!(!accepts(groups, "[1, 2]\n3\n", "2] [1,\n3\n"));
}

/// What was printed of a set or dict was put in an order, which a statement may have asked for.
#[test]
fn a_printed_set_has_an_order() {
    let plain = "Print the set of all divisors.";
    assert!(!accepts(plain, "{1, 2}\n", "{2, 1}\n"));
    assert!(!accepts(
        plain,
        "{\"a\": 1, \"b\": 2}\n",
        "{\"b\": 2, \"a\": 1}\n"
    ));
    let free = "Print the set of all divisors in any order.";
    assert!(accepts(free, "{1, 2}\n", "{2, 1}\n"));
    assert!(!accepts(free, "{1, 2}\n", "{2, 3}\n"));
}

/// What a statement may repeat, each kind of permission among it.
const REPEATED: [&str; 18] = [
    "Print the ids in any order. ",
    "The ids can be printed in any order. ",
    "Print the names of all. The names can be printed in any order. ",
    "Print the teams and the members of each team in any order. ",
    "The members of a team can be printed in any order. ",
    "On the first line print the ids. On the second line print the names in any order. ",
    "You can print each letter of YES in any case. ",
    "Print \"Yes\" or \"No\" in any case. ",
    "Your answer is accepted if its absolute error is at most 1e-6. ",
    "Print the mean. The mean may have an absolute error of at most 0.01. ",
    "The mean must be exact. Print the mean exactly. ",
    "Print the ids separated by any whitespace. ",
    "If there are several answers, print any of them. ",
    "Given a line, print its second half. ",
    "Output\n\nPrint the ids in any order.\n\n",
    // One sentence.
    "print the ids in any order, ",
    "\"yes\" ",
    "a",
];

/// A statement as long as any that is read takes no longer than its length has it take.
#[test]
fn long_statements() {
    const LENGTH: usize = 60_000;
    const MOST: std::time::Duration = std::time::Duration::from_secs(20);
    for unit in REPEATED {
        let statement = unit.repeat(LENGTH / unit.len());
        let start = std::time::Instant::now();
        accepts(&statement, "1\n2\n3\n", "3\n1\n2\n");
        several_answers(&statement);
        assert!(start.elapsed() < MOST, "{unit:?}: {:?}", start.elapsed());
    }
}

/// An order is free where a few sentences say so, and not where there is more than can be held against them.
#[test]
fn an_order_that_is_freed_over_and_over() {
    let order = "Print the ids in any order. ";
    let (expected, moved) = ("1\n2\n3\n", "3\n1\n2\n");
    assert!(accepts(&order.repeat(3), expected, moved));
    assert!(!accepts(&order.repeat(1000), expected, moved));
    let asked = "Print the name of each. ".repeat(200);
    assert!(!accepts(&format!("{asked}{order}"), expected, moved));
    assert!(!accepts(&format!("{order}{asked}"), expected, moved));
}

/// Of what is not read, nothing is known to be free.
#[test]
fn a_statement_that_is_too_long_to_be_read() {
    let said = "Print the reals in any order and any case, with an absolute error of at most 0.1. ";
    let statement = said.to_owned() + &"It goes on. ".repeat(6000);
    let comparator = comparator(&statement);
    for (expected, actual, is_right) in [
        ("1.5 yes\n2.5\n", "1.5 yes\n2.5\n", true),
        ("1.5 yes\n2.5\n", "1.5 yes \r\n2.5", true),
        ("1.5 yes\n2.5\n", "2.5\n1.5 yes\n", false),
        ("1.5 yes\n2.5\n", "1.5 YES\n2.5\n", false),
        ("1.5 yes\n2.5\n", "1.55 yes\n2.5\n", false),
        ("1.5 yes\n2.5\n", "1.50 yes\n2.5\n", false),
        ("1.5 yes\n2.5\n", "1.5  yes\n2.5\n", false),
        ("1.5 yes\n2.5\n", "1.5 yes\n\n2.5\n", false),
        ("[1, 2]\n", "[1,2]\n", false),
        ("1 2\n", "1\n2\n", false),
    ] {
        let said = comparator.compare_text(expected.as_bytes(), actual.as_bytes());
        let accepted = matches!(said, Comparison::Accepted(_));
        assert_eq!(accepted, is_right, "{expected:?} {actual:?} {said:?}");
    }
    assert!(!admits(&statement, Strategy::Multiset));
    assert!(!admits(&statement, Strategy::WordCase));
}
