"""The test code's end of the channel: it asks, and turns the answers into what test code can hold.

What comes from the candidate is checked here, as it arrives: a reply that makes no sense is the candidate's doing
whatever the test code would make of it.
"""

import builtins
import sys
from abc import ABCMeta
from functools import partial
from json import dumps, loads
from time import monotonic
from types import BuiltinFunctionType, FunctionType, MappingProxyType, MethodType

from mc_sandbox.script import FILE_NAME

from ... import encoding
from ...decoding import decode
from ...encoding import Refused
from ..analysis.faults import line_of_test_code
from ..stand_ins.awaiting import Awaited
from ..stand_ins.doubted import is_live
from ..stand_ins.guarded import Guarded
from ..stand_ins.named import Class, Function
from ..wire.arguments import Arguments
from ..wire.chains import called, copies, element
from ..wire.channel import Between, Channel, deeper
from ..wire.coroutines import running_loop
from ..wire.errors import Errors
from ..wire.files import TooMuchError
from ..wire.hearing import listened_for, say_again
from ..wire.left_behind import LeftBehind
from ..wire.likeness import are_alike
from ..wire.plain import NOT_PLAIN
from ..wire.signature import read_signature
from ..wire.streams import Streams
from ..wire.surroundings import Surroundings
from ..wire.turns import Turns
from .callbacks import Callbacks
from .contexts import Bodies
from .ending import leave
from .exchanges import Exchanges
from .giving import Giving
from .going_on import GoingOn
from .handing import Handing
from .lifetimes import TELLING, Lifetimes
from .mirrored import Mirrored
from .naming import Naming
from .outgoing import Outgoing
from .own_nodes import OwnNodes
from .raising import ENDED, Raising
from .reading import Reading
from .replaced import Replacements
from .subclasses import Subclasses

CALLABLES = {kind.__name__: kind for kind in (FunctionType, BuiltinFunctionType, MethodType)}
BUILTIN_KINDS = {name: kind for name, kind in vars(builtins).items() if isinstance(kind, type)}
# What stands for what can be called, by what it is.
CALLED = {"callable": Function, "class": Class}
NONSENSE = "it sent a reply that makes no sense"
# Requests that have the candidate's things be as those of the test code.
ALTERING = ("alter", "alter_error", "alter_nodes", "refresh")
# Methods by which a context is entered.
ENTERING = ("__enter__", "__aenter__")
# Special methods that change an object.
CHANGING = ("__setitem__", "__delitem__", "__init__")


