"""What stands in the test code for things of the candidate's, which stay in its own box.

Each knows the chain of names, calls and attributes by which the test code came to it: `Stack().top`. What is called,
or asked for an attribute that no plain data has, is an object by the test code's own account; the chain is then noted.
Of all others it is not known whether the test code wants plain data in their place, and then nothing may be asked of
them that an object made for the purpose could answer as it likes.
"""

from .plain import NOT_PLAIN


class Remote:
    """Of names with two underscores it hands on those in `_remote_special`, and those that test code uses. What is its
    own is named so that no candidate has it too."""

    __slots__ = ("_remote_chain", "_remote_link", "_remote_of", "_remote_path", "_remote_method_of")
    _remote_special = ()
    # Why it is no plain data, where that is known.
    _remote_reason = None

    def __init__(self, link, of, path, chain):
        """Of the handle `of`, or of the candidate's module where that is None, what lies under `path`."""
        for name, value in zip(Remote.__slots__, (chain, link, of, path)):
            object.__setattr__(self, name, value)

    def __getattr__(self, name):
        if name.startswith("__") and name.endswith("__") and not self._remote_may_ask(name):
            raise AttributeError(name)
        key = self._remote_of, self._remote_path
        return self._remote_link.replacements.value(key, name, lambda: self._remote_own(name))

    def _remote_own(self, name):
        self._remote_as_object(name)
        value = self._remote_link.get(self._remote_of, self._remote_below(name), self._remote_chain + "." + name)
        if issubclass(type(value), Remote) and value._remote_path:
            # A method holds its object.
            object.__setattr__(value, "_remote_method_of", self)
        return value

    def _remote_may_ask(self, name):
        """Whether a name with two underscores is asked of the candidate's: by the test code itself, or one of some."""
        return name in self._remote_special or name in self._remote_link.named

    def __setattr__(self, name, value):
        if self._remote_link.replacements.takes(self, name, value):
            return
        self._remote_is_object()
        self._remote_link.settled.clear()
        self._remote_link.set(self._remote_of, self._remote_path, name, value)

    def __delattr__(self, name):
        if self._remote_link.replacements.takes(self, name):
            return
        self._remote_is_object()
        self._remote_link.settled.clear()
        self._remote_link.delete(self._remote_of, self._remote_path, name)

    def __call__(self, *args, **kwargs):
        self._remote_link.settled.clear()
        return self._remote_link.call(self._remote_of, self._remote_path, self._remote_chain, args, kwargs)

    def _remote_as_object(self, name):
        """The test code asks for an attribute."""
        self._remote_is_object()

    def _remote_is_object(self):
        self._remote_link.objects.add(self._remote_chain)

    def _remote_is_shown(self):
        """Whether the candidate has passed where none of its things were believed: now they all are, as they are in one
        process."""
        return self._remote_link.mirrored.is_shown

    def _remote_must_be_known(self):
        """As an object, by how the test code uses what this chain leads to."""
        if not self._remote_is_shown() and self._remote_chain not in self._remote_link.objects:
            self._remote_link.leave("live", self._remote_reason or NOT_PLAIN, chain=self._remote_chain)

    def _remote_below(self, name):
        return self._remote_path + "." + name if self._remote_path else name
