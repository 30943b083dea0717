"""Whether what goes wrong in test code is written there, and not come to by an answer.

Data leads test code as conditions do: what an answer is looked up in may give the function that is called next, or
the name of a file. The syntax around a place (certainty.py) tells nothing of that. So once the candidate was asked,
something is the test code's own doing only if every function on the way was called by its name, and if the module or
file that it wants is written where it wants it.
"""

import ast
from collections import Counter

from ...names import called
from .certainty import is_literal
from .faults import FUNCTIONS, bound_by, first_line, frames, is_test_code, steps

# What a runner of tests calls by itself.
RUN_BY_RUNNERS = ("test", "setup", "teardown")
# What makes the same path lead elsewhere.
MOVES = {"chdir", "fchdir", "symlink", "rename", "replace", "mount"}
IMPORTS = (ast.Import, ast.ImportFrom)
# What makes another module of the same name, or has it be found: by a call, and by what `sys` has.
MAKES = {"addsitedir", "copytree", "extractall", "makedirs", "mkdir"}
FOUND_BY = {"meta_path", "modules", "path", "path_hooks"}


class Written:
    def __init__(self, tree):
        nodes = list(ast.walk(tree))
        self.functions = {first_line(node): node.name for node in nodes if isinstance(node, FUNCTIONS)}
        # What each constructor is called by.
        self.constructors = {
            first_line(part): node.name for node in nodes if isinstance(node, ast.ClassDef)
            for part in node.body if isinstance(part, FUNCTIONS) and part.name == "__init__"}
        self.bound = Counter(name for node in nodes for name in bound_by(node))
        self.bound.update(node.arg for node in nodes if isinstance(node, ast.arg))
        self.calls = [node for node in nodes if isinstance(node, ast.Call)]
        self.statements = [node for node in nodes if isinstance(node, ast.stmt)]
        self.texts = Counter(node.value for node in nodes if isinstance(node, ast.Constant))
        self.moves = any(called(node) in MOVES for node in self.calls)
        self.makes = self.moves or any(called(node) in MAKES for node in self.calls) or any(map(finds_modules, nodes))

    def leads(self, way):
        """Whether each function of a way, of frames and their lines from the outermost, was called by its name."""
        line = None
        for frame, next_line in way:
            if not self.is_called_by_name(frame, line):
                return False
            line = next_line
        return True

    def is_called_by_name(self, frame, line):
        """Whether the function of a frame was so called on that line, or by a runner of tests."""
        first, name = frame.f_code.co_firstlineno, frame.f_code.co_name
        if self.functions.get(first) != name:
            # The module, or the body of a class or a comprehension, which is where it is.
            return name not in ("<lambda>", "<genexpr>")
        name = self.constructors.get(first, name)
        if self.bound[name] == 1 and any(called(call) == name for call in self.calls if is_on(line, call)):
            return True
        return name.lower().startswith(RUN_BY_RUNNERS) and not is_test_code(frame.f_back)

    def wants(self, line):
        """Whether what the statement on a line imports or opens is written there, and nowhere else made or moved."""
        around = [node for node in self.statements if is_on(line, node)]
        statement = max(around, key=lambda node: node.lineno, default=None)
        if statement is None or isinstance(statement, IMPORTS):
            return statement is not None and not self.makes and not any(map(self.is_told, modules(statement)))
        nodes = [node for part in header(statement) for node in ast.walk(part)]
        calls = [node for node in nodes if isinstance(node, ast.Call)]
        given = [part for call in calls for part in (*call.args, *(keyword.value for keyword in call.keywords))]
        wanted = [call.args[0].value for call in calls if call.args and isinstance(call.args[0], ast.Constant)]
        names = [node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)]
        is_written = bool(wanted) and all(map(is_literal, given)) and not any(self.bound[name] for name in names)
        return is_written and not self.moves and all(self.texts[text] == 1 for text in wanted)

    def is_told(self, module):
        """Whether a text has the name of a module, which may then be made, or be left out, by that name."""
        return any(module in text for text in self.texts if isinstance(text, str))


def modules(statement):
    """The names of what an import looks for first; of one that is relative, that it is in no package."""
    if isinstance(statement, ast.Import):
        return [one.name.partition(".")[0] for one in statement.names]
    return [(statement.module or "").partition(".")[0]]


def finds_modules(node):
    """Whether a node is what imports go by."""
    is_of_sys = isinstance(node, ast.Attribute) and getattr(node.value, "id", None) == "sys" and node.attr in FOUND_BY
    names = [one.name for one in node.names] if isinstance(node, ast.ImportFrom) and node.module == "sys" else ()
    return is_of_sys or not FOUND_BY.isdisjoint(names)


def way_to(error, frame):
    """The frames of the test code, from the outermost, that an exception came through until `frame` excepted it."""
    outer = [] if frame.f_back is None else list(frames(frame.f_back))
    return [*reversed(outer), *((step.tb_frame, step.tb_lineno) for step in steps(error))]


def is_on(line, node):
    return line is not None and node.lineno <= line <= node.end_lineno


def header(statement):
    """The expressions of a statement, without the statements in it."""
    return [part for part in ast.iter_child_nodes(statement) if isinstance(part, (ast.expr, ast.withitem))]
