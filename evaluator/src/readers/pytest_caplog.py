class _CapturedLog:
    """Records of what is logged, by the candidate too."""

    def __init__(self):
        import logging

        records = []

        class Handler(logging.Handler):
            def emit(self, record):
                record.message = record.getMessage()
                records.append(record)

        self.records, self.handler, self._levels = records, Handler(), []
        logging.getLogger().addHandler(self.handler)

    @property
    def messages(self):
        return [record.message for record in self.records]

    @property
    def record_tuples(self):
        return [(record.name, record.levelno, record.message) for record in self.records]

    @property
    def text(self):
        line = "%-8s %s:%s:%d %s\n"
        return "".join(
            line % (one.levelname, one.name, one.filename, one.lineno, one.message) for one in self.records
        )

    def get_records(self, when):
        return self.records if when == "call" else []

    def clear(self):
        self.records.clear()

    def set_level(self, level, logger=None):
        import logging

        logger = logging.getLogger(logger)
        self._levels.append((logger, logger.level))
        logger.setLevel(level)

    def at_level(self, level, logger=None):
        import contextlib

        @contextlib.contextmanager
        def during():
            count = len(self._levels)
            self.set_level(level, logger)
            try:
                yield
            finally:
                self._restore(count)

        return during()

    def _restore(self, count=0):
        while len(self._levels) > count:
            logger, level = self._levels.pop()
            logger.setLevel(level)

    def __getattr__(self, name):
        _lacking("caplog.%s" % name)


@pytest.fixture
def caplog():
    import logging

    captured = _CapturedLog()
    yield captured
    captured._restore()
    logging.getLogger().removeHandler(captured.handler)
