"""Plain data with attributes: values of the candidate's own classes that derive from a builtin one, such as members of
an `IntEnum` or named tuples with methods.

The value crosses, and is compared here; what else it has is asked of the candidate.
"""

from functools import cache

from ..encoding import type_name

# The classes whose values never change, so that a copy stays what it was; and how one is made, whatever a class that
# derives from it says.
PLAIN = {
    int: lambda value: int.__add__(value, 0),
    float: lambda value: float.__add__(value, 0.0),
    str: lambda value: "".join(str.__iter__(value)),
    bytes: lambda value: bytes(memoryview(value)),
    tuple: lambda value: tuple(tuple.__iter__(value)),
    frozenset: lambda value: frozenset(frozenset.__iter__(value)),
}
BASES = {base.__name__: base for base in PLAIN}
CHANGING = (list, dict, set)
# What a class of the candidate's may say of its values that is no part of what they are.
FREE = frozenset(
    "__new__ __init__ __repr__ __str__ __format__ __doc__ __module__ __qualname__ __dict__ __weakref__ __slots__ "
    "__annotations__ __getnewargs__ __match_args__ __orig_bases__ __init_subclass__ __class_getitem__ __parameters__ "
    "__firstlineno__ __static_attributes__ __new_member__ __hash__ __dir__ __reduce_ex__ __deepcopy__ __copy__ "
    "__signature__ __set_name__ __replace__".split()
)


def base_of(kind, module):
    """The builtin base of a class that `module` defines, if its values are plain but for attributes."""
    own = [part for part in kind.__mro__ if part.__module__ == module]
    base = next((base for base in PLAIN if base in kind.__mro__), None)
    if not own or base is None or not any(map(has_more, own)):
        return None
    fields = getattr(kind, "_fields", ())
    changed = {name for part in own for name in vars(part) if name not in FREE and name not in fields}
    return None if any(hasattr(base, name) or is_special(name) for name in changed) else base


def is_special(name):
    return name.startswith("__") and name.endswith("__")


def has_methods(value, module, named):
    """Whether a list, a dict or a set of a class that `module` defines has one of the attributes of these names."""
    kind = type(value)
    base = next((base for base in CHANGING if base in kind.__mro__), None)
    own = [part for part in kind.__mro__ if base is not None and part.__module__ == module]
    names = {name for part in own for name in vars(part)}
    if own:
        names.update(getattr(value, "__dict__", ()))
        if "__getattr__" in names and base is dict:
            names.update(key for key in dict.keys(value) if type(key) is str)
    return any(name in named and not hasattr(base, name) for name in names)


def overridden(kind, module):
    """The special methods that a class which `module` defines has in place of a builtin's."""
    own = [part for part in kind.__mro__ if part.__module__ == module]
    return sorted({name for part in own for name in vars(part) if is_special(name) and name not in FREE})


def has_more(kind):
    return any(not name.startswith("_") and name not in getattr(kind, "_fields", ()) for name in vars(kind))


class Derived:
    """What all of them have beside their value."""

    def __getattr__(self, name):
        if name.startswith("__") and name.endswith("__") or name == "_remote_link":
            raise AttributeError(name)
        return self._remote_link.get(self._remote_of, name, self._remote_chain + "." + name)

    def __repr__(self):
        return self._remote_said("__repr__")

    def __str__(self):
        return self._remote_said("__str__")

    def __format__(self, form):
        return self._remote_said("__format__", form)

    def __copy__(self):
        return self

    def __deepcopy__(self, _):
        return self

    def _remote_said(self, name, *args):
        return self._remote_link.call(self._remote_of, name, self._remote_chain + "." + name, args, {})


@cache
def class_of(name, base):
    return type(name, (Derived, base), {})


def make(link, handle, name, plain, chain):
    """One of a builtin value."""
    base = BASES[type_name(plain)]
    value = base.__new__(class_of(name, base), plain)
    value._remote_link, value._remote_of, value._remote_path, value._remote_chain = link, handle, "", chain
    return value
