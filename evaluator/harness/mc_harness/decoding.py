"""Plain data from JSON, on its way into a box."""

import importlib
import sys
from collections import deque
from contextlib import suppress
from math import nan

from .nodes import list_node, tree_node


def decode(plain):
    kind = type(plain)
    if kind is list:
        return [decode(value) for value in plain]
    if kind is dict:
        ((name, value),) = plain.items()
        return DECODERS[name](value)
    return plain


def decode_dict(pairs):
    return {decode(key): decode(value) for key, value in pairs}


def real(text):
    """The one that Python has under its name where it is no number, for lists are equal if they hold the same one."""
    return nan if text == "nan" else float(text)


def decode_array(spec):
    """An array where numpy is at hand; else its items as a list."""
    dtype, items = spec
    numpy = sys.modules.get("numpy")
    return decode(items) if numpy is None else numpy.array(decode(items), dtype=dtype)


def decode_real_array(spec):
    """An array, for which numpy is imported."""
    with suppress(ImportError):
        importlib.import_module("numpy")
    return decode_array(spec)


# By the one key of an object that stands for a value of another type than JSON has.
DECODERS = {
    "tuple": lambda items: tuple(map(decode, items)),
    "set": lambda items: set(map(decode, items)),
    "frozenset": lambda items: frozenset(map(decode, items)),
    "dict": decode_dict,
    "int": lambda digits: int(digits, 16),
    "float": real,
    "complex": lambda parts: complex(*map(float, parts)),
    "bytes": bytes.fromhex,
    "range": lambda bounds: range(*(int(bound, 16) for bound in bounds)),
    "deque": lambda items: deque(map(decode, items)),
    "iterator": lambda items: iter([decode(item) for item in items]),
    "ndarray": decode_array,
    "ListNode": lambda values: list_node(decode(values)),
    "TreeNode": lambda values: tree_node(decode(values)),
}
