"""Test code that asks whether one object of the candidate's is another: it holds stand-ins, of which two may stand for
the same."""

import ast

from .remote import Guarded, computed

SAME = "_is_same"


def is_same(a, b):
    if issubclass(type(a), Guarded) and issubclass(type(b), Guarded):
        return a._remote_link.operate("is_", computed(a._remote_chain), a, b)
    return a is b


def with_identity(code, source, namespace):
    """The test code's code with `is` replaced where both sides may be objects."""
    if b" is " not in source:
        return code
    tree, transformer = ast.parse(source), Transformer()
    tree = ast.fix_missing_locations(transformer.visit(tree))
    if not transformer.changed:
        return code
    namespace[SAME] = is_same
    return compile(tree, code.co_filename, "exec", 0, True)


class Transformer(ast.NodeTransformer):
    changed = False

    def visit_Compare(self, node):  # noqa: N802
        self.generic_visit(node)
        sides = [node.left, *node.comparators]
        if len(sides) != 2 or not isinstance(node.ops[0], (ast.Is, ast.IsNot)):
            return node
        if any(isinstance(side, ast.Constant) for side in sides):
            return node
        self.changed = True
        same = ast.Call(ast.Name(SAME, ast.Load()), sides, [])
        return ast.copy_location(same if isinstance(node.ops[0], ast.Is) else ast.UnaryOp(ast.Not(), same), node)
