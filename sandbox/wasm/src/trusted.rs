//! What the supervisor sends as a program: a source, or machine code that this engine made of one earlier. To run the latter
//! as it is, is the one thing about WebAssembly here that the compiler cannot check.

use std::io;

use sandbox_guard::bundle::{Call, Reader};
use sandbox_guard::executable;
use sandbox_guard::protocol::{COMPILED, SOURCE, unmarked};
use wasmtime::component::Component;
use wasmtime::{Engine, Module, Precompiled, Result, bail};

use crate::code::Compiled;

/// A program as the supervisor sent it.
pub enum Sent {
    /// A binary, or its text form. Untrusted.
    Text(Vec<u8>),
    /// What an engine like this one serialized.
    Code(Serialized),
}

/// Machine code that an engine of this very executable serialized: it is read from an [`executable::Source`] alone, which
/// the supervisor marked as such.
pub struct Serialized(Vec<u8>);

impl Sent {
    /// Read it, and what it is called with if it is given files: they are laid out already.
    pub fn read(source: &executable::Source) -> io::Result<(Sent, Option<Call>)> {
        let bytes = source.read()?;
        let (mark, code, files) = unmarked(&bytes).ok_or(io::ErrorKind::InvalidData)?;
        let sent = match mark {
            SOURCE => Sent::Text(code.to_vec()),
            COMPILED => Sent::Code(Serialized(code.to_vec())),
            _ => return Err(io::ErrorKind::InvalidData.into()),
        };
        let call = match files {
            [] => None,
            files => Some(Reader::new(files)?.1),
        };
        Ok((sent, call))
    }
}

impl Serialized {
    /// The code in it.
    pub fn restore(&self, engine: &Engine) -> Result<Compiled> {
        let bytes = &self.0;
        match Engine::detect_precompiled(bytes) {
            Some(Precompiled::Module) => {
                // SAFETY: an engine serialized the bytes: a `Serialized` is made from what the supervisor marked as compiled,
                // and it took that from a Program of this executable in which nothing untrusted had run.
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
