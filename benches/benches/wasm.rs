//! What a test in WebAssembly costs beyond the program's own work: all of it, as the supervisor sees it, for a module that
//! does nothing, and for one that reads and writes. `launch` is a box for a program that was compiled before.

use criterion::{Criterion, criterion_group, criterion_main};
use sandbox::{Executable, Grants, Image, Level, Limits, Program, Sandbox, Termination};

const NOTHING: &str = r#"(module (func (export "_start")))"#;
const ECHO: &str = r#"(module
  (import "wasi_snapshot_preview1" "fd_read" (func $read (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
  (memory (export "memory") 1)
  (func (export "_start")
    (i32.store (i32.const 0) (i32.const 64))
    (i32.store (i32.const 4) (i32.const 4096))
    (drop (call $read (i32.const 0) (i32.const 0) (i32.const 1) (i32.const 4)))
    (drop (call $write (i32.const 1) (i32.const 0) (i32.const 1) (i32.const 8)))))"#;

fn program(text: &str) -> Program {
    let module = Executable::module("main.wat", text.as_bytes());
    module.expect("a plain name").program(Grants::default())
}

fn wasm(criterion: &mut Criterion) {
    let sandbox = Sandbox::new(Level::Full).expect("landlock can be had");
    let runtime = sandbox.start(&Image::wasm()).expect("the engine starts");
    let limits = Limits::default();
    let mut group = criterion.benchmark_group("wasm");
    for (name, text) in [("nothing", NOTHING), ("echo", ECHO)] {
        let mut boxed = runtime
            .launch(&program(text), &limits)
            .expect("it compiles");
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                let outcome = boxed.run(b"some input\n", &limits, 1).expect("sound host");
                assert_eq!(outcome.termination, Termination::Exited(0));
            });
        });
    }
    group.bench_function("launch", |bencher| {
        bencher.iter(|| {
            runtime
                .launch(&program(ECHO), &limits)
                .expect("it compiles")
        });
    });
    group.finish();
}

criterion_group!(benches, wasm);
criterion_main!(benches);
