"""A dry run of test code: without a candidate, with stand-ins that agree to everything.

It tells what test code does whatever its candidate is: that it cannot be kept apart from one, that it fails by itself,
that it asks nothing, and what of the candidate's it uses as objects. All that is then the problem's doing.
"""

import ast
import inspect
import sys

from ..encoding import type_name
from .channel import MESSAGE
from .client import Link
from .plain import DATA, METHODS
from .remote import Function, Guarded, Remote, computed, element

# How often everything is true; then nothing is, so that loops end.
PATIENCE = 1000
# Exceptions that do not come of what a candidate's values are.
OWN = (NameError, ImportError, OSError)


class DryLink(Link):
    """Stands for the candidate too."""

    def __init__(self, named, objects=()):
        super().__init__(named, objects=objects)
        self.raised = []
        self.agreed = 0

    def leave(self, kind, reason, **more):
        super().leave(kind, reason, objects=sorted(self.objects), raised=self.raised, **more)

    def agree(self):
        self.agreed += 1
        return self.agreed < PATIENCE

    def note(self):
        """Remember the exception that a statement raised."""
        error = sys.exc_info()[1]
        if isinstance(error, OWN) and len(self.raised) < PATIENCE:
            self.raised.append(("%s: %s" % (type_name(error), error))[:MESSAGE])

    def fetch(self, of, path, chain):
        return Anything(self, of, path, chain)

    def set(self, of, path, name, value):
        self.asked = True
        self.sendable(value)

    def truth(self, of, path):
        self.asked = True
        return self.agree()

    def is_instance(self, value, kind):
        self.asked = True
        return self.agree()

    def operate(self, name, chain, *operands):
        return self.agree()

    def iterate(self, of, path, chain):
        return iter([Anything(self, of, path, element(chain))])

    def kind_of(self, of, path):
        return Function

    def signature(self, of, path):
        self.asked = True
        return inspect.signature(lambda *args, **kwargs: None)

    def take(self, namespace, names):
        for name in names:
            namespace[name] = Function(self, None, name, name)
        return set()

    def call(self, of, path, chain, args, kwargs):
        self.asked = True
        self.sendable([list(args), kwargs])
        self.streams.before(self.leave)
        return Anything(self, of, path, chain + "()")


class Anything(Guarded):
    """What a candidate could give back."""

    __slots__ = ()

    def _remote_as_object(self, name):
        if name not in METHODS and name not in DATA:
            super()._remote_as_object(name)

    def _remote_must_be_known(self):
        pass

    _remote_must_be_object = _remote_must_be_known

    def _remote_agrees(self, *_):
        return self._remote_link.agree()

    def _remote_differs(self, *_):
        return not self._remote_link.agree()

    def _remote_computed(self, *_):
        return Anything(self._remote_link, None, "", computed(self._remote_chain))

    __eq__ = __lt__ = __le__ = __gt__ = __ge__ = __contains__ = __bool__ = _remote_agrees
    __ne__ = _remote_differs
    __add__ = __sub__ = __mul__ = __truediv__ = __floordiv__ = __mod__ = __pow__ = __matmul__ = _remote_computed
    __radd__ = __rsub__ = __rmul__ = __rtruediv__ = __rfloordiv__ = __rmod__ = __rpow__ = __rmatmul__ = _remote_computed
    __and__ = __or__ = __xor__ = __lshift__ = __rshift__ = __neg__ = __pos__ = __abs__ = __invert__ = _remote_computed
    __round__ = _remote_computed

    def __getitem__(self, key):
        return next(iter(self))

    def __call__(self, *args, **kwargs):
        # An attribute that is called is a method; what a call gave is then an object.
        if self._remote_chain.endswith("()"):
            self._remote_link.objects.add(self._remote_chain)
        return Remote.__call__(self, *args, **kwargs)

    def __hash__(self):
        return id(self)

    def __len__(self):
        return 1

    def __iter__(self):
        return self._remote_link.iterate(self._remote_of, self._remote_path, self._remote_chain)

    __reversed__ = __iter__

    async def __aiter__(self):
        yield self[0]

    def __next__(self):
        return self[0]

    def __int__(self):
        return 1

    __index__ = __int__

    def __float__(self):
        return 1.0

    def __str__(self):
        return ""

    __repr__ = __str__

    def __format__(self, form):
        return ""


def tolerant(source):
    """The test code, changed so that it goes on after a statement that fails; `_noted()` is told of each."""
    tree = Tolerant().visit(ast.parse(source))
    return compile(ast.fix_missing_locations(tree), "main.py", "exec", 0, True)


class Tolerant(ast.NodeTransformer):
    # What must stand where it stands, or does nothing that could fail.
    KEPT = (ast.Return, ast.Break, ast.Continue, ast.Pass, ast.Global, ast.Nonlocal)

    def generic_visit(self, node):
        super().generic_visit(node)
        for field in ("body", "orelse", "finalbody"):
            block = getattr(node, field, None)
            if isinstance(block, list) and not isinstance(node, ast.Lambda):
                setattr(node, field, [self.tolerated(statement) for statement in block])
        return node

    def tolerated(self, statement):
        future = isinstance(statement, ast.ImportFrom) and statement.module == "__future__"
        if future or isinstance(statement, self.KEPT) or not isinstance(statement, ast.stmt):
            return statement
        noted = ast.parse("_noted()").body
        handler = ast.ExceptHandler(type=ast.Name("Exception", ast.Load()), name=None, body=noted)
        return ast.Try(body=[statement], handlers=[handler], orelse=[], finalbody=[])
