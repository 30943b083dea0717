//! Decoding steps that a GPU could replay, on a CPU: they draw what ordinary steps draw, and they are alike, call by call and
//! address by address.

#[path = "support/tiny.rs"]
mod tiny;

use std::collections::{BTreeMap, BTreeSet};
use tch::{Device, Tensor};
use tiny::{model, prompts, tokens};
use trainer::engine::{Completion, Engine, Graphs, Room, Sampling};
use trainer::model::Qwen;
use trainer::native::{self, Call};

fn engine(room: Room, look_every: usize, graphs: Graphs) -> Engine {
    Engine {
        look_every,
        graphs,
        ..Engine::new(room, Device::Cpu)
    }
}

fn sample(engine: Engine, model: &Qwen, settings: &Sampling) -> BTreeMap<usize, Completion> {
    let mut all = BTreeMap::new();
    let mut keep = |number, one| assert!(all.insert(number, one).is_none());
    engine.generate(model, &prompts(), 6, settings, &mut keep);
    all
}

#[test]
fn steps_that_could_be_replayed_draw_the_same_responses() {
    let model = model();
    let long = Sampling {
        max_tokens: 300,
        stop: vec![4, 5],
        seed: 3,
        ..Sampling::default()
    };
    let greedy = Sampling {
        temperature: 0.0,
        max_tokens: 21,
        ..Sampling::default()
    };
    let filtered = Sampling {
        temperature: 0.8,
        top_k: 20,
        top_p: 0.9,
        min_p: 0.01,
        max_tokens: 40,
        stop: vec![4, 5, 6],
        ..Sampling::default()
    };
    // Of 5 slots, and of room for the longest response alone, where others give way and all move.
    for (settings, room) in [
        (&long, Room::Slots(5)),
        (&long, tokens(312)),
        (&greedy, Room::Slots(3)),
        (&filtered, Room::Slots(7)),
    ] {
        for look_every in [1, 8] {
            let both = [Graphs::Off, Graphs::Rehearsed];
            let [plain, alike] =
                both.map(|graphs| sample(engine(room, look_every, graphs), &model, settings));
            assert_eq!(plain.len(), alike.len());
            for (one, other) in plain.values().zip(alike.values()) {
                assert_eq!(one.tokens, other.tokens, "{settings:?} {room:?}");
                assert_eq!(one.truncated, other.truncated);
                let pairs = one.log_probs.iter().zip(&other.log_probs);
                let off = pairs.map(|(one, other)| (one - other).abs());
                assert!(off.fold(0.0, f32::max) < 2e-5);
            }
        }
    }
}

/// What each step of a recording called, and how many of its tensors outlived it.
fn steps(calls: &[Call]) -> Vec<(&[Call], &str)> {
    let of_name = |name: &str| {
        let all = calls.iter().enumerate();
        let found: Vec<usize> = all
            .filter(|(_, call)| call.name == name)
            .map(|(place, _)| place)
            .collect();
        found
    };
    let (starts, ends) = (
        of_name("microcoder::step"),
        of_name("microcoder::step.kept"),
    );
    assert_eq!(starts.len(), ends.len());
    let pairs = starts.into_iter().zip(ends);
    pairs
        .map(|(start, end)| (&calls[start..end], calls[end].arguments.as_str()))
        .collect()
}

/// Calls in which the host reads what the device has, or in which a shape depends on that.
fn waits(call: &Call) -> bool {
    let waiting = [
        "aten::item",
        "aten::_local_scalar_dense",
        "aten::is_nonzero",
        "aten::nonzero",
        "aten::masked_select",
        "aten::equal",
    ];
    waiting.contains(&call.name.as_str())
}

#[test]
fn steps_are_alike_in_all_that_decides_what_they_do() {
    let model = model();
    let settings = Sampling {
        max_tokens: 150,
        stop: vec![4, 5, 6],
        seed: 3,
        ..Sampling::default()
    };
    // Responses end, give way, move and start meanwhile.
    let engine = engine(tokens(400), 8, Graphs::Rehearsed);
    let generate = || engine.generate(&model, &prompts(), 6, &settings, &mut |_, _| ());
    let (stats, calls) = native::record(generate);
    assert!(stats.moves > 0 && stats.gave_way > 0, "{stats:?}");
    let steps = steps(&calls);
    assert_eq!(steps.len(), stats.steps);
    let kinds: BTreeSet<String> = steps
        .iter()
        .map(|(calls, _)| format!("{calls:?}"))
        .collect();
    // Of 8, 4, 2 slots, and of one.
    assert!(
        (3..=4).contains(&kinds.len()),
        "{} kinds of steps among {}",
        kinds.len(),
        steps.len()
    );
    for (calls, kept) in steps {
        assert!(calls.len() > 40, "{}", calls.len());
        assert_eq!(kept, "0");
        let waiting: Vec<&Call> = calls.iter().filter(|call| waits(call)).collect();
        assert!(waiting.is_empty(), "{waiting:?}");
    }
}

/// What a step would be caught at.
#[test]
fn steps_that_are_not_alike_are_told_apart() {
    let table = Tensor::from_slice(&[1.0_f32, 2.0, 3.0]);
    let other = table.copy();
    let recorded = |work: &dyn Fn()| {
        let (_, calls) = native::record(|| native::step(work));
        let steps = steps(&calls);
        let [(calls, kept)] = steps[..] else {
            panic!("one step: {steps:?}");
        };
        (calls.to_vec(), kept.to_owned())
    };
    let of = |table: &Tensor, row: i64| recorded(&|| drop(table.get(row) * 2.0));
    assert_eq!(of(&table, 0), of(&table, 0));
    assert_ne!(of(&table, 0), of(&table, 1), "a number of the host's");
    assert_ne!(of(&table, 0), of(&other, 0), "another place");
    assert_eq!(of(&table, 0).1, "0");

    let kept = std::cell::RefCell::new(Vec::new());
    let keep = || kept.borrow_mut().push(&table + 1.0);
    assert_eq!(recorded(&keep).1, "1");
    let (read, _) = recorded(&|| assert_eq!(table.get(0).double_value(&[]), 1.0));
    assert!(read.iter().any(waits), "{read:?}");
}
