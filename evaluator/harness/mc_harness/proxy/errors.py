"""Exceptions of the candidate's as they cross: described on its side, made again on the test code's."""

import builtins
import sys
from contextlib import suppress
from functools import partial
from json import loads

from ..call import Call
from ..decoding import decode
from ..encoding import Refused, type_name
from .channel import GIVEN_ERRORS, MESSAGE, encode

# Exceptions that the interpreter takes for the end of an iteration, so that `all(map(candidate, cases))` would pass on
# the first.
SILENT = ("StopIteration", "StopAsyncIteration")
SILENT_KINDS = StopIteration, StopAsyncIteration
# Exceptions that end a program unless they are caught.
ENDINGS = (SystemExit, KeyboardInterrupt)
# A runner of tests takes some of its own for the end of a test that did not fail.
RUNNERS = ("unittest", "doctest", "_pytest", "pytest")
MAX_CAUSES = 3
# How many exceptions of a group cross. Before Python 3.11 there are none.
MAX_MEMBERS = 20
BUILTINS = {kind.__name__: kind for kind in vars(builtins).values() if isinstance(kind, type)}
GROUP = getattr(builtins, "ExceptionGroup", ())


class Passing(BaseException):
    """One of the test code's that no program's `except Exception` gets in the way of."""


def is_at_hand(module):
    """Whether a module is imported, and neither the candidate's nor the test code, as which it may pose."""
    return module not in (Call.module_name, "__main__") and module in sys.modules


def raised(error, depth=0, keep=None):
    """An exception: its name, what it says, its bases' names and modules, its arguments and attributes as far as they
    are plain, what it was raised from, and the handle under which one of the program's own is kept."""
    described = [type_name(error), describe(error), *bases_of(type(error)), arguments(error), attributes(error)]
    cause = error.__cause__ if depth < MAX_CAUSES else None
    # False stands for none that is there on purpose, as `from None` has it.
    known = GIVEN_ERRORS.get(id(cause), (None, None))
    caused = raised(cause, depth + 1, keep) if isinstance(cause, Exception) else None
    caused = [known[0]] if cause is not None and known[1] is cause else caused
    caused = False if caused is None and error.__suppress_context__ else caused
    is_own = keep is not None and type(error).__module__ == Call.module_name
    # Its frames would keep all that was in them.
    handle = keep(error.with_traceback(None)) if is_own else None
    return [*described, caused, members(error, depth, keep), handle]


def describe(error):
    try:
        return str(error)[:MESSAGE]
    except Exception:
        return ""


def bases_of(kind):
    """The names of a class and of its bases, and of their modules."""
    bases = type.mro(kind)
    return [name_of(base) for base in bases], [str(base.__module__) for base in bases]


def name_of(kind):
    """The name of a class; of one that only claims to be a builtin's or a library's, another."""
    name, module = type.__getattribute__(kind, "__name__"), str(kind.__module__)
    if module in (Call.module_name, "__main__") or module.startswith("mc_"):
        claimed = BUILTINS.get(name, kind)
    else:
        claimed = BUILTINS.get(name) if module == "builtins" else getattr(sys.modules.get(module), name, None)
    shown = vars(sys.modules.get(Call.module_name, builtins)).get(name)
    # A metaclass may have it equal any class.
    return name if kind is claimed or kind is shown else "own " + name


def arguments(error):
    return plain(lambda: list(error.args))


def members(error, depth, keep):
    """What a group of exceptions is of; None for any other."""
    if not isinstance(error, GROUP) or depth >= MAX_CAUSES:
        return None
    named = [member for member in error.exceptions[:MAX_MEMBERS] if isinstance(member, Exception)]
    return [raised(member, depth + 1, keep) for member in named]


def attributes(error):
    held = {**own_attributes(type(error)), **object.__getattribute__(error, "__dict__")}
    named = (name for name in held if type(name) is str and not name.startswith("_remote"))
    crossing = {name: plain(lambda name=name: held[name]) for name in named}
    return {name: value for name, value in crossing.items() if value is not None}


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


