"""Whether test code computes what it expects from the arguments that it gave.

What a call does to its arguments shows, as it does where both run in one process. But where a result is then compared
with something made of these arguments, a candidate could change them to suit its answer: there they stay as they were.
What is made of what is not followed exactly: a variable is made of all that is in what it is bound to.
"""

import ast
import builtins
from collections import namedtuple
from itertools import combinations, permutations, product

from ...names import called
from ...prelude import ORIGIN
from ..wire.chains import CLASS
from .certainty import COMPREHENSIONS
from .faults import FUNCTIONS, bound_by
from .lending import HELPERS
from .said import (
    READING,
    Said,
    held_by_candidate,
    is_fixture,
    name_of,
    parts_of,
    placed,
    read_of_environment,
    set_on_objects,
)
from .snapshots import snapshots
from .unseen import GIVING, Unseen, asserts
from .variables import OWNERS, Variables

CONSTANT, NOTHING = ast.Constant(0), frozenset()
# By what test code reads again what it printed.
CAPTURING = {"redirect_stdout", "redirect_stderr", "StringIO", "capsys", "capfd", "stdout", "stderr", "patch"}
# What gives an exception that was raised, or warnings.
RAISED = {
    "assertRaises", "assertRaisesRegex", "assertWarns", "assertWarnsRegex", "catch_warnings", "raises", "warns",
}
# What compares what lies at two places, or the texts of it.
COMPARING_TEXTS = {"SequenceMatcher", "cmp", "cmpfiles", "context_diff", "dircmp", "ndiff", "unified_diff"}
# What decides by what it is given whether a test is run.
SKIPPING = {"skipif", "skipunless"}
# What is there without being defined, and is not the candidate's.
KNOWN = {*dir(builtins), *ORIGIN, *HELPERS}
LOOPS = (ast.For, ast.AsyncFor)


# The calls of one function, those of them that may be of another's, and whether they are all there are.
Followed = namedtuple("Followed", "calls doubtful is_all")


