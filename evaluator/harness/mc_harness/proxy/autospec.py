"""What `unittest.mock` makes after the candidate's functions: it looks at a function's code, which stays there, so
it is given one that has the same signature and name."""

import functools
import types

from .chains import computed
from .remote import Remote


def follow_functions():
    """Have what the library makes after a function of the candidate's made after such a one."""
    from unittest import mock

    make = mock.create_autospec

    @functools.wraps(make)
    def following(spec, *args, **kwargs):
        return make(likeness(spec) if is_function(spec) else spec, *args, **kwargs)

    mock.create_autospec = following


def is_function(value):
    return issubclass(type(value), Remote) and value.__class__ is types.FunctionType


def likeness(function):
    """A function that looks like one of the candidate's, and is never called."""
    if function._remote_link.operate("iscoroutinefunction", computed(function._remote_chain), function):

        async def like(*args, **kwargs):
            """In its place."""
    else:

        def like(*args, **kwargs):
            """In its place."""

    like.__name__, like.__signature__ = function.__name__, function.__signature__
    return like
