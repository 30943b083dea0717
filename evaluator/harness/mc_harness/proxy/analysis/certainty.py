"""Which places of test code it comes to whatever its candidate answers.

A candidate can lead test code down a branch that only wrong answers take. What goes wrong there is no doing of the
problem's, though it goes wrong with every stand-in of a dry run: no stand-in gives the right answer. How an answer
gets into a condition can be hidden in many ways, so nothing is made of that: a place is certain only if the syntax
around it, and around each call that leads to it, has no condition but one that is fixed.
"""

import ast

from ...names import called
from .faults import FUNCTIONS, bound_by, end_of_runner, imported

LOOPS = (ast.For, ast.AsyncFor, ast.While)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
# What is the same in every run: as names, and as attributes of modules.
FIXED = {"__name__", "TYPE_CHECKING"}
FIXED_MEMBERS = {"sys.version_info", "sys.platform", "os.name", "typing.TYPE_CHECKING"}
# Calls that are fixed if what they are given is.
PURE = {"enumerate", "len", "list", "range", "reversed", "sorted", "tuple", "zip"}
# Calls that may not come to the end of what they are given.
LAZY = {"all", "any", "defaultdict", "filter", "map", "next"}
# Methods that are called where a lookup finds nothing.
MISSING = {"__getattr__", "__missing__"}
# Contexts that swallow no exception.
OPEN_CONTEXTS = {
    "NamedTemporaryFile", "TemporaryDirectory", "catch_warnings", "closing", "localcontext", "nullcontext", "object",
    "open", "patch", "redirect_stderr", "redirect_stdout", "subTest",
}


class Certainty:
    def __init__(self, tree):
        self.nodes = list(ast.walk(tree))
        self.open_contexts = OpenContexts(tree, self.nodes)
        self.fixed = FIXED | self.constants()
        self.may_be_caught = any(hasattr(node, "handlers") or hasattr(node, "items") for node in self.nodes)
        # Ranges of lines, and expressions, that it may not come to; and those from which what is called may not come
        # to its end, unseen.
        self.ranges, self.expressions, self.calls = [], [], []
        for node in self.nodes:
            self.expressions.extend(self.optional(node))
            if isinstance(node, (ast.Module, *FUNCTIONS, ast.ClassDef)):
                self.leaves(node.body, False)
            if isinstance(node, FUNCTIONS) and node.lineno > self.open_contexts.end_of_runner:
                self.ranges.extend(behind_yield(node))
                self.ranges.extend([(node.lineno, node.end_lineno)] if node.name in MISSING else ())

    def comes_to(self, lines, name=None):
        """Whether it comes to these lines, each of which calls the next, and there to an expression that calls
        something, or uses the `name`."""
        if lies_in(lines, self.ranges) or lies_in(lines[1:], self.calls):
            return False
        return not any(
            expression.lineno <= line <= expression.end_lineno and does(expression, name)
            for line in lines for expression in self.expressions)

    def constants(self):
        """The names that are bound once, to what is written there, and never used but to go through it: what else has
        them could change what they stand for."""
        bound = [name for node in self.nodes for name in bound_by(node)]
        bound += [node.arg for node in self.nodes if isinstance(node, ast.arg)]
        uses = [node.id for node in self.nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)]
        gone_through = [name for node in self.nodes for name in iterated(getattr(node, "iter", None))]
        return {
            node.targets[0].id for node in self.nodes
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and is_literal(node.value)
            and bound.count(node.targets[0].id) == 1
            and uses.count(node.targets[0].id) == gone_through.count(node.targets[0].id)}

    def is_fixed(self, node):
        if isinstance(node, ast.Name):
            return node.id in self.fixed
        if isinstance(node, ast.Attribute):
            return ast.unparse(node) in FIXED_MEMBERS
        if isinstance(node, ast.Call):
            return called(node) in PURE and not node.keywords and all(map(self.is_fixed, node.args))
        plain = (ast.Constant, ast.List, ast.Tuple, ast.Dict, ast.Set, ast.Compare, ast.UnaryOp, ast.BoolOp, ast.BinOp)
        return isinstance(node, (*plain, ast.Starred, ast.Slice, ast.Subscript)) and all(
            self.is_fixed(part) for part in ast.iter_child_nodes(node) if isinstance(part, ast.expr))

    def leaves(self, block, is_optional):
        """Note what of a block it may not come to, which may be all of it if the block `is_optional`. How the block may
        be left before its end: "loop" for no further than a loop's body."""
        left = set()
        for statement in block:
            if left:
                self.ranges.append((statement.lineno, block[-1].end_lineno))
                is_optional = True
            left |= self.left_by(statement, is_optional)
        return left

    def left_by(self, statement, is_optional):
        if isinstance(statement, (*FUNCTIONS, ast.ClassDef)):
            return set()
        if not blocks_of(statement):
            return self.way_out(statement) if is_optional else set()
        left = set()
        for block in blocks_of(statement):
            within = self.is_optional(statement, block)
            if within:
                # What comes first where exceptions are caught, it comes to.
                begun = block[1:] if is_guarded(statement, block) else block
                self.calls.append((block[0].lineno, block[0].end_lineno))
                self.ranges.extend((part.lineno, part.end_lineno) for part in begun)
            left |= self.leaves(block, is_optional or within)
        return left - {"loop"} if isinstance(statement, LOOPS) else left

    def is_optional(self, statement, block):
        """Whether it may not come to all of a block of a statement."""
        if isinstance(statement, (ast.If, ast.While)):
            return not self.is_fixed(statement.test)
        if isinstance(statement, (ast.For, ast.AsyncFor)):
            return block is not statement.body or not self.is_fixed(statement.iter)
        if hasattr(statement, "items"):
            return not all(item.context_expr in self.open_contexts for item in statement.items)
        # Of a `try`, what comes at its end is done in any case.
        return block is not getattr(statement, "finalbody", None)

    def way_out(self, statement):
        """How a simple statement may leave its block: a call may end the program, and an exception be caught."""
        if isinstance(statement, (ast.Break, ast.Continue)):
            return {"loop"}
        if isinstance(statement, (ast.Raise, ast.Assert)):
            return {"function"} if self.may_be_caught else set()
        leaves = isinstance(statement, ast.Return) or any(isinstance(node, ast.Call) for node in ast.walk(statement))
        return {"function"} if leaves else set()

    def optional(self, node):
        """The parts of an expression that it may not come to, or what of it tells which function is called."""
        if isinstance(node, ast.IfExp) and not self.is_fixed(node.test):
            yield from (node.body, node.orelse)
        elif isinstance(node, ast.BoolOp):
            yield from node.values[1:]
        elif isinstance(node, ast.Compare):
            yield from node.comparators[1:]
        elif isinstance(node, ast.Assert) and node.msg is not None:
            yield node.msg
        elif isinstance(node, COMPREHENSIONS):
            is_whole = all(self.is_fixed(part.iter) and not part.ifs for part in node.generators)
            if isinstance(node, ast.GeneratorExp) or not is_whole:
                yield node
        elif isinstance(node, ast.Call) and (called(node) in LAZY or not is_reference(node.func)):
            yield node