class Origins(Said, Unseen):
    """What test code makes its variables of: of the arguments that go into the calls `followed` of one function, of
    those at some `places` where these are told, and of what the candidate's functions give, which are none of the
    `others`."""

    def __init__(self, tree, followed, others, places=None):
        nodes = list(ast.walk(tree))
        variables = Variables(tree)
        self.nodes, self.variables, self.calls = nodes, variables.of, followed.calls
        self.doubtful, self.is_all_seen = followed.doubtful, followed.is_all
        self.parameters = {self.variables.get(node) for node in nodes if isinstance(node, ast.arg)}
        self.looked_at = places
        # What is known of nodes: each is part of many.
        self.answering, self.mentions = {}, {}
        self.functions = {node.name: node for node in nodes if isinstance(node, FUNCTIONS)}
        self.classes = {node.name: node for node in nodes if isinstance(node, ast.ClassDef)}
        own = {name for node in nodes for name in bound_by(node)} | variables.imported | KNOWN | others
        # By which parameters the function is called is known already.
        own |= {node.arg for node in nodes if isinstance(node, ast.arg)}
        self.own = own
        self.answers = self.calls | {node for node in nodes if gives_what_is_the_candidates(own, node)}
        if places is None:
            # Where it is asked about files themselves, what is read there is made of their paths.
            self.answers |= {node for node in nodes if isinstance(node, ast.Call) and called(node) in READING}
            self.answers.update(read_of_environment(nodes), held_by_candidate(own, nodes))
            known = {*variables.attributes, *self.functions, *dir(object)}
            self.answers.update(set_on_objects(nodes, self.classes, known))
        self.bound_to = [(self.targets(target), value) for node in nodes for target, value in self.bound(node)]
        # What is bound to each variable; and, once that is asked, the places of the arguments of which it is made.
        self.values, self.places = {}, None
        for targets, value in self.bound_to:
            for one in targets:
                self.values.setdefault(one, []).append(value)
        left = [({after}, {within}) for after, within in variables.left]
        going_on = [(targets, self.mentioned(value, parts_of_whole)) for targets, value in self.bound_to]
        going_on += [*left, *self.put_back()]
        answered = {one for targets, value in self.bound_to if self.is_answer(value) for one in targets}
        self.results = made_of(answered | self.excepted(), going_on)
        # The test code's functions that the candidate calls.
        self.heard_by = list(self.handed_functions())
        self.results = made_of(self.results | self.said() | set(self.called_unseen()), going_on)
        # Whether what is printed may be read again.
        self.captures = any(name_of(node) in CAPTURING or getattr(node, "arg", None) == "file" for node in nodes)
        # What goes into the calls itself, or is another name of that.
        self.handed = made_of(
            set().union(*(self.mentioned(part) for _, part in self.arguments())) - self.constants(),
            [(targets, self.mentioned(value)) for targets, value in self.bound_to if isinstance(value, ast.Name)])
        # And what is made of that.
        self.ruling = made_of(
            self.handed, [(targets - self.results, self.mentioned(value)) for targets, value in self.bound_to])
        ruled = ((targets - self.results, self.mentioned(rule)) for targets, rule in self.ruled())
        self.given = self.made_of_arguments(
            [*left, *((targets, self.mentioned(value)) for targets, value in self.bound_to), *ruled])
        self.given -= snapshots(self.values, self.given, nodes, self.answers, self.functions)

    def excepted(self):
        """The variables that stand for exceptions: what the candidate raises is its own as well."""
        handlers = [node for node in self.nodes if isinstance(node, ast.ExceptHandler) and node.name]
        named = ((part, handler.name) for handler in handlers for part in ast.walk(handler) if part in self.variables)
        return {self.variables[part] for part, name in named if getattr(part, "id", None) == name}

    def meet(self):
        """Whether something made of an argument meets a result."""
        return self.may_meet() or any(map(self.meets, self.nodes))

    def places_in(self, node):
        """The places of the arguments of which a node is made."""
        if self.places is None:
            self.places = self.sources(lambda place, part: place)
        return set().union(*(self.places.get(one, NOTHING) for one in self.mentioned(node)))

    def arguments(self):
        """What goes into the calls, by its place."""
        given = [argument for call in self.calls for argument in placed(call)]
        return [one for one in given if self.looked_at is None or one[0] in self.looked_at]

    def sources(self, label):
        """Of which arguments the variables are made, as far as that is seen, each by its label."""
        found, size = {}, -1
        bindings = [(targets, self.mentioned(value)) for targets, value in self.bound_to]
        for place, part in self.arguments():
            for one in self.mentioned(part):
                found.setdefault(one, set()).add(label(place, part))
        while size != sum(map(len, found.values())):
            size = sum(map(len, found.values()))
            for targets, value in bindings:
                gained = set().union(*(found.get(one, NOTHING) for one in value))
                for one in targets if gained else ():
                    found.setdefault(one, set()).update(gained)
        return found

    def arguments_meet(self):
        """Whether something made of one argument is compared with something made of another, as far as that is seen."""
        sources = self.sources(lambda place, part: frozenset(self.mentioned(part)))
        for node in self.nodes:
            sides = self.across(node) if asserts(node) or called(node) in COMPARING_TEXTS else ()
            sides = [side for side in sides or () if getattr(side, "id", None) not in OWNERS]
            made = [set().union(*(sources.get(one, NOTHING) for one in self.mentioned(side))) for side in sides]
            made = list(filter(None, made))
            if any(one != made[0] or len(one) > 1 for one in made[1:]):
                return True
        return False

    def may_meet(self):
        """Whether it may do so where that is not seen: where the function is called unseen, an argument has a say in
        what is done with a result, or both are put in one place."""
        return (
            not self.calls
            or not self.is_all_seen
            or any(map(self.asserts_of_arguments, self.heard_by))
            or any(map(self.is_put_beside, self.bound_to))
            or any(map(self.is_ruled, self.nodes))
            or any(map(self.rules, self.nodes))
            or any(map(self.is_stowed, self.nodes))
            or any(map(self.has_one_twice, rows_among(self.nodes)))
        )

    def meets(self, node):
        """Whether of the parts of which a node makes one thing, one is made of an argument, and another of a result."""
        parts = self.across(node)
        return bool(parts) and self.is_met(parts)

    def is_put_beside(self, binding):
        """Whether something made of an argument is put where a result is. A function may be called with either; and
        what is both, a list of objects that is handed over, stays what it is."""
        targets, value = binding
        is_of_result = not self.results.isdisjoint(targets - self.parameters) and not self.is_result(value)
        return is_of_result and not self.given.isdisjoint(self.mentioned(value))

    def has_one_twice(self, row):
        """Whether one thing is at several places of a row of a table: one may be given, and another be expected."""
        functions = {self.variables[one] for one in self.functions.values() if one in self.variables}
        parts = [self.mentioned(part) - self.constants() - self.results - functions for part in row]
        return any(not one.isdisjoint(other) for one, other in combinations(parts, 2))

    def is_ruled(self, node):
        """Whether it hangs on an argument that was given if, or how often, something of a result is asserted, there or
        behind it."""
        rule = rule_of(node)
        if rule is None or self.ruling.isdisjoint(self.mentioned(rule)):
            return False
        parts = list(parts_within(node))
        # What is computed of results on the way may be asserted behind it.
        is_behind = self.calls.isdisjoint(parts)
        computes = (ast.BinOp, ast.AugAssign) if is_behind and isinstance(node, (*LOOPS, *COMPREHENSIONS)) else ()
        telling = (part for part in parts if asserts(part) or isinstance(part, computes))
        return any(map(leaves, parts)) or any(map(self.is_result, telling))

    def rules(self, node):
        """Whether it hangs on a result which of several things is asserted of an argument."""
        rule = rule_of(node)
        if rule is None or isinstance(node, (*LOOPS, *COMPREHENSIONS)) or not self.is_result(rule):
            return False
        parts = list(parts_within(node))
        return any(isinstance(part, (ast.Return, ast.Break, ast.Continue)) for part in parts) or any(
            asserts(part) and not self.given.isdisjoint(self.mentioned(part)) for part in parts)

    def ruled(self):
        """What is bound or changed where it hangs on something if, or how often, that is done; and on what. How often
        a loop goes round hangs on no argument that is taken out of that through which it goes."""
        whole = self.handed_whole()
        for node in self.nodes:
            rule = rule_of(node)
            is_loop = isinstance(node, LOOPS) and goes_through_names(rule)
            if rule is not None and not (is_loop and whole.isdisjoint(self.mentioned(rule))):
                bound = (target for part in parts_within(node) for target, _ in self.bound(part))
                yield from ((self.targets(target), rule) for target in bound)

    def handed_whole(self):
        """The variables of what goes into the calls itself, and not only something that is taken out of it."""
        iterated = {node.iter for node in self.nodes if isinstance(node, (*LOOPS, ast.comprehension))}
        return made_of(self.ruling, [
            (self.mentioned(value), targets) for targets, value in self.bound_to if value not in iterated])

    def is_met(self, operands):
        """Whether one of several parts is made of a result, and another of an argument."""
        results = [place for place, one in enumerate(operands) if self.is_result(one)]
        given = [place for place, one in enumerate(operands) if not self.given.isdisjoint(self.mentioned(one))]
        return any(one != other for one in results for other in given)

    def is_result(self, node):
        return self.is_answer(node) or not self.results.isdisjoint(self.mentioned(node, parts_of_whole))

    def is_chosen(self, node):
        """Whether it is a part of something of which a result says which that is."""
        return isinstance(node, ast.Subscript) and self.is_result(node.slice)

    def are_objects(self, node):
        """Whether a node is a list of objects that the test code made of classes, or another display with such."""
        parts = list(leaves_of_display(node))
        made = [self.is_object(part) for part in parts]
        is_plain = (isinstance(part, ast.Constant) for part in parts)
        return node not in parts and any(made) and all(map(max, made, is_plain))

    def is_as_bound(self, node, other):
        """Whether something is written as what is bound to a variable."""
        bound = [value for one in self.mentioned(node) for value in self.values.get(one, ())] if is_name(node) else ()
        return any(ast.dump(value) == ast.dump(other) for value in bound)

    def is_object(self, node):
        """Whether a node makes an object of a class, or is a name to which nothing but such is bound."""
        if not is_name(node):
            return makes_object(node) and node not in self.calls
        bound = [value for one in self.mentioned(node) for value in self.values.get(one, ())]
        return bool(bound) and all(map(makes_object, bound))

    def is_answer(self, node):
        """Whether something that the candidate gave is in a node, other than to say which part of another is meant."""
        if node not in self.answering:
            self.answering[node] = node in self.answers or any(map(self.is_answer, parts_of_whole(node)))
        return self.answering[node]

    def mentioned(self, node, parts=ast.iter_child_nodes):
        """The variables in a node, but for those that only go into a call of the candidate's."""
        if node in self.answers and node not in self.doubtful:
            return NOTHING
        if (node, parts) not in self.mentions:
            found = {self.variables[node]} if node in self.variables else NOTHING
            if isinstance(node, ast.Attribute) and node.attr in self.functions:
                found = found | {self.variables.get(self.functions[node.attr], node.attr)}
            self.mentions[node, parts] = found.union(*(self.mentioned(part, parts) for part in parts(node)))
        return self.mentions[node, parts]

    def made_of_arguments(self, bindings):
        """With what an argument was taken out of; but not what else was taken out there, as `want` in `for given, want
        in cases`."""
        given = set().union(*(self.mentioned(part, parts_of_whole) for _, part in self.arguments()))
        given -= self.constants()
        own = (node for node in self.functions.values() if node in self.variables and not is_fixture(node))
        functions = {self.variables[node] for node in own}
        apart, size = set(), -1
        while size != len(apart):
            size = len(apart)
            for place, (targets, value) in enumerate(bindings):
                if not given.isdisjoint(targets):
                    apart.add(place)
                    given = given | value - functions
        going_on = [binding for place, binding in enumerate(bindings) if place not in apart]
        return made_of(given, [*going_on, *self.used_by_classes()])

    def constants(self):
        """The variables that only stand for numbers and texts, which no call changes."""
        changing = {one for targets, value in self.bound_to if not isinstance(value, ast.Constant) for one in targets}
        return {one for targets, _ in self.bound_to for one in targets} - changing

    def targets(self, target):
        if isinstance(target, (ast.Subscript, ast.Starred, ast.Attribute)) and target not in self.variables:
            return self.targets(target.value)
        if isinstance(target, (ast.Tuple, ast.List)):
            return set().union(*map(self.targets, target.elts))
        return {self.variables[target]} if target in self.variables else set()

    def bound(self, node):
        """What a node binds, and to what: a method may put its arguments into what it is called on."""
        if isinstance(node, ast.Assign):
            yield from (bound for target in node.targets for bound in each_bound(target, node.value))
            # Each stands for the same thing.
            yield from permutations(node.targets, 2)
        elif isinstance(node, (ast.AnnAssign, ast.AugAssign, ast.NamedExpr)) and node.value is not None:
            yield node.target, node.value
        elif isinstance(node, (*LOOPS, ast.comprehension)):
            yield from ((node.target, value) for value in values_of(node.iter))
        elif isinstance(node, ast.withitem) and node.optional_vars is not None:
            yield node.optional_vars, node.context_expr
        elif isinstance(node, (*FUNCTIONS, ast.Lambda)):
            yield from self.fixtures_of(node)
            given = (part for part in ast.walk(node) if isinstance(part, GIVING) and part.value)
            yield from ((node, part.value) for part in given)
            yield from defaults_of(node.args)
        elif isinstance(node, ast.Call) and node not in self.answers:
            yield from self.bound_by_call(node)
        elif isinstance(node, ast.Expr) and self.is_done_to_arguments(node.value):
            yield from product(node.value.args, node.value.args)

    def is_done_to_arguments(self, node):
        """Whether a node calls a function of a library's for what it does, as `heapq.heappush(heap, item)`."""
        if not isinstance(node, ast.Call) or node in self.answers or called(node) in self.functions:
            return False
        return called(node) != "print" and not str(called(node)).startswith("assert")

    def fixtures_of(self, function):
        """The parameters that pytest gives what the fixture of that name gave."""
        for parameter in (part for part in ast.walk(function.args) if isinstance(part, ast.arg)):
            fixture = self.functions.get(parameter.arg)
            if fixture is not None and is_fixture(fixture):
                name = ast.Name(parameter.arg, ast.Load())
                self.variables[name] = self.variables[fixture]
                yield parameter, name

    def bound_by_call(self, call):
        given = parts_of(call)
        if called(call) in self.functions:
            nodes = ast.walk(self.functions[called(call)].args)
            parameters = [node for node in nodes if isinstance(node, ast.arg) and node.arg not in OWNERS]
            is_plain = len(parameters) == len(call.args) == len(given)
            yield from zip(parameters, given) if is_plain else product(parameters, given)
        elif isinstance(call.func, ast.Attribute):
            yield from ((call.func.value, value) for value in given)

    def is_settled(self, node):
        """Whether a node is a variable of which it is seen that no call has a say in which thing it stands for: one
        that is handed over, or to which nothing is bound but objects that the test code made."""
        if not is_name(node) or self.is_result(node):
            return False
        return not self.handed.isdisjoint(self.mentioned(node)) or self.is_object(node)

    def compared(self, node):
        """The sides of a comparison, but for things that stay those that they are whatever was done to them."""
        sides = node.args[:2] if isinstance(node, ast.Call) else [node.left, *node.comparators]
        return [side for side in sides if not self.is_settled(side)] if asks_for_identity(node) else sides

    def across(self, node):
        """The parts of which a node makes one thing, such as the sides of a comparison."""
        if isinstance(node, ast.Compare) or asks_for_identity(node):
            return self.compared(node)
        if isinstance(node, ast.BinOp):
            return [node.left, node.right]
        if isinstance(node, ast.AugAssign):
            return [node.target, node.value]
        if isinstance(node, (ast.Tuple, ast.List, ast.Set)):
            return node.elts if isinstance(getattr(node, "ctx", None), (ast.Load, type(None))) else None
        if isinstance(node, ast.Dict):
            return [*filter(None, node.keys), *node.values]
        if isinstance(node, ast.Subscript):
            is_chosen = self.is_chosen(node) and not is_beginning(node)
            return [node.value, node.slice] if self.is_result(node.value) or is_chosen else None
        if isinstance(node, ast.BoolOp):
            # Of what all has to hold, one says nothing of another.
            is_apart = isinstance(node.op, ast.And) and all(isinstance(one, ast.Compare) for one in node.values)
            return None if is_apart else node.values
        if isinstance(node, ast.IfExp):
            return [node.test, node.body, node.orelse]
        if isinstance(node, ast.Call) and node not in self.calls:
            chosen = [part for part in node.args if self.is_chosen(part)] if not is_beginning(node) else ()
            return [getattr(node.func, "value", node.func), *parts_of(node), *(part.slice for part in chosen)]
        return None


