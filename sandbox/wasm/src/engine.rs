//! The engine: the same code, the same fuel and the same limits for a module on every machine.

use wasmtime::{Config, Engine, InstanceAllocationStrategy, PoolingAllocationConfig, Result};

/// Most bytes of stack that a program's functions may take together. They run on a stack of this size that the engine
/// keeps, not on that of the process, so that no limit of the host comes first.
const STACK: usize = 64 << 20;
/// What the host's functions may take on top of it.
const HOST_STACK: usize = 1 << 20;
/// Most bytes of one memory: all that 32-bit addresses reach.
const MEMORY: usize = 4 << 30;
/// Most memories, tables and core instances of one program. Modules have one each, components a few.
const MEMORIES: u32 = 8;
const TABLES: u32 = 32;
const INSTANCES: u32 = 64;
/// Most entries of one table.
const TABLE: usize = 1 << 17;
/// Most bytes of the engine's own records of one instance.
const RECORDS: usize = 4 << 20;
/// Bytes that are cleared by writing zeros when an instance goes. To take pages from the process and to let the next
/// instance bring them back costs more than that, up to some ten pages.
const KEPT: usize = 64 << 10;

/// The engine, with room for one program at a time.
pub fn new() -> Result<Engine> {
    let mut config = Config::new();
    config
        // Without it the code would be made for the processor at hand, and the depth at which a stack overflows with it.
        .target("x86_64-unknown-linux-gnu")?
        .consume_fuel(true)
        .epoch_interruption(true)
        .cranelift_nan_canonicalization(true)
        .relaxed_simd_deterministic(true)
        .wasm_memory64(false)
        .max_wasm_stack(STACK)
        .async_stack_size(STACK + HOST_STACK)
        .wasm_backtrace_max_frames(None)
        .generate_address_map(false)
        .native_unwind_info(false)
        // A box has no call that makes the files in memory which this rests on.
        .memory_init_cow(false)
        .allocation_strategy(InstanceAllocationStrategy::Pooling(pool()));
    Engine::new(&config)
}

fn pool() -> PoolingAllocationConfig {
    let mut pool = PoolingAllocationConfig::new();
    pool.total_component_instances(1)
        .max_component_instance_size(RECORDS)
        .total_core_instances(INSTANCES)
        .max_core_instances_per_component(INSTANCES)
        .max_core_instance_size(RECORDS)
        .total_memories(MEMORIES)
        .max_memories_per_component(MEMORIES)
        .max_memories_per_module(MEMORIES)
        .max_memory_size(MEMORY)
        .total_tables(TABLES)
        .max_tables_per_component(TABLES)
        .max_tables_per_module(TABLES)
        .table_elements(TABLE)
        .total_stacks(1)
        .linear_memory_keep_resident(KEPT)
        .table_keep_resident(KEPT)
        .async_stack_keep_resident(KEPT);
    pool
}
