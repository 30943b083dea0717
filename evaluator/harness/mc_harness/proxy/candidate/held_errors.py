"""On the candidate's side: exceptions that both sides know, those of the program's and those of the test code's.

What the program holds of them has a number, the same for the same exception, below 0 where it is the test code's. What
the program does to them is told, and what the test code does to them is done here.
"""

from contextlib import suppress
from functools import partial
from json import dumps

from ...decoding import decode
from ..wire.aliases import ALONE, references
from ..wire.arguments import update
from ..wire.channel import GIVEN_ERRORS
from ..wire.containers import SCALAR, differ
from ..wire.described import Description, Teller, arguments, attributes_of, look, looks_like, plain, raised

# How many are known at most.
MOST = 100


class HeldErrors:
    """`kept` holds objects that stay here, exceptions among them."""

    def __init__(self, kept):
        self.kept, self.count = kept, 0
        # By their numbers, with what each had when that was last told; and the numbers, by identity.
        self.errors, self.last_told, self.numbers = {}, {}, {}
        # What of the program's had nothing that may change in it.
        self.looks = {}
        # Of what is raised, and of what is only told of.
        self.raising, self.telling = (Teller(kept.keep, partial(self.number, is_raised=how)) for how in (True, False))

    def number(self, error, is_raised=False):
        if is_raised:
            # Its frames may hold it, and would hold all that is in them.
            error.with_traceback(None)
        if id(error) not in self.numbers:
            self.count += 1
            self.know(self.count, error)
        return self.numbers[id(error)]

    def told_as_value(self, error):
        """One that crosses where a value does."""
        return raised(error, self.telling)

    def know(self, number, error):
        self.errors[number], self.numbers[id(error)] = error, number
        self.last_told[number], self.looks[number] = parts(error, number), look(error)
        return error

    def find(self, number, handle):
        """One of the program's own that the test code hands back."""
        error = self.errors.get(number)
        return self.know(number, self.kept[handle]) if error is None else error

    def take(self, spec):
        """The same, with what the test code has done to it."""
        number, handle, changes = spec
        self.alter(number, handle, changes)
        return self.find(number, handle)

    def alter(self, number, handle, changes):
        error = self.find(number, handle)
        for name, told in changes.items():
            with suppress(Exception):
                change(error, name, told and decode(told))
        self.know(number, error)

    def told(self, is_over):
        """What became of these since it was last asked, as the end of a message: of each what has changed, and which
        nothing holds once a request `is_over`."""
        altered = [[number, changes] for number, changes in self.altered() if changes]
        gone = self.let_go() if is_over else []
        return ',"errors":%s' % dumps([altered, gone]) if altered or gone else ""

    def altered(self):
        for number, error in list(self.errors.items()):
            if number >= 0 and looks_like(error, self.looks.get(number)):
                continue
            self.looks[number] = look(error)
            before, now = self.last_told[number], parts(error, number)
            names = [name for name in {**before, **now} if differ(before.get(name), now.get(name))]
            self.last_told[number] = now
            yield number, {name: self.part(error, name, now) for name in names}

    def part(self, error, name, parts):
        """As it crosses."""
        if name == "()":
            return arguments(error)
        if name == "from":
            return [self.other(error.__cause__), error.__suppress_context__]
        if name == "in":
            return self.other(error.__context__)
        return plain(lambda: attributes_of(error)[name]) if name in parts else None

    def other(self, error):
        return Description(self.telling).other(error, 0)

    def let_go(self):
        """The numbers of those that nothing else holds, or that are too many; they are known no more."""
        counts = references(self.errors)
        loose = [number for number, count in counts.items() if count == ALONE + self.held_for_test_code(number)]
        if len(self.errors) - len(loose) > MOST:
            loose = list(self.errors)[: len(self.errors) - MOST]
        for number in loose:
            error = self.errors.pop(number)
            del self.last_told[number], self.numbers[id(error)]
            self.looks.pop(number, None)
            if number < 0 and counts[number] == ALONE + 1:
                del GIVEN_ERRORS[id(error)]
        return loose

    def held_for_test_code(self, number):
        """How often one is held for the sake of its number or its handle."""
        return (number < 0) + (id(self.errors[number]) in self.kept.handles)


def parts(error, number):
    """What an exception has that may change, as far as it crosses; of the test code's, what it was raised from and in,
    too: those of the program's tell that when they are raised."""
    told = {name: value if type(value) in SCALAR else plain(lambda value=value: value) for name, value in
            attributes_of(error).items()}
    told["()"] = error.args if SCALAR.issuperset(map(type, error.args)) else arguments(error)
    if number < 0:
        told["from"] = [id(error.__cause__), error.__suppress_context__]
        told["in"] = id(error.__context__)
    return told


def change(error, name, value):
    """Have an exception have something else; None stands for nothing, else it is in a list."""
    if name == "()":
        error.args = update(error.args, tuple(value[0]))
    elif value is None:
        delattr(error, name)
    else:
        setattr(error, name, update(vars(error)[name], value[0]) if name in vars(error) else value[0])
