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
# What stands before a number.
NUMBER = "#"
# The modules of what is the candidate's and the test code's own.
OWN = (Call.module_name, "__main__")

# The names by which classes are known, by identity; and each side's own classes by these.
NAMES, KINDS = {}, {}
COUNT = count(1)


def name_of(kind):
    """The name by which a class is told of."""
    known = NAMES.get(id(kind))
    if known is not None and known[1] is kind:
        return known[0]
    name, module = type.__getattribute__(kind, "__name__"), str(kind.__module__)
    is_own = module in OWN
    if is_own or module.startswith("mc_"):
        claimed = BUILTINS.get(name, kind)
    else:
        claimed = BUILTINS.get(name) if module == "builtins" else getattr(sys.modules.get(module), name, None)
    # A metaclass may have it equal any class.
    told = name if kind is claimed or kind is named(Call.module_name, name) else CLAIMED + name
    return know(kind, alone(told, name, module, kind)) if is_own else told


def alone(told, name, module, kind):
    """The same, or where it is another's, the same with a number."""
    under_name = named(module, name)
    if kind is under_name or module == Call.module_name and not isinstance(under_name, type) and told not in KINDS:
        return told
    # The two sides' numbers never meet.
    number = next(COUNT) if module == Call.module_name else -next(COUNT)
    return "%s%s%d" % (told, NUMBER, number)


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
    name = told.partition(NUMBER)[0]
    return name[len(CLAIMED):] if name.startswith(CLAIMED) else name
