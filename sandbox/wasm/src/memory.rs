//! What a run holds of memory, counted by what it asked for: the same number on every machine.

use wasmtime::{ResourceLimiter, Result, bail};

/// Bytes that an entry of a table takes.
const ENTRY: usize = size_of::<usize>();

/// The memory of one run.
pub struct Memory {
    limit: usize,
    held: usize,
    exceeded: bool,
}

impl Memory {
    /// Nothing is held, and at most `limit` bytes may be.
    pub fn new(limit: usize) -> Memory {
        Memory {
            limit,
            held: 0,
            exceeded: false,
        }
    }

    /// Bytes held. Memories and tables never shrink, so this is the peak too.
    pub fn held(&self) -> usize {
        self.held
    }

    /// Whether the run asked for more than its limit, and was ended for it.
    pub fn exceeded(&self) -> bool {
        self.exceeded
    }

    /// Whether to grow; an error, which ends the run, beyond the limit.
    fn grow(&mut self, more: usize) -> Result<bool> {
        let held = self.held.saturating_add(more);
        if held > self.limit {
            self.exceeded = true;
            bail!("more than {} bytes of memory and tables", self.limit);
        }
        self.held = held;
        Ok(true)
    }

    fn failed(&mut self) -> Result<()> {
        self.exceeded = true;
        bail!("the host has no more memory");
    }
}

impl ResourceLimiter for Memory {
    fn memory_growing(
        &mut self,
        current: usize,
        desired: usize,
        maximum: Option<usize>,
    ) -> Result<bool> {
        // A module that goes over its own maximum is told so, as anywhere else.
        if maximum.is_some_and(|maximum| desired > maximum) {
            return Ok(false);
        }
        self.grow(desired - current)
    }

    fn memory_grow_failed(&mut self, _error: wasmtime::Error) -> Result<()> {
        self.failed()
    }

    fn table_growing(
        &mut self,
        current: usize,
        desired: usize,
        maximum: Option<usize>,
    ) -> Result<bool> {
        if maximum.is_some_and(|maximum| desired > maximum) {
            return Ok(false);
        }
        self.grow(desired.saturating_sub(current).saturating_mul(ENTRY))
    }

    fn table_grow_failed(&mut self, _error: wasmtime::Error) -> Result<()> {
        self.failed()
    }
}
