//! Objects of the candidate's that test code uses as what they are.

use serde_json::json;

use crate::lab::{judged, named, with};

#[test]
fn a_class_in_the_place_of_a_constant_decides_nothing() {
    insta::assert_snapshot!(judged(&[
        named("static", "class TEXT:\n  @staticmethod\n  def startswith(x): return True\n  @staticmethod\n  def isupper(): return True\n  @staticmethod\n  def count(x): return 3\n", "assert TEXT.startswith('ab')"),
        named("static-isupper", "class TEXT:\n  @staticmethod\n  def startswith(x): return True\n  @staticmethod\n  def isupper(): return True\n  @staticmethod\n  def count(x): return 3\n", "assert TEXT.isupper()"),
        named("contains", "class M(type):\n  def __contains__(c,x): return True\nclass TEXT(metaclass=M): pass\n", "assert 'x' in TEXT"),
        named("contains-right", "TEXT='axb'", "assert 'x' in TEXT"),
        named("static-right", "TEXT='abc'", "assert TEXT.startswith('ab')"),
        named("own-class-right", "class Text:\n  @staticmethod\n  def startswith(a,b): return a[:1]==b", "assert Text.startswith('ab','a')"),
        named("enum-member", "import enum\nclass Color(enum.Enum):\n  RED=1\n  BLUE=2", "assert Color.RED in Color\nassert len(Color)==2\nassert Color['RED'].value==1"),
        named("validator", "class Validator:\n  @staticmethod\n  def isdigit(s): return s.isdigit()", "assert Validator.isdigit('5')\nassert not Validator.isdigit('x')"),
        named("registry", "class M(type):\n  def __contains__(c,x): return x in c.d\nclass Registry(metaclass=M):\n  d={}\n  @classmethod\n  def register(c,k): c.d[k]=1", "Registry.register('a')\nassert 'a' in Registry\nassert 'b' not in Registry"),
    ]), @r"
    static runtime_error 0/1 [runtime_error shielded=true it gave back a live object where the test code wants plain data]
    static-isupper runtime_error 0/1 [runtime_error shielded=true it gave back a live object where the test code wants plain data]
    contains runtime_error 0/1 [runtime_error shielded=true it gave back a live object where the test code wants plain data]
    contains-right accepted 1/1 [accepted assertions shielded=true]
    static-right accepted 1/1 [accepted assertions shielded=true]
    own-class-right accepted 1/1 [accepted assertions shielded=true]
    enum-member accepted 1/1 [accepted assertions shielded=true]
    validator accepted 1/1 [accepted assertions shielded=true]
    registry accepted 1/1 [accepted assertions shielded=true]
    ");
}

#[test]
fn what_no_plain_data_could_be_asked_is_asked_of_an_object() {
    insta::assert_snapshot!(judged(&[
        named("dsu", "class DSU:\n  def __init__(s,n): s.p=list(range(n))\n  def find(s,x):\n    while s.p[x]!=x: x=s.p[x]\n    return x\n  def union(s,a,b):\n    a,b=s.find(a),s.find(b)\n    if a==b: return False\n    s.p[a]=b\n    return True\n", "d = DSU(4)\nassert d.union(0,1)\nassert d.find(0) == d.find(1)\nassert d.find(0) != d.find(2)\nassert not d.union(1,0)"),
        named("dsu-wrong", "class DSU:\n  def __init__(s,n): s.p=list(range(n))\n  def find(s,x):\n    while s.p[x]!=x: x=s.p[x]\n    return x\n  def union(s,a,b):\n    a,b=s.find(a),s.find(b)\n    if a==b: return False\n    pass\n    return True\n", "d = DSU(4)\nassert d.union(0,1)\nassert d.find(0) == d.find(1)"),
        named("lru-put", "from collections import OrderedDict\nclass LRU:\n  def __init__(s,n): s.n=n; s.d=OrderedDict()\n  def get(s,k):\n    if k not in s.d: return -1\n    s.d.move_to_end(k)\n    return s.d[k]\n  def update(s,k,v):\n    s.d[k]=v\n    s.d.move_to_end(k)\n    if len(s.d)>s.n: s.d.popitem(False)\n  def put(s,k,v): s.update(k,v)\n", "c = LRU(2)\nc.put(1,1)\nc.put(2,2)\nassert c.get(1)==1\nc.put(3,3)\nassert c.get(2)==-1"),
        named("lru-update", "from collections import OrderedDict\nclass LRU:\n  def __init__(s,n): s.n=n; s.d=OrderedDict()\n  def get(s,k):\n    if k not in s.d: return -1\n    s.d.move_to_end(k)\n    return s.d[k]\n  def update(s,k,v):\n    s.d[k]=v\n    s.d.move_to_end(k)\n    if len(s.d)>s.n: s.d.popitem(False)\n  def put(s,k,v): s.update(k,v)\n", "c = LRU(2)\nc.update(1,1)\nc.update(2,2)\nassert c.get(1)==1\nc.update(3,3)\nassert c.get(2)==-1"),
        named("trie", "class Trie:\n  def __init__(s): s.w=[]\n  def insert(s,w): s.w.append(w)\n  def startswith(s,p): return any(w.startswith(p) for w in s.w)\n  def search(s,w): return w in s.w\n", "t = Trie()\nt.insert('apple')\nassert t.startswith('app')\nassert not t.startswith('b')"),
        named("trie-search", "class Trie:\n  def __init__(s): s.w=[]\n  def insert(s,w): s.w.append(w)\n  def startswith(s,p): return any(w.startswith(p) for w in s.w)\n  def search(s,w): return w in s.w\n", "t = Trie()\nt.insert('apple')\nassert t.search('apple')\nassert t.startswith('app')"),
        named("trie-by-function", "class Trie:\n  def __init__(s): s.w=[]\n  def insert(s,w): s.w.append(w)\n  def startswith(s,p): return any(w.startswith(p) for w in s.w)\n  def search(s,w): return w in s.w\ndef make(): return Trie()", "t = make()\nt.insert('apple')\nassert t.startswith('app')\nassert not t.startswith('b')"),
        named("no-class-where-a-str", "class Trie:\n  def __init__(s): s.w=[]\n  def insert(s,w): s.w.append(w)\n  def startswith(s,p): return any(w.startswith(p) for w in s.w)\n  def search(s,w): return w in s.w\ndef make(w): return Trie()", "assert make('apple').startswith('app')"),
        named("single-method-str-like", "class O:\n  def isdigit(s): return True\ndef make(w): return O()", "assert make('apple').isdigit()"),
        named("bag", "class BAG:\n  def __init__(s): s.l=[]\n  def add(s,x): s.l.append(x)\n  def count(s,x): return s.l.count(x)", "b=BAG()\nb.add(1)\nb.add(1)\nassert b.count(1)==2"),
    ]), @r"
    dsu accepted 1/1 [accepted assertions shielded=true]
    dsu-wrong wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    lru-put accepted 1/1 [accepted assertions shielded=true]
    lru-update accepted 1/1 [accepted assertions shielded=true]
    trie accepted 1/1 [accepted assertions shielded=true]
    trie-search accepted 1/1 [accepted assertions shielded=true]
    trie-by-function accepted 1/1 [accepted assertions shielded=true]
    no-class-where-a-str runtime_error 0/1 [runtime_error shielded=true it gave back a live object of type Trie]
    single-method-str-like runtime_error 0/1 [runtime_error shielded=true it gave back a live object of type O]
    bag accepted 1/1 [accepted assertions shielded=true]
    ");
}

#[test]
fn contexts_learn_what_is_raised_in_them() {
    insta::assert_snapshot!(judged(&[
        named("quiet", "class Quiet:\n  def __enter__(s): return s\n  def __exit__(s,t,e,tb): return t is not None and issubclass(t,ZeroDivisionError)\n", "with Quiet():\n    1/0"),
        named("quiet-wrong", "class Quiet:\n  def __enter__(s): return s\n  def __exit__(s,t,e,tb): return t is not None and issubclass(t,KeyError)\n", "with Quiet():\n    1/0"),
        named("not-assertion", "class Quiet:\n  def __enter__(s): return s\n  def __exit__(s,t,e,tb): return True\ndef f(x): return 3", "with Quiet():\n    assert f(1) == 2"),
        named("rollback", "class Store:\n  def __init__(s): s.d={}\n  def __enter__(s):\n    s.old=dict(s.d)\n    return s\n  def __exit__(s,t,e,tb):\n    if t: s.d=s.old\n  def put(s,k,v): s.d[k]=v\n  def size(s): return len(s.d)\n", "s=Store()\ntry:\n    with s:\n        s.put(1,2)\n        raise RuntimeError('x')\nexcept RuntimeError: pass\nassert s.size()==0\nwith s: s.put(1,2)\nassert s.size()==1"),
        named("message", "class C:\n  msg=None\n  def __enter__(s): return s\n  def __exit__(s,t,e,tb):\n    s.msg=(t.__name__,str(e),e.args)\n    return True", "class Boom(ValueError): pass\nc=C()\nwith c:\n    raise Boom('hi')\nassert c.msg == ('Boom','hi',('hi',)), c.msg"),
        named("own-error", "class E(Exception): pass\nclass C:\n  def __enter__(s): return s\n  def fail(s): raise E('x')\n  def __exit__(s,t,e,tb): return t is E", "with C() as c:\n    c.fail()"),
        named("own-error-kept", "class E(Exception): pass\nclass C:\n  def __enter__(s): return s\n  def fail(s): raise E('x')\n  def __exit__(s,t,e,tb): return False", "try:\n    with C() as c:\n        c.fail()\nexcept E: pass\nelse: assert False"),
    ]), @r"
    quiet accepted 1/1 [accepted assertions shielded=true]
    quiet-wrong wrong_answer 0/1 [wrong_answer shielded=true ZeroDivisionError: division by zero]
    not-assertion wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    rollback accepted 1/1 [accepted assertions shielded=true]
    message accepted 1/1 [accepted assertions shielded=true]
    own-error accepted 1/1 [accepted assertions shielded=true]
    own-error-kept accepted 1/1 [accepted assertions shielded=true]
    ");
}

#[test]
fn exceptions_may_be_attributes() {
    insta::assert_snapshot!(judged(&[
        named("except", "class Stack:\n  class Error(Exception): pass\n  class Empty(Error): pass\n  def __init__(s): s.l=[]\n  def push(s,x): s.l.append(x)\n  def pop(s):\n    if not s.l: raise Stack.Empty('empty')\n    return s.l.pop()\n", "s=Stack()\ntry:\n    s.pop()\n    assert False\nexcept Stack.Empty as e:\n    assert str(e)=='empty'"),
        named("except-base", "class Stack:\n  class Error(Exception): pass\n  class Empty(Error): pass\n  def __init__(s): s.l=[]\n  def push(s,x): s.l.append(x)\n  def pop(s):\n    if not s.l: raise Stack.Empty('empty')\n    return s.l.pop()\n", "s=Stack()\ntry:\n    s.pop()\n    assert False\nexcept Stack.Error: pass\ntry:\n    s.pop()\nexcept Stack.Empty: pass"),
        named("instance", "class Stack:\n  class Error(Exception): pass\n  class Empty(Error): pass\n  def __init__(s): s.l=[]\n  def push(s,x): s.l.append(x)\n  def pop(s):\n    if not s.l: raise Stack.Empty('empty')\n    return s.l.pop()\n", "s=Stack()\ntry:\n    s.pop()\n    assert False\nexcept s.Empty: pass"),
        named("raises", "class Stack:\n  class Error(Exception): pass\n  class Empty(Error): pass\n  def __init__(s): s.l=[]\n  def push(s,x): s.l.append(x)\n  def pop(s):\n    if not s.l: raise Stack.Empty('empty')\n    return s.l.pop()\n", "import unittest\ns=Stack()\nunittest.TestCase().assertRaises(Stack.Empty, s.pop)"),
        named("alias", "class Stack:\n  class Error(Exception): pass\n  Empty = IndexError\n  def __init__(s): s.l=[]\n  def push(s,x): s.l.append(x)\n  def pop(s):\n    if not s.l: raise Stack.Empty('empty')\n    return s.l.pop()\n", "s=Stack()\ntry:\n    s.pop()\n    assert False\nexcept Stack.Empty: pass\ntry:\n    s.pop()\nexcept IndexError: pass"),
        named("other", "class Stack:\n  class Error(Exception): pass\n  class Empty(Error): pass\n  def __init__(s): s.l=[]\n  def push(s,x): s.l.append(x)\n  def pop(s):\n    if not s.l: raise ValueError('empty')\n    return s.l.pop()\n", "s=Stack()\ntry:\n    s.pop()\n    assert False\nexcept Stack.Empty: pass"),
        named("assertion", "class S: Err = AssertionError\ndef f(x): return 1", "try:\n    f(-1)\n    raise AssertionError('no error')\nexcept S.Err: pass"),
        named("builtins-name", "class TimeoutError(Exception): pass\ndef f(x): raise TimeoutError('x')", "try:\n    f(1)\n    assert False\nexcept TimeoutError: pass"),
        named("raised-by-test", "class Stack:\n  class Error(Exception): pass\n  class Empty(Error): pass\n  def __init__(s): s.l=[]\n  def push(s,x): s.l.append(x)\n  def pop(s):\n    if not s.l: raise Stack.Empty('empty')\n    return s.l.pop()\n", "try:\n    raise Stack.Empty('a')\nexcept Stack.Error: pass\nassert Stack().push(1) is None"),
    ]), @r"
    except accepted 1/1 [accepted assertions shielded=true]
    except-base accepted 1/1 [accepted assertions shielded=true]
    instance accepted 1/1 [accepted assertions shielded=true]
    raises accepted 1/1 [accepted assertions shielded=true]
    alias accepted 1/1 [accepted assertions shielded=true]
    other runtime_error 0/1 [runtime_error shielded=true ValueError: empty]
    assertion wrong_answer 0/1 [wrong_answer shielded=true AssertionError: no error]
    builtins-name accepted 1/1 [accepted assertions shielded=true]
    raised-by-test accepted 1/1 [accepted assertions shielded=true]
    ");
}

#[test]
fn operators_with_plain_data_give_objects() {
    insta::assert_snapshot!(judged(&[
        named("mul", "class Vec:\n  def __init__(s,*a): s.a=a\n  def __eq__(s,o): return isinstance(o,Vec) and s.a==o.a\n  def __mul__(s,k): return Vec(*[x*k for x in s.a])\n  __rmul__=__mul__\n  def __sub__(s,o): return Vec(*[x-y for x,y in zip(s.a,o.a)])\n  def dot(s,o): return sum(x*y for x,y in zip(s.a,o.a))\n", "assert Vec(2)*3 == Vec(6)"),
        named("rmul", "class Vec:\n  def __init__(s,*a): s.a=a\n  def __eq__(s,o): return isinstance(o,Vec) and s.a==o.a\n  def __mul__(s,k): return Vec(*[x*k for x in s.a])\n  __rmul__=__mul__\n  def __sub__(s,o): return Vec(*[x-y for x,y in zip(s.a,o.a)])\n  def dot(s,o): return sum(x*y for x,y in zip(s.a,o.a))\n", "assert 3*Vec(2) == Vec(6)"),
        named("imul", "class Vec:\n  def __init__(s,*a): s.a=a\n  def __eq__(s,o): return isinstance(o,Vec) and s.a==o.a\n  def __mul__(s,k): return Vec(*[x*k for x in s.a])\n  __rmul__=__mul__\n  def __sub__(s,o): return Vec(*[x-y for x,y in zip(s.a,o.a)])\n  def dot(s,o): return sum(x*y for x,y in zip(s.a,o.a))\n", "v=Vec(2)\nv*=3\nassert v == Vec(6)\nassert v.dot(Vec(1))==6"),
        named("wrong", "class Vec:\n  def __init__(s,*a): s.a=a\n  def __eq__(s,o): return isinstance(o,Vec) and s.a==o.a\n  def __mul__(s,k): return Vec(*[x*k+1 for x in s.a])\n  __rmul__=__mul__\n  def __sub__(s,o): return Vec(*[x-y for x,y in zip(s.a,o.a)])\n  def dot(s,o): return sum(x*y for x,y in zip(s.a,o.a))\n", "assert Vec(2)*3 == Vec(6)"),
        with(named("matrix-stated", "class VEC:\n  def __init__(s,*a): s.a=a\n  def __eq__(s,o): return isinstance(o,VEC) and s.a==o.a\n  def __mul__(s,k): return VEC(*[x*k for x in s.a])\n  __rmul__=__mul__\n  def __sub__(s,o): return VEC(*[x-y for x,y in zip(s.a,o.a)])\n  def dot(s,o): return sum(x*y for x,y in zip(s.a,o.a))\n", "assert VEC(2)*3 == VEC(6)"), "statement", json!("Write a class VEC")),
        named("plain-result", "class Area:\n  def __init__(s,x): pass\n  def __sub__(s,x): return 0.0", "assert abs(Area(2)-12.5)<1e-6"),
        named("plain-via-object", "class Area:\n  def __init__(s,x=0): pass\n  def __sub__(s,x): return Area()\n  def __abs__(s): return 0.0\n  def __round__(s,*a): return 0.0\n  def __float__(s): return 0.0", "assert abs(Area(2)-12.5)<1e-6"),
        named("plain-via-round", "class Area:\n  def __init__(s,x=0): pass\n  def __sub__(s,x): return Area()\n  def __round__(s,*a): return 0.0\n  def __float__(s): return 0.0", "assert round(Area(2)-12.5,6)==0"),
        named("plain-via-float", "class Area:\n  def __init__(s,x=0): pass\n  def __sub__(s,x): return Area()\n  def __float__(s): return 0.0", "assert abs(float(Area(2)-12.5))<1e-6"),
        named("plain-via-negation", "class Area:\n  def __init__(s,*a): pass\n  def __neg__(s): return s\n  def __add__(s,o): return Area()\n  def __abs__(s): return 0.0", "assert abs(-Area(2)+12.5)<1e-6"),
        named("mul-expected", "class Area:\n  def __init__(s,x=0): pass\n  def __mul__(s,x): return 0.0", "assert Area(2)*12.5==0"),
        named("plain-field", "class Vec:\n  def __init__(s,*a): s.a=a\n  def __eq__(s,o): return isinstance(o,Vec) and s.a==o.a\n  def __mul__(s,k): return Vec(*[x*k for x in s.a])\n  __rmul__=__mul__\n  def __sub__(s,o): return Vec(*[x-y for x,y in zip(s.a,o.a)])\n  def dot(s,o): return sum(x*y for x,y in zip(s.a,o.a))\n", "assert (Vec(2,3)*3).dot(Vec(1,1))==15"),
    ]), @r"
    mul accepted 1/1 [accepted assertions shielded=true]
    rmul accepted 1/1 [accepted assertions shielded=true]
    imul accepted 1/1 [accepted assertions shielded=true]
    wrong wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    matrix-stated accepted 1/1 [accepted assertions shielded=true]
    plain-result runtime_error 0/1 [runtime_error shielded=true it gave back a live object where the test code wants plain data]
    plain-via-object runtime_error 0/1 [runtime_error shielded=true it gave back a live object of type Area]
    plain-via-round runtime_error 0/1 [runtime_error shielded=true it gave back a live object of type Area]
    plain-via-float runtime_error 0/1 [runtime_error shielded=true it gave back a live object of type Area]
    plain-via-negation runtime_error 0/1 [runtime_error shielded=true it gave back a live object of type Area]
    mul-expected runtime_error 0/1 [runtime_error shielded=true it gave back a live object where the test code wants plain data]
    plain-field accepted 1/1 [accepted assertions shielded=true]
    ");
}

#[test]
fn an_object_that_holds_some_things_and_not_others_holds_them() {
    let pair = |says: &str| {
        format!(
            "class V:\n  def __init__(s, x, y): s.x, s.y = x, y\n  def __contains__(s, v): return {says}"
        )
    };
    let both = "assert 2 in V(1,2) and 5 not in V(1,2)";
    insta::assert_snapshot!(judged(&[
        named("right", &pair("v in (s.x, s.y)"), both),
        named("always", &pair("True"), both),
        named("never", &pair("False"), both),
        named("wrong", &pair("v == s.x"), both),
        named("one-way", &pair("True"), "assert 2 in V(1,2) and 1 in V(1,2)"),
        named("other-way-elsewhere", &pair("True"), "assert 2 in V(1,2) and 5 not in [1, 2]"),
        named("function", "class pairs:\n  def __init__(s, *a): s.a = a\n  def __contains__(s, v): return v in s.a", "assert 2 in pairs(1,2) and 5 not in pairs(1,2)"),
        named("truth", "class V:\n  def __init__(s, x, y): s.x, s.y = x, y\n  def __bool__(s): return bool(s.x or s.y)", "assert bool(V(1,2)) and not V(0,0)"),
        named("truth-always", "class V:\n  def __init__(s, x, y): s.x, s.y = x, y\n  def __bool__(s): return True", "assert bool(V(1,2)) and not V(0,0)"),
    ]), @r"
    right accepted 1/1 [accepted assertions shielded=true]
    always wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    never wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    wrong wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    one-way runtime_error 0/1 [runtime_error shielded=true it gave back a live object where the test code wants plain data]
    other-way-elsewhere runtime_error 0/1 [runtime_error shielded=true it gave back a live object where the test code wants plain data]
    function runtime_error 0/1 [runtime_error shielded=true it gave back a live object where the test code wants plain data]
    truth accepted 1/1 [accepted assertions shielded=true]
    truth-always wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    ");
}

#[test]
fn registries_hold_classes_and_functions() {
    let registry = "REG = {}\ndef register(c):\n  REG[c.__name__] = c\n  return c\n";
    let classes = format!("{registry}@register\nclass P: x = 3");
    let functions = format!("{registry}@register\ndef double(x): return 2 * x");
    let asks = "assert REG['P'] is P\nassert REG['P']().x == 3\nassert 'P' in REG and 'Q' not in REG and len(REG) == 1";
    let meta = "class Reg(type):\n  items = {}\n  def __new__(m, n, b, d):\n    c = super().__new__(m, n, b, d); m.items[n] = c; return c\nclass P(metaclass=Reg): pass\nclass Q(P): x = 3";
    let asks_meta = "assert set(Reg.items) == {'P','Q'}\nassert Reg.items['Q'] is Q and Reg.items['Q']().x == 3\nassert isinstance(Q, Reg)";
    insta::assert_snapshot!(judged(&[
        named("classes", &classes, asks),
        named("classes-wrong", &classes.replace("= 3", "= 4"), asks),
        named("classes-more", &format!("{classes}\n@register\nclass Q: pass"), asks),
        named("functions", &functions, "assert REG['double'](4) == 8 and list(REG) == ['double']"),
        named("functions-wrong", &functions.replace("2 *", "3 *"), "assert REG['double'](4) == 8 and list(REG) == ['double']"),
        named("later", registry, "assert REG == {}\nregister(int)\nassert REG['int'] is int and list(REG) == ['int']"),
        named("meta", meta, asks_meta),
        named("meta-wrong", &meta.replace("class Q(P): x", "class R(P): x"), asks_meta),
        named("equal-to-all", "class E:\n  def __eq__(s, o): return True\nREG = {'P': E()}", "assert REG == {'P': 3}"),
        named("in-place-of-data", "def f(): return {'a': print}", "assert f() == {'a': 1}"),
        named("truth-of-a-function", "def f(): return {'a': print}", "assert all(f().values())"),
    ]), @r"
    classes accepted 1/1 [accepted assertions shielded=true]
    classes-wrong wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    classes-more wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    functions accepted 1/1 [accepted assertions shielded=true]
    functions-wrong wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    later accepted 1/1 [accepted assertions shielded=true]
    meta accepted 1/1 [accepted assertions shielded=true]
    meta-wrong wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    equal-to-all runtime_error 0/1 [runtime_error shielded=true it gave back a live object of type E]
    in-place-of-data runtime_error 0/1 [runtime_error shielded=true it gave back a live object of type builtin_function_or_method]
    truth-of-a-function runtime_error 0/1 [runtime_error shielded=true it gave back a live object of type builtin_function_or_method]
    ");
}

#[test]
fn values_of_the_librarys_classes_are_plain_data() {
    insta::assert_snapshot!(judged(&[
        named("match", "import re\ndef ok(s): return re.match('a+$',s)", "assert ok('aa')\nassert not ok('b')"),
        named("match-bool", "import re\ndef ok(s): return re.match('a+$',s)", "assert bool(ok('aa')) is True\nassert ok('aa') is not None\nassert ok('b') is None"),
        named("match-group", "import re\ndef ok(s): return re.match('(a+)b',s)", "m=ok('aab')\nassert m and m.group(1)=='aa' and m.span()==(0,3)"),
        named("predicate-class", "class ok:\n  def __init__(s,x): pass", "assert ok('aa')"),
        named("path", "from pathlib import Path\ndef p(s): return Path('a')/s", "from pathlib import Path\nassert p('b')==Path('a/b')\nassert p('b').name=='b' and str(p('b'))=='a/b'"),
        named("uuid", "import uuid\ndef u(i): return uuid.UUID(int=i)", "import uuid\nassert u(5)==uuid.UUID(int=5)\nassert u(5)<u(6)"),
        named("chainmap", "from collections import ChainMap\ndef c(a,b): return ChainMap(a,b)", "assert c({1:2},{3:4})=={1:2,3:4}\nassert dict(c({1:2},{3:4}))=={1:2,3:4}"),
        named("proxy", "from types import MappingProxyType\ndef c(a): return MappingProxyType(a)", "assert c({1:2})=={1:2}"),
        named("userlist", "from collections import UserList,UserDict,UserString\ndef c(a): return UserList(a)\ndef d(a): return UserDict(a)\ndef e(a): return UserString(a)", "assert c([1])==[1]\nassert d({1:2})=={1:2}\nassert e('a')=='a'"),
        named("ip", "import ipaddress\ndef c(a): return ipaddress.ip_address(a)", "import ipaddress\nassert c('1.2.3.4')==ipaddress.IPv4Address('1.2.3.4')\nassert str(c('::1'))=='::1'"),
        named("forged-match", "class Match:\n  def __bool__(s): return True\ndef ok(s): return Match()", "assert ok('aa')"),
    ]), @r"
    match accepted 1/1 [accepted assertions shielded=true]
    match-bool accepted 1/1 [accepted assertions shielded=true]
    match-group accepted 1/1 [accepted assertions shielded=true]
    predicate-class runtime_error 0/1 [runtime_error shielded=true it gave back a live object where the test code wants plain data]
    path accepted 1/1 [accepted assertions shielded=true]
    uuid accepted 1/1 [accepted assertions shielded=true]
    chainmap accepted 1/1 [accepted assertions shielded=true]
    proxy accepted 1/1 [accepted assertions shielded=true]
    userlist accepted 1/1 [accepted assertions shielded=true]
    ip accepted 1/1 [accepted assertions shielded=true]
    forged-match runtime_error 0/1 [runtime_error shielded=true it gave back a live object of type Match]
    ");
}

#[test]
fn exceptions_are_of_the_candidates_making() {
    let low = "class Low(Exception):\n    def __init__(self, need, have):\n        super().__init__(f'need {need}, have {have}')\n        \
               self.need, self.have = need, have\n";
    let bad = |code: u8| {
        format!(
            "class Bad(ValueError):\n    level = 3\n    def code(self): return {code}\n    @property\n    def text(self): \
             return self.args[0].upper()\ndef f(x): raise Bad('x')"
        )
    };
    let made = "e = Low(5, 3)\nassert e.need == 5 and str(e) == 'need 5, have 3' and isinstance(e, Exception)";
    let raised = "try:\n    f(5)\nexcept Bad as e:\n    assert e.code() == 42 and e.text == 'X' and e.level == 3\nelse:\n    assert 0";
    let unnamed = raised.replace("Bad", "ValueError");
    let holds = "class Account:\n    def __init__(self, name): self.name = name\nclass Bad(Exception):\n    \
                 def __init__(self, account): self.account = account\n";
    let held = "try: f('bob')\nexcept Bad as e: assert e.account.name == 'bob'\nelse: assert 0";
    let forged = "class Bad(Exception):\n    def __init__(self): self.left = E()\nclass E:\n    def __eq__(self, other): return True\n\
                  def f(x): raise Bad()";
    let compared = "try: f(1)\nexcept Bad as e: assert e.left == 3\nelse: assert 0";
    insta::assert_snapshot!(judged(&[
        named("made", low, made),
        named("made-wrong", &low.replace("self.need, self.have", "self.have, self.need"), made),
        named("made-without", "class Low(Exception): pass", made),
        named("raised", &bad(42), raised),
        named("raised-wrong", &bad(41), raised),
        named("unnamed", &bad(42), &unnamed),
        named("unnamed-wrong", &bad(41), &unnamed),
        named("holds", &format!("{holds}def f(x): raise Bad(Account(x))"), held),
        named("holds-wrong", &format!("{holds}def f(x): raise Bad(Account(''))"), held),
        named("forged", forged, compared),
        named("thrown", &format!("{low}def f(g):\n    try: g()\n    except Low as e: return e.need"), "def g(): raise ValueError\ntry: f(g)\nexcept ValueError: pass\nelse: assert 0"),
    ]), @r"
    made accepted 1/1 [accepted assertions shielded=true]
    made-wrong wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    made-without runtime_error 0/1 [runtime_error shielded=true AttributeError: 'Low' object has no attribute 'need']
    raised accepted 1/1 [accepted assertions shielded=true]
    raised-wrong wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    unnamed accepted 1/1 [accepted assertions shielded=true]
    unnamed-wrong wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    holds accepted 1/1 [accepted assertions shielded=true]
    holds-wrong wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    forged runtime_error 0/1 [runtime_error shielded=true it gave back a live object of type E]
    thrown accepted 1/1 [accepted assertions shielded=true]
    ");
}
