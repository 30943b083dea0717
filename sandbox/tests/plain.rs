//! A box runs a program as CPython itself does: what each of these writes, and how it ends, is compared with a plain run.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use sandbox::{
    Grants, Harness, Image, Interpreter, Level, Limits, Program, Runtime, Sandbox, Termination,
};

const INPUT: &str = "3\n1 2 3\nlast line\n";

/// A fast reader and writer that half of competitive programming copies.
const FAST_IO: &str = r#"
import os, sys
from io import BytesIO, IOBase
class FastIO(IOBase):
    newlines = 0
    def __init__(self, file):
        self._fd = file.fileno()
        self.buffer = BytesIO()
        self.writable = "x" in file.mode or "r" not in file.mode
        self.write = self.buffer.write if self.writable else None
    def read(self):
        while True:
            b = os.read(self._fd, max(os.fstat(self._fd).st_size, 8192))
            if not b:
                break
            ptr = self.buffer.tell()
            self.buffer.seek(0, 2), self.buffer.write(b), self.buffer.seek(ptr)
        self.newlines = 0
        return self.buffer.read()
    def readline(self):
        while self.newlines == 0:
            b = os.read(self._fd, max(os.fstat(self._fd).st_size, 8192))
            self.newlines = b.count(b"\n") + (not b)
            ptr = self.buffer.tell()
            self.buffer.seek(0, 2), self.buffer.write(b), self.buffer.seek(ptr)
        self.newlines -= 1
        return self.buffer.readline()
    def flush(self):
        if self.writable:
            os.write(self._fd, self.buffer.getvalue())
            self.buffer.truncate(0), self.buffer.seek(0)
class IOWrapper(IOBase):
    def __init__(self, file):
        self.buffer = FastIO(file)
        self.flush = self.buffer.flush
        self.writable = self.buffer.writable
        self.write = lambda s: self.buffer.write(s.encode("ascii"))
        self.read = lambda: self.buffer.read().decode("ascii")
        self.readline = lambda: self.buffer.readline().decode("ascii")
sys.stdin, sys.stdout = IOWrapper(sys.stdin), IOWrapper(sys.stdout)
input = lambda: sys.stdin.readline().rstrip("\r\n")
n = int(input())
print(n, sum(map(int, input().split())))
"#;

