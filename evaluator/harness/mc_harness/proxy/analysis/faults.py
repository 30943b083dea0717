"""Which exceptions of test code are its own doing, whatever its candidate is.

The candidate may bring one about that looks so: by its text in a message, or by an answer for which the test code binds
no name. So an exception is known by its place too, and one over a name is the test code's own only where nothing that
ran before would have bound that name.
"""

import ast
import re
import sys
from functools import cached_property

from mc_sandbox.script import FILE_NAME

from ...encoding import type_name
from ...names import all_parts
from ..wire.channel import MESSAGE
from ..wire.described import blame_of

# Exceptions that do not come of what a candidate's values are.
OWN = (NameError, ImportError, OSError)
QUOTED = re.compile(r"'([^']*)'")
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
MODULE = 1
# What stands between what runs tests in the manner of pytest, which is put before them, and these: see
# `readers/pytest.rs`.
BEGIN = "The tests begin here."
# Other names of OSError.
ALIASES = {"IOError", "EnvironmentError"}


def described(error):
    """An exception as a line for people."""
    try:
        message = str(error)
    except Exception:
        message = ""
    return ("%s: %s" % (type_name(error), message) if message else type_name(error))[:MESSAGE]


def reported(error, source):
    """The same, of a bare assertion with what its first line says in the source of the test code."""
    text, lines = described(error), [line for _, line in trace(error)]
    if text != "AssertionError" or not lines:
        return text
    _, keyword, asserted = source.splitlines()[lines[-1] - 1].decode("utf-8", "replace").partition("assert ")
    return ("%s: %s%s" % (text, keyword, asserted.strip()))[:MESSAGE] if keyword else text


def placed(error):
    """The same with its place, if it may be the test code's own doing."""
    if not isinstance(error, OWN) or blame_of(error) is not None:
        return None
    lines = [line for _, line in trace(error)]
    return "%d: %s" % (lines[-1] if lines else 0, described(error))


def steps(error):
    """The test code's part of an exception's traceback."""
    step = error.__traceback__
    while step is not None:
        if step.tb_frame.f_code.co_filename == FILE_NAME:
            yield step
        step = step.tb_next


def trace(error):
    """The test code's functions, by their first lines, and its lines that an exception came through."""
    return ((step.tb_frame.f_code.co_firstlineno, step.tb_lineno) for step in steps(error))


def is_by(code, error):
    """Whether `code` itself raised an exception, or had one of those do so that are there to leave: not text that is
    evaluated, or data that a library brings to life, which may be an answer of the candidate's."""
    own, step, after = set(all_parts(code)), error.__traceback__.tb_next, None
    while step is not None:
        passed = step.tb_frame.f_code
        if passed in own:
            after = []
        elif after is None or not passed.co_filename.startswith(("/", "<frozen ")):
            return False
        else:
            after.append(passed)
        step = step.tb_next
    return after is not None and (not after or after[0] in leaving())


def leaving():
    """The code of what ends a program for its caller."""
    runner = sys.modules.get("unittest.main")
    return [type(exit).__call__.__code__, *([runner.TestProgram.__init__.__code__] if runner else ())]


def frames(frame):
    """The frames of the test code from this one outwards, each with the line that it is on."""
    while frame is not None:
        if is_test_code(frame):
            yield frame, frame.f_lineno
        frame = frame.f_back


def is_test_code(frame):
    return frame is not None and frame.f_code.co_filename == FILE_NAME


def callers(frame):
    """The functions that called the one of a frame, by their first lines, and their lines; and that one's own."""
    return ((one.f_code.co_firstlineno, line) for one, line in frames(frame))


def line_of_test_code():
    """The line of the test code that is being run."""
    return next((line for _, line in callers(sys._getframe(1))), 0)


class Excepting:
    """Where test code excepts exceptions, by their names. It is read once that is asked: of most it never is."""

    def __init__(self, source):
        self.source = source

    @cached_property
    def ranges(self):
        """Names, and the first and the last of the lines on which one of them is excepted."""
        return [found for node in ast.walk(ast.parse(self.source)) for found in excepting(node)]

    def is_here(self, names):
        """Whether the test code is where it excepts one of these."""
        ranges = [(first, last) for named, first, last in self.ranges if not named.isdisjoint(names)]
        lines = [line for _, line in callers(sys._getframe(1))]
        return any(first <= line <= last for first, last in ranges for line in lines)


