//! What the candidate gives back: iterators, collections, and values of classes of its own.

use crate::lab::{judged, named};

#[test]
fn what_has_begun_is_no_truth() {
    insta::assert_snapshot!(judged(&[
        named("generator", "def f(x):\n  yield x", "assert f(1)"),
        named("coroutine", "async def f(x): return False", "assert f(1)"),
        named("awaitable", "class W:\n  def __await__(s):\n    yield\n    return 3\ndef f(x): return W()", "assert f(1)"),
        named("not", "def f(x):\n  yield x", "assert not f(1)"),
        named("plain", "def f(x): return True", "assert f(1)"),
        named("awaited", "async def f(x): return x > 0", "import asyncio\nassert asyncio.run(f(1))"),
    ]), @r"
    generator runtime_error 0/1 [runtime_error shielded=true it gave back an object of type generator where the test code wants plain data]
    coroutine runtime_error 0/1 [runtime_error shielded=true it gave back an object of type coroutine where the test code wants plain data]
    awaitable runtime_error 0/1 [runtime_error shielded=true it gave back a live object of type W]
    not runtime_error 0/1 [runtime_error shielded=true it gave back an object of type generator where the test code wants plain data]
    plain accepted 1/1 [accepted assertions shielded=true]
    awaited accepted 1/1 [accepted assertions shielded=true]
    ");
}

#[test]
fn iterators_are_what_they_are_on_the_candidates_side() {
    let generator = "import types\nr = f(3)\nassert isinstance(r, types.GeneratorType)\nassert list(r) == [0, 1, 2]";
    let inspected = "import inspect\nassert inspect.isgenerator(f(3))";
    insta::assert_snapshot!(judged(&[
        named("generator", "def f(n):\n  for i in range(n): yield i\n", generator),
        named("iterator", "def f(n): return iter(range(n))", generator),
        named("inspected", "def f(n):\n  for i in range(n): yield i\n", inspected),
        named("inspected-map", "def f(n): return map(int, range(n))", inspected),
        named("map", "def f(a): return map(str, a)", "assert isinstance(f([1]), map) and list(f([1, 2])) == ['1', '2']"),
        named("own", "class I:\n  def __init__(s, n): s.n = n\n  def __iter__(s): return s\n  def __next__(s):\n    if s.n == 0: raise StopIteration\n    s.n -= 1\n    return s.n\ndef f(n): return I(n)", "assert list(f(3)) == [2, 1, 0]\nr = f(2)\nassert next(r) == 1 and list(r) == [0] and list(r) == []"),
    ]), @r"
    generator accepted 1/1 [accepted assertions shielded=true]
    iterator wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    inspected accepted 1/1 [accepted assertions shielded=true]
    inspected-map wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    map accepted 1/1 [accepted assertions shielded=true]
    own accepted 1/1 [accepted assertions shielded=true]
    ");
}

#[test]
fn generators_are_told_what_happens() {
    let thrown = "g = f()\nnext(g)\nassert g.throw(ValueError('x')) == 'caught'";
    let ended = "g = f()\nassert next(g) == 1\ntry:\n  next(g)\n  assert False\nexcept StopIteration as end:\n  assert end.value == 5";
    let closed = "g = f()\nnext(g)\ng.close()\nassert log == ['closed']";
    insta::assert_snapshot!(judged(&[
        named("caught", "def f():\n  while True:\n    try: yield 1\n    except ValueError: yield 'caught'\n", thrown),
        named("not-caught", "def f():\n  while True: yield 1", thrown),
        named("returned", "def f():\n  yield 1\n  return 5", ended),
        named("not-returned", "def f():\n  yield 1", ended),
        named("closed", "log = []\ndef f():\n  try:\n    while True: yield 1\n  finally: log.append('closed')", closed),
        named("not-closed", "log = []\ndef f():\n  while True: yield 1", closed),
    ]), @r"
    caught accepted 1/1 [accepted assertions shielded=true]
    not-caught runtime_error 0/1 [runtime_error shielded=true ValueError: x]
    returned accepted 1/1 [accepted assertions shielded=true]
    not-returned wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    closed accepted 1/1 [accepted assertions shielded=true]
    not-closed wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    ");
}

#[test]
fn what_may_be_a_collection_gives_as_much_as_it_says_and_the_same_again() {
    let all_even = "r = f(5)\nassert len(r) == 5\nassert all(x % 2 == 0 for x in r)";
    let twice = "r = f(3)\nassert sorted(r) == [0, 1, 2]\nassert all(x > 5 for x in r)";
    insta::assert_snapshot!(judged(&[
        named("list", "def f(n): return [2 * i for i in range(n)]", all_even),
        named("own", "class R:\n  def __init__(s, n): s.n = n\n  def __len__(s): return s.n\n  def __iter__(s): return iter(range(0, 2 * s.n, 2))\ndef f(n): return R(n)", all_even),
        named("empty", "class R:\n  def __init__(s, n): s.n = n\n  def __len__(s): return s.n\n  def __iter__(s): return iter(())\ndef f(n): return R(n)", all_even),
        named("class", "class f:\n  def __init__(s, n): s.n = n\n  def __len__(s): return s.n\n  def __iter__(s): return iter(())", all_even),
        named("empty-later", "class R:\n  k = 0\n  def __iter__(s):\n    s.k += 1\n    return iter(range(3) if s.k == 1 else ())\ndef f(n): return R()", twice),
        named("object", "class Q:\n  def __init__(s): s.l = []\n  def push(s, x): s.l.append(x)\n  def __len__(s): return len(s.l)\n  def __iter__(s):\n    while s.l: yield s.l.pop()\ndef f(): return Q()", "q = f()\nq.push(1)\nq.push(2)\nassert len(q) == 2 and list(q) == [2, 1] and len(q) == 0 and list(q) == []"),
    ]), @r"
    list accepted 1/1 [accepted assertions shielded=true]
    own accepted 1/1 [accepted assertions shielded=true]
    empty runtime_error 0/1 [runtime_error shielded=true it gave back an object that says it holds 5 values and gives 0]
    class runtime_error 0/1 [runtime_error shielded=true it gave back an object that says it holds 5 values and gives 0]
    empty-later wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    object accepted 1/1 [accepted assertions shielded=true]
    ");
}

#[test]
fn views_of_dictionaries_are_views() {
    let keys = "r = f({'a': 1, 'b': 2})\nassert r == {'a', 'b'} and len(r) == 2 and list(r) == list(r) == ['a', 'b']";
    insta::assert_snapshot!(judged(&[
        named("keys", "def f(d): return d.keys()", keys),
        named("list", "def f(d): return list(d)", keys),
        named("other-keys", "def f(d): return {'a': 1, 'c': 2}.keys()", keys),
        named("values", "def f(d): return d.values()", "r = f({'a': 1})\nassert len(r) == 1 and 1 in r and sum(r) == 1 and list(r) == [1]"),
        named("items", "from collections import OrderedDict\ndef f(d): return OrderedDict(d).items()", "r = f({'a': 1})\nassert ('a', 1) in r and dict(r) == {'a': 1} and len(r) == 1"),
    ]), @r"
    keys accepted 1/1 [accepted assertions shielded=true]
    list wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    other-keys wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    values accepted 1/1 [accepted assertions shielded=true]
    items accepted 1/1 [accepted assertions shielded=true]
    ");
}

#[test]
fn numbers_and_texts_of_a_class_keep_its_attributes() {
    let levels = "assert Level.HIGH == 3 > Level.LOW\nassert Level.HIGH.name == 'HIGH' and Level(1) is Level.LOW\nassert isinstance(Level.HIGH, Level) and isinstance(Level.HIGH, int)\nassert Kind.A == 'a' and Kind.A.value == 'a' and Kind.A.name == 'A'";
    insta::assert_snapshot!(judged(&[
        named("enumerations", "from enum import Enum, IntEnum\nclass Level(IntEnum):\n  LOW = 1\n  HIGH = 3\nclass Kind(str, Enum):\n  A = 'a'\n", levels),
        named("other-name", "from enum import Enum, IntEnum\nclass Level(IntEnum):\n  LOW = 1\n  HIGHER = 3\n  HIGH = 3\nclass Kind(str, Enum):\n  A = 'a'\n", levels),
        named("other-value", "from enum import Enum, IntEnum\nclass Level(IntEnum):\n  LOW = 1\n  HIGH = 4\nclass Kind(str, Enum):\n  A = 'a'\n", levels),
        named("passed", "from enum import Enum, IntEnum\nclass Level(IntEnum):\n  LOW = 1\n  HIGH = 3\nclass Kind(str, Enum):\n  A = 'a'\ndef f(x): return x.name, x is Level.LOW", "assert f(Level.LOW) == ('LOW', True)"),
        named("tuple", "from typing import NamedTuple\nclass Point(NamedTuple):\n  x: int\n  y: int\n  def norm(self): return (self.x ** 2 + self.y ** 2) ** .5\ndef f(): return Point(3, 4)", "p = f()\nassert p == (3, 4) and p.norm() == 5 and p.x == 3 and p._replace(y=0).norm() == 3\na, b = p\nassert b == 4 and repr(p) == 'Point(x=3, y=4)'"),
        named("real", "class Celsius(float):\n  def fahrenheit(self): return self * 9 / 5 + 32\ndef f(): return Celsius(100)", "t = f()\nassert t == 100.0 and t.fahrenheit() == 212"),
        named("equal-to-all", "class Level(int):\n  def __eq__(s, o): return True\n  def __hash__(s): return 1\n  def name(s): return 'x'", "assert Level(5) == 6"),
        named("equal-to-all-plain", "class I(int):\n  def __eq__(s, o): return True\n  def __hash__(s): return 1\ndef f(x): return I(5)", "assert f(1) == 6"),
    ]), @r"
    enumerations accepted 1/1 [accepted assertions shielded=true]
    other-name wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    other-value wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    passed accepted 1/1 [accepted assertions shielded=true]
    tuple accepted 1/1 [accepted assertions shielded=true]
    real accepted 1/1 [accepted assertions shielded=true]
    equal-to-all wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    equal-to-all-plain wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    ");
}

#[test]
fn lists_with_methods_and_namespaces() {
    let returned =
        "s = f()\ns.push(2)\nassert list(s) == [1, 2] and len(s) == 2 and isinstance(s, list)";
    let space = "from types import SimpleNamespace\nr = f(1)\nassert r == SimpleNamespace(a=1, b=[2])\nassert r.a == 1";
    insta::assert_snapshot!(judged(&[
        named("returned", "class Stack(list):\n  def push(s, x): s.append(x)\ndef f(): return Stack([1])\n", returned),
        named("returned-wrong", "class Stack(list):\n  def push(s, x): s.append(x + 1)\ndef f(): return Stack([1])\n", returned),
        named("equal-to-all", "class Stack(list):\n  def __eq__(s, o): return True\n  def push(s, x): s.append(x)\ndef f(): return Stack([1])\n", "assert f() == [2]"),
        named("namespace", "from types import SimpleNamespace\ndef f(x): return SimpleNamespace(a=x, b=[2])", space),
        named("namespace-wrong", "from types import SimpleNamespace\ndef f(x): return SimpleNamespace(a=x, b=[3])", space),
        named("namespace-with-object", "from types import SimpleNamespace\nclass A:\n  def __eq__(s, o): return True\ndef f(x): return SimpleNamespace(a=x, b=A())", space),
        named("namespace-shared", "from types import SimpleNamespace\ndef f(x): return SimpleNamespace(n=x)\ndef add(r): r.n += 1", "r = f(1)\nadd(r)\nassert r.n == 2"),
        named("namespace-passed", "def add(r): r.n += 1", "from types import SimpleNamespace\nr = SimpleNamespace(n=1)\nadd(r)\nassert r.n == 2"),
        named("none", "class Key:\n  x = 1\n  def __eq__(s, o): return isinstance(o, Key) and o.x == s.x\ndef f(): return Key()", "k = f()\nassert k != None and not k == None and k.__class__.__name__ == 'Key'\nassert k.x == 1"),
        named("none-raises", "class Key:\n  x = 1\n  def __eq__(s, o): return o.x == s.x\ndef f(): return Key()", "k = f()\nassert k != None and not k == None and k.x == 1"),
        named("none-wanted", "class Key:\n  def __eq__(s, o): return True\ndef f(): return Key()", "assert f() == None"),
    ]), @r"
    returned accepted 1/1 [accepted assertions shielded=true]
    returned-wrong wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    equal-to-all wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    namespace accepted 1/1 [accepted assertions shielded=true]
    namespace-wrong wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    namespace-with-object runtime_error 0/1 [runtime_error shielded=true it gave back a live object where the test code wants plain data]
    namespace-shared accepted 1/1 [accepted assertions shielded=true]
    namespace-passed accepted 1/1 [accepted assertions shielded=true]
    none accepted 1/1 [accepted assertions shielded=true]
    none-raises runtime_error 0/1 [runtime_error shielded=true AttributeError: 'NoneType' object has no attribute 'x']
    none-wanted wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    ");
}

/// Operators of a class of its own could give an answer any property.
#[test]
fn what_may_be_plain_data_compares_and_counts_as_that_does() {
    insta::assert_snapshot!(judged(&[
        named("sorted", "class I(int):\n def __le__(s,o): return True\ndef f(x): return [I(i) for i in x]", "xs=[3,1,2]\nr=f(list(xs))\nassert all(r[i]<=r[i+1] for i in range(len(r)-1))\nassert sorted(r)==sorted(xs)"),
        named("sorted-copy", "class I(int):\n def __lt__(s,o): return False\ndef f(x): return [I(i) for i in x]", "xs=[3,1,2]\nr=f(list(xs))\nassert r==sorted(r)\nfrom collections import Counter\nassert Counter(r)==Counter(xs)"),
        named("unique", "class S(str):\n def __eq__(s,o): return False\n __hash__=str.__hash__\ndef f(): return S('aaaaaaaa')", "ids=[f() for _ in range(100)]\nassert len(set(ids))==100\nassert all(isinstance(i,str) and len(i)==8 for i in ids)"),
        named("factor", "class I(int):\n def __mul__(s,o): return 91\ndef f(n): return I(2),I(3)", "p,q=f(91)\nassert p*q==91 and p>1 and q>1"),
        named("neq", "class S(str):\n def __ne__(s,o): return True\ndef f(x): return S('c')", "assert f('a')!=f('b')\nassert isinstance(f('a'),str)"),
        named("queens", "class I(int):\n def __ne__(s,o): return True\n def __sub__(s,o): return 99\ndef f(n): return [I(0)]*4", "q=f(4)\nassert len(q)==4 and set(q)<=set(range(4))\nfor i in range(4):\n    for j in range(i):\n        assert q[i]!=q[j] and abs(q[i]-q[j])!=i-j"),
        named("spread", "class I(int):\n def __sub__(s,o): return 0\ndef f(n,k): return [I(1),I(8),I(1)]", "r=f(10,3)\nassert sum(r)==10 and len(r)==3 and max(r)-min(r)<=1"),
        named("roots", "class X:\n def __add__(s,o): return 3\n def __mul__(s,o): return 2\ndef f(a,b,c): return X(),X()", "x,y=f(1,-3,2)\nassert x+y==3 and x*y==2"),
        named("of-a-method", "class I(int):\n def __lt__(s,o): return False\nclass Solution:\n def f(self,x): return [I(i) for i in x]", "r=Solution().f([3,1,2])\nassert r==sorted(r)\nassert set(r)=={1,2,3}"),
        named("equal-to-data", "class X:\n def __init__(s,v): s.v=v\n def __eq__(s,o): return s.v==(o.v if isinstance(o,X) else o)\n def __lt__(s,o): return s.v<o.v\n def __le__(s,o): return True\n def __hash__(s): return hash(s.v)\ndef f(x): return [X(i) for i in x]", "xs=[3,1,2]\nr=f(list(xs))\nassert all(r[i]<=r[i+1] for i in range(len(r)-1))\nassert sorted(r)==sorted(xs)"),
        named("unary", "class I(int):\n def __abs__(s): return s\ndef f(x): return [I(-1),I(8)]", "r=f([3,-4])\nassert all(abs(x)==x for x in r)\nassert sum(r)==7"),
    ]), @r"
    sorted wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    sorted-copy wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    unique wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    factor wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    neq wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    queens wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    spread wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    roots runtime_error 0/1 [runtime_error shielded=true it gave back a live object of type X]
    of-a-method wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    equal-to-data runtime_error 0/1 [runtime_error shielded=true it gave back a live object of type X]
    unary wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    ");
}

#[test]
fn objects_keep_their_operators() {
    insta::assert_snapshot!(judged(&[
        named("version", "class Version(str):\n def k(s): return [int(x) for x in s.split('.')]\n def __lt__(s,o): return s.k()<o.k()\ndef f(): pass", "assert Version('1.2') < Version('1.10')\nassert Version('1.2') != Version('1.3')"),
        named("point", "class P:\n def __init__(s,x,y): s.x,s.y=x,y\n def __eq__(s,o): return (s.x,s.y)==(o.x,o.y)\ndef point(x,y): return P(x,y)", "assert point(1,2) == point(1,2)\nassert point(1,2) != point(2,1)"),
        named("vec", "class Vec:\n def __init__(s,x,y): s.x,s.y=x,y\n def __eq__(s,o): return (s.x,s.y)==(o.x,o.y)\n def __add__(s,o): return Vec(s.x+o.x,s.y+o.y)\n def __mul__(s,o): return s.x*o.x+s.y*o.y", "v=Vec(1,2)+Vec(3,4)\nassert v.x==4 and v.y==6\nassert Vec(1,2)*Vec(3,4)==11\nassert Vec(1,2)==Vec(1,2)"),
        named("members", "import enum\nclass Color(enum.IntEnum):\n RED=1\n BLUE=2", "assert Color.RED < Color.BLUE\nassert Color.RED.value == 1"),
        named("member", "import enum\nclass Color(enum.IntEnum):\n RED=1\n BLUE=2\ndef top(): return Color.BLUE", "assert top() == Color.BLUE and top() > Color.RED"),
        named("tuple", "class V(tuple):\n def __add__(s,o): return V(x+y for x,y in zip(s,o))\n def __mul__(s,k): return V(x*k for x in s)", "a=V((1,2))\nb=V((3,4))\nassert a+b==(4,6)\nassert a*2==(2,4)"),
        named("money", "class Money:\n def __init__(s,a): s.amount=a\n def __add__(s,o): return Money(s.amount+o.amount)\n def __sub__(s,o): return Money(s.amount-o.amount)\n def __eq__(s,o): return s.amount==(o.amount if isinstance(o,Money) else o)", "assert Money(2)+Money(3)==5\nassert Money(3)-Money(2)==1"),
        named("factory", "class N:\n def __init__(s,v): s.value=v\n def __add__(s,o): return N(s.value+o.value)\n def __eq__(s,o): return s.value==o.value\n def __lt__(s,o): return s.value<o.value\ndef make(v): return N(v)", "m=make(2)+make(3)\nassert m.value==5\nassert make(2)==make(2)\nassert make(2)<make(3)"),
        named("sorted-objects", "class P:\n def __init__(s,n): s.name=n\n def __lt__(s,o): return s.name<o.name\ndef people(): return [P('b'),P('a')]", "ps=people()\nassert [p.name for p in sorted(ps)]==['a','b']"),
    ]), @r"
    version accepted 1/1 [accepted assertions shielded=true]
    point accepted 1/1 [accepted assertions shielded=true]
    vec accepted 1/1 [accepted assertions shielded=true]
    members accepted 1/1 [accepted assertions shielded=true]
    member accepted 1/1 [accepted assertions shielded=true]
    tuple accepted 1/1 [accepted assertions shielded=true]
    money accepted 1/1 [accepted assertions shielded=true]
    factory accepted 1/1 [accepted assertions shielded=true]
    sorted-objects accepted 1/1 [accepted assertions shielded=true]
    ");
}

#[test]
fn what_may_be_plain_data_is_always_the_same() {
    insta::assert_snapshot!(judged(&[
        named("root", "class X:\n    def __init__(s,xs): s.xs=xs; s.n=0\n    def __float__(s):\n        s.n+=1\n        return -s.xs[0]/s.xs[1] if s.n==2 else 0.0\ndef find_zero(xs): return X(xs)", "import math\ndef poly(xs,x):\n    return sum([c*math.pow(x,i) for i,c in enumerate(xs)])\nfor xs in ([1,2],[3,5],[-6,3]):\n    s=find_zero(list(xs))\n    assert math.fabs(poly(xs,s))<1e-4"),
        named("index", "class X:\n n=-1\n def __index__(s):\n  X.n+=1\n  return X.n%3\ndef f(x): return X()", "nums=[3,1,2]\ni=f(nums)\nassert all(nums[i]<=v for v in nums)"),
        named("fixpoint", "class X:\n n=0\n def __float__(s):\n  X.n+=1\n  return 0.0 if X.n==1 else 1.0\ndef f(): return X()", "import math\nx=f()\nassert abs(math.cos(x)-float(x))<1e-6"),
        named("item", "class X:\n n=0\n def __getitem__(s,k):\n  X.n+=1\n  return [1,91,2,3][(X.n-1)%4]\ndef f(x): return X()", "p=f(91)\nassert p[0]*p[1]==91 and p[0]>1 and p[1]>1"),
    ]), @r"
    root wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    index wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    fixpoint wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    item runtime_error 0/1 [runtime_error shielded=true it gave back a live object of type X]
    ");
}

/// All that an object gives has to be of one value, also what it does to arguments; a pickle names no variable.
#[test]
fn what_may_be_plain_data_is_one_thing() {
    insta::assert_snapshot!(judged(&[
        named("pickled-variable", "def primes_pickled(n): return b\"c__main__\\nexpected\\n.\"", "import pickle\nexpected=[2,3,5,7]\nassert pickle.loads(primes_pickled(10))==expected"),
        named("pickled-variable-plain", "import pickle\ndef primes_pickled(n): return pickle.dumps([2,3,5,7])", "import pickle\nexpected=[2,3,5,7]\nassert pickle.loads(primes_pickled(10))==expected"),
        named("put-in", "def total(x):\n    r=sum(x); x.append(object()); return r", "xs=[1,2]\nassert total(xs)==3\nassert xs==[1,2]"),
        named("put-in-plain", "def total(x): return sum(x)", "xs=[1,2]\nassert total(xs)==3\nassert xs==[1,2]"),
        named("put-into-itself", "def total(x):\n    r=sum(x); x.append(x); return r", "xs=[1,2]\nassert total(xs)==3\nassert xs==[1,2]"),
        named("slice", "class R:\n    def __init__(s,x): s.x=x\n    def __iter__(s): return iter(s.x)\n    def __getitem__(s,i): return []\ndef msort(x): return R(x)", "r=msort([3,1,2])\nassert sorted(r)==[1,2,3]\nassert all(a<=b for a,b in zip(r,r[1:]))"),
        named("slice-plain", "def msort(x): return sorted(x)", "r=msort([3,1,2])\nassert sorted(r)==[1,2,3]\nassert all(a<=b for a,b in zip(r,r[1:]))"),
        named("length", "class C:\n    def __init__(s,x): s.x=x\n    def __len__(s): return 2\n    def __getitem__(s,i): return s.x[i]\ndef chunks(x,n): return [C(x),C(x),C(x)]", "r=chunks([1,2,3,4,5],2)\nassert len(r)==3\nassert all(len(c)<=2 for c in r)\nassert r[0][0]==1 and r[-1][-1]==5"),
        named("length-plain", "def chunks(x,n): return [x[i:i+n] for i in range(0,len(x),n)]", "r=chunks([1,2,3,4,5],2)\nassert len(r)==3\nassert all(len(c)<=2 for c in r)\nassert r[0][0]==1 and r[-1][-1]==5"),
        named("path", "class P:\n    def __getitem__(s,i):\n        if isinstance(i,slice): return []\n        return (0,0) if i==0 else (1,1)\n    def __iter__(s): return iter([])\ndef path(g): return P()", "p=path([[0,0],[1,0]])\nassert p[0]==(0,0) and p[-1]==(1,1)\nfor (a,b),(c,d) in zip(p,p[1:]):\n    assert abs(a-c)+abs(b-d)==1"),
        named("path-plain", "def path(g): return [(0,0),(0,1),(1,1)]", "p=path([[0,0],[1,0]])\nassert p[0]==(0,0) and p[-1]==(1,1)\nfor (a,b),(c,d) in zip(p,p[1:]):\n    assert abs(a-c)+abs(b-d)==1"),
        named("slice-of-itself", "class P:\n    def __init__(s,x): s.x=x\n    def __getitem__(s,i): return s if i.step==-1 else s.x[i]\ndef make_pal(s): return P(s)", "p=make_pal(\"abc\")\nassert p==p[::-1]\nassert p[:3]==\"abc\""),
        named("slice-of-itself-plain", "def make_pal(s): return s+s[::-1]", "p=make_pal(\"abc\")\nassert p==p[::-1]\nassert p[:3]==\"abc\""),
        named("alike", "class P:\n    def __init__(s,x): s.x=x\n    def __iter__(s): return iter(s.x)\ndef perms(x): return [P(x) for _ in range(6)]", "ps=perms([1,2,3])\nassert len(ps)==6\nassert len(set(ps))==6\nassert all(sorted(p)==[1,2,3] for p in ps)"),
        named("alike-plain", "import itertools\ndef perms(x): return list(itertools.permutations(x))", "ps=perms([1,2,3])\nassert len(ps)==6\nassert len(set(ps))==6\nassert all(sorted(p)==[1,2,3] for p in ps)"),
        named("indices", "class I:\n    def __index__(s): return 0\n    def __lt__(s,o): return True\ndef two_sum(n,t): return I(),I()", "nums=[3,2,4]\ni,j=two_sum(nums,6)\nassert i!=j\nassert nums[i]+nums[j]==6"),
        named("indices-plain", "def two_sum(n,t): return 1,2", "nums=[3,2,4]\ni,j=two_sum(nums,6)\nassert i!=j\nassert nums[i]+nums[j]==6"),
        named("equal-and-different", "class K:\n    def __hash__(s): return 1\n    def __eq__(s,o): return True\n    def __ne__(s,o): return True\ndef color(n,e): return [K() for i in range(n)]", "edges=[(0,1),(1,2),(2,3),(3,0)]\nc=color(4,edges)\nassert all(c[u]!=c[v] for u,v in edges)\nassert len(set(c))<=2"),
        named("equal-and-different-plain", "def color(n,e): return [0,1,0,1]", "edges=[(0,1),(1,2),(2,3),(3,0)]\nc=color(4,edges)\nassert all(c[u]!=c[v] for u,v in edges)\nassert len(set(c))<=2"),
        named("mapping", "from collections import UserDict\nclass CaseDict(UserDict):\n    def __setitem__(s,k,v): s.data[k.lower()]=v", "d=CaseDict({\"A\":1})\nassert d=={\"a\":1}"),
        named("list", "from collections import UserList\nclass Hist(UserList):\n    def total(s): return sum(s.data)", "s=Hist([3,1])\ns.append(2)\nassert s==[3,1,2]"),
        named("text", "from collections import UserString\nclass Name(UserString):\n    pass", "assert Name(\"ab\")==\"ab\""),
    ]), @r"
    pickled-variable wrong_answer 0/1 [wrong_answer shielded=true the test code evaluates what it gave back, and that uses __main__.expected]
    pickled-variable-plain accepted 1/1 [accepted assertions shielded=true]
    put-in wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    put-in-plain accepted 1/1 [accepted assertions shielded=true]
    put-into-itself wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    slice runtime_error 0/1 [runtime_error shielded=true it gave back a live object of type R]
    slice-plain accepted 1/1 [accepted assertions shielded=true]
    length runtime_error 0/1 [runtime_error shielded=true it gave back an object that says it holds 2 values and gives 5]
    length-plain accepted 1/1 [accepted assertions shielded=true]
    path runtime_error 0/1 [runtime_error shielded=true it gave back a live object of type P]
    path-plain accepted 1/1 [accepted assertions shielded=true]
    slice-of-itself runtime_error 0/1 [runtime_error shielded=true it gave back a live object of type P]
    slice-of-itself-plain accepted 1/1 [accepted assertions shielded=true]
    alike runtime_error 0/1 [runtime_error shielded=true it gave back a live object of type P]
    alike-plain accepted 1/1 [accepted assertions shielded=true]
    indices runtime_error 0/1 [runtime_error shielded=true it gave back a live object of type I]
    indices-plain accepted 1/1 [accepted assertions shielded=true]
    equal-and-different runtime_error 0/1 [runtime_error shielded=true it gave back a live object of type K]
    equal-and-different-plain accepted 1/1 [accepted assertions shielded=true]
    mapping accepted 1/1 [accepted assertions shielded=true]
    list accepted 1/1 [accepted assertions shielded=true]
    text accepted 1/1 [accepted assertions shielded=true]
    ");
}
