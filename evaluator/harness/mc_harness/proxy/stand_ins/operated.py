"""Operators of the candidate's objects, among one another and with plain data of the test code's."""

from math import floor, isfinite
from numbers import Number
from os import urandom
from types import SimpleNamespace

from ..wire.asked import operation
from ..wire.chains import SMALL, computed
from ..wire.derived import ARITHMETIC, COLLECTIONS, COMPARISONS, UNARY
from ..wire.likeness import tried
from ..wire.plain import NOT_PLAIN
from ..wire.remote import Remote
from .doubted import Doubted, is_live, is_own

# Operators whose result tells how far off something is.
DIFFERENCES = ("__sub__", "__isub__")
SUMS = ("__add__", "__iadd__")
# Those that tell how often something is in another, or where the two differ.
RATIOS = ("__truediv__", "__floordiv__", "__mod__", "__xor__")
IN_PLACE = frozenset("__i%s__" % name for name in ARITHMETIC)
SETS = (set, frozenset)
# What there is to say of an object and None, or what is nothing but itself.
ABSENT = {"__eq__": False, "__ne__": True}
# How far from 0 and 1 a number has to be to say nothing of what the object should be.
FAR = 0.25
# What cannot hold the other way round where these do.
STRICT = {"__lt__": "__lt__", "__le__": "__lt__", "__gt__": "__gt__", "__ge__": "__gt__"}
# Plain data that has an order.
ORDERED = (bool, int, float, str, bytes, list, tuple)
EQUALS_ALL = "it gave back an object that equals whatever it is compared with"
COMPARED = "the test code compares a live object with plain data, or computes with both"


def compared(name):
    """A comparison. What the candidate's own objects make of each other says no more than a result of its own; where
    anything else comes in, its method would be told what is expected."""

    def compare(self, other):
        if name in ABSENT and (other is None or type(other) is object):
            return self._remote_with_nothing(name, other)
        # What test code compares with an instance that it has made of a class is no plain data either.
        is_object = self._remote_is_known() or self._remote_is_of_known()
        if is_live(other) and not is_object and not other._remote_is_made():
            self._remote_must_compare_as_data(name, other)
        if is_own(other) or issubclass(type(other), Remote):
            said = self._remote_link.operate(name, computed(self._remote_chain), self, other)
            if said is not ABSENT.get(name, said):
                for one in filter(is_live, (self, other)):
                    one._remote_must_not_equal_all()
            return said
        return self._remote_with_data(name, other)

    return compare


def operated(name, is_reflected=False):
    """Any other operator. Plain data that comes in may be what is expected too: a difference often is from that. What
    an object makes of itself alone says nothing of that."""

    def operate(self, *other):
        operands = (*other, self) if is_reflected else (self, *other)
        if not all(map(is_own, other)):
            return self._remote_with_plain(name, operands)
        result = self._remote_made_of(name, operands) if other else self._remote_made_of_itself(name)
        if not is_live(result):
            self._remote_must_not_be_told()
            if other and not self._remote_is_known():
                self._remote_must_be_known()
        return self._remote_or_same(name, result)

    return operate


def cancels(name, operands, result):
    """Whether a sum says, by next to nothing, what the negative number that went into it should have been."""
    numbers = [one for one in (*operands, result) if isinstance(one, (int, float))]
    is_sum = name in ("__add__", "__iadd__") and len(numbers) > 1
    return is_sum and min(numbers) < 0 and 100 * abs(result) <= abs(min(numbers))


def is_far(result):
    """Whether a result is no number near 0 or 1: those may say that something is what it should be."""
    if not isinstance(result, (int, float)):
        return bool(result)
    return min(abs(result), abs(abs(result) - 1)) >= FAR