def excepting(node):
    """The lines of what a node tries, or calls, behind the names that it has for that."""
    if getattr(node, "handlers", None):
        naming, within = [handler.type for handler in node.handlers if handler.type is not None], node.body
    elif isinstance(node, (ast.With, ast.AsyncWith)):
        naming, within = [item.context_expr for item in node.items], node.body
    else:
        naming, within = node.args if isinstance(node, ast.Call) else (), [node]
    names = {getattr(part, "attr", getattr(part, "id", None)) for one in naming for part in ast.walk(one)}
    if names:
        yield names, within[0].lineno, within[-1].end_lineno


class Names:
    """Where test code binds its names."""

    def __init__(self, tree):
        self.scopes = {first_line(node): node.body for node in ast.walk(tree) if isinstance(node, FUNCTIONS)}
        self.scopes[MODULE] = tree.body
        self.tries = [node for node in ast.walk(tree) if isinstance(node, ast.Try) and node.handlers]
        # What imports that failed would have bound.
        self.unimported = set()

    def is_own(self, error, frame):
        """Whether an exception, which was excepted in `frame`, is one that the test code does not handle, and not over
        a name that something before may bind."""
        name, inner = missing(error), list(trace(error))
        places = [*inner, *list(callers(frame))[1:]]
        if any(self.handles(error, line) for _, line in places):
            return False
        if not isinstance(error, NameError):
            return True
        places = inner[-1:] if isinstance(error, UnboundLocalError) else places
        return name is not None and not any(self.binds(name, place) for place in places)

    def handles(self, error, line):
        """Whether a line lies where an exception like this is excepted."""
        around = (one for one in self.tries if one.body[0].lineno <= line <= one.body[-1].end_lineno)
        return any(catches(handler, error) for one in around for handler in one.handlers)

    def binds(self, name, place):
        """Whether a name may have been bound on the way to a place: a function and a line of it."""
        function, line = place
        return any(name in self.bound(statement) for statement in passed(self.scopes.get(function, ()), line))

    def bound(self, statement):
        imports = imported(statement)
        return {name for node in ast.walk(statement) for name in bound_by(node)} | imports - self.unimported


def missing(error):
    """The name that an exception is over."""
    quoted = QUOTED.search(str(error)) if isinstance(error, NameError) else None
    return quoted[1] if quoted else None


def first_line(function):
    return min([function.lineno, *(decorator.lineno for decorator in function.decorator_list)])


def passed(body, line):
    """The statements before a line, and the one around it if others are in it."""
    for statement in body:
        is_compound = hasattr(statement, "body") or hasattr(statement, "cases")
        if statement.lineno <= line and (statement.end_lineno < line or is_compound):
            yield statement


def bound_by(node):
    """The names that a node itself binds; imports aside."""
    if isinstance(node, ast.Name):
        return (node.id,) if isinstance(node.ctx, ast.Store) else ()
    # Of functions, classes, handlers and patterns; `rest` is that of a pattern of a mapping.
    names = () if isinstance(node, ast.alias) else (getattr(node, "name", None), getattr(node, "rest", None))
    return [name for name in names if isinstance(name, str)]


def catches(handler, error):
    """Whether a handler may be for an exception like this."""
    if handler.type is None:
        return True
    kinds = {kind.__name__ for kind in type(error).__mro__} | ALIASES
    named = {getattr(node, "id", getattr(node, "attr", None)) for node in ast.walk(handler.type)}
    return not named.isdisjoint(kinds)


def imported(tree):
    """The names that the imports in a tree bind."""
    imports = (node for node in ast.walk(tree) if isinstance(node, (ast.Import, ast.ImportFrom)))
    return {alias.asname or alias.name.partition(".")[0] for node in imports for alias in node.names}


def end_of_runner(tree):
    """The line behind which the tests begin, where what runs them in the manner of pytest is put before."""
    said = (node for node in tree.body if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
    return next((node.lineno for node in said if node.value.value == BEGIN), 0)
