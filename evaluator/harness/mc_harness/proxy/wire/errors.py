"""Exceptions of the candidate's as they cross: described on its side, made again on the test code's."""

import sys
from abc import ABCMeta
from contextlib import suppress

from mc_sandbox.script import FILE_NAME

from ...call import Call
from ...decoding import decode
from .channel import MESSAGE
from .class_names import Side, key, know, name_of, shown
from .described import describe, own_attributes
from .known_errors import KnownErrors, parts
from .saying import Saying, learn

# Exceptions that the interpreter takes for the end of an iteration, so that `all(map(candidate, cases))` would pass on
# the first.
SILENT = ("StopIteration", "StopAsyncIteration")
SILENT_KINDS = StopIteration, StopAsyncIteration
# Exceptions that end a program unless they are caught.
ENDINGS = (SystemExit, KeyboardInterrupt)
# A runner of tests takes some of its own for the end of a test that did not fail.
RUNNERS = ("unittest", "doctest", "_pytest", "pytest")


# What holds the attributes of an exception.
HELD = vars(BaseException)["__dict__"]


class Passing(BaseException):
    """One of the test code's that no program's `except Exception` gets in the way of."""


def is_at_hand(module):
    """Whether a module is imported, and neither the candidate's nor the test code, as which it may pose."""
    return module not in (Call.module_name, "__main__") and module in sys.modules


class TakenType(ABCMeta):
    """Of classes of the candidate's exceptions on the test code's side: what else one has is asked there. Test code may
    derive a class from one and from an abstract one."""

    def __getattr__(cls, name):
        if name.startswith("_"):
            raise AttributeError("type object '%s' has no attribute '%s'" % (cls.__name__, name))
        return cls._remote_make.__self__.attribute_of_error(cls._remote_name, name)


class Taken(Saying):
    """What exceptions of the candidate's classes have here beyond their base. One that test code makes itself, the
    candidate makes too; and what has not come here of one is asked there."""

    # What has one made, and the name of its class.
    _remote_make = _remote_name = None

    def __init__(self, *args, **kwargs):
        added = {**own_attributes(type(self)), **vars(self)}
        made = self._remote_make and self._remote_make(self._remote_name, args, kwargs, added)
        if made is not None:
            self.args = made.args
            vars(self).update(vars(made), _remote_said=vars(made).get("_remote_said", str(made)))
            vars(self).pop("candidate")
            self._remote_known.replace(made, self)
            learn(type(self), vars(self).get("_remote_specials", ()))

    @property
    def __dict__(self):
        """What the candidate's has; to what is not the test code, all that is known of it here as well."""
        held = HELD.__get__(self)
        if sys._getframe(1).f_code.co_filename != FILE_NAME:
            return held
        return {name: value for name, value in held.items() if name != "candidate" and not name.startswith("_remote_")}

    def __getattr__(self, name):
        if name.startswith("__") or name == "candidate" or "_remote_known" not in vars(self):
            raise AttributeError("'%s' object has no attribute '%s'" % (type(self).__name__, name))
        return self._remote_known.attribute(self, name)


def taken(name, base, *more, **own):
    """A class that derives from another, or several, for one of the candidate's."""
    make = TakenType if own.get("_remote_make") else type
    # By which the other side knows it again.
    own = {"__module__": __name__, **own}
    bases = base, *more
    with suppress(TypeError):
        kind = make(shown(name), bases if issubclass(base, Taken) else (Taken, *bases), own)
        know(kind, name)
        return kind
    return taken(name, base, **own)


def apart(kinds):
    """Of classes those that none before derives from."""
    found = []
    for kind in kinds:
        if not any(issubclass(one, kind) for one in found):
            found.append(kind)
    return found


def instance(kind, arguments):
    """An exception with these arguments, or None if its class takes others."""
    base = next(base for base in kind.__mro__ if not issubclass(base, Saying))
    with suppress(TypeError, ValueError):
        error = kind.__new__(kind, *arguments)
        error.args = arguments[:2] if issubclass(kind, OSError) and len(arguments) == 3 else arguments
        with suppress(TypeError, ValueError):
            base.__init__(error, *arguments)
        return error
    return None


def with_attributes(error, attributes):
    for name, value in attributes.items():
        setattr(error, name, value)
    return error


