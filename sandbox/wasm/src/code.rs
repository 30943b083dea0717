//! A program's code: compiled from its source, or restored from what was compiled before.

use wasmtime::component::Component;
use wasmtime::{Engine, InstancePre, Module, Result, bail};
use wasmtime_wasi::p2::bindings::CommandPre;

use crate::host::Host;
use crate::linkers::Linkers;

/// What a binary starts with, and in its next four bytes the kind and version (component model, binary format).
const MAGIC: &[u8] = b"\0asm";
const MODULE: &[u8] = &[1, 0, 0, 0];
/// Where a command begins.
pub const START: &str = "_start";

/// Code that is linked and can be instantiated.
pub enum Code {
    /// A module, which imports WASI preview 1.
    Module(InstancePre<Host>),
    /// A component, which imports WASI preview 2 and exports `wasi:cli/run`.
    Component(CommandPre<Host>),
}

/// Code that is not linked yet.
pub enum Compiled {
    /// A module.
    Module(Module),
    /// A component.
    Component(Component),
}

impl Compiled {
    /// Compile `source`: a binary, or its text form.
    pub fn new(engine: &Engine, source: &[u8]) -> Result<Compiled> {
        let binary = wat::parse_bytes(source)?;
        if !binary.starts_with(MAGIC) {
            bail!("this is no WebAssembly");
        }
        Ok(if binary[MAGIC.len()..].starts_with(MODULE) {
            Compiled::Module(Module::from_binary(engine, &binary)?)
        } else {
            Compiled::Component(Component::from_binary(engine, &binary)?)
        })
    }

    /// As bytes, to be restored.
    pub fn serialize(&self) -> Result<Vec<u8>> {
        match self {
            Compiled::Module(module) => module.serialize(),
            Compiled::Component(component) => component.serialize(),
        }
    }

    /// Link it: an error if it imports what is not there, or is not a command.
    pub fn link(&self, linkers: &Linkers) -> Result<Code> {
        match self {
            Compiled::Module(module) => {
                if module
                    .get_export(START)
                    .and_then(|export| export.func().cloned())
                    .is_none()
                {
                    bail!("it exports no function `{START}`");
                }
                Ok(Code::Module(linkers.modules.instantiate_pre(module)?))
            }
            Compiled::Component(component) => {
                let linked = linkers.components.instantiate_pre(component)?;
                Ok(Code::Component(CommandPre::new(linked)?))
            }
        }
    }
}
