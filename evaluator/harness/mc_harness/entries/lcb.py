"""Programs with all their tests in one process, as LiveCodeBench has it."""

from ..lcb import Graded
from . import USUAL_SCRIPT, preparing

REHEARSALS = [USUAL_SCRIPT]

prepare = preparing(lcb=Graded)
