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
    let message = "is a Parquet file, which this build cannot read: it was made without the feature `parquet`";
    Err(ReadError::of_file(path, message))
}

#[cfg(feature = "parquet")]
pub(super) use reading::rows;

#[cfg(feature = "parquet")]
mod reading {
    use std::fs::File;
    use std::path::Path;
    use std::sync::Arc;

    use parquet::errors::ParquetError;
    use parquet::file::reader::{FileReader, SerializedFileReader};
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
        let broken = |error: &dyn std::fmt::Display| {
            ReadError::of_file(
                path,
                format!("is a Parquet file that cannot be read: {error}"),
            )
        };
        let file = File::open(path)
            .map_err(|error| ReadError::of_file(path, format!("failed to open: {error}")))?;
        let reader = SerializedFileReader::new(file).map_err(|error| broken(&error))?;
        let total = reader.metadata().file_metadata().num_rows();
        Ok(Box::new(ParquetRows {
            file: path.display().to_string().into(),
            reader,
            group: 0,
            rows: None,
            next: 0,
            total: usize::try_from(total).map_err(|error| broken(&error))?,
        }))
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
                let schema = self.reader.metadata().file_metadata().schema_descr_ptr();
                let group = self.reader.get_row_group(self.group)?;
                let tree = TreeBuilder::new().with_batch_size(BATCH);
                self.rows = Some(tree.as_iter(schema, &*group)?);
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
