"""Which global names a code object looks up and binds, and how, read off its instructions before it runs."""

import dis
import sys

from .names import all_parts, parts

STORE_GLOBAL, EXTENDED_ARG, CACHE = (dis.opmap.get(name) for name in ("STORE_GLOBAL", "EXTENDED_ARG", "CACHE"))
# What looks up, binds or deletes by a name, and the bits of its argument below the name's place.
BELOW = {"LOAD_GLOBAL": sys.version_info >= (3, 11)}
BY_NAME = {
    dis.opmap[name]: (name, int(BELOW.get(name, False)))
    for name in ("LOAD_NAME", "LOAD_GLOBAL", "STORE_NAME", "STORE_GLOBAL", "STORE_ATTR", "DELETE_ATTR")
}
TAKING = {code for name, code in dis.opmap.items() if name.startswith(("LOAD_ATTR", "LOAD_METHOD"))}


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
        found = list(instructions(code))
        for (how, name), (then, attribute) in zip(found, found[1:]):
            if how in ("LOAD_NAME", "LOAD_GLOBAL"):
                self.load(name, then in TAKING, outer)
                if then == "STORE_ATTR":
                    self.attributes.add((name, attribute))
            elif how == "STORE_GLOBAL" or outer and how == "STORE_NAME":
                self.stored.add(name)
            elif how in ("STORE_ATTR", "DELETE_ATTR"):
                self.altered.add(name)

    def load(self, name, is_taken_from, outer):
        self.all.add(name)
        if not is_taken_from:
            self.bare.add(name)
        if outer:
            self.outer.add(name)
            if name not in self.stored:
                self.early.add(name)


def instructions(code):
    """Those of a code object: of what goes by a name how, and the name; of any other its number, and None. `dis` says
    more of each, and takes ten times as long."""
    names, high = code.co_names, 0
    for operation, low in zip(code.co_code[::2], code.co_code[1::2]):
        if operation in BY_NAME:
            how, bits = BY_NAME[operation]
            yield how, names[(high | low) >> bits]
            high = 0
        elif operation == EXTENDED_ARG:
            high = (high | low) << 8
        elif operation != CACHE:
            yield operation, None
            high = 0


def bound_by_functions(code):
    """The names that functions of a module declare global, and bind."""
    binding = (part for part in all_parts(code) if STORE_GLOBAL in part.co_code[::2])
    return {name for part in binding for how, name in instructions(part) if how == "STORE_GLOBAL"}
