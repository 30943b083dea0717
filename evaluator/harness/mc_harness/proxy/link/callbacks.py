"""Functions and objects of the test code's that keep something, such as what they were called with: they stay here, and
the candidate calls and asks them through the channel, in the middle of what it was asked."""

import sys
import types
from abc import ABCMeta
from itertools import count
from json import dumps
from time import process_time

from mc_sandbox.script import FILE_NAME

from ...encoding import LiveObject, Refused
from ..stand_ins.autospec import model_of
from ..wire.annotations import Described
from ..wire.arguments import update
from ..wire.builtin_bases import exact, home_of, passed_for, value_base
from ..wire.chains import element
from ..wire.channel import is_iterator
from ..wire.class_names import name_of
from ..wire.containers import containers, copied, differ
from ..wire.coroutines import Coroutines, running_loop
from ..wire.described import bases_of, blame, raised
from ..wire.errors import Taken
from ..wire.files import TooMuchError
from ..wire.marks import Marks, mark, may_be_set
from ..wire.objects import (
    BUILTIN_METHODS,
    ask,
    code_of,
    has_tests,
    is_class,
    is_made_by_own,
    is_mock,
    is_plain_class,
    running,
    specials,
    stays,
)
from ..wire.plain import METHODS
from ..wire.put_on import DATACLASS, DESCRIPTOR, MADE, RAW, past
from ..wire.shaped import shape
from ..wire.signature import fields_of, signature_of
from ..wire.standard import STANDARD_MODULES
from ..wire.turns import TURN
from .handing import annotations_of, told_of
from .set_back import SetBack
from .withheld import Withheld

FUNCTIONS = (types.FunctionType, types.MethodType, types.MethodWrapperType, *BUILTIN_METHODS)
# Of which it is written in the test code what they give.
OWN = FUNCTIONS[:2]
# What goes on in a loop, by the modules and the names of its classes, and its special methods.
AWAITED = {
    ("_asyncio", "Future"): ("__await__",),
    ("_asyncio", "Task"): ("__await__",),
    ("builtins", "async_generator"): ("__aiter__", "__anext__"),
    ("builtins", "async_generator_asend"): ("__await__",),
    ("builtins", "async_generator_athrow"): ("__await__",),
}
# How functions of the test code's own are called.
CALLING = ("call", "special", "wait")
# How a class is changed.
CHANGING = ("set", "del", *MADE, DESCRIPTOR, DATACLASS)
# How it is asked for what changes no class.
LOOKING = ("call", "get", "special", "copy")
# How the candidate goes on with what it awaits without a loop.
STEPS = ("send", "throw", "close")
# How many things the candidate may know.
MOST = 10_000
LOADING = ("LOAD_ATTR", "LOAD_METHOD")