class Errors:
    """The exception classes that test code knows: those it took from the candidate, builtins, and of libraries those
    that it names."""

    def __init__(self, named, link=None):
        self.named, self.link = named, link
        self.taken, self.aliases = {}, {}
        # Those made for the names of exceptions of which the test code has only a class that they derive from.
        self.shown = {}
        # The exceptions that both sides know.
        self.instances = link and KnownErrors(link)
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
            self.foresee(bases[1:], modules[1:])
            known = apart(filter(None, map(self.known, bases[1:], modules[1:]))) or [Exception]
            make = self.link and self.link.make
            name = key(bases[0], modules[0])
            kind = self.taken[name] = taken(name, *known, _remote_make=make, _remote_name=name)
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
        joined = type(kind.__name__, own, {"__module__": kind.__module__})
        know(joined, name_of(kind))
        return joined

    def combined(self, kinds):
        """A class of all these, where one of them does not derive from the others."""
        key = tuple(apart(kinds))
        if len(key) > 1 and key not in self.joined:
            with suppress(TypeError):
                self.joined[key] = type(key[0].__name__, key, {})
                know(self.joined[key], name_of(key[0]))
        return [self.joined[key]] if key in self.joined else []

    def foresee(self, bases, modules):
        """Take those of the candidate's own classes that the test code may name only after one of them was raised, as
        the attribute that `except Stack.Empty` looks up."""
        for at, name in enumerate(bases):
            if shown(name) in self.named and not is_at_hand(modules[at]):
                return self.take(bases[at:], modules[at:])
        return None

    def known(self, name, module="builtins"):
        """The class of this name. One that would end an iteration of the test code unseen only if that names it."""
        if key(name, module) in self.taken:
            return self.taken[key(name, module)]
        is_free = not Side.are_apart and (self.free is None or name in self.free)
        if name in self.named and not is_at_hand(module) and is_free:
            # In one process with the test code, the candidate's class would take the builtin's place.
            module = "builtins"
        # The program may except whatever its libraries raise; of the test code it is what it names.
        is_named = name in self.named or self.link is None
        if module != "builtins" and (not is_named or module.partition(".")[0] in RUNNERS):
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

    def would_be_lost(self, kind):
        """Whether an exception of a class would end an iteration of the test code unseen, or be swallowed otherwise."""
        name = name_of(kind)
        return name in SILENT and name not in self.named or self.are_swallowed(kind)

    def is_end(self, bases):
        """Whether an exception, by the names of its bases, ends the program, whatever else the test code catches."""
        ends = [kind.__name__ for kind in ENDINGS if kind.__name__ in bases]
        return bool(ends) and self.named.isdisjoint(ends)

    def made(self, *described):
        """The candidate's exception: one that both sides know, or as one of the nearest class that the test code knows,
        marked as the candidate's."""
        *_, cause, members, handle, more = described
        error = self.instances and self.instances.find(more)
        if error is None:
            error = self.fresh(*described[:6], members)
            if self.instances:
                self.mark(error, handle, more, *described[:2])
        if more.get("number", 0) >= 0:
            self.put_in(error, cause, more)
        return error

    def fresh(self, name, message, bases, modules, arguments, attributes, members):
        name, message = name[:MESSAGE], message[:MESSAGE]
        self.foresee(bases, modules)
        arguments = (message,) if arguments is None else tuple(decode(arguments)[0])
        if members:
            arguments = (message.rpartition(" (")[0], [self.other(member) for member in members])
        known = [*filter(self.may_be_raised, map(self.known, bases, modules))]
        kinds = [*self.combined(known), *known, RuntimeError]
        made = (instance(self.with_aliases(kind), arguments) for kind in kinds)
        own = {name: decode(value)[0] for name, value in attributes.items() if not hasattr(Exception, name)}
        error = with_attributes(next(filter(None, made)), own)
        # What it says may be made of its attributes.
        return with_attributes(self.as_shown(error, name, message, key(bases[0], modules[0])), own)

    def as_shown(self, error, name, message, told):
        """The same exception, or one of a class derived for it that has the candidate's name, and says the same: not of
        the test code's own, which knows what it says."""
        kind = type(error)
        is_of_test_code = kind.__module__ == "__main__" and not issubclass(kind, Taken)
        says_the_same = is_of_test_code or describe(error) == message
        if kind.__name__ == name and says_the_same or len(message) == MESSAGE:
            return error
        is_named = issubclass(kind, Taken) and kind.__name__ == name
        derived = error if is_named else instance(self.shown_as(told, kind), error.args)
        if derived is None:
            return error
        vars(derived)["_remote_said"] = message
        return derived

    def shown_as(self, told, kind):
        if (told, kind) not in self.shown:
            make = self.link and self.link.make
            self.shown[told, kind] = taken(told, kind, _remote_make=make, _remote_name=told)
        return self.shown[told, kind]

    def mark(self, error, handle, more, name, message):
        """Note of an exception of the candidate's what it is known and asked by."""
        if handle is not None and isinstance(error, Taken):
            specials = list(more.get("specials", ()))
            number = int(more["number"])
            vars(error).update(_remote_known=self.instances, _remote_handle=int(handle), _remote_number=number)
            vars(error).update(_remote_specials=specials, _remote_parts=parts(error))
            if "__str__" in specials:
                vars(error).setdefault("_remote_said", message[:MESSAGE])
            learn(type(error), specials)
        self.instances.know(more, error)
        error.candidate = "%s: %s" % (name[:MESSAGE], message[:MESSAGE]) if message else name[:MESSAGE]

    def put_in(self, error, cause, more):
        """Have an exception come from what it was raised from, and in."""
        error.__cause__ = self.other(cause) if cause else None
        error.__suppress_context__ = cause is not None and not more.get("shows_context")
        if self.instances:
            error.__context__ = self.other(more.get("context"))

    def other(self, told):
        """Another exception that is told of, or the one of a number."""
        if not told:
            return None
        return self.made(*told) if len(told) > 1 else self.instances.by_number(told[0])
