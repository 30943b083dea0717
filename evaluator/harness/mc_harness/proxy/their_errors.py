"""On the candidate's side: exceptions that the test code raises, or hands over the classes of."""

from . import errors
from .channel import GIVEN_ERRORS
from .errors import Passing


class TheirErrors:
    """Of a server."""

    def error(self, spec):
        """An exception of the test code's, which has a number there."""
        described, number = spec
        error = self.error_of_test_code(*described)
        GIVEN_ERRORS[id(error)] = number, error
        return error

    def error_of_test_code(self, name, message, bases, modules, *more):
        self.know(bases, modules)
        if self.errors.known(bases[0], modules[0]) is not None:
            return self.errors.made(name, message, bases, modules, *more)
        if "Exception" not in bases and not self.errors.is_end(bases):
            return Passing(message)
        self.errors.take(bases, modules)
        return self.errors.made(name, message, bases, modules, *more)

    def handed_in(self, described):
        """One that the test code raises in a context of the program's, or throws into a generator of its."""
        self.know(*described[2:4])
        return self.errors.made(*described)

    def know(self, bases, modules):
        """Take the program's own exceptions among the bases of one of the test code's for what they are."""
        names = self.names()
        for name, module in zip(bases, modules):
            if module == errors.__name__ and is_exception(names.get(name)):
                self.errors.taken.setdefault(name, names[name])

    def error_class(self, bases):
        """A class of the test code's exceptions."""
        self.know(*bases)
        return self.errors.take(*bases)


def is_exception(target):
    return isinstance(target, type) and issubclass(target, Exception)
