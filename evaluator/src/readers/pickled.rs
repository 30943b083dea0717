//! Tests that data sets ship as base64 of zlib of a pickle: decoded as data, and only where that is plain.
//!
//! A pickle is a program for a machine with a stack. It is walked through first: nothing of it may make an object or name a
//! class, and what it would unfold to is bounded, since what a deeply nested or self-repeating one costs is spent while
//! it is read.

use std::collections::HashMap;
use std::io::Read;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::read::ZlibDecoder;

use crate::Value;
use crate::value::json;

/// Bytes accepted of one problem's decompressed tests.
const MAX_PICKLE: u64 = 1 << 30;

/// Lists in lists: of tests, of arguments, and of what these hold.
const MAX_DEPTH: usize = 16;

/// Instructions: each may leave something to be held.
const MAX_STEPS: usize = 8_000_000;

const NOT_A_STRING: &str = "is a pickle of something other than a single string";

/// The single string that is pickled.
pub(super) fn text(packed: &str) -> Result<String, String> {
    let pickle = unpacked(packed)?;
    if StackMachine::over(&pickle).is_none_or(|top| top.text.is_none()) {
        return Err(NOT_A_STRING.to_owned());
    }
    serde_pickle::from_slice(&pickle, serde_pickle::DeOptions::new())
        .map_err(|error| format!("{NOT_A_STRING}: {error}"))
}

/// What is pickled: a string that holds JSON or a Python literal, or a list of strings, numbers, lists and dicts.
pub(super) fn plain(packed: &str) -> Result<Value, String> {
    const NOT_PLAIN: &str = "is a pickle of something other than a string or a list of plain data";
    let pickle = unpacked(packed)?;
    StackMachine::over(&pickle).ok_or(NOT_PLAIN)?;
    let value: serde_json::Value =
        serde_pickle::from_slice(&pickle, serde_pickle::DeOptions::new())
            .map_err(|error| format!("{NOT_PLAIN}: {error}"))?;
    match value {
        serde_json::Value::String(text) => json::parse_lenient(&text),
        value => json::parse(&value.to_string()),
    }
}

fn unpacked(packed: &str) -> Result<Vec<u8>, String> {
    let packed = STANDARD
        .decode(packed.trim())
        .map_err(|error| format!("is neither JSON nor base64: {error}"))?;
    let mut pickle = Vec::new();
    ZlibDecoder::new(packed.as_slice())
        .take(MAX_PICKLE + 1)
        .read_to_end(&mut pickle)
        .map_err(|error| format!("cannot be decompressed: {error}"))?;
    match pickle.len() as u64 > MAX_PICKLE {
        true => Err(format!("decompresses to more than {MAX_PICKLE} bytes")),
        false => Ok(pickle),
    }
}

/// What stands on the stack.
#[derive(Clone, Copy, Default)]
struct Stacked {
    /// How deeply lists are nested in it.
    depth: usize,
    /// The bytes of a string; none for anything else.
    text: Option<usize>,
}

/// A pickle on the way from its first instruction to its last.
struct StackMachine<'a> {
    rest: &'a [u8],
    stack: Vec<Stacked>,
    marks: Vec<usize>,
    memo: HashMap<usize, Stacked>,
    /// Bytes of strings that are taken from the memo once more.
    repeated: usize,
}

impl<'a> StackMachine<'a> {
    /// What a pickle leaves, if it is plain.
    fn over(pickle: &'a [u8]) -> Option<Stacked> {
        let mut machine = StackMachine {
            rest: pickle,
            stack: Vec::new(),
            marks: Vec::new(),
            memo: HashMap::new(),
            repeated: 0,
        };
        for _ in 0..MAX_STEPS {
            let opcode = *machine.take(1)?.first()?;
            if opcode == b'.' {
                return machine.stack.pop().filter(|_| machine.stack.is_empty());
            }
            machine.step(opcode)?;
        }
        None
    }

