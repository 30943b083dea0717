"""Whether test code computes what it expects from what it lent: from what the candidate found in objects, mocks and
functions of the test code's."""

import ast
import builtins

from ...names import called
from .expected import Origins, parts_of_whole
from .said import asserted_by, placed

# What puts something in the place of something else.
REPLACING = {"patch", "object", "setattr", "setitem"}
# What asserts that things differ.
DENYING = {"assertNotEqual", "assertNotIn"}
# Builtin functions that give what they are given, or look at it.
LOOKING = {"bool", "dict", "frozenset", "getattr", "list", "print", "repr", "set", "sorted", "str", "tuple", "vars"}
COMPUTING = {name for name, value in vars(builtins).items() if callable(value)} - LOOKING
# What in a function says that it computes something, and does not look it up.
STEPS = (ast.BinOp, ast.Call, ast.For, ast.While, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


class Lent(Origins):
    """What test code makes its variables of, where an argument is what goes into any call of the candidate's, and what
    is put in the place of something."""

    # The variables of results of which it is said what they are to be, whatever is computed of what was lent.
    pinned = frozenset()

    def pin(self, compared):
        """Note these of what the test code compares."""
        stated = [sides for sides in compared if any(self.is_own(side) for side in sides)]
        names = (side for sides in stated for side in sides if isinstance(side, (ast.Name, ast.Attribute)))
        self.pinned = {one for name in names if self.is_result(name) for one in self.mentioned(name)}

    def is_own(self, node):
        """Whether a node is made of nothing that was lent, and of no result."""
        return not self.is_result(node) and not self.is_lent(node)

    def is_lent(self, node):
        """Whether a node is made of something that was lent, but for classes and functions of the test code's, of which
        it may make something else."""
        own = {self.variables.get(function, name) for name, function in self.functions.items()}
        own.update((None, name) for name in self.classes)
        return not self.given.isdisjoint(self.mentioned(node) - own)

    def meets(self, node):
        if not super().meets(node):
            return False
        results = list(filter(self.is_result, self.across(node)))
        made = set().union(*map(self.mentioned, results))
        return any(map(self.is_answer, results)) or not made & self.results <= self.pinned

    def arguments(self):
        calls = (node for node in self.nodes if isinstance(node, ast.Call))
        given = (call for call in calls if call in self.answers or called(call) in REPLACING)
        patched = [part for part in self.patched() if part in self.variables]
        put = (node for node in self.nodes if isinstance(node, ast.Assign))
        patched += (node.value for node in put if any(map(self.is_of_module, node.targets)))
        return [*(one for call in given for one in placed(call)), *((None, part) for part in patched)]

    def kinds_of(self, node):
        """What objects hold may be said by a candidate that puts it there; here, it is what these are to become."""
        return []

    def notes(self, part):
        return False

    def bound(self, node):
        """What is set of a thing that is handed over goes with it, and so does what its class uses."""
        yield from super().bound(node)
        if isinstance(node, ast.Assign):
            yield from ((owner, node.value) for target in node.targets for owner in self.owners_of(target))
        elif isinstance(node, ast.ClassDef):
            name = ast.Name(node.name, ast.Load())
            self.variables[name] = None, node.name
            yield name, node

    def owners_of(self, target):
        """What an attribute is one of, and those that this is one of."""
        while isinstance(target, (ast.Attribute, ast.Subscript)):
            target = target.value
            if target in self.variables:
                yield target

    def tells(self, sides):
        """Whether something made of what was lent is compared with something else of the test code's own, or with what
        is made of a result and of that."""
        lent = [self.is_lent(side) for side in sides if not self.is_result(side)]
        return any(lent) and not all(lent) or any(map(self.is_of_both, sides))

    def is_of_both(self, side):
        """Whether it is made of a result and of what was lent, which is not the candidate's to say."""
        patched = {self.variables.get(one) for one in self.patched()}
        is_seen = side not in self.doubtful and patched.isdisjoint(self.mentioned(side))
        return is_seen and self.is_result(side) and self.is_lent(side)

    def across(self, node):
        """What is no longer in something was taken out of it, and is not expected of it."""
        is_denied = called(node) in DENYING if isinstance(node, ast.Call) else is_denial(node)
        return None if is_denied else super().across(node)

    def states(self, node):
        """Whether a node asserts something of what was lent once the candidate has had that, and of nothing that it
        says."""
        asserted = asserted_by(node)
        if not asserted or any(map(self.is_result, asserted)):
            return False
        return any(map(self.is_lent, asserted)) and any(one.lineno < node.lineno for one in self.answers)

    def recomputes(self):
        """Whether a result of the function is compared with something that is computed of what was lent once the
        candidate has had that."""
        return any(self.is_recomputed(self.across(node)) for node in self.nodes if self.meets(node))

    def is_recomputed(self, parts):
        results = list(filter(self.is_result, parts))
        answers = [node for part in results for node in self.answers_in(part)]
        if self.calls and answers and self.calls.isdisjoint(answers):
            return False
        answered = min((node.lineno for node in answers), default=0)
        return any(self.computes(part, answered) for part in parts if part not in results or part in self.doubtful)

    def answers_in(self, node):
        """What the candidate gave in a node, or in what is bound to its variables."""
        bound = (value for one in self.mentioned(node, parts_of_whole) for value in self.values.get(one, ()))
        return [part for whole in (node, *bound) for part in ast.walk(whole) if part in self.answers]

    def computes(self, node, line):
        """Whether a node, or what was bound behind a line to a variable in it, computes something of what was lent."""
        bound = [value for one in self.mentioned(node) for value in self.values.get(one, ())]
        later = (value for value in bound if getattr(value, "lineno", 0) > line)
        return any(self.is_computing(part) for whole in (node, *later) for part in ast.walk(whole))

    def is_computing(self, node):
        """Whether a node calls a function, or a method of what was lent, which does more than to look something up."""
        is_answer = node in self.answers and node not in self.doubtful
        if not isinstance(node, ast.Call) or is_answer or self.given.isdisjoint(self.mentioned(node)):
            return False
        if called(node) in self.functions:
            return any(isinstance(part, STEPS) for one in self.functions[called(node)].body for part in ast.walk(one))
        return getattr(node.func, "id", None) in COMPUTING


def is_denial(node):
    return isinstance(node, ast.Compare) and all(isinstance(one, (ast.NotIn, ast.NotEq)) for one in node.ops)
