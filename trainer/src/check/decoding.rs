//! The forward pass: logits of whole sequences, greedy decoding by the engine, tempered log-probabilities and entropies.

use super::error::CheckError;
use super::figure::{Figure, HALF_ULP, SLACK, to_numbers};
use super::record::integers;
use super::subject::Subject;
use crate::engine::{Engine, Room, Sampling};
use crate::model::Packed;
use tch::{Device, Tensor};

pub(super) fn replay(subject: &Subject) -> Result<Vec<Figure>, CheckError> {
    let logits = &subject.reference.logits;
    let tolerance = SLACK * logits.f32_err + HALF_ULP * logits.max_abs;
    let _guard = tch::no_grad_guard();
    let mut figures = Vec::new();
    for batch in ["unpadded", "left", "right"] {
        figures.push(whole(subject, batch, tolerance)?);
    }
    figures.extend(greedy(subject, tolerance)?);
    figures.extend(scores(subject, tolerance)?);
    Ok(figures)
}

/// Rows packed end to end, apart from their padding.
fn pack(rows: &[Vec<i64>]) -> Packed {
    let sequences: Vec<(&[i64], &[i64])> = rows
        .iter()
        .map(|row| (row.as_slice(), [].as_slice()))
        .collect();
    Packed::new(&sequences, Device::Cpu)
}

/// The logits of every token of a batch.
fn whole(subject: &Subject, batch: &str, tolerance: f64) -> Result<Figure, CheckError> {
    let mask = format!("{batch}.mask");
    let rows = subject.forward.rows(&format!("{batch}.ids"), &mask)?;
    let kept = subject.forward.get(&mask)?.not_equal(0).unsqueeze(-1);
    let reference = subject
        .forward
        .get(&format!("{batch}.logits"))?
        .masked_select(&kept);
    let ours = subject.model.all_logits(&pack(&rows));
    Ok(Figure::tensors(
        subject.named(&format!("logits, {batch}")),
        &ours,
        &reference,
        tolerance,
    ))
}

/// What the engine decodes at temperature 0, all rows side by side; and how far each token of the reference is from the
/// likeliest one in a forward pass over the whole text.
fn greedy(subject: &Subject, tolerance: f64) -> Result<Vec<Figure>, CheckError> {
    let prompts = subject.forward.rows("left.ids", "left.mask")?;
    let expected = subject.forward.get("greedy.ids")?;
    let settings = Sampling {
        temperature: 0.0,
        max_tokens: expected.size()[1] as usize,
        ..Sampling::default()
    };
    let expected: Vec<Vec<i64>> = (0..expected.size()[0])
        .map(|row| integers(&expected.get(row)))
        .collect();
    let mut decoded = vec![Vec::new(); prompts.len()];
    Engine::new(Room::Slots(prompts.len()), Device::Cpu).generate(
        &subject.model,
        &prompts,
        1,
        &settings,
        &mut |number, done| decoded[number] = done.tokens,
    );

    let margins = &subject.reference.greedy_min_margin;
    let mut figures = Vec::new();
    for (row, ((expected, decoded), margin)) in
        expected.iter().zip(&decoded).zip(margins).enumerate()
    {
        // Where two tokens are closer than float32 tells apart, either may be decoded, and then all that follows differs.
        if *margin > 2.0 * tolerance {
            let wrong = expected
                .iter()
                .zip(decoded)
                .filter(|(expected, decoded)| expected != decoded)
                .count();
            let name = subject.named(&format!("greedy, row {row}, tokens that differ"));
            figures.push(Figure::disagreements(name, expected.len(), wrong));
        }
        let name = subject.named(&format!("greedy, row {row}, below the likeliest"));
        let below = below_likeliest(subject, &prompts[row], expected);
        figures.push(Figure::numbers(
            name,
            &below,
            &vec![0.0; below.len()],
            2.0 * tolerance,
        ));
    }
    Ok(figures)
}

fn below_likeliest(subject: &Subject, prompt: &[i64], response: &[i64]) -> Vec<f64> {
    let packed = Packed::new(&[(prompt, response)], Device::Cpu);
    let logits = subject
        .model
        .all_logits(&packed)
        .index_select(0, &packed.rows);
    let chosen = logits
        .gather(-1, &packed.targets.unsqueeze(-1), false)
        .squeeze_dim(-1);
    to_numbers(&(logits.amax([-1_i64].as_slice(), false) - chosen))
}

/// Log-probabilities and entropies at each temperature that the reference has. A logit off by d moves a log-probability by
/// at most 2d over the temperature.
fn scores(subject: &Subject, tolerance: f64) -> Result<Vec<Figure>, CheckError> {
    let ids = integers(subject.forward.get("score.ids")?);
    let packed = Packed::new(&[(&ids[..1], &ids[1..])], Device::Cpu);
    let mut figures = Vec::new();
    for name in subject.forward.names_after("score.logps_T") {
        let Ok(temperature) = name.parse::<f64>() else {
            continue;
        };
        let (log_probs, entropies) = subject.model.log_probs(&packed, temperature);
        let tolerance = 2.0 * tolerance / temperature;
        let mut compare = |what: &str, kind: &str, ours: &Tensor| -> Result<(), CheckError> {
            let reference = subject.forward.get(&format!("score.{kind}_T{name}"))?;
            figures.push(Figure::tensors(
                subject.named(&format!("{what} at temperature {name}")),
                ours,
                reference,
                tolerance,
            ));
            Ok(())
        };
        compare("log-probabilities", "logps", &log_probs)?;
        compare("entropies", "entropy", &entropies)?;
    }
    Ok(figures)
}
