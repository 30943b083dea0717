"""The test code's side of exceptions that both sides know: the candidate's that it holds, and those handed over.

Each is one thing on both sides. What the test code does to one the candidate sees, before it is asked again. What the
candidate does to one may be what is expected: it shows once the candidate has passed without that; but for what it does
to one that it lets through, or that it is to change by the signs for arguments.
"""

import sys
from contextlib import contextmanager, suppress

from ...decoding import decode
from ...encoding import Refused
from .arguments import update
from .containers import SCALARS, containers, copied, differ
from .described import attributes_of, look, looks_like

NOTHING = object()
HOLDING = (list, dict, set)
# How far it is looked in what an exception was raised.
MOST = 1000


class KnownErrors:
    """Of a link."""

    def __init__(self, link):
        self.link = link
        # Those that the candidate holds by their numbers, which are below 0 where they are the test code's, and what
        # each had when that was last told; and the numbers, by identity.
        self.errors, self.last_told, self.numbers = {}, {}, {}
        # What of them had nothing that may change in it.
        self.looks = {}
        # Those of the reply that is being read, and the numbers of which it says that they are held no more.
        self.recent, self.gone = {}, frozenset()
        # The numbers of the candidate's of which not all is shown that it did to them; and of the test code's, that.
        self.stale, self.unshown = set(), {}
        # By the numbers of the test code's, the function that they were given as arguments.
        self.given_to = {}
        # The numbers of those that the candidate is handed only to let them through, or others in their place.
        self.passing = set()

    def find(self, told):
        """What is known already of an exception of which this is told; None if nothing is."""
        number = told.get("number")
        if number in self.stale:
            return None
        return self.recent[number] if number in self.recent else self.errors.get(number)

    def know(self, told, error):
        """An exception of the candidate's has come here."""
        number = int(told.get("number", -1))
        if number < 0:
            return
        self.recent[number] = error
        self.stale.discard(number)
        if number not in self.gone:
            self.hold(number, error)

    def hold(self, number, error):
        self.errors[number], self.numbers[id(error)] = error, number
        self.note_told(number)

    def note_told(self, number):
        """The candidate knows what one has now."""
        self.last_told[number] = parts(self.errors[number])
        self.looks.pop(number, None)

    def note_parts(self, error):
        """What one has is what it has there."""
        held = vars(error)
        if "_remote_parts" in held:
            held["_remote_parts"] = parts(error)
        if id(error) in self.numbers:
            self.note_told(self.numbers[id(error)])

    def by_number(self, number):
        """One that a reply names by its number alone."""
        if type(number) is not int:
            raise TypeError
        if number < 0:
            return self.link.callbacks.raised[-1 - number]
        return self.recent[number] if number in self.recent else self.errors[number]

    def begin(self):
        """A message has come, or has been read."""
        self.recent.clear()
        self.gone = frozenset()

    def note(self, message):
        """What a message says of them."""
        altered, gone = message["errors"]
        self.gone = frozenset(gone)
        for number, changes in altered:
            self.change(int(number), dict(changes), message)
        for number in self.gone.intersection(self.errors):
            # Of some the message may tell once more.
            error = self.recent[number] = self.errors.pop(number)
            del self.numbers[id(error)], self.last_told[number]
            self.looks.pop(number, None)

    def change(self, number, changes, message):
        """Do to one what the candidate did, as far as that is to be seen."""
        if number not in self.errors:
            return
        if not self.shows(number, message):
            self.stale.update([number] if number >= 0 else ())
            is_passing = number in self.passing or message.get("again") == -1 - number
            hidden = self.in_place(number, changes) if is_passing else changes
            self.link.hid |= bool(hidden)
            self.unshown.setdefault(number, {}).update(hidden)
            changes = {name: changes[name] for name in changes if name not in hidden}
        self.apply(number, changes)

    def in_place(self, number, changes):
        """Those changes by which a list or the like may be another that the test code has elsewhere too."""
        before = {"()": self.errors[number].args, **attributes_of(self.errors[number])}
        held = {name for name in before if name != "__notes__" and any(True for _ in containers(before[name]))}
        return {name: changes[name] for name in changes if name in held}

    def shows(self, number, message):
        """Whether what the candidate did to one is seen, wherever it is."""
        if self.link.mirrored.is_shown:
            return True
        function = self.given_to.get(number)
        is_called = bool(self.link.calls) and self.link.calls[-1][1] == function
        gives_nothing = is_called and message.get("argument") is None and message.get("value") is None
        return function is not None and self.link.in_place(function, gives_nothing)

    def note_arguments(self, values, function):
        """What a function is given may be there for it to change."""
        for value in values:
            if isinstance(value, BaseException) and self.numbers.get(id(value), 0) < 0:
                self.given_to[self.numbers[id(value)]] = function

    def apply(self, number, changes):
        error = self.errors[number]
        for name, told in changes.items():
            with suppress(AttributeError):
                self.change_part(error, name, told)
        self.note_told(number)

    def change_part(self, error, name, told):
        if name == "from":
            error.__cause__ = self.link.errors.other(told[0])
            error.__suppress_context__ = bool(told[1])
        elif name == "in":
            attach(error, self.link.errors.other(told), sys.exc_info()[1])
        elif name == "()":
            if told is not None:
                error.args = update(error.args, tuple(decode(told)[0]))
        elif told is None:
            vars(error).pop(name, None)
        else:
            value = decode(told)[0]
            mine = vars(error).get(name, NOTHING)
            setattr(error, name, value if mine is NOTHING else update(mine, value))

    def show(self, number):
        """The candidate lets one of the test code's through: what it did to it is seen."""
        if number in self.errors:
            hidden = self.unshown.pop(number, {})
            kept = self.in_place(number, hidden)
            self.apply(number, {name: hidden[name] for name in hidden if name not in kept})

    def altered(self):
        """Those to which the test code did something since this was last asked: of each its number, no handle, and what
        that is, as it crosses."""
        for number, error in list(self.errors.items()):
            if looks_like(error, self.looks.get(number)):
                continue
            self.looks[number] = look(error)
            changes = self.changes(error, self.last_told[number])
            self.last_told[number] = parts(error)
            if changes:
                yield number, None, changes

    def changes(self, error, before):
        now = parts(error)
        found = {name: list(now[name]) if name == "()" else now[name] for name in now}
        return {name: self.sent(found[name]) if name in now else None for name in others(now, before)}

    def sent(self, value):
        try:
            return [self.link.sent(value)]
        except Refused:
            return None

    def crossing(self, error):
        """One of the candidate's as it is handed back: its number and handle, and what the test code did to it; None if
        the candidate knows it no more."""
        held = vars(error)
        number = self.numbers.get(id(error), held.get("_remote_number"))
        if number is None or number < 0 or type(error).__module__ == "__main__":
            return None
        before = self.last_told.get(number) or held.get("_remote_parts", {})
        changes = self.changes(error, before)
        self.hold(number, error)
        return {"own_error": [number, held.get("_remote_handle"), changes]}

    def alter(self, error):
        """The candidate is to be asked of one of its own that it may not hold itself: it is to have what the test code
        did to it."""
        held = vars(error)
        if id(error) not in self.numbers and "_remote_number" in held:
            changes = self.changes(error, held["_remote_parts"])
            if changes:
                held["_remote_parts"] = parts(error)
                self.link.ask(op="alter_error", of=held["_remote_number"], handle=held["_remote_handle"], value=changes)

    def replace(self, made, error):
        """The test code itself makes one of the candidate's, which the candidate makes too."""
        number = self.numbers.pop(id(made), None)
        if number is not None and type(error).__module__ != "__main__":
            self.hold(number, error)
        elif number is not None:
            del self.errors[number], self.last_told[number]

    def is_as_told(self, error):
        """Whether the test code has done nothing to one of the candidate's."""
        before = self.last_told.get(self.numbers.get(id(error)), vars(error)["_remote_parts"])
        return not others(parts(error), before)

    def say(self, error, name, *args):
        """What one says of itself."""
        self.alter(error)
        return self.link.call(vars(error)["_remote_handle"], name, chain_of(error, name), args, {})

    def attribute(self, error, name):
        """What one has that has not come here."""
        self.alter(error)
        return self.link.get(vars(error)["_remote_handle"], name, chain_of(error, name))

    def truth(self, error):
        if not self.link.mirrored.is_shown:
            self.link.hid = True
            return True
        self.alter(error)
        return self.link.truth(vars(error)["_remote_handle"], "")

    def compare(self, name, error, other):
        """What one says of itself and another; and only where all is shown, of what is none of the candidate's."""
        is_own = isinstance(other, BaseException) and "_remote_known" in vars(other)
        if not is_own and not (self.link.mirrored.is_shown and self.link.can_send(other)):
            self.link.hid = True
            return NotImplemented
        return self.link.operate(name, chain_of(error, name), error, other)

    def copied(self, error, how):
        """A copy of one, or the error that making one raises."""
        self.alter(error)
        described = self.link.ask(op="copy_error", of=vars(error)["_remote_handle"], how=how).get("made")
        with self.link.reading_of(chain=None):
            return self.link.checked(lambda: described and self.link.errors.made(*described))

    def given(self, error):
        """The number of one of the test code's, below 0."""
        raised = self.link.callbacks.raised
        if id(error) not in self.numbers:
            raised.append(error)
            self.hold(-len(raised), error)
        return self.numbers[id(error)]

    @contextmanager
    def passed(self, error):
        """While one is handed over as what something of the candidate's is left by: it as it crosses."""
        told = None if error is None else self.link.callbacks.error(error)
        with self.let_through(error):
            yield told

    @contextmanager
    def let_through(self, error):
        """While something of the candidate's is left by one that it was handed."""
        number = self.numbers.get(id(error))
        self.passing.add(number)
        try:
            yield
        finally:
            self.passing.discard(number)


