"""Which names a code object uses, read off it before it runs."""

import types


def parts(code):
    """The code objects of the functions and classes that a code object makes."""
    return [constant for constant in code.co_consts if isinstance(constant, types.CodeType)]


def all_parts(code):
    """A code object and all within it."""
    yield code
    for part in parts(code):
        yield from all_parts(part)


def texts_used(code):
    """The texts that a code object and all within it have as constants, those in tuples left out."""
    return [text for part in all_parts(code) for text in part.co_consts if type(text) is str]


def names_used(code):
    """The names that a code object and all within it look up beyond their own locals."""
    return {name for part in all_parts(code) for name in part.co_names}


def called(node):
    """The name of what is called, if something is."""
    function = getattr(node, "func", None)
    return getattr(function, "attr", getattr(function, "id", None))
