"""The test code's side of things that both sides hold: lists, dictionaries and the like that it was given or gave.

In one process these would be the same: a program that gives out its own state, or keeps what it was given, would see
what the test code does to that. So what the test code changed is changed in the candidate's box, too, before that is
asked again, and what is one thing there is one here. What the candidate changes later may be what is expected, so it
comes here only once the candidate has passed without that; but for what it was given to be changed, such as a list that
an object is to write to.
"""

from json import dumps

from ...encoding import Refused
from ..wire.aliases import FEW, LONGEST, MOST, MOST_COMPARED, Budget
from ..wire.arguments import update
from ..wire.containers import containers, copied, differ, effort, unified


class Thing:
    """One of what crossed: its number, a copy of it as it crossed, the chain that led there, and the function of which
    it was an argument."""

    __slots__ = ("number", "value", "before", "chain", "given_to", "is_given")

    def __init__(self, number, value, chain):
        self.number, self.value, self.before, self.chain = int(number), value, copied(value), chain
        self.given_to = None
        # Whether the test code has given it since, so that the candidate may change it.
        self.is_given = False


class Mirrored:
    """What crossed, as far as it can be changed and both sides hold it, by the numbers of `aliases`; what functions of
    the test code's gave has those of `callbacks`. `write` makes of a thing what crosses, and `read` the reverse, of a
    thing to which a chain led; `in_place` says of a function whether it is to change its arguments, and `is_stated` of
    a name of the candidate's whether all that is done with what has it is to state what it is to be."""

    def __init__(self, write, read, in_place, is_stated, callbacks):
        self.write, self.read, self.callbacks = write, read, callbacks
        self.in_place, self.is_stated = in_place, is_stated
        # Whether the test code is shown all that the candidate did later.
        self.is_shown = False
        # What crossed with the last reply; and of all before, what the candidate holds too. Where changes are not
        # shown, it is the last that crossed under its number.
        self.crossed, self.held = [], []
        # The numbers of all that it holds, be it known here or not.
        self.theirs = set()
        self.comparing = Budget(MOST_COMPARED, FEW)

    def things(self):
        return (*self.held, *self.crossed)

    def known(self):
        """What is known, by its number: the last of each."""
        return {thing.number: thing.value for thing in self.things()}

    def numbers(self, values):
        """For each of some values, which of what is in it the candidate may hold; and what else is one thing, by marks
        that are no numbers."""
        all_parts = [list(containers(value)) for value in values]
        if not any(all_parts):
            return []
        numbers = {**self.callbacks.lent(), **{id(thing.value): thing.number for thing in self.things()}}
        count = 0
        seen = set()
        for part in (part for parts in all_parts for part in parts):
            if id(part) in seen and id(part) not in numbers:
                count += 1
                numbers[id(part)] = str(count)
            seen.add(id(part))
        told = [[numbers.get(id(part), 0) for part in parts] for parts in all_parts]
        return told if any(map(any, told)) else []

    def take(self, value, numbers, chain):
        """A value that crossed, with what is one thing in it; and look after that."""
        if len(numbers) != len(list(containers(value))):
            return value
        # What the test code gave of its own has numbers below 0.
        lent = {number: self.callbacks.given(number) for number in numbers if number < 0}
        value = unified(value, iter(numbers), {**lent, **self.known()})
        self.note(value, numbers, chain)
        return value

    def note(self, value, numbers, chain):
        found = list(containers(value))
        if len(found) == len(numbers):
            own = {(thing.number, id(thing.value)) for thing in self.things()}
            new = (both for both in zip(numbers, found) if (both[0], id(both[1])) not in own and both[0] > 0)
            self.crossed.extend(Thing(number, part, chain) for number, part in new)

    def give(self, value):
        """The test code gives something of its own, in which there may be such things."""
        given = set(map(id, containers(value)))
        for thing in self.things():
            thing.is_given |= id(thing.value) in given

    def note_arrived(self, values, numbers, function):
        """The same of what a function was given that has not come back yet."""
        known = {(thing.number, id(thing.value)) for thing in self.things()}
        for number, value in zip(numbers, values):
            if number > 0 and (number, id(value)) not in known:
                thing = Thing(number, value, function)
                thing.given_to = function
                self.crossed.append(thing)

    def note_argument(self, value, numbers, chain, function):
        """The same of what a function was given."""
        self.note(value, numbers, chain)
        given = set(map(id, containers(value)))
        for thing in self.things():
            if id(thing.value) in given:
                thing.given_to = function

    def settle(self, told):
        """Look after what crossed as far as the candidate says that it holds it, and no more after what it let go."""
        self.hold(told.get("held", ()))
        if "gone" in told:
            self.let_go(told["gone"])

    def hold(self, numbers):
        """Of what crossed, look after what the candidate says that it holds."""
        self.theirs.update(numbers)
        found = {thing.number: thing for thing in self.crossed if thing.number in self.theirs}
        kept = [thing for thing in self.held if thing.number not in found]
        self.held = [*kept, *found.values()][:MOST]
        self.crossed.clear()

    def let_go(self, numbers):
        """Of what was held, look no more after what the candidate has no more."""
        gone = set(numbers)
        self.theirs -= gone
        self.held = [thing for thing in self.held if thing.number not in gone]

    def altered(self):
        """What the test code changed since this was last asked: each number, with what it has now as that crosses."""
        altered = []
        for thing in self.things():
            if self.comparing.allows(effort(thing.value)) and differ(thing.value, thing.before):
                thing.before = copied(thing.value)
                written = self.written(thing.value)
                if written is not None:
                    altered.append((thing.number, written))
        return altered

    def written(self, value):
        try:
            written = self.write(value)
        except Refused:
            return None
        return written if len(dumps(written)) <= LONGEST else None

    def change(self, changed):
        """Do what the candidate did later, as far as that is shown; whether some of it is not."""
        told = {int(number): content for number, content in changed}
        changing = [thing for thing in self.held if thing.number in told]
        shown = list(filter(self.shows, changing))
        for thing in shown:
            update(thing.value, self.read({"value": told[thing.number]}, thing.chain))
            thing.before = copied(thing.value)
        return len({thing.number for thing in shown}) < len(told)

    def shows(self, thing):
        if self.is_shown or thing.is_given:
            return True
        if thing.given_to is not None:
            return self.in_place(thing.given_to, False)
        return self.is_stated(thing.chain.removesuffix("()").rpartition(".")[2])
