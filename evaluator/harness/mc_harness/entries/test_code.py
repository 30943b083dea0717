"""Test code that asks a program in another box."""

from ..proxy.test_code.script import TestCode
from ..proxy.wire.channel import DESCRIPTOR
from . import USUAL_SCRIPT, preparing

USUAL = b"""{"entry": "test_code", "name": "total", "prelude": "none"}
assert total([1, 2, 3], {"a": 1}) == [6, 1]
"""
# It is written over by the request that this answers: the rest stands behind it, after blanks.
USUAL_REPLY = b" " * 4096 + b'''\
{"value": [6, 1], "arguments": [[[1, 2, 3], {"dict": [["a", 1]]}], {"dict": []}]}
'''
USUAL_TEST_CODE = USUAL, {DESCRIPTOR: USUAL_REPLY}
REHEARSALS = [USUAL_SCRIPT, USUAL_TEST_CODE]

prepare = preparing(test_code=TestCode)
