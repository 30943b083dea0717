//! Events for TensorBoard, read back by the documented form of its files: records with masked CRC-32C, and in each an
//! `Event` message (tensorflow/core/lib/io/record_writer.h, tensorflow/core/util/event.proto, summary.proto).

use std::fs;

use crate::lab::{Lab, small, steps};

/// CRC-32C bit by bit: the Castagnoli polynomial, reflected.
fn crc(bytes: &[u8]) -> u32 {
    let bit = |crc: u32, _| (crc >> 1) ^ (0x82f6_3b78 * (crc & 1));
    let byte = |crc: u32, byte: &u8| (0..8).fold(crc ^ u32::from(*byte), bit);
    !bytes.iter().fold(!0, byte)
}

fn masked(bytes: &[u8]) -> u32 {
    crc(bytes).rotate_right(15).wrapping_add(0xa282_ead8)
}

/// The first bytes of what is left, taken off it.
fn take<'a>(rest: &mut &'a [u8], count: usize) -> &'a [u8] {
    let (taken, left) = rest.split_at(count);
    *rest = left;
    taken
}

fn number(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .rev()
        .fold(0, |sum, byte| sum << 8 | u64::from(*byte))
}

fn records(mut file: &[u8]) -> Vec<&[u8]> {
    let mut records = Vec::new();
    while !file.is_empty() {
        let length = take(&mut file, 8);
        assert_eq!(number(take(&mut file, 4)), u64::from(masked(length)));
        let data = take(&mut file, number(length) as usize);
        assert_eq!(number(take(&mut file, 4)), u64::from(masked(data)));
        records.push(data);
    }
    records
}

fn varint(rest: &mut &[u8]) -> u64 {
    let mut value = 0;
    for place in 0.. {
        let byte = take(rest, 1)[0];
        value |= u64::from(byte & 127) << (7 * place);
        if byte < 128 {
            break;
        }
    }
    value
}

/// A message's fields with their raw values; those of varying length without it.
fn fields(mut rest: &[u8]) -> Vec<(u64, Vec<u8>)> {
    let mut fields = Vec::new();
    while !rest.is_empty() {
        let key = varint(&mut rest);
        let value = match key & 7 {
            0 => varint(&mut rest).to_le_bytes().to_vec(),
            1 => take(&mut rest, 8).to_vec(),
            5 => take(&mut rest, 4).to_vec(),
            2 => {
                let length = varint(&mut rest);
                take(&mut rest, length as usize).to_vec()
            }
            kind => panic!("no such kind of field: {kind}"),
        };
        fields.push((key >> 3, value));
    }
    fields
}

fn field(fields: &[(u64, Vec<u8>)], wanted: u64) -> Option<&[u8]> {
    let found = fields.iter().find(|(number, _)| *number == wanted);
    found.map(|(_, value)| &value[..])
}

/// Step, tag and value of every scalar of an event.
fn scalars(event: &[u8]) -> Vec<(u64, String, f32)> {
    let event = fields(event);
    let step = field(&event, 2).map_or(0, number);
    let summary = fields(field(&event, 5).unwrap_or_default());
    let scalar = |(_, value): &(u64, Vec<u8>)| {
        let value = fields(value);
        let tag = String::from_utf8(field(&value, 1).unwrap().to_vec()).unwrap();
        let bits = number(field(&value, 2).unwrap()) as u32;
        (step, tag, f32::from_bits(bits))
    };
    summary.iter().map(scalar).collect()
}

#[test]
fn the_known_check_value_of_the_checksum() {
    assert_eq!(crc(b"123456789"), 0xe306_9283);
}

#[test]
fn every_number_of_every_step_is_in_the_events() {
    let lab = Lab::new();
    lab.grpo("run", &small(&["steps=2"])).success();
    let mut entries = fs::read_dir(lab.join("run/tensorboard")).unwrap();
    let path = entries.next().unwrap().unwrap().path();
    assert!(entries.next().is_none());
    let name = path.file_name().unwrap().to_str().unwrap();
    assert!(
        name.contains("tfevents"),
        "{name}: TensorBoard looks for this"
    );
    let file = fs::read(&path).unwrap();
    let events = records(&file);
    let version = fields(events[0]);
    assert_eq!(field(&version, 3), Some(&b"brain.Event:2"[..]));
    let scalars: Vec<_> = events.iter().flat_map(|event| scalars(event)).collect();
    let steps = steps(&lab.metrics("run"));
    assert_eq!(steps.len(), 2);
    for step in steps {
        let value = |tag: &str| {
            let of = |(at, name, _): &&(u64, String, f32)| *at == step.step as u64 && name == tag;
            let found: Vec<_> = scalars.iter().filter(of).collect();
            assert_eq!(found.len(), 1, "{tag} at step {}", step.step);
            found[0].2
        };
        assert_eq!(value("step/reward"), step.reward as f32);
        assert_eq!(value("step/gradient_norm"), step.gradient_norm as f32);
        assert_eq!(value("step/diversity"), step.diversity as f32);
        assert_eq!(value("step/groups"), 4.0);
        assert!(value("step/seconds/generation") > 0.0);
    }
    let evaluated = |tag: &str| scalars.iter().filter(|(_, name, _)| name == tag).count();
    assert_eq!(
        evaluated("evaluation/accuracy"),
        2,
        "before the first step and after the second"
    );
    assert_eq!(evaluated("evaluation/by/toy/constant/accuracy"), 2);
}
