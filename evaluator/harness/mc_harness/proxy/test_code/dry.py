"""A dry run of test code: without a candidate, with stand-ins that agree to everything, or to nothing.

It tells what test code does whatever its candidate is: that it cannot be kept apart from one, that it fails by itself,
that it asks nothing, and what of the candidate's it uses as objects. All that is then the problem's doing, if it is so
both ways: what is done only after some answers, a candidate might bring about by a wrong one.
"""

import ast
import importlib
import inspect
import os
import sys
from collections import namedtuple
from contextlib import contextmanager
from functools import cache

from mc_sandbox.script import FILE_NAME

from ..analysis.certainty import Certainty
from ..analysis.evidence import Evidence
from ..analysis.faults import OWN, Names, callers, frames, imported, line_of_test_code, missing, placed, steps, trace
from ..analysis.guards import Guards, entering
from ..analysis.looked_at import names_looked_at
from ..analysis.settled import Settled
from ..analysis.written import Written, way_to
from ..link.client import Link
from ..stand_ins.doubted import is_own
from ..stand_ins.guarded import Guarded
from ..stand_ins.identity import ClassOf, asking, is_comparison
from ..stand_ins.named import Function
from ..stand_ins.unions import joined
from ..wire.asked import COPIES
from ..wire.chains import CAPITAL, called, computed, copies, element, is_of_class
from ..wire.crossing import BY_NAME, HOLDERS
from ..wire.plain import KINDS, METHODS
from ..wire.remote import Remote

# How often everything is true, or nothing; then the other way round, so that loops end.
PATIENCE = 1000
# How the chains of what the candidate gave end.
RESULTS = ("()", "[]", "~")


class UnshieldedError(Exception):
    """Ends a statement that cannot be kept apart from the candidate."""


