"""The evaluator's side inside a box: how a submission and its test code are entered.

The text of a program is a line of JSON, `{"entry": ..., "name": ...}`, and the source. A `script` is run; a `call`'s
function `name` is called once; a `candidate` answers what the `test_code` in another box asks of it.
"""

from json import loads

from mc_sandbox import script

from . import call
from .call import Call
from .proxy.server import Candidate
from .proxy.test_code import TestCode

REHEARSALS = [
    (b'{"entry": "script", "name": ""}\n' + script.USUAL, script.USUAL_INPUT),
    (b'{"entry": "call", "name": "Solution.add"}\n' + call.USUAL, call.USUAL_INPUT),
]

ENTRIES = {"call": Call, "candidate": Candidate, "test_code": TestCode}


def prepare(text):
    """The entry of a program that is sent as the module says."""
    header, _, source = text.partition(b"\n")
    header = loads(header)
    if header["entry"] == "script":
        return script.Script(source)
    return ENTRIES[header["entry"]](source, header["name"])
