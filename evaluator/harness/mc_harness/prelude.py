"""Names that a solution in LeetCode's style may use without importing them.

They are given only to a program that would otherwise find them undefined, and never in place of a builtin.
"""

import builtins
import importlib
import types

from .names import names_used
from .nodes import NODES

EXPECTED = {
    "typing": "Any Callable ClassVar DefaultDict Deque Dict FrozenSet Generator Generic Iterable Iterator List Literal "
    "Mapping MutableMapping NamedTuple NoReturn Optional Protocol Sequence Set Tuple Type TypeVar Union cast",
    "collections": "ChainMap Counter OrderedDict UserDict UserList UserString defaultdict deque namedtuple",
    "math": "acos acosh asin asinh atan atan2 atanh ceil comb copysign cos cosh degrees dist e erf erfc exp expm1 fabs "
    "factorial floor fmod frexp fsum gamma gcd hypot inf isclose isfinite isinf isnan isqrt lcm ldexp lgamma log log10 "
    "log1p log2 modf nan perm pi prod radians remainder sin sinh sqrt tan tanh tau trunc",
    "heapq": "heapify heappop heappush heappushpop heapreplace merge nlargest nsmallest",
    "bisect": "bisect_left bisect_right insort insort_left insort_right",
    "itertools": "accumulate chain combinations combinations_with_replacement compress count cycle dropwhile "
    "filterfalse groupby islice pairwise permutations product repeat starmap takewhile tee zip_longest",
    "functools": "cache cached_property cmp_to_key lru_cache partial reduce singledispatch total_ordering wraps",
    "operator": "add and_ attrgetter concat eq floordiv ge gt itemgetter iadd iand imul ior isub itruediv ixor le "
    "lshift lt methodcaller mod mul ne neg not_ or_ pow_ rshift sub truediv xor",
    "string": "ascii_letters ascii_lowercase ascii_uppercase digits hexdigits octdigits punctuation whitespace",
    "copy": "deepcopy",
    "random": "choice choices randint randrange sample shuffle uniform",
    "datetime": "date timedelta",
    "decimal": "Decimal getcontext",
    "fractions": "Fraction",
    "dataclasses": "dataclass field",
    "enum": "Enum IntEnum",
    "re": "",
    "abc": "ABC abstractmethod",
    "sortedcontainers": "SortedDict SortedList SortedSet",
}
MODULES = set(EXPECTED) | {"sys", "os", "time", "statistics", "cmath", "array", "json", "numpy", "queue", "threading"}
ALIASES = {"np": "numpy"}
ORIGIN = {name: module for module, names in EXPECTED.items() for name in names.split()}

MISSING = object()


class ModuleAndMember(types.ModuleType):
    """`bisect` and `datetime`, which solutions use both as a module and as its member of that name."""

    def __init__(self, name):
        super().__init__(name)
        module = importlib.import_module(name)
        self.__dict__.update(module.__dict__)
        self.__dict__["_member"] = getattr(module, name)

    def __call__(self, *args, **kwargs):
        return self._member(*args, **kwargs)

    def __getattr__(self, name):
        return getattr(self.__dict__["_member"], name)


def lookup(name):
    """What an expected name stands for, or MISSING."""
    if name in NODES:
        return NODES[name]
    try:
        if name in ("bisect", "datetime"):
            return ModuleAndMember(name)
        if name in ORIGIN:
            return getattr(importlib.import_module(ORIGIN[name]), name)
        if name in ALIASES:
            return importlib.import_module(ALIASES[name])
        if name in MODULES:
            return importlib.import_module(name)
    except (ImportError, AttributeError):
        pass
    return MISSING


def provide(code, namespace, own, find):
    """Give `namespace` the names that `code` uses, `find` has, and neither builtins nor it itself; what was given.

    `own` is the name that is going to be called: the program has to define that itself.
    """
    given = {}
    for name in names_used(code) - {own} if find else ():
        if name not in namespace and not hasattr(builtins, name):
            value = find(name)
            if value is not MISSING:
                namespace[name] = value
                given[name] = value
    return given
