"""How a reply becomes what test code can hold: the part of the link that makes stand-ins of what stays with the
candidate."""

import _thread
from collections import defaultdict, namedtuple

from ...decoding import DECODERS, decode, decode_dict, decode_real_array
from ..stand_ins.guarded import Guarded, Mapped, Sequenced
from ..stand_ins.named import Answered, Class, Function, Given
from ..stand_ins.records import kind_for
from ..wire.arguments import Lost
from ..wire.chains import called, element
from ..wire.channel import Between
from ..wire.derived import make
from . import outgoing

# What test code that does not import numpy names of an array.
OF_ARRAYS = frozenset(("T", "astype", "dtype", "flatten", "ndim", "reshape", "shape", "size", "tolist"))
# What has attributes of its own, by which an object in it could be asked something that its chain does not tell.
RECORDS = {name: DECODERS[name] for name in ("ListNode", "TreeNode")}
RECORDS["nodes"] = lambda spec: Between.graphs.read(spec)
# For objects that are treated as no others.
STAND_INS = {"class": Given, "mapping": Mapped, "sequence": Sequenced}


class Place(_thread._local):
    """What is being read of a reply, if something is: the chain that leads there, and what was given of a call's
    arguments."""

    goes_on, chain, given = False, None, ()


class Turned:
    """While it is entered, another such place, for this thread alone. (Of a generator's contexts, which would say the
    same, a call takes ten, and they are a tenth of all that it costs.)"""

    __slots__ = ("place", "what", "before")

    def __init__(self, place, what):
        self.place, self.what = place, what

    def __enter__(self):
        known = vars(self.place)
        self.before = known.copy()
        known.update(goes_on=True, **self.what)

    def __exit__(self, *_):
        known = vars(self.place)
        known.clear()
        known.update(self.before)


class Reading:
    """Of a link, with the `instances` and objects that it knows by their chains."""

    def begin_reading(self):
        self.stand_ins = {}
        self.reading = Place()
        DECODERS["live"] = self.stand_in
        if not self.named.isdisjoint(OF_ARRAYS):
            DECODERS["ndarray"] = decode_real_array
        DECODERS["test_function"] = lambda number: self.handing.numbered(self.lifetimes.given_back(2, number))
        DECODERS["test_error"] = lambda number: self.callbacks.raised[number]
        DECODERS["raised"] = self.without_objects(lambda told: self.errors.made(*told))
        DECODERS["test_code"] = lambda number: self.callbacks.things[self.lifetimes.given_back(1, number)]
        DECODERS["test_method"] = lambda told: self.callbacks.method(self.lifetimes.given_back(1, told[0]), *told[1:])
        DECODERS["error_class"] = lambda spec: self.errors.take(*spec)
        DECODERS["derived"] = self.derived
        DECODERS["making"] = self.making
        DECODERS["lost"] = lambda _: Lost()
        DECODERS["mine"] = lambda number: self.reading.given[number]
        DECODERS["namedtuple"] = self.without_objects(lambda spec: self.record(*spec))
        for name, record in RECORDS.items():
            DECODERS[name] = self.without_objects(record)

    def read(self, reply, chain):
        """The value of a reply."""
        value = reply.get("value")
        with self.reading_of(chain=chain if type(value) is dict and "live" in value else element(chain)):
            return self.checked(lambda: decode(reply["value"]))

    def reading_of(self, **what):
        """Where a reply is read, or what crossed is gone through. An object that is a key there may be asked for its
        hash meanwhile: what that reply says is read as well, and nothing else is done."""
        return Turned(self.reading, what)

    def without_objects(self, make):
        """A decoder of what holds plain data alone, whatever the candidate sends."""

        def decoder(spec):
            with self.reading_of(chain=None):
                return make(spec)

        return decoder

    def record(self, name, fields, values, handle=None):
        """A named tuple: of the candidate's class with a handle; else of the test code's, if it has one of that name
        and these fields."""
        if handle is not None:
            kind = kind_for(Class(self, int(handle), "", name), name, tuple(fields))
        else:
            kind = outgoing.RECORDS.get((name, tuple(fields))) or namedtuple(name, fields)
        return tuple.__new__(kind, map(decode, values))

    def stand_in(self, spec):
        """For an object that stays with the candidate. The same for the same object, unless another chain led to it;
        one that the test code made of a class is that in whatever holds it."""
        handle, reason, is_true, kind = spec
        chain = self.chain()
        if chain in self.instances:
            self.made_by[int(handle)] = chain
        if chain.endswith("[]"):
            chain = self.made_by.get(int(handle), chain)
        self.lifetimes.taken(int(handle))
        more = () if kind == "class" else (reason, is_true)
        stand_in = Answered if int(handle) in self.subclasses else STAND_INS.get(kind, Guarded)
        made = stand_in(self, int(handle), "", chain, *more)
        return self.stand_ins.setdefault((int(handle), chain), made)

    def derived(self, spec):
        handle, name, plain, methods = spec
        return make(self, int(handle), str(name), decode(plain), set(map(str, methods)), self.chain())

    def making(self, spec):
        """A dictionary that has the candidate make what it lacks."""
        handle, pairs = spec
        return defaultdict(Function(self, int(handle), "", called(self.chain())), decode_dict(pairs))

    def chain(self):
        """The chain that leads to an object that is being read."""
        if self.reading.chain is None:
            raise ValueError("an object where only plain data can be")
        return self.reading.chain
