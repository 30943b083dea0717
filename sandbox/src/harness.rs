//! Harnesses: the Python that lives inside a boxed interpreter, beside the fork server.

use std::collections::BTreeMap;
use std::path::Path;

use blake3::{Hash, Hasher};
use sandbox_guard::descriptors;
use serde_json::json;

use crate::ask::ask;
use crate::{Interpreter, SandboxError, harness_cache};

/// A Python source: its path below the folder of its package, and its text.
pub type Source = (&'static str, &'static str);

/// What turns the bytes of a [`crate::Program`] into something that runs: a Python module with `prepare`, and the modules
/// that it imports. `mc_sandbox/script.py` says what it has to define.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Harness {
    /// The module's name.
    pub module: &'static str,
    /// It and what it imports, beyond the standard library and `mc_sandbox`. What else is among them is left out.
    pub sources: &'static [Source],
}

impl Harness {
    /// The plainest: a program is a script, and its bytes are the source.
    pub const SCRIPT: Harness = Harness {
        module: "mc_sandbox.script",
        sources: &[],
    };
}

const BOOT: &str = include_str!("../python/mc_sandbox/boot.py");

/// The fork server.
const SERVER: [Source; 5] = [
    (
        "mc_sandbox/__init__.py",
        include_str!("../python/mc_sandbox/__init__.py"),
    ),
    (
        "mc_sandbox/heap.py",
        include_str!("../python/mc_sandbox/heap.py"),
    ),
    (
        "mc_sandbox/library.py",
        include_str!("../python/mc_sandbox/library.py"),
    ),
    (
        "mc_sandbox/script.py",
        include_str!("../python/mc_sandbox/script.py"),
    ),
    (
        "mc_sandbox/server.py",
        include_str!("../python/mc_sandbox/server.py"),
    ),
];

/// Writes `(boot, {name: (is_package, code)})` of each harness as the `marshal` module does, with its length before it: the
/// server, and the harness with those of the sources that it imports, at its start or later. These are our own, in which an
/// import has lines to itself: to find it there takes half the time of going through the syntax, and a module too many harms
/// nothing.
const COMPILER: &str = "\
import json, marshal, re, sys
boot, sources, harnesses = json.load(sys.stdin)
IMPORT = re.compile(r'^ *(?:from +(\\.*)([\\w.]*) +import +(\\([^)]*\\)|.*)|import +(.*))', re.M)
def module(path):
    name = path[:-len('.py')].replace('/', '.')
    package = name.endswith('.__init__')
    return name[:-len('.__init__')] if package else name, package
texts = {}
for path, source in sources.items():
    name, package = module(path)
    texts[name] = package, path, source
def imported(source, package):
    for dots, place, names, plain in IMPORT.findall(source):
        if plain:
            yield from re.findall(r'[\\w.]+', plain)
            continue
        if dots:
            base = package.rsplit('.', len(dots) - 1)[0]
            place = base + '.' + place if place else base
        yield place
        for name in re.findall(r'\\w+', names):
            yield place + '.' + name
compiled = {}
def compiled_once(name):
    if name not in compiled:
        package, path, source = texts[name]
        parent = name.rpartition('.')[0]
        needed = [parent, *imported(source, name if package else parent)]
        compiled[name] = (package, compile(source, f'<{path}>', 'exec')), [other for other in needed if other in texts]
    return compiled[name]
def add(name, codes):
    if name not in codes:
        codes[name], needed = compiled_once(name)
        for other in needed:
            add(other, codes)
boot = compile(boot, '<mc_sandbox/boot.py>', 'exec')
for harness in harnesses:
    codes = {}
    add('mc_sandbox.server', codes)
    add(harness, codes)
    code = marshal.dumps((boot, codes))
    sys.stdout.buffer.write(len(code).to_bytes(8, 'little') + code)
";

/// Compile the fork server and these harnesses, once for all boxes: compiling takes long, and leaves a heap behind with holes
/// that every fork would copy. What any process of this user has compiled is taken as it is.
pub(crate) fn compile<const N: usize>(
    interpreter: &Interpreter,
    harnesses: &[Harness; N],
) -> Result<[Vec<u8>; N], SandboxError> {
    let sources = harnesses.iter().flat_map(|harness| harness.sources);
    let sources: BTreeMap<_, _> = SERVER.iter().chain(sources).copied().collect();
    let modules: Vec<_> = harnesses.iter().map(|harness| harness.module).collect();
    let key = key(interpreter, &sources, &modules);
    let pieces = |written: &[u8]| split(written)?.try_into().ok();
    if let Some(codes) = harness_cache::read(&key).as_deref().and_then(pieces) {
        return Ok(codes);
    }
    let text = json!([BOOT, sources, modules]).to_string();
    let written = compile_text(&interpreter.executable, &text)?;
    let codes = pieces(&written).ok_or_else(|| failed("its code is cut short".to_owned()))?;
    harness_cache::keep(&key, &written);
    Ok(codes)
}

/// Of all that decides what compiling comes to.
fn key(interpreter: &Interpreter, sources: &BTreeMap<&str, &str>, modules: &[&str]) -> Hash {
    let mut hasher = Hasher::new();
    let texts = [COMPILER, &interpreter.build, BOOT]
        .into_iter()
        .chain(sources.iter().flat_map(|(path, text)| [*path, *text]))
        .chain(modules.iter().copied());
    for text in texts {
        hasher.update(&text.len().to_le_bytes());
        hasher.update(text.as_bytes());
    }
    hasher.finalize()
}

fn compile_text(interpreter: &Path, text: &str) -> Result<Vec<u8>, SandboxError> {
    let stdin = descriptors::memory_file_of("sources", text.as_bytes())
        .map_err(|error| failed(error.to_string()))?;
    let output = ask(interpreter, &["-I", "-S", "-c", COMPILER], stdin)
        .map_err(|error| failed(error.to_string()))?;
    match output.status.success() {
        true => Ok(output.stdout),
        false => Err(failed(String::from_utf8_lossy(&output.stderr).into_owned())),
    }
}

fn failed(why: String) -> SandboxError {
    SandboxError::Interpreter(format!("compile the harness: {why}"))
}

/// What was written one after the other, each with its length before it.
fn split(mut written: &[u8]) -> Option<Vec<Vec<u8>>> {
    let mut pieces = Vec::new();
    while let Some((length, rest)) = written.split_first_chunk() {
        let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
        let (piece, rest) = rest.split_at_checked(length)?;
        pieces.push(piece.to_vec());
        written = rest;
    }
    written.is_empty().then_some(pieces)
}
