"""Test code in a plainer form that asserts the same: one thing at a time, and without messages, as of what these are
made decides nothing."""

import ast

from ...names import called
from .faults import BEGIN, FUNCTIONS

# Behind how many arguments unittest's assertions take a message.
BEHIND = {"assert" + name: behind for name, behind in {
    **dict.fromkeys(("True", "False", "IsNone", "IsNotNone"), 1),
    **dict.fromkeys(("AlmostEqual", "NotAlmostEqual"), 3),
    **dict.fromkeys(
        "Equal NotEqual Is IsNot In NotIn Greater GreaterEqual Less LessEqual ListEqual TupleEqual SetEqual DictEqual "
        "CountEqual MultiLineEqual SequenceEqual Regex NotRegex IsInstance NotIsInstance".split(), 2),
}.items()}
# What only says what something is.
SAYING = ("str", "repr", "len", "type", "format", "join")


def simplified(source):
    """The tree of what runs the tests as it stands, and that of the tests in such a form."""
    body = ast.parse(source).body
    texts = (getattr(getattr(node, "value", None), "value", None) for node in body)
    first = next((place for place, text in enumerate(texts) if text == BEGIN), 0)
    before, tests = ast.Module(body[:first], []), ast.Module(body[first:], [])
    own = {node.name for node in ast.walk(tests) if isinstance(node, FUNCTIONS)}
    return before, Simplified(own).visit(tests)


class Simplified(ast.NodeTransformer):
    """Of test code that has functions of its `own` of these names."""

    def __init__(self, own):
        self.own = own

    def visit_Assign(self, node):
        """One thing is bound after the other, where none is made of another's name."""
        self.generic_visit(node)
        pairs = in_parts([*node.targets, node.value]) if len(node.targets) == 1 else []
        named = {part.id for part in ast.walk(node.targets[0]) if isinstance(part, ast.Name)}
        used = {part.id for part in ast.walk(node.value) if isinstance(part, ast.Name)}
        if len(pairs) < 2 or named & used or not all(isinstance(target, ast.Name) for target, _ in pairs):
            return node
        return [ast.copy_location(ast.Assign([target], value), node) for target, value in pairs]

    def visit_Assert(self, node):
        self.generic_visit(node)
        message = None if self.says_only(node.msg) else node.msg
        return [ast.copy_location(ast.Assert(part, message), node) for part in asserted_in(node.test)]

    def visit_Expr(self, node):
        self.generic_visit(node)
        call = node.value
        if is_of_attribute(call, "setattr", (3,)):
            target = ast.copy_location(ast.Attribute(call.args[0], call.args[1].value, ast.Store()), call)
            return ast.copy_location(ast.Assign([target], call.args[2]), node)
        if not self.is_assertion(call) or called(call) not in ("assertEqual", "assertTupleEqual", "assertListEqual"):
            return node
        return [
            ast.copy_location(ast.Expr(ast.copy_location(ast.Call(call.func, sides, call.keywords), call)), node)
            for sides in in_parts(call.args)]

    def visit_Call(self, node):
        """What a message calls counts, for what that does."""
        self.generic_visit(node)
        if is_of_attribute(node, "getattr", (2, 3)):
            return ast.copy_location(ast.Attribute(node.args[0], node.args[1].value, ast.Load()), node)
        if not self.is_assertion(node):
            return node
        behind = BEHIND[called(node)]
        args = [*node.args[:behind], *(part for part in node.args[behind:] if not self.says_only(part))]
        keywords = [part for part in node.keywords if part.arg != "msg" or not self.says_only(part.value)]
        return ast.copy_location(ast.Call(node.func, args, keywords), node)

    def is_assertion(self, node):
        """Whether a node calls one of unittest's."""
        is_method = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
        return is_method and called(node) in BEHIND and called(node) not in self.own

    def says_only(self, message):
        calls = (part for part in ast.walk(message) if isinstance(part, ast.Call)) if message is not None else ()
        return all(called(part) in SAYING and called(part) not in self.own for part in calls)


def is_of_attribute(node, function, counts):
    """Whether a node calls a function that is for attributes, with so many arguments and a name written there."""
    is_call = isinstance(node, ast.Call) and getattr(node.func, "id", None) == function and not node.keywords
    name = node.args[1] if is_call and len(node.args) in counts else None
    return isinstance(name, ast.Constant) and str(name.value).isidentifier()


def asserted_in(test):
    """The parts of what is asserted, all of which have to hold."""
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
        return [part for one in test.values for part in asserted_in(one)]
    if isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], ast.Eq):
        pairs = in_parts([test.left, *test.comparators])
        return [ast.copy_location(ast.Compare(left, test.ops, [right]), test) for left, right in pairs]
    return [test]


def in_parts(sides):
    """The sides of the comparisons that a comparison of two tuples or lists comes to, as they are written."""
    is_pair = len(sides) == 2 and type(sides[0]) is type(sides[1]) and isinstance(sides[0], (ast.Tuple, ast.List))
    if not is_pair or not 0 < len(sides[0].elts) == len(sides[1].elts):
        return [sides]
    pairs = list(map(list, zip(sides[0].elts, sides[1].elts)))
    return [sides] if any(isinstance(part, ast.Starred) for pair in pairs for part in pair) else pairs