class OpenContexts:
    """The contexts that swallow no exception, by their names: those of nothing that is the candidate's, and for which
    the tests have no others."""

    def __init__(self, tree, nodes):
        self.end_of_runner = end_of_runner(tree)
        bound = {name for node in nodes for name in bound_by(node)}
        own = (node for node in nodes if getattr(node, "lineno", 0) > self.end_of_runner)
        self.names = OPEN_CONTEXTS.difference(name for node in own for name in bound_by(node))
        self.homes = imported(tree) | bound | {node.arg for node in nodes if isinstance(node, ast.arg)}

    def __contains__(self, expression):
        home = getattr(expression, "func", None)
        while isinstance(home, ast.Attribute):
            home = home.value
        is_known = home is getattr(expression, "func", None) or getattr(home, "id", None) in self.homes
        return called(expression) in self.names and is_known


def behind_yield(function):
    """The lines of a generator that are come to only if it is asked to go on."""
    yields = [node.end_lineno for node in ast.walk(function) if isinstance(node, (ast.Yield, ast.YieldFrom))]
    if yields and min(yields) < function.end_lineno:
        yield min(yields) + 1, function.end_lineno


def lies_in(lines, ranges):
    return any(first <= line <= last for line in lines for first, last in ranges)


def is_guarded(statement, block):
    """Whether a block is what a `try` or `with` is for."""
    guards = hasattr(statement, "handlers") or hasattr(statement, "items")
    return guards and block is statement.body and not blocks_of(block[0])


def blocks_of(statement):
    """The blocks of a compound statement, those that are empty apart."""
    blocks = [getattr(statement, field, None) for field in ("body", "orelse", "finalbody")]
    parts = [*getattr(statement, "handlers", ()), *getattr(statement, "cases", ())]
    return [block for block in (*blocks, *(part.body for part in parts)) if block]


def does(expression, name):
    """Whether an expression uses a name, or, without one, calls something."""
    nodes = list(ast.walk(expression))
    if name is not None:
        return any(isinstance(node, ast.Name) and node.id == name for node in nodes)
    return any(isinstance(node, (ast.Call, ast.Attribute, ast.Subscript)) for node in nodes)


def iterated(node):
    """The names of what is gone through, where that is all that is done with them."""
    if isinstance(node, ast.Name):
        yield node.id
    elif called(node) in PURE:
        for part in node.args:
            yield from iterated(part)


def is_reference(function):
    """Whether it is written which function is called: by a name, or as a member of something."""
    return isinstance(function, (ast.Name, ast.Attribute))


def is_literal(node):
    try:
        ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return False
    return True
