//! LiveCodeBench: benchmark rows, and the lists that its custom evaluator takes.
//!
//! Private tests are base64 of zlib of a pickle of a JSON string. The pickle is decoded as data by a reader that can
//! make no object, and only where it is nothing but one string.

use std::io::Read;

use crate::Value;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::read::ZlibDecoder;

use super::cases::{self, Hints};
use super::content::{Content, unnamed};
use super::node::{Fault, Node};
use crate::problem::{Prelude, Problem};
use crate::value::json;

/// Bytes accepted of one problem's decompressed private tests.
const MAX_PICKLE: u64 = 1 << 30;

/// Bytes that may follow the string in its pickle: a memo mark, a frame header and the stop mark.
const MAX_PICKLE_TAIL: usize = 16;

/// Read a row of the benchmark.
pub(super) fn problem(row: &Node<'_>) -> Result<Content, Fault> {
    let id = row.need("question_id")?.label()?;
    let public_node = row.need("public_test_cases")?;
    let private_node = row.need("private_test_cases")?;
    let public = cases::embedded(&public_node)?;
    let private = private_tests(&private_node)?;
    let mut tests = Node::at(public_node.path(), &public).items()?;
    tests.extend(Node::at(private_node.path(), &private).items()?);
    if tests.is_empty() {
        return Err(private_node.fault("has no tests, and neither does public_test_cases"));
    }
    let hints = Hints {
        is_method: true,
        fn_name: cases::method(row)?,
    };
    let tests = cases::listed(&tests, &hints)?;
    Ok(Content {
        is_livecodebench: true,
        problem: Some(Problem {
            statement: row.find_text("question_content")?,
            prelude: Prelude::LiveCodeBench,
            platform: row.find_text("platform")?,
            difficulty: row.find_label("difficulty")?,
            ..Problem::new(id, tests)
        }),
        submissions: Vec::new(),
    })
}

/// Read an item of the custom evaluator's list of objects: `{question_id, code_list}`.
pub(super) fn codes(row: &Node<'_>) -> Result<Content, Fault> {
    let problem_id = row.need("question_id")?.label()?;
    submissions(&row.need("code_list")?, &problem_id)
}

/// Read an item of its list of lists, whose place in the order of the problems' ids names the problem.
pub(super) fn codes_by_place(row: &Node<'_>, place: usize, count: usize) -> Result<Content, Fault> {
    submissions(row, &format!("#{}/{count}", place + 1))
}

fn submissions(list: &Node<'_>, problem_id: &str) -> Result<Content, Fault> {
    let items = list.items()?;
    if items.is_empty() {
        return Err(list.fault("contains no solutions"));
    }
    let submissions = items
        .iter()
        .map(|code| Ok(unnamed(problem_id, code.text()?.to_owned())));
    Ok(Content {
        problem: None,
        submissions: submissions.collect::<Result<_, _>>()?,
        ..Content::default()
    })
}

fn private_tests(node: &Node<'_>) -> Result<Value, Fault> {
    match node.value() {
        Value::Str(text) if !text.trim_start().starts_with('[') => {
            let text = unpickle(text).map_err(|message| node.fault(message))?;
            json::parse_lenient(&text).map_err(|message| node.fault(message))
        }
        _ => cases::embedded(node),
    }
}

fn unpickle(text: &str) -> Result<String, String> {
    let packed = STANDARD
        .decode(text.trim())
        .map_err(|error| format!("is neither JSON nor base64: {error}"))?;
    let mut pickle = Vec::new();
    ZlibDecoder::new(packed.as_slice())
        .take(MAX_PICKLE + 1)
        .read_to_end(&mut pickle)
        .map_err(|error| format!("cannot be decompressed: {error}"))?;
    if pickle.len() as u64 > MAX_PICKLE {
        return Err(format!("decompresses to more than {MAX_PICKLE} bytes"));
    }
    if !is_string(&pickle) {
        return Err("is a pickle of something other than a single string".to_owned());
    }
    serde_pickle::from_slice(&pickle, serde_pickle::DeOptions::new())
        .map_err(|error| format!("is a pickle of something other than a single string: {error}"))
}

/// Whether a pickle begins with a string that all but fills it. What a deeply nested or self-repeating pickle costs is
/// spent while it is read, so it must be told before.
fn is_string(pickle: &[u8]) -> bool {
    let length = |rest: &[u8], width: usize| {
        let mut bytes = [0; 8];
        bytes[..width].copy_from_slice(rest.get(..width)?);
        usize::try_from(u64::from_le_bytes(bytes))
            .ok()?
            .checked_add(width)
    };
    let mut rest = pickle;
    let end = loop {
        let Some((opcode, after)) = rest.split_first() else {
            return false;
        };
        rest = match opcode {
            0x80 => after.get(1..).unwrap_or_default(),
            0x95 => after.get(8..).unwrap_or_default(),
            _ => after,
        };
        match opcode {
            0x80 | 0x95 => {}
            b'V' => break memchr::memchr(b'\n', rest),
            0x8c => break length(rest, 1),
            b'X' => break length(rest, 4),
            0x8d => break length(rest, 8),
            _ => return false,
        }
    };
    let tail = end.and_then(|end| rest.len().checked_sub(end));
    tail.is_some_and(|tail| tail <= MAX_PICKLE_TAIL)
}
