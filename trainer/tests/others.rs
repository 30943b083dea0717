//! The loss beside that of others: what TRL's and verl's own functions gave for the same batches, recorded by
//! `reference/record_losses.sh`.

use serde_json::Value;
use tch::{Kind, Tensor};
use trainer::algorithm::advantage::{Normalisation, advantages};
use trainer::algorithm::loss::{Denominators, Inputs, LossConfig, policy_loss, token_weight};

/// verl divides by counts that are 1e-8 too large.
const OFF: f64 = 1e-7;

fn recorded() -> Value {
    serde_json::from_str(include_str!("reference/others.json")).unwrap()
}

fn numbers(value: &Value) -> Vec<f64> {
    let list = value.as_array().unwrap();
    list.iter().map(|one| one.as_f64().unwrap()).collect()
}

/// The responses of a padded table, end to end.
fn flat(table: &Value, lengths: &[usize]) -> Vec<f64> {
    let rows = table.as_array().unwrap().iter().zip(lengths);
    rows.flat_map(|(row, length)| numbers(row)[..*length].to_vec())
        .collect()
}

fn close(name: &str, ours: f64, theirs: f64) {
    let off = (ours - theirs).abs();
    assert!(
        off <= OFF * (1.0 + theirs.abs()),
        "{name}: {ours} beside {theirs}"
    );
}

fn hold(case: &Value) {
    let name = case["name"].as_str().unwrap();
    let config: LossConfig = serde_json::from_value(case["config"].clone()).unwrap();
    let lengths: Vec<usize> = numbers(&case["lengths"])
        .iter()
        .map(|length| *length as usize)
        .collect();
    let longest = case["max_length"].as_u64().unwrap() as usize;
    let denominators = Denominators::of(&lengths, longest);
    let tensor = |key: &str| Tensor::from_slice(&flat(&case[key], &lengths));
    let spread = |of: &dyn Fn(usize) -> f64| {
        let each = lengths.iter().enumerate();
        let tokens = each.flat_map(|(place, length)| vec![of(place); *length]);
        Tensor::from_slice(&tokens.collect::<Vec<f64>>())
    };
    let per_response = numbers(&case["advantages"]);
    let responses = spread(&|place| place as f64).to_kind(Kind::Int64);
    let new = tensor("new").set_requires_grad(true);
    let loss = policy_loss(
        &Inputs {
            new: &new,
            old: &tensor("old"),
            reference: Some(&tensor("ref")),
            sampled: None,
            advantages: &spread(&|place| per_response[place]),
            weights: &spread(&|place| {
                token_weight(lengths[place], config.aggregation, &denominators)
            }),
            responses: Some(&responses),
        },
        &config,
    );
    loss.total.backward();
    close(
        name,
        loss.total.double_value(&[]),
        case["loss"].as_f64().unwrap(),
    );
    let gradient = Vec::<f64>::try_from(new.grad()).unwrap();
    for (ours, theirs) in gradient.iter().zip(flat(&case["gradient"], &lengths)) {
        close(&format!("{name}, gradient"), *ours, theirs);
    }
    if let Some(moved) = case["moved"].as_f64() {
        close(
            &format!("{name}, approximate KL"),
            loss.sums.mean(loss.sums.moved),
            moved,
        );
    }
}

#[test]
fn losses_are_those_of_trl_and_verl() {
    let recorded = recorded();
    let cases = recorded["cases"].as_array().unwrap();
    assert_eq!(cases.len(), 15);
    cases.iter().for_each(hold);
}

#[test]
fn advantages_are_those_of_verl() {
    let recorded = &recorded()["advantages"];
    let rewards: Vec<Option<f64>> = numbers(&recorded["rewards"])
        .into_iter()
        .map(Some)
        .collect();
    let eps = recorded["eps"].as_f64().unwrap();
    for (normalisation, key) in [
        (Normalisation::Group, "by_group"),
        (Normalisation::None, "centred"),
    ] {
        let ours = advantages(&rewards, 4, normalisation, eps);
        for (ours, theirs) in ours.into_iter().zip(numbers(&recorded[key])) {
            close(key, ours.unwrap(), theirs);
        }
    }
}