const PROGRAMS: &[(&str, &str)] = &[
    ("fast io", FAST_IO),
    (
        "standard output kept until the end",
        "import sys, io, atexit\nsys.stdout = io.StringIO()\n\
         atexit.register(lambda: sys.__stdout__.write(sys.stdout.getvalue()))\nprint('kept')",
    ),
    (
        "standard output closed",
        "import sys\nprint('before')\nsys.stdout.close()",
    ),
    (
        "standard output taken away",
        "import sys\nprint('before')\nsys.stdout = None\nprint('after')",
    ),
    (
        "standard output deleted",
        "import sys\nprint('before')\ndel sys.stdout",
    ),
    (
        "standard output that fails to flush",
        "import sys\nclass S:\n    def write(self, s): pass\n    def flush(self): raise OSError\nsys.stdout = S()\nprint(1)",
    ),
    (
        "descriptor closed under standard output",
        "import os\nprint('lost')\nos.close(1)",
    ),
    (
        "written past standard output",
        "import os, sys\nsys.stdout.write('a')\nsys.stdout.flush()\nos.write(1, b'b')\nsys.stdout.buffer.write(b'c')",
    ),
    (
        "printed at exit",
        "import atexit\natexit.register(print, 'late')\nprint('early')",
    ),
    (
        "an exit handler that fails",
        "import atexit\natexit.register(print, 'first registered')\natexit.register(lambda: 1 / 0)\nprint('body')",
    ),
    (
        "a finalizer that uses globals",
        "import sys\nname = 'n'\nclass A:\n    def __del__(self):\n        print('end of', name, len(name), sys.version_info[0])\na = A()",
    ),
    (
        "a finalizer in a cycle",
        "class A:\n    def __del__(self): print('gone')\na = A()\na.me = a\ndel a\nprint('end')",
    ),
    (
        "finalizers of objects in cycles",
        "class A:\n    def __init__(s,n): s.n=n; s.me=s\n    def __del__(s): print('del',s.n, K)\nK=7\na=A(1)\nb=A(2)",
    ),
    (
        "finalizers of global objects and lists",
        "class A:\n    def __init__(s,n): s.n=n\n    def __del__(s): print('del',s.n, K)\nK=7\na=A(1)\nb=A(2)\nc=[A(3),A(4)]\nd=A(5)",
    ),
    (
        "a finalizer that uses a list",
        "log=[]\nclass A:\n    def __init__(s,n): s.n=n\n    def __del__(s):\n        log.append(s.n); print(log)\nxs=[A(1),A(2),A(3)]",
    ),
    (
        "a finalizer in a closure",
        "def f(x):\n    class A:\n        def __del__(s): print('gone',x)\n    a=A()\n    def g(): return a,g\n    return g\nh=f(3)\nk=f(4)",
    ),
    (
        "finalizers of linked nodes",
        "class N:\n    def __init__(s,v): s.v=v; s.next=None\n    def __del__(s): out(s.v)\ndef out(v): print('v',v)\na=N(1); b=N(2); a.next=b; b.next=a",
    ),
    (
        "standard output detached for a codec",
        "import sys,codecs\nsys.stdout = codecs.getwriter('utf-8')(sys.stdout.detach())\nprint('hi')",
    ),
    (
        "standard output detached for another encoding",
        "import sys,io\nsys.stdout = io.TextIOWrapper(sys.stdout.detach(), encoding='utf-8')\nprint('hi')",
    ),
    (
        "standard output detached",
        "import sys\nb=sys.stdout.detach()\nb.write(b'hi')",
    ),
    (
        "standard error detached",
        "import sys\nsys.stderr.detach()\nprint('x')",
    ),
    (
        "standard error detached for another",
        "import sys,io\nsys.stderr=io.TextIOWrapper(sys.stderr.detach())\nprint('x')",
    ),
    (
        "a finalizer in a cycle beside an exit handler",
        "import atexit\nclass A:\n    def __init__(s): s.me=s\n    def __del__(s): print('del')\na=A()\natexit.register(lambda: print('exit', a is not None))",
    ),
    (
        "a finalizer in a cycle after an exit",
        "class A:\n    def __init__(s): s.me=s\n    def __del__(s): print('del')\na=A()\nraise SystemExit(3)",
    ),
    (
        "a finalizer in a cycle after an error",
        "class A:\n    def __init__(s): s.me=s\n    def __del__(s): print('del')\na=A()\n1/0",
    ),
    (
        "a finalizer and a weak reference in a cycle",
        "import weakref\nclass A:\n    def __del__(s): print('del')\na=A(); a.me=a\nr=weakref.ref(a, lambda _: print('cb'))",
    ),
    (
        "a finalizer that writes to a file",
        "class W:\n    def __init__(s): s.f=open(1,'w'); s.me=s\n    def __del__(s): s.f.write('bye'); s.f.close()\nw=W()\nprint('a', flush=True)",
    ),
    (
        "a file left open",
        "import os\nf = open(os.dup(1), 'w')\nf.write('left open')",
    ),
    (
        "a file left open in a function",
        "import os\ndef f():\n    global kept\n    kept = open(os.dup(1), 'w')\n    kept.write('x')\nf()",
    ),
    ("an exit status", "import sys\nprint('a')\nsys.exit(3)"),
    ("a large exit status", "import sys\nsys.exit(256)"),
    ("a negative exit status", "import sys\nsys.exit(-1)"),
    ("an exit status that is true", "import sys\nsys.exit(True)"),
    (
        "exit with a message",
        "import sys\nprint('a')\nsys.exit('message')",
    ),
    ("exit with a list", "raise SystemExit([1, 2])"),
    (
        "exit in a handler",
        "import atexit, sys\natexit.register(sys.exit, 4)\nprint('x')",
    ),
    ("quit", "print('a')\nquit()\nprint('b')"),
    ("an exception", "print('a')\nraise ValueError('b')"),
    (
        "an exception of a function",
        "def f(n):\n    return 1 // n\nprint('x')\nf(0)",
    ),
    (
        "an exception hook",
        "import sys\nsys.excepthook = lambda *a: print('hooked', a[0].__name__)\nraise KeyError(1)",
    ),
    (
        "a thread that outlives the module",
        "import threading, time\ndef f():\n    time.sleep(0.05)\n    print('thread')\nthreading.Thread(target=f).start()\nprint('main')",
    ),
    (
        "a daemon",
        "import threading, time\nthreading.Thread(target=time.sleep, args=(60,), daemon=True).start()\nprint('main')",
    ),
    (
        "a thread that fails",
        "import threading\nt = threading.Thread(target=lambda: 1 / 0)\nt.start()\nt.join()\nprint('main')",
    ),
    (
        "standard input",
        "import sys\nprint(input(), sys.stdin.readline().split(), sys.stdin.read())",
    ),
    (
        "standard input as bytes",
        "import sys\nprint(sys.stdin.buffer.read())",
    ),
    ("standard input by number", "print(open(0).read().split())"),
    (
        "the end of input",
        "while True:\n    try:\n        print(input())\n    except EOFError:\n        break",
    ),
    ("past the end of input", "for _ in range(9): print(input())"),
    (
        "own source",
        "import inspect\ndef f():\n    return 1  # a comment\nprint(inspect.getsource(f))",
    ),
    (
        "own source of a class",
        "import inspect\nclass A:\n    x = 1\nprint(inspect.getsource(A))",
    ),
    (
        "a traceback with source lines",
        "import traceback\ndef f():\n    return [][0]\ntry:\n    f()\nexcept IndexError:\n    \
         print([(l.lineno, l.name, l.line) for l in traceback.extract_stack()[:0] + traceback.extract_tb(__import__('sys').exc_info()[2])])",
    ),
    (
        "own file",
        "import os\nprint(os.path.basename(__file__))\nprint(__name__, __doc__, __package__, __spec__)",
    ),
    ("a docstring", "'''Says what it is.'''\nprint(__doc__)"),
    ("annotations", "x: int = 3\nprint(__annotations__)"),
    (
        "the main module",
        "import sys\nprint(sys.modules['__main__'].__dict__ is globals(), len(sys.argv))",
    ),
    (
        "import of itself",
        "import __main__\nx = 5\nprint(__main__.x)",
    ),
    (
        "pickling",
        "import pickle\nclass A:\n    x = 3\nprint(pickle.loads(pickle.dumps(A())).x)",
    ),
    (
        "a dataclass",
        "from dataclasses import dataclass\n@dataclass\nclass P:\n    x: int\n    y: int = 2\nprint(P(1))",
    ),
    (
        "text that is not ASCII",
        "print('žluť', '\\N{SNOWMAN}', ascii('é'))",
    ),
    ("lone surrogates", "print('\\ud800')"),
    (
        "numbers past the limit of digits",
        "try:\n    print(len(str(10 ** 5000)))\nexcept ValueError as e:\n    print('no', e)",
    ),
    (
        "recursion",
        "def f(n):\n    return 0 if n == 0 else 1 + f(n - 1)\nprint(f(900))\ntry:\n    f(2000)\nexcept RecursionError as e:\n    print(e)",
    ),
    (
        "warnings",
        "import warnings\nwarnings.warn('w')\nprint('x' is 'x')",
    ),
    (
        "asynchronous",
        "import asyncio\nasync def f():\n    await asyncio.sleep(0)\n    return 7\nprint(asyncio.run(f()))",
    ),
    ("abort", "import os\nprint('lost')\nos._exit(5)"),
];

