"""Signatures and annotations of functions, as they cross."""

import inspect
import types
from contextlib import suppress

from ...decoding import decode
from ...encoding import Refused
from .annotations import Described, is_annotation, names_in, texts_in

EMPTY = inspect.Parameter.empty


def signature_of(function, encode, encode_annotation=None):
    """Name and kind of each parameter, with default and annotation where those can cross, and what is given back."""
    return write_signature(inspect.signature(function), encode, encode_annotation or encode)


def write_signature(signature, encode, encode_annotation):
    described = []
    for parameter in signature.parameters.values():
        default = [] if parameter.default is EMPTY else [encode(parameter.default)]
        annotated = annotation(parameter.annotation, encode_annotation)
        described.append([parameter.name, int(parameter.kind), default, annotated])
    return [described, annotation(signature.return_annotation, encode_annotation)]


def annotation(value, encode):
    """As a list of it, which is empty if there is none."""
    with suppress(Refused):
        return [] if value is EMPTY else [encode(value)]
    return []


def fields_of(kind, encode):
    """The fields of a data class: the name of each, with its annotation, its default and what makes that, as far as
    these can cross; None of any other class."""
    if not hasattr(kind, "__dataclass_fields__"):
        return None
    import dataclasses

    def told(value):
        return annotation(EMPTY if value is dataclasses.MISSING else value, encode)

    return [
        [field.name, annotation(field.type, lambda part: encode(Described(part))), *map(told, made_by(field))]
        for field in dataclasses.fields(kind)
    ]


def made_by(field):
    return field.default, field.default_factory


def field_of(told):
    """What a data class says of an attribute."""
    import dataclasses

    name, *known = told
    kind, default, factory = map(value_of, known)
    given = {"default": default, "default_factory": factory}
    field = dataclasses.field(**{name: value for name, value in given.items() if value is not EMPTY})
    field.name, field.type, field._field_type = name, object if kind is EMPTY else kind, dataclasses._FIELD
    return field


def annotations(thing, known, encode):
    """Those of a function or class of the test code's, by name, and what the names in those stand for that are texts:
    of what is `known` where it is defined the classes, the modules and what may be an annotation itself."""
    own = getattr(thing, "__annotations__", None) or {}
    names = {name for value in own.values() for text in texts_in(value) for name in names_in(text)}
    used = {name: known[name] for name in sorted(names & known.keys()) if may_be_named(known[name])}
    return [[[name, *annotation(value, encode)] for name, value in held.items()] for held in (own, used)]


def may_be_named(value):
    return isinstance(value, (type, types.ModuleType)) or is_annotation(value)


def read_annotations(told):
    """The same on the candidate's side, without those that could not cross."""
    return [{pair[0]: decode(pair[1]) for pair in held if len(pair) == 2} for held in told]


def defaults(signature):
    """The values of `__defaults__` and `__kwdefaults__`."""
    given = [parameter for parameter in signature.parameters.values() if parameter.default is not EMPTY]
    named = {parameter.name: parameter.default for parameter in given if parameter.kind is parameter.KEYWORD_ONLY}
    others = tuple(parameter.default for parameter in given if parameter.kind is not parameter.KEYWORD_ONLY)
    return others or None, named or None


def read_signature(signature):
    described, returned = signature
    kinds = list(inspect._ParameterKind)
    parameters = [
        inspect.Parameter(name, kinds[kind], default=value_of(default), annotation=value_of(annotated))
        for name, kind, default, annotated in described
    ]
    return inspect.Signature(parameters, return_annotation=value_of(returned))


def value_of(one):
    return decode(one[0]) if one else EMPTY
