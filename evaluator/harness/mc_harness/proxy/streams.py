"""What test code puts in the place of the interpreter's own for the time of a call: standard streams, which the
candidate then uses in its box too, and functions, which cannot be put there."""

import builtins
import os
import sys
import types

WRITTEN = ("stdout", "stderr")


class Streams:
    """What the streams, `input` and `print` are before the test code puts others in their place.

    `namespace` is the test code's, `stored` says of which names it sets which attributes."""

    def __init__(self):
        self.own = {name: getattr(sys, name) for name in ("stdin", *WRITTEN)}
        self.builtins = {name: getattr(builtins, name) for name in ("input", "print", "open")}
        self.start = None
        self.namespace, self.stored = {}, ()
        # What `unittest.mock` replaces for now.
        self.patched = []

    def before(self, leave):
        """What a request says of them."""
        replaced = next(self.replaced(), None)
        if replaced is not None:
            leave("unshieldable", "the test code replaces %s" % replaced)
        request = {"capture": [name for name in WRITTEN if getattr(sys, name) is not self.own[name]]}
        if sys.stdin is not self.own["stdin"]:
            try:
                self.start = sys.stdin.tell()
                request["stdin"] = sys.stdin.read()
            except (AttributeError, OSError, TypeError):
                leave("unshieldable", "the test code replaces sys.stdin by what is no file")
        return request

    def replaced(self):
        """The names of functions that are not what they were."""
        yield from self.patched
        yield from (name for name, function in self.builtins.items() if getattr(builtins, name) is not function)
        for name, attribute in self.stored:
            module = self.namespace.get(name)
            if isinstance(module, types.ModuleType) and is_of_test_code(getattr(module, attribute, None)):
                yield "%s.%s" % (name, attribute)

    def after(self, reply):
        """Write what the candidate wrote, and leave what it did not read."""
        for name, text in reply.get("printed", {}).items():
            getattr(sys, name).write(text)
        if "read" in reply and self.start is not None:
            sys.stdin.seek(self.start + reply["read"])


def is_of_test_code(value):
    modules = ("__main__", "unittest.mock")
    return callable(value) and (getattr(value, "__module__", None) in modules or type(value).__module__ in modules)


def watch_patches(patched):
    """Note in `patched` what `unittest.mock` replaces, but for the standard streams and the environment."""
    from unittest import mock

    def noting(enter, leave):
        def noted_enter(patch):
            given = enter(patch)
            target, name = getattr(patch, "target", None), str(getattr(patch, "attribute", "a mapping"))
            is_stream = target is sys and name.startswith("std")
            if not is_stream and getattr(patch, "in_dict", None) is not os.environ:
                patched.append("%s.%s" % (getattr(target, "__name__", "?"), name))
                patch.is_noted = True
            return given

        def noted_leave(patch, *error):
            if vars(patch).pop("is_noted", False):
                patched.pop()
            return leave(patch, *error)

        return noted_enter, noted_leave

    for kind in (mock._patch, mock._patch_dict):
        kind.__enter__, kind.__exit__ = noting(kind.__enter__, kind.__exit__)