class Callbacks:
    """Those that one test code handed over, the lists that they gave, and what they raised."""

    def __init__(self, link):
        self.link = link
        # Their numbers, by identity; they themselves; what methods have in common that are equal; and by that the
        # functions of such as the candidate's objects have too.
        self.numbers, self.things, self.methods_known, self.functions = {}, [], {}, {}
        # What has methods that are known, and is none of the objects, with its function where that is Python's.
        self.owners = {}
        # Of methods that are forgotten, no number is given again: the candidate may know others by those behind it.
        self.method_numbers = count()
        # Functions, and objects of the test code's classes with their methods: they are here only as long as the
        # candidate holds them.
        self.objects = {}
        # By the identity of functions that are called with an object of a class of the test code's, the members of that
        # which methods of the class use as objects, and "" for itself.
        self.methods = {}
        # Classes as they cross.
        self.kinds = {}
        # The lists that the candidate may hold, by their numbers, as they crossed.
        self.lists, self.ever_given = {}, set()
        self.withheld = Withheld(link.may_expect, link.recomputes)
        self.set_back = SetBack(self.is_hidden)
        self.raised = []
        # What is known of their functions there; and those that the candidate has renamed, with the names before.
        self.marks, self.renamed = Marks(), {}
        # The classes that the test code has handed over themselves, to be changed maybe.
        self.handed_kinds = set()
        # Those that the candidate awaits; and, of those that it does so by hand, the steps.
        self.coroutines, self.by_hand = Coroutines(), {}

    def crossing(self, value, kind, encode):
        """A function or an object as it crosses, `encode` telling what a signature holds; None if it is none that can
        be called or asked from there."""
        if isinstance(value, Exception):
            return self.error(value)
        is_own = getattr(value, "__module__", None) == "__main__"
        is_class_of_error = issubclass(kind, type) and issubclass(value, Exception)
        if is_class_of_error and (is_own or issubclass(value, Taken)):
            self.take_own(value)
            return {"error_class": bases_of(value)}
        if kind in FUNCTIONS:
            form = "async_callback" if running(value) else "callback"
            numbers, parameters = self.numbers_of(value, encode), shape(value)
            if kind is types.FunctionType:
                self.marks.begin(numbers[0], value)
            return {form: [*numbers, *described(value, encode), parameters, self.link.handing.marks_of(value, encode)]}
        if is_class(value, kind):
            return {"class": self.described(value)}
        if kind.__name__ == "TypeVar" and kind.__module__ == "typing":
            return {"type_variable": [self.number(value), value.__name__]}
        awaited = self.awaited(value, kind)
        if awaited is not None or not stays(kind):
            return awaited
        return self.object(value, kind, encode)

    def hand(self, given):
        """Of what is no plain data in the arguments of a call, the candidate may change the classes."""
        self.handed_kinds.update(value for value in given if is_class(value, type(value)))

    def take_own(self, kind):
        """Have a class of exceptions of the test code's be the same when the candidate gives it back."""
        own = (part for part in kind.__mro__ if part.__module__ == "__main__" and not issubclass(part, Taken))
        self.link.errors.taken.update((name_of(part), part) for part in own)

    def error(self, error):
        """An exception as it crosses: the candidate's own, or one of the test code's by its number."""
        self.take_own(type(error))
        known = self.link.errors.instances
        return known.crossing(error) or {"error": [raised(error), known.given(error)]}

    def object(self, value, kind, encode):
        """An object that stays here, as it crosses, and its value if its class derives from one of values."""
        base = value_base(kind) if kind.__module__ == "__main__" else None
        held = [] if base is None else [encode(exact(value, base))]
        number = self.lent_number(value) if is_lent(kind) else self.number(value)
        described, model = self.described(kind), model_of(value) if is_mock(kind) else None
        if model is not None:
            # There it is of the candidate's class after which it was made.
            described = foreign(kind, described[4], [model._remote_of, model._remote_path])
        return {"object": [number, described, *held]}

    def lent_number(self, value):
        """The number of what the candidate holds only as long as it needs."""
        number = self.number(value)
        self.objects[number] = value
        return number

    def drop(self, number):
        """Forget what the candidate knows no more."""
        thing, self.things[number] = self.objects.pop(number), None
        del self.numbers[id(thing)]
        for known in [known for known in self.methods_known if known[0] == id(thing)]:
            self.functions.pop(self.methods_known.pop(known), None)
        self.methods.pop(id(thing), None)
        self.renamed.pop(id(thing), None)
        self.marks.drop(number)

    def awaited(self, value, kind):
        """What the candidate awaits and goes on here, as it crosses; None if it is none such."""
        if kind is types.CoroutineType:
            return {"coroutine": [self.number(value), value.__name__]}
        if value is mark_of_coroutines():
            return {"library": ["asyncio.coroutines", "_is_coroutine"]}
        names = AWAITED.get((kind.__module__, kind.__name__))
        return names and self.going_on(value, names)

    def described(self, kind):
        """A class as it crosses: of the test code's by its number, with its bases."""
        if kind not in self.kinds:
            self.kinds[kind] = self.describe(kind)
        return self.kinds[kind]

    def describe(self, kind):
        if kind.__module__ != "__main__":
            return foreign(kind, specials(kind))
        bases = [self.described(base) for base in kind.__bases__ if base.__module__ == "__main__"]
        doc = kind.__doc__ and str(kind.__doc__)
        # Who looks whether a class has something does not always ask it for that.
        base = value_base(kind)
        own = [*specials(kind, base or object), *(name for name in vars(kind) if not name.startswith("__"))]
        own += ["__init__"] if is_made_by_own(kind) else []
        builtin = [base and home_of(base), passed_for(kind), specials(type(kind), ABCMeta)]
        held = fields_of(kind, self.link.sent)
        return [self.number(kind), kind.__name__, kind.__qualname__, doc, own, held, bases, *builtin]

    def numbers_of(self, function, encode):
        """That of a function; and of a method, which is another thing each time that it is looked up, of what equals
        it, and what it is a method of where the candidate has that too."""
        if type(function) is types.FunctionType:
            return self.lent_number(function), None
        owner = function.__self__
        known = id(owner), self.name_of(function)
        if known not in self.methods_known:
            self.methods_known[known] = next(self.method_numbers)
        number = self.methods_known[known]
        # What a test expects is held by it too.
        if type(function) is not types.MethodType or not is_lent(type(owner)) or has_tests(type(owner)):
            self.owners[number] = owner, known[1], getattr(function, "__func__", None)
            return self.lent_number(function), [number, None]
        self.functions[number] = function.__func__
        return self.lent_number(function), [number, encode(owner)]

    def method(self, owner, number):
        """That of an object of the test code's, by the numbers of both."""
        return types.MethodType(self.functions[number], self.things[place_of(owner)])

    def method_of_owner(self, number):
        """That of what the candidate does not have itself."""
        owner, name, function = self.owners[number]
        return getattr(owner, name) if function is None else types.MethodType(function, owner)

    def number(self, value):
        """The same for the same function, object or list."""
        number = self.numbers.setdefault(id(value), len(self.things))
        if number == len(self.things):
            self.things.append(value)
        return number

    def answer(self, message):
        """What came of a function that the candidate calls, as it crosses; and for how long that computed. Where it
        waits for something, it is the candidate who has it wait."""
        link, start = self.link, process_time()
        if link.calls and "arrived" in message:
            arguments, function = link.calls[-1]
            numbers = link.checked(lambda: list(map(int, message["arrived"])))
            link.mirrored.note_arrived(arguments.arrived, numbers, function)
        if not link.reading.goes_on:
            link.checked(lambda: link.mirrored.settle(message))
        link.hid |= link.checked(lambda: link.mirrored.change(message.get("changed", ())))
        link.checked(lambda: link.nodes.note(message))
        link.checked(lambda: link.streams.after(message))
        self.note(message)
        link.note_errors(message)
        link.surroundings.hear(message)
        link.note_files(message)
        thing, how = link.checked(lambda: self.asked_for(message["callback"], message["how"], message["name"]))
        args, kwargs = self.arguments(message, self.name_of(thing), thing)
        if link.evaluated is not None:
            link.evaluated.note(message["arguments"])
        try:
            answer = self.outcome(thing, how, str(message["name"]), args, kwargs)
        except BaseException as error:
            answer = {"op": "raised", "error": self.error(error)}
            if how not in CALLING:
                # What it was raised in would live as long as it does.
                error.__traceback__ = None
        link.forget()
        link.alter()
        return dumps({**answer, **self.marked()}), process_time() - start

    def asked_for(self, number, how, name):
        """What the candidate calls or asks, and how."""
        if how == "method":
            return self.method(number, name), "call"
        if how == "method of owner":
            return self.method_of_owner(name), "call"
        return self.things[place_of(number)], str(how)

    def outcome(self, thing, how, name, args, kwargs):
        """What comes of it, as it crosses."""
        if how == "go_on":
            self.coroutines.go_on(min(float(args[0]), TURN))
            return self.returned([self.coroutines.all_ended(), self.coroutines.are_busy()], is_own=False)
        if how == "cancel":
            return self.returned(self.coroutines.cancel(self.number(thing)), is_own=False)
        if how == "wait":
            return self.come_to(thing)
        if how in STEPS:
            return self.stepped(thing, how, args)
        if how in CHANGING and isinstance(thing, type) and thing not in self.handed_kinds:
            # It has that class of an object alone, whose methods may be those by which the test code compares.
            raise AttributeError(name)
        if not self.link.mirrored.is_shown:
            self.set_back.note(thing, how, name, args)
        result = thing(*args, **kwargs) if how == "call" else ask(thing, how, name, args, self.link.can_send)
        if how not in LOOKING and isinstance(thing, type):
            # It may have more now.
            self.kinds.clear()
        if how == "special" and name == "__iter__" or how == "get" and is_iterator(type(result)):
            return self.iterating(result)
        return self.with_files(self.returned(result, is_own=how == "call" and type(thing) in OWN), result)

    def come_to(self, thing):
        """What something that is awaited has come to, or that it goes on, and in which loop."""
        task = self.coroutines.ended(self.number(thing), thing)
        if task is None:
            return {"op": "pending", "within": running_loop() is not None}
        if task.cancelled():
            return {"op": "cancelled"}
        is_own = type(thing) is types.CoroutineType and thing.cr_code.co_filename == FILE_NAME
        return self.with_files(self.returned(task.result(), is_own), task.result())

    def stepped(self, thing, how, args):
        """What comes of a step of something that the candidate awaits without a loop."""
        number = self.number(thing)
        steps = self.by_hand.setdefault(number, thing if type(thing) is types.CoroutineType else thing.__await__())
        try:
            return {**self.returned(getattr(steps, how)(*args), is_own=False), "op": "yielded"}
        except StopIteration as end:
            del self.by_hand[number]
            return self.returned(end.value, is_own=False)

    def with_files(self, answer, result):
        """An answer, with the files to which what a function gave leads, unless these are too many: it may be the
        candidate's doing that it gave them."""
        try:
            with self.link.replacements.put_aside():
                return {**answer, **self.link.surroundings.changes(around=[result])}
        except TooMuchError:
            return answer

    def iterating(self, iterator):
        """What an object gives to be iterated over goes on here, for what it goes through may change; so does what it
        has as an attribute, of which there is one."""
        return {"op": "returned", "value": self.going_on(iterator), "numbers": [], "lists": []}

    def kept(self, value, kind):
        """An iterator or a view that stays here, as it crosses."""
        return self.going_on(value, ("__iter__", "__next__") if hasattr(kind, "__next__") else specials(kind))

    def going_on(self, value, names=("__iter__", "__next__")):
        """What goes on here, as it crosses, by these special methods."""
        return {"object": [self.number(value), foreign(type(value), names)]}

    def returned(self, result, is_own):
        """What was given as it crosses. What a function of the test code's `is_own` to give is known of it; of other
        things the candidate may have asked for what no program needs."""
        if result is NotImplemented:
            return {"op": "not implemented"}
        link = self.link
        try:
            with self.withheld.as_left(self.things):
                value = link.sent(result)
        except Refused as refusal:
            if is_own and isinstance(refusal, LiveObject):
                link.leave("unshieldable", "a function of the test code gives %s" % refusal)
            raise TypeError("%s cannot be given to the program" % refusal) from None
        given = list(containers(result)) if len(self.things) < MOST else []
        numbers = list(map(self.number, given))
        lists = dict(zip(numbers, map(copied, given)))
        self.lists.update(lists)
        self.ever_given.update(lists)
        link.mirrored.give(result)
        return {"op": "returned", "value": value, "numbers": link.mirrored.numbers([result]), "lists": numbers}

    def given(self, number):
        """A list that was given, by its number below 0. What a reply drops, it may give back."""
        if -1 - number not in self.ever_given:
            raise LookupError
        return self.things[-1 - number]

    def lent(self):
        """Their numbers, by identity, of the lists that the candidate may hold."""
        return {id(self.things[number]): -1 - number for number in self.lists}

    def altered(self):
        """The lists that the candidate may hold, and that the test code changed since; each with its number."""
        for number, before in list(self.lists.items()):
            if differ(self.things[number], before):
                value = self.withheld.left(number, self.things[number])
                self.lists[number] = copied(self.things[number])
                if self.link.can_send(value):
                    yield number, self.link.sent(value)

    def arguments(self, message, name, function):
        """What the function is called with, in which what the candidate has as one thing is one."""
        link = self.link
        args, kwargs = link.checked(lambda: message["arguments"])
        as_objects = used_as_objects(function).union((0, members) for members in self.methods.get(id(function), ()))
        placed = [*enumerate(link.checked(lambda: list(args))), *link.checked(lambda: dict(kwargs).items())]
        chains = {place: "%s(%s)" % (name, place) for place, _ in placed}
        if id(function) in self.methods:
            chains[0] = name + "(self)"
        link.objects.update(chains[place] + members for place, members in as_objects if place in chains)
        values = [self.argument(value, chains[place]) for place, value in placed]
        if "numbers" in message:
            values = link.checked(lambda: self.unified(values, list(message["numbers"]), element(name)))
        return values[: len(args)], dict(zip(kwargs, values[len(args) :]))

    def unified(self, values, numbers, chain):
        """Values in which what is one thing by its number is one."""
        with self.link.reading_of():
            for place, value in enumerate(values):
                held = len(list(containers(value)))
                values[place] = self.link.mirrored.take(value, numbers[:held], chain)
                del numbers[:held]
        return values

    def argument(self, told, chain):
        """One of them: an exception comes as one, and so does its class."""
        link = self.link
        form, spec = next(iter(told.items())) if isinstance(told, dict) and len(told) == 1 else (None, None)
        if form == "error":
            return link.checked(lambda: link.errors.made(*spec))
        if form == "error_class":
            return link.checked(lambda: link.errors.take(*spec))
        return link.read({"value": told}, chain)

    def note(self, message):
        """Have functions have the attributes that the candidate gave them, and lists what it put into them."""
        for number, content in self.link.checked(lambda: dict(message.get("altered", ())).items()):
            self.link.checked(lambda number=number: self.lists[number])
            self.change(number, self.link.read({"value": content}, element("")))
        for number in self.link.checked(lambda: list(message.get("dropped", ()))):
            self.lists.pop(number, None)
        for number, name, *value in self.link.checked(lambda: list(map(list, message.get("attributes", ())))):
            self.link.checked(lambda told=(number, name, *value): self.mark(*told))

        for number, name, value in self.link.checked(lambda: list(map(tuple, message.get("fields", ())))):
            thing = self.link.checked(lambda number=number: self.things[place_of(number)])
            value = self.link.read({"value": value}, "%s.%s" % (type(thing).__name__, name))
            self.link.checked(lambda told=(thing, "__setattr__", [name, value]): self.set_past(*told))

    def set_past(self, thing, how, args):
        """Set an attribute of an object past its class."""
        if not self.link.mirrored.is_shown:
            self.set_back.note(thing, RAW, how, args)
        past(thing, how, args)

    def know(self, result):
        """What a call gave: where that is the test code's own, what became of it shows, and of lists in it."""
        if self.set_back.know(result):
            for number, theirs in self.withheld.show().items():
                update(self.things[number], theirs)
                self.lists[number] = copied(self.things[number])
        self.withheld.changed.clear()

    def is_hidden(self, mine, theirs, function):
        """Whether it is not to be seen what became of something while a function of the candidate's ran."""
        is_hidden = self.withheld.hides(mine, theirs, function)
        self.link.hid |= is_hidden
        return is_hidden

    def change(self, number, theirs):
        """Have a list hold what the candidate left in it, as far as that is to be seen."""
        function = self.link.calls[-1][1] if self.link.calls else ""
        is_shown = self.link.mirrored.is_shown
        if not is_shown and self.withheld.takes(number, self.things[number], theirs, function):
            self.link.hid = True
            return
        update(self.things[number], theirs)
        self.lists[number] = copied(self.things[number])

    def mark(self, number, name, *value):
        """Have a function have an attribute that the candidate gave it, or not have one that it took from it."""
        held = self.marks if number >= 0 else self.link.handing.marks
        function = self.things[number] if number >= 0 else self.link.handing.numbered(-1 - number)
        value = [self.link.read({"value": one}, "%s.%s" % (self.name_of(function), name)) for one in value]
        if type(function) is not types.FunctionType or not may_be_set(name, *value or [""]):
            return
        if name == "__name__":
            self.renamed.setdefault(id(function), (function, function.__name__))
        mark(function, name, *value)
        held.know_one(number if number >= 0 else -1 - number, function, name)

    def name_of(self, thing):
        """The name by which the test code knows a function, whatever the candidate calls it."""
        function = getattr(thing, "__func__", thing)
        if id(function) in self.renamed:
            return self.renamed[id(function)][1]
        return getattr(thing, "__name__", type(thing).__name__)

    def marked(self):
        """What the test code has changed of its functions since this was last asked, as a part of a message."""
        handing = self.link.handing
        told = [(number, one) for number, one in self.marks.changes(self.things.__getitem__, self.told)]
        told += [(-1 - number, one) for number, one in handing.marks.changes(handing.functions.get, self.told)]
        return {"marks": [[number, *one] for number, one in told]} if told else {}

    def told(self, value):
        return told_of(value, self.link.sent)

    def again(self, number):
        """What a function raised that the candidate lets through: the same exception. But for what the test code finds
        wrong itself, it is known that the candidate did."""
        error = self.raised[number]
        self.link.errors.instances.show(-1 - number)
        blame(error)
        return error


