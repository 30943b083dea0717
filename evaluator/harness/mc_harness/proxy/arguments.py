"""What the candidate did to the arguments of a call, done to the test code's own."""

from collections import deque

from .channel import MUTABLE


def update(mine, theirs):
    """Do to a mutable argument, and to what it holds, what the candidate did to its copy."""
    if type(mine) is not type(theirs) or type(mine) not in MUTABLE:
        return theirs
    if isinstance(mine, list):
        kept = len(mine)
        mine[:] = [update(mine[at], value) if at < kept else value for at, value in enumerate(theirs)]
    elif isinstance(mine, bytearray):
        mine[:] = theirs
    elif isinstance(mine, dict):
        changed = [(key, update(mine[key], value) if key in mine else value) for key, value in theirs.items()]
        mine.clear()
        mine.update(dict(changed))
    elif isinstance(mine, deque):
        mine.clear()
        mine.extend(theirs)
    else:
        mine.clear()
        mine.update(theirs)
    return mine
