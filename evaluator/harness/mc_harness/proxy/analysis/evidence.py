"""What the use that test code makes of one thing says of it: whether it is an object, or can be plain data."""

from collections import Counter, OrderedDict, defaultdict, deque

from ..wire.plain import OTHER

SAMPLES = (
    int, float, complex, str, bytes, bytearray, list, tuple, dict, set, frozenset, Counter, OrderedDict, defaultdict,
    deque, lambda: range(0), lambda: (i for i in ()),
)


class Evidence:
    """Of one thing."""

    def __init__(self, is_object=False):
        self.is_object = is_object
        # What makes plain data of the kinds that it can still be of; and whether it can be of those without a sample.
        self.kinds, self.can_be_other = SAMPLES, True
        # The lines on which it meets plain data.
        self.compared = set()

    def be_object(self):
        self.is_object = True

    def asked(self, name):
        """It is asked for an attribute."""
        self.narrow(lambda make: hasattr(make(), name), name in OTHER)

    def called(self, name, args, kwargs):
        """A method of it is called."""
        self.narrow(lambda make: takes(getattr(make(), name), args, kwargs), True)

    def narrow(self, fits, can_be_other):
        self.kinds = [make for make in self.kinds if fits(make)]
        self.can_be_other &= can_be_other
        self.is_object |= not self.kinds and not self.can_be_other


def takes(method, args, kwargs):
    """Whether a method of plain data can be called with these arguments."""
    try:
        method(*args, **kwargs)
    except TypeError:
        return False
    except Exception:
        pass
    return True
