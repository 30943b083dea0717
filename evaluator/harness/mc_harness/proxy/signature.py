"""Signatures of the candidate's functions, as they cross."""

import inspect
from contextlib import suppress

from ..decoding import decode
from ..encoding import Refused

EMPTY = inspect.Parameter.empty


def write(function, encode):
    """Name and kind of each parameter, with default and annotation where those can cross, and what is given back."""
    signature, described = inspect.signature(function), []
    for parameter in signature.parameters.values():
        default = [] if parameter.default is EMPTY else [encode(parameter.default)]
        described.append([parameter.name, int(parameter.kind), default, annotation(parameter.annotation, encode)])
    return [described, annotation(signature.return_annotation, encode)]


def annotation(value, encode):
    """As a list of it, which is empty if there is none."""
    with suppress(Refused):
        return [] if value is EMPTY else [encode(value)]
    return []


def read(signature):
    described, returned = signature
    kinds = list(inspect._ParameterKind)
    parameters = [
        inspect.Parameter(name, kinds[kind], default=value_of(default), annotation=value_of(annotated))
        for name, kind, default, annotated in described
    ]
    return inspect.Signature(parameters, return_annotation=value_of(returned))


def value_of(one):
    return decode(one[0]) if one else EMPTY