class Operated(Doubted):
    """An object with all operators that there are: which its class lacks, it says when it is asked."""

    __slots__ = ()

    def _remote_is_of_known(self):
        """Whether operators made it of what is known as an object."""
        return self._remote_chain.rstrip("~!") in self._remote_link.objects

    def _remote_made_of(self, name, operands):
        return self._remote_link.operate(name, computed(self._remote_chain), *operands)

    def _remote_made_of_itself(self, name):
        """What an operator without another operand gives: the same until the next call, as of plain data."""
        settled, place = self._remote_link.settled, (self._remote_of, self._remote_path, name)
        if self._remote_is_known():
            return self._remote_made_of(name, (self,))
        if place not in settled:
            settled[place] = self._remote_made_of(name, (self,))
        return settled[place]

    def _remote_must_compare_as_data(self, name, other):
        """Where test code may want plain data, two that equal some must compare as that does: else one made for the
        purpose would be in any order."""
        mine, theirs = self._remote_as_data(), other._remote_as_data()
        ask = self._remote_link.operate
        if mine and theirs:
            said = ask(name, computed(self._remote_chain), self, other)
            if tried(lambda: operation(name)(mine[0], theirs[0])) != [said]:
                self._remote_must_be_known()
        elif name in ABSENT:
            # Both at once would make it equal to others, and different from them.
            equal, differs = (ask(one, computed(self._remote_chain), self, other) is True for one in ABSENT)
            if equal is differs:
                self._remote_must_be_known()
        elif name in STRICT:
            # So would one that comes before another, and that before it.
            chain = computed(self._remote_chain)
            asked = (name, self, other), (STRICT[name], other, self)
            said = [tried(lambda one=one, both=both: ask(one, chain, *both)) for one, *both in asked]
            if said == [[True], [True]]:
                self._remote_must_be_known()

    def _remote_must_not_equal_all(self):
        """What equals something that nobody asked for equals whatever it is compared with."""
        if self._remote_is_shown():
            return
        place = self._remote_of, self._remote_path, "all"
        settled, chain = self._remote_link.settled, computed(self._remote_chain)
        if place not in settled:
            settled[place] = tried(lambda: self._remote_link.operate("__eq__", chain, self, urandom(8))) == [True]
        if settled[place]:
            self._remote_link.leave("candidate", EQUALS_ALL)

    def _remote_with_nothing(self, name, other):
        """Compare it with what is like no object. Where a candidate passes so, its own methods have to say the same."""
        if self._remote_is_shown():
            return self._remote_link.operate(name, computed(self._remote_chain), self, other)
        self._remote_link.hid = True
        return ABSENT[name]

    def _remote_with_data(self, name, other):
        """Compare it with plain data: by what it holds, where its class derives from a builtin one, whatever methods
        that has of its own, and else by what of that it says it equals. Of others only that they differ is believed.
        Where a candidate passes so, its own methods have to say the same."""
        if self._remote_is_shown() and self._remote_link.can_send(other):
            return self._remote_link.operate(name, computed(self._remote_chain), self, other)
        self._remote_link.hid = True
        content = self._remote_content()
        if content is not None:
            return operation(name)(content[0], other)
        number = self._remote_number() if name in STRICT and isinstance(other, (int, float)) else None
        if number is not None and self._remote_orders(name, number):
            return operation(name)(number, other)
        if name in STRICT and type(other) in ORDERED:
            self._remote_must_be_in_order(name, type(other)())
        forms = self._remote_forms() if name in ABSENT else ()
        if forms and isinstance(forms[0], Number) and not self._remote_is_known():
            self._remote_must_say_one("__eq__", (), forms[0])
        if forms:
            return any(form == other for form in forms) is (name == "__eq__")
        if type(other) is SimpleNamespace:
            self._remote_link.leave("candidate", NOT_PLAIN)
        if name not in ABSENT or not self._remote_differs(name, other):
            self._remote_used()
        return ABSENT[name]

    def _remote_number(self):
        """The finite number that it equals by its own account, or is converted to."""
        is_instance = self._remote_is_capital() or self._remote_chain in self._remote_link.objects
        data = self._remote_as_data() if is_instance else ()
        return data[0] if data and isinstance(data[0], (int, float)) and isfinite(data[0]) else None

    def _remote_orders(self, name, number):
        """Whether it is in order with the whole numbers next to this one. What it is compared with, it is not told."""
        chain, near = computed(self._remote_chain), [floor(number) + step for step in (-1, 0, 1, 2)]
        said = [tried(lambda one=one: self._remote_link.operate(name, chain, self, one)) for one in near]
        return said == [[operation(name)(number, one)] for one in near]

    def _remote_must_be_in_order(self, name, other):
        """Raise what an instance raises that has no order with data of a kind. It is not told the data itself."""
        if self._remote_is_capital() or self._remote_chain in self._remote_link.objects:
            try:
                self._remote_link.operate(name, computed(self._remote_chain), self, other)
            except (AttributeError, TypeError):
                raise
            except Exception:
                return

    def _remote_differs(self, name, other):
        """Whether it is an instance that says so of plain data, by this comparison."""
        is_instance = self._remote_is_capital() or self._remote_chain in self._remote_link.objects
        link, chain = self._remote_link, self._remote_chain
        link.told.add(chain.rstrip("~!"))
        return is_instance and link.operate(name, computed(chain), self, other) is ABSENT[name]

    def _remote_used(self):
        self._remote_must_be_object()
        self._remote_link.leave("unshieldable", COMPARED, meets=True)

    def _remote_with_plain(self, name, operands):
        """A builtin's operator is asked here. One of its own that measures makes an object of it and plain data, and so
        says nothing of what the plain data was."""
        if self._remote_is_shown() and self._remote_link.can_send(operands):
            result = self._remote_link.operate(name, computed(self._remote_chain), *operands)
            return self._remote_or_same(name, result)
        self._remote_link.hid = True
        if name == "__isub__" and not self._remote_has(name):
            return self._remote_with_plain("__sub__", operands)
        content = None if name in IN_PLACE else self._remote_content()
        if content is not None and name not in content[1]:
            return operation(name)(*(content[0] if operand is self else operand for operand in operands))
        is_named_so = self._remote_is_made() or self._remote_is_instance() and not self._remote_chain[:1].islower()
        # What a class makes is told of as something that was told; what it makes of itself in place is not.
        is_open = name == "__sub__" and self._remote_is_made()
        # That with which `sum` begins is nobody's answer.
        begins = name == "__add__" and type(operands[0]) is int and operands[0] == 0
        is_doubted = name in DIFFERENCES and not is_open or not is_named_so
        if is_doubted and not begins and not self._remote_is_of_known():
            self._remote_must_be_object()
        measures = self._remote_measures(name, content, operands)
        result = self._remote_link.operate(name, computed(self._remote_chain, is_told=measures), *operands)
        may_give = self._remote_may_give(name, operands)
        # Nobody raises what is expected to a power.
        is_said = may_give and not is_live(result)
        tells = name != "__pow__" and not is_far(result) if is_said else measures or begins
        tells |= name != "__add__" and any(type(one) is type(result) and one == result for one in operands)
        if not is_live(result):
            self._remote_gave_plain(tells or cancels(name, operands, result), is_sum=begins)
        return self._remote_or_same(name, result)

    def _remote_gave_plain(self, tells, is_sum):
        """An operator gave plain data, which `tells` what the object is. What came of a function's name may be in the
        place of plain data, and would then say itself what it comes to with others."""
        if not is_sum and SMALL.fullmatch(self._remote_chain):
            self._remote_must_be_object()
        if tells:
            self._remote_used()
        else:
            self._remote_must_not_be_told()

    def _remote_measures(self, name, content, operands):
        """Whether an operator that is told plain data could tell how far off it is. A sum can where one was negated;
        and no number is what is expected of a collection. What a class made is told as much by any of its methods, and
        a power or product of it that is an object says nothing of what it should be."""
        if name in SUMS:
            return "~" in self._remote_chain
        if self._remote_may_give(name, operands) and name not in (*RATIOS, *DIFFERENCES):
            return False
        is_collection = content is not None and isinstance(content[0], (*COLLECTIONS, list))
        return name != "__divmod__" and not (is_collection and any(isinstance(one, Number) for one in operands))

    def _remote_may_give(self, name, operands):
        """Whether an operator may give plain data: one of what the test code itself has made of a class, if it is no
        sum, or what two sets have in common."""
        is_direct = self._remote_is_made() and "~" not in self._remote_chain
        is_other = name not in (*SUMS, *IN_PLACE)
        return is_direct and is_other and not any(isinstance(one, SETS) for one in operands)

    def _remote_or_same(self, name, result):
        """An operator that works in place gives the object itself; any other, something that was made by it."""
        return self._remote_or_self(result) if name in IN_PLACE else result

    def _remote_or_self(self, result):
        """The object itself, where that is what was given."""
        is_same = is_live(result) and result._remote_of == self._remote_of and not self._remote_path
        return self if is_same else result


for special in COMPARISONS:
    setattr(Operated, special, compared(special))
for special in (*IN_PLACE, *UNARY, *("__%s__" % name for name in (*ARITHMETIC, "divmod"))):
    setattr(Operated, special, operated(special))
for name in (*ARITHMETIC, "divmod"):
    setattr(Operated, "__r%s__" % name, operated("__%s__" % name, is_reflected=True))
