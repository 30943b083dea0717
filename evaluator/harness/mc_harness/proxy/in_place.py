"""Whether test code wants to see what a call did to its arguments.

Where the candidate gives a value back, its arguments are seldom meant to be changed; but test code may go on to use
them, and compute what it expects from them. They are taken to be meant so only where an argument is itself compared
with something that does not come from the candidate; or where a call gives nothing, and the test code does nothing
with that.
"""

import ast

from .certainty import called, is_reference
from .faults import FUNCTIONS


def inspects(source, function):
    """Whether test code compares arguments of `function` with something else than its results."""
    tree = ast.parse(source)
    return Inspection(tree, {function, "candidate"}).found()


def uses(source, function):
    """Whether test code does something with what calls of `function` give, but to see that it is nothing."""
    return Inspection(ast.parse(source), {function, "candidate"}).uses_results()


class Inspection:
    def __init__(self, tree, names):
        self.nodes = list(ast.walk(tree))
        names = self.with_aliases(names)
        self.calls = {node for node in self.nodes if isinstance(node, ast.Call) and called(node) in names}
        self.arguments = {ast.dump(given) for call in self.calls for given in arguments(call)}
        self.results = {name for node in self.nodes for name in self.bound(node)}

    def bound(self, node):
        """The names that a statement binds to what a call gives."""
        if not isinstance(node, ast.Assign) or self.calls.isdisjoint(ast.walk(node.value)):
            return ()
        return [part.id for target in node.targets for part in ast.walk(target) if isinstance(part, ast.Name)]

    def with_aliases(self, names):
        """The names of a function, and those that are bound to it: `g = f`, or by `check(f)` a parameter of `check`."""
        functions = {node.name: node for node in self.nodes if isinstance(node, FUNCTIONS)}
        bindings = []
        for node in self.nodes:
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                bindings.append((node.value, node.targets[0].id))
            elif isinstance(node, ast.Call) and called(node) in functions:
                parameters = [one.arg for one in functions[called(node)].args.args]
                bindings.extend(zip(node.args, parameters))
        for _ in bindings:
            names = names | {name for value, name in bindings if reference(value) in names}
        return names

    def uses_results(self):
        """Unless nothing is done with any of them; so too where it is not seen which those are."""
        ignored = {node.value for node in self.nodes if isinstance(node, ast.Expr)}
        for node in self.nodes:
            if isinstance(node, ast.Assert) and is_none_asserted(node.test):
                ignored.add(node.test.left)
            if isinstance(node, ast.Call) and called(node) == "assertIsNone":
                ignored.update(node.args)
        return not self.calls or not self.calls <= ignored

    def found(self):
        return any(self.about_arguments(sides) for node in self.nodes for sides in comparisons(node))

    def about_arguments(self, sides):
        """Whether one of the sides is made of an argument, and another of nothing that a call gave."""
        sides = [side for side in sides if not is_none(side) and not self.mentions_result(side)]
        return len(sides) > 1 and any(map(self.mentions_argument, sides))

    def mentions_argument(self, node):
        return ast.dump(node) in self.arguments or any(map(self.mentions_argument, ast.iter_child_nodes(node)))

    def mentions_result(self, node):
        """Other than to say which part of an argument is meant, as in `a[:k]`."""
        if isinstance(node, ast.Subscript):
            return self.mentions_result(node.value)
        result = isinstance(node, ast.Name) and node.id in self.results
        return result or node in self.calls or any(map(self.mentions_result, ast.iter_child_nodes(node)))


def reference(node):
    """The last name of a reference, if it is one."""
    return getattr(node, "attr", getattr(node, "id", None)) if is_reference(node) else None


def is_none_asserted(test):
    """Whether something is asserted to be None, and nothing else is."""
    none = isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], (ast.Is, ast.Eq))
    return none and is_none(test.comparators[0])


def is_none(node):
    return isinstance(node, ast.Constant) and node.value is None


def arguments(call):
    """The arguments of a call that are no literals."""
    given = [*call.args, *(keyword.value for keyword in call.keywords)]
    given = [part.value if isinstance(part, ast.Starred) else part for part in given]
    return [part for part in given if isinstance(part, (ast.Name, ast.Attribute, ast.Subscript))]


def comparisons(node):
    """What a node compares: the sides of comparisons, and of calls such as `assertEqual`; a bare assertion is one with
    True."""
    if isinstance(node, ast.Compare):
        yield [node.left, *node.comparators]
    elif isinstance(node, ast.Call) and str(called(node)).startswith("assert"):
        yield node.args[:2] if len(node.args) > 1 else [*node.args, ast.Constant(True)]
    elif isinstance(node, ast.Assert) and isinstance(node.test, (ast.Call, ast.Name)):
        yield [node.test, ast.Constant(True)]
