//! The engine against the forward pass it must agree with, on a tiny model with random weights.

#[path = "support/tiny.rs"]
mod tiny;

use std::collections::BTreeMap;
use tch::{Device, Kind, Tensor};
use tiny::{config, model, prompts, tokens};
use trainer::engine::{Completion, Engine, GenerationStats, Room, Sampling, attend_gathered};
use trainer::model::{Packed, Qwen};
use trainer::native::{self, Spans};

/// All completions by number.
fn sample(
    model: &Qwen,
    slots: usize,
    group: usize,
    settings: &Sampling,
) -> (BTreeMap<usize, Completion>, GenerationStats) {
    let mut all = BTreeMap::new();
    let tally = Engine::new(Room::Slots(slots), Device::Cpu).generate(
        model,
        &prompts(),
        group,
        settings,
        &mut |number, completion| {
            assert!(
                all.insert(number, completion).is_none(),
                "response {number} came twice"
            );
        },
    );
    (all, tally)
}

/// The likeliest next token of a text, by a forward pass over all of it.
fn likeliest(model: &Qwen, text: &[i64]) -> i64 {
    let packed = Packed::new(&[(text, &[])], Device::Cpu);
    model
        .all_logits(&packed)
        .get(text.len() as i64 - 1)
        .argmax(-1, false)
        .int64_value(&[])
}

#[test]
fn greedy_decoding_continues_as_the_full_forward_pass_does() {
    let model = model();
    let settings = Sampling {
        temperature: 0.0,
        max_tokens: 20,
        ..Sampling::default()
    };
    let (all, _) = sample(&model, 3, 1, &settings);
    for (prompt, completion) in prompts().iter().zip(all.values()) {
        let mut text = prompt.clone();
        for _ in 0..20 {
            text.push(likeliest(&model, &text));
        }
        assert_eq!(completion.tokens, text[prompt.len()..]);
        assert!(completion.truncated);
    }
}

#[test]
fn log_probs_as_sampled_are_those_that_training_computes() {
    let model = model();
    for temperature in [0.6, 1.0, 1.3] {
        let settings = Sampling {
            temperature,
            max_tokens: 24,
            stop: vec![7, 11],
            seed: 3,
            ..Sampling::default()
        };
        let (all, _) = sample(&model, 5, 4, &settings);
        let (prompts, all): (Vec<_>, Vec<_>) = (prompts(), all.into_values().collect());
        let sequences: Vec<(&[i64], &[i64])> = all
            .iter()
            .map(|one| (prompts[one.prompt].as_slice(), one.tokens.as_slice()))
            .collect();
        let (trained, entropies) =
            model.log_probs(&Packed::new(&sequences, Device::Cpu), temperature);
        let sampled = Tensor::from_slice(
            &all.iter()
                .flat_map(|one| one.log_probs.clone())
                .collect::<Vec<f32>>(),
        );
        let most = (trained - sampled).abs().max().double_value(&[]);
        assert!(
            most < 2e-5,
            "log-probabilities differ by {most:e} at temperature {temperature}"
        );
        assert!(entropies.min().double_value(&[]) >= 0.0);
    }
}

#[test]
fn a_group_shares_one_prefill_and_ended_slots_are_filled_again() {
    let settings = Sampling {
        max_tokens: 30,
        stop: (0..10).collect(),
        seed: 1,
        ..Sampling::default()
    };
    let (all, tally) = sample(&model(), 3, 8, &settings);
    assert_eq!(all.len(), 32);
    assert_eq!(
        tally.prefills, 4,
        "one for each prompt, though its group never fitted at once"
    );
    assert_eq!(
        tally.tokens,
        all.values().map(|one| one.tokens.len()).sum::<usize>()
    );
    // The first token of a response comes of its prefill. If slots waited for the longest beside them, there would be
    // as many steps as in the sum of the longest of each three.
    let decoded = tally.tokens - 32;
    assert!(
        tally.steps <= decoded / 3 + 30,
        "{} steps for {decoded} tokens in 3 slots",
        tally.steps
    );
}

