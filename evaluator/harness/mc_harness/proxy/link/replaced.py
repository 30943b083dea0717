"""What test code puts in the place of functions for a time, as `unittest.mock` does: while the candidate is asked
something, it is there in its box too."""

import builtins
import os
import sys
import types
from contextlib import contextmanager, suppress

from ...call import Call
from ...encoding import Refused
from ...prelude import MISSING
from ..wire.module import PROGRAM
from ..wire.remote import Remote
from ..wire.standard import STANDARD_MODULES
from .handing import is_known_module
from .outgoing import home_of as home_of_class

# Modules whose functions look at files: the judge uses them as well.
FILING = ("builtins", "io", "os", "posixpath", "pathlib", "shutil")
# What no other box has a module of the name of.
OWN = (Call.module_name, "mc_harness", "mc_sandbox")


class Replacements:
    """Of one test code. `namespace` is the test code's, `stored` says of which names it sets which attributes."""

    def __init__(self, link):
        self.link = link
        self.builtins = {name: getattr(builtins, name) for name in ("input", "print", "open")}
        self.namespace, self.stored = {}, ()
        # What `unittest.mock` replaces now: of what, and under which name; whether it begins to, or ends that; and what
        # there is then of the candidate's things, which stay as they are: each in the place of those before it.
        self.patched, self.patching, self.values = [], None, {}
        # What was there before, by the identity of what has it, and the name.
        self.originals = {}

    def before(self):
        """What a request says of them."""
        replaced = [self.crossing(target, name) for target, name in self.found()]
        return {"replaced": replaced} if replaced else {}

    def found(self):
        """What is not what it was."""
        yield from self.patched
        for name, function in self.builtins.items():
            if getattr(builtins, name) is not function and (builtins, name) not in self.patched:
                yield builtins, name
        for name, attribute in self.stored:
            module = self.namespace.get(name)
            is_in_both = is_module(module) and key_of(module) is None
            if is_in_both and is_of_test_code(getattr(module, attribute, None)):
                yield module, attribute

    def crossing(self, target, name):
        """What is where, as it crosses."""
        place = self.place(target)
        try:
            if place is not None:
                return [place, name, self.link.sent(self.current(target, name))]
        except Refused:
            pass
        return self.link.leave("unshieldable", "the test code replaces %s" % said(target, name))

    def place(self, target):
        """What has a name that is replaced, as it crosses: a module or class that both sides have, or what is the
        candidate's."""
        if key_of(target) == (None, ""):
            return PROGRAM
        if key_of(target):
            return self.link.sent(target)
        name = target.__name__ if is_module(target) else str(getattr(target, "__module__", ""))
        if name.partition(".")[0] in ("__main__", *OWN) or sys.modules.get(name) is None:
            return None
        if is_module(target):
            return {"module": name} if sys.modules[name] is target else None
        is_shared = isinstance(target, type) and home_of_class(target) is not None
        return {"library": home_of_class(target)} if is_shared else None

    def current(self, target, name):
        return self.values[key_of(target), name][-1] if key_of(target) else getattr(target, name)

    def value(self, key, name, otherwise):
        """What is there of the candidate's thing with this key; what `otherwise` gives, if it is its own."""
        values = self.values.get((key, name)) if self.values else None
        return values[-1] if values else otherwise()

    def takes(self, target, name, *value):
        """Note what is set or deleted of a thing of the candidate's, if that is to replace something for a time."""
        place = key_of(target), name
        if self.patching == "begins" and value:
            self.values.setdefault(place, []).append(value[0])
        elif self.patching == "ends" and place in self.values:
            self.values[place].pop()
            if not self.values[place]:
                del self.values[place]
        return self.patching is not None

    def watch(self):
        """Note what `unittest.mock` replaces, but for the standard streams and the environment."""
        from unittest import mock

        for kind in (mock._patch, mock._patch_dict):
            kind.__enter__, kind.__exit__ = self.noting(kind.__enter__, kind.__exit__)

    def noting(self, enter, leave):
        def noted_enter(patch):
            self.lead_to_program(patch)
            self.note_original(patch)
            with self.as_patching("begins"):
                given = enter(patch)
            target, name = getattr(patch, "target", None), str(getattr(patch, "attribute", "a mapping"))
            is_stream = target is sys and name.startswith("std")
            if not is_stream and not self.is_shared(getattr(patch, "in_dict", None)):
                patch.noted = target, name
                self.patched.append(patch.noted)
            return given

        def noted_leave(patch, *error):
            noted = vars(patch).pop("noted", None)
            self.patched = [other for other in self.patched if other is not noted]
            with self.as_patching("ends"):
                return leave(patch, *error)

        return noted_enter, noted_leave

    def note_original(self, patch):
        """What a function that the judge uses is, before the first patch of it."""
        # A patch that finds nothing to replace says so itself.
        with suppress(Exception):
            target, name = patch.getter(), patch.attribute
            if home_of(target) in FILING:
                self.originals.setdefault((id(target), name), vars(target).get(name, MISSING))

    def lead_to_program(self, patch):
        """What is replaced by the name of `__main__` is the candidate's, unless the test code has something of its own
        there: what is of the library, both have."""
        name = getattr(patch, "attribute", None)
        if name is None or patch.getter() is not sys.modules["__main__"]:
            return
        own = self.namespace.get(name, MISSING)
        is_shared = own is MISSING or issubclass(type(own), Remote) or is_of_library(own)
        if is_shared and self.link.defines(name):
            patch.getter = self.link.module

    def is_shared(self, mapping):
        """Whether what is done to a dictionary is done to the candidate's as well."""
        return mapping is os.environ or any(thing.value is mapping for thing in self.link.mirrored.things())

    @contextmanager
    def as_patching(self, how):
        before, self.patching = self.patching, how
        try:
            yield
        finally:
            self.patching = before

    @contextmanager
    def put_aside(self):
        """While the judge looks at files itself, the functions by which it does so are there."""
        filing = [(target, name) for target, name in self.patched if home_of(target) in FILING]
        current = [(target, name, getattr(target, name, MISSING)) for target, name in filing]
        for target, name in filing:
            put(target, name, self.originals.get((id(target), name), MISSING))
        try:
            yield
        finally:
            for target, name, value in current:
                put(target, name, value)

    def values_found(self):
        """What is in the place of something, and what functions there use."""
        for target, name in self.found():
            value = self.current(target, name) if key_of(target) else getattr(target, name, None)
            yield value
            if type(value) is types.FunctionType:
                yield from used_by(value)


