"""Judges programs written by language models, by the binary `mc-eval` that comes with this package."""

from microcoder.binary import BinaryNotFoundError, find_binary
from microcoder.errors import InvalidInputError, JudgeError
from microcoder.judge import Judge
from microcoder.verdict import Case, Difference, Verdict

__all__ = [
    "BinaryNotFoundError",
    "Case",
    "Difference",
    "InvalidInputError",
    "Judge",
    "JudgeError",
    "Verdict",
    "find_binary",
]
