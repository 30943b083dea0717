"""Whether all that test code does with what the candidate gave it is to state what becomes of that: then what the
candidate does to it later shows, for it is expected of nothing else."""

import ast

from ...names import called

# What tells something of its argument, or gives all that this holds.
TELLING = frozenset((
    "all", "any", "dict", "frozenset", "isinstance", "len", "list", "max", "min", "set", "sorted", "sum", "tuple",
))
# Methods of a list or the like that change nothing.
READING = frozenset(("copy", "count", "get", "index", "items", "keys", "values"))


def is_only_stated(source, name):
    """Whether what has this name, an attribute or a method of the candidate's, is bound to variables of which nothing
    is made but statements that they be something written there."""
    nodes = list(ast.walk(ast.parse(source)))
    bound = {target.id for node in nodes for target in bound_to(node, name)}
    stated = {id(part) for node in nodes if is_statement(node, bound) for part in ast.walk(node)}
    used = [node for node in nodes if isinstance(node, ast.Name) and node.id in bound]
    return bool(bound) and all(isinstance(node.ctx, ast.Store) or id(node) in stated for node in used)


def bound_to(node, name):
    """The variables that a node binds to what has a name."""
    if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
        named = called(node.value) if isinstance(node.value, ast.Call) else getattr(node.value, "attr", None)
        if named == name:
            yield node.targets[0]


def is_statement(node, variables):
    """Whether a node asserts something of these variables alone."""
    if isinstance(node, ast.Assert):
        return is_written(node.test, variables)
    is_method = isinstance(node, ast.Call) and str(called(node)).startswith("assert")
    return is_method and all(is_written(part, variables) for part in node.args)


def is_written(node, variables):
    """Whether an expression is made of what is written there, and of these variables."""
    if isinstance(node, ast.Name):
        return node.id in variables or node.id in TELLING
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        parts = [node.func.value, *node.args]
        return node.func.attr in READING and not node.keywords and all(is_written(one, variables) for one in parts)
    if isinstance(node, (ast.Attribute, ast.Lambda, ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom)):
        return False
    parts = [part for part in ast.iter_child_nodes(node) if isinstance(part, ast.expr)]
    return all(is_written(part, variables) for part in parts)