class Taken:
    """What exceptions of the candidate's classes have here beyond their base. One that test code makes itself, the
    candidate makes too; and what has not come here of one is asked there."""

    # What has one made, and the name of its class.
    _remote_make = _remote_name = None

    def __init__(self, *args, **kwargs):
        added = {**own_attributes(type(self)), **vars(self)}
        made = self._remote_make and self._remote_make(self._remote_name, args, kwargs, added)
        if made is not None:
            self.args = made.args
            vars(self).update(vars(made), _remote_said=str(made))
            vars(self).pop("candidate")

    def __str__(self):
        said = vars(self).get("_remote_said")
        return super().__str__() if said is None else said

    def __getattr__(self, name):
        if name.startswith("__") or name == "candidate" or "_remote_get" not in vars(self):
            raise AttributeError("'%s' object has no attribute '%s'" % (type(self).__name__, name))
        return self._remote_get(name)


def own_attributes(kind):
    """What a class of exceptions has of its classes of the test code's, by the names."""
    own = (vars(part) for part in reversed(type.mro(kind)) if part.__module__ == "__main__")
    return {name: value for held in own for name, value in held.items() if not name.startswith("__")}


def taken(name, base, **own):
    """A class that derives from another, for one of the candidate's."""
    return type(name, (base,) if issubclass(base, Taken) else (Taken, base), own)


def instance(kind, arguments):
    """An exception with these arguments, or None if its class takes others."""
    base = next(base for base in kind.__mro__ if not issubclass(base, Taken))
    with suppress(TypeError, ValueError):
        error = kind.__new__(kind, *arguments)
        error.args = arguments
        with suppress(TypeError, ValueError):
            base.__init__(error, *arguments)
        return error
    return None


def as_shown(error, name, message):
    """The same exception, or one of a class derived for it that has the candidate's name, and says the same: not of the
    test code's own, which knows what it says."""
    kind = type(error)
    is_of_test_code = kind.__module__ == "__main__" and not issubclass(kind, Taken)
    says_the_same = is_of_test_code or str(error) == message
    if kind.__name__ == name and says_the_same or len(message) == MESSAGE:
        return error
    shown = error if issubclass(kind, Taken) and kind.__name__ == name else instance(taken(name, kind), error.args)
    if shown is None:
        return error
    vars(shown)["_remote_said"] = message
    return shown


