"""What the test code's box tells of its end, and how it ends before the test code does."""

import os
from json import dumps

from ...call import RESULT, write_all

# What it is signed with, so that nothing else that is written into the file counts.
_key = ""


def sign_with(key):
    """Sign with this key, which the judge alone knows besides, from now on."""
    global _key
    _key = key


def conclude(**conclusion):
    """Tell the judge what the test code came to."""
    write_all(RESULT, dumps({**conclusion, "key": _key}).encode())


def leave(kind, reason, **more):
    """End the judgement, past all that the test code excepts. It `waited` so many seconds for the candidate. The kinds:

    `candidate`: the candidate left before the test code did, or gave back what cannot be judged.
    `failed`: what it gave back is not the right answer.
    `live`: it gave back an object that stays with it where, as far as is known, plain data is wanted; `chain` says
    where that came from. Whether the test code wants an object there is for a dry run to find.
    `unshieldable`: something crosses that is not plain data, `at` this line; if it `meets` plain data, that is one of
    the candidate's objects, and whether the test code uses what it has there as an object is for a dry run to find.
    """
    conclude(**{kind: reason, **more})
    os._exit(1)
