//! Compiled harnesses on disk, as Python keeps what it compiled: the next process need not compile them again.
//!
//! A file is a digest, then the code. The digest is of the key too, so that no file stands for another. Whatever is wrong with
//! a file or its folder, the harness is compiled as if there were none.

use std::env;
use std::fs::{self, DirBuilder, File, Metadata, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use blake3::{Hash, Hasher, OUT_LEN};
use nix::libc::O_NOFOLLOW;
use nix::unistd::geteuid;
use tempfile::NamedTempFile;

/// How many files are kept: those of a few interpreters and versions of this library.
const KEPT: usize = 32;
/// Whoever may write to a file besides its owner.
const OTHERS_WRITE: u32 = 0o022;

/// What was compiled under `key` before, if it can be trusted.
pub(crate) fn read(key: &Hash) -> Option<Vec<u8>> {
    let folder = folder()?;
    is_ours(&fs::metadata(&folder).ok()?).then_some(())?;
    let file = OpenOptions::new()
        .read(true)
        .custom_flags(O_NOFOLLOW)
        .open(place(&folder, key));
    let code = content(file.ok()?).ok()?;
    let (digest, code) = code.split_first_chunk::<OUT_LEN>()?;
    (Hash::from_bytes(*digest) == digest_of(key, code)).then(|| code.to_vec())
}

/// Keep `code` under `key`, if that can be done, in place of what was not read for the longest time.
pub(crate) fn keep(key: &Hash, code: &[u8]) {
    if let Some(folder) = folder() {
        // A cache that cannot be written is none.
        let _ = write(&folder, key, code);
    }
}

/// The folder of the XDG Base Directory Specification, by which a relative one counts for nothing.
fn folder() -> Option<PathBuf> {
    let absolute = |name| {
        env::var_os(name)
            .map(PathBuf::from)
            .filter(|path| path.is_absolute())
    };
    let cache = absolute("XDG_CACHE_HOME").or_else(|| Some(absolute("HOME")?.join(".cache")))?;
    Some(cache.join("microcoder/harness"))
}

fn place(folder: &Path, key: &Hash) -> PathBuf {
    folder.join(key.to_hex().as_str())
}

fn digest_of(key: &Hash, code: &[u8]) -> Hash {
    let mut hasher = Hasher::new();
    hasher.update(key.as_bytes()).update(code);
    hasher.finalize()
}

/// What another user could have written is not run.
fn is_ours(of: &Metadata) -> bool {
    of.uid() == geteuid().as_raw() && of.mode() & OTHERS_WRITE == 0
}

/// The bytes of a file of ours, which from now on was read last.
fn content(mut file: File) -> io::Result<Vec<u8>> {
    let metadata = file.metadata()?;
    if !metadata.is_file() || !is_ours(&metadata) {
        return Err(io::ErrorKind::PermissionDenied.into());
    }
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    file.set_modified(SystemTime::now())?;
    Ok(bytes)
}

fn write(folder: &Path, key: &Hash, code: &[u8]) -> io::Result<()> {
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(folder)?;
    let mut file = NamedTempFile::new_in(folder)?;
    file.write_all(digest_of(key, code).as_bytes())?;
    file.write_all(code)?;
    file.persist(place(folder, key))?;
    forget_oldest(folder)
}

fn forget_oldest(folder: &Path) -> io::Result<()> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        files.push((entry.metadata()?.modified()?, entry.path()));
    }
    files.sort();
    let surplus = files.len().saturating_sub(KEPT);
    files[..surplus]
        .iter()
        .try_for_each(|(_, path)| fs::remove_file(path))
}
