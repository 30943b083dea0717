//! What the supervisor sends as a program: a source, or machine code that this engine made of one earlier. To run the latter
//! as it is, is the one thing about WebAssembly here that the compiler cannot check.

use std::io;

use sandbox_guard::executable;
use sandbox_guard::protocol::{COMPILED, SOURCE};
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
    /// Read it; the first byte says what it is.
    pub fn read(source: &executable::Source) -> io::Result<Sent> {
        let mut bytes = source.read()?;
        match bytes.first() {
            Some(&SOURCE) => Ok(Sent::Text(bytes.split_off(1))),
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
