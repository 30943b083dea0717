"""By what the candidate says something in test code other than by what its calls give: what it calls there, puts
somewhere, or has under names of its own."""

import ast

from ...names import called
from .faults import FUNCTIONS
from .variables import OWNERS

# Methods that put their arguments into what they are called on, and do nothing else with them.
KEEPING = {"append", "appendleft", "add", "extend", "insert", "update", "setdefault", "put"}
# What gives what was left somewhere: in a file, a queue, a database, a log, the environment.
READING = {
    "DictReader", "assertLogs", "execute", "exists", "fetchall", "fetchone", "get_nowait", "getenv", "getvalue",
    "glob", "isfile", "iterdir", "listdir", "namelist", "open", "read", "read_bytes", "read_csv", "read_excel",
    "read_json", "read_text", "reader", "readline", "readlines", "rglob", "scandir", "walk",
}
# What notes how it is called.
MOCKS = {"AsyncMock", "MagicMock", "Mock", "NonCallableMock", "PropertyMock", "create_autospec"}
# From what classes derive that hold something.
HOLDERS = {"Counter", "OrderedDict", "UserDict", "UserList", "defaultdict", "deque", "dict", "list", "set"}
MAKING = ("__init__", "__new__", "__post_init__")


class Said:
    """Of the origins of test code."""

    def said(self):
        """The variables of what the candidate may put something into: what is handed over by one of its methods, is put
        into or bound by a function that the candidate calls, or notes what it does; and what stands for something in a
        test that is patched."""
        handed = self.handed_over()
        within = [one for part in self.heard_by for one in ast.walk(part)]
        methods = (part for part in (*handed, *within) if isinstance(part, ast.Attribute) and part.attr in KEEPING)
        kept = {one for part in methods for one in self.mentioned(part.value)}
        patched = {self.variables[one] for one in self.patched() if one in self.variables}
        noting = {one for part in handed if self.notes(part) for one in self.mentioned(part)}
        noting |= {one for part in self.given_before() if self.is_empty(part) for one in self.mentioned(part)}
        return kept | patched | noting | {one for part in self.heard_by for one in self.bound_from(part)}

    def handed_over(self):
        """What the candidate is given: in calls of its functions and of what these gave, and by what the test code puts
        on a module."""
        handed = [*(part for _, part in self.arguments()), *self.given_before()]
        calls = (node for node in self.nodes if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute))
        handed += (part for call in calls if self.is_result(call.func.value) for part in parts_of(call))
        put = (node for node in self.nodes if isinstance(node, ast.Assign))
        handed += (node.value for node in put if any(map(self.is_of_module, node.targets)))
        return handed

    def given_before(self):
        """What goes into other calls of the candidate's than those that are asked about."""
        calls = (node for node in self.answers if isinstance(node, ast.Call) and node not in self.calls)
        return [part for call in calls if called(call) not in READING for part in parts_of(call)]

    def is_empty(self, part):
        """Whether it is a list or the like that held nothing when it was made."""
        bound = [value for one in self.mentioned(part) for value in self.values.get(one, ())]
        return isinstance(part, (ast.Name, ast.Attribute)) and any(map(makes_empty, bound))

    def is_of_module(self, target):
        owner = target.value if isinstance(target, ast.Attribute) else None
        return isinstance(owner, ast.Name) and owner not in self.variables and owner.id not in OWNERS

    def handed_functions(self):
        """The test code's functions among that, those in it, the methods of its objects, and what is decorated by the
        candidate."""
        for part in self.handed_over():
            for one in ast.walk(part):
                if isinstance(one, ast.Lambda):
                    yield one
                elif name_of(one) in self.functions and self.is_function(one) and self.is_handed_itself(one, part):
                    yield self.functions[name_of(one)]
            for kind in self.kinds_of(part):
                yield from (one for one in kind.body if isinstance(one, FUNCTIONS) and one.name not in MAKING)
        for function in self.functions.values():
            if any(map(self.is_of_candidate, function.decorator_list)):
                yield function

    def is_function(self, node):
        """Whether what has the name of a function is that, and no variable or fixture of the same name."""
        function = self.functions[name_of(node)]
        is_variable = node in self.variables and self.variables[node] != self.variables.get(function)
        return not is_variable and not is_fixture(function)

    def is_of_candidate(self, decorator):
        """Whether a decorator is the candidate's, or that of something which a call gave."""
        if is_patch(decorator):
            return False
        while isinstance(decorator, (ast.Attribute, ast.Call)) and decorator not in self.answers:
            decorator = getattr(decorator, "func", None) or decorator.value
        return self.is_result(decorator) or getattr(decorator, "id", None) not in {*self.own, None}

    @staticmethod
    def is_handed_itself(node, whole):
        """Whether a function is handed over, and not what it gives."""
        return not any(isinstance(one, ast.Call) and one.func is node for one in ast.walk(whole))

    def kinds_of(self, node):
        """The test code's classes of which a node is an object."""
        bound = [value for one in self.mentioned(node) for value in self.values.get(one, ())]
        made = (part for value in (node, *bound) for part in ast.walk(value) if isinstance(part, ast.Call))
        names = dict.fromkeys(called(part) for part in made)
        return [self.classes[name] for name in names if name in self.classes]

    def notes(self, part):
        """Whether it is a mock, or an object that holds what is put into it."""
        bound = [value for one in self.mentioned(part) for value in self.values.get(one, ())]
        if not isinstance(part, (ast.Name, ast.Attribute)):
            return False
        is_mock = any(isinstance(value, ast.Call) and called(value) in MOCKS for value in bound)
        return is_mock or any(name_of(base) in HOLDERS for kind in self.kinds_of(part) for base in kind.bases)

    def bound_from(self, function):
        """The variables beyond its own that a function binds, or puts something into."""
        parts = (part for part in ast.walk(function) if not isinstance(part, (*FUNCTIONS, ast.Lambda)))
        bound = (one for part in parts for target, _ in self.bound(part) for one in self.targets(target))
        return {one for one in bound if one[0] is not function}

    def put_back(self):
        """A function of the test code's puts something into an argument: what it was called with holds that then."""
        for call in (node for node in self.nodes if isinstance(node, ast.Call) and called(node) in self.functions):
            filled = self.filled_by(self.functions[called(call)])
            given = [one for part in parts_of(call) for one in self.mentioned(part)] if filled else ()
            yield from (({one}, filled) for one in given)

    def filled_by(self, function):
        """Its parameters that it puts something into."""
        own = {self.variables.get(one) for one in ast.walk(function.args) if isinstance(one, ast.arg)}
        stored = (node for node in ast.walk(function) if isinstance(getattr(node, "ctx", None), ast.Store))
        into = {one for node in stored if isinstance(node, ast.Subscript) for one in self.targets(node.value)}
        return own & into

    def asserts_of_arguments(self, function):
        """Whether a function that the candidate calls asserts something of an argument."""
        parts = (node for node in ast.walk(function) if does_assert(node))
        return any(not self.given.isdisjoint(self.mentioned(part)) for part in parts)

    def used_by_classes(self):
        """What the methods of a class use goes with it."""
        for name, kind in self.classes.items():
            used = set().union(*map(self.mentioned, kind.body))
            named = {self.variables[node] for node in self.nodes if getattr(node, "id", None) == name
                     and node in self.variables}
            yield named, used

    def patched(self):
        """The names in tests that stand for what is put in the place of something while these run."""
        patched = (node for node in self.functions.values() if any(map(is_patch, node.decorator_list)))
        parameters = (part for node in patched for part in ast.walk(node.args) if isinstance(part, ast.arg))
        contexts = (node for node in self.nodes if isinstance(node, ast.withitem) and is_patch(node.context_expr))
        named = [node.optional_vars for node in contexts if isinstance(node.optional_vars, ast.Name)]
        return [*(one for one in parameters if one.arg not in OWNERS), *named]