def is_lent(kind):
    """Whether objects of a class are of the test code's own, and are no values."""
    return kind.__module__ == "__main__" and is_plain_class(kind) and value_base(kind) is None


def foreign(kind, names, passes_for=None):
    """A class that is not the test code's as it crosses, with the names of its special methods, and where the candidate
    has it too, or that for which it `passes_for`."""
    module, name = kind.__module__, kind.__name__
    is_in_both = module.partition(".")[0] in STANDARD_MODULES and getattr(sys.modules.get(module), name, None) is kind
    if kind is types.GeneratorType or is_in_both and not is_mock(kind):
        passes_for = [module, name]
    return [None, name, None, None, names, None, [], None, passes_for, []]


def mark_of_coroutines():
    """That by which a mock says that its calls are awaited."""
    return getattr(sys.modules.get("asyncio.coroutines"), "_is_coroutine", None)


def place_of(number):
    """The same, which is no place from the end."""
    if type(number) is not int or number < 0:
        raise LookupError
    return number


def described(function, encode):
    """Its names, what it says of itself, and as these cross its annotations and its signature, if it has one that
    can."""
    try:
        signature = signature_of(function, encode, lambda part: encode(Described(part)))
    except (Refused, TypeError, ValueError):
        signature = None
    doc = function.__doc__ and str(function.__doc__)
    return function.__name__, function.__qualname__, doc, signature, annotations_of(function, encode)


def used_as_objects(function):
    """Places and names of the parameters of which a function uses attributes that no plain data has, each with the
    members through which it comes to these."""
    code = code_of(function)
    if code is None:
        return set()
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    is_bound = hasattr(function, "__func__")
    found = set(used_in(code))
    placed = {(names.index(name) - is_bound, members) for name, members in found if name in names}
    return found | placed


def used_in(code):
    import dis

    name, members = None, ""
    for one in dis.get_instructions(code):
        if one.opname.startswith("LOAD_FAST"):
            name, members = one.argval[-1] if type(one.argval) is tuple else one.argval, ""
        elif one.opname in LOADING and name is not None:
            if one.argval not in METHODS:
                yield name, members
            members += "." + one.argval
        else:
            name = None
