"""What functions of the test code's are called and have as attributes, which is the same on both sides."""

from ...decoding import decode
from .containers import can_be_changed, copied, differ, kind_of
from .dunders import is_free

# What is told of names with two underscores.
NAMES = ("__name__", "__qualname__", "__doc__")


class Marks:
    """Of functions, by their numbers, what the other side knows of them."""

    def __init__(self):
        self.known = {}

    def begin(self, number, function):
        """The other side is told of a function as it is now."""
        if number not in self.known:
            self.know(number, function)

    def know(self, number, function):
        self.known[number] = {name: seen(value) for name, value in look(function).items()}

    def know_one(self, number, function, name):
        """The same of one of its attributes, which the other side has set or deleted."""
        self.begin(number, function)
        held, known = look(function), self.known[number]
        known.pop(name, None)
        if name in held:
            known[name] = seen(held[name])

    def take(self, number, function, told):
        """A function has come with what it has there."""
        for name, value in told:
            mark(function, name, decode(value))
        for name in [name for name, _ in told] if number in self.known else ():
            self.know_one(number, function, name)
        self.begin(number, function)

    def drop(self, number):
        self.known.pop(number, None)

    def changes(self, find, encode):
        """What has changed since this was last asked, of the functions that `find` gives by their numbers: the number,
        with the name and what `encode` makes of the value, in a list; with the name alone of what is there no more.
        What `encode` gives None for stays unknown."""
        for number, known in list(self.known.items()):
            function = find(number)
            if function is None:
                self.drop(number)
            elif not is_as_made(function, known):
                for told in self.changes_of(function, known, encode):
                    yield number, told

    @staticmethod
    def changes_of(function, known, encode):
        held = look(function)
        for name in known.keys() - held.keys():
            del known[name]
            yield [name]
        for name, value in held.items():
            if name not in known or has_changed(known[name], value):
                told = encode(value)
                if told is not None:
                    known[name] = seen(value)
                    yield [name, *told]


def look(function):
    """By their names, what is told of a function."""
    named = {name: getattr(function, name) for name in NAMES}
    return {**named, **{name: value for name, value in vars(function).items() if is_attribute(name)}}


def is_as_made(function, known):
    """Whether a function has no attributes, as of most is quickly told, and the names that are known."""
    held = function.__dict__
    is_bare = (not held or len(held) == 1 and "__signature__" in held) and len(known) == len(NAMES)
    is_named_so = known["__name__"][0] is function.__name__ and known["__qualname__"][0] is function.__qualname__
    return is_bare and is_named_so and known["__doc__"][0] is function.__doc__


def is_attribute(name):
    return type(name) is str and (not name.startswith("__") or is_free(name))


# By which what stands for pytest knows a fixture, and what of a test it leaves out.
OF_PYTEST = ("_fixture", "pytestmark")


def may_be_set(name, value):
    """Whether a function may have this under a name."""
    if name in OF_PYTEST:
        return False
    if name not in NAMES:
        return is_attribute(name)
    return type(value) is str or name == "__doc__" and value is None


def mark(function, name, *value):
    """Have a function what the other side has given it, or has taken from it."""
    if value:
        setattr(function, name, *value)
    else:
        vars(function).pop(name, None)


def seen(value):
    """A value, and what is in it, if that can be changed."""
    return value, copied(value) if can_be_changed(kind_of(value)) else None


def has_changed(before, value):
    return value is not before[0] or can_be_changed(kind_of(value)) and differ(value, before[1])
