"""Test code that asks whether one thing of the candidate's is another, or of which class it is, and that raises one: it
holds stand-ins, of which two may stand for the same."""

import ast
import re
import sys
from functools import partial
from types import MethodDescriptorType, WrapperDescriptorType

from ...names import called
from ..wire.chains import computed
from ..wire.derived import Derived
from ..wire.errors import TakenType
from ..wire.in_both import is_in_both
from ..wire.objects import SPECIAL as CALLED
from ..wire.plain import NAMES_OF_KINDS
from ..wire.remote import Remote
from ..wire.standard import STANDARD_MODULES
from .doubted import is_own
from .guarded import Guarded
from .iterating import Running
from .matching import MATCHED, Patterns, matched
from .named import Class, Function
from .records import CLASSES

SAME, CLASS, DIFFERS, NOT_IN, TO_RAISE = "_is_same", "_class_of", "_differs", "_is_not_in", "_to_raise"
SPECIAL, MADE, FORMAT = "_special_of", "_made_class", "_format_of"
FORMATS = ("format", "format_map")
# A field of a format that goes into how what it is given works, such as the names of a function's module.
GOING_INTO = re.compile(r"\{[^{}]*__")
# Methods that a stand-in has of its own, and that test code calls of a class to which it gives the object.
OF_CLASSES = frozenset("__%s__" % name for name in (
    "delattr", "getattribute", "init", "init_subclass", "new", "post_init", "repr", "setattr", "str",
)).union(CALLED)
# Those that test code calls of an object, which may say that it has no answer, or begins anew.
OF_OBJECTS = frozenset("__%s__" % name for name in """
    add and divmod eq floordiv ge gt init le lshift lt matmul mod mul ne or pow radd rand rdivmod rfloordiv rlshift
    rmatmul rmod rmul ror rpow rrshift rshift rsub rtruediv rxor sub truediv xor
""".split())
STAND_INS = (Remote, Derived)
# What a class is called.
NAMES = ("__name__", "__qualname__")
# Functions that call what they are given, and at which place that is.
CALLING = {"map": 0, "groupby": 1}
# What a class of the interpreter's has for a method.
METHOD_KINDS = (MethodDescriptorType, WrapperDescriptorType)
# How the places look where such a question may be.
ASKING = b" is ", b"type(", b"type,", b"type)", b"__class__", b"not ", b"raise ", b"match ", b".__", b".format"
# Texts and comments; and the start of texts that have code in them.
NO_CODE = re.compile(
    rb"""(?s)'{3}(?:[^'\\]|\\.|'(?!''))*'{3}|"{3}(?:[^"\\]|\\.|"(?!""))*"{3}"""
    rb"""|'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|#[^\n]*"""
)
WITH_CODE = re.compile(rb"""\b(?:[fFtT][rR]?|[rR][fFtT])["']""")


def is_same(a, b):
    if a is not b and issubclass(type(a), STAND_INS) and issubclass(type(b), STAND_INS):
        return a._remote_link.operate("is_", computed(a._remote_chain), a, b)
    if type(b) is ClassOf:
        a, b = b, a
    if type(a) is ClassOf and is_standard(b):
        return a._remote_link.operate("is_", computed(a._remote_chain), a, b)
    if issubclass(type(a), Function) and (type(b) in METHOD_KINDS or is_in_both(b)):
        return a._remote_link.operate("is_", computed(a._remote_chain), a, b)
    if issubclass(type(a), Running) or issubclass(type(b), Running):
        return a is b or handle(a) is not None and handle(a) == handle(b)
    return a is b


def is_standard(kind):
    """Whether it is a class that both sides have of the standard library."""
    if not issubclass(type(kind), type) or kind.__module__ == "__main__":
        return False
    is_of_library = kind.__module__.partition(".")[0] in STANDARD_MODULES
    return is_of_library and getattr(sys.modules.get(kind.__module__), kind.__name__, None) is kind


def handle(value):
    """The number under which the candidate's side keeps what a stand-in is for, if it is that and no part of it."""
    if issubclass(type(value), Running):
        return value._handle
    is_whole = issubclass(type(value), Remote) and not value._remote_path
    return value._remote_of if is_whole else None


