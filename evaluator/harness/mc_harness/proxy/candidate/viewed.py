"""Views of the program's own mappings, which `collections.abc` makes for them: they cross as those of a dictionary that
holds the same, and so say nothing that the mapping could answer otherwise."""

from collections.abc import ItemsView, KeysView, ValuesView

VIEWS = {
    ItemsView: lambda view: dict(view).items(),
    KeysView: lambda view: dict.fromkeys(view).keys(),
    ValuesView: lambda view: dict(enumerate(view)).values(),
}


def viewed(value):
    """A view of a dictionary in place of one of these; all else as it is."""
    view = VIEWS.get(type(value))
    return value if view is None else view(value)
