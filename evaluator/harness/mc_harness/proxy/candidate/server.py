"""The candidate's side of the channel: it answers what test code in another box asks of the program."""

import gc
import sys
import types
from collections import defaultdict, deque
from contextlib import contextmanager, nullcontext
from json import dumps, loads
from types import MappingProxyType

from ... import encoding
from ...call import find
from ...decoding import DECODERS, decode, decode_dict
from ...encoding import LiveObject, Refused, type_name
from ...prelude import MISSING
from ..wire.aliases import LONGEST, Aliases
from ..wire.builtin_bases import value_base
from ..wire.channel import (
    BUILTINS,
    CALLBACKS,
    GIVEN_ERRORS,
    HANDED,
    MUTABLE,
    Between,
    encode,
    is_iterator,
    known_namespaces,
    live,
)
from ..wire.class_names import Side
from ..wire.containers import containers, copied
from ..wire.coroutines import Coroutines
from ..wire.derived import is_record, overridden, overrides, plain_base_of
from ..wire.described import bases_of, raised
from ..wire.errors import ENDINGS, SILENT, Errors, Passing
from ..wire.files import Made
from ..wire.graphs import TheirNodes
from ..wire.hearing import Hearing
from ..wire.left_behind import Leaving
from ..wire.likeness import equal_to, is_encodable
from ..wire.module import is_for_others
from ..wire.objects import SPECIAL, attributes_of
from ..wire.signature import signature_of
from ..wire.streams import Captured, Redirected
from ..wire.surroundings import surround
from .after import LOST, After
from .called_back import CalledBack
from .factories import is_of_factory
from .handed import Handed, decoders
from .held_errors import HeldErrors
from .keeping import Kept
from .kinds import KEPT, is_own_tool, kind
from .operating import Operating
from .replacing import Names, Replaced
from .steps import RUNNING, Steps
from .subclassed import Subclassed
from .their_coroutines import COME_TO_NOTHING
from .their_errors import TheirErrors, is_exception
from .viewed import viewed


def serve(namespace, given, channel, name="", rebound=frozenset()):
    """Answer until the other side ends. `given` are names that the program was lent, and does not define; `name` is
    that of the function or method which is asked for; functions of the program's bind those `rebound` anew."""
    Side.is_candidate = True
    server = Server(namespace, given, name, rebound)
    callbacks = server.callbacks = CalledBack(server, channel)
    DECODERS.update(own=server.own, given=server.handed, making=server.making, **decoders(server.handed_functions))
    DECODERS.update({"callback": callbacks.function, "object": callbacks.object, "class": callbacks.kind})
    DECODERS.update(async_callback=callbacks.async_function, coroutine=callbacks.coroutines.coroutine)
    DECODERS.update(error=server.error, error_class=server.error_class, method=server.method)
    Between.adopt = callbacks.adopt
    Between.things, Between.functions = callbacks.things, server.handed_functions.functions
    Between.graphs, Between.errors = server.nodes, server.held_errors.told_as_value
    DECODERS.update(nodes=server.nodes.read, own_error=server.held_errors.take, type_variable=callbacks.type_variable)
    answer = None
    while True:
        request = callbacks.receive(answer)
        if request is None:
            server.coroutines.close()
            return
        answer = server.reply(loads(request))


