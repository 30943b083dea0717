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


def names_used(code):
    """The names that a code object and all within it look up beyond their own locals."""
    return {name for part in all_parts(code) for name in part.co_names}
