//! What runtimes are started from.

use std::sync::Arc;

use crate::interpreter::Interpreter;
use crate::{Harness, SandboxError, harness};

/// What runtimes are started from: an interpreter, its harness, and the modules that it has imported when programs come.
#[derive(Debug, Clone)]
pub struct Image {
    pub(crate) interpreter: Interpreter,
    /// The harness' module.
    pub(crate) harness: &'static str,
    /// Fork server and harness, as the interpreter's `marshal` module writes code.
    pub(crate) code: Arc<Vec<u8>>,
    pub(crate) imports: Vec<String>,
}

impl Image {
    /// With nothing imported but what the harness needs.
    ///
    /// # Errors
    /// The harness does not compile.
    pub fn new(interpreter: &Interpreter, harness: &Harness) -> Result<Image, SandboxError> {
        Ok(Image {
            interpreter: interpreter.clone(),
            harness: harness.module,
            code: Arc::new(harness::compile(interpreter, harness)?),
            imports: Vec::new(),
        })
    }

    /// The same with more modules imported. Those that this interpreter lacks make the start of a runtime fail.
    pub fn importing(&self, modules: &[&str]) -> Image {
        let mut image = self.clone();
        image
            .imports
            .extend(modules.iter().map(|name| (*name).to_owned()));
        image
    }
}
