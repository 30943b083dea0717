"""Programs that test code in another box asks."""

from ..proxy.candidate.program import Candidate
from ..proxy.wire.channel import DESCRIPTOR
from . import USUAL_SCRIPT, preparing

USUAL = b"""{"entry": "candidate", "name": "total", "prelude": "none"}
def total(numbers, names):
    return [sum(number for number in numbers), len(names)]
"""
# With nothing behind it, the other side has ended.
USUAL_REQUEST = b'''\
{"op": "call", "of": null, "path": "total", "capture": [], \
"arguments": [[[1, 2, 3], {"dict": [["a", 1]]}], {"dict": []}]}
'''
USUAL_CANDIDATE = USUAL, {DESCRIPTOR: USUAL_REQUEST}
REHEARSALS = [USUAL_SCRIPT, USUAL_CANDIDATE]

prepare = preparing(candidate=Candidate)
