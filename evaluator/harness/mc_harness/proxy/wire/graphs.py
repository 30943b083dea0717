"""LeetCode's lists and trees as they cross between test code and candidate: the same nodes on both sides.

A message carries all nodes that are reached from one of them, each by its number with what it holds. So a list may be
long, end in a circle or be part of another; and a node that is known stays that, wherever it is now.
"""

import weakref
from json import dumps

from ...decoding import decode
from ...encoding import LiveObject, Refused, type_name
from ...limits import MAX_ITEMS
from ...nodes import LINKS, node_of
from .aliases import FEW, MOST_COMPARED, Budget
from .containers import differ

MISSING = object()
# How many nodes are looked after that the candidate holds.
MOST = 2000


class Known(weakref.ref):
    """A node, as long as something else holds it; its number, and what it is known by here."""

    __slots__ = ("identity", "number")


class Graphs:
    """The nodes that crossed, by number and by identity: each side counts its own `step` by step."""

    def __init__(self, step=1):
        self.step, self.count = step, 0
        self.nodes, self.numbers = {}, {}
        # Of each node, of which kind it was taken to be, and what it held when it crossed last.
        self.crossed = {}
        self.comparing = Budget(MOST_COMPARED, FEW)

    def node(self, number):
        """The node of a number, if it is still there."""
        known = self.nodes.get(number)
        return known and known()

    def number(self, node):
        """The number of a node: that of one which another has taken the place of is new."""
        number = self.numbers.get(id(node))
        if number is None or self.node(number) is not node:
            self.count += self.step
            number = self.count
            self.know(number, node)
        return number

    def know(self, number, node):
        try:
            known = Known(node, self.forget)
            known.identity, known.number = id(node), number
        except TypeError:
            # Its class has slots: it is held.
            def known():
                return node
        self.nodes[number], self.numbers[id(node)] = known, number

    def forget(self, known):
        if self.nodes.get(known.number) is known:
            del self.nodes[known.number]
            self.crossed.pop(known.number, None)
        if self.numbers.get(known.identity) == known.number:
            del self.numbers[known.identity]

    def told(self, root, name, begun, encode):
        """A node as it crosses with all that are reached from it, but for those that the message has told already."""
        records = {}
        if self.number(root) not in begun:
            waiting = {self.number(root): root}
            while waiting:
                number, node = waiting.popitem()
                others = linked(node, name)
                records[number] = self.record(number, node, others, encode)
                if len(records) > MAX_ITEMS:
                    raise Refused("more than %d nodes" % MAX_ITEMS)
                for told, other in zip(records[number][2:], others):
                    if told is not None and told not in records and told not in begun:
                        waiting[told] = other
            begun.update(records)
            self.crossed.update((number, (name, record)) for number, record in records.items())
        return {"nodes": [name, self.number(root), list(records.values())]}

    def record(self, number, node, others, encode):
        """What one node holds."""
        links = [None if other is None else self.number(other) for other in others]
        return [number, encode(held(node)), *links]

    def read(self, spec):
        """The node that a message tells of."""
        name, root, records = spec
        self.check(root, records)
        contents = {number: (decode(value), links) for number, value, *links in records}
        hidden = self.hidden(name, contents)
        # Held here, for nothing else holds what is yet to be linked.
        nodes = {number: self.current(number, name, contents[number][0], number in hidden) for number in contents}
        for number, node in nodes.items():
            self.fill(node, name, *contents[number])
        self.crossed.update((record[0], (name, record)) for record in records)
        return self.there(root)

    def current(self, number, name, value, is_hidden):
        """The node that a number stands for from now on."""
        node = None if is_hidden else self.node(number)
        return self.made(number, name, value) if node is None else node

    def made(self, number, name, value):
        node = node_of(name, value)
        self.know(number, node)
        return node

    def there(self, number):
        """The node of a number, which is known."""
        node = None if number is None else self.node(number)
        if node is None and number is not None:
            raise LookupError("a node that nothing tells of")
        return node

    def fill(self, node, name, value, links):
        """Have a node hold what crossed; what it holds already stays that."""
        if differ(read(node, "val"), value):
            object.__setattr__(node, "val", value)
        for link, number in zip(LINKS[name], links, strict=True):
            other = self.there(number)
            if read(node, link) is not other:
                object.__setattr__(node, link, other)

    def check(self, root, records):
        """Whether a message tells of no nodes but those that there are."""

    def hidden(self, name, contents):
        """The numbers of those nodes in whose place others are made, so that what was done to them does not show."""
        return ()

    def there_still(self):
        """The numbers of the nodes that are here still, unless these are too many."""
        return list(self.nodes) if len(self.nodes) <= MOST else []

    def changed(self, numbers, encode):
        """Of these nodes, those that are not as they crossed last."""
        if not self.comparing.allows(len(numbers)):
            return []
        found = ((self.node(number), self.crossed.get(number)) for number in numbers)
        return [node for node, before in found if node is not None and self.is_changed(node, before, encode)]

    def is_changed(self, node, crossed, encode):
        if crossed is None:
            return False
        name, before = crossed
        try:
            return self.record(before[0], node, linked(node, name), encode) != before
        except Refused:
            return False


class TheirNodes(Graphs):
    """Those that the candidate has, of its own and of the test code's."""

    def __init__(self):
        super().__init__(step=-1)
        # Those of which it was told last that they are here still.
        self.held = []

    def look(self):
        """What is still here of what crossed, as part of a reply, if that is not what was told last."""
        before, self.held = self.held, self.there_still()
        return ',"nodes":%s' % dumps(self.held) if self.held != before else ""

    def told_of_changes(self, encoder):
        """What became of that, as part of a reply, if something did."""
        changed = self.changed(self.held, encoder().encode) if self.held else ()
        try:
            return ',"changed_nodes":%s' % dumps(encoder().encode(changed)) if changed else ""
        except Refused:
            return ""


def linked(node, name):
    """The nodes that a node leads to."""
    return [must_have(node, link) for link in LINKS[name]]


def held(node):
    return must_have(node, "val")


def must_have(node, name):
    # What is computed may have no end.
    value = MISSING if type(getattr(type(node), name, None)) is property else read(node, name)
    if value is MISSING:
        raise LiveObject("a live object of type %s" % type_name(node))
    return value


def read(node, name):
    """An attribute, past whatever the program made of reading it."""
    try:
        return object.__getattribute__(node, name)
    except AttributeError:
        return MISSING
