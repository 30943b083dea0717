"""Exceptions as they are told to the other side: what they are, what they carry, and in what they were raised."""

import builtins
from json import loads
from operator import is_

from ...call import Call
from ...encoding import Refused, type_name
from .channel import GIVEN_ERRORS, MESSAGE, encode
from .class_names import name_of

MAX_CAUSES = 3
# How many exceptions are told of with one, as what it was raised from or in.
MOST_CHAINED = 50
# How many exceptions of a group cross. Before Python 3.11 there are none.
MAX_MEMBERS = 20
GROUP = getattr(builtins, "ExceptionGroup", ())
# What a class of exceptions may say of these in place of what any says.
SPECIALS = frozenset("""
    __str__ __repr__ __bool__ __len__ __iter__ __getitem__ __eq__ __ne__ __hash__ __lt__ __le__ __gt__ __ge__ __int__
    __float__ __index__ __format__ __call__
""".split())
# What exceptions of the interpreter's say of what is not to be found. Before Python 3.10 not all do.
SLOTS = {AttributeError: ("name",), NameError: ("name",), ImportError: ("name", "path")}
# What holds nothing that may change.
FLAT = frozenset((bool, int, float, complex, str, bytes, type(None)))
# What has a say in a copy.
COPYING = frozenset("__copy__ __deepcopy__ __reduce__ __reduce_ex__ __getstate__ __setstate__ __init__ __new__".split())


class Teller:
    """What one side's exceptions are told by: without `number`, which gives the number under which one is known from
    then on, nothing is told of in what they were raised; `keep` gives the handle of one of the program's own."""

    def __init__(self, keep=None, number=None):
        self.keep, self.number = keep, number


ALONE = Teller()


def raised(error, teller=ALONE):
    """An exception: its name, what it says, its bases' names and modules, its arguments and attributes as far as they
    are plain, what it was raised from, the handle under which one of the program's own is kept, and more by names."""
    return Description(teller).of(error, 0)


class Description:
    """Of one exception, and of those that it leads to."""

    def __init__(self, teller):
        self.teller = teller
        # The numbers of those of which this tells, by identity.
        self.numbers = {}

    def of(self, error, depth):
        own = self.own(error)
        self.numbers[id(error)] = own.get("number")
        described = [type_name(error), describe(error), *bases_of(type(error)), arguments(error), attributes(error)]
        cause = self.cause(error, depth)
        if self.teller.number is not None:
            self.add_context(error, own, depth)
        return [*described, cause, self.members(error, depth), self.handle(error), own]

    def own(self, error):
        """What is told of one by which it is known again, and asked."""
        if self.teller.number is None:
            return {}
        told = {"number": self.teller.number(error)}
        specials = overridden(type(error))
        return {**told, "specials": specials} if specials else told

    def add_context(self, error, own, depth):
        context = self.other(error.__context__, depth)
        if context is not None:
            own["context"] = context
        if error.__cause__ is not None and not error.__suppress_context__:
            own["shows_context"] = True

    def cause(self, error, depth):
        """What it was raised from; False stands for none that is there on purpose, as `from None` has it."""
        caused = self.other(error.__cause__, depth)
        return False if caused is None and error.__suppress_context__ else caused

    def other(self, error, depth):
        """Another, or the number of one of which is known already; None for none."""
        known = GIVEN_ERRORS.get(id(error), (None, None))
        if error is not None and known[1] is error:
            return [-1 - known[0]]
        if id(error) in self.numbers:
            number = self.numbers[id(error)]
            return None if number is None else [number]
        most = MAX_CAUSES if self.teller.number is None else MOST_CHAINED
        is_told = isinstance(error, Exception) and depth < most and len(self.numbers) < MOST_CHAINED
        return self.of(error, depth + 1) if is_told else None

    def members(self, error, depth):
        """What a group of exceptions is of; None for any other."""
        if not isinstance(error, GROUP) or depth >= MAX_CAUSES:
            return None
        named = [member for member in error.exceptions[:MAX_MEMBERS] if isinstance(member, Exception)]
        return list(filter(None, [self.other(member, depth) for member in named]))

    def handle(self, error):
        is_own = self.teller.keep is not None and type(error).__module__ == Call.module_name
        return self.teller.keep(error.with_traceback(None)) if is_own else None


