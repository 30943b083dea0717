"""Descriptors of the candidate's in classes of the test code's: they are asked in the candidate's box, where the test
code's objects are what calls them."""

METHODS = ("__get__", "__set__", "__delete__", "__set_name__")


class Standing:
    """In a class, in the place of an object of the candidate's, whose special methods `method` calls."""

    def __init__(self, method):
        self.method = method


class Given(Standing):
    """One that says what is there."""

    def __get__(self, thing, kind=None):
        return self.method("__get__", thing, kind)


class Set(Standing):
    """One that is told what is set."""

    def __set__(self, thing, value):
        self.method("__set__", thing, value)

    def __delete__(self, thing):
        self.method("__delete__", thing)


class Both(Given, Set):
    pass


def describe(kind, name, thing, methods):
    """Have a class hold what stands for an object under a name, by the special methods that this has."""
    if "__set_name__" in methods:
        thing._remote_method("__set_name__", kind, name)
    if "__set__" in methods or "__delete__" in methods:
        made = Both if "__get__" in methods else Set
    elif "__get__" in methods:
        made = Given
    else:
        return
    setattr(kind, name, made(thing._remote_method))
