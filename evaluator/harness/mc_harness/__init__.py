"""The evaluator's side inside a box: how a submission and its test code are entered.

The text of a program is a line of JSON, `{"entry": ..., "name": ..., "prelude": ...}`, and the source. A `script` is
run; a `call`'s function `name` is called once; a `candidate` answers what the `test_code` in another box asks of it.
An `lcb` is all of these in LiveCodeBench's way.
The `prelude` says what a program may use without importing it.
Test code has `options` too.
"""

from json import loads

from mc_sandbox import script

from . import call
from .call import Call
from .lcb import Graded
from .lent import PRELUDES
from .prelude import provide
from .proxy.server import Candidate
from .proxy.test_code import TestCode

REHEARSALS = [
    (b'{"entry": "script", "name": "", "prelude": "none"}\n' + script.USUAL, script.USUAL_INPUT),
    (b'{"entry": "call", "name": "Solution.add", "prelude": "leetcode"}\n' + call.USUAL, call.USUAL_INPUT),
]

ENTRIES = {
    "script": lambda source, _: script.Script(source),
    "call": Call,
    "candidate": Candidate,
    "test_code": TestCode,
    "lcb": Graded,
}


def prepare(text):
    """The entry of a program that is sent as the module says."""
    header, _, source = text.partition(b"\n")
    header = loads(header)
    name = header["name"]
    entry = ENTRIES[header["entry"]](source, name, **header.get("options", {}))
    entry.given = provide(entry.code, entry.namespace, name.partition(".")[0], PRELUDES[header["prelude"]])
    return entry
