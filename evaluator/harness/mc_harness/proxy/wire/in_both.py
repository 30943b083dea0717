"""What both sides have of the standard library crosses by its name: members of enumerations, classes of values, and
functions that do no more than compute."""

import importlib
import sys

from .crossing import BY_NAME

# The modules whose enumerations cross.
ENUMERATING = frozenset("http inspect plistlib pstats re signal socket ssl uuid".split())
CLASSES = {name: module for name, (module, *_) in BY_NAME.items()} | dict.fromkeys(
    "ChainMap Counter OrderedDict UserDict UserList UserString defaultdict deque".split(), "collections"
) | {"Row": "sqlite3"}
# By their modules. None of these changes what it is given, or does anything else than to tell what comes of that.
FUNCTIONS = {module: frozenset(names.split()) for module, names in {
    "_functools": "reduce",
    "_operator": """
        abs add and_ concat contains countOf eq floordiv ge getitem gt index indexOf inv invert is_ is_not le lshift lt
        matmul mod mul ne neg not_ or_ pos pow rshift sub truediv truth xor
    """,
    "builtins": """
        abs all any ascii bin callable chr divmod format hash hex len max min oct ord pow repr round sorted sum
    """,
    "json": "dumps loads",
    "math": """
        acos acosh asin asinh atan atan2 atanh ceil comb copysign cos cosh degrees dist erf erfc exp expm1 fabs
        factorial floor fmod frexp fsum gamma gcd hypot isclose isfinite isinf isnan isqrt lcm ldexp lgamma log log10
        log1p log2 modf perm pow prod radians remainder sin sinh sqrt tan tanh trunc
    """,
    "statistics": """
        fmean geometric_mean harmonic_mean mean median mode multimode pstdev pvariance quantiles stdev variance
    """,
}.items()}
# The classes of all these.
NAMED = type, type(len), type(importlib.import_module)


def in_both(value, kind, encode):
    """Such a thing as it crosses, `encode` telling the value of a member; None if it is none."""
    if is_in_both(value):
        return {"in_both": [home_of(value), value.__name__]}
    if kind.__module__ in ENUMERATING and is_enumeration(kind) and kind is in_module(kind.__module__, kind.__name__):
        return {"member": [kind.__module__, kind.__name__, encode(value.value)]}
    return None


def is_in_both(value):
    """Whether it is such a function or class."""
    return type(value) in NAMED and in_module(home_of(value), value.__name__) is value


def home_of(value):
    """The module that has a function or class, if it is one of those that cross."""
    if type(value) is type:
        return CLASSES.get(value.__name__)
    return value.__module__ if is_function(value.__module__, value.__name__) else None


def is_function(module, name):
    return type(module) is str and name in FUNCTIONS.get(module, ())


def is_enumeration(kind):
    return type(kind).__module__ == "enum"


def in_module(module, name):
    return getattr(sys.modules.get(module), name, None)


def read(name):
    module, name = name
    if not is_function(module, name) and CLASSES.get(name) != module:
        raise LookupError
    return getattr(importlib.import_module(module), name)


def read_member(spec, decode):
    module, name, value = spec
    kind = getattr(importlib.import_module(module), name) if module in ENUMERATING else None
    if not is_enumeration(kind):
        raise LookupError
    return kind(decode(value))
