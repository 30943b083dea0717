# What crosses between test code and the candidate it tests, each in a box of its own: one line of JSON a request, one a
# reply, on a descriptor that only the two hold. What is not plain data stays where it is and is known by a handle.

CHANNEL = 3
# The longest message of the candidate's that is passed on.
MESSAGE = 2000


def read_line(stream):
    line = stream.readline()
    return json_loads(line) if line.endswith(b"\n") else None


# What a defaultdict may make its values with.
FACTORIES = {factory.__name__: factory for factory in (int, float, str, list, tuple, dict, set)}
BUILTINS = (dict, set, frozenset, list, tuple, str, int, float)
MUTABLE = (
    list, dict, set, bytearray, collections.deque, collections.Counter, collections.OrderedDict, collections.defaultdict,
)


class Between(Encoder):
    """Of what crosses between test code and candidate the classes of `collections` come over as themselves. Of other
    subclasses only the plain value does; where that is not enough, as `exact` has it, they are refused."""

    def __init__(self, exact=False):
        super().__init__()
        self.exact = exact

    def other(self, value, kind, depth):
        if kind is collections.Counter or kind is collections.OrderedDict:
            return {kind.__name__: self.pairs(value, depth)}
        if kind is bytearray:
            return {"bytearray": value.hex()}
        if kind is collections.defaultdict:
            factory = getattr(value.default_factory, "__name__", None)
            if value.default_factory is FACTORIES.get(factory):
                return {"defaultdict": [factory, self.pairs(value, depth)]}
        base, fields = kind.__mro__, getattr(kind, "_fields", None)
        if tuple in base and type(fields) is tuple and len(fields) == tuple.__len__(value):
            values = self.many(tuple.__iter__(value), depth)
            return {"namedtuple": [type_name(value), [str(field) for field in fields], values]}
        derived = kind not in BUILTINS and any(plain in base for plain in BUILTINS)
        if self.exact and derived and kind.__module__ != "numpy":
            raise Refused("a live object of type %s" % type_name(value))
        return super().other(value, kind, depth)

    def pairs(self, value, depth):
        return [[self.encode(k, depth), self.encode(v, depth)] for k, v in dict.items(value)]


def decode_pairs(pairs):
    return {decode(key): decode(value) for key, value in pairs}


DECODERS["bytearray"] = bytearray.fromhex
DECODERS["Counter"] = lambda v: collections.Counter(decode_pairs(v))
DECODERS["OrderedDict"] = lambda v: collections.OrderedDict(decode_pairs(v))
DECODERS["defaultdict"] = lambda v: collections.defaultdict(FACTORIES.get(v[0]), decode_pairs(v[1]))
DECODERS["namedtuple"] = lambda v: collections.namedtuple(v[0], v[1])(*map(decode, v[2]))
