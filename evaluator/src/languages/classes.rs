//! Which of Java's classes a program begins with, as the classes themselves tell (the Java Virtual Machine Specification,
//! chapter 4).

use std::path::Path;

use sandbox::OwnFile;

const MAGIC: u32 = 0xCAFE_BABE;
const PUBLIC_STATIC: u16 = 0x0001 | 0x0008;

/// Whether a file is a class, by its name.
pub(super) fn is_class(file: &OwnFile) -> bool {
    file.path
        .extension()
        .is_some_and(|ending| ending == "class")
}

/// The class among `files` that has `public static void main(String[])`: where there are several, the one that the main file
/// is named after, else the first by name.
pub(super) fn main_class(files: &[OwnFile], main: &Path) -> Option<String> {
    let starts = |file: &&OwnFile| is_class(file) && has_main(&file.content) == Some(true);
    let mut starting: Vec<&Path> = files
        .iter()
        .filter(starts)
        .map(|file| &*file.path)
        .collect();
    starting.sort();
    let named = starting
        .iter()
        .find(|path| path.file_stem() == main.file_stem());
    let class = named.or_else(|| starting.first())?.with_extension("");
    Some(class.to_str()?.replace('/', "."))
}

fn has_main(class: &[u8]) -> Option<bool> {
    let mut reader = ClassReader(class);
    if reader.u4()? != MAGIC {
        return Some(false);
    }
    reader.skip(4)?;
    let texts = reader.constants()?;
    // What it may do, itself, and the class above it.
    reader.skip(6)?;
    let interfaces = reader.u2()?;
    reader.skip(2 * usize::from(interfaces))?;
    reader.members(&texts)?;
    reader.members(&texts)
}

/// Reads what is left of a class file; `None` where that ends too early.
struct ClassReader<'c>(&'c [u8]);

impl<'c> ClassReader<'c> {
    /// The constants that are texts, by their numbers; others are empty.
    fn constants(&mut self) -> Option<Vec<&'c [u8]>> {
        let count = usize::from(self.u2()?);
        let mut texts = vec![&[][..]; 1];
        while texts.len() < count {
            let tag = self.bytes(1)?[0];
            match tag {
                1 => {
                    let length = usize::from(self.u2()?);
                    texts.push(self.bytes(length)?);
                    continue;
                }
                7 | 8 | 16 | 19 | 20 => self.skip(2)?,
                15 => self.skip(3)?,
                3 | 4 | 9..=12 | 17 | 18 => self.skip(4)?,
                // Long and double, which take two numbers.
                5 | 6 => {
                    self.skip(8)?;
                    texts.push(&[]);
                }
                _ => return None,
            }
            texts.push(&[]);
        }
        Some(texts)
    }

    /// Go over the fields or the methods; whether `main` is among them.
    fn members(&mut self, texts: &[&[u8]]) -> Option<bool> {
        let mut found = false;
        for _ in 0..self.u2()? {
            let access = self.u2()?;
            let name = texts.get(usize::from(self.u2()?))?;
            let kind = texts.get(usize::from(self.u2()?))?;
            found |= access & PUBLIC_STATIC == PUBLIC_STATIC
                && *name == b"main"
                && *kind == b"([Ljava/lang/String;)V";
            for _ in 0..self.u2()? {
                self.skip(2)?;
                let length = self.u4()? as usize;
                self.skip(length)?;
            }
        }
        Some(found)
    }

    fn bytes(&mut self, count: usize) -> Option<&'c [u8]> {
        let (bytes, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(bytes)
    }

    fn skip(&mut self, count: usize) -> Option<()> {
        self.bytes(count).map(drop)
    }

    fn u2(&mut self) -> Option<u16> {
        Some(u16::from_be_bytes(self.bytes(2)?.try_into().ok()?))
    }

    fn u4(&mut self) -> Option<u32> {
        Some(u32::from_be_bytes(self.bytes(4)?.try_into().ok()?))
    }
}