def asserted_by(node):
    """What a statement of the test code's asserts."""
    if isinstance(node, ast.Assert):
        return [node.test]
    function = getattr(node, "func", None)
    is_own = isinstance(function, ast.Name) or getattr(getattr(function, "value", None), "id", None) in OWNERS
    return node.args if is_own and does_assert(node) else []


def does_assert(node):
    return isinstance(node, ast.Assert) or isinstance(node, ast.Call) and str(called(node)).startswith("assert")


def makes_empty(node):
    """Whether a node makes something that holds nothing."""
    if isinstance(node, ast.Call):
        return not node.args and not node.keywords and (called(node) in HOLDERS or str(called(node)).endswith("Queue"))
    return not (getattr(node, "elts", None) or getattr(node, "keys", None)) and isinstance(node, (ast.List, ast.Dict))


def held_by_candidate(own, nodes):
    """What the candidate has under names that the test code has from nowhere, neither calls nor takes for constants or
    classes; and what it has as attributes of its functions and classes."""
    called_names = {name_of(node.func) for node in nodes if isinstance(node, ast.Call)}
    called_there = {node.func for node in nodes if isinstance(node, ast.Call)}
    decorating = {part for node in nodes for one in getattr(node, "decorator_list", ()) for part in ast.walk(one)}
    given = {part for node in nodes if isinstance(node, ast.Call) for part in parts_of(node)}
    own = own | {node.id for node in given if isinstance(node, ast.Name)}
    looked_into = {node.value for node in nodes if isinstance(node, ast.Subscript)}
    looked_up = (node for node in nodes if isinstance(getattr(node, "ctx", None), ast.Load))
    for node in (node for node in looked_up if node not in called_there):
        owner = node.value if isinstance(node, ast.Attribute) else node
        is_theirs = isinstance(owner, ast.Name) and owner.id not in own and owner not in decorating
        if is_theirs and (owner is not node or node.id not in called_names):
            # What begins with a capital is a class or a constant, unless it holds something by names.
            if node in looked_into or name_of(node)[0].islower():
                yield node


def set_on_objects(nodes, classes, known):
    """What the candidate has set on objects of the test code's `classes`, which have other attributes, by names that
    are not `known`."""
    made = (node for node in nodes if isinstance(node, ast.Assign) and called(node.value) in classes)
    names = {target.id for node in made for target in node.targets if isinstance(target, ast.Name)}
    called_there = {node.func for node in nodes if isinstance(node, ast.Call)}
    for node in nodes:
        is_looked_up = isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load) and node not in called_there
        if is_looked_up and getattr(node.value, "id", None) in names and node.attr not in known:
            yield node


def read_of_environment(nodes):
    """What is looked up in the environment."""
    found = (node for node in nodes if isinstance(node, ast.Subscript) and name_of(node.value) == "environ")
    return {node for node in found if isinstance(node.ctx, ast.Load)}


def is_fixture(function):
    return any("fixture" in ast.dump(decorator) for decorator in function.decorator_list)


def name_of(node):
    return getattr(node, "attr", None) or getattr(node, "id", None)


def is_patch(node):
    """Whether a decorator puts something in the place of something else while a test runs."""
    return "patch" in {getattr(part, "attr", getattr(part, "id", None)) for part in ast.walk(node)}


def parts_of(call):
    return [part for _, part in placed(call)]


def placed(call):
    """What is handed over in a call by its places: how much stands before it, or its name."""
    return [*enumerate(call.args), *((keyword.arg, keyword.value) for keyword in call.keywords)]
