"""How the test code's side raises what was raised in the candidate's box: the part of the link that does."""

from functools import partial

from ...encoding import Refused
from ..analysis.faults import described
from ..wire.arguments import Arguments
from ..wire.chains import called
from ..wire.described import blame, carried_by, carry
from ..wire.known_errors import throw

ENDED = "the program ended before its tests did"
# What else of an exception of the test code's tells the candidate what it is.
DATA = (bool, int, float, str, list, tuple, dict)


class Raising:
    """Of a link."""

    def raise_again(self, reply, failing):
        """Raise what was raised there, or was raised here and let through."""
        # What holds an exception here would be held by that, as its frames.
        throw(self.to_raise(reply, failing), is_new="again" not in reply)

    def to_raise(self, reply, failing):
        is_again = "again" in reply
        with self.reading_of(chain=None):
            error = self.checked(lambda: self.made(reply["raised"], is_again))
        if failing is not None:
            failing(reply)
        if is_again:
            with self.reading_of(chain=None):
                error = self.checked(lambda: self.callbacks.again(int(reply["again"])))
            if self.errors.would_be_lost(type(error)):
                # Of what the test code's own objects raised too, once it is the candidate's call that does.
                self.leave("candidate", described(error))
        else:
            self.carry(error, reply)
            blame(error)
        self.errors.instances.begin()
        return error

    def made(self, described, is_again):
        """The candidate's exception, unless it ends a program and the test code does not name it; None for the test
        code's."""
        if self.errors.is_end(described[2]):
            self.leave("candidate", ENDED)
        return None if is_again else self.errors.made(*described)

    def note_errors(self, message):
        """What a message says of exceptions that both sides know."""
        known = self.errors.instances
        known.begin()
        if "errors" in message:
            with self.reading_of(chain=None):
                self.checked(lambda: known.note(message))

    def carry(self, error, reply):
        """Have what an exception carries be what the candidate has as the same thing."""
        carried = self.checked(lambda: carried_by(error, reply["raised"]))
        carry(error, reply["raised"], self.taken(reply, carried, called(type(error).__name__)))
        self.errors.instances.note_parts(error)

    def make(self, name, args, kwargs, added):
        """An exception of one of the candidate's classes, as that makes it, with what a class of the test code's that
        derives from it has as plain data; None where it cannot."""
        arguments = Arguments(args, kwargs)
        try:
            arguments.sent = self.sent([list(args), kwargs], arguments.given)
        except Refused:
            return None
        self.asked = True
        data = {key: self.sent(value) for key, value in added.items() if type(value) in DATA and self.can_send(value)}
        failing = partial(self.after_raising, name, arguments)
        reply = self.run(failing=failing, op="make", name=name, arguments=arguments.sent, added=data)
        self.changed(reply, arguments, name)
        return self.checked(lambda: reply.get("made") and self.errors.made(*reply["made"]))

    def attribute_of_error(self, name, attribute):
        """What a class of the candidate's exceptions has."""
        handle = self.ask(op="kind_of_error", name=name).get("kept")
        if handle is None:
            raise AttributeError("type object '%s' has no attribute '%s'" % (name, attribute))
        return self.get(self.checked(lambda: int(handle)), attribute, "%s.%s" % (name, attribute))
