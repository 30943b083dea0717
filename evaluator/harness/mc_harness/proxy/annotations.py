"""Annotations as they cross: the builtin classes, and what `typing` makes of them, by how they are written."""

import ast
import importlib
import types

from .crossing import TYPES

# Before Python 3.10 there are no unions of classes.
ALIASES = types.GenericAlias, getattr(types, "UnionType", types.GenericAlias)
WRITTEN_BY = ("typing", "types", "collections.abc")


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