class DryLink(Link):
    """Stands for the candidate too. `tree` is the test code's; it `agrees` to everything, or to nothing."""

    def __init__(self, named, tree, objects=(), agrees=True):
        super().__init__(named, objects=objects)
        self.agrees = agrees
        # The lines on which something crosses that cannot.
        self.unshieldable = set()
        # Whether it ended the process before its end.
        self.left = False
        # Chains that the problem says lead to objects.
        self.stated = frozenset(objects)
        self.names = Names(tree)
        self.certainty = Certainty(tree)
        self.guards = Guards(self.certainty.nodes, self.certainty.open_contexts)
        # By which chain something is called that is given what is to cross now; and whether the test code gave
        # something of its own before, which a right candidate may give back.
        self.called_on, self.gave = "", False
        self.written = Written(tree)
        self.settled_arguments = Settled(tree, self.certainty.comes_to)
        self.looked_at = names_looked_at(tree)
        # The lines of assertions that two things differ, which any object does from plain data.
        self.denials = {line for node in ast.walk(tree) if is_denial(node) for line in lines_of(node)}
        self.raised = []
        self.agreed = 0
        # What things are as text and as numbers: nothing, or drawn for each run; loops may go as far as such a number.
        self.text = "t" + os.urandom(8).hex() if agrees else ""
        self.number = 101 + 2 * os.urandom(1)[0] if agrees else 0
        # What is said of each thing that meets plain data.
        self.evidence = []

    def found(self):
        """What the run has shown so far."""
        objects = (evidence for evidence in self.evidence if evidence.is_object)
        compared = sorted(set().union(*(evidence.compared for evidence in objects)))
        unshieldable = sorted(self.unshieldable)
        return {
            "objects": sorted(self.objects), "compared": compared, "raised": self.raised, "unshieldable": unshieldable,
            "left": self.left,
        }

    def end_process(self, status):
        """Stands for `os._exit`."""
        self.left |= self.comes_here() and self.is_led_here()
        raise SystemExit(status)

    def comes_here(self):
        """Whether the test code comes to where it is whatever its candidate answers."""
        here = sys._getframe(1)
        return self.guards.are_open(frames(here)) and self.certainty.comes_to([line for _, line in callers(here)])

    def enter(self, line):
        """The test code comes to where exceptions are excepted."""
        self.guards.enter(sys._getframe(1), line)

    def note_asked(self):
        """The candidate was asked something that it may have raised an exception for."""
        self.guards.ask(frames(sys._getframe(1)))

    def is_led_here(self):
        """Whether no answer can have led it here by what it is."""
        return not self.asked or self.written.leads(reversed(list(frames(sys._getframe(1)))))

    def is_taken_here(self):
        """Whether what crosses is handed to a method that a right candidate's value may have on this side."""
        if self.gave and self.called_on.endswith(RESULTS):
            return True
        owner, _, name = self.called_on.rpartition(".")
        is_named = is_of_class(owner) or owner in self.stated
        return owner.endswith(RESULTS) and not is_named and (self.gave or name in of_values())

    def leave(self, kind, reason, **more):
        if self.is_taken_here():
            raise UnshieldedError(reason)
        if self.comes_here() and self.settled_arguments.are_here([line for _, line in callers(sys._getframe(1))]):
            self.unshieldable.add(line_of_test_code())
        raise UnshieldedError(reason)

    def agree(self):
        self.note_asked()
        self.agreed += 1
        return (self.agreed < PATIENCE) is self.agrees

    def note(self, *imports):
        """Remember the exception that a statement raised, which would have imported these names."""
        error, frame = sys.exc_info()[1], sys._getframe(1)
        if isinstance(error, RecursionError) and frame.f_code.co_name != "<module>":
            # What recurses without an end would do so again from every depth.
            raise
        if isinstance(error, ImportError):
            self.names.unimported.update(imports)
        if isinstance(error, OWN) and self.is_own(error, frame) and len(self.raised) < PATIENCE:
            self.raised.append(placed(error))

    def is_own(self, error, frame):
        """Whether an exception that was excepted in `frame` is the test code's doing, and comes of any answer."""
        if self.may_have_been_changed(error) and not isinstance(error, (NameError, ImportError)):
            return False
        lines = [line for _, line in (*trace(error), *callers(frame))]
        raised = [(step.tb_frame, step.tb_lineno) for step in steps(error)]
        # What runs the tests raises itself what it cannot do.
        is_runners = bool(raised) and raised[-1][1] <= self.guards.end_of_runner
        is_open = is_runners or self.guards.are_open((*raised, *frames(frame)))
        is_certain = is_open and self.certainty.comes_to(lines, missing(error))
        is_certain = is_certain and self.names.is_own(error, frame)
        is_lacking = is_runners and isinstance(error, ImportError)
        return is_certain and (not self.asked or is_lacking or self.is_written(error, frame))

    def is_written(self, error, frame):
        """Whether no answer can have led to an exception by what it is."""
        way = way_to(error, frame)
        return self.written.leads(way) and (isinstance(error, NameError) or self.written.wants(way[-1][1]))

    def may_have_been_changed(self, error):
        """Whether a candidate would have had its hands on something that the test code looks at."""
        return bool(self.callbacks.things) or self.surroundings.may_be_missed(error)

    def stand_for(self, name):
        return Named(self, None, name, name)

    member = stand_for

    def defines(self, name):
        self.asked = True
        return self.agree()

    def all_names(self):
        self.asked = True
        return []

    def fetch(self, of, path, chain):
        self.note_asked()
        return Anything(self, of, path, chain)

    def set(self, of, path, name, value):
        self.asked = True
        self.sendable(value)
        self.note_asked()

    @contextmanager
    def calling(self, chain):
        """Meanwhile what crosses is given to what this chain leads to."""
        self.called_on = chain
        try:
            yield
        finally:
            self.called_on = ""

    def truth(self, of, path):
        self.asked = True
        return self.agree()

    def is_instance(self, value, kind):
        self.asked = True
        value._remote_is_of_class()
        return self.agree()

    def operate(self, name, chain, *operands):
        self.sendable(operands)
        classes = [one for one in operands if type(one) is ClassOf]
        if name == "is_" and len(classes) == 1:
            # It is of a class that the test code knows by its name.
            classes[0]._remote_owner._remote_is_object()
        return operands[0] if name in COPIES else self.agree()

    def iterate(self, of, path, chain):
        return iter([self.held_by(of, path, chain)] if self.agrees else [])

    def held_by(self, of, path, chain):
        return Anything(self, of, path, element(chain))

    def kind_of(self, of, path):
        return Function

    def metaclass(self, of, path):
        self.asked = True
        return

    def mro(self, of, path, **_):
        self.asked = True
        return Anything(self, of, path, path), object

    def signature(self, of, path):
        self.asked = True
        return inspect.signature(lambda *args, **kwargs: None)

    def own_tools(self):
        return frozenset()

    def starred(self):
        return self.namespace

    def take(self, names):
        self.namespace.update((name, self.stand_for(name)) for name in names)
        return set()

    def exit(self, of, path, name, chain, error, **_):
        self.asked = True

    def made_class(self, name, bases, keywords, namespace, cell):
        self.describe_class(bases, keywords, namespace, cell)
        return Named(self, None, name, name)

    def decorate(self, name, kind, said):
        self.sendable(said)
        return kind

    def leave_class(self, name, reason):
        """What is in a class statement may hang on answers too."""
        if not all(map(self.settled_arguments.is_settled_class, [name, *self.mixed_in])):
            raise UnshieldedError(reason)
        self.leave("unshieldable", reason)

    def call(self, of, path, chain, args, kwargs):
        self.asked = True
        given = []
        with self.calling(chain):
            self.sendable([list(args), kwargs], given)
        self.gave = self.gave or bool(given)
        self.streams.before(self.leave)
        self.replacements.before()
        self.surround({**dict(enumerate(args)), **kwargs})
        self.note_asked()
        return Anything(self, of, path, called(chain, copies(of, path, [*args, *kwargs])))


