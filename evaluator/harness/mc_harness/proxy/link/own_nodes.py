"""The test code's nodes of LeetCode's lists and trees, and what of that which the candidate does to them shows.

Where the test code may compute from them what it expects, a node that the candidate changed stays as it was, and
another comes in its place, as do those that lead to it.
"""

from contextlib import contextmanager

from ...decoding import decode
from ...nodes import LINKS, NODES
from ..wire.channel import Between
from ..wire.containers import differ
from ..wire.graphs import MISSING, Graphs, read


class OwnNodes(Graphs):
    """Those of a link's test code."""

    def __init__(self, link):
        super().__init__()
        self.link = link
        # The call of which a reply is read: what it was given, which function that is, and whether it gave nothing.
        self.call = None
        # The classes of what the test code gave, by name.
        self.given = {}
        # The numbers of those that the candidate holds; whether some were given since the last reply, and the functions
        # to which some ever were.
        self.kept, self.are_given, self.takers = (), False, set()
        # Whether that is read which the candidate did later.
        self.is_later = False

    def told(self, root, name, begun, encode):
        self.given[name], self.are_given = type(root), True
        return super().told(root, name, begun, encode)

    def made(self, number, name, value):
        """A node of the class that the test code has under the name, or gave one of."""
        kind = self.link.namespace.get(name)
        NODES[name] = kind if issubclass(type(kind), type) else self.given.get(name, NODES[name])
        return super().made(number, name, value)

    @contextmanager
    def after(self, arguments, function, gives_nothing):
        """Where the reply to a call is read."""
        if self.are_given:
            self.takers.add(function)
            self.are_given = False
        before, self.call = self.call, (arguments, function, gives_nothing)
        try:
            yield
        finally:
            self.call = before

    def note(self, message, is_aside=False):
        """What the candidate says that it holds, and did to that later."""
        if "nodes" in message and not is_aside:
            self.kept = [number for number in message["nodes"] if type(number) is int]
        if "changed_nodes" not in message:
            return
        link = self.link
        if not link.mirrored.is_shown and not all(link.in_place(function, False) for function in self.takers):
            link.hid = True
            return
        self.is_later = True
        try:
            with link.reading_of(chain=None):
                decode(message["changed_nodes"])
        finally:
            self.is_later = False

    def altered(self):
        """Of the nodes that the candidate holds, those that the test code changed."""
        return self.changed(self.kept, Between().encode) if self.kept else ()

    def check(self, root, records):
        for number in (root, *(number for own, _, *links in records for number in (own, *links) if number is not None)):
            if type(number) is not int or number > self.count:
                raise ValueError("a node that nothing told of")

    def hidden(self, name, contents):
        known = {number: self.node(number) for number in contents}
        changed = {number for number, node in known.items()
                   if node is not None and self.is_other(node, name, *contents[number])}
        hidden = changed and changed.intersection(self.not_shown(changed))
        self.link.hid |= bool(hidden)
        return with_those_that_lead_there(hidden, contents)

    def is_other(self, node, name, value, links):
        """Whether a node holds something else."""
        if any(read(node, link) is not self.at(number) for link, number in zip(LINKS[name], links)):
            return True
        return differ(read(node, "val"), value)

    def at(self, number):
        """What a link to a number leads to: a node that is yet to be made is another than all that there are."""
        node = None if number is None else self.node(number)
        return MISSING if node is None and number is not None else node

    def not_shown(self, numbers):
        """Of these nodes, those of which it is not shown what the candidate did to them."""
        link, call = self.link, self.call
        if link.mirrored.is_shown:
            return ()
        if self.is_later:
            # What was never given to be changed may be what is expected.
            return {number for number in numbers if number < 0}
        if call is None and link.calls:
            call = *link.calls[-1], False
        if call is None:
            return numbers
        arguments, function, gives_nothing = call
        return self.within(arguments, link.expecting(function)) if link.in_place(function, gives_nothing) else numbers

    def within(self, arguments, places):
        """The numbers of the nodes in the arguments at some places."""
        encoder = Between()
        for place in places:
            if place in range(len(arguments.args)) or place in arguments.kwargs:
                encoder.encode(arguments.at(place))
        return encoder.begun


def with_those_that_lead_there(numbers, contents):
    """These nodes, and all that lead to them."""
    if not numbers:
        return numbers
    leading = {}
    for number, (_, links) in contents.items():
        for other in links:
            leading.setdefault(other, []).append(number)
    found, waiting = set(numbers), list(numbers)
    while waiting:
        new = [number for number in leading.get(waiting.pop(), ()) if number not in found]
        found.update(new)
        waiting += new
    return found
