"""The candidate's program as the module that test code may import it as."""

import sys
import types

from ...call import Call
from .class_names import Side
from .derived import is_special

# The candidate's module, as it crosses.
PROGRAM = {"own": [None, ""]}
# What a module says of itself; for all other such names the interpreter asks.
SAID = ("__all__", "__author__", "__copyright__", "__doc__", "__email__", "__license__", "__version__")


class Module(types.ModuleType):
    """What it has, the candidate has under that name. `is_for_all` says that all of its names are imported at once:
    which those are, the candidate is not to choose."""

    def __init__(self, link, is_for_all):
        super().__init__(Call.module_name)
        vars(self).update(_link=link, _is_for_all=is_for_all)

    # In place of this class's own.
    __doc__ = property(lambda self: self._link.member("__doc__") if self._link.defines("__doc__") else None)

    def __getattr__(self, name):
        if is_special(name) and (name not in SAID or self._is_for_all):
            raise AttributeError(name)
        return self._link.replacements.value((None, ""), name, lambda: self._link.member(name))

    def __dir__(self):
        return self._link.all_names()

    def __setattr__(self, name, value):
        if is_special(name):
            super().__setattr__(name, value)
        elif not self._link.replacements.takes(self, name, value):
            self._link.set(None, "", name, value)

    def __delattr__(self, name):
        if not self._link.replacements.takes(self, name):
            self._link.delete(None, "", name)


def provide_module(link, texts, source):
    """Have it imported where the test code names it, be it in a text. Whether it does so."""
    name = Call.module_name
    is_named = name in link.named or any(text == name or text.startswith(name + ".") for text in texts)
    if is_named:
        sys.modules[name] = Module(link, b"import *" in source)
    Side.are_apart = is_named
    return is_named


def is_for_others(name):
    """Whether what a program has under a name is no business of the program's alone, or of the interpreter's."""
    return name in SAID or not is_special(name)
