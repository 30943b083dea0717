"""Copies and pickles of what stands in the test code for things of the candidate's: it makes them of its own things."""

import copy

# What came out of the candidate's pickles, by what those of the test code hold of it.
PICKLED = []


class Copied:
    """What is copied, and goes through a pickle, in the candidate's box."""

    __slots__ = ()

    def __copy__(self):
        return self._remote_link.operate("copy", self._remote_chain, self)

    def __deepcopy__(self, _):
        return self._remote_link.operate("deepcopy", self._remote_chain, self)

    def __reduce_ex__(self, _):
        """What comes out of a pickle is a copy, another one each time."""
        PICKLED.append(self._remote_link.operate("pickled", self._remote_chain, self))
        return copied, (len(PICKLED) - 1,)


def copied(place):
    return copy.deepcopy(PICKLED[place])
