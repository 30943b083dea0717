"""What an object is converted to that may be in the place of plain data: all of that has to be one thing."""

from ..wire.likeness import tried

TEXTS = ("__str__", "__repr__", "__format__")


def are_one(said):
    """Whether what an object said, by special method and arguments, is of one number: a text that reads as a number is
    that, and as long as the object says it is."""
    texts = [value for (name, _), value in said.items() if name in TEXTS and number_in(value) is not None]
    length = said.get(("__len__", ()))
    if length is not None and any(len(text) != length for text in texts):
        return False
    numbers = {asked: number_in(value) for asked, value in said.items() if asked[0] != "__len__"}
    numbers = {asked: number for asked, number in numbers.items() if number is not None}
    exact = [number for asked, number in numbers.items() if rough(*asked) is None]
    if not exact:
        return not numbers or max(numbers.values()) - min(numbers.values()) <= 1
    return all(is_of(exact[0], number, rough(*asked)) for asked, number in numbers.items())


def is_of(exact, number, made):
    """Whether a number is this exact one, or `made` of it."""
    return number == exact if made is None else tried(lambda: made(exact)) == [number]


def rough(name, args):
    """What makes of a number that which a special method says of it; None for one that tells the number itself."""
    if name == "__int__":
        return int
    if name == "__round__":
        return lambda number: round(number, *args)
    if name == "__format__" and args != ("",):
        return lambda number: number_in(format(number, *args))
    return None


def number_in(said):
    """The number that something is, or reads as."""
    kinds = (int, float, complex)
    if isinstance(said, kinds):
        return said
    read = [number for kind in kinds for number in tried(lambda kind=kind: kind(said))] if type(said) is str else ()
    return next((number for number in read if number == number), None)
