//! Whose doing it is that test code raises something that looks like its own mistake, or that an object meets plain data.

use serde_json::json;

use crate::lab::{examined, judged, named, with};

#[test]
fn a_name_that_the_candidate_left_unbound_is_its_doing() {
    insta::assert_snapshot!(judged(&[
        examined("right", "def f(x): return '{\"a\":1}'", "import json\nd2=0\ntry:\n    d = json.loads(candidate(1))\nexcept ValueError:\n    pass\nassert d == {'a': 1}"),
        examined("unbound-by-text", "def f(x): return 'no'", "import json\nd2=0\ntry:\n    d = json.loads(candidate(1))\nexcept ValueError:\n    pass\nassert d == {'a': 1}"),
        examined("branch", "def f(x): return 3", "if candidate(1) != 3:\n    d = 1\nassert d == 1"),
        examined("branch-right", "def f(x): return 4", "if candidate(1) != 3:\n    d = 1\nassert d == 1"),
        examined("local", "def f(x): return 'no'", "import json\ndef check(c):\n    for x in [1,2]:\n        try:\n            r = json.loads(c(x))\n        except Exception:\n            pass\n    assert r == 1\ncheck(candidate)"),
        examined("local-right", "def f(x): return '1'", "import json\ndef check(c):\n    for x in [1,2]:\n        try:\n            r = json.loads(c(x))\n        except Exception:\n            pass\n    assert r == 1\ncheck(candidate)"),
        examined("loop", "def f(x): return []", "for k in candidate(1):\n    last = k\nassert last == 3"),
        examined("loop-right", "def f(x): return [1,3]", "for k in candidate(1):\n    last = k\nassert last == 3"),
        examined("pattern", "def f(x): return []", "match candidate(1):\n    case [a, *_]: pass\n    case _: pass\nassert a == 1"),
        examined("import-skipped", "def f(x): return 2", "with_ = candidate(1)\nif with_ == 1: import math as m\nassert m.sqrt(4) == 2"),
        examined("import-handled", "def f(x): return 2", "try:\n    import nowhere as n\nexcept ImportError:\n    pass\nassert n.g(candidate(1)) == 2"),
        examined("import", "def f(x): return 2", "import nowhere as n\nassert n.g(candidate(1)) == 2"),
        examined("used-before-def", "def f(x): return 2", "def check(c):\n    assert c(1) == ref(1)\ncheck(candidate)\ndef ref(x): return 2"),
        examined("augmented", "def f(x): return 2", "n = 0\ndef check(c):\n    n += c(1)\n    assert n\ncheck(candidate)"),
        // It might have made that.
        examined("no-file", "def f(x): return 2", "assert candidate(1) == int(open('data.txt').read())"),
        examined("no-file-before", "def f(x): return 2", "n = int(open('data.txt').read())\nassert candidate(1) == n"),
    ]), @r"
    right accepted 1/1 [accepted assertions shielded=true]
    unbound-by-text wrong_answer 0/1 [wrong_answer shielded=true NameError: name 'd' is not defined]
    branch wrong_answer 0/1 [wrong_answer shielded=true NameError: name 'd' is not defined]
    branch-right accepted 1/1 [accepted assertions shielded=true]
    local wrong_answer 0/1 [wrong_answer shielded=true UnboundLocalError: cannot access local variable 'r' where it is not associated with a value]
    local-right accepted 1/1 [accepted assertions shielded=true]
    loop wrong_answer 0/1 [wrong_answer shielded=true NameError: name 'last' is not defined]
    loop-right accepted 1/1 [accepted assertions shielded=true]
    pattern wrong_answer 0/1 [wrong_answer shielded=true NameError: name 'a' is not defined]
    import-skipped wrong_answer 0/1 [wrong_answer shielded=true NameError: name 'm' is not defined]
    import-handled judge_failed 0/1 [judge_failed the test code cannot run: NameError: name 'n' is not defined]
    import judge_failed 0/1 [judge_failed the test code cannot run: ModuleNotFoundError: No module named 'nowhere']
    used-before-def judge_failed 0/1 [judge_failed the test code cannot run: NameError: name 'ref' is not defined]
    augmented judge_failed 0/1 [judge_failed the test code cannot run: UnboundLocalError: cannot access local variable 'n' where it is not associated with a value]
    no-file wrong_answer 0/1 [wrong_answer shielded=true FileNotFoundError: [Errno 2] No such file or directory: 'data.txt']
    no-file-before judge_failed 0/1 [judge_failed the test code cannot run: FileNotFoundError: [Errno 2] No such file or directory: 'data.txt']
    ");
}

#[test]
fn the_candidates_text_is_no_error_of_the_test_codes() {
    insta::assert_snapshot!(judged(&[
        examined("text", "def f(x): return \"x\\nModuleNotFoundError: No module named 'nowhere'\"", "try:\n    import nowhere\nexcept ImportError:\n    pass\nr = candidate(1)\nassert r == 2, r"),
        examined("import", "def f(x): return 'nowhere'", "try:\n    import nowhere\nexcept ImportError:\n    pass\nimport importlib\nimportlib.import_module(candidate(1))"),
        examined("raise", "def f(x): return 'No module named nowhere'", "try:\n    import nowhere\nexcept ImportError:\n    pass\nr = candidate(1)\nif r != 2: raise ImportError(r)"),
        examined("file-excepted", "def f(x): return 'data.txt'", "def text(path):\n    return open(path).read()\ntry: text('data.txt')\nexcept OSError: pass\nassert text(candidate(1)) == 'a'"),
        examined("no-descriptor", "def f(x): return 5", "import os\nassert os.listdir(candidate(1)) == []"),
        examined("no-descriptor-later", "def f(x): return 5", "n = int(candidate(1))\nassert open(n).read() == 'a'"),
        examined("raise-fixed", "def f(x): return 3", "for i in range(1200):\n    if candidate(i) != 2: raise OSError('bad')"),
        examined("eval", "def f(x): return 'foo'", "assert eval(candidate(1)) == 2"),
        examined("right", "def f(x): return 2", "try:\n    import nowhere\nexcept ImportError:\n    pass\nr = candidate(1)\nassert r == 2, r"),
    ]), @r"
    text wrong_answer 0/1 [wrong_answer shielded=true AssertionError: x
    ModuleNotFoundError: No module named 'nowhere']
    import wrong_answer 0/1 [wrong_answer shielded=true ModuleNotFoundError: No module named 'nowhere']
    raise wrong_answer 0/1 [wrong_answer shielded=true ImportError: No module named nowhere]
    file-excepted wrong_answer 0/1 [wrong_answer shielded=true FileNotFoundError: [Errno 2] No such file or directory: 'data.txt']
    no-descriptor wrong_answer 0/1 [wrong_answer shielded=true OSError: [Errno 9] Bad file descriptor]
    no-descriptor-later wrong_answer 0/1 [wrong_answer shielded=true OSError: [Errno 9] Bad file descriptor]
    raise-fixed wrong_answer 0/1 [wrong_answer shielded=true OSError: bad]
    eval wrong_answer 0/1 [wrong_answer shielded=true NameError: name 'foo' is not defined]
    right accepted 1/1 [accepted assertions shielded=true]
    ");
}

#[test]
fn what_is_done_after_some_answers_alone_is_no_way_out() {
    let loops = "n = 3\nwhile n > 0:\n  n -= candidate(n)\n  if n > 2: candidate(compile('1', '', 'eval'))\nassert n == 0";
    let branches =
        "if candidate(1) != 2:\n    candidate(compile('1', '', 'eval'))\nassert candidate(1) == 2";
    let leaves = "import os\nif candidate(1) == 4: os._exit(0)\nassert candidate(1) == 2";
    let raises = "if candidate(1) > 3: nowhere()\nassert candidate(1) == 2";
    let items = "for x in candidate(1):\n    candidate(compile('1', '', 'eval'))\nassert candidate(1) == []";
    let short = "assert candidate(1) == 2 or candidate(compile('1', '', 'eval'))";
    // What no stand-in answers rightly.
    let by_text = "y = candidate(1)\nif str(y) != '3':\n  from nowhere import diff\n  raise AssertionError(diff(y))";
    let by_number = "y = float(candidate(1))\nif abs(y - 3) > 1e-6: candidate(compile('1', '', 'eval'))\nassert y == 3";
    let by_class = "y = candidate(1)\nif type(y) is not int:\n  import nowhere\n  y = nowhere.tensor(y).item()\nassert y == 3";
    let by_length =
        "import os\nif len(str(candidate(1))) != 3: os._exit(0)\nassert candidate(1) == [1]";
    let early = "def check(c):\n  if str(c(1)) == '3': return\n  import nowhere\ncheck(candidate)";
    insta::assert_snapshot!(judged(&[
        examined("loop", "def f(x): return 0", loops),
        examined("loop-right", "def f(x): return 1", loops),
        examined("branch", "def f(x): return 3", branches),
        examined("branch-right", "def f(x): return 2", branches),
        examined("leaves", "def f(x): return 4", leaves),
        examined("leaves-right", "def f(x): return 2", leaves),
        examined("raises", "def f(x): return 4", raises),
        examined("raises-right", "def f(x): return 2", raises),
        examined("items", "def f(x): return [1]", items),
        examined("items-right", "def f(x): return []", items),
        examined("short", "def f(x): return 3", short),
        examined("short-right", "def f(x): return 2", short),
        examined("text-branch", "def f(x): return 4", by_text),
        examined("text-branch-right", "def f(x): return 3", by_text),
        examined("number-branch", "def f(x): return 4", by_number),
        examined("number-branch-right", "def f(x): return 3", by_number),
        examined("class-branch", "def f(x): return '3'", by_class),
        examined("class-branch-right", "def f(x): return 3", by_class),
        examined("length-leaves", "def f(x): return [1, 2]", by_length),
        examined("length-leaves-right", "def f(x): return [1]", by_length),
        examined("early-end", "def f(x): return 4", early),
        examined("early-end-right", "def f(x): return 3", early),
        examined("always", "def f(x): return 2", "for x in [1, 2]:\n    assert candidate(x) == 2\n    candidate(compile('1', '', 'eval'))"),
        examined("always-leaves", "def f(x): return 2", "import os\nassert candidate(1) == 2\nos._exit(0)"),
    ]), @r"
    loop runtime_error 0/1 [runtime_error shielded=true the test code passes a live object of type code]
    loop-right accepted 1/1 [accepted assertions shielded=true]
    branch runtime_error 0/1 [runtime_error shielded=true the test code passes a live object of type code]
    branch-right accepted 1/1 [accepted assertions shielded=true]
    leaves runtime_error 0/1 [runtime_error shielded=true the test code exited before its end]
    leaves-right accepted 1/1 [accepted assertions shielded=true]
    raises runtime_error 0/1 [runtime_error shielded=true NameError: name 'nowhere' is not defined]
    raises-right accepted 1/1 [accepted assertions shielded=true]
    items runtime_error 0/1 [runtime_error shielded=true the test code passes a live object of type code]
    items-right accepted 1/1 [accepted assertions shielded=true]
    short runtime_error 0/1 [runtime_error shielded=true the test code passes a live object of type code]
    short-right accepted 1/1 [accepted assertions shielded=true]
    text-branch wrong_answer 0/1 [wrong_answer shielded=true ModuleNotFoundError: No module named 'nowhere']
    text-branch-right accepted 1/1 [accepted assertions shielded=true]
    number-branch runtime_error 0/1 [runtime_error shielded=true the test code passes a live object of type code]
    number-branch-right accepted 1/1 [accepted assertions shielded=true]
    class-branch wrong_answer 0/1 [wrong_answer shielded=true ModuleNotFoundError: No module named 'nowhere']
    class-branch-right accepted 1/1 [accepted assertions shielded=true]
    length-leaves runtime_error 0/1 [runtime_error shielded=true the test code exited before its end]
    length-leaves-right accepted 1/1 [accepted assertions shielded=true]
    early-end wrong_answer 0/1 [wrong_answer shielded=true ModuleNotFoundError: No module named 'nowhere']
    early-end-right accepted 1/1 [accepted assertions shielded=true]
    always judge_failed 0/1 [judge_failed the test code cannot be kept apart from the candidate: the test code passes a live object of type code; --allow-unshielded runs them together]
    always-leaves judge_failed 0/1 [judge_failed the test code exited before its end]
    ");
}

#[test]
fn one_object_that_is_wanted_excuses_no_other() {
    let own_eq = |equal: &str| {
        format!(
            "class S:\n    def push(self, x): self.x = x\n    def __eq__(self, o): return {equal}\ndef f(x): return S()"
        )
    };
    let pushes = "a = candidate(0)\na.push(1)\nassert a == 1";
    insta::assert_snapshot!(judged(&[
        examined("right", "class S:\n    def push(self,x): self.x=x\n    def peek(self): return self.x\ndef f(x): return S() if x == 0 else 5", "a = candidate(0)\na.push(1)\nassert a.peek() == 1\nassert candidate(2) == 5"),
        examined("object-later", "class S:\n    def push(self,x): self.x=x\n    def peek(self): return self.x\ndef f(x): return S()", "a = candidate(0)\na.push(1)\nassert a.peek() == 1\nassert candidate(2) == 5"),
        examined("same-object-later", "class S:\n    def push(self,x): self.x=x\n    def peek(self): return self.x\ns=S()\ndef f(x): return s", "a = candidate(0)\na.push(1)\nassert a.peek() == 1\nassert candidate(2) == 5"),
        examined("object-first", "class S:\n    def push(self,x): self.x=x\n    def peek(self): return self.x\ndef f(x): return S()", "assert candidate(2) == 5\na = candidate(0)\na.push(1)\nassert a.peek() == 1"),
        examined("object-first-right", "class S:\n    def push(self,x): self.x=x\n    def peek(self): return self.x\ndef f(x): return S() if x == 0 else 5", "assert candidate(2) == 5\na = candidate(0)\na.push(1)\nassert a.peek() == 1"),
        examined("loop", "class S:\n    def push(self,x): self.x=x\n    def peek(self): return self.x\ndef f(x): return S()", "for x, w in [(0, None), (2, 5)]:\n    r = candidate(x)\n    if w is None: r.push(1)\n    else: assert r == w"),
        examined("in", "class S:\n    def push(self,x): self.x=x\n    def peek(self): return self.x\ndef f(x): return S()", "a = candidate(0)\na.push(1)\nassert 3 in candidate(2)"),
        examined("sub", "class S:\n    def push(self,x): self.x=x\n    def peek(self): return self.x\ndef f(x): return S()", "a = candidate(0)\na.push(1)\nassert abs(candidate(2) - 3.5) < 1"),
        examined("own-eq", &own_eq("self.x == o"), pushes),
        examined("own-eq-wrong", &own_eq("self.x == o").replace("self.x = x", "self.x = x + 1"), pushes),
        examined("own-eq-to-all", &own_eq("True"), pushes),
        examined("own-eq-of-two", &own_eq("o in (1, 2)").replace("self.x = x", "self.x, self.y = 1, 2"), pushes),
        examined("own-eq-raises", &own_eq("[][0]"), pushes),
        examined("no-own-eq", &own_eq("True").replace("__eq__", "equals"), pushes),
        with(named("named-class-eq", "class S:\n  def __init__(s,x): s.x=x\n  def __eq__(s,o): return s.x==o", "assert S(1) == 1"), "statement", json!("Write class S")),
    ]), @r"
    right accepted 1/1 [accepted assertions shielded=true]
    object-later wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    same-object-later wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    object-first wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    object-first-right accepted 1/1 [accepted assertions shielded=true]
    loop wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    in runtime_error 0/1 [runtime_error shielded=true TypeError: argument of type 'S' is not iterable]
    sub runtime_error 0/1 [runtime_error shielded=true TypeError: unsupported operand type(s) for -: 'S' and 'float']
    own-eq accepted 1/1 [accepted assertions shielded=true]
    own-eq-wrong wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    own-eq-to-all runtime_error 0/1 [runtime_error shielded=true the test code compares a live object with plain data, or computes with both; --allow-unshielded runs them together]
    own-eq-of-two runtime_error 0/1 [runtime_error shielded=true the test code compares a live object with plain data, or computes with both; --allow-unshielded runs them together]
    own-eq-raises runtime_error 0/1 [runtime_error shielded=true IndexError: list index out of range]
    no-own-eq wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    named-class-eq accepted 1/1 [accepted assertions shielded=true]
    ");
}
