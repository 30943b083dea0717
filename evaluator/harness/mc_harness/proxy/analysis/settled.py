"""Which of what test code hands over it hands over whatever its candidate answers.

A place to which test code comes in any case may hand over one thing or another: what a lookup finds, what a method of
the test code's object was left with. So an argument is settled only if the syntax that makes it says so, through all
that the names in it are bound to. What the candidate gives is settled too: that crosses, whatever it is.
"""

import ast
import builtins

from .certainty import COMPREHENSIONS
from .faults import FUNCTIONS, imported

PARTS = (
    ast.BinOp, ast.Compare, ast.Constant, ast.Dict, ast.FormattedValue, ast.JoinedStr, ast.List, ast.Set, ast.Slice,
    ast.Starred, ast.Tuple, ast.UnaryOp,
)


# Those that make of a method one of a kind that all programs know.
DECORATORS = frozenset((
    "abstractmethod", "cached_property", "classmethod", "deleter", "getter", "property", "setter", "staticmethod",
))


class Settled:
    """Of a test code, of which `is_certain` tells whether it comes to some lines in any case."""

    def __init__(self, tree, is_certain):
        self.nodes = list(ast.walk(tree))
        self.is_certain = is_certain
        self.statements = [node for node in self.nodes if isinstance(node, ast.stmt)]
        self.imported = imported(tree)
        self.classes = {node.name for node in self.nodes if isinstance(node, ast.ClassDef)}
        # As they are now: for a dry run, each statement is put into one that goes on after it.
        self.bodies = {node: node.body for node in self.nodes if isinstance(node, ast.ClassDef)}
        self.functions, self.values, self.left_with, self.changed = {}, {}, {}, set()
        self.parameters = {node.arg for node in self.nodes if isinstance(node, ast.arg)}
        for node in self.nodes:
            self.note(node)
        # Names that are being gone into; and whether one of those that were was a parameter.
        self.open, self.uses_parameters = set(), False

    def note(self, node):
        if isinstance(node, FUNCTIONS):
            self.functions.setdefault(node.name, []).append(node)
        elif isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.NamedExpr)):
            for target in getattr(node, "targets", None) or [node.target]:
                self.bind(target, node.value)
        elif isinstance(node, (ast.For, ast.AsyncFor, ast.comprehension)):
            self.bind(node.target, node.iter)
        elif isinstance(node, ast.withitem) and node.optional_vars is not None:
            self.bind(node.optional_vars, node.context_expr)

    def bind(self, target, value):
        for part in ast.walk(target):
            if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
                self.values.setdefault(part.id, []).append(value)
            elif isinstance(part, ast.Attribute) and isinstance(part.ctx, ast.Store):
                self.left_with.setdefault(part.attr, []).append(value)
            elif isinstance(part, ast.Subscript) and isinstance(part.ctx, ast.Store):
                self.changed.add(root(part))

    def are_here(self, lines):
        """Whether what is passed on the first of these lines is settled, each of which the next calls: where that is a
        parameter, by what is passed there."""
        for line in lines:
            self.uses_parameters = False
            if not all(map(self.is_settled, self.passed(line))):
                return False
            if not self.uses_parameters:
                return True
        return True

    def passed(self, line):
        """What the innermost statement of a line passes to what it calls."""
        around = [one for one in self.statements if one.lineno <= line <= one.end_lineno]
        statement = max(around, key=lambda one: (one.lineno, one.col_offset), default=None)
        for node in of_statement(statement) if statement is not None else ():
            if isinstance(node, ast.Call):
                yield from (*node.args, *(keyword.value for keyword in node.keywords))

    def is_settled(self, node, in_function=True):
        """Whether an expression is. A parameter is what the lines that call its function pass; it is not where an
        object was left with it."""
        if node is None or isinstance(node, ast.Lambda):
            return True
        if isinstance(node, ast.Name):
            return self.is_settled_name(node.id, in_function)
        if isinstance(node, ast.Attribute):
            return self.is_settled_attribute(node)
        if isinstance(node, ast.Subscript):
            is_fixed = isinstance(node.slice, ast.Constant) and root(node) not in self.changed
            return is_fixed and self.is_settled(node.value, in_function)
        if isinstance(node, ast.Call):
            passed = (*node.args, *(keyword.value for keyword in node.keywords))
            return self.gives_settled(node.func) and all(self.is_settled(part, in_function) for part in passed)
        if isinstance(node, COMPREHENSIONS):
            made = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
            return all(map(self.is_settled, (*made, *(part.iter for part in node.generators))))
        parts = (part for part in ast.iter_child_nodes(node) if isinstance(part, ast.expr))
        return isinstance(node, PARTS) and all(self.is_settled(part, in_function) for part in parts)

    def is_settled_class(self, name):
        """Whether all class statements of a name hold what is settled."""
        found = [node for node in self.nodes if isinstance(node, ast.ClassDef) and node.name == name]
        return all(map(self.is_settled_statement, found))

    def is_settled_statement(self, node):
        """The same of one in the body of a class."""
        if isinstance(node, ast.ClassDef):
            given = (*node.bases, *(keyword.value for keyword in node.keywords))
            return all(map(self.is_settled, given)) and all(map(self.is_settled_statement, self.bodies[node]))
        if isinstance(node, FUNCTIONS):
            defaults = (*node.args.defaults, *filter(None, node.args.kw_defaults))
            return all(map(self.is_settled_decorator, node.decorator_list)) and all(map(self.is_settled, defaults))
        if isinstance(node, (ast.Assign, ast.AnnAssign)):
            return self.is_settled(node.value)
        return isinstance(node, ast.Pass) or isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)

    def is_settled_decorator(self, node):
        is_usual = getattr(node, "attr", getattr(node, "id", None)) in DECORATORS
        return is_usual or root(node) in self.imported and self.is_settled(node)

    def is_settled_name(self, name, in_function):
        if name in self.open:
            return True
        if name not in self.values:
            is_parameter = name in self.parameters
            self.uses_parameters |= is_parameter
            is_known = name in self.functions or name in self.classes or name in self.imported
            return in_function or not is_parameter and (is_known or hasattr(builtins, name))
        self.open.add(name)
        try:
            return name not in self.changed and all(map(self.is_settled, self.values[name]))
        finally:
            self.open.discard(name)

    def is_settled_attribute(self, node):
        """What an object was left with may come from any call."""
        if root(node) in self.imported:
            return True
        return all(self.is_settled(value, False) for value in self.left_with.get(node.attr, ()))

    def gives_settled(self, function):
        """Whether what is called gives the same kind of thing in any case."""
        if isinstance(function, ast.Attribute) and function.attr not in self.functions:
            return root(function) in self.imported or self.is_candidates(root(function))
        name = getattr(function, "attr", getattr(function, "id", None))
        own = self.functions.get(name, ())
        return name is not None and all(map(self.is_straight, own)) and (bool(own) or name not in self.values)

    def is_candidates(self, name):
        """Whether a name is not the test code's, so that what its methods give is the candidate's."""
        known = name in self.values or name in self.functions or name in self.classes
        return name is not None and not known and not hasattr(builtins, name)

    def is_straight(self, function):
        """Whether one of the test code's functions gives what one settled expression makes."""
        if function.decorator_list:
            return False
        returns = [node for node in ast.walk(function) if isinstance(node, ast.Return)]
        return all(
            self.is_certain([node.lineno]) and self.is_settled(node.value) for node in returns)


def root(node):
    """The name at which a chain of members begins."""
    while isinstance(node, (ast.Attribute, ast.Subscript, ast.Call)):
        node = node.func if isinstance(node, ast.Call) else node.value
    return getattr(node, "id", None)


def of_statement(statement):
    """A statement's own expressions, those of the statements in it left out."""
    nodes = [statement]
    while nodes:
        node = nodes.pop()
        yield node
        nodes.extend(part for part in ast.iter_child_nodes(node) if not isinstance(part, ast.stmt))
