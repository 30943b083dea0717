"""What can go wrong that is no verdict."""


class JudgeError(RuntimeError):
    """The judge could not be started or reached, or died. Nothing was decided."""


class InvalidInputError(ValueError):
    """A problem or a solution that `mc-eval` cannot read; the message names the field."""
