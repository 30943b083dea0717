"""Test code that asks a program in another box."""

from ..proxy.test_code import TestCode
from . import USUAL_SCRIPT, preparing

REHEARSALS = [USUAL_SCRIPT]

prepare = preparing(test_code=TestCode)