class Named(Function):
    """What the test code knows by its name."""

    __slots__ = ()

    def _remote_as_object(self, name):
        if name not in METHODS:
            self._remote_is_object()

    def _remote_must_be_known(self):
        pass

    def __or__(self, other):
        return joined(self, other)

    def __ror__(self, other):
        return joined(other, self)

    def __hash__(self):
        return hash(Function)


class Term(namedtuple("Term", "of measures")):
    """Of what an operator makes something else, and whether that may tell how far off it is from plain data."""

    __slots__ = ()


class Anything(Guarded):
    """What a candidate could give back."""

    __slots__ = ("_remote_evidence", "_remote_owner", "_remote_term")

    def __init__(self, link, of, path, chain):
        super().__init__(link, of, path, chain)
        object.__setattr__(self, "_remote_evidence", Evidence(chain in link.stated))
        # What it is a method of, if it is one.
        object.__setattr__(self, "_remote_owner", None)
        # Of what an operator made it, with no more than plain data, if one did.
        object.__setattr__(self, "_remote_term", None)

    def _remote_as_object(self, name):
        if name in self._remote_link.looked_at:
            self._remote_is_object()
        self._remote_found(lambda evidence: evidence.asked(name))

    def _remote_is_object(self):
        self._remote_found(Evidence.be_object)

    def _remote_found(self, find):
        find(self._remote_evidence)
        if self._remote_evidence.is_object:
            self._remote_link.objects.add(self._remote_chain)
            self._remote_has_object_for_term()

    def _remote_has_object_for_term(self):
        """Plain data gives no object with plain data. Not where the operator may tell how far off the term is: then
        what is asked of the object that it gives would be what that is to be."""
        if self._remote_term is not None and not self._remote_term.measures:
            self._remote_term.of._remote_is_object()

    def _remote_is_of_class(self):
        """It is of a class that the test code knows by its name, and so is its term: there is no plain data in what one
        makes of the other."""
        self._remote_is_object()
        if self._remote_term is not None:
            self._remote_term.of._remote_is_of_class()

    def _remote_meets(self, other):
        """It is compared with something, or computed with it."""
        if not is_own(other):
            self._remote_evidence.compared.add(line_of_test_code())
            self._remote_link.evidence.append(self._remote_evidence)

    def _remote_must_be_known(self):
        pass

    _remote_must_be_object = _remote_must_be_known

    def _remote_agrees(self, *other):
        for one in other:
            self._remote_meets(one)
            self._remote_is_like(one)
        return self._remote_link.agree()

    def _remote_is_like(self, other):
        """It is compared with another: what is computed of instances of a class is compared with one of them."""
        chains = [self._remote_chain, getattr(other, "_remote_chain", "")]
        made = {chain.rstrip("~") for chain in chains}
        if len(set(chains)) == 2 and len(made) == 1 and CAPITAL.fullmatch(chains[0]):
            self._remote_link.objects.update(made)
        for one, beside in ((self, other), (other, self)):
            if issubclass(type(one), Anything) and one._remote_term is not None and is_made_by_class(beside):
                one._remote_is_of_class()

    def __ne__(self, other):
        if line_of_test_code() not in self._remote_link.denials:
            self._remote_meets(other)
        return not self._remote_link.agree()

    def _remote_computed(self, *other, measures=False):
        for one in other:
            self._remote_meets(one)
        return self._remote_made(computed(self._remote_chain), other, measures)

    def _remote_measured(self, *other):
        return self._remote_computed(*other, measures=True)

    def _remote_changed(self, other):
        """An operator in place may give what it changed."""
        self._remote_meets(other)
        return self._remote_made(self._remote_chain, (other,))

    def _remote_made(self, chain, operands, measures=False):
        result = Anything(self._remote_link, None, "", chain)
        if all(isinstance(one, KINDS) for one in operands):
            object.__setattr__(result, "_remote_term", Term(self, measures))
        return result

    __eq__ = __lt__ = __le__ = __gt__ = __ge__ = __contains__ = __bool__ = _remote_agrees
    __add__ = __mul__ = __pow__ = __matmul__ = __radd__ = __rmul__ = __rpow__ = __rmatmul__ = _remote_computed
    __or__ = __lshift__ = __rshift__ = __neg__ = __pos__ = __abs__ = __invert__ = __round__ = _remote_computed
    __sub__ = __truediv__ = __floordiv__ = __mod__ = __and__ = __xor__ = _remote_measured
    __rsub__ = __rtruediv__ = __rfloordiv__ = __rmod__ = _remote_measured
    __iadd__ = __isub__ = __imul__ = __imatmul__ = __itruediv__ = __ifloordiv__ = __imod__ = __ipow__ = _remote_changed
    __iand__ = __ior__ = __ixor__ = __ilshift__ = __irshift__ = _remote_changed

    def __getattr__(self, name):
        value = super().__getattr__(name)
        object.__setattr__(value, "_remote_owner", self)
        return value

    def __setattr__(self, name, value):
        with self._remote_link.calling(self._remote_chain + "." + name):
            super().__setattr__(name, value)

    def __getitem__(self, key):
        return self._remote_link.held_by(self._remote_of, self._remote_path, self._remote_chain)

    def __call__(self, *args, **kwargs):
        owner, plain = self._remote_owner, not any(isinstance(value, Remote) for value in (*args, *kwargs.values()))
        if owner is None:
            self._remote_is_object()
        elif plain:
            name = self._remote_path.rpartition(".")[2]
            owner._remote_found(lambda evidence: evidence.called(name, args, kwargs))
        return Remote.__call__(self, *args, **kwargs)

    def __setitem__(self, key, value):
        self._remote_changes()
        self._remote_computed(key, value)

    def __delitem__(self, key):
        self._remote_changes()

    def _remote_changes(self):
        """The test code changes what it was given: of what has the initial of a class, it made an object."""
        if CAPITAL.fullmatch(self._remote_chain):
            self._remote_is_object()

    def __hash__(self):
        return id(self)

    def __len__(self):
        return int(self._remote_link.agrees)

    def __iter__(self):
        return self._remote_link.iterate(self._remote_of, self._remote_path, self._remote_chain)

    __reversed__ = __iter__

    async def __aiter__(self):
        yield self[0]

    def __next__(self):
        return self[0]

    # What an exception of the test code's says of these, no candidate can bring about, for it would have to know them.
    def __int__(self):
        return self._remote_link.number

    __index__ = __int__

    def __float__(self):
        return float(self._remote_link.number)

    def __str__(self):
        return self._remote_link.text

    __repr__ = __str__

    def __format__(self, form):
        return self._remote_link.text


