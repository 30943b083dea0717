"""What test code computed of something before the candidate had that: it stays what it was, whatever becomes of it."""

import ast

from ...names import called
from .before import Before
from .said import KEEPING

# What gives something that holds nothing of what it was given: builtin functions, and those of modules.
SCALARS = {"abs", "all", "any", "float", "hash", "int", "len", "repr", "round", "str", "sum"}
OF_MODULES = {"deepcopy", "dumps"}
# What gives something that holds what was in it.
SHALLOW = {"Counter", "copy", "dict", "frozenset", "list", "set", "sorted", "tuple"}
# What gives one number or the like.
DRAWN = {"chr", "gauss", "randint", "random", "randrange", "uniform"}
# What gives no list or the like, whatever it is done with.
OF_NUMBERS = ast.Div, ast.FloorDiv, ast.Pow


def snapshots(values, given, nodes, answers, functions):
    """The variables, of which `values` has what is bound to them, to which nothing is bound but that, before the first
    of the `answers`, and of nothing that was `given` to the candidate in a round before. `functions` are the test
    code's by name."""
    before, found = Before(nodes, answers, {name for _, name in given}), Snapshots(values, nodes, functions)
    # To a function is bound what it gives, whenever that is.
    variables = [(one, bound) for one, bound in values.items() if one[1] not in functions]
    return {
        one for one, bound in variables
        if all(map(found.is_one, bound)) and before.is_bound_first(one[0], bound)
    }


class Snapshots:
    def __init__(self, values, nodes, functions):
        self.functions = functions
        names, items = {}, set(put_into_others(nodes))
        for (_, name), bound in values.items():
            names.setdefault(name, []).extend(bound)
        # The names of lists in which there is nothing that can be changed.
        self.flat = {
            name for name, bound in names.items()
            if bound and all(is_item(value) if value in items else is_flat(value) for value in bound)
        }

    def is_one(self, value):
        """Whether a value is computed, and holds nothing of what it was computed of."""
        if isinstance(value, ast.BinOp):
            return self.is_one(value.left) and self.is_one(value.right)
        if isinstance(value, ast.Constant):
            return True
        if not isinstance(value, ast.Call):
            return False
        if called(value) in self.functions:
            return gives_scalars(self.functions[called(value)])
        return gives_scalar(value) or is_shallow(value) and all(map(self.is_of_flat, copied(value)))

    def is_of_flat(self, node):
        inner = copied(node) if is_shallow(node) or is_builtin(node, {"reversed"}) else ()
        return all(map(self.is_of_flat, inner)) if inner else getattr(node, "id", None) in self.flat


def put_into_others(nodes):
    """What is put into a list or the like by itself."""
    for node in nodes:
        if isinstance(node, ast.Call) and called(node) in KEEPING - {"extend", "update"}:
            yield from node.args
        elif isinstance(node, ast.Assign) and any(isinstance(target, ast.Subscript) for target in node.targets):
            yield node.value


def is_builtin(node, names):
    return isinstance(node, ast.Call) and getattr(node.func, "id", None) in names


def is_shallow(node):
    is_method = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
    return is_builtin(node, SHALLOW) or is_method and node.func.attr in ("Counter", "copy")


def gives_scalar(node):
    """Whether a node is a call that gives no more than a number, a text or a copy with all that is in it."""
    if isinstance(node, ast.Call) and called(node) in OF_MODULES:
        return True
    # What a sum begins with may be a list.
    return is_builtin(node, SCALARS) and not (node.func.id == "sum" and node.args[1:])


def copied(call):
    """What a call makes another of: what it is given, or is a method of."""
    return call.args or [getattr(call.func, "value", call.func)]


def is_flat(value):
    """Whether a value is a list, written out or drawn at random, of numbers and texts."""
    if isinstance(value, (ast.List, ast.Set, ast.Tuple)):
        return all(isinstance(one, (ast.Constant, ast.UnaryOp)) for one in value.elts)
    if isinstance(value, ast.ListComp):
        return is_item(value.elt)
    if isinstance(value, ast.Call) and called(value) == "list":
        return all(called(part) == "range" or is_flat(part) for part in value.args)
    return isinstance(value, ast.Constant)


def is_item(node):
    return is_drawn(node) or isinstance(node, (ast.Constant, ast.UnaryOp))


def is_drawn(node):
    """Whether a node draws a number or a text."""
    if called(node) != "choice":
        return called(node) in DRAWN
    return all(is_text(part) or called(part) == "range" or is_flat(part) for part in node.args)


def is_text(node):
    """Whether a node is one of the texts of the library, such as `string.ascii_letters`."""
    return isinstance(node, ast.Attribute) and getattr(node.value, "id", None) == "string"


def gives_scalars(function):
    """Whether a function gives no more than sums and the like."""
    given = [part.value for part in ast.walk(function) if isinstance(part, ast.Return)]
    return bool(given) and all(map(is_scalar, given))


def is_scalar(node):
    if isinstance(node, ast.BinOp) and not isinstance(node.op, OF_NUMBERS):
        return is_scalar(node.left) and is_scalar(node.right)
    is_number = isinstance(node, ast.Constant) and isinstance(node.value, (int, float))
    return is_number or isinstance(node, (ast.BinOp, ast.Compare)) or gives_scalar(node)
