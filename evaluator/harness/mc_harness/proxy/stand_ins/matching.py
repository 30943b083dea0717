"""Patterns of classes in test code: `case Point(x=0)` needs a class, where a stand-in for the candidate's is none."""

import ast

from .named import Function

MATCHED = "_matched"


class Matching(type):
    """A class that has the instances of the candidate's for which `stand_in` stands."""

    def __instancecheck__(cls, value):
        return isinstance(value, cls.stand_in)

    @property
    def __match_args__(cls):
        return tuple(cls.stand_in.__match_args__)


def matched(value):
    """What stands for a class in a pattern."""
    if issubclass(type(value), Function):
        return Matching("Matched", (), {"stand_in": value})
    return value


class Patterns(ast.NodeTransformer):
    """Has each class of a pattern looked up before, under a name of its own."""

    def __init__(self):
        self.count = 0

    def visit_Match(self, node):  # noqa: N802
        self.generic_visit(node)
        patterns = [part for case in node.cases for part in ast.walk(case.pattern) if isinstance(part, ast.MatchClass)]
        return [*map(self.looked_up, patterns), node]

    def looked_up(self, pattern):
        self.count += 1
        name = "%s_%d" % (MATCHED, self.count)
        value = ast.Call(ast.Name(MATCHED, ast.Load()), [pattern.cls], [])
        found = ast.Assign([ast.Name(name, ast.Store())], value)
        pattern.cls = ast.copy_location(ast.Name(name, ast.Load()), pattern.cls)
        return ast.fix_missing_locations(ast.copy_location(found, pattern))
