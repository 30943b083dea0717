"""What a code object names that reaches beyond its own values, read off its instructions before it runs."""

import dis
import importlib
import sys
from contextlib import suppress

from ...names import all_parts

FRAMES = frozenset(
    "ag_frame cr_frame f_back f_builtins f_code f_globals f_locals gi_code gi_frame tb_frame tb_next".split()
)
REACHING = FRAMES | frozenset(
    "BaseException KeyboardInterrupt SystemExit breakpoint compile delattr eval exec exit getattr globals locals open "
    "quit setattr type vars builtins codecs ctypes gc importlib inspect io os posix signal subprocess sys threading "
    "types ABCMeta EnumMeta EnumType Formatter attrgetter getcontext localcontext make_dataclass methodcaller "
    "setcontext".split()
)
SPECIAL = frozenset(
    "__annotations__ __call__ __class__ __doc__ __getitem__ __init__ __iter__ __len__ __main__ __module__ __name__ "
    "__next__ __qualname__ __repr__ __str__ __firstlineno__ __static_attributes__ __classdict__".split()
)
MODULES = frozenset(
    "abc array bisect cmath collections copy dataclasses datetime decimal enum fractions functools heapq itertools "
    "json math numbers operator random re statistics string textwrap time typing".split()
)
# What so many classes of anyone's have that a library's is no reason against it.
USUAL = frozenset(("name", "value"))
HEAP_TYPE, IMMUTABLE_TYPE = 1 << 9, 1 << 8


class Reach:
    """`own` are the names that the code may neither look up nor bind; `taken` those that it may not bind, but by the
    import that it has beside each."""

    def __init__(self, own=frozenset(), taken=None):
        self.own, self.taken = own, taken or {}

    def of(self, code):
        """The names by which a code object reaches further."""
        imported = [one.argval for part in all_parts(code) for one in dis.get_instructions(part) if is_import(one)]
        yield from (name for name in imported if not is_library(name))
        for name in filter(is_library, imported):
            with suppress(ImportError):
                importlib.import_module(name)
        self.look_through()
        for part in all_parts(code):
            imported = None
            for one in dis.get_instructions(part):
                if not one.opname.startswith(("IMPORT_FROM", "STORE_")):
                    imported = one.argval if is_import(one) else None
                if "_CONST" in one.opname:
                    yield from hidden_in(one.argval)
                elif isinstance(one.argval, str) and self.is_reached(one, part is code, imported):
                    yield one.argval

    def look_through(self):
        """Note what the libraries at hand have that is not to be changed."""
        libraries = [module for name, module in sys.modules.items() if is_library(name)]
        self.attributes = {name for library in libraries for name in attributes_of(library)} - USUAL
        self.held = {name for library in libraries for name in mutable_in(library)}

    def is_reached(self, instruction, is_outer, imported):
        name, what = instruction.argval, instruction.opname
        if is_import(instruction):
            return False
        if is_reaching(name):
            return True
        if what in ("STORE_ATTR", "DELETE_ATTR"):
            return name.startswith("__") or name in self.attributes
        if what.endswith(("_ATTR", "_METHOD")) or what == "IMPORT_FROM":
            return name in self.held
        if what in ("STORE_NAME", "DELETE_NAME", "STORE_GLOBAL", "DELETE_GLOBAL"):
            is_shared = is_outer or what.endswith("_GLOBAL")
            return is_shared and name in self.taken and self.taken[name] != imported
        return what.endswith(("_NAME", "_GLOBAL", "_GLOBALS")) and name in self.own


def is_import(instruction):
    return instruction.opname == "IMPORT_NAME"


def is_library(name):
    return name.partition(".")[0] in MODULES


def attributes_of(library):
    """The names under which a library, or a class in it that may be changed, has something."""
    yield from vars(library)
    for kind in vars(library).values():
        if isinstance(kind, type) and kind.__flags__ & (HEAP_TYPE | IMMUTABLE_TYPE) == HEAP_TYPE:
            yield from dir(kind)


def mutable_in(library):
    """The names under which a library holds what it works with."""
    return [name for name, value in vars(library).items() if isinstance(value, (dict, list, set, bytearray))]


def is_reaching(name):
    return name.startswith("__") and name not in SPECIAL or name.strip("_") in REACHING


def hidden_in(constant):
    """The names in a constant by which something could be looked up."""
    if isinstance(constant, (tuple, frozenset)):
        for part in constant:
            yield from hidden_in(part)
    elif isinstance(constant, str) and (constant in FRAMES or "__" in constant and constant not in SPECIAL):
        yield constant
