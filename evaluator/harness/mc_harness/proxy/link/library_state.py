"""What objects of the library's hold that the test code hands over: streams, generators of random numbers, elements of
XML, and what keeps it in attributes, such as queues. The candidate may change it by any of their methods."""

import io
import random
import sys
from itertools import islice

from ..wire.containers import can_be_changed, copied, differ, fill, kind_of

# The modules of classes whose objects hold all in attributes, none of which anything waits for.
MODULES = ("argparse", "configparser", "email", "queue")
# How much is looked through each time that the candidate has its turn.
MOST = 1000


def state_of(thing):
    """The place of what an object holds; None if it is none such, or holds too much."""
    kind = type(thing)
    element = getattr(sys.modules.get("xml.etree.ElementTree"), "Element", None)
    if kind in (io.StringIO, io.BytesIO):
        return Stream(thing) if length_of(thing) <= MOST * 10 else None
    if kind is random.Random:
        return Numbers(thing)
    if element is not None and kind is element:
        return Element(thing) if sum(1 for _ in islice(thing.iter(), MOST + 1)) <= MOST else None
    is_holding = kind.__module__.partition(".")[0] in MODULES and hasattr(thing, "__dict__")
    return Attributes(thing) if is_holding and held_by_attributes(thing) <= MOST else None


def length_of(stream):
    if stream.closed:
        return 0
    place = stream.tell()
    length = stream.seek(0, io.SEEK_END)
    stream.seek(place)
    return length


def held_by_attributes(thing):
    return sum(len(value) for value in vars(thing).values() if can_be_changed(kind_of(value)))


class State:
    """By what it holds, which is also what is shown of it."""

    def __init__(self, thing):
        self.thing, self.key = thing, (id(thing), None)

    def shown(self, held):
        return held

    def is_as(self, before):
        return self.held() == before


class Stream(State):
    """One in memory: what is in it, and how far it was read."""

    def held(self):
        return None if self.thing.closed else (self.thing.getvalue(), self.thing.tell())

    def shown(self, held):
        return [] if held is None else list(held[0])

    def is_as(self, before):
        return self.thing.closed or self.held() == before

    def put(self, held):
        content, place = held
        self.thing.seek(0)
        self.thing.truncate()
        self.thing.write(content)
        self.thing.seek(place)


class Numbers(State):
    def held(self):
        return self.thing.getstate()

    def put(self, held):
        self.thing.setstate(held)


class Element(State):
    def held(self):
        return held_by_element(self.thing)

    def put(self, held):
        put_into_element(self.thing, held)


def held_by_element(element):
    children = [[child, held_by_element(child)] for child in element]
    return [element.tag, element.text, element.tail, dict(element.attrib), children]


def put_into_element(element, held):
    element.clear()
    element.tag, element.text, element.tail, attributes, children = held
    element.attrib.update(attributes)
    for child, content in children:
        put_into_element(child, content)
        element.append(child)


class Attributes(State):
    def held(self):
        return {name: copied(value) for name, value in vars(self.thing).items()}

    def is_as(self, before):
        return not differ(vars(self.thing), before)

    def put(self, held):
        own = vars(self.thing)
        for name in [name for name in own if name not in held]:
            del own[name]
        for name, value in held.items():
            is_same_kind = name in own and type(own[name]) is type(value)
            if is_same_kind and can_be_changed(kind_of(value)):
                fill(own[name], copied(value))
            else:
                own[name] = value