class Link(Raising, Reading, Naming, Subclasses, GoingOn, Giving):
    """What all stand-ins of one test code ask through.

    `named` are the names that the test code uses, `objects` the chains of those things of the candidate's that are
    known to be objects, not plain data; `in_place` says of a function whether it is to change its arguments, where a
    call of it gives nothing, or gives something; `expecting`, at which places are some of which that is not to be seen;
    `shows_files`, whether files to which these lead are; `may_expect`, whether what is expected may be made of what the
    test code's own functions and objects gave meanwhile, and `recomputes`, whether it is computed of that later."""

    def __init__(
        self, named, channel=None, objects=(), in_place=None, expecting=None, shows_files=None, may_expect=None,
        recomputes=None, is_stated=lambda name: False,
    ):
        self.channel = channel or Channel()
        self.named = named
        self.objects = set(objects)
        # The chains of what classes of the candidate's made, by its account.
        self.instances = set()
        # Of those, by handle, the chain; and of what their own methods made.
        self.made_by = {}
        # The chains of those that were told plain data.
        self.told = set()
        # By the chains of objects that cannot be iterated over, what they said when asked whether they hold plain data.
        self.held_to = {}
        # By the same, whether they give what they said, for which they are asked when the test code has ended: it might
        # see that they were asked.
        self.unasked = {}
        # Since the last call: what objects gave, what they hold as plain data, what they equal, if they are true, and
        # their hashes.
        self.held, self.contents, self.likenesses = Answers(self), Answers(self), Answers(self)
        self.truths, self.hashes = Answers(self), Answers(self)
        # Since the last call that the test code wrote: what objects gave that may be in the place of plain data.
        self.settled = Answers(self)
        self.in_place = in_place or (lambda function, gives_nothing: True)
        self.expecting = expecting or (lambda function: ())
        self.shows_files = shows_files or (lambda function, places: True)
        self.may_expect = may_expect or (lambda function: False)
        self.recomputes = recomputes or (lambda function: False)
        # Whether the test code was not shown all that the candidate did to what both hold.
        self.hid = False
        self.streams = Streams()
        self.replacements = Replacements(self)
        self.surroundings = Surroundings(named)
        self.left_behind = LeftBehind(named, self.surroundings)
        self.listening = listened_for(named)
        self.lifetimes = Lifetimes(self)
        # What of the test code's functions crosses.
        self.handing = Handing()
        self.callbacks = Callbacks(self)
        # The calls that go on: what each was given, and which function that is.
        self.calls = []
        self.turns = Turns(self.go_on)
        # Whether it has classes of its own for LeetCode's lists and trees.
        self.has_nodes = False
        # Whether the candidate was told that its own are objects.
        self.keeps_nodes = False
        # Where it has contexts.
        self.bodies = Bodies("")
        # What of the candidate's the test code may evaluate.
        self.evaluated = None
        self.exchanges = Exchanges()
        # Replies to calls that the test code left before they came back.
        self.owed = 0
        # Whether the test code has asked something of the candidate, and how long it waited for the answers.
        self.asked = False
        self.waited = 0.0
        # The names of attributes that it sets. What it has had of one of them, a method for one, stays what that was.
        self.altered = frozenset()
        # The test code's names, and what of them the candidate has as plain data.
        self.namespace, self.values = {}, {}
        self.errors = Errors(named, self)
        self.mirrored = Mirrored(self.sent, self.read, self.in_place, is_stated, self.callbacks)
        self.nodes = Between.graphs = OwnNodes(self)
        self.begin_reading()
        self.begin_deriving()

    def settle(self):
        """Leave if what an object said was always the same: one made for the purpose would say no more."""
        for chain, answers in self.held_to.items() if not self.mirrored.is_shown else ():
            is_settled = answers == {True, False} or chain in self.objects
            if not is_settled and not all(gives() for gives in self.unasked[chain]):
                self.leave("live", NOT_PLAIN, chain=chain)

    def forget(self):
        """A call may have changed what objects give."""
        for known in (self.held, self.contents, self.likenesses, self.truths, self.hashes):
            known.clear()

    def leave(self, kind, reason, **more):
        if kind == "unshieldable":
            more["at"] = line_of_test_code()
        leave(kind, reason, waited=self.waited, **more)

    def ask(self, given=MappingProxyType({}), failing=None, **request):
        """The candidate's reply, unless that is an exception of its own, of which `failing` is told. Files to which
        paths among the arguments `given` lead, it is to find in its box."""
        with self.callbacks.set_back.turn(""):
            return self.reply_to(given, failing, request)

    def reply_to(self, given, failing, request):
        is_aside = self.reading.goes_on
        if is_aside:
            request["aside"] = True
        elif request["op"] not in ALTERING:
            self.alter()
            request.update(self.callbacks.marked())
        request.update(self.surround(given, function_of(request.get("path") or "")), **self.left_behind.request)
        if request["op"] in TELLING and not is_aside:
            request.update(self.lifetimes.told())
        loop = running_loop()
        request.update(self.of_loops(loop))
        with self.exchanges.one():
            reply = self.exchange(dumps(request))
        if not isinstance(reply, dict):
            self.leave("candidate", NONSENSE)
        self.note(reply, is_aside, loop)
        if "raised" in reply:
            self.raise_again(reply, failing)
        return reply

    def of_loops(self, loop):
        """What the candidate is to know of the test code's loop, and of what it awaits there."""
        told = {} if loop is None else {"in_loop": True}
        if self.turns.has_ended():
            told["loop_ended"] = True
        if self.callbacks.coroutines.tasks:
            told["awaited"] = self.callbacks.coroutines.all_ended()
        return told

    def note(self, reply, is_aside, loop):
        """What a reply says of more than what was asked."""
        if not is_aside:
            self.checked(lambda: self.mirrored.settle(reply))
        self.hid |= self.checked(lambda: self.mirrored.change(reply.get("changed", ())))
        self.checked(lambda: self.nodes.note(reply, is_aside))
        self.checked(lambda: self.lifetimes.note(reply))
        if loop is not None and "busy" in reply:
            self.turns.begin(loop)
        is_entering = bool(self.calls) and self.calls[-1][1] in ENTERING
        self.checked(lambda: self.streams.after(reply, self.stream_of if is_entering else None))
        self.callbacks.note(reply)
        self.note_errors(reply)
        self.checked(lambda: say_again(reply, self.errors))
        self.note_files(reply)
        self.hid |= self.checked(lambda: self.left_behind.note(reply, self.mirrored.is_shown))
        if self.evaluated is not None:
            self.evaluated.note(reply)

    def note_files(self, message):
        """What the candidate did to files."""
        if self.evaluated is not None:
            self.checked(lambda: self.evaluated.note_files(message.get("files", ())))
        with self.replacements.put_aside():
            self.hid |= self.checked(lambda: self.surroundings.note(message, self.shows_files))

    def stream_of(self, handle, chain):
        """What stands for a stream of the candidate's."""
        self.objects.add(chain)
        return Guarded(self, handle, "", chain)

    def alter(self):
        """Have the candidate's own things hold what the test code has put into them."""
        with self.reading_of():
            altered = list(self.mirrored.altered())
        for number, value in altered:
            self.ask(op="alter", of=number, value=value)
        nodes = self.nodes.altered()
        if nodes:
            self.ask(op="alter_nodes", value=self.sent(nodes))
        for number, value in list(self.callbacks.altered()):
            self.ask(op="refresh", of=number, value=value)
        for number, handle, changes in list(self.errors.instances.altered()):
            self.ask(op="alter_error", of=number, handle=handle, value=changes)

    def run(self, given=MappingProxyType({}), failing=None, **request):
        """The reply to a request for which the candidate does what the test code would see and hear."""
        streams = self.streams.before(self.leave)
        return self.ask(given, failing, **request, **streams, **self.replacements.before(), hear=self.listening)

    def surround(self, given=MappingProxyType({}), function=""):
        """What the candidate's box has yet to learn of the test code's, for a call of this function."""
        around = list(self.replacements.values_found())
        try:
            with self.replacements.put_aside():
                return self.surroundings.changes(given, function, around)
        except TooMuchError:
            self.leave("unshieldable", "the test code hands over more files than can cross")

    def exchange(self, message):
        """The reply to a message, after what the candidate calls here meanwhile."""
        start, reply = monotonic(), None
        try:
            self.channel.send(message)
            self.owed += 1
            while self.owed:
                reply = self.receive()
                if isinstance(reply, dict) and "callback" in reply:
                    start += self.answer(reply)
                else:
                    self.owed -= 1
        except ConnectionError:
            reply = ENDED
        finally:
            self.waited += monotonic() - start
        if reply is NONSENSE or reply is ENDED:
            self.leave("candidate", reply)
        return reply

    def receive(self):
        """What comes next from the candidate."""
        try:
            line = self.channel.receive()
            if line is not None:
                return loads(line)
        except (RecursionError, ValueError):
            return NONSENSE
        raise ConnectionError

    def answer(self, message):
        """Call what the candidate calls, and tell it what came of that; how long that computed."""
        owed, self.owed, start = self.owed, 0, self.streams.start
        try:
            with deeper(), self.exchanges.answering():
                answer, seconds = self.callbacks.answer(message)
        finally:
            self.owed, self.streams.start = owed, start
        self.channel.send(answer)
        return seconds

    def checked(self, read):
        """What `read` makes of a reply."""
        try:
            return read()
        except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError):
            self.leave("candidate", NONSENSE)

    def get(self, of, path, chain):
        """What the candidate has under `path`: in its module, or in the object of a handle."""
        self.asked = True
        return self.fetch(of, path, chain)

    def fetch(self, of, path, chain):
        keeps = {"keeps": True} if function_of(path) in self.altered else {}
        reply = self.run(op="get", of=of, path=path, **keeps)
        for what, kind in CALLED.items():
            if what in reply:
                handle = reply[what]
                return kind(self, of, path, chain) if handle is True else self.one_kept(handle, chain, kind)
        if "exception" in reply:
            return self.checked(lambda: self.errors.take_as(path.rpartition(".")[2], *reply["exception"]))
        if "instance" in reply:
            self.instances.add(chain)
        return self.taken(reply, self.read(self.chosen(reply), chain), chain)

    def one_kept(self, handle, chain, kind=Function):
        """What the candidate may have something else for later."""
        return self.checked(lambda: kind(self, int(handle), "", chain))

    def chosen(self, reply):
        """A reply with the object itself in place of what that holds, where the test code names something that only
        the object has. Which names those are is no business of the candidate's: they may say what is expected. Where
        its class has methods of its own in place of a builtin's, a candidate that passes with what it holds has to do
        so with the object."""
        adds = self.checked(lambda: frozenset(reply.get("adds", ())))
        # What has a say in attributes that are set is an object where some are.
        names_more = not self.named.isdisjoint(adds) or bool(self.altered) and "__setattr__" in adds
        if names_more or self.mirrored.is_shown and "overrides" in reply:
            self.as_object(reply)
        self.hid |= not names_more and "overrides" in reply
        return reply

    def as_object(self, reply):
        """The same whatever the test code names."""
        reply["value"] = self.checked(lambda: reply.get("object", reply["value"]))

    def delete(self, of, path, name):
        self.asked = True
        self.forget()
        self.run(op="delete", of=of, path=path, name=name)

    def content(self, value):
        """What an object is as plain data, the names of the special methods that its class has of its own, and whether
        there are objects in it; None if it is none. It is the same until the next call."""
        place = value._remote_of, value._remote_path
        if place not in self.contents:
            self.contents[place] = self.ask_for_content(*place, value._remote_chain)
        return self.contents[place]

    def ask_for_content(self, of, path, chain):
        self.asked = True
        reply = self.ask(op="content", of=of, path=path)
        if "refused" in reply:
            self.leave("candidate", NOT_PLAIN)
        if "value" not in reply:
            return None
        has_objects = "objects" in reply
        with self.reading_of(chain=element(chain) if has_objects else None):
            return self.checked(lambda: (decode(reply["value"]), set(reply["own"]), has_objects))

    def likeness(self, value):
        """The plain data that an object equals, in all its forms. It is the same until the next call."""
        place = value._remote_of, value._remote_path
        if place not in self.likenesses:
            self.asked = True
            reply = self.ask(op="likeness", of=place[0], path=place[1])
            with self.reading_of(chain=None):
                forms = self.checked(lambda: list(decode(reply["value"])))
            self.likenesses[place] = forms if self.checked(lambda: are_alike(forms)) else []
        return self.likenesses[place]

    def truth(self, of, path):
        self.asked = True
        return self.run(op="truth", of=of, path=path).get("value") is True

    def settled_truth(self, of, path):
        """The same until the next call."""
        if (of, path) not in self.truths:
            self.truths[of, path] = self.truth(of, path)
        return self.truths[of, path]

    def is_instance(self, value, kind):
        self.asked = True
        request = {"op": "is_instance", "value": self.sendable(value), "kind": self.sendable(kind)}
        return self.run(**request).get("value") is True

    def kind_of(self, of, path):
        """The builtin class that a function or class of the candidate's is of."""
        name = self.ask(op="kind_of", of=of, path=path).get("value")
        return type if name == "class" else CALLABLES.get(name, Function)

    def metaclass(self, of, path):
        """The class of a class of the candidate's, if that is one of its own or the library's for abstract ones."""
        self.asked = True
        told = self.ask(op="kind_of", of=of, path=path)
        if told.get("from") == ["abc", "ABCMeta"]:
            return ABCMeta
        return self.checked(lambda: Function(self, int(told["made"]), "", "Meta")) if "made" in told else None

    def mro(self, of, path, **direct):
        """The classes that a class of the candidate's has its attributes of; or those that it derives from."""
        self.asked = True
        reply = self.ask(op="mro", of=of, path=path, **direct)
        return self.checked(lambda: tuple(map(self.kind_told, reply["mro"], reply["names"])))

    def kind_told(self, told, name):
        """A builtin class by its name, or one of the candidate's by its handle."""
        return Function(self, int(told), "", str(name)) if type(told) is int else BUILTIN_KINDS[told]

    def signature(self, of, path):
        self.asked = True
        reply = self.ask(op="signature", of=of, path=path)
        return self.checked(lambda: read_signature(reply["value"]))

    def call(self, of, path, chain, args, kwargs):
        """Call what the candidate has under `path`."""
        named = path or self.name_of(of, chain)
        with self.callbacks.set_back.turn(function_of(named)):
            result = self.given_by(named, of, path, chain, args, kwargs)
            self.callbacks.know(result)
            return result

    def given_by(self, named, of, path, chain, args, kwargs):
        self.asked = True
        if not path.endswith("__") or path.endswith(CHANGING):
            self.forget()
        arguments = Arguments(args, kwargs)
        arguments.sent = self.sendable([list(args), kwargs], arguments.given)
        self.callbacks.hand(arguments.given)
        if self.evaluated is not None:
            self.evaluated.tell(arguments.sent)
        given = [*args, *kwargs.values()]
        numbers = self.mirrored.numbers(given)
        more = {"numbers": numbers} if numbers else {}
        after = partial(self.after_raising, named, arguments)
        placed = {**dict(enumerate(args)), **kwargs}
        self.errors.instances.note_arguments(given, function_of(named))
        self.calls.append((arguments, function_of(named)))
        try:
            reply = self.run(placed, after, op="call", of=of, path=path, arguments=arguments.sent, **more)
        finally:
            self.calls.pop()
        if copies(of, path, given):
            self.as_object(reply)
        chain = called(chain, copies(of, path, given))
        self.checked(lambda: arguments.know(dict(reply.get("numbers", ()))))
        with self.nodes.after(arguments, function_of(named), is_none(reply)):
            result = self.result(reply, arguments, named, chain)
        self.note_arguments(reply, arguments, chain, function_of(named))
        result = self.taken(reply, result, chain)
        # Once it is known what the call was given, and gave: the candidate may have that under a name as well.
        self.refresh()
        return result

    def name_of(self, of, chain):
        """What the test code calls by another name than the candidate's: an attribute, or what it has in a variable."""
        last = function_of(chain)
        return last if last.isidentifier() else name_where_called(self.stand_ins.get((of, chain)))

    def note_arguments(self, reply, arguments, chain, function):
        """Look after what of the arguments of a call can be changed, as the candidate has it after that."""
        numbers = self.checked(lambda: list(dict(reply.get("numbers", ())).get("arguments", ())))
        with self.reading_of():
            for place, told in numbers:
                given = self.checked(lambda place=place: arguments.at(place))
                self.checked(lambda given=given, told=told: self.mirrored.note_argument(given, told, chain, function))

    def taken(self, reply, value, chain):
        """A value of a reply, in which what the candidate has as one thing is one."""
        with self.reading_of():
            numbers = self.checked(lambda: dict(reply.get("numbers", ())).get("result", ()))
            return self.checked(lambda: self.mirrored.take(value, numbers, chain))

    def after_raising(self, path, arguments, reply):
        """Do to the arguments of a call what it did to them before it raised something, if that is to be seen."""
        function = function_of(path)
        self.checked(lambda: arguments.know(dict(reply.get("numbers", ()))))
        with self.nodes.after(arguments, function, gives_nothing=True):
            theirs = self.checked(lambda: self.theirs(reply, arguments))
        if theirs is not None:
            self.update(arguments, theirs, function, True)
        self.note_arguments(reply, arguments, called(function), function)

    def update(self, arguments, theirs, function, gives_nothing):
        """Do to the arguments of a call what that did to them, as far as it is to be seen; the candidate's copies,
        where it is not."""
        if not self.in_place(function, gives_nothing):
            self.hid = True
            return theirs
        self.hid |= self.checked(lambda: arguments.update(theirs, self.expecting(function)))
        return None

    def changed(self, reply, arguments, path):
        """What `update` leaves after what became of the arguments of a call."""
        theirs = self.checked(lambda: self.theirs(reply, arguments))
        if theirs is None:
            return None
        return self.update(arguments, theirs, function_of(path), is_none(reply))

    def theirs(self, reply, arguments):
        """The candidate's copies of the arguments of a call, if it changed them."""
        with self.reading_of(given=arguments.given):
            theirs = arguments.theirs(reply)
        if theirs is not None:
            arguments.advance(theirs)
        return theirs

    def sent(self, value, given=None):
        return loads(encoding.encode(value, Outgoing(self.handing, given, self.callbacks)))

    def can_send(self, value):
        """Whether a value can cross."""
        try:
            self.sent(value)
        except Refused:
            return False
        return True

    def sendable(self, value, given=None):
        """A value as it crosses; what of it is no plain data is added to those `given`."""
        try:
            return self.sent(value, given)
        except Refused as refusal:
            self.leave("unshieldable", "the test code passes %s" % refusal)

    def result(self, reply, arguments, path, chain):
        """What a call gave back, after what it did to its arguments."""
        if "exception" in reply:
            self.changed(reply, arguments, path)
            return self.checked(lambda: self.errors.take_as(function_of(path), *reply["exception"]))
        self.chosen(reply)
        if "iterator" in reply:
            return self.iterator(reply, chain)
        if "awaitable" in reply:
            return self.checked(lambda: Awaited(self, int(reply["awaitable"]), chain, str(reply["kind"]), path))
        if not self.mirrored.is_shown and chain in self.told and "live" not in (reply["value"] or ()):
            self.leave("candidate", NOT_PLAIN)
        if "instance" in reply:
            self.instances.add(chain)
        theirs = self.changed(reply, arguments, path)
        place = reply.get("argument")
        if place is not None:
            return self.checked(lambda: (theirs or arguments).at(place))
        result = self.read(reply, chain)
        if "made" in reply and is_live(result):
            self.made_by.setdefault(result._remote_of, chain)
        return result

    def exit(self, of, path, name, chain, error, **how):
        """Leave a context of the candidate's by this exception, or by none. If it `is_asked` for, what that gives."""
        self.asked = True
        with self.errors.instances.passed(error) as told:
            reply = self.run(op="exit", of=of, path=path, name=name, error=told, **how)
        self.refresh()
        return self.result(reply, Arguments((), {}), path, chain)


class Answers(dict):
    """What was answered and is taken to be the answer still. A candidate that passes so has to pass where it is asked
    each time."""

    def __init__(self, link):
        super().__init__()
        self.link = link

    def __contains__(self, asked):
        if self.link.mirrored.is_shown:
            return False
        is_known = super().__contains__(asked)
        self.link.hid |= is_known
        return is_known


def name_where_called(function):
    """The name that the test code has for a function where it calls it; empty if it has none."""
    frame = sys._getframe()
    while frame is not None and frame.f_code.co_filename != FILE_NAME:
        frame = frame.f_back
    names = {**frame.f_globals, **frame.f_locals} if frame is not None and function is not None else {}
    return next((name for name, value in names.items() if value is function), "")


def is_none(reply):
    """Whether a call gave nothing."""
    is_something = "exception" in reply or "made" in reply
    return not is_something and reply.get("argument") is None and reply.get("value") is None


def function_of(path):
    return path.rpartition(".")[2]
