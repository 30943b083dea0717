"""The arguments of a call as they cross back once it is over."""

import copy

from ...encoding import LiveObject
from ..wire.arguments import COPIED
from ..wire.channel import Between, is_iterator

# As it crosses, what stands for something in an argument that cannot.
LOST = {"lost": None}


class After(Between):
    """What an argument holds after the call. Of what was `handed` over as no plain data its number tells; and nothing
    is taken out of an iterator, which may go on in what the call gave."""

    def __init__(self, handed, begun):
        super().__init__(begun=begun)
        self.handed = handed

    def other(self, value, kind, depth):
        if id(value) in self.handed:
            return {"mine": self.handed[id(value)][0]}
        if kind in COPIED:
            value = copy.copy(value)
        elif is_iterator(kind):
            return LOST
        try:
            return super().other(value, kind, depth)
        except LiveObject:
            return LOST
