//! The programs that all contenders judge: honest, small, and no two alike.

use serde_json::{Value, json};

/// Problems of kind `stdin`, with one right program each.
pub struct Workload {
    /// What it is, for the table.
    pub name: &'static str,
    tests: usize,
    /// Whether what the programs compute takes most of the time, so that the time beside that is of interest.
    pub is_mix: bool,
    /// Lines of the problems file.
    pub problems: Vec<Value>,
    /// Lines of the solutions file, in the same order.
    pub solutions: Vec<Value>,
}

impl Workload {
    /// So many programs, with so many tests each.
    pub fn new(name: &'static str, programs: usize, tests: usize) -> Workload {
        Workload {
            name,
            tests: programs * tests,
            is_mix: false,
            problems: (0..programs).map(|number| problem(number, tests)).collect(),
            solutions: (0..programs).map(solution).collect(),
        }
    }

    /// So many programs that compute, with one to five tests each.
    pub fn mix(name: &'static str, programs: usize) -> Workload {
        let tests = |number: usize| 1 + number * 7 % 5;
        Workload {
            name,
            tests: (0..programs).map(tests).sum(),
            is_mix: true,
            problems: (0..programs)
                .map(|number| problem(number, tests(number)))
                .collect(),
            solutions: (0..programs).map(computing).collect(),
        }
    }

    /// How many programs.
    pub fn programs(&self) -> usize {
        self.problems.len()
    }

    /// How many tests, of all programs together.
    pub fn tests(&self) -> usize {
        self.tests
    }
}

/// How often the programs of a mix go round a loop: from hardly at all to some thirty milliseconds.
const ROUNDS: [usize; 6] = [2_000, 10_000, 40_000, 80_000, 150_000, 400_000];

/// One that computes for a while, as solutions of contest problems do.
fn computing(number: usize) -> Value {
    let rounds = ROUNDS[number % ROUNDS.len()];
    let code = format!(
        "import sys\nfrom collections import defaultdict\n\n\
         def mixed(seed):\n    for i in range({rounds}):\n        seed = (seed * 31 + i) % 1000003\n    return seed\n\n\
         n = int(input())\nvalues = list(map(int, sys.stdin.readline().split()))[:n]\n\
         counts = defaultdict(int)\nfor value in values:\n    counts[value] += 1\n\
         mixed(n)\nprint(sum(v * c for v, c in counts.items()) + {number})\n"
    );
    json!({"id": format!("program-{number}"), "problem_id": format!("sum-{number}"), "code": code})
}

/// The sum of twenty numbers and a constant.
fn problem(number: usize, tests: usize) -> Value {
    let test = |test: usize| {
        let numbers: Vec<usize> = (0..20)
            .map(|i| (i * 37 + test * 101 + number) % 1000)
            .collect();
        let line: Vec<String> = numbers.iter().map(usize::to_string).collect();
        let sum = numbers.iter().sum::<usize>() + number;
        json!({"input": format!("20\n{}\n", line.join(" ")), "output": format!("{sum}\n")})
    };
    let tests: Vec<Value> = (0..tests).map(test).collect();
    json!({"id": format!("sum-{number}"), "kind": "stdin", "tests": tests, "time_limit": 6})
}

fn solution(number: usize) -> Value {
    let code = format!(
        "from collections import Counter\n\n\
         def solve(values):\n    counts = Counter(values)\n    return sum(v * n for v, n in counts.items()) + {number}\n\n\
         n = int(input())\nprint(solve([int(word) for word in input().split()][:n]))\n"
    );
    json!({"id": format!("program-{number}"), "problem_id": format!("sum-{number}"), "code": code})
}
