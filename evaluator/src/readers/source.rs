//! Files as rows of text: JSON lines, one JSON array, pretty-printed objects one after the other, or an object whose
//! field `rows` is an array, as the datasets server of Hugging Face answers; plain, gzip or zstd; or standard input. Parquet
//! files and folders have readers of their own.
//!
//! Knows nothing else of what a row holds. JSON lines are streamed; all else is held in memory as a whole.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::error::ReadError;
use super::raw::{MadeRows, Row};
use super::{folder, parquet_file};
use crate::value::json;

/// Bytes accepted in one line or one array: what a decompression bomb may cost.
const MAX_ROW: u64 = 2 << 30;

/// The fewest bytes of which a compression can be told.
const MAGIC: u64 = 5;

const A_PARQUET_FILE: &str = "is a Parquet file, which cannot be read as a stream of text; name the file itself, uncompressed";

const UTF_16: &str =
    "is UTF-16, but only UTF-8 is read; convert it first: iconv -f UTF-16 -t UTF-8 IN > OUT";

const A_TABLE: &str = "is no JSON; it looks like a table of values separated by commas or tabs, which is not read: write it \
     as JSON lines first";

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The rows of one file. After an error in a row it goes on with the next; after one of the file it ends.
pub(super) struct Rows {
    file: Arc<str>,
    line: usize,
    state: FileState,
}

enum FileState {
    Start(Box<dyn BufRead + Send>),
    Lines(Box<dyn BufRead + Send>),
    Array(Array),
    /// Rows that are made of something other than text.
    Made(MadeRows),
    Done,
}

struct Array {
    text: String,
    items: Vec<Range<usize>>,
    next: usize,
    /// Bytes of `text` whose line ends are counted in `Rows::line`.
    counted: usize,
}

impl Array {
    fn new(items: Vec<Range<usize>>, text: String) -> Array {
        Array {
            text,
            items,
            next: 0,
            counted: 0,
        }
    }
}

/// An object whose field `rows` is an array; each row may stand in a field `row`, beside what the server says of it.
#[derive(Deserialize)]
struct Listing<'a> {
    #[serde(borrow)]
    rows: Vec<&'a RawValue>,
}

#[derive(Deserialize)]
struct NumberedRow<'a> {
    #[serde(borrow)]
    row: &'a RawValue,
    #[serde(default)]
    truncated_cells: Vec<String>,
}

/// The rows of a [`Listing`]; `None` for any other text.
fn listed_rows(text: &str) -> Option<Vec<&RawValue>> {
    if !text.contains("\"rows\"") {
        return None;
    }
    let listing: Listing<'_> = serde_json::from_str(text).ok()?;
    Some(listing.rows.into_iter().map(unwrapped).collect())
}

/// A row without what the server says of it. One whose cells it has cut off stays as it is, and is of no known format.
fn unwrapped(item: &RawValue) -> &RawValue {
    match serde_json::from_str::<NumberedRow<'_>>(item.get()) {
        Ok(NumberedRow {
            row,
            truncated_cells,
        }) if truncated_cells.is_empty() => row,
        _ => item,
    }
}

impl Rows {
    /// Fails if `path` is missing, or is a regular file that cannot be opened. Reads nothing: a pipe gives its bytes once.
    pub fn probe(path: &Path) -> Result<(), ReadError> {
        if path == Path::new("-") {
            return Ok(());
        }
        if path.is_dir() {
            return folder::rows(path).map(drop);
        }
        let probed = path.metadata().and_then(|metadata| {
            if metadata.is_file() {
                File::open(path).map(drop)
            } else {
                Ok(())
            }
        });
        probed.map_err(|error| ReadError::of_file(path, format!("failed to open: {error}")))
    }

    /// Open `path`; `-` is standard input.
    pub fn open(path: &Path) -> Result<Rows, ReadError> {
        let state = if path.is_dir() {
            FileState::Made(folder::rows(path)?)
        } else if parquet_file::is_one(path) {
            FileState::Made(parquet_file::rows(path)?)
        } else {
            let reader = reader(path).map_err(|message| ReadError::of_file(path, message))?;
            FileState::Start(Box::new(BufReader::with_capacity(1 << 16, reader)))
        };
        Ok(Rows {
            file: path.display().to_string().into(),
            line: 0,
            state,
        })
    }

