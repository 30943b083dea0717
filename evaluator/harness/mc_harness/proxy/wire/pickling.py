"""Pickles of what stands in the test code for things of the candidate's, which makes them of its own things itself."""

import copy

# What came out of the candidate's pickles, by what those of the test code hold of it.
PICKLED = []


def reduced(stand_in):
    """What a pickle holds of a stand-in. What comes out of it is a copy, another one each time."""
    PICKLED.append(stand_in._remote_link.operate("pickled", stand_in._remote_chain, stand_in))
    return copied, (len(PICKLED) - 1,)


def copied(place):
    return copy.deepcopy(PICKLED[place])
