//! The families of the toy task's problems.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

/// Tests per problem.
const TESTS: usize = 4;

/// What a family's programs read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reads {
    /// An integer within these bounds.
    Integer(i64, i64),
    /// A few integers.
    Integers,
    /// A word.
    Word,
}

/// Problems that differ in a constant at most.
pub(super) struct Family {
    /// What the prompt says; `k` stands for the constant.
    pub(super) name: &'static str,
    /// The program that solves it.
    program: &'static str,
    reads: Reads,
    /// What it prints for what it reads.
    answer: fn(&str, i64) -> String,
}

const SIGNED: Reads = Reads::Integer(-99, 99);

pub(super) const FAMILIES: [Family; 12] = [
    Family {
        name: "add k",
        program: "print(int(input())+k)",
        reads: SIGNED,
        answer: |x, k| (integer(x) + k).to_string(),
    },
    Family {
        name: "sub k",
        program: "print(int(input())-k)",
        reads: SIGNED,
        answer: |x, k| (integer(x) - k).to_string(),
    },
    Family {
        name: "mul k",
        program: "print(int(input())*k)",
        reads: SIGNED,
        answer: |x, k| (integer(x) * k).to_string(),
    },
    Family {
        name: "mod k",
        program: "print(int(input())%k)",
        reads: Reads::Integer(100, 999),
        answer: |x, k| (integer(x) % k).to_string(),
    },
    Family {
        name: "rep k",
        program: "print(input()*k)",
        reads: Reads::Word,
        answer: |x, k| x.repeat(k as usize),
    },
    Family {
        name: "sum",
        program: "print(sum(map(int,input().split())))",
        reads: Reads::Integers,
        answer: |x, _| integers(x).iter().sum::<i64>().to_string(),
    },
    Family {
        name: "max",
        program: "print(max(map(int,input().split())))",
        reads: Reads::Integers,
        answer: |x, _| {
            integers(x)
                .iter()
                .max()
                .map_or(String::new(), i64::to_string)
        },
    },
    Family {
        name: "min",
        program: "print(min(map(int,input().split())))",
        reads: Reads::Integers,
        answer: |x, _| {
            integers(x)
                .iter()
                .min()
                .map_or(String::new(), i64::to_string)
        },
    },
    Family {
        name: "sort",
        program: "print(*sorted(map(int,input().split())))",
        reads: Reads::Integers,
        answer: |x, _| sorted(x),
    },
    Family {
        name: "rev",
        program: "print(input()[::-1])",
        reads: Reads::Word,
        answer: |x, _| x.chars().rev().collect(),
    },
    Family {
        name: "upper",
        program: "print(input().upper())",
        reads: Reads::Word,
        answer: |x, _| x.to_uppercase(),
    },
    Family {
        name: "len",
        program: "print(len(input()))",
        reads: Reads::Word,
        answer: |x, _| x.len().to_string(),
    },
];

fn integer(text: &str) -> i64 {
    integers(text).first().copied().unwrap_or_default()
}

fn integers(text: &str) -> Vec<i64> {
    text.split(' ')
        .filter_map(|word| word.parse().ok())
        .collect()
}

fn sorted(text: &str) -> String {
    let mut numbers = integers(text);
    numbers.sort_unstable();
    let words: Vec<String> = numbers.iter().map(i64::to_string).collect();
    words.join(" ")
}

impl Family {
    pub(super) fn has_constant(&self) -> bool {
        self.name.ends_with(" k")
    }

    pub(super) fn statement(&self, constant: i64) -> String {
        with_constant(self.name, constant)
    }

    pub(super) fn solution(&self, constant: i64) -> String {
        with_constant(self.program, constant)
    }

    fn input(&self, rng: &mut ChaCha8Rng) -> String {
        match self.reads {
            Reads::Integer(low, high) => rng.random_range(low..=high).to_string(),
            Reads::Integers => {
                let numbers = (0..rng.random_range(2..=6))
                    .map(|_| rng.random_range(-50_i64..=50).to_string());
                numbers.collect::<Vec<_>>().join(" ")
            }
            Reads::Word => (0..rng.random_range(3..=8))
                .map(|_| rng.random_range('a'..='h'))
                .collect(),
        }
    }

    pub(super) fn problem(&self, id: String, constant: i64, rng: &mut ChaCha8Rng) -> Value {
        let tests: Vec<Value> = (0..TESTS)
            .map(|_| {
                let input = self.input(rng);
                let output = (self.answer)(&input, constant);
                json!({"input": format!("{input}\n"), "output": format!("{output}\n")})
            })
            .collect();
        let difficulty = if self.has_constant() {
            "constant"
        } else {
            "fixed"
        };
        json!({
            "id": id, "statement": self.statement(constant), "kind": "stdin", "tests": tests, "time_limit": 2.0,
            "platform": "toy", "difficulty": difficulty,
        })
    }
}

/// Only a constant is a `k` of its own in a statement, and a last operand in a program.
fn with_constant(text: &str, constant: i64) -> String {
    let value = constant.to_string();
    text.replace(" k", &format!(" {value}"))
        .replace("+k)", &format!("+{value})"))
        .replace("-k)", &format!("-{value})"))
        .replace("*k)", &format!("*{value})"))
        .replace("%k)", &format!("%{value})"))
}
