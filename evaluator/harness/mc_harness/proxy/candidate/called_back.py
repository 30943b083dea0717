"""On the candidate's side: functions and objects that stay with the test code, and are called and asked there."""

import builtins
import importlib
import io
from _thread import RLock
from contextlib import suppress
from functools import partial
from json import dumps, loads
from types import FunctionType, GeneratorType, MethodType

from ...decoding import decode
from ...encoding import Refused
from ..wire.aliases import ALONE, crossing_of, references
from ..wire.builtin_bases import CHANGING, at_home, enumeration, made
from ..wire.channel import CALLBACKS, METHODS, deeper, known_namespaces
from ..wire.containers import containers, copied, differ, fill, restored
from ..wire.marks import Marks, is_attribute, mark
from ..wire.objects import SPECIAL, running
from ..wire.put_on import RAW
from ..wire.shaped import shaped
from ..wire.signature import defaults, field_of, read_signature
from .handed import annotate
from .keeping import Lent
from .their_classes import (
    HELD,
    HELD_BY,
    Found,
    Holder,
    Hook,
    copy_of_own,
    inherited,
    is_there,
    lacking_of,
    looks,
    of_own,
    putting,
    set_past,
    watch_data_classes,
)
from .their_coroutines import COME_TO_NOTHING, Awaitable, TheirCoroutines

ANSWERS = ("returned", "raised", "not implemented", *COME_TO_NOTHING)
DEFAULTS = ("__defaults__", "__kwdefaults__")
# The number of no thing.
NOTHING = -1
# For what objects pass, by the names of these classes.
PASSED_FOR = {kind.__name__: kind for kind in CHANGING}
# What streams are taken for, by the names of their classes.
STREAMS = {"StringIO": io.TextIOBase, "TextIOWrapper": io.TextIOBase, "BytesIO": io.BufferedIOBase}