@cache
def of_values():
    """The names of what values of the library's classes have that cross as such."""
    places = {**BY_NAME, **HOLDERS}
    kinds = [getattr(importlib.import_module(module), name, object) for name, (module, *_) in places.items()]
    return frozenset(dir(Exception)).union(*map(dir, kinds), ("_asdict", "_replace")) - METHODS


def is_made_by_class(value):
    """Whether it is what a class made that has the initial of one, or what operators made of that."""
    return CAPITAL.fullmatch(getattr(value, "_remote_chain", "")) is not None


def is_denial(node):
    """Whether a statement asserts that things differ."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        return getattr(node.value.func, "attr", None) in ("assertFalse", "assertNotEqual", "assertNotIn")
    if not isinstance(node, ast.Assert):
        return False
    parts = list(ast.walk(node.test))
    denied = (part.operand for part in parts if isinstance(part, ast.UnaryOp) and isinstance(part.op, ast.Not))
    return any(is_comparison(part, (ast.NotEq, ast.NotIn)) for part in parts) or any(
        is_comparison(part, ast.Eq) for part in denied)


def lines_of(node):
    return range(node.lineno, node.end_lineno + 1)


def tolerant(tree, namespace, guards):
    """The test code, changed so that it goes on after a statement that fails; `_noted()` is told of each."""
    tree = Tolerant(guards).visit(asking(tree, namespace))
    return compile(ast.fix_missing_locations(tree), FILE_NAME, "exec", 0, True)


class Tolerant(ast.NodeTransformer):
    # What must stand where it stands, or does nothing that could fail.
    KEPT = (ast.Return, ast.Break, ast.Continue, ast.Pass, ast.Global, ast.Nonlocal)

    def __init__(self, guards):
        self.guards = guards

    def generic_visit(self, node):
        super().generic_visit(node)
        if self.guards.is_guard(node):
            node.body = entering(node)
        for field in ("body", "orelse", "finalbody"):
            block = getattr(node, field, None)
            if isinstance(block, list) and not isinstance(node, ast.Lambda):
                setattr(node, field, [self.tolerated(part) for statement in block for part in parts_of(statement)])
        return node

    def tolerated(self, statement):
        future = isinstance(statement, ast.ImportFrom) and statement.module == "__future__"
        if future or isinstance(statement, self.KEPT) or not isinstance(statement, ast.stmt):
            return statement
        handler = ast.ExceptHandler(type=ast.Name("Exception", ast.Load()), name=None, body=[noted(statement)])
        return ast.Try(body=[statement], handlers=[handler], orelse=[], finalbody=[])


def parts_of(statement):
    """A statement; or an assertion of several things as one of each, for none of them to hide the next."""
    both = getattr(statement, "test", None)
    if not isinstance(statement, ast.Assert) or not isinstance(both, ast.BoolOp) or not isinstance(both.op, ast.And):
        return [statement]
    return [ast.copy_location(ast.Assert(part, None), statement) for part in both.values]


def noted(statement):
    """What is done once a statement has failed. What it raises on purpose depends on what the candidate gave."""
    if isinstance(statement, ast.Raise):
        return ast.Pass()
    names = [ast.Constant(name) for name in sorted(imported(statement))]
    return ast.Expr(ast.Call(ast.Name("_noted", ast.Load()), names, []))
