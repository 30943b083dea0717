"""Whether test code sees what a call did to its arguments, and to files to which these lead.

It does, but where it may compute what it expects from them. Even there it does if an argument is itself compared with
something that does not come from the candidate; or if a call gives nothing, and the test code does nothing with that.
"""

import ast
from functools import lru_cache
from itertools import permutations

from ...names import called
from ...nodes import LINKS
from .certainty import is_reference
from .expected import Followed, Origins, is_beginning, leaves_of_display
from .faults import FUNCTIONS, bound_by, imported
from .lent_data import Lent
from .paths import Paths, claimed_by, looked_for
from .said import asserted_by, parts_of, placed
from .simplified import simplified
from .variables import OWNERS

# What gives all that its argument holds.
WHOLE = ("list", "set", "sorted", "tuple", "dict")
# What compares its arguments, and does nothing else with them, where the test code does not define it.
COMPARING = {"__eq__", "__ne__", "__contains__", *(
    "assert" + name for name in (
        "Equal", "NotEqual", "In", "NotIn", "ListEqual", "TupleEqual", "SetEqual", "DictEqual", "SequenceEqual",
        "CountEqual", "MultiLineEqual"))}

# What runs a function with arguments that stand in a tuple.
RUNNING = {"Thread", "Timer", "Process"}
# What does no more with a function than to call it with what it is given here, or to look at it.
TAKING = {
    "map", "filter", "sorted", "min", "max", "reduce", "starmap", "print", "assertRaises", "assertRaisesRegex",
    "raises", "callable", "assertTrue", "assertIsNotNone", "hasattr", "isinstance", "signature", "isfunction",
    "iscoroutinefunction", "isgeneratorfunction", "getsource", "getdoc",
}

# What operators call, by their classes as they are written.
OPERATORS = {
    kind: "__%s__" % name for kind, name in (
        (ast.Add, "add"), (ast.Sub, "sub"), (ast.Mult, "mul"), (ast.MatMult, "matmul"), (ast.Div, "truediv"),
        (ast.FloorDiv, "floordiv"), (ast.Mod, "mod"), (ast.Pow, "pow"), (ast.LShift, "lshift"), (ast.RShift, "rshift"),
        (ast.BitAnd, "and"), (ast.BitOr, "or"), (ast.BitXor, "xor"))
}


def sees(source, function):
    """Whether test code sees what `function` did to its arguments, where that gives something. Of a special method it
    has to be written what that was given."""
    inspection, origins = inspection_of(source, function)
    if function.startswith("__") and not inspection.calls:
        return False
    return origins.are_followed() and (inspection.finds(origins) or not origins.meet())


def sees_all(source, function):
    """The same where that gives nothing: test code sees it unless it does something with what a call gives, but to see
    that it is nothing, or sets what else the candidate says beside the arguments."""
    inspection, origins = inspection_of(source, function)
    return not inspection.uses_results() and (inspection.finds(origins, in_parts=True) or not origins.meet())


def expecting(source, function):
    """The places of arguments of which test code may make what it expects of others: what became of the others shows,
    and not of these, unless nothing was in them."""
    inspection, origins = inspection_of(source, function)
    compared = [sides for node in inspection.nodes for sides in comparisons(node)]
    shown = {place for sides in compared for place in inspection.shown(sides, origins)}
    shown |= {place for node in inspection.nodes for place in inspection.stated(node, origins)}
    made = (list(filter(None, map(origins.places_in, sides))) for sides in compared)
    met = [places for places in made if any(one != places[0] for one in places)]
    # So too where it is a result that is compared with what is computed of one; an argument itself may be the result.
    beside = (side for sides in compared for side in beside_results(sides, origins) if not inspection.is_argument(side))
    met += [[origins.places_in(side)] for side in beside if not origins.given.isdisjoint(origins.mentioned(side))]
    return {place for places in met for one in places for place in one} - shown


def expects_of_lent(source, function):
    """Whether test code compares a result with something made of what it put where the candidate finds it, be that an
    argument, something that one holds or gives, or what it has in the place of something. Not where it says of any of
    that what is to become of it."""
    origins = origins_of_lent(source, function)
    return origins is not None and any(origins.meets(node) or origins.is_ruled(node) for node in origins.nodes)


