"""The test code's side of things that both sides hold: lists, dictionaries and the like that it was given or gave.

In one process these would be the same: a program that gives out its own state, or keeps what it was given, would see
what the test code does to that. So what the test code changed is changed in the candidate's box, too, before that is
asked again, and what is one thing there is one here. What the candidate changes later may be what is expected, so it
comes here only once the candidate has passed without that.
"""

from json import dumps

from ..encoding import Refused
from .aliases import LONGEST, MOST
from .arguments import update
from .containers import containers, copied, differ, unified


class Mirrored:
    """What crossed, as far as it can be changed and both sides hold it, by the numbers of `aliases`. `write` makes of a
    thing what crosses, and `read` the reverse, of a thing to which a chain led."""

    def __init__(self, write, read):
        self.write, self.read = write, read
        # Whether the test code is shown what the candidate did later.
        self.is_shown = False
        # What crossed with the last reply; and of all before, what the candidate holds too: the number of each, the
        # thing, a copy of it as it crossed, and the chain that led there. Where changes are not shown, it is the last
        # that crossed under that number.
        self.crossed, self.held = [], []

    def known(self):
        """What is known, by its number: the last of each."""
        return {number: value for number, value, _, _ in (*self.held, *self.crossed)}

    def numbers(self, values):
        """For each of some values, which of what is in it the candidate holds; and what is one thing, by numbers below
        0."""
        numbers = {id(value): number for number, value, _, _ in self.held}
        all_parts = [list(containers(value)) for value in values]
        count = 0
        seen = set()
        for part in (part for parts in all_parts for part in parts):
            if id(part) in seen and id(part) not in numbers:
                count -= 1
                numbers[id(part)] = count
            seen.add(id(part))
        told = [[numbers.get(id(part), 0) for part in parts] for parts in all_parts]
        return told if any(map(any, told)) else []

    def take(self, value, numbers, chain):
        """A value that crossed, with what is one thing in it; and look after that."""
        if len(numbers) != len(list(containers(value))):
            return value
        value = unified(value, iter(numbers), self.known())
        self.note(value, numbers, chain)
        return value

    def note(self, value, numbers, chain):
        found = list(containers(value))
        if len(found) == len(numbers):
            own = {(number, id(one)) for number, one, _, _ in (*self.held, *self.crossed)}
            new = ((number, part) for number, part in zip(numbers, found) if (number, id(part)) not in own)
            self.crossed.extend([int(number), part, copied(part), chain] for number, part in new)

    def hold(self, numbers):
        """Of what crossed, look after what the candidate says that it holds."""
        known = {number for number, *_ in self.held}.union(numbers)
        found = {one[0]: one for one in self.crossed if one[0] in known}
        kept = [one for one in self.held if one[0] not in found]
        self.held = [*kept, *found.values()][:MOST]
        self.crossed.clear()

    def altered(self):
        """What the test code changed since this was last asked: each number, with what it has now as that crosses."""
        altered = []
        for one in (*self.held, *self.crossed):
            number, value, before, _ = one
            if differ(value, before):
                one[2] = copied(value)
                written = self.written(value)
                if written is not None:
                    altered.append((number, written))
        return altered

    def written(self, value):
        try:
            written = self.write(value)
        except Refused:
            return None
        return written if len(dumps(written)) <= LONGEST else None

    def change(self, changed):
        """Do what the candidate did later, if that is shown; whether it is not."""
        told = {int(number): content for number, content in changed}
        for one in self.held if self.is_shown else ():
            number, value, _, chain = one
            if number in told:
                update(value, self.read({"value": told[number]}, chain))
                one[2] = copied(value)
        return bool(told) and not self.is_shown
