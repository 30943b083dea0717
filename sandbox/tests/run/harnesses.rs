//! What harnesses are made of.

use sandbox::{Harness, Image, Interpreter};

use super::{limits, sandbox, script};

/// Imports at its start and later, in each form.
const IMPORTING: Harness = Harness {
    module: "importing.entry",
    sources: &[
        ("importing/__init__.py", ""),
        ("importing/entry.py", ENTRY),
        ("importing/near.py", "A = 1\n"),
        ("importing/plain.py", "B = 2\n"),
        ("importing/within/__init__.py", ""),
        (
            "importing/within/deep.py",
            "from ..far import (  # up\n    C as D,\n)\n",
        ),
        ("importing/far.py", "C = 4\n"),
    ],
};
const ENTRY: &str = "
from mc_sandbox import script
from . import near
REHEARSALS = []
def prepare(text):
    import importing.plain as plain
    if text:
        from .within.deep import D
    return script.prepare(b'print(%d)' % (near.A + plain.B + D))
";

#[track_caller]
fn says(interpreter: &Interpreter, harness: &Harness, text: &str, expected: &[u8]) {
    let image = Image::new(interpreter, harness).expect("the harness compiles");
    let runtime = sandbox().start(&image).expect("full isolation can be had");
    let launched = runtime.launch(&script(text), &limits());
    let mut boxed = launched.expect("it compiles");
    let outcome = boxed.run(b"", &limits(), 0).expect("the host is sound");
    assert_eq!(outcome.stdout, expected);
}

#[test]
fn a_harness_finds_what_it_imports_at_its_start_and_later() {
    says(&super::interpreter(), &IMPORTING, "a text", b"7\n");
}