    /// The file's path as given.
    pub fn file(&self) -> &str {
        &self.file
    }

    fn error(&self, message: impl Into<String>) -> ReadError {
        ReadError {
            file: self.file.to_string(),
            line: Some(self.line.max(1)),
            field: None,
            message: message.into(),
        }
    }

    /// The error of a file of which nothing more can be read: cut off, most often.
    fn ended(&self, error: &io::Error) -> ReadError {
        ReadError {
            line: None,
            ..self.error(format!("failed to read beyond line {}: {error}", self.line))
        }
    }

    /// The next line that is not blank, without its end.
    fn next_line(&mut self, reader: &mut dyn BufRead) -> Option<Result<Vec<u8>, ReadError>> {
        loop {
            let mut bytes = Vec::new();
            // One byte more than is allowed tells a row that is too long from one that just fits.
            let read = reader.take(MAX_ROW + 1).read_until(b'\n', &mut bytes);
            if !matches!(read, Ok(0)) {
                self.line += 1;
            }
            match read {
                Err(error) => return Some(Err(self.ended(&error))),
                Ok(0) => return None,
                Ok(size) if size as u64 > MAX_ROW => return Some(Err(self.error(too_long()))),
                Ok(_) if self.line == 1 && bytes.starts_with(BYTE_ORDER_MARK) => {
                    bytes.drain(..BYTE_ORDER_MARK.len());
                }
                Ok(_) => {}
            }
            bytes.truncate(bytes.trim_ascii_end().len());
            if !bytes.is_empty() {
                return Some(Ok(bytes));
            }
        }
    }

    fn text(&self, bytes: Vec<u8>) -> Result<String, ReadError> {
        String::from_utf8(bytes).map_err(|error| {
            let column = error.utf8_error().valid_up_to() + 1;
            self.error(format!("is not UTF-8 at byte {column}"))
        })
    }

    /// The first row decides: one that opens with `[` makes the file an array, a bare `{` pretty-printed objects.
    fn start(&mut self, mut reader: Box<dyn BufRead + Send>) -> Option<Result<Row, ReadError>> {
        let bytes = match self.next_line(reader.as_mut())? {
            Err(error) => return Some(Err(error)),
            Ok(bytes) => bytes,
        };
        if is_heading(&bytes) {
            return Some(Err(ReadError {
                line: None,
                ..self.error(A_TABLE)
            }));
        }
        let array = match bytes.trim_ascii_start() {
            b"{" => self
                .whole(bytes, reader)
                .and_then(|text| self.objects(text)),
            [b'[', ..] => self.whole(bytes, reader).and_then(|text| self.array(text)),
            _ => match self.line_record(bytes) {
                Ok(row) if listed_rows(&row.text).is_some() => Ok(self.listed(row.text)),
                row => {
                    self.state = FileState::Lines(reader);
                    return Some(row);
                }
            },
        };
        match array {
            Err(error) => Some(Err(error)),
            Ok(array) => self.item(array),
        }
    }

    fn line_record(&self, bytes: Vec<u8>) -> Result<Row, ReadError> {
        Ok(Row {
            file: self.file.clone(),
            line: self.line,
            text: self.text(bytes)?,
            position: None,
            is_alone: false,
        })
    }

    /// The whole file, of which `bytes` is the first line.
    fn whole(
        &self,
        mut bytes: Vec<u8>,
        reader: Box<dyn BufRead + Send>,
    ) -> Result<String, ReadError> {
        bytes.push(b'\n');
        let room = MAX_ROW.saturating_sub(bytes.len() as u64);
        let read = reader.take(room + 1).read_to_end(&mut bytes);
        read.map_err(|error| self.ended(&error))?;
        if bytes.len() as u64 > MAX_ROW {
            return Err(self.error(too_long()));
        }
        self.text(bytes)
    }

    fn array(&self, text: String) -> Result<Array, ReadError> {
        let items: Vec<&RawValue> =
            serde_json::from_str(&text).map_err(|error| self.broken("the array", &error))?;
        let items = items.into_iter().map(|item| span(&text, item.get()));
        Ok(Array::new(items.collect(), text))
    }

