"""Classes of the candidate's that test code registers with abstract classes of its own: those know only of classes
that are in the same process."""

from abc import ABCMeta

from ..stand_ins.named import Function

# Each abstract class, with what stands for a class that is as one derived from it.
REGISTERED = []


def watch_registering():
    usual = ABCMeta.register

    def register(kind, subclass):
        if not issubclass(type(subclass), Function):
            return usual(kind, subclass)
        REGISTERED.append((kind, subclass))
        return subclass

    ABCMeta.register = register


def of_registered(function):
    """`isinstance` and the like, for which the objects of such a class are those of the abstract one. Only of a class
    that is in this process an abstract one can say more."""

    def asking(value, kind):
        registered = [subclass for base, subclass in REGISTERED if kind in base.__mro__]
        if any(function(value, subclass) for subclass in registered):
            return True
        return not (registered and isinstance(value, Function)) and function(value, kind)

    return asking
