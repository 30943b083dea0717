"""The candidate's side of things that both sides hold: what it was given or gave, and still holds.

In one process these would be the same things, for better or worse: what one side does to them the other sees. So each
has a number, by which the test code's side says which it means and what it did to it (`mirrored`), and is told what the
program did since. Most of what crosses is held by nobody here once the call is over, and is forgotten.
"""

import sys
from collections import Counter
from itertools import islice
from json import dumps
from types import MappingProxyType

from ...encoding import Refused
from .arguments import update
from .containers import containers, copied, differ, effort, fill, kind_of, tuples_in, unified, within
from .crossing import VIEWS

# How many things are looked after, and how long each may be as it crosses.
MOST, LONGEST = 2000, 500_000
# How long a one may be for which that is done whatever it costs, and how much may be done for longer ones: by what
# crosses, and by what is compared.
SHORT, MOST_CROSSING = 10_000, 20_000_000
FEW, MOST_COMPARED = 100, 400_000


class Budget:
    """Of what is done for things that are long."""

    def __init__(self, most, short):
        self.left, self.short = most, short

    def allows(self, size):
        """Whether something of this size may be done as well."""
        if size > self.short:
            self.left -= size
        return size <= self.short or self.left > 0


class Aliases:
    def __init__(self, held_besides=lambda value: 0):
        # How often something is held that is not for the program.
        self.held_besides = held_besides
        self.count = 0
        # What crossed with the last reply; and what the program holds, each with what was in it when that was told
        # last.
        self.crossed, self.held = {}, {}
        # The numbers of what is held, and of what crosses now, by identity: one thing has one number.
        self.known, self.fresh = {}, {}
        self.crossing, self.comparing = Budget(MOST_CROSSING, SHORT), Budget(MOST_COMPARED, FEW)
        # Of what is held, what was only so since it crossed in the middle of a call; and the numbers that the test code
        # has yet to be told: of what is held, and of what is so no more.
        self.briefly, self.untold, self.gone = set(), [], []
        # The numbers below 0 of the test code's own things, by identity.
        self.lent = {}

    def numbers(self, result, args, kwargs, arrived=()):
        """The numbers of all that can be changed in what a call gave, and in what it was given, by place; and which of
        them is which of what `arrived` with the call."""
        # What is the program's own has not crossed, nor has what is in it.
        crossed = [one for one in (*enumerate(args), *kwargs.items()) if not self.held_besides(one[1])]
        given = [[place, self.each(value)] for place, value in crossed]
        numbers = {"arguments": [one for one in given if one[1]], "result": self.each(result)}
        if numbers["arguments"]:
            numbers["arrived"] = [self.number(value) for value in arrived]
        self.fresh.clear()
        return numbers

    def each(self, value):
        return [self.number(part) for part in containers(value)]

    def number(self, value):
        number = self.lent.get(id(value)) or self.known.get(id(value)) or self.fresh.get(id(value))
        if number is None:
            self.count += 1
            number = self.fresh[id(value)] = self.count
            self.crossed[number] = value
        return number

    def each_of(self, arrived):
        """The numbers of what was handed over, each with a copy of it as it was then: it is looked after while the call
        goes on."""
        numbers = [self.number(part) for part, _ in arrived]
        self.fresh.clear()
        self.hold_all({number: before for number, (_, before) in zip(numbers, arrived)})
        return numbers

    def hold_all(self, before=MappingProxyType({})):
        """Look after all that has crossed, while the call goes on in which it did; of some there are copies of what was
        in it `before`."""
        for number in list(self.crossed)[: self.room(len(self.crossed))]:
            value = self.crossed.pop(number)
            self.hold(number, value, before[number] if number in before else copied(value))
            self.briefly.add(number)

    def hold(self, number, value, before):
        self.held[number], self.known[id(value)] = (value, before), number
        self.untold.append(number)

    def room(self, wanted):
        """How much more can be looked after: where that is too little, what nothing else holds makes room."""
        if wanted > MOST - len(self.held):
            self.let_go_of(list(self.held))
        return MOST - len(self.held)

    def let_go(self):
        """Look no more after what nothing else holds, of what crossed in the middle of a call. What a view shows may be
        held where it is not."""
        self.let_go_of([number for number in self.briefly if type(self.held[number][0]) not in VIEWS])

    def let_go_of(self, numbers):
        # What holds others has the lower number.
        for number in sorted(numbers):
            if held_by(self.held, number) == HELD_ALONE:
                value, _ = self.held.pop(number)
                self.gone.append(number)
                self.briefly.discard(number)
                del self.known[id(value)], value

    def told(self):
        """The numbers of what is looked after since this was last asked, and of what is so no more, as the end of a
        message."""
        told = {"held": self.untold, "gone": self.gone}
        self.untold, self.gone = [], []
        return "".join(',"%s":%s' % (name, dumps(numbers)) for name, numbers in told.items() if numbers)

    def told_of_changes(self, encode):
        """What the program changed since it was last asked, as the end of a message."""
        changed = self.changed(encode)
        return ',"changed":[%s]' % ",".join(changed) if changed else ""

    def settle(self):
        """Look after what crossed and is held elsewhere too."""
        inside = Counter(id(part) for value in self.crossed.values() for part in within(value))
        found = {number for number, count in references(self.crossed).items()
                 if count > ALONE + self.uncounted(inside, number) or type(self.crossed[number]) in VIEWS}
        found |= self.within([self.crossed[number] for number in found])
        found |= self.within(self.tuples_held())
        for number in sorted(found)[: self.room(len(found))]:
            self.hold(number, self.crossed[number], copied(self.crossed[number]))
        self.crossed.clear()

    def uncounted(self, inside, number):
        """How often something that crossed is held by what crossed too, or not for the program."""
        value = self.crossed[number]
        return inside[id(value)] + self.held_besides(value)

    def tuples_held(self):
        """The tuples in what crossed that are held elsewhere too: what is in them is held by nothing else."""
        found = [part for value in self.crossed.values() for part in tuples_in(value)]
        inside = Counter(map(id, found))
        tuples = {id(part): part for part in found}
        found.clear()
        return [tuples[key] for key, count in references(tuples).items() if count > ALONE + inside[key]]

    def within(self, holding):
        """The numbers of what crossed inside of what is held, and is so by that: of each no more than a few."""
        inside = {id(part) for value in holding for part in islice(containers(value), FEW)}
        return {number for number, value in self.crossed.items() if id(value) in inside}

    def meant(self, values, numbers, given):
        """What the test code gives, where its numbers say which of that the program holds, or was `given` by functions
        of the test code's, and what is one thing."""
        known = {number: value for number, (value, _) in self.held.items()}
        known.update((-1 - number, value) for number, value in given.items())
        return [unified(value, iter(told), known) if told else value for value, told in zip(values, numbers)]

    def alter(self, number, told):
        """Do to a thing what the test code did to its own, if the program holds it."""
        if number in self.held:
            value, _ = self.held[number]
            if type(value) is type(told):
                update(value, told)
            elif kind_of(value) is type(told):
                fill(value, told)
            self.held[number] = value, copied(value)

    def changed(self, encode):
        """What the program changed since it was last asked: the number of each with what it has now, as that crosses.
        What can cross no more, or is too long, is told no more."""
        told = []
        for number, (value, before) in self.held.items():
            if before is not None and self.comparing.allows(effort(value)) and differ(value, before):
                crossing = crossing_of(value, encode)
                self.held[number] = value, None if crossing is None else copied(value)
                if crossing is not None:
                    told.append("[%d,%s]" % (number, crossing))
        return told


def crossing_of(value, encode):
    try:
        crossing = encode(value)
    except Refused:
        return None
    return crossing if len(crossing) <= LONGEST else None


def references(crossed):
    return {number: sys.getrefcount(value) for number, value in crossed.items()}


def held_by(held, number):
    return sys.getrefcount(held[number][0])


# How often what is held by nothing else is counted there.
ALONE = references({0: []})[0]
HELD_ALONE = held_by({0: ([], None)}, 0)