    /// Objects over several lines each. One alone may list the rows.
    fn objects(&self, text: String) -> Result<Array, ReadError> {
        if listed_rows(&text).is_some() {
            return Ok(self.listed(text));
        }
        let objects = serde_json::Deserializer::from_str(&text).into_iter::<&RawValue>();
        let spans = objects.map(|item| item.map(|item| span(&text, item.get())));
        let items: Result<Vec<_>, _> = spans.collect();
        let items = items.map_err(|error| self.broken("the object", &error))?;
        Ok(Array::new(items, text))
    }

    /// The rows that an object lists.
    fn listed(&self, text: String) -> Array {
        let rows = listed_rows(&text).unwrap_or_default();
        let items = rows.into_iter().map(|row| span(&text, row.get()));
        Array::new(items.collect(), text)
    }

    fn broken(&self, what: &str, error: &serde_json::Error) -> ReadError {
        ReadError {
            line: Some(self.line + error.line().saturating_sub(1)),
            ..self.error(format!("{what} {}", json::syntax(error)))
        }
    }

    fn item(&mut self, mut array: Array) -> Option<Result<Row, ReadError>> {
        let span = array.items.get(array.next)?.clone();
        // Lines are counted up to this item alone: an array of many lines is passed over once, not once an item.
        let before = &array.text.as_bytes()[array.counted..span.start];
        self.line += memchr::memchr_iter(b'\n', before).count();
        let record = Row {
            file: self.file.clone(),
            line: self.line,
            text: array.text[span.clone()].to_owned(),
            position: Some((array.next, array.items.len())),
            is_alone: false,
        };
        array.counted = span.start;
        array.next += 1;
        self.state = FileState::Array(array);
        Some(Ok(record))
    }
}

impl Iterator for Rows {
    type Item = Result<Row, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        // The reader moves out, so that every early return leaves the file ended: after an error nothing of it is read.
        match std::mem::replace(&mut self.state, FileState::Done) {
            FileState::Done => None,
            FileState::Start(reader) => self.start(reader),
            FileState::Array(array) => self.item(array),
            FileState::Made(mut rows) => {
                let row = rows.next()?;
                self.state = FileState::Made(rows);
                Some(row)
            }
            FileState::Lines(mut reader) => match self.next_line(reader.as_mut())? {
                Err(error) => Some(Err(error)),
                Ok(bytes) => {
                    self.state = FileState::Lines(reader);
                    Some(self.line_record(bytes))
                }
            },
        }
    }
}

/// Whether a line names the columns of a table.
fn is_heading(line: &[u8]) -> bool {
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b' ' | b'"');
    let names = || line.split(|byte| matches!(byte, b',' | b'\t'));
    names().count() > 1 && names().all(|name| !name.is_empty() && name.iter().all(is_name))
}

fn too_long() -> String {
    format!("is longer than {MAX_ROW} bytes")
}

/// Where `part`, a slice of `whole`, lies in it.
fn span(whole: &str, part: &str) -> Range<usize> {
    let start = part.as_ptr() as usize - whole.as_ptr() as usize;
    start..start + part.len()
}

/// A file's bytes, decompressed where they are gzip or zstd; `-` is standard input. The error is a fragment.
pub fn reader(path: &Path) -> Result<Box<dyn Read + Send>, String> {
    if path.is_dir() {
        return Err(folder::OF_NO_KIND.to_owned());
    }
    let mut raw: Box<dyn Read + Send> = if path == Path::new("-") {
        Box::new(io::stdin())
    } else {
        Box::new(File::open(path).map_err(|error| format!("failed to open: {error}"))?)
    };
    let mut head = Vec::new();
    let peeked = raw.by_ref().take(MAGIC).read_to_end(&mut head);
    peeked.map_err(|error| format!("failed to read: {error}"))?;
    if head.starts_with(b"PAR1") {
        return Err(A_PARQUET_FILE.to_owned());
    }
    let is_short = (head.len() as u64) < MAGIC;
    if head.starts_with(b"\xff\xfe") || head.starts_with(b"\xfe\xff") || head.starts_with(b"{\0") {
        return Err(UTF_16.to_owned());
    }
    let whole = Box::new(io::Cursor::new(head).chain(raw));
    // Too short for niffler to tell a compression by, and so for any to be there.
    if is_short {
        return Ok(whole);
    }
    let (reader, _) = niffler::send::get_reader(whole).map_err(|error| match error {
        niffler::Error::FeatureDisabled => {
            "is compressed, but with neither gzip nor zstd".to_owned()
        }
        error => format!("failed to decompress: {error}"),
    })?;
    Ok(reader)
}
