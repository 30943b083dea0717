"""Classes of the candidate's that test code joins with others: `A | None`, which Python makes of classes alone."""

import importlib
import sys
import types

# That of classes alone, which the oldest interpreters lack.
UNION = getattr(types, "UnionType", None)


def joined(one, other):
    """What stands for `one | other`: it is equal to another of the same classes."""
    return importlib.import_module("typing").Union[one, other]


def alternatives(kinds):
    """The classes of a tuple or a union of such; None of anything else."""
    if isinstance(kinds, tuple):
        return kinds
    return kinds.__args__ if is_union(kinds) else None


def is_union(kinds):
    typing = sys.modules.get("typing")
    is_joined = type(kinds).__module__ == "typing" and getattr(kinds, "__origin__", None) is typing.Union
    return is_joined or type(kinds) is UNION