def recomputes_of_lent(source, function):
    """Whether that is computed once the candidate has had it."""
    origins = origins_of_lent(source, function)
    return origins is not None and origins.recomputes()


def origins_of_lent(source, function):
    """Where it says of none of that what is to become of it."""
    inspection, origins = inspection_of(source, function, Lent)
    compared = [sides for node in inspection.nodes for sides in comparisons(node)]
    origins.pin(compared)
    return None if any(map(origins.tells, compared)) or any(map(origins.states, inspection.nodes)) else origins


def sees_files(source, function, places):
    """Whether it sees what became of the files to which the arguments at some places lead: where nothing made of one of
    these meets a result, or what is made of another."""
    before, tree = simplified(source)
    tree = PathsApart(list(ast.walk(tree))).visit(tree)
    tree = Texts(tree, set(texts_of(tree, {function, "candidate"}))).visit(tree)
    _, origins = inspected(before, tree, function, places)
    return origins.are_followed() and not origins.meet() and not origins.arguments_meet()


def beside_results(sides, origins):
    """The sides of a comparison beside one that is made of a result, if one is; else none."""
    result = next(filter(origins.is_result, sides), None)
    return [side for side in sides if side is not result] if result is not None else []


def texts_of(tree, names):
    """What is written in calls of these functions, or bound to variables."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and called(node) in names:
            yield from (ast.dump(part) for part in ast.walk(node))
        elif isinstance(node, ast.Assign):
            yield ast.dump(node.value)


class PathsApart(ast.NodeTransformer):
    """Has a text stand where a result is compared with what is made of paths alone."""

    def __init__(self, nodes):
        paths, own = Paths(nodes), {node.name for node in nodes if isinstance(node, FUNCTIONS)}
        # A comparison of the test code's own may look at files.
        sides = [side for node in nodes for side in (*sides_of(node), *looked_for(node)) if own.isdisjoint(COMPARING)]
        self.compared = set(filter(paths.tells, sides))
        self.compared.update(filter(paths.only_asks, map(claimed_by, nodes)))

    def visit(self, node):
        return ast.copy_location(ast.Constant(""), node) if node in self.compared else super().visit(node)


class Texts(ast.NodeTransformer):
    """Has a variable stand for a text that is an argument: it may be the path of a file, and lead to more than that.
    Not where it is only compared as it stands: no file is looked at for that."""

    def __init__(self, tree, given):
        self.given, self.compared = given, set(compared_only(list(ast.walk(tree))))

    def visit(self, node):
        return node if node in self.compared else super().visit(node)

    def visit_Constant(self, node):
        is_given = isinstance(node.value, str) and ast.dump(node) in self.given
        return ast.copy_location(ast.Name("text " + node.value, ast.Load()), node) if is_given else node


def compared_only(nodes):
    """The texts, and lists and the like of such, that are compared as they stand, or bound to variables with which
    nothing else is done."""
    own = {node.name for node in nodes if isinstance(node, FUNCTIONS)}
    if not own.isdisjoint(COMPARING):
        return
    sides = {side for node in nodes for side in sides_of(node)}
    sides |= {side.args[0] for side in sides if is_call_of_whole(side, own)}
    for node in (*sides, *bound_to_none_but(sides, nodes)):
        if all(isinstance(part, ast.Constant) for part in leaves_of_display(node)):
            yield node


def bound_to_none_but(sides, nodes):
    """What is bound to variables that are used nowhere but as these sides of comparisons."""
    used = {node.id for node in nodes if isinstance(node, ast.Name) and is_read(node) and node not in sides}
    used.update(node.attr for node in nodes if isinstance(node, ast.Attribute))
    bound = (node for node in nodes if isinstance(node, ast.Assign))
    return [node.value for node in bound if all(is_unused(target, used) for target in node.targets)]


def sides_of(node):
    """What a node compares, and does nothing else with."""
    if isinstance(node, ast.Compare):
        return [node.left, *node.comparators]
    return node.args if isinstance(node, ast.Call) and called(node) in COMPARING else []


def is_call_of_whole(node, own):
    """Whether a node gives all that its argument holds, by none of the test code's `own` functions."""
    is_builtin = isinstance(node, ast.Call) and getattr(node.func, "id", None) in WHOLE and node.func.id not in own
    return is_builtin and len(node.args) == 1