def overridden(kind):
    """The special methods that a class of the program's own has in place of those of any exception."""
    own = (part for part in type.mro(kind) if part.__module__ == Call.module_name)
    return sorted(SPECIALS.union(COPYING).intersection(*[{name for part in own for name in vars(part)}]))


def describe(error):
    try:
        return str(error)[:MESSAGE]
    except Exception:
        return ""


def blame(error):
    """Note that the candidate let an exception through, but for what the test code finds wrong itself."""
    if not isinstance(error, AssertionError) and blame_of(error) is None:
        error.candidate = "%s: %s" % (type(error).__name__, describe(error))


def blame_of(error):
    """What the candidate is blamed for by an exception, whatever the class of that does where it lacks something."""
    return object.__getattribute__(error, "__dict__").get("candidate")


def bases_of(kind):
    """The names of a class and of its bases, and of their modules."""
    bases = type.mro(kind)
    return [name_of(base) for base in bases], [str(base.__module__) for base in bases]


def arguments(error):
    """What it was made with: of one of a file, the name of that is not among its `args`."""
    is_named = isinstance(error, OSError) and len(error.args) == 2 and error.filename is not None
    return plain(lambda: [*error.args, error.filename] if is_named else list(error.args))


def attributes(error):
    held = {**own_attributes(type(error)), **slots_of(error), **attributes_of(error)}
    crossing = {name: plain(lambda name=name: held[name]) for name in held}
    return {name: value for name, value in crossing.items() if value is not None}


def slots_of(error):
    """What one of the interpreter's has beside its arguments, whatever its own class says of that."""
    held = {}
    for kind, names in SLOTS.items():
        # A metaclass may have a class equal any.
        if any(base is kind for base in type.mro(type(error))):
            held.update((name, vars(kind)[name].__get__(error)) for name in names if name in vars(kind))
    return {name: value for name, value in held.items() if value is not None}


def attributes_of(error):
    """Those of an exception itself, but for what the judge notes of it."""
    held = object.__getattribute__(error, "__dict__")
    return {name: value for name, value in held.items() if type(name) is str and is_visible(name)}


def look(error):
    """All that an exception has, to find out whether it has that still; None where something in it may change."""
    args, held = error.args, dict(object.__getattribute__(error, "__dict__"))
    return (args, held) if FLAT.issuperset(map(type, (*args, *held.values()))) else None


def looks_like(error, before):
    """Whether it is known that one has what it had."""
    if before is None or error.args is not before[0]:
        return False
    held = object.__getattribute__(error, "__dict__")
    return held.keys() == before[1].keys() and all(map(is_, held.values(), before[1].values()))


def is_visible(name):
    return not name.startswith("_remote") and name != "candidate"


def own_attributes(kind):
    """What a class of exceptions has of its classes of the test code's, by the names."""
    own = (vars(part) for part in reversed(type.mro(kind)) if part.__module__ == "__main__")
    return {name: value for held in own for name, value in held.items() if not name.startswith("__")}


def plain(read):
    """What `read` gives as the list of it that can cross, None if it cannot."""
    try:
        text = encode([read()])
    except (Refused, Exception):
        return None
    return loads(text) if len(text) <= MESSAGE else None


def carried_by(error, described):
    """The arguments and the attributes that were told of an exception, as it has them."""
    held = object.__getattribute__(error, "__dict__")
    args = () if described[4] is None else BaseException.args.__get__(error)
    return args, tuple(held.get(name) for name in described[5])


def carry(error, described, carried):
    """Have an exception carry these."""
    args, values = carried
    if described[4] is not None:
        error.args = args
    held = vars(error)
    held.update((name, value) for name, value in zip(described[5], values) if name in held)
