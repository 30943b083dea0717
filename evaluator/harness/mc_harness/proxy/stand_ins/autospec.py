"""What `unittest.mock` makes after the candidate's functions and classes: it looks at a function's code and at what is
in a class, which stay there, so it is given such as have the same signatures and names."""

import functools
import inspect
import types
from contextlib import suppress

from ..wire.chains import computed
from ..wire.remote import Remote

# By a class that looks like one of the candidate's, that.
MODELS = {}
OBJECT = inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY)


def follow():
    """Have what the library makes after something of the candidate's made after what looks like it."""
    from unittest import mock

    make, is_async = mock.create_autospec, mock._is_async_obj

    @functools.wraps(make)
    def following(spec, spec_set=False, instance=False, *args, **kwargs):
        return make(likeness(spec, instance), spec_set, instance, *args, **kwargs)

    mock.create_autospec = following
    # A stand-in has all methods that there are, and so could be awaited.
    mock._is_async_obj = lambda value: is_coroutine_function(value) if is_stand_in(value) else is_async(value)


def is_stand_in(value):
    return issubclass(type(value), Remote)


def is_coroutine_function(value):
    return value._remote_link.operate("iscoroutinefunction", computed(value._remote_chain), value)


def likeness(value, is_for_object):
    """What looks like a function of the candidate's, or a class that is called; anything else as it is."""
    if is_stand_in(value):
        if value.__class__ is types.FunctionType:
            return like_function(value)
        if value.__class__ is type and not is_for_object:
            # Where a member or the signature is not to be had, the library does what it can by itself.
            with suppress(AttributeError, TypeError, ValueError):
                return like_class(value)
    return value


def like_function(function):
    """A function that is never called."""
    if is_coroutine_function(function):

        async def like(*args, **kwargs):
            """In its place."""
    else:

        def like(*args, **kwargs):
            """In its place."""

    like.__name__, like.__signature__ = function.__name__, function.__signature__
    return like


def like_class(kind):
    """A class of which no object is ever made."""
    members = {name: member(kind, name) for name in dir(kind) if not name.startswith("__")}
    parameters = inspect.signature(kind).parameters.values()

    def __init__(self, *args, **kwargs):  # noqa: N807
        """In its place."""

    __init__.__signature__ = inspect.Signature([OBJECT, *(one for one in parameters if one.name != OBJECT.name)])
    like = type(kind.__name__, (), {**members, "__init__": __init__})
    MODELS[like] = kind
    return like


def member(kind, name):
    """What such a class has under a name: a method is one by its first parameter."""
    value = getattr(kind, name)
    if not is_stand_in(value):
        return value
    if value.__class__ not in (types.FunctionType, types.MethodType):
        return property(lambda self: None)
    like = like_function(value)
    is_of_object = next(iter(like.__signature__.parameters), None) == OBJECT.name
    return like if is_of_object else staticmethod(like)


def model_of(mock):
    """The class of the candidate's after which a mock was made; None if it was made after none such."""
    model = MODELS.get(mock.__class__, mock.__class__)
    return model if is_stand_in(model) else None


def is_after(mock, kind):
    """Whether a mock was made after a class of the candidate's, or one that derives from it."""
    model = model_of(mock)
    return model is not None and issubclass(model, kind)
