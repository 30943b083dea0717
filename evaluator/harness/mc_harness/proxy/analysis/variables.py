"""The variables of test code: which names of it stand for the same thing.

A name that several functions or loops bind is a variable of each; an attribute that objects of the test code's own
classes have is one for all of them.
"""

import ast
import builtins

from .certainty import COMPREHENSIONS
from .faults import FUNCTIONS, bound_by, imported

# What a method calls its object, and where a name stands for that.
OWNERS, OWNER = ("self", "cls"), object()


class Variables:
    """Of each node that is a name, an argument, a function or such an attribute, its variable."""

    def __init__(self, tree):
        self.of = {}
        self.methods = {method: owner for node in ast.walk(tree) for method, owner in methods_of(node)}
        self.attributes = {name for node in ast.walk(tree) for name in attributes_of(node)}
        self.imported = imported(tree)
        self.no_variables = {*self.imported, *dir(builtins)} - stored([tree]) | {*OWNERS}
        # What is left in the variable of a loop, by that of the names after it.
        self.left = []
        self.visit(tree, {})

    def visit(self, node, known):
        """Go through a node, in which these names are known to be variables of something that it is part of."""
        if isinstance(node, (*FUNCTIONS, ast.Lambda)):
            self.note(node, getattr(node, "name", ""), known)
            known = {**known, **dict.fromkeys(own_names(node), node)}
            if node in self.methods:
                known[self.methods[node]] = OWNER
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
        elif isinstance(node, ast.Attribute) and self.is_attribute(node, known):
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

    def is_attribute(self, node, known):
        owner = getattr(node.value, "id", None)
        return owner in OWNERS or known.get(owner) is OWNER or node.attr in self.attributes

    def note(self, node, name, known):
        is_owner = known.get(name) is OWNER
        if not is_owner and (name not in self.no_variables or name in known):
            self.of[node] = known.get(name), name


def methods_of(node):
    """The methods of a class, with what each calls its object."""
    if isinstance(node, ast.ClassDef):
        for part in node.body:
            parameters = [*part.args.posonlyargs, *part.args.args] if isinstance(part, FUNCTIONS) else ()
            is_static = any(getattr(one, "id", None) == "staticmethod" for one in getattr(part, "decorator_list", ()))
            if parameters and not is_static:
                yield part, parameters[0].arg


def attributes_of(node):
    """The attributes that a node gives objects of the test code's own."""
    if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
        yield node.attr
    elif isinstance(node, ast.ClassDef):
        yield from stored([part for part in node.body if isinstance(part, (ast.Assign, ast.AnnAssign))])


def own_names(function):
    """The names of a function's arguments, and those that it binds."""
    outer = {name for node in ast.walk(function) for name in getattr(node, "names", ()) if isinstance(name, str)}
    arguments = {node.arg for node in ast.walk(function.args) if isinstance(node, ast.arg)}.difference(OWNERS)
    body = function.body if isinstance(function.body, list) else ()
    return arguments | stored(body) - outer


def stored(nodes):
    return {name for node in nodes for part in ast.walk(node) for name in bound_by(part)}
