"""The names of the attributes that plain data has."""

from collections import Counter, OrderedDict, defaultdict, deque

NOT_PLAIN = "it gave back a live object where the test code wants plain data"
KINDS = (
    int, float, complex, str, bytes, bytearray, list, tuple, dict, set, frozenset, range, Counter, OrderedDict,
    defaultdict, deque, type(i for i in ()),
)
# Of fractions, decimals, dates and arrays, whose classes need not be at hand.
OTHER_METHODS = """
    limit_denominator is_nan is_infinite is_finite is_signed quantize normalize sqrt
    date time isoformat strftime weekday isoweekday timestamp replace total_seconds
    tolist sum mean std min max all any flatten reshape astype item equals
"""
OTHER_DATA = """
    year month day hour minute second microsecond days seconds microseconds tzinfo shape dtype size ndim T
"""

# An object that has such a method need not be one by the test code's account; nor one that has such a value, but to
# read that can do no harm.
METHODS = frozenset(OTHER_METHODS.split()).union(*map(dir, KINDS)) - {"__dict__", "__doc__", "__name__", "__qualname__"}
OTHER = frozenset(OTHER_METHODS.split() + OTHER_DATA.split())
DATA = frozenset(OTHER_DATA.split()) | {"real", "imag", "numerator", "denominator", "start", "stop", "step", "maxlen"}
# The names of its classes, by which test code asks whether something is of one of them.
NAMES_OF_KINDS = frozenset("""
    NoneType bool Fraction Decimal date datetime time timedelta timezone array UUID PosixPath PurePosixPath UserDict
    UserList UserString ChainMap mappingproxy memoryview type function builtin_function_or_method method coroutine
    dict_keys dict_values dict_items map filter zip enumerate list_iterator ListNode TreeNode ndarray DataFrame Series
    int8 int16 int32 int64 uint8 float16 float32 float64 bool_ str_
""".split()).union(kind.__name__ for kind in KINDS)
# Of all plain data a generator alone can be closed, which stays with the candidate as any object does; and to be closed
# tells it nothing of what is expected.
ENDING = "close"
