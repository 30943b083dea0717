"""Which places of test code it comes to whatever its candidate answers.

A candidate can lead test code down a branch that only wrong answers take. What goes wrong there is no doing of the
problem's, though it goes wrong with every stand-in of a dry run: no stand-in gives the right answer. So it is read off
the test code which names hold what comes from the candidate, and which lines and expressions depend on those. Names are
not told apart by their scopes, and what is in doubt depends on the candidate.
"""

import ast
import builtins

from .faults import FUNCTIONS, bound_by, imported

SCOPES = (*FUNCTIONS, ast.ClassDef, ast.Lambda)
LOOPS = (ast.For, ast.AsyncFor, ast.While)
# Calls that end a program.
ENDING = {"exit", "quit", "_exit", "SystemExit"}


class Certainty:
    def __init__(self, tree):
        self.nodes = list(ast.walk(tree))
        self.functions = {node.name: node for node in self.nodes if isinstance(node, FUNCTIONS)}
        self.theirs = self.names_of_theirs(imported(tree))
        # Ranges of lines, and expressions, that it comes to after some answers only.
        self.ranges, self.expressions = [], []
        for node in self.nodes:
            self.expressions.extend(self.chosen(node))
        for scope in self.nodes:
            if isinstance(scope, (ast.Module, *FUNCTIONS, ast.ClassDef)):
                self.leaves(scope.body, False)

    def comes_to(self, lines, name=None):
        """Whether it comes to these lines, each of which calls the next, and there to an expression that calls
        something, or uses the `name`."""
        return not any(first <= line <= last for line in lines for first, last in self.ranges) and not any(
            expression.lineno <= line <= expression.end_lineno and does(expression, name)
            for line in lines for expression in self.expressions)

    def names_of_theirs(self, imports):
        """What holds something of the candidate's, but for these."""
        parameters = {name for node in self.nodes if isinstance(node, SCOPES) for name in parameters_of(node)}
        bound = {name for node in self.nodes for name in bound_by(node)} | imports | parameters
        called = {node.func.id for node in self.nodes if is_call_by_name(node)}
        theirs = {"candidate"} | loaded_in(self.nodes) - bound - set(dir(builtins))
        for name, function in self.functions.items():
            if name not in called:
                # By a runner, or by what it is handed to.
                theirs.update(parameters_of(function) - {"self", "cls"})
        before = None
        while before != len(theirs):
            before = len(theirs)
            for node in self.nodes:
                theirs.update(self.spread(node, theirs))
        return theirs

    def spread(self, node, theirs):
        """The names that a node makes hold what comes from the candidate, if these do."""
        source, targets = flow(node)
        if source is not None and mentions(source, theirs):
            for target in targets:
                yield from names_in(target)
        if isinstance(node, (*FUNCTIONS, ast.ClassDef)) and any(mentions(part, theirs) for part in node.body):
            yield node.name
        if hasattr(node, "handlers") and any(mentions(part, theirs) for part in node.body):
            yield from (handler.name for handler in node.handlers if handler.name)
        if isinstance(node, ast.Call):
            yield from self.spread_by_call(node, theirs)

    def spread_by_call(self, call, theirs):
        given = [*call.args, *(keyword.value for keyword in call.keywords)]
        if any(mentions(one, theirs) for one in given):
            # To the parameters of what is called, or handed over; and to what a method is called of: `found.append(y)`.
            for one in (call.func, *given):
                if isinstance(one, ast.Name) and one.id in self.functions:
                    yield from parameters_of(self.functions[one.id])
            if isinstance(call.func, ast.Attribute):
                yield from base_of(call.func)
        if mentions(call.func, theirs):
            # It may change its arguments.
            for one in given:
                yield from base_of(one)

    def depends(self, *nodes):
        return any(mentions(node, self.theirs) for node in nodes)

    def leaves(self, block, is_chosen):
        """Note what of a block depends on answers, which the block itself does if it `is_chosen`. How it may be left
        before its end, after some answers: "loop" for no further than a loop's body."""
        left = set()
        for statement in block:
            if left:
                self.ranges.append((statement.lineno, block[-1].end_lineno))
                is_chosen = True
            left |= self.left_by(statement, is_chosen)
        return left

    def left_by(self, statement, is_chosen):
        if isinstance(statement, (*FUNCTIONS, ast.ClassDef)):
            return set()
        if not blocks_of(statement):
            return way_out(statement) if is_chosen else set()
        left = set()
        for block in blocks_of(statement):
            within = self.is_chosen(statement, block)
            if within:
                self.ranges.append((block[0].lineno, block[-1].end_lineno))
            left |= self.leaves(block, is_chosen or within)
        return left - {"loop"} if isinstance(statement, LOOPS) else left

    def is_chosen(self, statement, block):
        """Whether a block of a statement is come to after some answers only."""
        if isinstance(statement, (ast.If, ast.While)):
            return self.depends(statement.test)
        if isinstance(statement, (ast.For, ast.AsyncFor)):
            return block is statement.body and self.depends(statement.iter)
        if hasattr(statement, "handlers"):
            is_handler = any(block is handler.body for handler in statement.handlers)
            return is_handler and self.depends(*statement.body)
        return hasattr(statement, "cases") and self.depends(statement.subject)

    def chosen(self, node):
        """The parts of an expression that it comes to after some answers only."""
        if isinstance(node, ast.IfExp) and self.depends(node.test):
            yield from (node.body, node.orelse)
        elif isinstance(node, ast.BoolOp):
            first = next((place for place, value in enumerate(node.values) if self.depends(value)), len(node.values))
            yield from node.values[first + 1:]
        elif isinstance(node, ast.Assert) and node.msg is not None and self.depends(node.test):
            yield node.msg
        elif isinstance(node, (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp)):
            if any(self.depends(part.iter, *part.ifs) for part in node.generators):
                yield from (node.key, node.value) if isinstance(node, ast.DictComp) else (node.elt,)