def class_of(value):
    """The class of an object of the candidate's, for `type(x)` and `x.__class__`."""
    if type(value) in CLASSES:
        return CLASSES[type(value)]
    if issubclass(type(value), (Guarded, Derived)):
        return ClassOf(value)
    if issubclass(type(value), Function):
        return value._remote_link.metaclass(value._remote_of, value._remote_path) or value.__class__
    if type(value) is TakenType:
        return type
    return value.__class__ if issubclass(type(value), Running) else type(value)


def special_of(value, name):
    """A special method of a class of the candidate's, for `C.__init__(x)`, or of what is known to be an object."""
    if name in OF_OBJECTS and issubclass(type(value), Guarded) and value._remote_is_known():
        return Remote.__getattr__(value, name)
    if name == "__exit__" and issubclass(type(value), Guarded):
        return partial(left, value)
    if not issubclass(type(value), Function):
        return getattr(value, name)
    return value._remote_link.get(value._remote_of, value._remote_below(name), value._remote_chain + "." + name)


def left(value, *given, **named):
    """For `x.__exit__(...)`, which gives what the method does; a `with` only asks whether that is true."""
    if len(given) == 3 and not named and isinstance(given[1], BaseException):
        return value._remote_exit("__exit__", given[1], is_asked=True)
    return Remote.__getattr__(value, "__exit__")(*given, **named)


def made_class(name, bases, namespace, **keywords):
    """For `type("Dog", (Animal,), {})`, where a class of the candidate's may be among the bases."""
    own = next((base for base in bases if issubclass(type(base), Remote)), None)
    if own is None:
        # The module is that of who calls it, which is the test code.
        return type(name, bases, {"__module__": "__main__", **namespace}, **keywords)
    return own._remote_link.derive(name, bases, keywords, namespace)


class ClassOf(Class):
    """The class of an object. It is asked for attributes only if the test code wants an object there; for its name also
    where no class of plain data has that: what is of such a class is an object by any account."""

    __slots__ = ("_remote_owner",)
    __doc__ = vars(Function)["__doc__"]

    def __init__(self, owner):
        path = owner._remote_path + ".__class__" if owner._remote_path else "__class__"
        super().__init__(owner._remote_link, owner._remote_of, path, owner._remote_chain + ".__class__")
        object.__setattr__(self, "_remote_owner", owner)

    def __getattr__(self, name):
        value = super().__getattr__(name)
        if name in NAMES and not (type(value) is str and value not in NAMES_OF_KINDS):
            self._remote_must_answer(name)
        return value

    def _remote_as_object(self, name):
        if name not in NAMES:
            self._remote_must_answer(name)
        super()._remote_as_object(name)

    def _remote_must_answer(self, name):
        if issubclass(type(self._remote_owner), Guarded):
            self._remote_owner._remote_must_answer(name)


def with_identity(code, source, namespace):
    """The test code's code with such questions replaced where they may be about the candidate's things."""
    if not (may_ask(source) and may_ask(code_in(source))):
        return code
    return compile(asking(ast.parse(source), namespace), code.co_filename, "exec", 0, True)


def may_ask(source):
    return any(part in source for part in ASKING)


def code_in(source):
    """A source that compiles, without what only speaks of code: most of what a problem says in words."""
    return source if WITH_CODE.search(source) else NO_CODE.sub(b"", source)


def asking(tree, namespace):
    """The same of its tree."""
    namespace.update({SAME: is_same, CLASS: class_of, DIFFERS: differs, NOT_IN: is_not_in, TO_RAISE: to_raise})
    namespace.update({MATCHED: matched, SPECIAL: special_of, MADE: made_class})
    transformer = Transformer()
    tree = transformer.visit(tree)
    namespace[FORMAT] = Formats(transformer.texts)
    return Patterns().visit(tree) if transformer.has_patterns else tree


class Formats:
    """For `text.format`, where the text may be the candidate's: all else has been written in the test code."""

    def __init__(self, written):
        self.written = written

    def __call__(self, text, name):
        if isinstance(text, str) and text not in self.written and GOING_INTO.search(text):
            error = AttributeError("the program's format goes into what it is given")
            error.candidate = "AttributeError: %s" % error
            raise error
        return getattr(text, name)


def differs(a, b):
    """For `not a == b`, which of an object and plain data is asked as `a != b` is."""
    if is_object_beside_data(a, b) or is_object_beside_data(b, a):
        return a != b
    return not a == b


