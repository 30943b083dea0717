"""On the candidate's side: what the program raises, and what the test code raises, or hands over the classes of."""

from json import dumps

from ...decoding import decode
from ..wire import errors
from ..wire.asked import operation
from ..wire.channel import GIVEN_ERRORS
from ..wire.class_names import class_of, key, name_of
from ..wire.described import bases_of, carried_by, raised
from ..wire.errors import Passing


class TheirErrors:
    """Of a server."""

    def error(self, spec):
        """An exception of the test code's, which has a number there."""
        described, number = spec
        error = self.held_errors.errors.get(number)
        if error is None:
            error = self.error_of_test_code(*described)
            GIVEN_ERRORS[id(error)] = -1 - number, error
            self.held_errors.know(number, error)
        return error

    def error_of_test_code(self, name, message, bases, modules, *more):
        self.know(bases, modules)
        if self.errors.known(bases[0], modules[0]) is not None:
            return self.errors.made(name, message, bases, modules, *more)
        if "Exception" not in bases and not self.errors.is_end(bases):
            return Passing(message)
        self.errors.take(bases, modules)
        return self.errors.made(name, message, bases, modules, *more)

    def raising(self, error):
        """The answer that something was raised."""
        self.errors.taken[key(name_of(type(error)), str(type(error).__module__))] = type(error)
        described = raised(error, self.held_errors.raising)
        number, known = GIVEN_ERRORS.get(id(error), (None, None))
        again = ',"again":%d' % number if known is error else ""
        answer = dumps({"raised": described})[:-1] + self.left + again + "}"
        return self.numbered(answer, carried_by(error, described), *self.called_with)

    def told_of_errors(self):
        """What became of the exceptions that both sides know, as the end of a reply."""
        return "" if self.is_aside else self.held_errors.told(is_over=True)

    def known_by_name(self, kind):
        """What a class of exceptions is told by, which the test code may raise later wherever the program has it."""
        names, modules = bases_of(kind)
        self.errors.taken.setdefault(key(names[0], modules[0]), kind)
        return names, modules

    def kind_of_error(self, request):
        """The handle of a class of exceptions, if there is one of a name."""
        kind = self.of_name(request["name"])
        return "{}" if kind is None else dumps({"kept": self.keep(kind)})

    def of_name(self, name):
        """One of the program's classes of exceptions, or of those that were raised."""
        kind = self.names().get(name, self.errors.taken.get(name, class_of(name)))
        return kind if is_exception(kind) else None

    def make(self, request):
        """An exception of one of these."""
        target = self.of_name(request["name"])
        if target is None:
            return "{}"
        args, kwargs = decode(request["arguments"])
        added = {name: decode(value) for name, value in request["added"].items() if not name.startswith("__")}
        kind = type(target.__name__, (target,), {**added, "__module__": target.__module__}) if added else target
        made = dumps({"made": raised(self.resulting(kind, args, kwargs), self.held_errors.telling)})
        return made[:-1] + ',"arguments":%s}' % self.after(args, kwargs)

    def exit(self, request):
        """Leave a context, by an exception that the test code raised or took from here."""
        leave = getattr(self.own((request["of"], request["path"])), request["name"])
        if request["error"] is None:
            return self.told(leave(None, None, None), (), {})
        error = decode(request["error"])
        try:
            raise error
        except Exception:
            result = leave(type(error), error, error.__traceback__)
        is_awaited = hasattr(type(result), "__await__")
        if is_awaited:
            return self.told(leaving(result, error), (), {})
        return self.told(result if request.get("is_asked") else bool(result), (), {})

    def alter_error(self, request):
        """Do to an exception what the test code did to it."""
        self.held_errors.alter(request["of"], request["handle"], request["value"])
        return "{}"

    def copy_error(self, request):
        """A copy of one of the program's own."""
        copied = operation(request["how"])(self.kept[request["of"]])
        return dumps({"made": raised(copied, self.held_errors.telling)} if isinstance(copied, Exception) else {})

    def know(self, bases, modules):
        """Take the program's own exceptions among the bases of one of the test code's for what they are."""
        for name, module in zip(bases, modules):
            kind = self.of_name(name) if module == errors.__name__ else None
            if kind is not None:
                self.errors.taken.setdefault(name, kind)

    def error_class(self, bases):
        """A class of the test code's exceptions."""
        self.know(*bases)
        return self.errors.take(*bases)


async def leaving(left, error):
    """Whether a context suppresses an error that it is left by."""
    try:
        raise error
    except Exception:
        return bool(await left)


def is_exception(target):
    return isinstance(target, type) and issubclass(target, Exception)
