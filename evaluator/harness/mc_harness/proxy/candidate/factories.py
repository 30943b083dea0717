"""What a class makes by a method of its own: `LinkedList.of(values)`."""

from types import MethodType


def is_of_factory(function, value):
    """Whether a function that gave an object is a class method or static method of the class of that."""
    kinds = type.mro(type(value))
    if type(function) is MethodType:
        return any(function.__self__ is kind for kind in kinds)
    held = (one for kind in kinds for one in vars(kind).values() if type(one) is staticmethod)
    return any(one.__func__ is function for one in held)
