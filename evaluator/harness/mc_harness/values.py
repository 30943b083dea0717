"""Plain data between a boxed process and the supervisor, as JSON.

Lists, strings, booleans, None, finite floats and ints below 2**53 stand for themselves; everything else is an object
with one key that names the type. Anything that is not plain data is refused by the name of its type. Every method is
called on the base class, so that what a subclass overrides has no say.
"""

import sys
from collections import deque
from json import dumps

from .limits import MAX_DEPTH, MAX_ITEMS, SAFE_INT


class Refused(BaseException):
    """A value that cannot cross."""


def type_name(value):
    return type.__getattribute__(type(value), "__name__")[:100]


class Encoder:
    """Turns one value into what JSON can hold, and counts its items."""

    def __init__(self):
        self.items = 0

    def many(self, values, depth):
        encode = self.encode
        return [encode(value, depth) for value in values]

    def encode(self, value, depth=0):
        kind = type(value)
        if value is None or kind is bool:
            return value
        if kind is int:
            return value if -SAFE_INT < value < SAFE_INT else {"int": hex(value)}
        if kind is str:
            return value if value.isascii() else self.text(value)
        if kind is float:
            return value if value - value == 0.0 else {"float": repr(value)}
        self.items += 1
        if depth >= MAX_DEPTH:
            raise Refused("a value nested more than %d deep" % MAX_DEPTH)
        if kind is list or kind is tuple:
            self.items += len(value)
        if self.items > MAX_ITEMS:
            raise Refused("a value of more than %d items" % MAX_ITEMS)
        depth += 1
        if kind is list:
            return self.many(value, depth)
        if kind is tuple:
            return {"tuple": self.many(value, depth)}
        return self.other(value, kind, depth)

    def text(self, value):
        try:
            value.encode("utf-8")
        except UnicodeEncodeError:
            raise Refused("a str with lone surrogates") from None
        return value

    def other(self, value, kind, depth):
        base = kind.__mro__
        if dict in base:
            return {"dict": [[self.encode(k, depth), self.encode(v, depth)] for k, v in dict.items(value)]}
        if set in base:
            return {"set": self.many(set.__iter__(value), depth)}
        if frozenset in base:
            return {"frozenset": self.many(frozenset.__iter__(value), depth)}
        if kind is complex:
            return {"complex": [repr(value.real), repr(value.imag)]}
        if kind is bytes or kind is bytearray:
            return {"bytes": value.hex()}
        if kind is range:
            return {"range": [hex(value.start), hex(value.stop), hex(value.step)]}
        numpy = sys.modules.get("numpy")
        if numpy is not None and isinstance(value, (numpy.ndarray, numpy.generic)):
            return self.numpy(value, depth, numpy)
        if kind.__name__ in ("ListNode", "TreeNode"):
            return self.node(value, kind.__name__, depth)
        return self.subclass(value, base, depth)

    def subclass(self, value, base, depth):
        if list in base:
            return self.many(list.__iter__(value), depth)
        if tuple in base:
            return {"tuple": self.many(tuple.__iter__(value), depth)}
        if str in base:
            return self.encode("".join(str.__iter__(value)), depth)
        if int in base:
            return self.encode(int.__add__(value, 0), depth)
        if float in base:
            return self.encode(float.__add__(value, 0.0), depth)
        if deque in base:
            return {"deque": self.many(deque.__iter__(value), depth)}
        if any(b.__name__ in VIEWS and b.__module__ == "builtins" for b in base):
            return {"iterator": self.many(self.taken(value), depth)}
        raise Refused("a live object of type %s" % type_name(value))

    def taken(self, iterator):
        values = []
        for value in iterator:
            values.append(value)
            if len(values) > MAX_ITEMS:
                raise Refused("an iterator of more than %d items" % MAX_ITEMS)
        return values

    def numpy(self, value, depth, numpy):
        if isinstance(value, numpy.ndarray):
            if value.dtype.kind not in "biufcSU":
                raise Refused("a numpy array of dtype %s" % value.dtype)
            plain = numpy.ndarray.tolist(value)
            return {"ndarray": [str(value.dtype), self.encode(plain, depth)]}
        plain = numpy.generic.item(value)
        if isinstance(plain, numpy.generic):
            raise Refused("a numpy scalar of dtype %s" % value.dtype)
        return self.encode(plain, depth)

    def node(self, value, name, depth):
        read = object.__getattribute__
        values, seen = [], set()
        if name == "ListNode":
            while value is not None:
                if id(value) in seen or len(values) > MAX_ITEMS:
                    raise Refused("a linked list with a cycle")
                seen.add(id(value))
                values.append(self.encode(read(value, "val"), depth))
                value = read(value, "next")
            return {"ListNode": values}
        level = [value]
        while level:
            below = []
            for node in level:
                if node is None:
                    values.append(None)
                    continue
                if id(node) in seen or len(values) > MAX_ITEMS:
                    raise Refused("a tree in which a node comes twice")
                seen.add(id(node))
                values.append(self.encode(read(node, "val"), depth))
                below += (read(node, "left"), read(node, "right"))
            level = below
        while values and values[-1] is None:
            values.pop()
        return {"TreeNode": values}