/// What a program wrote to standard output, and its exit status.
type Ran = (String, i32);

fn interpreter() -> Interpreter {
    let python = std::env::var_os("PYTHON").map(PathBuf::from);
    Interpreter::find(python.as_deref()).expect("a CPython 3.9 or newer is on the search path")
}

fn plainly(interpreter: &Interpreter, source: &str) -> Ran {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("main.py");
    std::fs::write(&path, source).expect("a file in it");
    let mut child = Command::new(&interpreter.executable)
        .args(["-I", "-X", "utf8"])
        .arg(&path)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the interpreter starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    // A program that ends before it has read all is no failure.
    let _ = stdin.write_all(INPUT.as_bytes());
    drop(stdin);
    let output = child.wait_with_output().expect("the interpreter ends");
    (text(&output.stdout), output.status.code().unwrap_or(-1))
}

fn boxed(runtime: &Runtime, source: &str) -> Ran {
    let program = Program {
        text: source.into(),
        grants: Grants::JUDGED,
    };
    let limits = Limits::default();
    let mut launched = runtime.launch(&program, &limits).expect("it compiles");
    let outcome = launched
        .run(INPUT.as_bytes(), &limits, 1)
        .expect("the host is sound");
    let status = match outcome.termination {
        Termination::Exited(status) => status,
        _ => -1,
    };
    (text(&outcome.stdout), status)
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn programs_run_as_plain_python_runs_them() {
    let interpreter = interpreter();
    let image = Image::new(&interpreter, &Harness::SCRIPT).expect("the harness compiles");
    let sandbox = Sandbox::new(Level::Full).expect("this machine gives the default isolation");
    let runtime = sandbox.start(&image).expect("a runtime");
    let differing: Vec<_> = PROGRAMS
        .iter()
        .map(|(name, source)| (name, boxed(&runtime, source), plainly(&interpreter, source)))
        .filter(|(_, boxed, plain)| boxed != plain)
        .collect();
    assert!(differing.is_empty(), "{differing:#?}");
}
