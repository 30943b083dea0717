//! What belongs to a process: test code sets it for itself and for the candidate, which is in another.

use crate::lab::{Lab, examined, judged, outline};

#[test]
fn what_test_code_sets_holds_for_the_candidate() {
    let argv = "import sys\nsys.argv = ['x', 'a', 'b']\nassert candidate() == 2\nsys.argv.append('c')\nassert candidate() == 3";
    let environ = "import os\nos.environ['WHO'] = 'me'\nassert candidate() == 'me'\ndel os.environ['WHO']\nassert candidate() == '?'";
    let patched = "import os\nfrom unittest.mock import patch\nwith patch.dict(os.environ, {'WHO': 'me'}):\n    assert candidate() == 'me'\nassert candidate() == '?'";
    let chdir = "import os, tempfile\nd = tempfile.mkdtemp()\nos.chdir(d)\nassert candidate() == os.path.basename(d)";
    let seed = "import random\nrandom.seed(42)\na = candidate(5)\nrandom.seed(42)\nassert candidate(5) == a\nrandom.seed(42)\nassert a == [random.randint(1, 6) for _ in range(5)]\nassert candidate(5) != a";
    let decimal = "from decimal import getcontext\nassert candidate() != '0.33333'\ngetcontext().prec = 5\nassert candidate() == '0.33333'";
    let deep = "import sys\nsys.setrecursionlimit(20000)\nassert candidate(5000) == 5000";
    let constant = "import math\nold = math.pi\nmath.pi = 3\ntry:\n    assert candidate(2) == 6\nfinally:\n    math.pi = old\nassert candidate(2) > 6.2";
    let who = "import os\ndef f(): return os.environ.get('WHO', '?')";
    let area = "import math\ndef f(r): return math.pi * r";
    insta::assert_snapshot!(judged(&[
        examined("argv", "import sys\ndef f(): return len(sys.argv[1:])", argv),
        examined("argv-wrong", "import sys\ndef f(): return len(sys.argv)", argv),
        examined("environ", who, environ),
        examined("environ-wrong", "def f(): return 'me'", environ),
        examined("environ-patched", who, patched),
        examined("environ-patched-wrong", "def f(): return '?'", patched),
        examined("chdir", "import os\ndef f(): return os.path.basename(os.getcwd())", chdir),
        examined("chdir-wrong", "def f(): return 'tmp'", chdir),
        examined("seed", "import random\ndef f(n): return [random.randint(1, 6) for _ in range(n)]", seed),
        examined("seed-wrong", "import random\ndef f(n): return [random.randint(0, 5) for _ in range(n)]", seed),
        examined("decimal", "from decimal import Decimal\ndef f(): return str(Decimal(1) / Decimal(3))", decimal),
        examined("decimal-wrong", "def f(): return str(1 / 3)", decimal),
        examined("recursion", "def f(n): return 0 if n == 0 else 1 + f(n - 1)", deep),
        examined("recursion-unset", "def f(n): return 0 if n == 0 else 1 + f(n - 1)", "assert candidate(5000) == 5000"),
        examined("constant", area, constant),
        examined("constant-wrong", "import math\ndef f(r): return 3 * r", constant),
    ]), @r"
    argv accepted 1/1 [accepted assertions shielded=true]
    argv-wrong wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    environ accepted 1/1 [accepted assertions shielded=true]
    environ-wrong wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    environ-patched accepted 1/1 [accepted assertions shielded=true]
    environ-patched-wrong wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    chdir accepted 1/1 [accepted assertions shielded=true]
    chdir-wrong wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    seed accepted 1/1 [accepted assertions shielded=true]
    seed-wrong wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    decimal accepted 1/1 [accepted assertions shielded=true]
    decimal-wrong wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    recursion accepted 1/1 [accepted assertions shielded=true]
    recursion-unset runtime_error 0/1 [runtime_error shielded=true RecursionError: maximum recursion depth exceeded]
    constant accepted 1/1 [accepted assertions shielded=true]
    constant-wrong wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    ");
}

#[test]
fn numpys_random_numbers_begin_where_test_code_says() {
    let python = crate::numpy::python().to_str().expect("a plain path");
    let seeds = "import numpy as np\nnp.random.seed(7)\na = candidate(3)\nnp.random.seed(7)\nassert a == np.random.randint(0, 9, 3).tolist()";
    let draws = |below: u8| {
        format!("import numpy as np\ndef f(n): return np.random.randint(0, {below}, n).tolist()")
    };
    let rows = [
        examined("right", &draws(9), seeds),
        examined("wrong", &draws(8), seeds),
    ];
    let verdicts = Lab::new().judge(&rows, &["--python", python]);
    insta::assert_snapshot!(outline(&verdicts), @r"
    right accepted 1/1 [accepted assertions shielded=true]
    wrong wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    ");
}

#[test]
fn files_of_the_test_code_are_there_where_their_paths_are_handed_over() {
    let file = "with open('/tmp/nums.txt', 'w') as f: f.write('1\\n2\\n')\nassert candidate('/tmp/nums.txt') == 3\nwith open('/tmp/nums.txt', 'a') as f: f.write('4\\n')\nassert candidate('/tmp/nums.txt') == 7";
    let relative = "open('a.txt', 'w').write('5')\nassert candidate(p='a.txt') == 5";
    let folder = "import tempfile, os\nwith tempfile.TemporaryDirectory() as d:\n    open(os.path.join(d, 'a'), 'w').close()\n    os.mkdir(os.path.join(d, 'b'))\n    assert candidate([d]) == ['a', 'b']\n    os.remove(os.path.join(d, 'a'))\n    assert candidate([d]) == ['b']";
    let path = "from pathlib import Path\np = Path('/tmp/x.txt')\np.write_text('hi')\nassert candidate(p) == 'hi'";
    let kept = "open('/tmp/expected.txt', 'w').write('7')\nopen('/tmp/in.txt', 'w').write('3')\nassert candidate('/tmp/in.txt') == open('/tmp/expected.txt').read()";
    let back = "open('/tmp/expected.txt', 'w').write('7')\nassert candidate(candidate('a')) == open('/tmp/expected.txt').read()";
    let own = "PATH = __file__\nassert candidate(candidate('a')) == 'secret'";
    let read = |path: &str| {
        format!(
            "def f(p):\n    if p == 'a': return '{path}'\n    return open(p).read().strip()[-1 - ('secret' in open(p).read()) * 6:].strip(chr(39))"
        )
    };
    let total = "def f(p):\n    with open(p) as f: return sum(map(int, f))";
    insta::assert_snapshot!(judged(&[
        examined("file", total, file),
        examined("file-wrong", "def f(p):\n    with open(p) as f: return len(list(f)) + 1", file),
        examined("relative", total, relative),
        examined("folder", "import os\ndef f(ds): return sorted(os.listdir(ds[0]))", folder),
        examined("folder-wrong", "def f(ds): return ['a', 'b']", folder),
        examined("path", "def f(p): return p.read_text()", path),
        examined("expected", "def f(p): return open('/tmp/expected.txt').read()", kept),
        examined("expected-by-its-name", &read("/tmp/expected.txt"), back),
        examined("expected-in-the-test-code", &read("/tmp/main.py"), own),
        examined("expected-beside", "import os\ndef f(p): return ''.join(open('/tmp/' + n).read() for n in os.listdir('/tmp'))", kept),
    ]), @r"
    file accepted 1/1 [accepted assertions shielded=true]
    file-wrong wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    relative accepted 1/1 [accepted assertions shielded=true]
    folder accepted 1/1 [accepted assertions shielded=true]
    folder-wrong wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    path accepted 1/1 [accepted assertions shielded=true]
    expected runtime_error 0/1 [runtime_error shielded=true FileNotFoundError: [Errno 2] No such file or directory: '/tmp/expected.txt']
    expected-by-its-name runtime_error 0/1 [runtime_error shielded=true FileNotFoundError: [Errno 2] No such file or directory: '/tmp/expected.txt']
    expected-in-the-test-code runtime_error 0/1 [runtime_error shielded=true FileNotFoundError: [Errno 2] No such file or directory: '/tmp/main.py']
    expected-beside wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    ");
}

#[test]
fn warnings_and_records_are_heard() {
    let case = |body: &str| {
        format!(
            "import unittest\nclass T(unittest.TestCase):\n    def test(self):\n        {body}\nunittest.main(argv=['x'])"
        )
    };
    let logs = case(
        "with self.assertLogs('a', 'WARNING') as c: candidate()\n        self.assertEqual(c.output, ['WARNING:a:bad 3'])",
    );
    let no_logs = case("with self.assertNoLogs('a', 'WARNING'): candidate()");
    let warns = case("with self.assertWarns(DeprecationWarning): self.assertEqual(candidate(), 1)");
    let caught = "import warnings\nwith warnings.catch_warnings(record=True) as w:\n    warnings.simplefilter('always')\n    assert candidate() == 1\nassert [str(one.message) for one in w] == ['old']";
    let logging = "import logging\ndef f(): logging.getLogger('a').warning('bad %d', 3)";
    let warning =
        "import warnings\ndef f():\n    warnings.warn('old', DeprecationWarning)\n    return 1";
    let own = "import warnings\nclass Old(DeprecationWarning): pass\ndef f():\n    warnings.warn(Old('old'))\n    return 1";
    insta::assert_snapshot!(judged(&[
        examined("logs", logging, &logs),
        examined("logs-wrong", &logging.replace("3)", "4)"), &logs),
        examined("logs-less", &logging.replace("warning", "info"), &logs),
        examined("no-logs", &logging.replace("warning", "info"), &no_logs),
        examined("no-logs-wrong", logging, &no_logs),
        examined("warns", warning, &warns),
        examined("warns-own", own, &warns),
        examined("warns-other", &warning.replace("Deprecation", "User"), &warns),
        examined("warns-not", "def f(): return 1", &warns),
        examined("caught", warning, caught),
        examined("caught-wrong", &warning.replace("'old'", "'new'"), caught),
    ]), @r"
    logs accepted 1/1 [accepted assertions shielded=true]
    logs-wrong wrong_answer 0/1 [wrong_answer shielded=true T.test: AssertionError: Lists differ: ['WARNING:a:bad 4'] != ['WARNING:a:bad 3']]
    logs-less wrong_answer 0/1 [wrong_answer shielded=true T.test: AssertionError: no logs of level WARNING or higher triggered on a]
    no-logs accepted 1/1 [accepted assertions shielded=true]
    no-logs-wrong wrong_answer 0/1 [wrong_answer shielded=true T.test: AssertionError: Unexpected logs found: ['WARNING:a:bad 3']]
    warns accepted 1/1 [accepted assertions shielded=true]
    warns-own accepted 1/1 [accepted assertions shielded=true]
    warns-other wrong_answer 0/1 [wrong_answer shielded=true T.test: AssertionError: DeprecationWarning not triggered]
    warns-not wrong_answer 0/1 [wrong_answer shielded=true T.test: AssertionError: DeprecationWarning not triggered]
    caught accepted 1/1 [accepted assertions shielded=true]
    caught-wrong wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    ");
}
