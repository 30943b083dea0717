"""What of test code is not followed by its names: where a result or something made of an argument goes on from there is
not known."""

import ast

from ...names import called
from .faults import FUNCTIONS
from .said import KEEPING, does_assert, name_of, parts_of

# What reaches a variable other than by its name.
BY_TEXT = {"eval", "exec", "globals", "locals", "vars", "_getframe", "currentframe"}
# What puts something where it is read again.
WRITING = {
    "dump", "execute", "executemany", "send", "sendall", "to_csv", "to_json", "write", "write_bytes", "write_text",
    "writelines", "writerow", "writerows",
}
# What makes something of its arguments that is dropped in a statement of its own.
DROPPED = set("all any asyncio.run dict frozenset len list max min next set sorted sum tuple".split())
GIVING = (ast.Return, ast.Yield, ast.YieldFrom)


class Unseen:
    """Of the origins of test code."""

    def are_followed(self):
        """Whether it is known of all that is made of a result, and of an argument."""
        return not any(map(self.is_lost, self.nodes)) and not any(map(self.hides, self.functions.values()))

    def hides(self, function):
        """Whether a function gives others, which may hold anything, or asserts something while it is not at its end."""
        parts = list(ast.walk(function))
        within = {part.name for part in parts[1:] if isinstance(part, FUNCTIONS)}
        given = [one for part in parts if isinstance(part, GIVING) and part.value for one in ast.walk(part.value)]
        goes_on = any(isinstance(part, (ast.Yield, ast.YieldFrom)) for part in parts)
        return (
            any(isinstance(one, ast.Lambda) or getattr(one, "id", None) in within for one in given)
            or goes_on and any(map(asserts, parts))
        )

    def is_lost(self, node):
        """Whether a node puts a result where it cannot be followed from: into a file, a stream, an exception."""
        if isinstance(node, ast.Raise):
            return node.exc is not None and self.is_result(node.exc)
        if isinstance(node, ast.Assign) and self.is_result(node.value):
            return any(not self.targets(target) for target in node.targets)
        if name_of(node) in BY_TEXT or isinstance(node, getattr(ast, "Match", ())) and self.is_result(node.subject):
            return True
        call = node.value if isinstance(node, ast.Expr) else None
        if not isinstance(call, ast.Call) or call in self.answers or called(call) in self.functions:
            return False
        if isinstance(call.func, ast.Attribute) and self.is_result(call.func.value):
            # What comes of it then is a result again.
            return False
        name = called(call) or ""
        is_kept = name in KEEPING or name.startswith("assert") or name == "print" and not self.captures
        return not is_kept and ast.unparse(call.func) not in DROPPED and any(map(self.is_result, parts_of(call)))

    def is_stowed(self, node):
        """Whether something made of an argument is put, behind a call, where it cannot be followed from: what is read
        there again goes for the candidate's. What raises something is called wherever it stands."""
        is_behind = isinstance(node, ast.Raise) or any(
            call.lineno <= getattr(node, "lineno", 0) for call in self.calls)
        return is_behind and any(not self.given.isdisjoint(self.mentioned(part)) for part in self.stowed(node))

    def stowed(self, node):
        """What a node puts into an exception, into the environment, or where it is written."""
        if isinstance(node, ast.Raise) and node.exc is not None:
            return [node.exc]
        if isinstance(node, ast.Assign):
            into = (name_of(part) for target in node.targets for part in ast.walk(target))
            return [node.value] if "environ" in into else []
        is_written = called(node) in WRITING or called(node) == "print" and self.captures
        return parts_of(node) if isinstance(node, ast.Call) and is_written else []

    def called_unseen(self):
        """The parameters of functions that compare something, and may be called with what a call gave under another
        name than their own."""
        called_here = {node.func for node in self.nodes if isinstance(node, ast.Call)}
        read = (node for node in self.nodes if isinstance(getattr(node, "ctx", None), ast.Load))
        used = {self.variables.get(node, getattr(node, "attr", "")) for node in read if node not in called_here}
        is_any = any(called(node) == "getattr" for node in self.nodes)
        for node in self.nodes:
            is_used = isinstance(node, FUNCTIONS) and not used.isdisjoint((self.variables.get(node), node.name))
            is_unseen = is_used or is_any and isinstance(node, FUNCTIONS) or isinstance(node, ast.Lambda)
            if is_unseen and any(map(asserts, ast.walk(node))):
                yield from (self.variables[one] for one in ast.walk(node.args) if one in self.variables)


def asserts(node):
    """Whether a node may find something wrong, or only compares."""
    return does_assert(node) or isinstance(node, ast.Compare)
