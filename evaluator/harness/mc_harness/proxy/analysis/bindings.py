"""Which names of a test code stand for one thing for as long as it runs, read off its instructions."""

import dis
from collections import Counter
from functools import cached_property

from ...names import all_parts, parts

GLOBAL_STORES = ("STORE_GLOBAL", "DELETE_GLOBAL")
STORES = ("STORE_NAME", "DELETE_NAME", *GLOBAL_STORES)
LOADS = ("LOAD_NAME", "LOAD_GLOBAL", "LOAD_FAST", "LOAD_DEREF", "LOAD_CLASSDEREF", "LOAD_FROM_DICT")
CELL_STORES = ("STORE_DEREF", "DELETE_DEREF")


class Bindings:
    """Of the code of a module."""

    def __init__(self, code):
        self.code = code

    @cached_property
    def outer(self):
        """By the identity of each code object in it, the one around that."""
        return {id(part): whole for whole in all_parts(self.code) for part in parts(whole)}

    def has(self, code):
        """Whether code is within it."""
        return id(code) in self.outer

    def is_settled(self, name, code):
        """Whether what `code` finds under a name, beyond its locals, is bound once at the most."""
        if name not in code.co_freevars:
            inner = (part for part in all_parts(self.code) if part is not self.code)
            is_changed = any(stores(part, name, GLOBAL_STORES) for part in inner)
            return not is_changed and is_bound_once(self.code, name, STORES)
        owner = self.outer.get(id(code))
        while owner is not None and name not in owner.co_cellvars:
            owner = self.outer.get(id(owner))
        if owner is None or any(stores(part, name, CELL_STORES) for part in all_parts(owner) if part is not owner):
            return False
        return is_bound_once(owner, name, CELL_STORES, name in parameters(owner))

    @cached_property
    def loads(self):
        """How often all the code looks a name up, by the names."""
        instructions = (one for part in all_parts(self.code) for one in dis.get_instructions(part))
        return Counter(one.argval for one in instructions if one.opname.startswith(LOADS))

    def is_private(self, name, code):
        """Whether nothing but `code` looks a name up."""
        own = set(map(id, all_parts(code)))
        others = (part for part in all_parts(self.code) if id(part) not in own)
        return not any(looks_up(part, name) for part in others)


def looks_up(code, name):
    """Whether code looks a name up, other than to hand its cell on."""
    cells = (*code.co_cellvars, *code.co_freevars)
    return any(
        one.argval == name and one.opname.startswith(LOADS) and not (one.opname == "LOAD_FAST" and name in cells)
        for one in dis.get_instructions(code)
    )


def parameters(code):
    flags = bool(code.co_flags & 4) + bool(code.co_flags & 8)
    return code.co_varnames[: code.co_argcount + code.co_kwonlyargcount + flags]


def stores(code, name, kinds):
    """The places at which code binds a name, or unbinds it."""
    return [one.offset for one in dis.get_instructions(code) if one.opname in kinds and one.argval == name]


def is_bound_once(code, name, kinds, is_parameter=False):
    """Whether code binds a name at one place at the most, which it passes once."""
    places = stores(code, name, kinds)
    jumps = [one for one in dis.get_instructions(code) if one.opcode in dis.hasjrel or one.opcode in dis.hasjabs]
    is_repeated = any(one.argval <= place <= one.offset for one in jumps for place in places)
    return len(places) + is_parameter <= 1 and not is_repeated