VIEWS = (
    "generator", "map", "filter", "zip", "enumerate", "reversed", "dict_keys", "dict_values", "dict_items",
    "list_iterator", "tuple_iterator", "set_iterator", "range_iterator", "dict_keyiterator", "list_reverseiterator",
)


def encode(value, encoder=None):
    """The JSON text of a value; raises Refused where it is no plain data."""
    try:
        plain = (encoder or Encoder()).encode(value)
    except RecursionError:
        raise Refused("a value nested too deep") from None
    return dumps(plain, separators=(",", ":"), check_circular=False)


class ListNode:
    def __init__(self, val=0, next=None):
        self.val = val
        self.next = next


class TreeNode:
    def __init__(self, val=0, left=None, right=None):
        self.val = val
        self.left = left
        self.right = right


def list_node(values):
    """A linked list of these values, or None."""
    head = None
    for value in reversed(values):
        head = NODES["ListNode"](value, head) if head is not None else NODES["ListNode"](value)
    return head


def tree_node(values):
    """A tree from its level order, None for a missing child, or None."""
    if not values or values[0] is None:
        return None
    make = NODES["TreeNode"]
    root = make(values[0])
    waiting, at = [root], 1
    for node in waiting:
        for side in ("left", "right"):
            if at < len(values):
                if values[at] is not None:
                    child = make(values[at])
                    setattr(node, side, child)
                    waiting.append(child)
                at += 1
    return root


def is_same_list(a, b):
    while a is not None and b is not None:
        if a.val != b.val:
            return False
        a, b = a.next, b.next
    return a is None and b is None


def is_same_tree(a, b):
    pairs = [(a, b)]
    while pairs:
        a, b = pairs.pop()
        if a is None or b is None:
            if a is not b:
                return False
            continue
        if a.val != b.val:
            return False
        pairs += ((a.left, b.left), (a.right, b.right))
    return True


# The classes that decoded nodes are made of: the program's own where it defines them.
NODES = {"ListNode": ListNode, "TreeNode": TreeNode}


def decode_array(spec):
    values = decode(spec[1])
    numpy = sys.modules.get("numpy")
    return values if numpy is None else numpy.array(values, dtype=spec[0])


DECODERS = {
    "tuple": lambda v: tuple(map(decode, v)),
    "set": lambda v: set(map(decode, v)),
    "frozenset": lambda v: frozenset(map(decode, v)),
    "dict": lambda v: {decode(k): decode(x) for k, x in v},
    "int": lambda v: int(v, 16),
    "float": float,
    "complex": lambda v: complex(float(v[0]), float(v[1])),
    "bytes": bytes.fromhex,
    "range": lambda v: range(*(int(x, 16) for x in v)),
    "deque": lambda v: deque(map(decode, v)),
    "iterator": lambda v: iter([decode(x) for x in v]),
    "ndarray": decode_array,
    "ListNode": lambda v: list_node([decode(x) for x in v]),
    "TreeNode": lambda v: tree_node([decode(x) for x in v]),
}


def decode(plain):
    kind = type(plain)
    if kind is list:
        return [decode(x) for x in plain]
    if kind is dict:
        ((name, value),) = plain.items()
        return DECODERS[name](value)
    return plain
