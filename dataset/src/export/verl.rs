//! The Parquet file that verl trains on: the whole problem is each row's ground truth, as the adapters of `microcoder` take it.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use parquet::basic::{Compression, ZstdLevel};
use parquet::data_type::{ByteArray, ByteArrayType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;

use crate::chosen::{Chosen, Written};
use crate::error::DataError;
use crate::record::Record;

/// The columns, in the order in which they are written.
const SCHEMA: &str = "message schema {
    REQUIRED BYTE_ARRAY data_source (UTF8);
    REQUIRED GROUP prompt (LIST) {
        REPEATED GROUP list {
            REQUIRED GROUP element {
                REQUIRED BYTE_ARRAY content (UTF8);
                REQUIRED BYTE_ARRAY role (UTF8);
            }
        }
    }
    REQUIRED BYTE_ARRAY ability (UTF8);
    REQUIRED GROUP reward_model {
        REQUIRED BYTE_ARRAY ground_truth (UTF8);
        REQUIRED BYTE_ARRAY style (UTF8);
    }
    REQUIRED GROUP extra_info {
        REQUIRED BYTE_ARRAY id (UTF8);
        REQUIRED INT64 index;
    }
}";

/// What a row group holds at most: it is in memory until it is written.
const GROUP_ROWS: usize = 1024;
const GROUP_BYTES: usize = 64 << 20;

/// A row, but for what is the same in all.
struct VerlRow {
    source: String,
    content: String,
    ground_truth: String,
    id: String,
    index: i64,
}

/// Write what is chosen.
pub fn verl(chosen: &Chosen, out: &Path) -> Result<Written, DataError> {
    let schema = Arc::new(parse_message_type(SCHEMA)?);
    let compression = Compression::ZSTD(ZstdLevel::default());
    let properties = WriterProperties::builder()
        .set_compression(compression)
        .build();
    let file = fs_err::File::create_new(out)?.into_parts().0;
    let mut writer = SerializedFileWriter::new(file, schema, Arc::new(properties))?;
    let mut open = Vec::new();
    let (mut index, mut bytes) = (0, 0);
    let written = chosen.each(|record| {
        let row = row(record, index);
        index += 1;
        bytes += row.content.len() + row.ground_truth.len();
        open.push(row);
        if open.len() == GROUP_ROWS || bytes >= GROUP_BYTES {
            group(&mut writer, &open)?;
            open.clear();
            bytes = 0;
        }
        Ok(true)
    })?;
    if !open.is_empty() {
        group(&mut writer, &open)?;
    }
    writer.close()?;
    Ok(written)
}

fn row(record: &Record, index: i64) -> VerlRow {
    VerlRow {
        source: record.origin.source.clone(),
        content: record.prompt(),
        ground_truth: serde_json::to_string(&record.bare()).expect("it has only string keys"),
        id: record.id.clone(),
        index,
    }
}

/// Write the columns of some rows, one after the other.
fn group(writer: &mut SerializedFileWriter<File>, rows: &[VerlRow]) -> Result<(), ParquetError> {
    let texts = |text: fn(&VerlRow) -> &str| {
        rows.iter()
            .map(|row| ByteArray::from(text(row)))
            .collect::<Vec<_>>()
    };
    // Each prompt is a list of one message: its items are there, and none continues a list.
    let levels = (vec![1; rows.len()], vec![0; rows.len()]);
    let in_list = Some(levels.0.as_slice()).zip(Some(levels.1.as_slice()));
    let columns = [
        (texts(|row| &row.source), None),
        (texts(|row| &row.content), in_list),
        (texts(|_| "user"), in_list),
        (texts(|_| "code"), None),
        (texts(|row| &row.ground_truth), None),
        (texts(|_| "rule"), None),
        (texts(|row| &row.id), None),
    ];
    let mut group = writer.next_row_group()?;
    for (values, levels) in &columns {
        let (definition, repetition) = levels.unzip();
        let mut column = group.next_column()?.ok_or_else(no_column)?;
        column
            .typed::<ByteArrayType>()
            .write_batch(values, definition, repetition)?;
        column.close()?;
    }
    let indices: Vec<i64> = rows.iter().map(|row| row.index).collect();
    let mut column = group.next_column()?.ok_or_else(no_column)?;
    column
        .typed::<Int64Type>()
        .write_batch(&indices, None, None)?;
    column.close()?;
    group.close()?;
    Ok(())
}

fn no_column() -> ParquetError {
    ParquetError::General("the schema has too few columns".to_owned())
}
