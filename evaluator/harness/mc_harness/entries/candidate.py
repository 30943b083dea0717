"""Programs that test code in another box asks."""

from ..proxy.server import Candidate
from . import USUAL_SCRIPT, preparing

REHEARSALS = [USUAL_SCRIPT]

prepare = preparing(candidate=Candidate)
