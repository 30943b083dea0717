"""Where test code speaks of the paths of files, and looks at none: what it makes of a path there is the same whatever
becomes of the file."""

import ast
import builtins

from ...names import called
from .faults import FUNCTIONS, imported

# What makes paths of paths and other texts, or tells a new one; and the modules that have the functions among these.
MAKING = frozenset("""
    Path PosixPath PurePath PurePosixPath str fspath join dirname basename splitext split normpath joinpath as_posix
    with_suffix with_name with_stem relative_to lower upper strip replace format removesuffix removeprefix
    mkdtemp mktemp gettempdir sorted list tuple set frozenset range enumerate zip len
""".split())
MODULES = ("os", "os.path", "pathlib", "posixpath", "tempfile")
# What has the path of a new file or directory as its name; within a context the latter is that itself.
NAMED, DIRECTORY = ("NamedTemporaryFile", "TemporaryDirectory"), "TemporaryDirectory"
# What the fixtures of pytest's are called that are paths, and what makes lists and the like.
FIXTURES, COLLECTIONS = ("tmp_path", "tmpdir"), ("dict", "list", "set", "sorted", "split")
# What may bind a name or an attribute unseen.
BINDING = frozenset(("eval", "exec", "globals", "locals", "setattr", "vars", "__dict__", "__setattr__"))
# What a path, or what has one as its name, is asked for.
PARTS = frozenset(("anchor", "name", "parent", "parts", "stem", "suffix", "suffixes"))
# By which it is only asked whether there is a file, and what says that so it is.
PROBES = frozenset("exists lexists isfile isdir islink is_file is_dir is_symlink".split())
CLAIMING, EACH = ("assertTrue", "assertFalse"), ("all", "any")
# Methods of texts that look for one in another.
LOOKING = frozenset(("startswith", "endswith"))
DISPLAYS = (ast.List, ast.Tuple, ast.Set, ast.Dict, ast.JoinedStr, ast.FormattedValue, ast.BinOp, ast.Starred)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.GeneratorExp)


class Paths:
    """Those of a test code, by what it binds its names and attributes to."""

    def __init__(self, nodes):
        self.bound, self.known = {}, {}
        for node in nodes:
            for target, value in bindings(node):
                self.bound.setdefault(ast.unparse(target), []).append(value)
        own = {node.name for node in nodes if isinstance(node, (*FUNCTIONS, ast.ClassDef))}
        imports = (node for node in nodes if isinstance(node, (ast.Import, ast.ImportFrom)))
        own.update(name for node in imports for name in imported(node))
        self.functions = {*dir(builtins)} - own | {name for node in nodes for name in of_library(node)}
        # What may have more in it than it was made with.
        self.changed = {ast.unparse(changed) for node in nodes for changed in changed_by(node)}
        named = (getattr(node, "id", getattr(node, "attr", None)) for node in nodes)
        self.is_bound_unseen = not BINDING.isdisjoint(named)

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
            is_made = bool(values) and all(value is not None and self.tells(value) for value in values)
            may_change = is_made and name in self.changed and any(map(is_collection, values))
            self.known[name] = is_made and not may_change and not self.is_bound_unseen
        return self.known[name]

    def is_part(self, node, own):
        if not isinstance(node, ast.Attribute) or node.attr not in PARTS:
            return False
        return self.tells(node.value, own) or node.attr == "name" and self.is_named(node.value)

    def is_named(self, node):
        """Whether it is a new file or directory."""
        values = self.bound.get(ast.unparse(node), [node])
        return not self.is_bound_unseen and all(called(value) in NAMED for value in values)

    def only_asks(self, node):
        """Whether it asks if there is a file at a path, whatever names that one: nothing is made of the answer."""
        if not isinstance(node, ast.Call) or called(node) not in PROBES:
            return False
        calls = (part for part in ast.walk(node) if isinstance(part, ast.Call) and part is not node)
        are_making = all(called(call) in MAKING and self.is_of_library(call.func, ()) for call in calls)
        return are_making and (self.is_of_library(node.func, ()) or not node.args and self.is_joined(node.func.value))

    def is_joined(self, node):
        """Whether it is a path by how it is made, of whatever."""
        is_made = isinstance(node, ast.Call) and called(node) in MAKING and self.is_of_library(node.func, ())
        return is_made or isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div)

    def is_of_library(self, function, own):
        """Whether a function is one of the library's, or a method of a path."""
        if isinstance(function, ast.Name):
            return function.id in self.functions and function.id not in self.bound
        is_member = isinstance(function, ast.Attribute)
        return is_member and (self.tells(function.value, own) or self.is_of_library(function.value, own))


def claimed_by(node):
    """What a node says to be so, or not, and does nothing else with."""
    is_claim = isinstance(node, ast.Call) and called(node) in CLAIMING and node.args
    claim = node.test if isinstance(node, ast.Assert) else node.args[0] if is_claim else None
    while isinstance(claim, ast.UnaryOp) and isinstance(claim.op, ast.Not):
        claim = claim.operand
    is_each = isinstance(claim, ast.Call) and getattr(claim.func, "id", None) in EACH and len(claim.args) == 1
    generator = claim.args[0] if is_each else None
    return generator.elt if isinstance(generator, (ast.GeneratorExp, ast.ListComp)) else claim


def of_library(node):
    """The names that an import of these modules, or of what they have, binds."""
    if isinstance(node, ast.ImportFrom) and node.module in MODULES:
        yield from (alias.name for alias in node.names if alias.asname in (None, alias.name))
    elif isinstance(node, ast.Import):
        yield from (alias.asname or alias.name.partition(".")[0] for alias in node.names if alias.name in MODULES)


def bindings(node):
    """What a node binds, each with the value; None for one that is not seen."""
    if isinstance(node, (ast.Assign, ast.AnnAssign, ast.NamedExpr)):
        targets = getattr(node, "targets", None) or [node.target]
        yield from (each for target in targets for each in unpacked(target, node.value))
    elif isinstance(node, ast.withitem) and node.optional_vars is not None:
        is_directory = called(node.context_expr) == DIRECTORY
        yield from unpacked(node.optional_vars, ast.Constant("") if is_directory else node.context_expr)
    elif isinstance(node, ast.arg):
        yield ast.Name(node.arg), ast.Constant("") if node.arg in FIXTURES else None
    elif isinstance(node, (ast.For, ast.AsyncFor, ast.AugAssign)):
        yield from unpacked(node.target, None)


def is_collection(node):
    """Whether it makes something that may come to hold more."""
    kinds = (ast.List, ast.Set, ast.Dict, ast.ListComp, ast.SetComp, ast.DictComp)
    return isinstance(node, kinds) or called(node) in COLLECTIONS


def changed_by(node):
    """What a node may put something into."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr not in MAKING:
        yield node.func.value
    elif isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
        yield node.value


def unpacked(target, value):
    """The names and attributes of a target."""
    if isinstance(target, (ast.Name, ast.Attribute)):
        yield target, value
    else:
        yield from ((part, None) for part in ast.walk(target) if isinstance(part, (ast.Name, ast.Attribute)))


def looked_for(node):
    """What a call looks for at one end of a text, or in what a mock was called with."""
    name = str(getattr(node.func, "attr", "")) if isinstance(node, ast.Call) else ""
    return node.args if name in LOOKING or name.startswith("assert_") else ()
