"""Judges programs written by language models, by the binary `mc-eval` that comes with this package."""

import importlib.metadata

from microcoder.aio import AsyncJudge
from microcoder.binary import BinaryNotFoundError, find_binary
from microcoder.errors import InvalidInputError, JudgeError
from microcoder.judge import Judge
from microcoder.rewards import reward
from microcoder.rows import Problem
from microcoder.shared import shared_judge
from microcoder.verdict import Case, Difference, Verdict

__version__ = importlib.metadata.version("microcoder")

__all__ = [
    "AsyncJudge",
    "BinaryNotFoundError",
    "Case",
    "Difference",
    "InvalidInputError",
    "Judge",
    "JudgeError",
    "Problem",
    "Verdict",
    "find_binary",
    "reward",
    "shared_judge",
]
