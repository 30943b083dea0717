//! What programs may import.

use wasmtime::{Engine, Linker, Result, component};
use wasmtime_wasi::{I32Exit, p1, p2};

use crate::host::Host;
use crate::priced::{self, PREVIEW_1};

/// All that programs may import.
pub struct Linkers {
    /// Modules: WASI preview 1.
    pub modules: Linker<Host>,
    /// Components: WASI preview 2.
    pub components: component::Linker<Host>,
}

impl Linkers {
    /// Of this engine.
    pub fn new(engine: &Engine) -> Result<Linkers> {
        let mut modules = Linker::new(engine);
        p1::add_to_linker_async(&mut modules, |host: &mut Host| &mut host.wasi)?;
        modules.allow_shadowing(true);
        priced::add_to_modules(&mut modules)?;
        // The library takes no status above 125, which programs do end with.
        modules.func_wrap(PREVIEW_1, "proc_exit", |status: i32| -> Result<()> {
            Err(I32Exit(status).into())
        })?;
        let mut components = component::Linker::new(engine);
        p2::add_to_linker_async(&mut components)?;
        priced::add_to_components(&mut components)?;
        Ok(Linkers {
            modules,
            components,
        })
    }
}