def parts(error):
    """What an exception has that may change, as it is now."""
    held = attributes_of(error)
    return {"()": tuple(map(as_now, error.args)), **{name: as_now(value) for name, value in held.items()}}


def as_now(value):
    return copied(value) if type(value) in HOLDING else value


def is_other(one, other):
    """Whether something is another thing; numbers, texts, lists and the like are not if they are equal."""
    if type(one) is tuple and type(other) is tuple and len(one) == len(other):
        return any(map(is_other, one, other))
    if type(one) in HOLDING and type(one) is type(other):
        return differ(one, other)
    return one is not other and not (type(one) is type(other) and type(one) in SCALARS and one == other)


def others(now, before):
    """The names under which something is another thing."""
    return [name for name in {**before, **now} if is_other(now.get(name, NOTHING), before.get(name, NOTHING))]


def chain_of(error, name):
    return "%s().%s" % (type(error).__name__, name)


def attach(error, context, handled=None):
    """Have the first of all in which an exception was raised be raised in this, unless it was; `handled` comes before
    all of these."""
    met = [error]
    while met[-1].__context__ is not None and met[-1].__context__ is not handled and len(met) < MOST:
        met.append(met[-1].__context__)
    chain = [context]
    while chain[-1] is not None and len(chain) < MOST:
        chain.append(chain[-1].__context__)
    if context is not None and not any(one is other for one in chain for other in met):
        met[-1].__context__ = context


def throw(error, is_new):
    """Raise an exception in what it was raised in there, as far as that is known. If it `is_new`, all that was in what
    the test code handles."""
    if is_new:
        attach(error, sys.exc_info()[1])
    context = error.__context__
    try:
        raise error
    finally:
        error.__context__ = context
        del error, context
