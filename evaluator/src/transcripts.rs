//! The folder in which transcripts of interactive problems are kept.

use std::io;
use std::path::{Path, PathBuf};

use fs_err as fs;

/// The longest name that is kept as it is.
const LONGEST: usize = 150;

/// A folder of transcripts: a file for each test, by problem, submission and test.
#[derive(Debug)]
pub struct TranscriptFolder(PathBuf);

impl TranscriptFolder {
    /// The folder at `path`, which is made where there is none.
    ///
    /// # Errors
    /// It cannot be made.
    pub fn create(path: &Path) -> io::Result<TranscriptFolder> {
        fs::create_dir_all(path)?;
        Ok(TranscriptFolder(path.to_owned()))
    }

    /// Keep a transcript, in place of an earlier one of the same names.
    pub(crate) fn keep(&self, names: [&str; 3], text: &str) -> io::Result<()> {
        let [problem, submission, test] = names.map(file_name);
        let folder = self.0.join(problem).join(submission);
        fs::create_dir_all(&folder)?;
        fs::write(folder.join(format!("{test}.jsonl")), text)
    }
}

/// A name that leads nowhere and is no other's: all but letters, digits and a few signs in hexadecimal.
fn file_name(name: &str) -> String {
    let mut encoded = String::new();
    for (place, byte) in name.bytes().enumerate() {
        let is_plain = byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        if is_plain || byte == b'.' && place > 0 {
            encoded.push(char::from(byte));
        } else {
            encoded += &format!("%{byte:02X}");
        }
    }
    if encoded.len() > LONGEST {
        let hash = blake3::hash(name.as_bytes()).to_hex();
        encoded.truncate(LONGEST);
        encoded += &format!("~{}", &hash[..16]);
    }
    encoded
}
