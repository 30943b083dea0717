//! Harnesses: the Python that lives inside a boxed interpreter, beside the fork server.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use sandbox_guard::descriptors;
use serde_json::json;

use crate::SandboxError;
use crate::ask::ask;

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
/// that every fork would copy.
pub(crate) fn compile<const N: usize>(
    interpreter: &Path,
    harnesses: &[Harness; N],
) -> Result<[Vec<u8>; N], SandboxError> {
    let sources = harnesses.iter().flat_map(|harness| harness.sources);
    let sources: BTreeMap<_, _> = SERVER.iter().chain(sources).copied().collect();
    let modules: Vec<_> = harnesses.iter().map(|harness| harness.module).collect();
    let text = json!([BOOT, sources, modules]).to_string();
    let failed = |why: String| SandboxError::Interpreter(format!("compile the harness: {why}"));
    let stdin = descriptors::memory_file_of("sources", text.as_bytes())
        .map_err(|error| failed(error.to_string()))?;
    let output = ask(interpreter, &["-I", "-S", "-c", COMPILER], stdin)
        .map_err(|error| failed(error.to_string()))?;
    if !output.status.success() {
        return Err(failed(String::from_utf8_lossy(&output.stderr).into_owned()));
    }
    let codes = split(&output.stdout).and_then(|codes| codes.try_into().ok());
    codes.ok_or_else(|| failed("its code is cut short".to_owned()))
}

/// A harness that was compiled ahead.
#[derive(Debug, Clone)]
pub(crate) struct Compiled {
    harness: Harness,
    code: Arc<Vec<u8>>,
}

impl Compiled {
    /// Have the interpreter that `command` starts compile it.
    pub(crate) fn new(command: &Path, harness: &Harness) -> Result<Compiled, SandboxError> {
        let [code] = compile(command, &[*harness])?;
        Ok(Compiled {
            harness: *harness,
            code: Arc::new(code),
        })
    }

    /// The code, if it is that of `harness`.
    pub(crate) fn code(&self, harness: &Harness) -> Option<Arc<Vec<u8>>> {
        (self.harness == *harness).then(|| self.code.clone())
    }
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
