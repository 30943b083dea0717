"""Scripts, and nothing else: what most programs are, on the smallest interpreter."""

from . import USUAL_SCRIPT, preparing

REHEARSALS = [USUAL_SCRIPT]

prepare = preparing()
