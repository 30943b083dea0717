"""Test code that is shown all that a candidate did to its arguments, after it has passed without that.

Where it computes what it expects of a result from arguments that were changed, that is not asked again: a right program
may change them, and its results were found to hold. All else it asserts has to hold here too.
"""

import ast

from .certainty import called
from .in_place import inspected


def where_shown(source, functions):
    """Test code as a tree, in which assertions do not count that compare what these functions give with what is made of
    their arguments."""
    tree = Apart().visit(ast.parse(source))
    excused = set().union(*(excused_of(tree, function) for function in functions))
    return ast.fix_missing_locations(Forgiving(excused).visit(tree))


def excused_of(tree, function):
    inspection, origins = inspected(tree, function)
    is_unseen = not origins.are_followed() or origins.may_meet()
    is_excused = speaks_of_results if is_unseen else compares_with_arguments
    return {node for node in inspection.nodes if is_assertion(node) and is_excused(node, origins)}


def is_assertion(node):
    return isinstance(node, ast.Assert) or called_by_name(node).startswith("assert")


def called_by_name(node):
    """The name of what a statement calls, and does no more."""
    call = node.value if isinstance(node, ast.Expr) else None
    name = getattr(call, "func", None)
    return getattr(name, "attr", getattr(name, "id", ""))


def speaks_of_results(node, origins):
    return any(origins.is_result(part) for part in ast.walk(node) if isinstance(part, ast.expr))


def compares_with_arguments(node, origins):
    return any(origins.meets(part) for part in ast.walk(node) if not denies(part))


def denies(node):
    """Whether a node only says of things that they are not the same."""
    if isinstance(node, ast.Compare):
        return all(isinstance(one, (ast.NotEq, ast.IsNot)) for one in node.ops)
    return isinstance(node, ast.Call) and called(node) in ("assertNotEqual", "assertIsNot")


class Apart(ast.NodeTransformer):
    """What is asserted together, asserted one by one: `assert a and b`."""

    def visit_Assert(self, node):
        return [ast.copy_location(ast.Assert(part, node.msg), part) for part in conjuncts(node.test)]

    def visit_Expr(self, node):
        if called_by_name(node) != "assertTrue" or not node.value.args:
            return node
        call, (test, *more) = node.value, node.value.args
        calls = (ast.Call(call.func, [part, *more], call.keywords) for part in conjuncts(test))
        return [ast.copy_location(ast.Expr(one), node) for one in calls]


def conjuncts(test):
    """The conditions which all have to hold for this one to do so."""
    if not isinstance(test, ast.BoolOp) or not isinstance(test.op, ast.And):
        return [test]
    return [part for value in test.values for part in conjuncts(value)]


class Forgiving(ast.NodeTransformer):
    def __init__(self, excused):
        self.excused = excused

    def visit(self, node):
        is_excused = node in self.excused
        node = super().visit(node)
        if not is_excused:
            return node
        forgiven = ast.ExceptHandler(ast.Name("Exception", ast.Load()), None, [ast.Pass()])
        return ast.copy_location(ast.Try([node], [forgiven], [], []), node)
