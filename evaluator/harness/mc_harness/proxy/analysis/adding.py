"""Whether a sum is one in place, `xs += value`: a list takes in all that it is given then, whatever that is."""

import dis
from collections import deque

TAKING_IN = (list, deque)
# The operator's number in the interpreter's own table, where one instruction has all operators; and that which has it
# in others.
IN_PLACE_ADD = 13
INPLACE_ADD = "INPLACE_ADD"


def takes_in(held, frame):
    """Whether what a frame adds something to takes in what that gives."""
    return type(held) in TAKING_IN and adds_in_place(frame)


def adds_in_place(frame):
    operator, number = frame.f_code.co_code[frame.f_lasti:][:2]
    name = dis.opname[operator]
    return name == INPLACE_ADD or name == "BINARY_OP" and number == IN_PLACE_ADD
