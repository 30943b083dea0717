"""Where test code speaks of the paths of files, and looks at none: what it makes of a path there is the same whatever
becomes of the file."""

import ast
import builtins

from ...names import called
from ..wire.standard import STANDARD_MODULES

# What makes paths of paths and other texts, or tells a new one.
MAKING = frozenset("""
    Path PosixPath PurePath PurePosixPath str fspath join dirname basename splitext split normpath joinpath as_posix
    with_suffix with_name with_stem relative_to lower upper strip replace format removesuffix removeprefix
    mkdtemp mktemp gettempdir TemporaryDirectory NamedTemporaryFile sorted list tuple set frozenset range enumerate zip
    len
""".split())
# What a path, or what has one as its name, is asked for.
PARTS = frozenset(("anchor", "name", "parent", "parts", "stem", "suffix", "suffixes"))
# Methods of texts that look for one in another.
LOOKING = frozenset(("startswith", "endswith"))
DISPLAYS = (ast.List, ast.Tuple, ast.Set, ast.Dict, ast.JoinedStr, ast.FormattedValue, ast.BinOp, ast.Starred)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.GeneratorExp)


class Paths:
    """Those of a test code, by what it binds its names and attributes to."""

    def __init__(self, nodes):
        self.bound, self.functions = {}, {*dir(builtins), *(name for node in nodes for name in of_library(node))}
        for node in nodes:
            for target, value in bindings(node):
                self.bound.setdefault(ast.unparse(target), []).append(value)
        self.known = {}

    def tells(self, node, own=frozenset()):
        """Whether an expression is made of paths and other texts alone; `own` are names of what is."""
        if isinstance(node, (ast.Name, ast.Attribute)):
            return ast.unparse(node) in own or self.is_bound_to_some(node) or self.is_part(node, own)
        if isinstance(node, ast.Call):
            given = [*node.args, *(keyword.value for keyword in node.keywords)]
            is_making = called(node) in MAKING and self.is_of_library(node.func, own)
            return is_making and all(self.tells(part, own) for part in given)
        if isinstance(node, ast.Subscript):
            return self.tells(node.value, own) and isinstance(node.slice, (ast.Constant, ast.UnaryOp, ast.Slice))
        if isinstance(node, COMPREHENSIONS):
            return self.tells_each(node, own)
        parts = [part for part in ast.iter_child_nodes(node) if isinstance(part, ast.expr)]
        return isinstance(node, (ast.Constant, *DISPLAYS)) and all(self.tells(part, own) for part in parts)

    def tells_each(self, node, own):
        for part in node.generators:
            if part.ifs or not self.tells(part.iter, own):
                return False
            own = own | {ast.unparse(name) for name in ast.walk(part.target) if isinstance(name, ast.Name)}
        return self.tells(node.elt, own)

    def is_bound_to_some(self, node):
        """Whether all that a name or an attribute is bound to is made so."""
        name = ast.unparse(node)
        if name not in self.known:
            # One that is made of itself is not.
            self.known[name] = False
            values = self.bound.get(name, ())
            self.known[name] = bool(values) and all(value is not None and self.tells(value) for value in values)
        return self.known[name]

    def is_part(self, node, own):
        return isinstance(node, ast.Attribute) and node.attr in PARTS and self.tells(node.value, own)

    def is_of_library(self, function, own):
        """Whether a function is one of the library's, or a method of a path."""
        if isinstance(function, ast.Name):
            return function.id in self.functions and function.id not in self.bound
        return self.tells(function.value, own) or self.is_of_library(function.value, own)


def of_library(node):
    """The names that an import of the library's binds."""
    is_from = isinstance(node, ast.ImportFrom)
    for alias in node.names if is_from or isinstance(node, ast.Import) else ():
        module = node.module if is_from else alias.name
        if str(module).partition(".")[0] in STANDARD_MODULES:
            yield alias.asname or alias.name.partition(".")[0]


def bindings(node):
    """What a node binds, each with the value; None for one that is not seen."""
    if isinstance(node, (ast.Assign, ast.AnnAssign, ast.NamedExpr)):
        targets = getattr(node, "targets", None) or [node.target]
        yield from (each for target in targets for each in unpacked(target, node.value))
    elif isinstance(node, ast.withitem) and node.optional_vars is not None:
        yield from unpacked(node.optional_vars, node.context_expr)
    elif isinstance(node, ast.arg):
        yield ast.Name(node.arg), None
    elif isinstance(node, (ast.For, ast.AsyncFor, ast.AugAssign)):
        yield from unpacked(node.target, None)


def unpacked(target, value):
    """The names and attributes of a target."""
    if isinstance(target, (ast.Name, ast.Attribute)):
        yield target, value
    else:
        yield from ((part, None) for part in ast.walk(target) if isinstance(part, (ast.Name, ast.Attribute)))


def looked_for(node):
    """What a call looks for at one end of a text."""
    is_looking = isinstance(node, ast.Call) and getattr(node.func, "attr", None) in LOOKING
    return node.args if is_looking else ()
