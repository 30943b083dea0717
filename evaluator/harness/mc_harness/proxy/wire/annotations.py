"""Annotations as they cross: the builtin classes, and what `typing` makes of them, by how they are written. Those of
the test code's that are made of other classes are made again of these."""

import ast
import functools
import importlib
import operator
import types

from ...decoding import decode
from .crossing import TYPES

# Before Python 3.10 there are no unions of classes.
ALIASES = types.GenericAlias, getattr(types, "UnionType", types.GenericAlias)
WRITTEN_BY = ("typing", "types", "collections.abc")
# What stands for the name under which `X | Y` could be subscripted.
UNION = "|"


class Described:
    """Something of the test code's as it crosses within what tells of another thing: it is no part of the arguments."""

    def __init__(self, value):
        self.value = value


def written(value):
    """How an annotation is written, if it can be read again; None for anything else."""
    if not is_annotation(value):
        return None
    text = repr(value)
    try:
        return text if read(text) == value else None
    except (AttributeError, LookupError, TypeError, ValueError):
        return None


def is_annotation(value):
    return type(value).__module__ == "typing" or isinstance(value, ALIASES)


def made_of(value):
    """What is subscripted to make an annotation, as that is written, and by what; None if it is of no such kind."""
    if not is_annotation(value) or not getattr(value, "__args__", None):
        return None
    typing = importlib.import_module("typing")
    parts = [getattr(part, "__forward_arg__", part) for part in typing.get_args(value)]
    if type(value) is not types.GenericAlias and isinstance(value, ALIASES):
        return UNION, parts
    return "typing.Union" if typing.get_origin(value) is typing.Union else repr(value).partition("[")[0], parts


def make(spec):
    """The same on the candidate's side, where its parts are what they are there."""
    head, parts = spec[0], decode(spec[1])
    if head == UNION:
        return functools.reduce(operator.or_, parts)
    return meant(ast.parse(head, mode="eval").body)[tuple(parts)]


def texts_in(value):
    """The annotations that are texts among those that one is made of."""
    if type(value) is str:
        yield value
    elif hasattr(value, "__forward_arg__"):
        yield value.__forward_arg__
    elif is_annotation(value):
        for part in getattr(value, "__args__", ()):
            yield from texts_in(part)


def names_in(text):
    """The names that an annotation uses which is a text."""
    try:
        return {node.id for node in ast.walk(ast.parse(text, mode="eval")) if isinstance(node, ast.Name)}
    except SyntaxError:
        return set()


def read(text):
    """What is written so. It may come from the candidate: no more than an annotation comes of it, and least of all what
    the modules that have annotations need for themselves."""
    try:
        value = meant(ast.parse(text, mode="eval").body)
    except (SyntaxError, MemoryError):
        raise ValueError(text) from None
    if not is_annotation(value):
        raise ValueError(text)
    return value


def meant(node):
    """What an expression of an annotation stands for; a TypeError if it can be none."""
    if isinstance(node, ast.Constant) and node.value in (None, ...):
        return node.value
    if isinstance(node, ast.Name):
        return type(None) if node.id == "NoneType" else TYPES[node.id]
    if isinstance(node, ast.Attribute):
        module = ast.unparse(node.value)
        if module not in WRITTEN_BY or node.attr.startswith("_"):
            raise TypeError
        value = getattr(importlib.import_module(module), node.attr)
        if not is_annotation(value) and not isinstance(value, type):
            raise TypeError
        return value
    if isinstance(node, ast.Subscript):
        return meant(node.value)[meant(node.slice)]
    if isinstance(node, (ast.List, ast.Tuple)):
        return (list if isinstance(node, ast.List) else tuple)(map(meant, node.elts))
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return meant(node.left) | meant(node.right)
    raise TypeError