    /// One instruction; none where it is not among those that plain data needs.
    fn step(&mut self, opcode: u8) -> Option<()> {
        match opcode {
            // Protocol and frame.
            0x80 => self.take(1).map(drop),
            0x95 => self.take(8).map(drop),
            b'V' => {
                let end = memchr::memchr(b'\n', self.rest)?;
                self.take(end + 1)?;
                self.push_text(end)
            }
            0x8c => self.text(1),
            b'X' => self.text(4),
            0x8d => self.text(8),
            b'N' | 0x88 | 0x89 => self.push(Stacked::default()),
            b'K' => self.number(1),
            b'M' => self.number(2),
            b'J' => self.number(4),
            b'G' => self.number(8),
            b']' | b'}' => self.push(Stacked {
                depth: 1,
                text: None,
            }),
            b'(' => {
                self.marks.push(self.stack.len());
                Some(())
            }
            b'a' => self.put_into(1),
            b's' => self.put_into(2),
            b'e' | b'u' => {
                let mark = self.marks.pop()?;
                self.put_into(self.stack.len().checked_sub(mark)?)
            }
            b'l' | b'd' => {
                let mark = self.marks.pop()?;
                let mark = self.stack.len().min(mark);
                let deepest = self.stack.drain(mark..).map(|it| it.depth).max();
                let depth = 1 + deepest.unwrap_or(0);
                self.push(Stacked { depth, text: None })?;
                (depth <= MAX_DEPTH).then_some(())
            }
            0x94 => self.remember(self.memo.len()),
            b'p' => self.decimal().and_then(|index| self.remember(index)),
            b'g' => self.decimal().and_then(|index| self.recall(index)),
            b'q' => self.index(1).and_then(|index| self.remember(index)),
            b'r' => self.index(4).and_then(|index| self.remember(index)),
            b'h' => self.index(1).and_then(|index| self.recall(index)),
            b'j' => self.index(4).and_then(|index| self.recall(index)),
            _ => None,
        }
    }

    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(count)?;
        self.rest = rest;
        Some(taken)
    }

    /// A number of `width` bytes, the lowest first.
    fn index(&mut self, width: usize) -> Option<usize> {
        let mut bytes = [0; 8];
        bytes[..width].copy_from_slice(self.take(width)?);
        usize::try_from(u64::from_le_bytes(bytes)).ok()
    }

    /// A number in digits, to the end of the line.
    fn decimal(&mut self) -> Option<usize> {
        let end = memchr::memchr(b'\n', self.rest)?;
        let line = self.take(end + 1)?;
        std::str::from_utf8(&line[..end]).ok()?.parse().ok()
    }

    fn push(&mut self, item: Stacked) -> Option<()> {
        self.stack.push(item);
        Some(())
    }

    fn push_text(&mut self, length: usize) -> Option<()> {
        self.push(Stacked {
            depth: 0,
            text: Some(length),
        })
    }

    fn text(&mut self, width: usize) -> Option<()> {
        let length = self.index(width)?;
        self.take(length)?;
        self.push_text(length)
    }

    fn number(&mut self, width: usize) -> Option<()> {
        self.take(width)?;
        self.push(Stacked::default())
    }

    /// The upper `count` items go into the list or dict below them.
    fn put_into(&mut self, count: usize) -> Option<()> {
        let below = self.stack.len().checked_sub(count)?;
        let deepest = self.stack.drain(below..).map(|item| item.depth).max();
        let holder = self.stack.last_mut().filter(|item| item.depth > 0)?;
        holder.depth = holder.depth.max(1 + deepest.unwrap_or(0));
        (holder.depth <= MAX_DEPTH).then_some(())
    }

    fn remember(&mut self, index: usize) -> Option<()> {
        let top = *self.stack.last()?;
        self.memo.insert(index, top);
        Some(())
    }

    /// Once more what was remembered: strings alone, since a list that holds itself has no end.
    fn recall(&mut self, index: usize) -> Option<()> {
        let length = self.memo.get(&index)?.text?;
        self.repeated += length;
        let is_bounded = self.repeated as u64 <= MAX_PICKLE;
        is_bounded.then(|| self.push_text(length))?
    }
}
