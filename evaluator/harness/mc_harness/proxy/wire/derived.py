"""Plain data with attributes: values of the candidate's own classes that derive from a builtin one, such as members of
an `IntEnum` or named tuples with methods or operators.

The value crosses, and is compared here; what else it has is asked of the candidate. So are operators of its class,
where they are told nothing that may be expected. A candidate that passes so has to pass where its classes say all of
that, too, as they do in one process.
"""

import re
from collections import deque
from functools import cache, partial
from numbers import Number

from .builtin_bases import exact, made, value_base
from .chains import computed, is_of_class
from .copying import Copied
from .likeness import names_of, tried
from .plain import NOT_PLAIN

# By which a class says what its values have.
LOOKING = ("__getattr__", "__getattribute__", "__setattr__", "__delattr__")
CHANGING = (list, dict, set, deque)
TEXTS = ("__repr__", "__str__", "__format__")
COLLECTIONS = (str, bytes, tuple, frozenset)
ARITHMETIC = tuple("add sub mul truediv floordiv mod pow matmul and or xor lshift rshift".split())
COMPARISONS = tuple("__%s__" % name for name in "eq ne lt le gt ge".split())
UNARY = ("__neg__", "__pos__", "__abs__", "__invert__")
# By the special method of each operator, that which is asked for it, and whether the operands come the other way round.
OPERATORS = {name: (name, False) for name in (*COMPARISONS, *UNARY)}
for name in (*ARITHMETIC, "divmod"):
    OPERATORS["__%s__" % name] = ("__%s__" % name, False)
    OPERATORS["__r%s__" % name] = ("__%s__" % name, True)
# Those that a class may have of its own, and make values all the same.
PLAINLY = frozenset((*OPERATORS, "__hash__"))
# What a class of the candidate's may say of its values that is no part of what they are.
FREE = frozenset(
    "__new__ __init__ __repr__ __str__ __format__ __doc__ __module__ __qualname__ __dict__ __weakref__ __slots__ "
    "__annotations__ __getnewargs__ __match_args__ __orig_bases__ __init_subclass__ __class_getitem__ __parameters__ "
    "__firstlineno__ __static_attributes__ __new_member__ __dir__ __reduce_ex__ __deepcopy__ __copy__ "
    "__signature__ __set_name__ __replace__ __abstractmethods__ _abc_impl".split()
)


def base_of(kind, module):
    """The builtin base of a class that `module` defines, if its values are plain but for attributes."""
    own = [part for part in kind.__mro__ if part.__module__ == module]
    base = value_base(kind)
    if not own or base is None or hasattr(kind, "_fields") and not any(map(has_more, own)):
        return None
    return None if any(name in vars(part) for part in own for name in LOOKING) else base


def plain_base_of(kind, module):
    """The same of a class that has none of the builtin's methods of its own, nor special ones but operators."""
    base = base_of(kind, module)
    return base if base and PLAINLY >= {*replaced(kind, base, module)} else None


def is_special(name):
    return name.startswith("__") and name.endswith("__")


def added(value, module):
    """The names of what a list, a dict or a set of a class that `module` defines has, and its builtin base has not."""
    kind = type(value)
    base = next((base for base in CHANGING if base in kind.__mro__), None)
    own = [part for part in kind.__mro__ if base is not None and part.__module__ == module]
    names = {name for part in own for name in vars(part)}
    if own:
        # That it is of another class, and can be referred to.
        names.update(("type", "assertIs", "weakref"), (part.__name__ for part in own))
        names.update(names_of(value))
        if "__getattr__" in names and base is dict:
            names.update(key for key in dict.keys(value) if type(key) is str)
    return sorted(name for name in names if not hasattr(base, name) or name == "__setattr__")


def overridden(kind, module):
    """The special methods that a class which `module` defines has in place of a builtin's."""
    own = [part for part in kind.__mro__ if part.__module__ == module]
    return sorted({name for part in own for name in vars(part) if is_special(name) and name not in FREE})


