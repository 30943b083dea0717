"""Signatures of the candidate's functions, as they cross."""

import inspect

from ..decoding import decode

EMPTY = inspect.Parameter.empty


def write(function, encode):
    """Name and kind of each parameter, with its default where that is plain data."""
    described = []
    for parameter in inspect.signature(function).parameters.values():
        default = [] if parameter.default is EMPTY else [encode(parameter.default)]
        described.append([parameter.name, int(parameter.kind), default])
    return described


def read(described):
    kinds = list(inspect._ParameterKind)
    parameters = [
        inspect.Parameter(name, kinds[kind], default=decode(default[0]) if default else EMPTY)
        for name, kind, default in described
    ]
    return inspect.Signature(parameters)
