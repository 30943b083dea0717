"""How test code can hold what the program has under its names."""

import sys
import types

from ...call import Call
from ...prelude import MISSING, MODULES, ORIGIN
from ..wire.described import bases_of
from ..wire.standard import STANDARD_MODULES
from .their_errors import is_exception

# What is kept for who has had it under a name.
KEPT = ("callable", "class")


def kind(target):
    """How test code can hold something: "class", "callable", "module" for one of the library's, or "value", which may
    be no plain data; for an exception its bases."""
    if is_exception(target):
        return bases_of(target)
    if isinstance(target, (classmethod, staticmethod)) or callable(target):
        if isinstance(target, type):
            return "class"
        # Of an object of the program's own class test code may ask more than to call it.
        return "value" if type(target).__module__ == Call.module_name else "callable"
    return "module" if type(target) is types.ModuleType and target.__name__ in STANDARD_MODULES else "value"


def is_own_tool(name, value):
    """Whether something is not what a library usually has under its name."""
    if name not in ORIGIN and name not in MODULES or type(value) is types.ModuleType:
        return False
    return getattr(sys.modules.get(ORIGIN.get(name, name)), name, MISSING) is not value
