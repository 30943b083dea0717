"""Test code that is shown all that a candidate did to its arguments, after it has passed without that.

What it then expects of results may be made of changed arguments, and a right program may change them: what it asserts
of results was found to hold, and is not asked again. What it asserts of the arguments alone is.
"""

import ast

from .in_place import inspected


def of_arguments(source, function):
    """Test code whose assertions about results do not count, as a tree."""
    inspection, origins = inspected(source, function)
    asserted = {place(node) for node in inspection.nodes if is_assertion(node) and speaks_of_results(node, origins)}
    return ast.fix_missing_locations(Forgiving(asserted).visit(ast.parse(source)))


def is_assertion(node):
    call = getattr(node, "value", None)
    name = getattr(call, "func", None)
    name = getattr(name, "attr", getattr(name, "id", ""))
    return isinstance(node, ast.Assert) or isinstance(node, ast.Expr) and name.startswith("assert")


def speaks_of_results(node, origins):
    return any(origins.is_result(part) for part in ast.walk(node) if isinstance(part, ast.expr))


def place(node):
    return node.lineno, node.col_offset


class Forgiving(ast.NodeTransformer):
    def __init__(self, places):
        self.places = places

    def generic_visit(self, node):
        node = super().generic_visit(node)
        if not isinstance(node, ast.stmt) or place(node) not in self.places:
            return node
        forgiven = ast.ExceptHandler(ast.Name("Exception", ast.Load()), None, [ast.Pass()])
        return ast.copy_location(ast.Try([node], [forgiven], [], []), node)
