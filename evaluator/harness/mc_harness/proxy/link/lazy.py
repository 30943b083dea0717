"""Iterators of the test code's that show when something is taken out of them, may have no end, or give what can be
changed, and views of objects: they stay there, and the candidate takes one thing after the other. All others cross as
what they hold."""

import dis
import sys
import types

from mc_sandbox.script import FILE_NAME

from ...encoding import taken
from ..wire.channel import is_iterator
from ..wire.containers import containers, is_of_object
from ..wire.crossing import VIEWS

# How many values of an iterator the candidate may come for one by one.
MOST_FOR_EACH = 1000
# What calls a function for each value.
CALLING = type(iter(int, 1))
# What takes from other iterators, and tells from which.
TAKING = (map, filter, zip, enumerate)
# What generators may call that nobody notices.
PURE = frozenset(
    "abs chr divmod enumerate float int len list max min ord pow range reversed round sorted str sum zip".split())
NOTICED = frozenset(
    "CALL_FUNCTION_EX DELETE_ATTR DELETE_SUBSCR LOAD_METHOD PUSH_EXC_INFO RAISE_VARARGS STORE_ATTR STORE_DEREF "
    "STORE_GLOBAL STORE_SUBSCR".split())


def is_lazy(value, kind):
    """Whether something is such an iterator or view."""
    if kind.__module__ == "itertools" or kind is CALLING or kind in VIEWS and is_of_object(value):
        return True
    if kind is types.GeneratorType and value.gi_code.co_filename == FILE_NAME and is_noticed(value.gi_code):
        return True
    if not is_iterator(kind):
        return False
    # The test code may take more out of what it has a name for.
    return bool(names_of(value)) or any(is_lazy(part, type(part)) for part in taken_from(value, kind))


def taken_from(value, kind):
    """The iterators that another takes from, which may have no end."""
    if kind is types.GeneratorType:
        parts = () if value.gi_frame is None else (value.gi_frame.f_locals.get(".0"),)
    else:
        parts = value.__reduce__()[1] if kind in TAKING else ()
    return [part for part in parts if is_iterator(type(part)) or type(part).__module__ == "itertools"]


def names_of(thing):
    """The names under which the test code has something where it is."""
    names, frame = set(), sys._getframe()
    while frame is not None:
        if frame.f_code.co_filename == FILE_NAME:
            names.update(name for name, held in frame.f_locals.items() if held is thing)
        frame = frame.f_back
    return names


def shows_changes(values):
    """Whether what an iterator gives can be changed, and is little enough that the candidate can come for each."""
    is_changing = any(next(containers(value), None) is not None for value in values)
    return is_changing and len(values) <= MOST_FOR_EACH


def giving(values, returned=None):
    """A generator that gives these."""
    yield from values
    return returned


def drained(generator):
    """What a generator gives, and what it returns."""
    returned = []

    def giving():
        returned.append((yield from generator))

    return taken(giving()), returned[0]


def is_noticed(code):
    """Whether the test code may notice how far a generator has come: it does more than to give values, or looks at
    what it was sent, or goes round without going through something."""
    instructions = list(dis.get_instructions(code))
    if any(uses_sent(*three) for three in zip(instructions, instructions[1:], instructions[2:])):
        return True
    places = {one.offset: one.opname for one in instructions}
    for one in instructions:
        is_name = one.opname in ("LOAD_GLOBAL", "LOAD_NAME", "LOAD_DEREF")
        if one.opname in NOTICED or is_name and one.argval not in PURE and is_called(instructions, one):
            return True
        if "JUMP_BACKWARD" in one.opname and places.get(one.argval) not in ("FOR_ITER", "SEND"):
            return True
    return False


def uses_sent(give, resume, use):
    """Whether what a generator is sent when it has given something is of use to it."""
    is_giving = give.opname == "YIELD_VALUE" and resume.opname == "RESUME"
    return is_giving and use.opname != "POP_TOP" and not use.opname.startswith("JUMP_BACKWARD")


def is_called(instructions, load):
    """Whether a name may stand for what is called: one is looked up as a function is, or something in it is called."""
    return load.opname == "LOAD_GLOBAL" and bool(load.arg & 1) or load.opname != "LOAD_GLOBAL" and any(
        one.opname.startswith("CALL") for one in instructions)
