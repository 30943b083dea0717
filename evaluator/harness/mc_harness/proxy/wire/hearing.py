"""Warnings and log records of the candidate's, for test code that listens for them: heard on its side during a request,
and made again on the test code's."""

from contextlib import suppress
from json import dumps, loads

from ...decoding import decode
from ...encoding import Refused
from .channel import MESSAGE, encode
from .described import raised

# By what is listened for, the names under which test code does.
LISTENING = {
    "warnings": ("assertWarns", "assertWarnsRegex", "catch_warnings", "warns", "filterwarnings", "simplefilter"),
    "logs": ("assertLogs", "assertNoLogs", "addHandler", "basicConfig", "dictConfig"),
}
MOST = 100
# What a record has of its own in any case that test code may ask for.
TOLD = ("msg", "args", "funcName")
# Of what was warned before, as the library notes it.
WARNED = {}


def listened_for(named):
    """What test code that uses these names listens for."""
    return [what for what, names in LISTENING.items() if not named.isdisjoint(names)]


class Hearing:
    """On the candidate's side, for the time of a request."""

    def __init__(self, what, teller):
        self.records, self.warnings, self.teller = [], [], teller
        self.logging = begin_logs(self.records, teller) if "logs" in what else None
        self.catching = None
        if "warnings" in what:
            self.begin_warnings()

    def begin_warnings(self):
        import warnings

        self.catching = warnings.catch_warnings(record=True)
        self.warnings = self.catching.__enter__()
        warnings.simplefilter("always")

    def end(self):
        if self.catching is not None:
            self.catching.__exit__(None, None, None)
        if self.logging is not None:
            self.logging()

    def told(self):
        """What was heard, as the end of a reply."""
        warned = [[raised(one.message, self.teller), one.lineno] for one in self.warnings[:MOST]]
        end = ',"warned":%s' % dumps(warned) if warned else ""
        return end + (',"logged":%s' % dumps(self.records[:MOST]) if self.records else "")


def begin_logs(records, teller):
    """Note what is logged, at any level, by what exceptions are told by, and give what ends that."""
    import logging

    class Noting(logging.Handler):
        def emit(self, record):
            error = record.exc_info and record.exc_info[1]
            told = raised(error, teller) if isinstance(error, Exception) else None
            records.append([record.name, record.levelno, record.getMessage()[:MESSAGE], told, parts_of(record)])

    root, handler = logging.getLogger(), Noting()
    level = root.level
    root.addHandler(handler)
    root.setLevel(1)

    def end():
        root.removeHandler(handler)
        if root.level == 1:
            root.setLevel(level)

    return end


def parts_of(record):
    """What test code may ask of a record besides, as far as that crosses: what its message is made of, where it comes
    from, and what was added to it."""
    import logging

    usual = vars(logging.makeLogRecord({}))
    parts = {name: value for name, value in vars(record).items() if name in TOLD or name not in usual}
    return [[str(name), told] for name, value in parts.items() for told in crossing(value)]


def crossing(value):
    """A value as it crosses; nothing if it does not."""
    with suppress(Refused):
        yield loads(encode(value))


def say_again(reply, errors):
    """Warn and log on the test code's side as the candidate did on its own."""
    if "warned" in reply:
        import warnings

        for told, line in reply["warned"]:
            made = errors.made(*told)
            warning = made if isinstance(made, Warning) else UserWarning(str(made))
            warnings.warn_explicit(warning, type(warning), "main.py", int(line), registry=WARNED)
    if "logged" in reply:
        import logging

        for name, level, message, told, parts in reply["logged"]:
            logger, level = logging.getLogger(str(name)), int(level)
            error = told and errors.made(*told)
            caught = error and (type(error), error, None)
            if logger.isEnabledFor(level):
                record = logger.makeRecord(str(name), level, "main.py", 0, str(message), (), caught)
                with_parts(record, str(message), {str(part): decode(value) for part, value in parts})
                logger.handle(record)


def with_parts(record, message, parts):
    """A record with these parts too; and with what its message is made of, if that makes it."""
    record.msg, record.args = parts.pop("msg", message), parts.pop("args", ())
    if not says(record, message):
        record.msg, record.args = message, ()
    vars(record).update((name, value) for name, value in parts.items() if name in TOLD or name not in vars(record))


def says(record, message):
    with suppress(Exception):
        return record.getMessage()[:MESSAGE] == message
    return False
