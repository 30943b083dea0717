//! Parquet files as rows of JSON text. A row group's columns are read side by side, a page at a time, so that what is held
//! does not grow with the file.

use std::fs::File;
use std::io::Read;
use std::path::Path;

#[cfg(not(feature = "parquet"))]
use super::{error::ReadError, raw::MadeRows};

const MAGIC: &[u8] = b"PAR1";

/// Whether a file is Parquet, by its first bytes. A pipe gives its bytes once, and is not asked.
pub(super) fn is_one(path: &Path) -> bool {
    let mut head = [0; MAGIC.len()];
    path.is_file()
        && File::open(path)
            .and_then(|mut file| file.read_exact(&mut head))
            .is_ok_and(|()| head == MAGIC)
}

/// The rows of a file.
#[cfg(not(feature = "parquet"))]
pub(super) fn rows(path: &Path) -> Result<MadeRows, ReadError> {
    Err(unread(path))
}

/// The JSON texts of the rows whose `column` holds the text `value`.
#[cfg(not(feature = "parquet"))]
pub(super) fn rows_where(path: &Path, _: &str, _: &str) -> Result<Vec<String>, ReadError> {
    Err(unread(path))
}

#[cfg(not(feature = "parquet"))]
fn unread(path: &Path) -> ReadError {
    let message = "is a Parquet file, which this build cannot read: it was made without the feature `parquet`";
    ReadError::of_file(path, message)
}

#[cfg(feature = "parquet")]
pub(super) use reading::{rows, rows_where};

#[cfg(feature = "parquet")]
mod reading {
    use std::fs::File;
    use std::path::Path;
    use std::sync::Arc;

    use parquet::errors::ParquetError;
    use parquet::file::metadata::RowGroupMetaData;
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::Field;
    use parquet::record::reader::{ReaderIter, TreeBuilder};

    use super::super::error::ReadError;
    use super::super::raw::{MadeRows, Row};

    /// Values of a column that are decoded at a time: rows may hold megabytes each.
    const BATCH: usize = 16;

    /// The rows of a file, from the first on.
    struct ParquetRows {
        file: Arc<str>,
        reader: SerializedFileReader<File>,
        group: usize,
        /// Those of the row group that is being read.
        rows: Option<ReaderIter>,
        next: usize,
        total: usize,
    }

    /// The rows of a file.
    pub(in super::super) fn rows(path: &Path) -> Result<MadeRows, ReadError> {
        let reader = open(path)?;
        let total = reader.metadata().file_metadata().num_rows();
        Ok(Box::new(ParquetRows {
            file: path.display().to_string().into(),
            reader,
            group: 0,
            rows: None,
            next: 0,
            total: usize::try_from(total).map_err(|error| broken(path, &error))?,
        }))
    }

    fn open(path: &Path) -> Result<SerializedFileReader<File>, ReadError> {
        let file = File::open(path)
            .map_err(|error| ReadError::of_file(path, format!("failed to open: {error}")))?;
        SerializedFileReader::new(file).map_err(|error| broken(path, &error))
    }

    fn broken(path: &Path, error: &dyn std::fmt::Display) -> ReadError {
        ReadError::of_file(
            path,
            format!("is a Parquet file that cannot be read: {error}"),
        )
    }

    /// The JSON texts of the rows whose `column` holds the text `value`.
    pub(in super::super) fn rows_where(
        path: &Path,
        column: &str,
        value: &str,
    ) -> Result<Vec<String>, ReadError> {
        let reader = open(path)?;
        let texts = texts_where(&reader, column, value);
        texts.map_err(|error| broken(path, &error))
    }

    fn texts_where(
        reader: &SerializedFileReader<File>,
        column: &str,
        value: &str,
    ) -> Result<Vec<String>, ParquetError> {
        let mut texts = Vec::new();
        for (group, metadata) in reader.metadata().row_groups().iter().enumerate() {
            if !may_hold(metadata, column, value) {
                continue;
            }
            for row in rows_of(reader, group)? {
                let row = row?;
                let is_wanted = |(name, field): (&String, &Field)| {
                    name == column && matches!(field, Field::Str(text) if text == value)
                };
                if row.get_column_iter().any(is_wanted) {
                    texts.push(row.to_json_value().to_string());
                }
            }
        }
        Ok(texts)
    }

    /// Whether `value` is between the least and the greatest of a row group's `column`, as far as the file tells.
    fn may_hold(group: &RowGroupMetaData, column: &str, value: &str) -> bool {
        let mut columns = group.columns().iter();
        let found = columns.find(|it| it.column_path().string() == column);
        let Some(bounds) = found.and_then(|it| it.statistics()) else {
            return true;
        };
        let value = value.as_bytes();
        bounds.min_bytes_opt().is_none_or(|least| least <= value)
            && bounds.max_bytes_opt().is_none_or(|most| value <= most)
    }

    fn rows_of(
        reader: &SerializedFileReader<File>,
        group: usize,
    ) -> Result<ReaderIter, ParquetError> {
        let schema = reader.metadata().file_metadata().schema_descr_ptr();
        let group = reader.get_row_group(group)?;
        let tree = TreeBuilder::new().with_batch_size(BATCH);
        tree.as_iter(schema, &*group)
    }

    impl ParquetRows {
        /// The JSON text of the next row; none after the last.
        fn text(&mut self) -> Result<Option<String>, ParquetError> {
            loop {
                if let Some(row) = self.rows.as_mut().and_then(Iterator::next) {
                    return Ok(Some(row?.to_json_value().to_string()));
                }
                if self.group == self.reader.num_row_groups() {
                    return Ok(None);
                }
                self.rows = Some(rows_of(&self.reader, self.group)?);
                self.group += 1;
            }
        }
    }

    impl Iterator for ParquetRows {
        type Item = Result<Row, ReadError>;

        fn next(&mut self) -> Option<Self::Item> {
            let text = self.text().transpose()?;
            let place = self.next;
            self.next += 1;
            Some(match text {
                Ok(text) => Ok(Row {
                    file: self.file.clone(),
                    line: place + 1,
                    text,
                    position: Some((place, self.total)),
                    is_alone: false,
                }),
                Err(error) => {
                    // Of a file that is broken here, nothing more can be told.
                    self.rows = None;
                    self.group = self.reader.num_row_groups();
                    Err(ReadError {
                        file: self.file.to_string(),
                        line: Some(place + 1),
                        field: None,
                        message: format!("is a row of Parquet that cannot be read: {error}"),
                    })
                }
            })
        }
    }
}