class Errors:
    """The exception classes that test code knows: those it took from the candidate, builtins, and of libraries those
    that it names."""

    def __init__(self, named, link=None):
        self.named, self.link = named, link
        self.taken, self.aliases = {}, {}
        # Classes made for exceptions that are of several others.
        self.joined = {}
        # The names that the test code has from nowhere, once they are known.
        self.free = None
        # Whether one of a class would be swallowed where the test code is.
        self.are_swallowed = lambda kind: False
        # Whether the test code is where it excepts that a coroutine is cancelled.
        self.may_be_cancelled = lambda: True

    def take(self, bases, modules):
        """A class for one of the candidate's, given the names of that and of its bases, and of their modules: always
        the same."""
        kind = self.known(bases[0], modules[0])
        # The test code's own findings are not to be taken for what the candidate raises.
        if kind is None or kind is AssertionError:
            known = filter(None, map(self.known, bases[1:], modules[1:]))
            base = self.foresee(bases[1:], modules[1:]) or next(known, Exception)
            make = self.link and self.link.make
            kind = self.taken[bases[0]] = taken(bases[0], base, _remote_make=make, _remote_name=bases[0])
        return kind

    def take_as(self, name, bases, modules):
        """The same for one that the candidate has under a name. One that it has `Exception` for is a class of its own:
        of what the candidate raises, and of nothing that the test code finds wrong."""
        kind = self.take(bases, modules)
        if kind is not Exception or name == kind.__name__:
            return kind
        if name not in self.aliases:
            make = self.link and self.link.make
            self.aliases[name] = taken(name, kind, _remote_make=make, _remote_name=name)
        return self.aliases[name]

    def with_aliases(self, kind):
        """A class of what the candidate raises, as one that is of these names as well."""
        aliases = tuple(alias for alias in self.aliases.values() if not issubclass(kind, alias))
        if not aliases or not issubclass(kind, Exception):
            return kind
        own = aliases if kind is Exception else (kind, *aliases)
        return type(kind.__name__, own, {"__module__": kind.__module__})

    def combined(self, kinds):
        """A class of all these, where one of them does not derive from the others."""
        apart = []
        for kind in kinds:
            if not any(issubclass(one, kind) for one in apart):
                apart.append(kind)
        key = tuple(apart)
        if len(key) > 1 and key not in self.joined:
            with suppress(TypeError):
                self.joined[key] = type(key[0].__name__, key, {})
        return [self.joined[key]] if key in self.joined else []

    def foresee(self, bases, modules):
        """Take those of the candidate's own classes that the test code may name only after one of them was raised, as
        the attribute that `except Stack.Empty` looks up."""
        for at, name in enumerate(bases):
            if name in self.named and not is_at_hand(modules[at]):
                return self.take(bases[at:], modules[at:])
        return None

    def known(self, name, module="builtins"):
        """The class of this name. One that would end an iteration of the test code unseen only if that names it."""
        if name in self.taken:
            return self.taken[name]
        if name in self.named and not is_at_hand(module) and (self.free is None or name in self.free):
            # In one process with the test code, the candidate's class would take the builtin's place.
            module = "builtins"
        if module != "builtins" and (name not in self.named or module.partition(".")[0] in RUNNERS):
            return None
        # What stands for the candidate's module would ask for it again.
        kind = None if module == Call.module_name else getattr(sys.modules.get(module), name, None)
        if kind in ENDINGS and name in self.named:
            return kind
        known = isinstance(kind, type) and issubclass(kind, Exception)
        return kind if known and (name not in SILENT or name in self.named) else None

    def may_be_raised(self, kind):
        """Whether it is a class, and none of which an exception would be swallowed."""
        return kind is not None and not self.are_swallowed(kind)

    def is_end(self, bases):
        """Whether an exception, by the names of its bases, ends the program, whatever else the test code catches."""
        ends = [kind.__name__ for kind in ENDINGS if kind.__name__ in bases]
        return bool(ends) and self.named.isdisjoint(ends)

    def made(self, name, message, bases, modules, arguments, attributes, cause, members, handle=None):
        """The candidate's exception as one of the nearest class that the test code knows, marked as the candidate's."""
        name, message = name[:MESSAGE], message[:MESSAGE]
        self.foresee(bases, modules)
        arguments = (message,) if arguments is None else tuple(decode(arguments)[0])
        if members:
            arguments = (message.rpartition(" (")[0], [self.made(*member) for member in members])
        known = [*filter(self.may_be_raised, map(self.known, bases, modules))]
        kinds = [*self.combined(known), *known, RuntimeError]
        made = (instance(self.with_aliases(kind), arguments) for kind in kinds)
        error = as_shown(next(filter(None, made)), name, message)
        if cause:
            # To set none would suppress what it was raised in.
            error.__cause__ = self.made(*cause) if len(cause) > 1 else self.link.callbacks.raised[int(cause[0])]
        error.__suppress_context__ = cause is not None
        for attribute, value in attributes.items():
            if not hasattr(Exception, attribute):
                setattr(error, attribute, decode(value)[0])
        if handle is not None and self.link is not None:
            vars(error)["_remote_get"] = partial(self.link.attribute_of, int(handle), name)
        error.candidate = "%s: %s" % (name, message) if message else name
        return error
