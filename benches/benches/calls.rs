//! What a call of `judge_all` costs beside the judging: a trainer calls it for every few responses.
//!
//! `cargo bench -p benches --bench calls`.

use std::sync::Arc;

use criterion::{Criterion, criterion_group, criterion_main};
use evaluator::{
    Decision, Evaluator, Interpreter, Level, Problem, Settings, Task, TestCase, Tests,
};

const TASKS: usize = 20;

fn tasks() -> Vec<Task> {
    let case = TestCase {
        input: "17 25\n".into(),
        expected: "42\n".into(),
    };
    let problem = Arc::new(Problem::new("sum", Tests::Stdin(vec![case])));
    let code = "a, b = map(int, input().split())\nprint(a + b)\n";
    (0..TASKS)
        .map(|number| Task::new(number.to_string(), code, problem.clone()))
        .collect()
}

fn judge(evaluator: &Arc<Evaluator>, tasks: Vec<Task>) {
    for verdict in evaluator.judge_all(tasks) {
        assert_eq!(verdict.verdict, Decision::Accepted);
    }
}

fn calls(criterion: &mut Criterion) {
    let interpreter = Interpreter::find(None).expect("python3 is installed");
    // The tasks are all alike, and each is to be run.
    let settings = Settings {
        dedup: false,
        ..Settings::default()
    };
    let evaluator = Evaluator::new(interpreter, Level::Full, 2, settings);
    let evaluator = evaluator.expect("full isolation can be had");
    let mut group = criterion.benchmark_group("twenty_tasks");
    group.sample_size(20);
    group.bench_function("in_one_call", |bencher| {
        bencher.iter(|| judge(&evaluator, tasks()));
    });
    group.bench_function("in_twenty_calls", |bencher| {
        bencher.iter(|| {
            for task in tasks() {
                judge(&evaluator, vec![task]);
            }
        });
    });
    group.finish();
}

criterion_group!(benches, calls);
criterion_main!(benches);
