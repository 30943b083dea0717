"""Functions that are called once."""

from .. import call
from . import USUAL_SCRIPT, preparing

USUAL_CALL = b'{"entry": "call", "name": "Solution.add", "prelude": "leetcode"}\n' + call.USUAL, call.USUAL_INPUT
REHEARSALS = [USUAL_SCRIPT, USUAL_CALL]

prepare = preparing(call=call.Call)
