"""Named tuples of the candidate's own classes: they cross as plain data, and are told apart by these here too."""

from collections import namedtuple

# By a class that stands here for one of the candidate's, the stand-in for that.
CLASSES = {}
# Those classes, by the handle of the candidate's and its fields.
KINDS = {}


def kind_for(own, name, fields):
    """The class here of values of one of the candidate's, for which `own` stands."""
    place = id(own._remote_link), own._remote_of, name, fields
    if place not in KINDS:
        kind = namedtuple(name, fields)
        kind.__reduce_ex__ = lambda value, _: (remade, (place, tuple(value)))
        KINDS[place], CLASSES[kind] = kind, own
    return KINDS[place]


def remade(place, values):
    """What comes out of a pickle."""
    return tuple.__new__(KINDS[place], values)
