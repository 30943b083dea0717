"""How the test code's box ends before the test code does."""

import os
from json import dumps

from ..call import RESULT, write_all


def leave(kind, reason, **more):
    """End the judgement, past all that the test code excepts. It `waited` so many seconds for the candidate. The kinds:

    `candidate`: the candidate left before the test code did, or gave back what cannot be judged.
    `failed`: what it gave back is not the right answer.
    `live`: it gave back an object that stays with it where, as far as is known, plain data is wanted; `chain` says
    where that came from. Whether the test code wants an object there is for a dry run to find.
    `unshieldable`: something crosses that is not plain data, `at` this line; if it `meets` plain data, that is one of
    the candidate's objects, and whether the test code uses what it has there as an object is for a dry run to find.
    """
    write_all(RESULT, dumps({kind: reason, **more}).encode())
    os._exit(1)
