//! Events for TensorBoard, as one more sink of metrics.
//!
//! The format is small enough to write here: a file of TFRecords (tensorflow/core/lib/io/record_writer.h), each holding an
//! `Event` message (tensorflow/core/util/event.proto). The crates that write it bring an image library along.

use std::io::{self, Write};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use evaluator::jsonl::JsonLinesError;
use fs_err::File;
use serde_json::Value;

use super::metrics::{MetricsSink, Record};

/// Writes every number of a record as a scalar.
pub struct TensorBoard(File);

impl TensorBoard {
    /// Open a new file of events in `folder`; TensorBoard reads all that are there as one run.
    pub fn create(folder: &Path) -> io::Result<TensorBoard> {
        // TensorBoard looks for `tfevents`; the process tells a resumed run's file from the one before.
        let name = format!(
            "events.out.tfevents.{:010}.mc-train.{}",
            now() as u64,
            std::process::id()
        );
        let mut file = File::create(folder.join(name))?;
        let version = bytes(3, b"brain.Event:2");
        file.write_all(&framed(&[double(1, now()), version].concat()))?;
        Ok(TensorBoard(file))
    }
}

impl MetricsSink for TensorBoard {
    fn record(&mut self, record: &Record) -> Result<(), JsonLinesError> {
        let fields = serde_json::to_value(record).map_err(io::Error::from)?;
        let kind = fields["kind"].as_str().unwrap_or_default().to_owned();
        let mut values = Vec::new();
        scalars(&kind, &fields, &mut values);
        let time_and_step = [double(1, now()), integer(2, record.step() as u64)].concat();
        let event = [time_and_step, bytes(5, &values)].concat();
        Ok(self.0.write_all(&framed(&event))?)
    }
}

/// Adds a `Summary.Value` for each number in `value`, named by the way to it.
fn scalars(name: &str, value: &Value, values: &mut Vec<u8>) {
    match value {
        Value::Number(number) => {
            let number = number.as_f64().unwrap_or(f64::NAN) as f32;
            let scalar = [bytes(1, name.as_bytes()), float(2, number)].concat();
            values.extend(bytes(1, &scalar));
        }
        Value::Object(fields) => {
            for (field, value) in fields.iter().filter(|(field, _)| *field != "step") {
                scalars(&format!("{name}/{field}"), value, values);
            }
        }
        _ => {}
    }
}

fn now() -> f64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0.0, |since| since.as_secs_f64())
}

/// A TFRecord: length and data, each followed by its masked checksum.
fn framed(data: &[u8]) -> Vec<u8> {
    let length = (data.len() as u64).to_le_bytes();
    let mut record = length.to_vec();
    record.extend(masked_crc(&length).to_le_bytes());
    record.extend(data);
    record.extend(masked_crc(data).to_le_bytes());
    record
}

fn masked_crc(data: &[u8]) -> u32 {
    crc32c(data).rotate_right(15).wrapping_add(0xa282_ead8)
}

/// CRC-32C (Castagnoli), bit by bit: an event has a few kilobytes and comes once a step.
fn crc32c(data: &[u8]) -> u32 {
    let shift = |crc: u32, _| (crc >> 1) ^ (0x82f6_3b78 & (crc & 1).wrapping_neg());
    let byte = |crc: u32, byte: &u8| (0..8).fold(crc ^ u32::from(*byte), shift);
    !data.iter().fold(!0, byte)
}

// Fields of protocol buffers: a key of number and wire type, then the value.

fn varint(mut value: u64) -> Vec<u8> {
    let mut out = Vec::new();
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
    out
}

fn field(number: u64, wire_type: u64, value: &[u8]) -> Vec<u8> {
    [varint(number << 3 | wire_type), value.to_vec()].concat()
}

fn integer(number: u64, value: u64) -> Vec<u8> {
    field(number, 0, &varint(value))
}

fn double(number: u64, value: f64) -> Vec<u8> {
    field(number, 1, &value.to_le_bytes())
}

fn bytes(number: u64, value: &[u8]) -> Vec<u8> {
    field(
        number,
        2,
        &[varint(value.len() as u64), value.to_vec()].concat(),
    )
}

fn float(number: u64, value: f32) -> Vec<u8> {
    field(number, 5, &value.to_le_bytes())
}
