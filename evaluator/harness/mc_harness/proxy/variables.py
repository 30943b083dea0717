"""The variables of test code: which names of it stand for the same thing.

A name that several functions or loops bind is a variable of each; so is an attribute of `self`.
"""

import ast
import builtins

from .certainty import COMPREHENSIONS
from .faults import FUNCTIONS, bound_by, imported

OWNERS = ("self", "cls")


class Variables:
    """Of each node that is a name, an argument, a function or an attribute of `self`, its variable."""

    def __init__(self, tree):
        self.of = {}
        self.imported = imported(tree)
        self.no_variables = {*self.imported - stored([tree]), *OWNERS, *dir(builtins)}
        # What is left in the variable of a loop, by that of the names after it.
        self.left = []
        self.visit(tree, {})

    def visit(self, node, known):
        """Go through a node, in which these names are known to be variables of something that it is part of."""
        if isinstance(node, (*FUNCTIONS, ast.Lambda)):
            self.note(node, getattr(node, "name", ""), known)
            known = {**known, **dict.fromkeys(own_names(node), node)}
        elif isinstance(node, (ast.For, ast.AsyncFor)):
            self.visit(node.iter, known)
            self.visit_loop(node, [node.target], known)
            return
        elif isinstance(node, COMPREHENSIONS):
            known = {**known, **dict.fromkeys(stored([part.target for part in node.generators]), node)}
        elif isinstance(node, ast.Name):
            self.note(node, node.id, known)
        elif isinstance(node, ast.arg):
            self.note(node, node.arg, known)
        elif isinstance(node, ast.Attribute) and getattr(node.value, "id", None) in OWNERS:
            self.of[node] = None, "self." + node.attr
        for part in ast.iter_child_nodes(node):
            self.visit(part, known)

    def visit_loop(self, loop, targets, known):
        names = stored(targets)
        self.left.extend(((known.get(name), name), (loop, name)) for name in names)
        within = {**known, **dict.fromkeys(names, loop)}
        for part in [*targets, *loop.body]:
            self.visit(part, within)
        for part in loop.orelse:
            self.visit(part, known)

    def note(self, node, name, known):
        if name not in self.no_variables or name in known:
            self.of[node] = known.get(name), name


def own_names(function):
    """The names of a function's arguments, and those that it binds."""
    outer = {name for node in ast.walk(function) for name in getattr(node, "names", ()) if isinstance(name, str)}
    arguments = {node.arg for node in ast.walk(function.args) if isinstance(node, ast.arg)}.difference(OWNERS)
    body = function.body if isinstance(function.body, list) else ()
    return arguments | stored(body) - outer


def stored(nodes):
    return {name for node in nodes for part in ast.walk(node) for name in bound_by(part)}
