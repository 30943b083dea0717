"""What stands in the test code for things of the candidate's, which stay in its own box."""

from .ending import leave

LIVE_FOR_PLAIN = "it gave back a live object where the test code wants plain data"


class Remote:
    """Its function, its class, an instance of its class. Of names with two underscores it hands on those in
    `_remote_special`. What is its own is named so that no candidate has it too."""

    __slots__ = ("_remote_link", "_remote_name", "_remote_of")
    __hash__ = None
    _remote_special = ()

    def __init__(self, link, of, name):
        object.__setattr__(self, "_remote_link", link)
        object.__setattr__(self, "_remote_of", of)
        object.__setattr__(self, "_remote_name", name)

    def __call__(self, *args, **kwargs):
        return self._remote_link.call(self._remote_of, self._remote_name, args, kwargs)

    def __getattr__(self, name):
        if name.startswith("__") and name not in self._remote_special:
            raise AttributeError(name)
        return self._remote_link.get(self._remote_of, self._remote_path(name))

    def _remote_path(self, name):
        return self._remote_name + "." + name

    def __setattr__(self, name, value):
        leave("unshieldable", "the test code sets the attribute %s of a live object" % name)


class Function(Remote):
    """What the test code calls by its name."""

    __slots__ = ()
    _remote_special = ("__doc__", "__name__")

    def _remote_asked_for_class(self, _):
        leave("unshieldable", "the test code asks for the class of an object")

    def _remote_derived_from(self, _):
        leave("unshieldable", "the test code derives a class from the candidate's")

    __instancecheck__ = __subclasscheck__ = _remote_asked_for_class
    __mro_entries__ = _remote_derived_from


class Guarded(Remote):
    """An object whose methods can be called, and with which nothing else can be done."""

    __slots__ = ()
    _remote_special = ("__contains__", "__float__", "__getitem__", "__int__", "__iter__", "__len__", "__str__")

    def _remote_used(self, *_):
        """Used other than by its methods. By its name the candidate's may be a class, and then it is the test code that
        asks too much; a function that is one gives an object where none was asked for, so as not to be judged."""
        if not self._remote_name.rpartition(".")[2][:1].isupper():
            leave("candidate", LIVE_FOR_PLAIN)
        leave("unshieldable", "the test code uses a live object other than by its methods")

    def _remote_compared(self, other):
        if not isinstance(other, Remote):
            leave("candidate", LIVE_FOR_PLAIN)
        self._remote_used()

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _remote_compared
    __hash__ = __bool__ = __setitem__ = __delitem__ = __call__ = __repr__ = __index__ = _remote_used
    __add__ = __sub__ = __mul__ = __truediv__ = __floordiv__ = __mod__ = __pow__ = __matmul__ = _remote_used
    __radd__ = __rsub__ = __rmul__ = __rtruediv__ = __rfloordiv__ = __rmod__ = __rpow__ = __rmatmul__ = _remote_used
    __and__ = __or__ = __xor__ = __lshift__ = __rshift__ = __neg__ = __pos__ = __abs__ = __invert__ = _remote_used
    __next__ = __reversed__ = __enter__ = __exit__ = __round__ = __complex__ = _remote_used

    # What gives plain data is as good as any other method.
    def __len__(self):
        return self.__getattr__("__len__")()

    def __iter__(self):
        return iter(self.__getattr__("__iter__")())

    def __contains__(self, value):
        return self.__getattr__("__contains__")(value)

    def __getitem__(self, key):
        return self.__getattr__("__getitem__")(key)

    def __str__(self):
        return self.__getattr__("__str__")()

    def __int__(self):
        return self.__getattr__("__int__")()

    def __float__(self):
        return self.__getattr__("__float__")()


class Instance(Guarded):
    """An instance of the candidate's class; its name is the one under which the test code called that class."""

    __slots__ = ()

    def _remote_path(self, name):
        return name


class Live(Guarded):
    """An object that the candidate has under a name."""

    __slots__ = ()