def is_read(name):
    return isinstance(name.ctx, ast.Load)


def is_unused(target, used):
    return isinstance(target, ast.Name) and target.id not in used


class Written(ast.NodeTransformer):
    """Has a special method called by its name where an operator or an assignment calls it."""

    def __init__(self, method):
        self.method = method

    def visit_Assign(self, node):
        self.generic_visit(node)
        target, *more = node.targets
        if more:
            return node
        if isinstance(target, ast.Subscript) and self.method == "__setitem__":
            return ast.copy_location(ast.Expr(self.call(target.value, target.slice, node.value)), node)
        if isinstance(target, ast.Attribute) and self.method == "__setattr__":
            return ast.copy_location(ast.Expr(self.call(target.value, ast.Constant(target.attr), node.value)), node)
        return node

    def visit_AugAssign(self, node):
        self.generic_visit(node)
        if self.method != "__i" + OPERATORS[type(node.op)][2:] or not isinstance(node.target, ast.Name):
            return node
        called_on = ast.Name(node.target.id, ast.Load())
        return ast.copy_location(ast.Assign([node.target], self.call(called_on, node.value)), node)

    def visit_BinOp(self, node):
        self.generic_visit(node)
        is_meant = self.method == OPERATORS[type(node.op)]
        # Either may be the candidate's, and be given the other.
        return ast.copy_location(self.call(node.left, node.right, node.left), node) if is_meant else node

    def call(self, called_on, *given):
        return ast.Call(ast.Attribute(called_on, self.method, ast.Load()), list(given), [])


@lru_cache(maxsize=2)
def inspection_of(source, function, kind=Origins):
    return inspected(*simplified(source), function, kind=kind)


def inspected(before, tests, function, places=None, kind=Origins):
    """What test code does with this function, and what it makes of its arguments and results; `before` is what runs
    the tests."""
    if function.startswith("__"):
        tests = ast.fix_missing_locations(Written(function).visit(tests))
    inspection = Inspection(tests, {function, "candidate"})
    others = imported(before).union(*map(bound_by, ast.walk(before)))
    followed = Followed(inspection.with_those_that_call(), inspection.doubtful, inspection.is_all_seen())
    return inspection, kind(tests, followed, others, places)


