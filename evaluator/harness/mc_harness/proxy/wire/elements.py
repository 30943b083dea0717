"""Elements of XML trees that are in the other process: `SubElement`, which is written in C, takes none of these."""

import functools
import importlib


def take_any_element(named):
    """Have `SubElement`, if that is among the names used, do of those what it does where it is written in Python."""
    if "SubElement" not in named:
        return
    library = importlib.import_module("xml.etree.ElementTree")
    library.SubElement = of_any(library.SubElement, library.Element)


def of_any(below, element):
    @functools.wraps(below)
    def added(parent, tag, attrib=(), **extra):
        make = None if issubclass(type(parent), element) else getattr(parent, "makeelement", None)
        if make is None:
            return below(parent, tag, dict(attrib), **extra)
        child = make(tag, {**dict(attrib), **extra})
        parent.append(child)
        return child

    return added