def replaced(kind, base, module):
    """The methods that a class of values which `module` defines has in place of the builtin's, or as operators are."""
    fields = getattr(kind, "_fields", ())
    own = [part for part in kind.__mro__ if part.__module__ == module]
    names = {name for part in own for name, one in vars(part).items() if name not in fields and not is_tuples(one)}
    return sorted(name for name in names - FREE if hasattr(base, name) or is_special(name))


def is_tuples(method):
    """Whether it is one that `namedtuple` gives a class."""
    return getattr(method, "__module__", None) == "collections"


def overrides(kind, module):
    """Whether a class which `module` defines has methods in place of a builtin's, beyond what all classes have."""
    base = next((base for base in CHANGING if base in kind.__mro__), object)
    own = {name for part in kind.__mro__ if part.__module__ == module for name in vars(part)}
    more = (name for name in own if hasattr(base, name) or is_special(name))
    return "__missing__" in own or any(name not in FREE or name in TEXTS for name in more)


def is_record(kind):
    """Whether a class is a named tuple and has nothing else that test code could ask for."""
    public = [name for base in kind.__mro__ if base is not tuple for name in vars(base) if not name.startswith("_")]
    return issubclass(kind, tuple) and set(public) == set(getattr(kind, "_fields", ()))


def has_more(kind):
    """Whether a class has something beyond a value: a name of its own, an operator, or a text."""
    fields = getattr(kind, "_fields", ())
    return any(
        name in OPERATORS or not name.startswith("_") and name not in fields or is_own(name, one, fields)
        for name, one in vars(kind).items())


def is_own(name, held, fields):
    """Whether a class has something else than what `namedtuple` gives it: a text, a method or a field of that."""
    if name in fields:
        return isinstance(held, property)
    is_more = name in (*TEXTS, "_asdict", "_replace") or is_special(name) and name not in FREE
    return is_more and not is_tuples(held)


class Derived(Copied):
    """What all of them have beside their value."""

    def __setattr__(self, name, value):
        if "_remote_link" in vars(self):
            self._remote_link.set(self._remote_of, "", name, value)
        else:
            # It is being made.
            object.__setattr__(self, name, value)

    def __delattr__(self, name):
        self._remote_link.delete(self._remote_of, "", name)

    def __getattr__(self, name):
        if name.startswith("__") and name.endswith("__") or name == "_remote_link":
            raise AttributeError(name)
        return self._remote_link.get(self._remote_of, name, self._remote_chain + "." + name)

    def __repr__(self):
        return self._remote_text("__repr__")

    def __str__(self):
        return self._remote_text("__str__")

    def __format__(self, form):
        return self._remote_text("__format__", form)

    def _remote_is_known(self):
        """Whether test code uses it as an object, or has it of a class: by its name and, if that was called, by the
        candidate's account."""
        chain, link = self._remote_chain.replace("[]", ""), self._remote_link
        made = chain.rstrip("~!")
        is_made = not made.endswith("()") or made in link.instances
        return self._remote_chain in link.objects or is_made and is_of_class(chain)

    def _remote_may_be_told(self, name, other):
        """Whether an operator of what the test code has itself made of a class is told plain data: a sum or a product
        with what is not negative does not say how far off that is, nor does what is no operator of the builtin."""
        if self._remote_chain.replace("[]", "") not in self._remote_link.instances:
            return False
        if self._remote_base in COLLECTIONS:
            return not hasattr(self._remote_base, name)
        return name in ("__add__", "__mul__") and all(isinstance(one, (int, float)) and one >= 0 for one in other)

    def _remote_operated(self, name, is_reflected, other):
        operands = (*other, self) if is_reflected else (self, *other)
        return self._remote_link.operate(name, computed(self._remote_chain), *operands)

    def _remote_text(self, name, *args):
        """What its class makes of it, if test code has it of that, or names the class. Else it is at first the text of
        the plain data in whose place it may be; in that of a tuple the fields may have names."""
        link, plain = self._remote_link, exact(self, self._remote_base)
        is_named = link.mirrored.is_shown or self._remote_is_known() or link.names_class(type(self).__name__)
        ask = partial(link.call, self._remote_of, name, self._remote_chain + "." + name, args, {})
        if is_named:
            return ask()
        said, text = tried(ask), getattr(plain, name)(*args)
        if said == [text] or said and self._remote_base is tuple and reads_as_record(said[0], plain):
            return said[0]
        link.hid = True
        return text