class CalledBack:
    """Calls them through a channel while the test code waits for an answer. What that asks meanwhile is answered by
    `server`, which encodes what they are called with."""

    def __init__(self, server, channel):
        self.server, self.channel = server, channel
        # By their numbers; and the classes of objects.
        self.things, self.kinds = Lent(CALLBACKS), {}
        # The hashes of objects, by number.
        self.hashes = {}
        # By what methods have in common that are equal, what they call.
        self.methods_made = {}
        # Those that are called with an object of a class which derives from the program's.
        self.methods = set()
        self.asking_by = {"__%sattr__" % how: self.asking(how) for how in ("get", "del")}
        self.asking_by["__setattr__"] = lambda *args: self.setting(*args)
        # What all objects have.
        self.asked = {
            "__dict__": property(self.held),
            "__new__": Hook(self.look, self.call, "__new__"),
            "__copy__": self.copying("copy"),
            "__deepcopy__": self.copying("deepcopy"),
        }
        # The class of all objects; and that of their classes, which are called and asked there too.
        self.base = type("object", (Holder,), {"__slots__": (), "__module__": "test_code", **self.asked})
        calling = {"__call__": self.special("__call__")}
        self.meta = type("type", (type,), {**calling, **self.asking_by, **looks(self.look)})
        self.coroutines = TheirCoroutines(self.call)
        # What the test code knows that its functions have.
        self.marks = Marks()
        # The lists that came from the test code's functions, by their numbers, and what was in each.
        self.lists, self.before = {}, {}
        # One thread of the program's speaks at a time, and none while nobody listens.
        self.lock = RLock()

    def receive(self, answer):
        """The next request, after the answer to the last."""
        with self.lock:
            if answer is not None:
                self.channel.send(answer)
            return self.channel.receive()

    def async_function(self, spec):
        """One whose calls are awaited."""
        return self.function(spec, self.calling_async)

    def function(self, spec, calling=None):
        """A function: the same for the same number."""
        number, method, *described, shape, marks = spec
        thing = self.things.get(number)
        if thing is None:
            thing = self.made(number, calling or self.calling, shape, *described)
            if method is not None:
                thing = self.method(*method, thing)
        # It may be among what it has itself.
        self.things.know(number, thing)
        if method is None:
            self.marks.take(number, thing, marks)
        else:
            vars(thing.__func__).update((name, decode(value)) for name, value in marks if is_attribute(name))
        return thing

    def mark(self, told):
        """Have functions have what the test code gave them since, and not what it took from them."""
        handed = self.server.handed_functions
        for number, name, *value in told:
            known, marks = (self.things, self.marks) if number >= 0 else (handed.functions, handed.marks)
            number = number if number >= 0 else -1 - number
            function = known.get(number)
            if function is not None:
                mark(function, name, *map(decode, value))
                marks.know_one(number, function, name)

    def method(self, method, owner, made):
        """A method that calls a function: two that are equal there are equal here, and as little the same. An object
        that has it here too, it holds."""
        if method not in self.methods_made:
            calls = self.calling_of(method) if owner else self.calling_by(method)
            self.methods_made[method] = as_method(made, calls)
            if owner:
                METHODS[id(self.methods_made[method])] = method
        return MethodType(self.methods_made[method], decode(owner) if owner else self)

    def calling_of(self, method):
        def function(thing, *args, **kwargs):
            return self.call(CALLBACKS[id(thing)], args, kwargs, "method", method)

        return function

    def calling_by(self, method):
        """The same of what is not here, whatever has become of the method itself."""

        def function(_, *args, **kwargs):
            return self.call(NOTHING, args, kwargs, "method of owner", method)

        return function

    def calling(self, number):
        def function(*args, **kwargs):
            return self.call(number, args, kwargs)

        return function

    def calling_async(self, number):
        async def function(*args, **kwargs):
            return await self.call(number, args, kwargs)

        return function

    def made(self, number, calling, shape, *described):
        call = calling(number)
        function = shaped(shape, call, running(call), described[0]) if shape is not None else with_own_names(call)
        self.describe(function, *described)
        return function

    def describe(self, function, name, qualified, doc, signature, annotations):
        """Have it look like the one that it calls."""
        function.__name__, function.__qualname__ = name, qualified
        function.__doc__, function.__module__ = doc, "__main__"
        annotate(function, annotations)
        if signature is not None:
            function.__signature__ = read_signature(signature)
            function.__defaults__, function.__kwdefaults__ = defaults(function.__signature__)

    def object(self, spec):
        """An object: the same for the same number."""
        number, described, *value = spec
        thing = self.things.get(number)
        if thing is None:
            kind = self.kind(described)
            thing = made(kind, decode(value[0])) if value else object.__new__(kind)
        return self.things.know(number, thing)

    def type_variable(self, spec):
        """What stands for any class where a class is of some others: the same for the same number."""
        number, name = spec
        known = self.things.get(number)
        return known or self.things.know(number, importlib.import_module("typing").TypeVar(name))

    def kind(self, spec):
        """A class: of the test code's the same for the same number; of a library's, by its name."""
        number, name, _, _, names, *_, passes_for, _ = spec
        watch_data_classes(self.call)
        known = (name, *(passes_for or ()), *names) if number is None else number
        if known not in self.kinds:
            kind = self.kinds[known] = self.made_kind(*spec)
            if number is not None:
                CALLBACKS[id(kind)] = number
            elif name in STREAMS:
                STREAMS[name].register(kind)
        else:
            self.refresh_kind(self.kinds[known], names, spec[5])
        return self.kinds[known]

    def refresh_kind(self, kind, names, fields):
        """Have a class have what it has come to have there."""
        held = HELD_BY(kind)
        for name in names:
            if name not in held:
                type.__setattr__(kind, name, self.member(name))
        if fields is not None and "__dataclass_fields__" not in held:
            type.__setattr__(kind, "__dataclass_fields__", {told[0]: field_of(told) for told in fields})

    def member(self, name):
        """What objects of a class have that has this there."""
        return self.special(name) if is_special(name) else Found(self.look, name)

    def hooks(self):
        """By which a class has a say in attributes and in how objects are made."""
        hooks = {name: Hook(self.look, self.call, name, method) for name, method in self.asking_by.items()}
        return {**hooks, "__new__": Hook(self.look, self.call, "__new__")}

    def made_kind(self, number, name, qualified, doc, names, fields, bases, of_values, passes_for, of_kind):
        own = {**self.hooks(), **{one: self.member(one) for one in names}}
        own.update(__slots__=(), __module__="test_code", __doc__=doc)
        if number is None:
            if passes_for is not None:
                own["__class__"] = property(lambda _: self.known_as(*passes_for))
            return type(name, (self.base,), own)
        if passes_for is not None:
            known = PASSED_FOR.get(passes_for) or enumeration(passes_for, name)
            own["__class__"] = property(lambda _: known)
        own["__qualname__"] = qualified
        if fields is not None:
            own["__dataclass_fields__"] = {told[0]: field_of(told) for told in fields}
        bases = list(map(self.kind, bases))
        if of_values is not None and not any(issubclass(base, at_home(of_values)) for base in bases):
            own.update(self.asked)
            bases.append(at_home(of_values))
        return self.kind_of_kinds(of_kind, bases)(name, tuple(bases) or (self.base,), own)

    def kind_of_kinds(self, names, bases):
        """The class of a class of the test code's, with the names of special methods of its own."""
        if not names:
            return self.meta
        kinds = {type(base): None for base in bases if issubclass(type(base), self.meta)}
        return type("type", tuple(kinds) or (self.meta,), {name: self.special(name) for name in names})

    def known_as(self, home, name):
        """The class that something says it has: of a module of the library's, or the program's own by its place."""
        if type(home) is not str:
            return self.server.own((home, name))
        return GeneratorType if name == GeneratorType.__name__ else at_home((home, name))

    def special(self, name):
        if name == "__call__":
            return lambda thing, *args, **kwargs: self.called(thing, args, kwargs)
        if name == "__hash__":
            return lambda thing: self.hash(thing)
        if name == "__await__":
            return lambda thing: Awaitable(self.coroutines, CALLBACKS[id(thing)]).__await__()
        return lambda thing, *args: self.specially(thing, name, args)

    def called(self, thing, args, kwargs):
        """What a call gives of an object, or of a class that may be derived from the test code's."""
        if is_there(thing):
            return self.call(CALLBACKS[id(thing)], args, kwargs)
        if isinstance(thing, type):
            lacking = lacking_of(self.look, thing)
            if lacking:
                why = "Can't instantiate abstract class %s with abstract methods %s"
                raise TypeError(why % (thing.__name__, ", ".join(lacking)))
            return type.__call__(thing, *args, **kwargs)
        return inherited(self.look, type(thing), "__call__")(thing, *args, **kwargs)

    def specially(self, thing, name, args):
        if is_there(thing):
            return self.call(CALLBACKS[id(thing)], args, {}, "special", name)
        return inherited(self.look, type(thing), name)(thing, *args)

    def hash(self, thing):
        """The same each time: a dictionary may ask for it while the test code does not listen."""
        if not is_there(thing):
            return self.specially(thing, "__hash__", ())
        number = CALLBACKS[id(thing)]
        if number not in self.hashes:
            self.hashes[number] = self.call(number, (), {}, "special", "__hash__")
        return self.hashes[number]

    def look(self, thing, name):
        """What a class or an object has there, when it is asked for: as a part of the class it could lead to that."""
        return self.call(CALLBACKS[id(thing)], (), {}, "get", name)

    def asking(self, how):
        def ask(thing, name):
            if not is_there(thing):
                return of_own(thing, how, name)
            return self.call(CALLBACKS[id(thing)], (), {}, how, name)

        return ask

    def held(self, thing):
        """The attributes of an object."""
        if not is_there(thing):
            return HELD(thing)
        given = self.look(thing, "__dict__")
        return Attributes(given, partial(self.call, CALLBACKS[id(thing)])) if type(given) is dict else given

    def copying(self, name):
        """The method by which objects are copied."""

        def copied(thing, *memo):
            if not is_there(thing):
                return copy_of_own(thing, *memo)
            return self.call(CALLBACKS[id(thing)], (), {}, "copy", name)

        return copied

    def adopt(self, thing):
        """Have the test code make an object of a class, in the place of which there is one here."""
        made = self.call(CALLBACKS[id(type(thing))], (), {}, RAW, "__new__")
        self.things.know(CALLBACKS.pop(id(made)), thing)

    def setting(self, thing, name, value):
        """Set an attribute there. What a class is given of special methods its objects have here too."""
        is_class = isinstance(thing, type)
        if not is_there(thing):
            return of_own(thing, "set", name, value)
        how, given = putting(value) if is_class else ("set", [value])
        self.call(CALLBACKS[id(thing)], given, {}, how, name)
        if is_class and name in SPECIAL:
            type.__setattr__(thing, name, self.special(name))
        return None

    def told(self, encode):
        """What the program did to them since this was last asked, as that crosses, each with its number."""
        altered = self.altered(encode)
        told = {"attributes": self.attributes(encode), "altered": altered, "dropped": self.dropped()}
        return {"fields": self.fields(encode), **told}

    def fields(self, encode):
        """Attributes of objects that were set past their classes."""
        told = []
        for number, name, value in set_past(self.things):
            with suppress(Refused):
                told.append("[%d,%s,%s]" % (number, dumps(name), encode(value)))
        return told

    def attributes(self, encode):
        """Those of functions that were set."""

        def told(value):
            with suppress(Refused):
                return [loads(encode(value))]

        handed = self.server.handed_functions
        changes = [(number, one) for number, one in self.marks.changes(self.things.get, told)]
        changes += [(-1 - number, one) for number, one in handed.marks.changes(handed.functions.get, told)]
        return [dumps([number, *one]) for number, one in changes]

    def altered(self, encode):
        """The lists that were changed."""
        changed = [number for number, value in self.lists.items() if differ(value, self.before[number])]
        told = [(number, crossing_of(self.lists[number], encode)) for number in changed]
        self.before.update((number, copied(self.lists[number])) for number in changed)
        return ["[%d,%s]" % both for both in told if both[1] is not None]

    def dropped(self):
        """The lists that nothing else holds; they are known no more."""
        dropped = [number for number, count in references(self.lists).items() if count == ALONE]
        for number in dropped:
            del self.server.aliases.lent[id(self.lists[number])], self.lists[number], self.before[number]
        return list(map(str, dropped))

    def refresh(self, number, content):
        """Have a list hold what it has come to hold there."""
        if number in self.lists:
            fill(self.lists[number], content)
            self.before[number] = copied(self.lists[number])

    def received(self, value, numbers):
        """What a function gave, in which lists that were given before are the same again."""
        if not numbers:
            return value
        value = restored(value, iter(numbers), self.lists)
        known_namespaces(containers(value))
        self.lists.update(zip(numbers, containers(value)))
        self.server.aliases.lent.update((id(self.lists[number]), -1 - number) for number in numbers)
        self.before.update((number, copied(self.lists[number])) for number in numbers)
        return value

    def call(self, number, args, kwargs, how="call", name=None):
        with self.lock, self.server.aside(), deeper():
            answer = self.server.calling(number, args, kwargs, how, name)
            while True:
                self.channel.send(answer)
                request = self.channel.receive()
                if request is None:
                    raise SystemExit
                request = loads(request)
                if request["op"] in ANSWERS:
                    return self.server.called_back(request)
                answer = self.server.reply(request)