def blocks_of(statement):
    """The blocks of a compound statement, those that are empty apart."""
    blocks = [getattr(statement, field, None) for field in ("body", "orelse", "finalbody")]
    parts = [*getattr(statement, "handlers", ()), *getattr(statement, "cases", ())]
    return [block for block in (*blocks, *(part.body for part in parts)) if block]


def way_out(statement):
    """How a simple statement leaves its block. An exception is no way out: the program has failed then."""
    if isinstance(statement, ast.Return) or any(is_ending(node) for node in ast.walk(statement)):
        return {"function"}
    return {"loop"} if isinstance(statement, (ast.Break, ast.Continue)) else set()


def is_ending(node):
    return isinstance(node, (ast.Name, ast.Attribute)) and getattr(node, "id", getattr(node, "attr", None)) in ENDING


def does(expression, name):
    """Whether an expression uses a name, or, without one, calls something."""
    if name is not None:
        return name in set(names_in(expression))
    return any(isinstance(node, (ast.Call, ast.Attribute, ast.Subscript)) for node in ast.walk(expression))


def flow(node):
    """An expression that a node takes a value from, and where that goes."""
    if isinstance(node, ast.Assign):
        return node.value, node.targets
    if isinstance(node, (ast.AugAssign, ast.AnnAssign, ast.NamedExpr)):
        return node.value, [node.target]
    if isinstance(node, (ast.For, ast.AsyncFor, ast.comprehension)):
        return node.iter, [node.target]
    if isinstance(node, ast.withitem):
        return node.context_expr, [node.optional_vars] if node.optional_vars else []
    if hasattr(node, "cases"):
        return node.subject, [case.pattern for case in node.cases]
    return None, []


def mentions(node, names):
    return not names.isdisjoint(names_in(node))


def names_in(node):
    for part in ast.walk(node):
        if isinstance(part, ast.Name):
            yield part.id
        else:
            # Those of patterns, of handlers, and of what is defined.
            yield from bound_by(part)


def base_of(node):
    """The name that something is a part of."""
    while isinstance(node, (ast.Attribute, ast.Subscript, ast.Starred)):
        node = node.value
    return (node.id,) if isinstance(node, ast.Name) else ()


def parameters_of(scope):
    arguments = getattr(scope, "args", None)
    if arguments is None:
        return set()
    listed = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]
    return {one.arg for one in listed if one is not None}


def is_call_by_name(node):
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name)


def loaded_in(nodes):
    return {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
