"""Warnings and log records of the candidate's, for test code that listens for them: heard on its side during a request,
and made again on the test code's."""

from json import dumps

from .channel import MESSAGE
from .described import bases_of, raised

# By what is listened for, the names under which test code does.
LISTENING = {
    "warnings": ("assertWarns", "assertWarnsRegex", "catch_warnings", "warns"),
    "logs": ("assertLogs", "assertNoLogs", "addHandler", "basicConfig", "dictConfig"),
}
MOST = 100


def listened_for(named):
    """What test code that uses these names listens for."""
    return [what for what, names in LISTENING.items() if not named.isdisjoint(names)]


class Hearing:
    """On the candidate's side, for the time of a request."""

    def __init__(self, what, teller):
        self.records, self.warnings = [], []
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
        warned = [[bases_of(one.category), str(one.message)[:MESSAGE]] for one in self.warnings[:MOST]]
        end = ',"warned":%s' % dumps(warned) if warned else ""
        return end + (',"logged":%s' % dumps(self.records[:MOST]) if self.records else "")


def begin_logs(records, teller):
    """Note what is logged, at any level, by what exceptions are told by, and give what ends that."""
    import logging

    class Noting(logging.Handler):
        def emit(self, record):
            error = record.exc_info and record.exc_info[1]
            told = raised(error, teller) if isinstance(error, Exception) else None
            records.append([record.name, record.levelno, record.getMessage()[:MESSAGE], told])

    root, handler = logging.getLogger(), Noting()
    level = root.level
    root.addHandler(handler)
    root.setLevel(1)

    def end():
        root.removeHandler(handler)
        if root.level == 1:
            root.setLevel(level)

    return end


def say_again(reply, errors):
    """Warn and log on the test code's side as the candidate did on its own."""
    if "warned" in reply:
        import warnings

        for (names, modules), message in reply["warned"]:
            kind = errors.take(list(names), list(modules))
            warnings.warn(str(message), kind if issubclass(kind, Warning) else UserWarning, stacklevel=4)
    if "logged" in reply:
        import logging

        for name, level, message, told in reply["logged"]:
            logger, level = logging.getLogger(str(name)), int(level)
            error = told and errors.made(*told)
            caught = error and (type(error), error, None)
            if logger.isEnabledFor(level):
                logger.handle(logger.makeRecord(str(name), level, "main.py", 0, str(message), (), caught))
