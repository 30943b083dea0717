"""How the test code's box ends before the test code does."""

import os
from json import dumps

from ..call import RESULT, write_all


def leave(kind, reason):
    """End the judgement: "broken" where the test code cannot run; "unshieldable" where something crosses between it and
    the candidate that is not plain data; "candidate" where the candidate left before the test code did, or gave back
    what is not plain data. Were the latter no verdict, a wrong program could choose not to be judged. Test code that
    excepts everything cannot go on after it."""
    write_all(RESULT, dumps({kind: reason}).encode())
    os._exit(1)
