"""What stands in the test code for things of the candidate's, which stay in its own box.

Each knows the chain of names, calls and attributes by which the test code came to it: `Stack().top`. What is called,
or asked for an attribute that no plain data has, is an object by the test code's own account; the chain is then noted.
Of all others it is not known whether the test code wants plain data in their place, and then nothing may be asked of
them that an object made for the purpose could answer as it likes.
"""

from .plain import DATA, METHODS

NOT_PLAIN = "it gave back a live object where the test code wants plain data"


class Remote:
    """Of names with two underscores it hands on those in `_remote_special`. What is its own is named so that no
    candidate has it too."""

    __slots__ = ("_remote_chain", "_remote_link", "_remote_of", "_remote_path")
    _remote_special = ()

    def __init__(self, link, of, path, chain):
        """Of the handle `of`, or of the candidate's module where that is None, what lies under `path`."""
        for name, value in zip(Remote.__slots__, (chain, link, of, path)):
            object.__setattr__(self, name, value)

    def __getattr__(self, name):
        if name.startswith("__") and name.endswith("__") and name not in self._remote_special:
            raise AttributeError(name)
        self._remote_as_object(name)
        return self._remote_link.get(self._remote_of, self._remote_below(name), self._remote_chain + "." + name)

    def __setattr__(self, name, value):
        self._remote_link.objects.add(self._remote_chain)
        self._remote_link.set(self._remote_of, self._remote_path, name, value)

    def __call__(self, *args, **kwargs):
        return self._remote_link.call(self._remote_of, self._remote_path, self._remote_chain, args, kwargs)

    def _remote_as_object(self, name):
        """The test code asks for an attribute."""
        self._remote_link.objects.update((self._remote_chain, self._remote_chain + "()"))

    def _remote_below(self, name):
        return self._remote_path + "." + name if self._remote_path else name


class Function(Remote):
    """What the test code calls by its name: a function or a class."""

    __slots__ = ()
    _remote_special = ("__annotations__", "__code__", "__defaults__", "__name__", "__qualname__")

    def _remote_as_object(self, name):
        if name not in self._remote_special:
            super()._remote_as_object(name)

    # In place of this class's own.
    __doc__ = property(lambda self: self._remote_link.get(self._remote_of, self._remote_below("__doc__"), ""))

    @property
    def __signature__(self):
        return self._remote_link.signature(self._remote_of, self._remote_path)

    def __instancecheck__(self, value):
        return isinstance(value, Guarded) and self._remote_link.is_instance(value, self)

    def __subclasscheck__(self, _):
        self._remote_link.leave("unshieldable", "the test code asks for the bases of a class")

    def __mro_entries__(self, _):
        self._remote_link.leave("unshieldable", "the test code derives a class from the candidate's")


class Guarded(Remote):
    """An object of the candidate's. It is never compared here: its own methods would say what the comparison gives."""

    __slots__ = ()

    def _remote_as_object(self, name):
        if name not in DATA and name in METHODS:
            self._remote_must_be_object(NOT_PLAIN)
        elif name not in DATA:
            super()._remote_as_object(name)

    def _remote_must_be_object(self, reason):
        if self._remote_chain not in self._remote_link.objects:
            self._remote_link.leave("live", reason, chain=self._remote_chain)

    def _remote_used(self, *_):
        self._remote_must_be_object(NOT_PLAIN)
        reason = "the test code compares a live object, or computes with it"
        self._remote_link.leave("unshieldable", reason, chain=self._remote_chain)

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _remote_used
    __add__ = __sub__ = __mul__ = __truediv__ = __floordiv__ = __mod__ = __pow__ = __matmul__ = _remote_used
    __radd__ = __rsub__ = __rmul__ = __rtruediv__ = __rfloordiv__ = __rmod__ = __rpow__ = __rmatmul__ = _remote_used
    __and__ = __or__ = __xor__ = __lshift__ = __rshift__ = __neg__ = __pos__ = __abs__ = __invert__ = _remote_used

    def _remote_method(self, name, *args):
        """Call one of its special methods."""
        path, chain = self._remote_below(name), self._remote_chain + "." + name
        return self._remote_link.call(self._remote_of, path, chain, args, {})

    # What is told nothing of what is expected, and gives what is then compared here, is as good as any other method.
    def __len__(self):
        return self._remote_method("__len__")

    def __iter__(self):
        return iter(self._remote_method("__iter__"))

    def __next__(self):
        return self._remote_method("__next__")

    def __getitem__(self, key):
        return self._remote_method("__getitem__", key)

    def __str__(self):
        return self._remote_method("__str__")

    def __repr__(self):
        return self._remote_method("__repr__")

    def __int__(self):
        return self._remote_method("__int__")

    def __float__(self):
        return self._remote_method("__float__")

    def __index__(self):
        return self._remote_method("__index__")

    def __hash__(self):
        return self._remote_method("__hash__")

    # The rest is for objects alone.
    def __bool__(self):
        self._remote_must_be_object(NOT_PLAIN)
        return self._remote_link.truth(self._remote_of, self._remote_path)

    def __contains__(self, value):
        self._remote_must_be_object(NOT_PLAIN)
        return self._remote_method("__contains__", value)

    def __setitem__(self, key, value):
        self._remote_must_be_object(NOT_PLAIN)
        self._remote_method("__setitem__", key, value)

    def __delitem__(self, key):
        self._remote_must_be_object(NOT_PLAIN)
        self._remote_method("__delitem__", key)

    def __call__(self, *args, **kwargs):
        self._remote_link.objects.add(self._remote_chain)
        return super().__call__(*args, **kwargs)

    def __enter__(self):
        self._remote_link.objects.add(self._remote_chain)
        return self._remote_method("__enter__")

    def __exit__(self, kind, error, trace):
        if kind is not None and not hasattr(error, "candidate"):
            self._remote_link.leave("unshieldable", "the test code raises in a context of the candidate's")
        return self._remote_method("__exit__", None, None, None)