class Inspection:
    def __init__(self, tree, names):
        self.nodes = list(ast.walk(tree))
        self.names = self.with_aliases(names)
        self.calls = {node for node in self.nodes if isinstance(node, ast.Call) and called(node) in self.names}
        self.doubtful = doubtful(self.calls)
        # So do these, and functions of the test code's that list nodes.
        functions = (node for node in self.nodes if isinstance(node, FUNCTIONS))
        self.whole = {node.name for node in functions if lists_nodes(node)}.union(WHOLE)
        threads = (node for node in self.nodes if isinstance(node, ast.Call) and called(node) in RUNNING)
        self.arguments = {ast.dump(given) for call in (*self.calls, *threads) for given in arguments(call)}
        # The places of arguments, once they are asked for.
        self.placed = {}

    def with_aliases(self, names):
        """The names of a function, and those that are bound to it: `g = f`, or by `check(f)` a parameter of `check`."""
        functions = {node.name: node for node in self.nodes if isinstance(node, FUNCTIONS)}
        bindings = []
        for node in self.nodes:
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                bindings.append((node.value, node.targets[0].id))
            elif isinstance(node, ast.Call) and called(node) in functions:
                parameters = [one.arg for one in functions[called(node)].args.args if one.arg not in OWNERS]
                bindings.extend(zip(node.args, parameters))
                bindings.extend((keyword.value, keyword.arg) for keyword in node.keywords)
        self.aliases, known = {name for _, name in bindings}, None
        while known != names:
            known = names
            names = known | {name for value, name in bindings if reference(value) in known}
        return names

    def with_those_that_call(self):
        """The calls of the function, and those that it is handed to, such as `map(f, cases)` and
        `Thread(target=f, args=(xs,))`."""
        calls = (node for node in self.nodes if isinstance(node, ast.Call))
        return self.calls | {node for node in calls if any(reference(part) in self.names for part in parts_of(node))}

    def is_all_seen(self):
        """Whether nothing else is done with the function by its names than to call it where that is seen."""
        functions = {node.name: len(node.args.args) for node in self.nodes if isinstance(node, FUNCTIONS)}
        stored = {node.id for node in self.nodes if isinstance(node, ast.Name) and not is_read(node)}
        seen = {node.func for node in self.calls}
        for node in self.nodes:
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                seen.add(node.value)
            elif isinstance(node, ast.Attribute):
                seen.add(node.value)
            elif isinstance(node, ast.Call) and called(node) in TAKING:
                seen.update(node.args)
            elif isinstance(node, ast.Call):
                seen.update(node.args[:functions.get(called(node), 0)])
        used = (node for node in self.nodes if reference(node) in self.names and node not in seen and is_read(node))
        own = stored - self.aliases
        return all(getattr(node, "id", None) in own for node in used) and not any(map(self.is_hidden_in, self.nodes))

    def is_hidden_in(self, node):
        """Whether a node puts a function without a name, which calls this one, where it is not seen who calls that; or
        has the function by its name as a text."""
        if called(node) == "getattr":
            return any(getattr(part, "value", None) in self.names for part in node.args)
        if isinstance(node, ast.Call):
            parts = () if called(node) in TAKING else parts_of(node)
        else:
            parts = () if isinstance(node, ast.Lambda) else ast.iter_child_nodes(node)
        lambdas = (part for part in parts if isinstance(part, ast.Lambda))
        return any(inner in self.calls for part in lambdas for inner in ast.walk(part.body))

    def uses_results(self):
        """Unless nothing is done with any of them; so too where it is not seen which those are."""
        ignored = {dropped(node.value) for node in self.nodes if isinstance(node, ast.Expr)}
        for node in self.nodes:
            if isinstance(node, ast.Assert) and is_none_asserted(node.test):
                ignored.add(node.test.left)
            if isinstance(node, ast.Call) and called(node) == "assertIsNone":
                ignored.update(node.args)
        return not self.calls or not self.calls <= ignored

    def finds(self, origins, in_parts=False):
        """Whether an argument, or one of its parts, is compared with something else than a result."""
        compared = [sides for node in self.nodes for sides in comparisons(node)]
        is_stated = in_parts and any(self.states(node, origins) for node in self.nodes)
        return is_stated or any(self.about_arguments(sides, origins, in_parts) for sides in compared)

    def states(self, node, origins):
        """Whether a node asserts something of an argument behind a call, and of nothing that the candidate says, nor of
        another argument."""
        asserted = asserted_by(node)
        if not any(map(self.mentions_argument, asserted)) or any(map(origins.is_result, asserted)):
            return False
        is_behind = any(call.lineno < node.lineno for call in self.calls)
        return is_behind and len(set().union(*map(origins.places_in, asserted))) == 1

    def stated(self, node, origins):
        """The places of the arguments of which it does."""
        asserted = asserted_by(node) if self.states(node, origins) else ()
        return {place for whole in asserted for part in ast.walk(whole) for place in self.places(part)}

    def about_arguments(self, sides, origins, in_parts):
        """Whether one of the sides is an argument, all of it or one of its parts, and another is made of no argument
        and of nothing that a call gave; or of the test code's objects, which are in the argument too."""
        if not any(self.is_argument(side) or in_parts and self.is_part(side, origins) for side in sides):
            return False
        if any(origins.is_as_bound(one, other) for one, other in permutations(sides, 2)):
            # That it is what it was is no sign that it is to be changed.
            return False
        return any(origins.are_objects(side) or self.is_own(side, origins) for side in sides)

    def is_own(self, side, origins):
        is_made = self.mentions_argument(side) or not origins.given.isdisjoint(origins.mentioned(side))
        return not is_made and not is_none(side) and not origins.is_result(side)

    def is_argument(self, node):
        """Whether a node is an argument, or as much of it as a result says, in whichever order."""
        if isinstance(node, ast.Call) and called(node) in self.whole and len(node.args) == 1:
            return self.is_argument(node.args[0])
        whole = node.value if is_beginning(node) and isinstance(node, ast.Subscript) else node
        return ast.dump(whole) in self.arguments

    def is_part(self, node, origins):
        """Whether a node is what an argument has under a literal, or under an object of the test code's; or what a node
        of a list or a tree holds."""
        if isinstance(node, ast.Attribute):
            return ast.dump(node.value) in self.arguments or self.is_part(node.value, origins)
        if not isinstance(node, ast.Subscript) or ast.dump(node.value) not in self.arguments:
            return False
        return isinstance(node.slice, ast.Constant) or origins.is_object(node.slice)

    def shown(self, sides, origins):
        """The places of arguments of which a comparison says what is to become of them: those that are compared with
        something of the test code's own, and one that stands on a side by itself, unless another does so too."""
        if self.about_arguments(sides, origins, in_parts=True):
            return set().union(*map(origins.places_in, sides))
        alone = list(filter(None, map(self.places, sides)))
        return alone[0] if len(alone) == 1 and not any(map(origins.is_result, sides)) else ()

    def places(self, node):
        """The places at which an argument, or its beginning, is handed over."""
        node = node.value if is_beginning(node) and isinstance(node, ast.Subscript) else node
        if not self.placed:
            for place, given in (one for call in self.calls for one in placed(call)):
                self.placed.setdefault(ast.dump(given), set()).add(place)
        return self.placed.get(ast.dump(node), ())

    def mentions_argument(self, node):
        return ast.dump(node) in self.arguments or any(map(self.mentions_argument, ast.iter_child_nodes(node)))


