"""Which global names a code object looks up and binds, and how, read off its instructions before it runs."""

import dis

from .names import all_parts, parts

STORE_GLOBAL = dis.opmap["STORE_GLOBAL"]


class Lookups:
    """The global names that a module's code looks up."""

    def __init__(self, code):
        # Looked up anywhere.
        self.all = set()
        # Those of which it does not only take attributes.
        self.bare = set()
        # Bound by the module's own code, or by a function that declares them global.
        self.stored = set()
        # Looked up by the module's own code, which runs first.
        self.outer = set()
        # Those of the latter that are looked up before they are bound.
        self.early = set()
        # Pairs of a name and an attribute that is set of what it stands for.
        self.attributes = set()
        # The names of attributes that are set or deleted of whatever.
        self.altered = set()
        self.read(code, outer=True)

    def read(self, code, outer):
        # Most functions of test code use no name but their own locals, and reading instructions takes long.
        if code.co_names:
            self.read_instructions(code, outer)
        for part in parts(code):
            self.read(part, outer=False)

    def read_instructions(self, code, outer):
        instructions = [one for one in dis.get_instructions(code) if one.opname != "EXTENDED_ARG"]
        for one, following in zip(instructions, instructions[1:]):
            if one.opname in ("LOAD_NAME", "LOAD_GLOBAL"):
                self.load(one.argval, following.opname, outer)
            elif one.opname == "STORE_GLOBAL" or outer and one.opname == "STORE_NAME":
                self.stored.add(one.argval)
            if one.opname.startswith("LOAD_") and following.opname == "STORE_ATTR":
                self.attributes.add((one.argval, following.argval))
        self.altered.update(one.argval for one in instructions if one.opname in ("STORE_ATTR", "DELETE_ATTR"))

    def load(self, name, then, outer):
        self.all.add(name)
        if not then.startswith(("LOAD_ATTR", "LOAD_METHOD")):
            self.bare.add(name)
        if outer:
            self.outer.add(name)
            if name not in self.stored:
                self.early.add(name)


def bound_by_functions(code):
    """The names that functions of a module declare global, and bind."""
    binding = (part for part in all_parts(code) if STORE_GLOBAL in part.co_code[::2])
    return {one.argval for part in binding for one in dis.get_instructions(part) if one.opcode == STORE_GLOBAL}
