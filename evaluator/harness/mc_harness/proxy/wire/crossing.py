"""Values of standard classes as they cross between test code and candidate: by class, and what makes an equal one.

The classes are looked for among the modules that are imported: a value whose module is not is of none of them.
"""

import importlib
import sys
from collections import OrderedDict

from ...encoding import LiveObject

# `re.UNICODE`, for which `re` need not be at hand.
UNICODE = 32
# The builtin classes that may stand for themselves. None of them ends or runs anything when it is called.
TYPES = {kind.__name__: kind for kind in (
    bool, int, float, complex, str, bytes, bytearray, list, tuple, dict, set, frozenset, range, object, type(None),
)}


def fraction_parts(value):
    return [hex(value.numerator), hex(value.denominator)]


def date_parts(value):
    return [value.year, value.month, value.day]


def time_parts(value):
    return [value.hour, value.minute, value.second, value.microsecond, offset_of(value), value.fold]


def offset_of(value):
    offset = value.utcoffset()
    return None if offset is None else [offset.days, offset.seconds, offset.microseconds]


def timedelta_parts(value):
    return [value.days, value.seconds, value.microseconds]


def made_fraction(kind, parts):
    return kind(*(int(part, 16) for part in parts))


def made(kind, parts):
    return kind(*parts)


def made_of(kind, held):
    return kind(held)


def as_text(value):
    return [str(value)]


def pattern_parts(value):
    """Without the flag that a text has anyway: what is compiled as it was is one object with that."""
    is_text = isinstance(value.pattern, str)
    return [is_text, value.pattern if is_text else value.pattern.hex(), value.flags & ~(UNICODE if is_text else 0)]


def compiled(_, parts):
    is_text, pattern, flags = parts
    return importlib.import_module("re").compile(pattern if is_text else bytes.fromhex(pattern), flags)


def texts(value):
    if not all(type(part) is str for part in tuple.__iter__(value)):
        raise LiveObject("a live object of type %s" % type(value).__name__)
    return list(value)


def made_zone(kind, parts):
    return kind(importlib.import_module("datetime").timedelta(*parts))


def zoned(kind, parts):
    *fields, offset, fold = parts
    datetime = importlib.import_module("datetime")
    zone = None if offset is None else datetime.timezone(datetime.timedelta(*offset))
    return kind(*fields, tzinfo=zone, fold=fold)


# By module and name: what tells a value, and what makes one of that.
STANDARD = {
    ("fractions", "Fraction"): (fraction_parts, made_fraction),
    ("decimal", "Decimal"): (as_text, made),
    ("datetime", "date"): (date_parts, made),
    ("datetime", "datetime"): (lambda value: date_parts(value) + time_parts(value), zoned),
    ("datetime", "time"): (time_parts, zoned),
    ("datetime", "timedelta"): (timedelta_parts, made),
    ("datetime", "timezone"): (lambda value: timedelta_parts(value.utcoffset(None)), made_zone),
    ("array", "array"): (lambda value: [value.typecode, value.tolist()], made),
    ("pathlib", "PosixPath"): (as_text, made),
    ("pathlib", "PurePosixPath"): (as_text, made),
    ("uuid", "UUID"): (as_text, made),
    ("ipaddress", "IPv4Address"): (as_text, made),
    ("ipaddress", "IPv6Address"): (as_text, made),
    ("ipaddress", "IPv4Network"): (as_text, made),
    ("ipaddress", "IPv6Network"): (as_text, made),
    ("re", "Pattern"): (pattern_parts, compiled),
    ("time", "struct_time"): (lambda value: [*value, value.tm_zone, value.tm_gmtoff], made_of),
    ("urllib.parse", "ParseResult"): (texts, made),
    ("urllib.parse", "SplitResult"): (texts, made),
    ("zoneinfo", "ZoneInfo"): (lambda value: [value.key], made),
}
# The views of dictionaries, by what they show.
VIEWS = {type(view()): name for holder in (dict, OrderedDict) for name, view in (
    ("keys", holder().keys), ("values", holder().values), ("items", holder().items),
)}
# By name, the classes that do no more than hold a value: their module, what a value of theirs holds, and what makes one
# of that.
HOLDERS = {
    "ChainMap": ("collections", lambda value: value.maps, lambda kind, maps: kind(*maps)),
    "UserDict": ("collections", lambda value: value.data, made_of),
    "UserList": ("collections", lambda value: value.data, made_of),
    "UserString": ("collections", lambda value: value.data, made_of),
    "MappingProxyType": ("types", dict, made_of),
    "memoryview": ("builtins", lambda value: value.obj, made_of),
}
BY_NAME = {name: (module, parts_of, make) for (module, name), (parts_of, make) in STANDARD.items()}


def standard(value, kind):
    """A value of a standard class as it crosses; None if it is of none."""
    if kind is bytearray:
        return {"bytearray": value.hex()}
    if kind is memoryview and value.readonly and shows_bytes(value):
        return {"memoryview": value.hex()}
    if value is Ellipsis:
        return {"ellipsis": None}
    if value is NotImplemented:
        return {"not_implemented": None}
    if kind is type and TYPES.get(value.__name__) is value:
        return {"type": value.__name__}
    name = kind.__name__
    if name not in BY_NAME:
        return None
    module, parts_of, _ = BY_NAME[name]
    if getattr(sys.modules.get(module), name, None) is not kind:
        return None
    return {"standard": [name, parts_of(value)]}


def shows_bytes(view):
    return view.format == "B" and view.ndim == 1 and view.contiguous


def bytes_shown_by(view):
    """The array of bytes that a view shows the whole of, and lets be changed; None if it does not."""
    shown = view.obj
    is_whole = type(shown) is bytearray and shows_bytes(view) and len(view) == len(shown)
    return shown if is_whole and not view.readonly else None


def holder_of(value, kind):
    """The name of a class that holds a value; None if it is none."""
    if kind is memoryview and bytes_shown_by(value) is None:
        return None
    for name, (module, *_) in HOLDERS.items():
        if getattr(sys.modules.get(module), name, None) is kind:
            return name
    return None


def decode_standard(spec):
    name, parts = spec
    module, _, make = BY_NAME[name]
    return make(getattr(importlib.import_module(module), name), parts)


def made_holder(name, held):
    module, _, make = HOLDERS[name]
    return make(getattr(importlib.import_module(module), name), held)