def used_by(function):
    """What a function has under names that are not its own."""
    yield from (function.__globals__.get(name) for name in function.__code__.co_names)
    for cell in function.__closure__ or ():
        with suppress(ValueError):
            yield cell.cell_contents


def is_module(target):
    return issubclass(type(target), types.ModuleType)


def is_of_library(value):
    """Whether test code imported it: a module, a class or a function of the library."""
    if is_module(value):
        return is_known_module(value)
    home = str(getattr(value, "__module__", "")).partition(".")[0]
    return callable(value) and home in STANDARD_MODULES and home != "__main__"


def put(target, name, value):
    if value is not MISSING:
        setattr(target, name, value)


def home_of(target):
    """The name of a module, or of the one that a class is from."""
    if is_module(target):
        return target.__name__
    return target.__module__ if type(target) is type else ""


def key_of(target):
    """What is the same of two stand-ins for one thing of the candidate's; None of anything else."""
    if is_module(target):
        return (None, "") if target.__name__ == Call.module_name else None
    return (target._remote_of, target._remote_path) if issubclass(type(target), Remote) else None


def said(target, name):
    return "%s.%s" % (getattr(target, "__name__", "?"), name)


def is_of_test_code(value):
    modules = ("__main__", "unittest.mock")
    return callable(value) and (getattr(value, "__module__", None) in modules or type(value).__module__ in modules)
