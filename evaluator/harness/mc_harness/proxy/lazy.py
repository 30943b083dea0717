"""Iterators of the test code's that show when something is taken out of them, or that have no end: they stay there, and
the candidate takes one thing after the other. All others cross as what they hold."""

import dis
import itertools
import types

from mc_sandbox.script import FILE_NAME

ENDLESS = (itertools.count, itertools.cycle, itertools.repeat)
# What generators may call that nobody notices.
PURE = frozenset(
    "abs chr divmod enumerate float int len list max min ord pow range reversed round sorted str sum zip".split())
NOTICED = frozenset(
    "CALL_FUNCTION_EX DELETE_ATTR DELETE_SUBSCR LOAD_METHOD RAISE_VARARGS STORE_ATTR STORE_DEREF STORE_GLOBAL "
    "STORE_SUBSCR".split())


def is_lazy(value, kind):
    """Whether something is such an iterator."""
    if kind in ENDLESS:
        return True
    return kind is types.GeneratorType and value.gi_code.co_filename == FILE_NAME and is_noticed(value.gi_code)


def is_noticed(code):
    """Whether the test code may notice how far a generator has come: it does more than to give values, or looks at
    what it was sent, or goes round without going through something."""
    instructions = list(dis.get_instructions(code))
    places = {one.offset: one.opname for one in instructions}
    for one in instructions:
        is_name = one.opname in ("LOAD_GLOBAL", "LOAD_NAME", "LOAD_DEREF")
        if one.opname in NOTICED or is_name and one.argval not in PURE and is_called(instructions, one):
            return True
        if "JUMP_BACKWARD" in one.opname and places.get(one.argval) not in ("FOR_ITER", "SEND"):
            return True
    return False


def is_called(instructions, load):
    """Whether a name may stand for what is called: one is looked up as a function is, or something in it is called."""
    return load.opname == "LOAD_GLOBAL" and bool(load.arg & 1) or load.opname != "LOAD_GLOBAL" and any(
        one.opname.startswith("CALL") for one in instructions)