class Attributes(dict):
    """Those of an object, by their names: what is done to them is done there."""

    def __init__(self, held, call):
        super().__init__(held)
        self.call = call

    def __setitem__(self, name, value):
        self.call((value,), {}, "set item", name)
        super().__setitem__(name, value)

    def __delitem__(self, name):
        super().__delitem__(name)
        self.call((), {}, "del item", name)

    def update(self, *args, **kwargs):
        for name, value in dict(*args, **kwargs).items():
            self[name] = value

    def setdefault(self, name, default=None):
        if name not in self:
            self[name] = default
            # It is there as what the test code has now.
            super().__setitem__(name, self.call((), {}, "get", "__dict__")[name])
        return self[name]

    def pop(self, name, *default):
        if name not in self and default:
            return default[0]
        value = self[name]
        del self[name]
        return value

    def clear(self):
        for name in list(self):
            del self[name]


def is_special(name):
    """Whether something is called there without being asked for."""
    return name.startswith("__") and name != "__init__"


def as_method(function, calls):
    """A method that looks like a function, and does what `calls` does."""

    def called(thing, *args, **kwargs):
        return calls(thing, *args, **kwargs)

    async def called_async(thing, *args, **kwargs):
        return await calls(thing, *args, **kwargs)

    method = with_own_names(called_async if running(function) else called, function.__globals__)
    for name in ("__name__", "__qualname__", "__doc__", "__module__", "__annotations__", *DEFAULTS):
        setattr(method, name, getattr(function, name))
    if "__signature__" in vars(function):
        from inspect import Parameter

        own = Parameter("self", Parameter.POSITIONAL_ONLY)
        signature = function.__signature__
        method.__signature__ = signature.replace(parameters=[own, *signature.parameters.values()])
    return method


def with_own_names(function, names=None):
    """The same function where its annotations have names of their own."""
    own = {"__builtins__": builtins, "__name__": "__main__"} if names is None else names
    return FunctionType(function.__code__, own, function.__name__, None, function.__closure__)
