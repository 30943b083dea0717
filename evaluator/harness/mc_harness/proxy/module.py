"""The candidate's program as the module that test code may import it as."""

import sys
import types

from ..call import Call


class Module(types.ModuleType):
    """What it has, the candidate has under that name."""

    def __init__(self, link):
        super().__init__(Call.module_name)
        vars(self)["_link"] = link

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        replaced = self._link.replacements.values
        return replaced[(None, ""), name] if ((None, ""), name) in replaced else self._link.member(name)

    def __setattr__(self, name, value):
        if name.startswith("__"):
            super().__setattr__(name, value)
        elif not self._link.replacements.takes(self, name, value):
            self._link.leave("unshieldable", "the test code sets a name of the candidate's module")

    def __delattr__(self, name):
        if not self._link.replacements.takes(self, name):
            self._link.leave("unshieldable", "the test code deletes a name of the candidate's module")


def provide_module(link, texts):
    """Have it imported where the test code names it, be it in a text."""
    if Call.module_name in link.named or any(text.startswith(Call.module_name + ".") for text in texts):
        sys.modules[Call.module_name] = Module(link)
