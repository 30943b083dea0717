"""What test code computed of something before the candidate had that: it stays what it was, whatever becomes of it."""

import ast

from ...names import called

# What gives something that holds nothing of what it was given.
SCALARS = {"abs", "all", "any", "deepcopy", "dumps", "float", "hash", "int", "len", "repr", "round", "str", "sum"}
# What gives something that holds what was in it.
SHALLOW = {"Counter", "copy", "dict", "frozenset", "list", "reversed", "set", "sorted", "tuple"}
# What gives one number or the like.
DRAWN = {"choice", "chr", "gauss", "randint", "random", "randrange", "uniform"}


def snapshots(values, answers, functions):
    """The variables, of which `values` has what is bound to them, to which nothing is bound but that, before the first
    of the `answers` where they are known. `functions` are the test code's by name."""
    lines = [node.lineno for node in answers]
    found = Snapshots(values, functions)
    # To a function is bound what it gives, whenever that is.
    variables = [(one, bound) for one, bound in values.items() if one[1] not in functions]
    return {one for one, bound in variables if all(map(found.is_one, bound)) and is_before(one, bound, lines)}


def is_before(variable, bound, lines):
    """Whether all that is bound to a variable is so before any of the lines of what it is known in."""
    scope = variable[0]
    first, last = getattr(scope, "lineno", 0), getattr(scope, "end_lineno", float("inf"))
    known_in = [line for line in lines if first <= line <= last]
    return all((getattr(value, "end_lineno", None) or 0) < line for value in bound for line in known_in)


class Snapshots:
    def __init__(self, values, functions):
        self.functions = functions
        names = {}
        for (_, name), bound in values.items():
            names.setdefault(name, []).extend(bound)
        # The names of lists in which there is nothing that can be changed.
        self.flat = {name for name, bound in names.items() if bound and all(map(is_flat, bound))}

    def is_one(self, value):
        """Whether a value is computed, and holds nothing of what it was computed of."""
        if isinstance(value, ast.BinOp):
            return self.is_one(value.left) and self.is_one(value.right)
        if isinstance(value, ast.Constant):
            return True
        if not isinstance(value, ast.Call):
            return False
        name = called(value)
        if name in self.functions:
            return gives_scalars(self.functions[name])
        return name in SCALARS or name in SHALLOW and all(map(self.is_of_flat, value.args))

    def is_of_flat(self, node):
        inner = isinstance(node, ast.Call) and called(node) in SHALLOW and node.args
        return all(map(self.is_of_flat, node.args)) if inner else getattr(node, "id", None) in self.flat


def is_flat(value):
    """Whether a value is a list, written out or drawn at random, of numbers and texts."""
    if isinstance(value, (ast.List, ast.Set, ast.Tuple)):
        return all(isinstance(one, (ast.Constant, ast.UnaryOp)) for one in value.elts)
    if isinstance(value, ast.ListComp):
        return called(value.elt) in DRAWN or isinstance(value.elt, ast.Constant)
    if isinstance(value, ast.Call) and called(value) == "list":
        return all(called(part) == "range" or is_flat(part) for part in value.args)
    return isinstance(value, ast.Constant)


def gives_scalars(function):
    """Whether a function gives no more than sums and the like."""
    given = [part.value for part in ast.walk(function) if isinstance(part, ast.Return)]
    return bool(given) and all(isinstance(one, (ast.BinOp, ast.Compare)) or called(one) in SCALARS for one in given)