def reads_as_record(text, values):
    """Whether it is the text of a named tuple with these values."""
    fields = r"\w+\(%s\)" % ", ".join(r"\w+=" + re.escape(repr(value)) for value in values)
    return isinstance(text, str) and re.fullmatch(fields, text) is not None


def operated(special, base):
    """An operator of the candidate's class. It is asked about things of the candidate's; and it may be told a number as
    well where the value is none, for that is then not what is expected of it. But where test code may want plain data,
    the operator is that of the builtin: one made for the purpose would have any property. Tuples only compare so: what
    they are added to is left to their class, such as that of vectors."""
    name, is_reflected = OPERATORS[special]
    builtin = getattr(base, special, None)

    def operate(self, *other):
        is_builtins = hasattr(base, name) and (base is not tuple or name in COMPARISONS)
        if is_builtins and not self._remote_is_known():
            if not self._remote_link.mirrored.is_shown:
                self._remote_link.hid = True
                return builtin(self, *other) if builtin else NotImplemented
            return self._remote_operated(name, is_reflected, other)
        is_free = name not in COMPARISONS and base in COLLECTIONS and isinstance(other[0] if other else 0, Number)
        if not is_free and not all(hasattr(one, "_remote_link") for one in other):
            if name in COMPARISONS:
                return builtin(self, *other)
            if not self._remote_may_be_told(name, other):
                self._remote_link.leave("candidate", NOT_PLAIN)
        return self._remote_operated(name, is_reflected, other)

    return operate


def hashed(base):
    """The hash by which its class has it found, or says that it has none; at first that of the builtin, in whose place
    it may be."""

    def value_hash(self):
        link = self._remote_link
        if self._remote_is_known() or link.mirrored.is_shown:
            return link.operate("hash", computed(self._remote_chain), self)
        link.hid = True
        return base.__hash__(self)

    return value_hash


def contains(self, value):
    """Whether it holds another of the candidate's things, such as a flag."""
    if not hasattr(value, "_remote_link"):
        self._remote_link.leave("candidate", NOT_PLAIN)
    return self._remote_link.operate("contains", computed(self._remote_chain), self, value)


def asked(name, base):
    """Any other method. One that the builtin has too is at first the builtin's."""

    is_builtins = any(name in vars(part) for part in base.__mro__)

    def ask(self, *args, **kwargs):
        link = self._remote_link
        if is_builtins and not link.mirrored.is_shown:
            link.hid = True
            return getattr(base, name)(self, *args, **kwargs)
        return link.call(self._remote_of, name, self._remote_chain + "." + name, args, kwargs)

    return ask


def method_of(name, base):
    if name == "__contains__" and not hasattr(base, name):
        return contains
    if name == "__hash__":
        return hashed(base)
    return operated(name, base) if name in OPERATORS else asked(name, base)


@cache
def class_of(name, base, methods):
    own = {method: method_of(method, base) for method in methods}
    return type(name, (Derived, base), {"__hash__": base.__hash__, **own, "_remote_base": base})


# What a class may have of its own, and is asked of no value here, whatever the candidate says.
NEVER_ASKED = FREE.union(LOOKING, ("__class__", "__del__", "__subclasshook__"))


def make(link, handle, name, plain, methods, chain):
    """One of a builtin value, whose class has these methods of its own."""
    base = type(plain)
    methods = sorted(one for one in methods if (is_special(one) or hasattr(base, one)) and one not in NEVER_ASKED)
    value = made(class_of(name, base, tuple(methods)), plain)
    vars(value).update(_remote_link=link, _remote_of=handle, _remote_path="", _remote_chain=chain)
    return value