class Server(Subclassed, TheirErrors, Steps, Operating):
    def __init__(self, namespace, given, name="", rebound=frozenset()):
        self.namespace, self.given, self.name, self.rebound = namespace, given, name, rebound
        self.module = namespace.get("__name__")
        # Objects that stay here; and what iterators raised after what they gave.
        self.kept, self.raised = Kept(), {}
        self.handed_functions = Handed()
        self.keep, self.held_errors = self.kept.keep, HeldErrors(self.kept)
        # By numbers below 0, where the methods of classes that the test code derives find these.
        self.cells = {}
        # What is no plain data of the arguments of the call that goes on, by identity: with its number among them.
        self.handed_over = {}
        # The classes of what was raised here, for it may come back.
        self.errors = Errors({*SILENT, *(kind.__name__ for kind in ENDINGS)})
        self.coroutines = Coroutines()
        self.aliases, self.nodes = Aliases(self.kept.holds), TheirNodes()
        self.made = Made()
        # What to tell of the arguments of a call that raised something; and these, with what can be changed in them.
        self.left, self.called_with = "", ((), {}, ())
        # The latter with copies as they came, until the program calls the test code meanwhile.
        self.arrived = []
        # Whether the test code is still reading the last reply.
        self.is_aside = False
        # The test code's streams, while it waits, and what it has put in the place of functions.
        self.streams, self.replaced, self.captured = None, Replaced((), namespace), Captured()
        # The test code's functions and objects that are called and asked there.
        self.callbacks = None

    def reply(self, request):
        """The answer to a request, or why there is none, as JSON."""
        self.begin()
        self.callbacks.coroutines.wake(request.get("awaited", ()))
        self.callbacks.mark(request.get("marks", ()))
        if request.get("loop_ended"):
            self.coroutines.end()
        was_aside, self.is_aside = self.is_aside, "aside" in request
        self.settle(is_over=self.streams is None)
        nodes = "" if self.is_aside else self.nodes.look()
        outer, self.streams = self.streams, Redirected(request, self.own, self.captured)
        hearing = Hearing(request.get("hear", ()), self.held_errors.telling)
        surroundings, leaving = request.get("surroundings", {}), Leaving(())
        within = self.replaced
        with within.put_aside():
            self.made.note(surroundings)
        self.replaced = Replaced((), self.namespace, within)
        try:
            with within.put_aside():
                surround(surroundings)
            leaving = Leaving(request.get("looked_at", ()))
            self.replaced = Replaced(request.get("replaced", ()), self.namespace, within)
            self.let_go(request.get("let_go", ()))
            with self.around(request):
                answer = getattr(self, request["op"])(request)
        except Refused as refusal:
            answer = dumps({"refused": str(refusal)})
        except (Exception, *ENDINGS, Passing) as error:
            answer = self.raising(error)
        finally:
            self.replaced.restore()
            self.replaced = within
            streams, self.streams = self.streams, outer
            streams.restore()
            hearing.end()
        busy = ',"busy":true' if self.coroutines.are_busy() else ""
        more = streams.told(self.keep) + hearing.told() + leaving.told() + busy
        more += self.told_of_aliases() + self.told_of_files() + self.told_of_test_code()
        more += self.told_of_ended() + self.told_of_errors()
        more += nodes + self.nodes.told_of_changes(Between)
        self.is_aside = was_aside
        return answer[:-1] + (more[1:] if answer == "{}" else more) + "}"

    def known(self):
        """What both sides know: objects that stay here, and what stands for things of the test code's."""
        return self.kept, self.callbacks.things, self.handed_functions.functions

    def let_go(self, numbers):
        """The test code holds these no more."""
        for known, let_go in zip(self.known(), numbers):
            known.let_go(let_go)

    def told_of_ended(self):
        """What of all that has ended since this was last asked, as the end of a reply."""
        told = [known.ended for known in self.known()]
        for known in self.known():
            known.ended = []
        return ',"died":%s' % told if any(told) else ""

    def collect(self, _):
        gc.collect()
        return "{}"

    def refer(self, request):
        """What a weak reference gives."""
        of = request["of"]
        if of is not None and of not in self.cells and self.kept[of] is None:
            return '{"value":null}'
        return self.value(self.own((of, request["path"])))

    def begin(self):
        """What the last call was given is held here no more when it is found out what the program holds of that."""
        self.left, self.called_with, self.arrived, self.handed_over = "", ((), {}, ()), [], {}

    def settle(self, is_over):
        """Find out what the program holds of what crossed. While a reply is read, nothing is settled of that."""
        if self.is_aside:
            return
        if is_over:
            self.aliases.let_go()
        self.aliases.settle()

    @contextmanager
    def aside(self):
        """What is asked meanwhile changes nothing of what is known of the call that goes on."""
        left, called_with, handed_over, arrived = self.left, self.called_with, self.handed_over, self.arrived
        try:
            yield
        finally:
            self.left, self.called_with, self.handed_over, self.arrived = left, called_with, handed_over, arrived

    def calling(self, number, args, kwargs, how, name):
        """What calls a function of the test code's, or asks an object of it something."""
        self.settle(is_over=True)
        arrived, self.arrived = self.arrived and self.aliases.each_of(self.arrived), []
        more = self.told_of_aliases() + self.told_of_test_code() + self.held_errors.told(is_over=False)
        more += self.nodes.look() + self.nodes.told_of_changes(Between) + self.told_of_files(*args, *kwargs.values())
        more += ',"arrived":%s' % dumps(arrived) if arrived else ""
        named = ",".join("%s:%s" % (dumps(name), self.argument(value)) for name, value in kwargs.items())
        positional = ",".join(self.positional(number, args))
        asked = '{"callback":%d,"how":"%s","name":%s,"arguments":[[%s],{%s}]}'
        message = asked % (number, how, dumps(name), positional, named)
        more += self.streams.told_so_far() if self.streams else ""
        numbers = [number for value in (*args, *kwargs.values()) for number in self.aliases.each(value)]
        if numbers:
            more += ',"numbers":%s' % dumps(numbers)
            self.aliases.fresh.clear()
            self.aliases.hold_all()
        return message[:-1] + more + "}"

    def argument(self, value):
        """What a function of the test code's is called with, in which an exception is one, and so is its class."""
        if isinstance(value, types.TracebackType):
            return "null"
        if isinstance(value, BaseException) and GIVEN_ERRORS.get(id(value), (None, None))[1] is not value:
            return dumps({"error": raised(value, self.held_errors.telling)})
        if is_exception(value):
            return dumps({"error_class": bases_of(value)})
        return encode(value, self.keep)

    def called_back(self, answer):
        """What that gave, or raised, after what the test code asked meanwhile."""
        self.begin()
        self.settle(is_over=False)
        surroundings = answer.get("surroundings", {})
        with self.replaced.put_aside():
            self.made.note(surroundings)
            surround(surroundings)
        self.callbacks.mark(answer.get("marks", ()))
        if answer["op"] == "not implemented":
            return NotImplemented
        if answer["op"] in COME_TO_NOTHING:
            return self.callbacks.coroutines.told(answer)
        if answer["op"] == "returned":
            value = self.callbacks.received(decode(answer["value"]), answer["lists"])
            return self.meant([value], answer)[0]
        raise decode(answer["error"])

    def told_of_test_code(self):
        """What it set of the test code's functions, and did to what these gave, as the end of a reply."""
        told = self.callbacks.told(lambda value: encode(value, self.keep))
        return "".join(',"%s":[%s]' % (name, ",".join(values)) for name, values in told.items() if values)

    def told_of_files(self, *given):
        """What it made of files, as the end of a reply; what is `given` to the test code may be paths of such."""
        with self.replaced.put_aside():
            made = self.made.told(given)
        return ',"files":' + dumps(made) if made else ""

    def told_of_aliases(self):
        """What the program still holds of what crossed last, and what it changed of all that, as the end of a reply."""
        held = "" if self.is_aside else self.aliases.told()
        return held + self.aliases.told_of_changes(lambda value: encode(value, self.keep))

    def around(self, request):
        """What a request is answered in: of those of a coroutine, all that do not run coroutines themselves."""
        is_within = request.get("in_loop") and request["op"] not in RUNNING
        return self.coroutines.around() if is_within else nullcontext()

    def names(self):
        """What the program defines, without what it was only given."""
        given = self.given
        return {name: value for name, value in self.namespace.items() if given.get(name, MISSING) is not value}

    def making(self, spec):
        """A dictionary that makes what it lacks by one of the program's functions."""
        handle, pairs = spec
        return defaultdict(self.kept[handle], decode_dict(pairs))

    def own(self, place):
        """What lies under a path: of the module, classes as themselves, or of an object that is kept."""
        of, path = place
        first, *rest = path.split(".") if path else [""]
        if of in self.cells:
            return attribute(self.cells[of].cell_contents, path.split(".") if path else ())
        if of is None:
            return attribute(find(self.names(), first), rest) if path else Names(self.namespace)
        return attribute(self.kept[of], path.split(".") if path else ())

    def called(self, request):
        """The same, to be called: the method that is asked for is one of a fresh instance."""
        of, path = request["of"], request["path"]
        original = self.original(of, path)
        if original is not MISSING:
            return original
        is_asked_for = of is None and ("." not in path or path == self.name)
        return find(self.names(), path) if is_asked_for else self.own((of, path))

    def original(self, of, path):
        """What was under a path before it was replaced for now, if it was."""
        if not self.replaced.originals:
            return MISSING
        above, _, name = path.rpartition(".")
        owner = self.namespace if of is None and not above else self.own((of, above))
        return self.replaced.originals.get((id(owner), name), MISSING)

    def defined(self):
        """What the program defines, and the methods of its `Solution`, without names that are not for others."""
        names = self.names()
        solution = names.get("Solution")
        bases = reversed(solution.__mro__) if isinstance(solution, type) else ()
        methods = {name: value for base in bases for name, value in vars(base).items()}
        return {name: value for name, value in {**methods, **names}.items() if is_for_others(name)}

    def all_names(self, _):
        return dumps({"names": list(filter(is_for_others, self.names()))})

    def starred(self, _):
        """The names that `from module import *` binds, and those of them that the program says it has, and lacks."""
        own = self.names()
        names = own.get("__all__")
        names = [name for name in own if not name.startswith("_")] if names is None else list(names)
        missing = [name for name in names if name not in self.namespace and "__getattr__" not in own]
        return dumps({"names": names, "missing": missing})

    def keep_nodes(self, _):
        """LeetCode's lists and trees of the program's own classes are objects like any other."""
        Between.own_nodes_are_data = False
        return "{}"

    def kinds(self, request):
        """How all that it defines can be held; and under which of the library's usual names that is something else."""
        defined = self.defined()
        # Values of a reply might be names of files, and keys are not.
        own = {name: True for name, value in defined.items() if is_own_tool(name, value)}
        kinds = {name: kind(value) for name, value in defined.items()}
        # Who has had one of these has that, whatever is under the name by now.
        self.rebound = self.rebound.union(request.get("altered", ()))
        kept = {name: self.keep(defined[name]) for name in self.rebound.intersection(kinds) if kinds[name] in KEPT}
        return dumps({"kinds": kinds, "own": own, "kept": kept})

    def values(self, _):
        values = {name: value for name, value in self.defined().items() if kind(value) == "value"}
        held = ("%s:%s" % (dumps(name), self.held(name, value)) for name, value in values.items())
        return '{"values":{%s}}' % ",".join(held)

    def held(self, name, value):
        """What the program holds under a name, if that is plain data, or may be something else later."""
        try:
            # A dictionary or a tuple of functions or classes is one all the same.
            encode(value, self.keep if type(value) in (dict, tuple) else None)
        except Refused:
            return dumps({"value": live(self.keep, value)}) if name in self.rebound else "null"
        return self.numbered(self.value(value), value)

    def get(self, request):
        target = self.own((request["of"], request["path"]))
        if is_exception(target):
            return dumps({"exception": self.known_by_name(target)})
        if callable(target) and id(target) not in CALLBACKS and id(target) not in HANDED:
            is_kept = "keeps" in request or self.is_set(request, target)
            what = "class" if isinstance(target, type) else "callable"
            return '{"%s":%s}' % (what, self.keep(target) if is_kept else "true")
        self.name_files(target)
        reply = self.value(target)
        return self.numbered(reply[:-1] + ',"instance":true}' if is_member(target) else reply, target)

    def name_files(self, value):
        """The program gives out what may be the names of files."""
        with self.replaced.put_aside():
            self.made.name(value)

    def is_set(self, request, target):
        """Whether what is asked for is an attribute of an object's own, which may have another later."""
        above, _, name = request["path"].rpartition(".")
        if request["of"] is None and not above:
            return False
        held = attributes_of(self.own((request["of"], above)))
        return type(held) is dict and held.get(name) is target

    def delete(self, request):
        delattr(self.own((request["of"], request["path"])), request["name"])
        return "{}"

    def truth(self, request):
        return dumps({"value": bool(self.own((request["of"], request["path"])))})

    def is_instance(self, request):
        return dumps({"value": isinstance(decode(request["value"]), decode(request["kind"]))})

    def kind_of(self, request):
        kind = type(self.own((request["of"], request["path"])))
        if not issubclass(kind, type):
            return dumps({"value": kind.__name__})
        is_own = kind.__module__ == self.module
        made = {"made": self.keep(kind)} if is_own else {"from": [kind.__module__, kind.__name__]}
        return dumps({"value": "class", **made})

    def mro(self, request):
        """The classes that a class has its attributes of: handles of the program's own, and builtin ones by name."""
        target = self.own((request["of"], request["path"]))
        if not isinstance(target, type):
            raise AttributeError("'%s' object has no attribute '__mro__'" % type_name(target))
        kinds = target.__bases__ if request.get("direct") else type.mro(target)
        told = [kind.__name__ if kind.__module__ == "builtins" else self.keep(kind) for kind in kinds]
        return dumps({"mro": told, "names": [kind.__name__ for kind in kinds]})

    def signature(self, request):
        return dumps({"value": signature_of(self.called(request), lambda value: loads(encode(value)))})

    def call(self, request):
        target = self.called(request)
        args, kwargs = decode(request["arguments"])
        values = self.meant([*args, *kwargs.values()], request)
        args, kwargs = values[: len(args)], dict(zip(kwargs, values[len(args) :]))
        # Held, so that their identities are no others' while the call goes on.
        arrived = [part for value in (*args, *kwargs.values()) for part in containers(value)]
        known_namespaces(arrived)
        self.called_with = args, kwargs, arrived
        if self.callbacks.things.things:
            # What the program calls meanwhile may look at these, and change them.
            self.arrived = [(part, copied(part)) for part in arrived]
        result = self.resulting(target, args, kwargs)
        self.name_files(result)
        if is_exception(result):
            # It may be there to be excepted, which no stand-in can be.
            told = dumps({"value": None, "exception": self.known_by_name(result)})
            return told[:-1] + ',"arguments":%s}' % self.after(args, kwargs)
        if not isinstance(target, type) or not self.makes_objects(target):
            reply = self.told(result, args, kwargs)
            if is_member(result):
                reply = reply[:-1] + ',"instance":true}'
            elif self.makes_objects(type(result)) and is_of_factory(target, result):
                reply = reply[:-1] + ',"made":true}'
            return self.numbered(reply, result, args, kwargs, arrived)
        if plain_base_of(type(result), self.module):
            reply = self.told(result, args, kwargs)[:-1] + ',"instance":true}'
            return self.numbered(reply, None, args, kwargs, arrived)
        made = dumps({"value": live(self.keep, result), "instance": True})
        reply = made[:-1] + ',"arguments":%s}' % self.after(args, kwargs)
        return self.numbered(reply, None, args, kwargs, arrived)

    def meant(self, values, request):
        """What a request or an answer gives, in which what the program has already is that."""
        numbers = request.get("numbers")
        return self.aliases.meant(values, numbers, self.callbacks.lists) if numbers else values

    def resulting(self, target, args, kwargs):
        """What a call gives; if it raises something, what became of its arguments until then is told with that."""
        try:
            return viewed(target(*args, **kwargs))
        except BaseException:
            self.left = ',"arguments":' + self.after(args, kwargs)
            raise

    def numbered(self, reply, result, args=(), kwargs=MappingProxyType({}), arrived=()):
        """A reply with the numbers of what a call was given and gave that can be changed."""
        is_told = len(reply) <= LONGEST and self.aliases.crossing.allows(len(reply))
        numbers = self.aliases.numbers(result, args, kwargs, arrived) if is_told else {}
        return '%s,"numbers":%s}' % (reply[:-1], dumps(numbers)) if any(numbers.values()) else reply

    def alter(self, request):
        """Do to what the program holds what the test code did to its own."""
        self.aliases.alter(request["of"], decode(request["value"]))
        return "{}"

    def alter_nodes(self, request):
        """The same to nodes that are here."""
        decode(request["value"])
        return "{}"

    def refresh(self, request):
        """The same to what its functions gave."""
        self.callbacks.refresh(request["of"], decode(request["value"]))
        return "{}"

    def makes_objects(self, kind):
        """Whether what a class gives is an object: not where it looks up one of its members, or is a mere record."""
        own = kind.__module__ == self.module
        is_mere_record = is_record(kind) and not overridden(kind, self.module) and not plain_base_of(kind, self.module)
        return own and not is_mere_record and not hasattr(kind, "__members__")

    def content(self, request):
        """What a namespace holds, or an object whose class derives from a builtin one; and the special methods which
        that overrides."""
        value = self.own((request["of"], request["path"]))
        if not issubclass(type(value), (*BUILTINS, deque, types.SimpleNamespace)):
            return "{}"
        own = dumps(overridden(type(value), self.module))
        if isinstance(value, types.SimpleNamespace):
            value = types.SimpleNamespace(**vars(value))
        try:
            return '{"value":%s,"own":%s}' % (encode(value), own)
        except LiveObject:
            return '{"value":%s,"own":%s,"objects":true}' % (encode(value, self.keep), own)

    def likeness(self, request):
        """What plain data an object equals by its own account, of what it holds."""
        value = self.own((request["of"], request["path"]))
        return '{"value":%s}' % encode(equal_to(value, self.module, is_encodable(encode)))

    def throw(self, request):
        """Raise an exception that is kept here."""
        raise self.own((request["of"], request["path"]))

    def handed(self, numbered):
        """What the test code gave of its arguments that is no plain data."""
        number, spec = numbered
        value = decode(spec)
        self.handed_over[id(value)] = number, value
        return value

    def told(self, result, args, kwargs):
        """What a call gave, and its arguments after it."""
        kind = type(result)
        if hasattr(kind, "__await__") and kind.__module__ == "builtins" and id(result) not in CALLBACKS:
            return self.begun("awaitable", result)
        if is_iterator(kind):
            return self.begun("iterator", result)
        arguments = self.after(args, kwargs)
        for place, value in (*enumerate(args), *kwargs.items()):
            if value is result and kind in MUTABLE:
                return '{"argument":%s,"arguments":%s}' % (dumps(place), arguments)
        return self.value(result)[:-1] + ',"arguments":%s}' % arguments

    def after(self, args, kwargs):
        """Arguments after the call: test code may look at what was done to them in place. What cannot cross is told as
        lost."""
        begun = set()
        positional = ",".join([self.one_after(value, begun) for value in args])
        named = ["[%s,%s]" % (encode(name), self.one_after(value, begun)) for name, value in kwargs.items()]
        return '[[%s],{"dict":[%s]}]' % (positional, ",".join(named))

    def one_after(self, argument, begun):
        """`begun` are the nodes that those before it told of."""
        try:
            return encoding.encode(argument, After(self.handed_over, begun))
        except Refused:
            return dumps(LOST)

    def value(self, result):
        """A value as it crosses, with the handles of what stays here; and with its own, where its class adds something
        for which test code may want the object."""
        try:
            return self.crossed(result)
        except Refused as refusal:
            return dumps({"value": live(self.keep, result, refusal)})

    def crossed(self, result):
        """The same of what must not stay here as a whole."""
        crossing = Between(keep=self.keep)
        plain = encoding.encode(result, crossing)
        if not crossing.adds:
            return '{"value":%s}' % plain
        as_object = encoding.encode(result, Between(keep=self.keep, as_objects=True))
        more = ',"overrides":true' if overrides(type(result), self.module) else ""
        return '{"value":%s,"object":%s,"adds":%s%s}' % (plain, as_object, dumps(sorted(crossing.adds)), more)


def is_member(value):
    """Whether it is one of an enumeration, and no plain data."""
    enumerations = getattr(sys.modules.get("enum"), "EnumMeta", ())
    return isinstance(type(value), enumerations) and value_base(type(value)) is None


def attribute(target, path):
    for name in path:
        target = special(target, name) if name in SPECIAL and not isinstance(target, type) else found(target, name)
    return target


def found(target, name):
    # What an object says of its class is not what `type` says.
    return type(target) if name == "__class__" else getattr(target, name)


def special(target, name):
    """A special method of an object, which its class has: what the object itself says of that is not asked."""
    kind = type(target)
    part = next((part for part in kind.__mro__ if name in vars(part)), None)
    if part is None:
        raise AttributeError("'%s' object has no attribute '%s'" % (type_name(target), name))
    held = vars(part)[name]
    return held.__get__(target, kind) if hasattr(type(held), "__get__") else held