def asks_for_identity(node):
    """Whether a node asks if two things are the same one."""
    if isinstance(node, ast.Call):
        return called(node) in ("assertIs", "assertIsNot")
    return isinstance(node, ast.Compare) and all(isinstance(one, (ast.Is, ast.IsNot)) for one in node.ops)


def each_bound(target, value):
    """What is bound to what by an assignment, which may be one of several things to as many."""
    kinds = ast.Tuple, ast.List
    if isinstance(target, kinds) and isinstance(value, kinds) and len(target.elts) == len(value.elts):
        if not any(isinstance(one, ast.Starred) for one in (*target.elts, *value.elts)):
            return zip(target.elts, value.elts)
    return [(target, value)]


def is_beginning(node):
    """Whether a node is the beginning of something as it stands, however long: `xs[:k]`."""
    if isinstance(node, ast.Call) and called(node) in ("list", "set", "sorted", "tuple") and len(node.args) == 1:
        node = node.args[0]
    part = getattr(node, "slice", None)
    return isinstance(part, ast.Slice) and part.lower is None and part.step is None


def rows_among(nodes):
    """The rows of tables of cases, each by its parts: tuples in a list, and parameters of a test."""
    tables = (node.elts for node in nodes if isinstance(node, (ast.List, ast.Tuple)))
    yield from (row.elts for table in tables for row in table if isinstance(row, ast.Tuple))
    yield from (node.args for node in nodes if called(node) == "param")


