//! What the supervisor sends as a program: a source, or machine code that this engine made of one earlier. To run the latter
//! as it is, is the one thing about WebAssembly here that the compiler cannot check.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

use sandbox_guard::protocol::{COMPILED, SOURCE};
use wasmtime::component::Component;
use wasmtime::{Engine, Module, Precompiled, Result, bail};

use crate::code::Compiled;

/// A program as the supervisor sent it.
pub enum Sent {
    /// A binary, or its text form. Untrusted.
    Source(Vec<u8>),
    /// What an engine like this one serialized.
    Code(Serialized),
}

/// Machine code that an engine of this very executable serialized.
pub struct Serialized(Vec<u8>);

impl Sent {
    /// Read it from its file, whose first byte says what it is.
    ///
    /// # Safety
    /// The supervisor made the file, and marked as compiled only what it took from a file of a Program of this executable
    /// that had run nothing yet.
    pub unsafe fn read(file: &File) -> io::Result<Sent> {
        let mut bytes = vec![0; file.metadata()?.len() as usize];
        file.read_exact_at(&mut bytes, 0)?;
        match bytes.first() {
            Some(&SOURCE) => Ok(Sent::Source(bytes.split_off(1))),
            Some(&COMPILED) => Ok(Sent::Code(Serialized(bytes.split_off(1)))),
            _ => Err(io::ErrorKind::InvalidData.into()),
        }
    }
}

impl Serialized {
    /// The code in it.
    pub fn restore(&self, engine: &Engine) -> Result<Compiled> {
        let bytes = &self.0;
        match Engine::detect_precompiled(bytes) {
            Some(Precompiled::Module) => {
                // SAFETY: that an engine serialized the bytes was promised when they were read.
                let module = unsafe { Module::deserialize(engine, bytes) };
                module.map(Compiled::Module)
            }
            Some(Precompiled::Component) => {
                // SAFETY: as above.
                let component = unsafe { Component::deserialize(engine, bytes) };
                component.map(Compiled::Component)
            }
            None => bail!("the compiled code is damaged"),
        }
    }
}