#[test]
fn responses_end_with_a_stop_token_or_for_want_of_room() {
    let settings = Sampling {
        max_tokens: 12,
        stop: vec![5, 6, 7, 8, 9, 10, 11, 12],
        seed: 8,
        ..Sampling::default()
    };
    let (all, _) = sample(&model(), 4, 8, &settings);
    let (cut, stopped): (Vec<_>, Vec<_>) = all.values().partition(|one| one.truncated);
    assert!(!cut.is_empty() && !stopped.is_empty());
    assert!(cut.iter().all(|one| one.tokens.len() == 12));
    for one in stopped {
        let (last, before) = one.tokens.split_last().unwrap();
        assert!(
            settings.stop.contains(last)
                && !before.iter().any(|token| settings.stop.contains(token))
        );
    }
    assert!(all.iter().all(|(number, one)| one.prompt == number / 8));
}

#[test]
fn a_seed_reproduces_whatever_the_number_of_slots() {
    let model = model();
    let settings = Sampling {
        max_tokens: 16,
        stop: vec![4],
        seed: 12,
        ..Sampling::default()
    };
    let (first, _) = sample(&model, 32, 6, &settings);
    let (again, _) = sample(&model, 32, 6, &settings);
    assert_eq!(first, again);
    let (narrow, _) = sample(&model, 5, 6, &settings);
    let tokens = |all: &BTreeMap<usize, Completion>| {
        all.values()
            .map(|one| one.tokens.clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(tokens(&first), tokens(&narrow));
    let (other, _) = sample(
        &model,
        32,
        6,
        &Sampling {
            seed: 13,
            ..settings
        },
    );
    assert_ne!(tokens(&first), tokens(&other));
    assert_ne!(
        first[&0].tokens, first[&1].tokens,
        "a group's responses differ"
    );
}

#[test]
fn a_host_that_looks_less_often_gets_the_same_responses() {
    let model = model();
    let settings = Sampling {
        max_tokens: 21,
        stop: (0..6).collect(),
        seed: 5,
        ..Sampling::default()
    };
    let (each, _) = sample(&model, 5, 6, &settings);
    let mut rarely = BTreeMap::new();
    let engine = Engine {
        look_every: 8,
        ..Engine::new(Room::Slots(5), Device::Cpu)
    };
    let stats = engine.generate(&model, &prompts(), 6, &settings, &mut |number, one| {
        rarely.insert(number, one);
    });
    let tokens = |all: &BTreeMap<usize, Completion>| -> Vec<(Vec<i64>, bool)> {
        all.values()
            .map(|one| (one.tokens.clone(), one.truncated))
            .collect()
    };
    assert_eq!(tokens(&each), tokens(&rarely));
    let kept: usize = each.values().map(|one| one.tokens.len()).sum();
    assert_eq!(
        stats.tokens, kept,
        "what is drawn past an end is not counted"
    );
}

#[test]
fn slots_are_bounded_by_the_tokens_they_hold() {
    let model = model();
    // Prompts of at most 11 tokens, responses of at most 300, and the one that is drawn before each look: 312 for the longest.
    let settings = Sampling {
        max_tokens: 300,
        stop: vec![4, 5],
        seed: 3,
        ..Sampling::default()
    };
    let all_in = |room: Room, look_every: usize| {
        let mut all = BTreeMap::new();
        let engine = Engine {
            look_every,
            ..Engine::new(room, Device::Cpu)
        };
        let stats = engine.generate(&model, &prompts(), 6, &settings, &mut |number, one| {
            assert!(all.insert(number, one.tokens).is_none());
        });
        (all, stats)
    };
    let (whole, roomy) = all_in(Room::Slots(8), 1);
    assert_eq!((roomy.side_by_side, roomy.gave_way), (8, 0));
    let most = whole.values().map(Vec::len).max().unwrap_or(0);
    assert!(
        most > 100,
        "long enough to outgrow what it began with: {most}"
    );

    // Room for the longest twice: as many grow side by side as have room for what they hold.
    let (tight, stats) = all_in(tokens(2 * 312), 1);
    assert_eq!(whole, tight);
    assert!(stats.side_by_side > 2, "{stats:?}");
    assert!(stats.moves > 0, "{stats:?}");

    // Room for the longest alone: some have to give way, and go on with the tokens that they have.
    for look_every in [1, 8] {
        let (least, stats) = all_in(tokens(312), look_every);
        assert_eq!(whole, least);
        assert!(stats.gave_way > 0, "{stats:?}");
        assert_eq!(stats.tokens, whole.values().map(Vec::len).sum::<usize>());
        assert_eq!(all_in(tokens(312), look_every).1, stats, "not by chance");
    }
}

/// Draws at the first place after a prompt, counted by token, and the probabilities they should have: of all tokens, or of the
/// few that filters leave.
fn first_draws(settings: &Sampling, draws: usize) -> (Vec<f64>, Vec<f64>) {
    let model = model();
    let settings = Sampling {
        max_tokens: 1,
        seed: 21,
        ..settings.clone()
    };
    let prompt = prompts().swap_remove(0);
    let mut counts = vec![0.0; 97];
    let mut count = |_, one: Completion| counts[one.tokens[0] as usize] += 1.0;
    let prompts = std::slice::from_ref(&prompt);
    Engine::new(Room::Slots(4096), Device::Cpu)
        .generate(&model, prompts, draws, &settings, &mut count);
    let packed = Packed::new(&[(&prompt, &[])], Device::Cpu);
    let logits = model.all_logits(&packed).get(prompt.len() as i64 - 1);
    let mut ranked: Vec<(usize, f64)> =
        Vec::<f64>::try_from((logits / settings.temperature).softmax(-1, Kind::Double))
            .unwrap()
            .into_iter()
            .enumerate()
            .collect();
    ranked.sort_by(|one, other| other.1.total_cmp(&one.1));
    if settings.top_k > 0 {
        ranked.truncate(settings.top_k as usize);
    }
    let all: f64 = ranked.iter().map(|(_, share)| share).sum();
    let mut before = 0.0;
    ranked.retain(|(_, share)| {
        let stays = before < settings.top_p * all;
        before += share;
        stays
    });
    let kept: f64 = ranked.iter().map(|(_, share)| share).sum();
    let mut probs = vec![0.0; 97];
    ranked
        .iter()
        .for_each(|(token, share)| probs[*token] = share / kept);
    (counts, probs)
}

#[test]
fn draws_follow_the_distribution() {
    let tempered = Sampling {
        temperature: 0.8,
        ..Sampling::default()
    };
    let nucleus = Sampling {
        top_p: 0.9,
        ..tempered.clone()
    };
    let both = Sampling {
        top_k: 20,
        ..nucleus.clone()
    };
    let draws = 20_000;
    for settings in [tempered, nucleus, both] {
        let (counts, probs) = first_draws(&settings, draws);
        let (mut statistic, mut tokens) = (0.0, 0.0);
        for (count, share) in counts.iter().zip(&probs) {
            if *share == 0.0 {
                assert_eq!(*count, 0.0, "a token that a filter took out");
                continue;
            }
            let expected = share * draws as f64;
            statistic += (count - expected).powi(2) / expected;
            tokens += 1.0;
        }
        // Pearson's statistic over k - 1 degrees of freedom: its mean is that, its variance twice that.
        let freedom: f64 = tokens - 1.0;
        let bound = freedom + 5.0 * (2.0 * freedom).sqrt();
        assert!(statistic < bound, "{settings:?}: chi-squared {statistic}");
    }
}

/// Three sequences in no order, of 1, 9 and 4 rows, among rows of others.
#[test]
fn attention_to_ragged_sequences_is_that_of_each_by_itself() {
    tch::manual_seed(7);
    for (kind, tolerance) in [
        (Kind::Float, 1e-6),
        (Kind::Double, 1e-14),
        (Kind::BFloat16, 1e-2),
    ] {
        let random =
            |size: [i64; 3]| Tensor::randn(size, (Kind::Double, Device::Cpu)).to_kind(kind);
        let (query, rows) = (random([3, 6, 8]), random([40, 4, 8]));
        let spans = [(30, 1), (2, 9), (20, 4)];
        let column = |of: fn(&(i32, i32)) -> i32| {
            Tensor::from_slice(&spans.iter().map(of).collect::<Vec<i32>>())
        };
        let (starts, used) = (column(|span| span.0), column(|span| span.1));
        let keys = Spans {
            starts: &starts,
            used: Some(&used),
            longest: 9,
        };
        let one = |slot: usize| {
            let (first, count) = spans[slot];
            let own = rows.narrow(0, first.into(), count.into()).transpose(0, 1);
            let query = query.get(slot as i64).unsqueeze(1);
            let (keys, values) = (own.narrow(0, 0, 2), own.narrow(0, 2, 2));
            let none = None::<Tensor>;
            Tensor::scaled_dot_product_attention(
                &query, &keys, &values, none, 0.0, false, None, true,
            )
            .squeeze_dim(1)
        };
        let each = Tensor::stack(&[one(0), one(1), one(2)], 0);
        for ragged in [
            native::attend(&query, &rows, &keys),
            attend_gathered(&query, &rows, &keys),
        ] {
            let off = (&ragged - &each).abs().max().double_value(&[]);
            assert!(off <= tolerance, "{kind:?}: {off:e}");
        }
    }
}

#[test]
#[should_panic(expected = "a span beyond the rows")]
fn attention_to_rows_that_there_are_not_is_refused() {
    let heads = Tensor::zeros([1, 2, 8], (Kind::Float, Device::Cpu));
    let rows = Tensor::zeros([4, 4, 8], (Kind::Float, Device::Cpu));
    let keys = Spans {
        starts: &Tensor::from_slice(&[2_i32]),
        used: Some(&Tensor::from_slice(&[3_i32])),
        longest: 3,
    };
    let _ = native::attend(&heads, &rows, &keys);
}

/// Operators of eight decoding steps and the look of the host after them, by the difference between a longer and a shorter
/// generation. All responses have one length, so that nothing starts or ends in between.
fn eight_steps(layers: i64) -> Vec<String> {
    let calls = |tokens: usize| {
        let mut shape = config();
        shape.layers = layers;
        let model = Qwen::random(shape, 3, Device::Cpu, Kind::Float);
        let settings = Sampling {
            max_tokens: tokens,
            ..Sampling::default()
        };
        let engine = Engine {
            look_every: 8,
            ..Engine::new(Room::Slots(4), Device::Cpu)
        };
        let prompts = vec![vec![1, 2, 3]; 4];
        let generate = || engine.generate(&model, &prompts, 1, &settings, &mut |_, _| ());
        native::operators(generate).1
    };
    let mut longer = calls(17);
    for name in calls(9) {
        let same = longer.iter().position(|other| *other == name);
        longer.swap_remove(same.expect("a longer generation calls no fewer"));
    }
    longer
}

#[test]
fn a_decoding_step_calls_few_operators_a_layer_and_waits_for_none() {
    let (two, four) = (eight_steps(2), eight_steps(4));
    let a_layer = (four.len() - two.len()) / (2 * 8);
    assert!((9..=12).contains(&a_layer), "{a_layer} operators a layer");
    let beside = (two.len() / 8).saturating_sub(2 * a_layer);
    assert!(beside <= 40, "{beside} operators beside the layers");
    println!("{a_layer} operators a layer, {beside} beside them");
    // Once for eight tokens: last tokens, random numbers; what was drawn and its log-probabilities.
    for all in [two, four] {
        let waits: Vec<_> = all.iter().filter(|name| may_wait(name)).collect();
        assert!(waits.len() <= 4, "{waits:?}");
    }
}

/// Whether the host has to wait for a GPU there, as it reads a number, or needs one to know a shape. On a CPU, a tensor's move to
/// another device cannot be told from one to another kind.
fn may_wait(name: &str) -> bool {
    let waiting = [
        "aten::copy_",
        "aten::item",
        "aten::_local_scalar_dense",
        "aten::is_nonzero",
        "aten::nonzero",
        "aten::masked_select",
        "aten::equal",
    ];
    waiting.contains(&name)
}

#[test]
fn a_number_that_the_host_reads_counts_as_waiting() {
    let tensor = Tensor::from_slice(&[1.0_f32, 2.0]);
    let seen = |work: &dyn Fn()| native::operators(work).1;
    let waits = |work: &dyn Fn()| seen(work).iter().any(|name| may_wait(name));
    assert!(waits(&|| assert_eq!(tensor.get(0).double_value(&[]), 1.0)));
    assert!(waits(&|| drop(tensor.nonzero())));
    let plain = seen(&|| drop((&tensor + &tensor).to_kind(Kind::Double).view(-1)));
    assert_eq!(plain, ["aten::add.Tensor", "aten::to.dtype_layout"]);
}