def doubtful(calls):
    """Those of the calls of one name that may be of another's function: `statistics.median(x)` beside `median(x)`, or
    `Ref().total(x)` beside `Solution().total(x)`."""
    of_members = {node: ast.dump(node.func.value) for node in calls if isinstance(node.func, ast.Attribute)}
    is_mixed = len(of_members) < len(calls) or len(set(of_members.values())) > 1
    return set(of_members) if is_mixed else set()


def lists_nodes(function):
    """Whether a function goes from node to node of a list or a tree, and takes what they hold."""
    names = {part.attr for part in ast.walk(function) if isinstance(part, ast.Attribute)}
    return "val" in names and any(names.issuperset(links) for links in LINKS.values())


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
    if called(call) in RUNNING:
        given += [one for part in given for one in getattr(part, "elts", ())]
    given = [part.value if isinstance(part, ast.Starred) else part for part in given]
    return [part for part in given if isinstance(part, (ast.Name, ast.Attribute, ast.Subscript))]


def comparisons(node):
    """What a statement asserts to be equal. What is compared only to compute something says nothing."""
    if isinstance(node, ast.Call) and str(called(node)).startswith("assert"):
        yield node.args[:2] if called(node).endswith("Equal") and "Not" not in called(node) else ()
    if isinstance(node, (ast.Assert, ast.Return)):
        yield from equal(getattr(node, "test", None) or node.value)
    elif isinstance(node, ast.If) and ends(node.body):
        yield from equal(node.test, is_denied=True)
    elif isinstance(node, ast.Call) and called(node) in ("all", "assertTrue"):
        yield from (found for part in node.args[:1] for found in equal(getattr(part, "elt", part)))


def dropped(node):
    """What gives what a statement drops, be it awaited."""
    if isinstance(node, ast.Await):
        return node.value
    is_run = isinstance(node, ast.Call) and ast.unparse(node.func) == "asyncio.run" and node.args
    return node.args[0] if is_run else node


def ends(block):
    """Whether a test ends in a block, for it failed."""
    return any(
        isinstance(part, ast.Raise) or getattr(part, "value", None) is not None and (
            isinstance(part, ast.Return) or called_by(part) in ("fail", "exit"))
        for part in block)


def called_by(statement):
    return called(statement.value) if isinstance(statement, ast.Expr) else None


def equal(node, is_denied=False):
    """The sides of the comparisons that have to be equal for an expression to hold, or not to."""
    if isinstance(node, ast.Compare) and all(isinstance(one, ast.NotEq if is_denied else ast.Eq) for one in node.ops):
        yield [node.left, *node.comparators]
    elif isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or if is_denied else ast.And):
        yield from (found for value in node.values for found in equal(value, is_denied))
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield from equal(node.operand, not is_denied)