def rule_of(node):
    """On what it hangs if, or how often, what is within a statement or a comprehension is done."""
    if isinstance(node, LOOPS):
        return node.iter
    if isinstance(node, COMPREHENSIONS):
        return ast.Tuple([part.iter for part in node.generators], ast.Load())
    skipping = [one for one in getattr(node, "decorator_list", ()) if str(called(one)).lower() in SKIPPING]
    if skipping:
        return ast.Tuple(skipping, ast.Load())
    if isinstance(node, ast.Try) and node.handlers:
        return ast.Module(node.body, [])
    return getattr(node, "subject", None) or (node.test if isinstance(node, (ast.If, ast.While)) else None)


def goes_through_names(iterated):
    """Whether a loop goes through variables as they stand, one of them or several side by side."""
    if isinstance(iterated, ast.Call) and getattr(iterated.func, "id", None) in ("enumerate", "zip"):
        return all(map(goes_through_names, iterated.args))
    return is_name(iterated)


def parts_within(node):
    """The parts of what hangs on a statement's rule."""
    if isinstance(node, COMPREHENSIONS):
        return (part for one in ast.iter_child_nodes(node) for part in ast.walk(one))
    blocks = [getattr(node, "orelse", ()), () if isinstance(node, ast.Try) else getattr(node, "body", ())]
    blocks += [part.body for part in (*getattr(node, "handlers", ()), *getattr(node, "cases", ()))]
    return (part for block in blocks for one in block for part in ast.walk(one))