def is_not_in(value, held):
    """For `value not in held`: an object says by its own hash whether it can be in a set."""
    if issubclass(type(value), Guarded) and isinstance(held, (set, frozenset, dict)):
        return all(differs(value, one) for one in held)
    return value not in held


def to_raise(value):
    """An exception that is to be raised. One of the candidate's is raised as all that comes from there is."""
    if issubclass(type(value), Guarded):
        value._remote_link.ask(op="throw", of=value._remote_of, path=value._remote_path)
    return value


def is_object_beside_data(one, other):
    return issubclass(type(one), Guarded) and not is_own(other)


class Transformer(ast.NodeTransformer):
    """Most of a tree says nothing by itself, and to look at it takes most of the time."""

    def __init__(self):
        # The texts that are written in the test code, and whether it has patterns.
        self.texts, self.has_patterns = set(), False

    def visit_Constant(self, node):  # noqa: N802
        if isinstance(node.value, str):
            self.texts.add(node.value)
        return node

    def visit_nothing(self, node):
        return node

    visit_Name = visit_Load = visit_Store = visit_Del = visit_alias = visit_Pass = visit_nothing  # noqa: N815

    def visit_Match(self, node):  # noqa: N802
        self.has_patterns = True
        return self.generic_visit(node)

    def visit_UnaryOp(self, node):  # noqa: N802
        self.generic_visit(node)
        if not isinstance(node.op, ast.Not) or not is_comparison(node.operand, ast.Eq):
            return node
        return asked(node, DIFFERS, [node.operand.left, *node.operand.comparators])

    def visit_Compare(self, node):  # noqa: N802
        self.generic_visit(node)
        sides = [node.left, *node.comparators]
        if is_comparison(node, ast.NotIn):
            return asked(node, NOT_IN, sides)
        if not is_comparison(node, (ast.Is, ast.IsNot)):
            return node
        if any(isinstance(side, ast.Constant) for side in sides):
            return node
        same = asked(node, SAME, sides)
        return same if isinstance(node.ops[0], ast.Is) else ast.copy_location(ast.UnaryOp(ast.Not(), same), node)

    def visit_Call(self, node):  # noqa: N802
        self.generic_visit(node)
        hand_over_class_of(node)
        named = isinstance(node.func, ast.Name) and node.func.id == "type"
        if not named or len(node.args) not in (1, 3) or any(isinstance(one, ast.Starred) for one in node.args):
            return node
        return asked(node, CLASS if len(node.args) == 1 else MADE, node.args, node.keywords)

    def visit_Raise(self, node):  # noqa: N802
        self.generic_visit(node)
        if node.exc is not None:
            node.exc = asked(node.exc, TO_RAISE, [node.exc])
        return node

    def visit_Attribute(self, node):  # noqa: N802
        self.generic_visit(node)
        if node.attr in OF_CLASSES and isinstance(node.ctx, ast.Load):
            return asked(node, SPECIAL, [node.value, text_of(node)])
        if node.attr in FORMATS and isinstance(node.ctx, ast.Load) and not isinstance(node.value, ast.Constant):
            return asked(node, FORMAT, [node.value, text_of(node)])
        if node.attr != "__class__" or not isinstance(node.ctx, ast.Load):
            return node
        return asked(node, CLASS, [node.value])


def hand_over_class_of(call):
    """Have the library ask for classes as `type(x)` does, where a call hands `type` over for that: `map(type, xs)`."""
    named = [keyword for keyword in call.keywords if keyword.arg == "key"]
    for keyword in named:
        keyword.value = class_asked_for(keyword.value)
    place = CALLING.get(called(call))
    if place is not None and len(call.args) > place:
        call.args[place] = class_asked_for(call.args[place])


def class_asked_for(node):
    is_type = isinstance(node, ast.Name) and node.id == "type"
    return ast.copy_location(ast.Name(CLASS, ast.Load()), node) if is_type else node


def is_comparison(node, kind):
    """Whether a node compares two things by an operator of a kind."""
    return isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], kind)


def asked(node, name, values, keywords=()):
    """A call in the place of a node."""
    function = ast.copy_location(ast.Name(name, ast.Load()), node)
    return ast.copy_location(ast.Call(function, values, list(keywords)), node)


def text_of(attribute):
    return ast.copy_location(ast.Constant(attribute.attr), attribute)
