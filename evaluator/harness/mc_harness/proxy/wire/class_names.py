"""The names by which classes of exceptions are told of.

Of what one side has itself each has a name that none of its other classes is told by, whatever it is called: a stack's
`Empty` and a queue's are two classes. The one under its name in the module goes by that name alone, and so does the
first of the candidate's of a name that is none in the module; any other goes by a number as well.
"""

import builtins
import sys
from itertools import count

from ...call import Call

BUILTINS = {kind.__name__: kind for kind in vars(builtins).values() if isinstance(kind, type)}
# What stands before the name of a class that only claims to be a builtin's or a library's.
CLAIMED = "own "
# What stands before a number, and behind a module.
NUMBER, MODULE = "#", ":"
# The modules of what is the candidate's and the test code's own.
OWN = (Call.module_name, "__main__")

# The names by which classes are known, by identity; and each side's own classes by these.
NAMES, KINDS = {}, {}
COUNT = count(1)


class Side:
    """Which of the two this process is; and whether the modules of both are different ones, as the test code imports
    what it tests: then what it has under a name of the candidate's is not what that means by it."""

    is_candidate = are_apart = False


def name_of(kind):
    """The name by which a class is told of."""
    known = NAMES.get(id(kind))
    if known is not None and known[1] is kind:
        return known[0]
    name, module = type.__getattribute__(kind, "__name__"), str(kind.__module__)
    if is_own(module):
        is_shown = named(Call.module_name, name) is kind
        told = name if is_shown or BUILTINS.get(name, kind) is kind else CLAIMED + name
        return know(kind, alone(told, name, kind)) if module in OWN else told
    claimed = BUILTINS.get(name) if module == "builtins" else getattr(sys.modules.get(module), name, None)
    # A metaclass may have it equal any class.
    return name if kind is claimed else CLAIMED + name


def is_own(module):
    """Whether what is of a module is the candidate's or the test code's, or stands for something of theirs."""
    return module in OWN or module.startswith("mc_")


def key(name, module):
    """By what a class is known that is told of by its name and its module's: a library's is not one's own."""
    return name if is_own(module) else module + MODULE + name


def alone(told, name, kind):
    """The same, or where it is another's, the same with a number. The two sides' numbers never meet."""
    if Side.is_candidate:
        under_name = named(Call.module_name, name)
        is_first = not isinstance(under_name, type) and told not in KINDS
        return told if kind is under_name or is_first else "%s%s%d" % (told, NUMBER, next(COUNT))
    is_shown = not Side.are_apart and kind is named("__main__", name)
    return told if is_shown else "%s%s-%d" % (told, NUMBER, next(COUNT))


def named(module, name):
    """What a module that is there has under a name."""
    return vars(sys.modules.get(module, builtins)).get(name)


def know(kind, told):
    """Tell of a class by a name from now on."""
    NAMES[id(kind)], KINDS[told] = (told, kind), kind
    return told


def class_of(told):
    """The class that is told of by a name, if there is one."""
    return KINDS.get(told)


def shown(told):
    """What the class that is told of by a name is called."""
    name = told.rpartition(MODULE)[2].partition(NUMBER)[0]
    return name[len(CLAIMED):] if name.startswith(CLAIMED) else name