def leaves(node):
    """Whether a node goes on elsewhere than behind the statement that it is in."""
    return isinstance(node, (ast.Return, ast.Break, ast.Continue, ast.Raise)) or called(node) in ("skipTest", "skip")


def defaults_of(arguments):
    """The parameters that have a default, with that."""
    named = [*arguments.posonlyargs, *arguments.args]
    if arguments.defaults:
        yield from zip(named[-len(arguments.defaults):], arguments.defaults)
    yield from ((one, value) for one, value in zip(arguments.kwonlyargs, arguments.kw_defaults) if value is not None)


def is_name(node):
    return isinstance(node, ast.Name)


def leaves_of_display(node):
    """What stands in a list, a tuple, a set or a dictionary, and in those in it."""
    if isinstance(node, (ast.List, ast.Tuple, ast.Set)):
        yield from (leaf for part in node.elts for leaf in leaves_of_display(part))
    elif isinstance(node, ast.Dict) and None not in node.keys:
        yield from (leaf for part in (*node.keys, *node.values) for leaf in leaves_of_display(part))
    else:
        yield node


def makes_object(node):
    """Whether a node calls a class, by its name."""
    return isinstance(node, ast.Call) and CLASS.fullmatch(getattr(node.func, "id", "")) is not None


def gives_what_is_the_candidates(own, node):
    """Whether a node is a call that gives what the candidate gave, printed or raised."""
    return is_call_of_other(own, node) or is_captured(node) or called(node) in RAISED


def is_call_of_other(own, node):
    """Whether a node calls a function that the test code has from nowhere else than the candidate."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id not in own


def is_captured(node):
    """Whether a node is that from which test code reads what was printed."""
    captures = called(node) if isinstance(node, ast.Call) else getattr(node, "id", None)
    return captures in CAPTURING - {"stdout", "stderr"}


def made_of(known, bindings):
    """These variables, and what is bound to something in which one of them is."""
    size = -1
    while size != len(known):
        size = len(known)
        known = known.union(*(targets for targets, value in bindings if not known.isdisjoint(value)))
    return known


def parts_of_whole(node):
    """The parts of a node, but for what says which part of something is meant, as in `a[:k]`."""
    return [node.value] if isinstance(node, ast.Subscript) else ast.iter_child_nodes(node)


def values_of(iterated):
    """What a loop may go through, as far as that is written there."""
    if isinstance(iterated, (ast.Tuple, ast.List)):
        return iterated.elts
    return [CONSTANT if called(iterated) == "range" else iterated]
