"""The program that the test code asks."""

from ...call import Call
from ...lookups import Lookups, bound_by_functions
from ...names import names_used
from ...nodes import adopt_node_classes
from ..wire.channel import Channel
from ..wire.elements import take_any_element
from .server import serve


class Candidate(Call):
    """Answers calls until the test code has ended."""

    def run(self):
        stored = Lookups(self.code).stored if self.given else ()
        given = {name: value for name, value in self.given.items() if name not in stored}
        take_any_element(names_used(self.code))
        self.define()
        adopt_node_classes(self.namespace)
        serve(self.namespace, given, Channel(), self.name, bound_by_functions(self.code))
