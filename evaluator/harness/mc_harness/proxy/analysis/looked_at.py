"""What test code looks at as at a value: an attribute that a method of plain data has the name of is none of plain
data's then."""

import ast

from ...names import called

# Functions of which nobody asks what a method is.
READING = frozenset(
    "abs all any dict enumerate float frozenset int len list max min range reversed round set sorted str sum tuple zip"
    .split()
)
MADE_OF = (
    ast.Assert, ast.Attribute, ast.BinOp, ast.BoolOp, ast.Compare, ast.Dict, ast.FormattedValue, ast.IfExp, ast.List,
    ast.ListComp, ast.GeneratorExp, ast.Set, ast.SetComp, ast.Tuple, ast.UnaryOp,
)


def names_looked_at(tree):
    """The names of attributes that are looked at so somewhere, and called nowhere."""
    nodes = list(ast.walk(tree))
    called_names = {node.func.attr for node in nodes if isinstance(getattr(node, "func", None), ast.Attribute)}
    return {part.attr for node in nodes for part in looked_at(node) if isinstance(part, ast.Attribute)} - called_names


def looked_at(node):
    """The parts of a node that it makes something of."""
    if isinstance(node, ast.Call):
        is_reading = called(node) in READING or str(called(node)).startswith("assert")
        return node.args if is_reading else ()
    if isinstance(node, (ast.For, ast.comprehension)):
        return [node.iter]
    if isinstance(node, ast.Subscript):
        return [node.value]
    return ast.iter_child_nodes(node) if isinstance(node, MADE_OF) else ()
