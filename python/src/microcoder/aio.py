"""The judge, for asyncio."""

from __future__ import annotations

import asyncio
import collections
import concurrent.futures
from collections.abc import AsyncIterable, AsyncIterator, Iterable
from types import TracebackType
from typing import Any, Union

from microcoder.judge import Judge, Problems, by_name, problem_name
from microcoder.rows import Problem, ProblemRow, Record
from microcoder.verdict import Verdict

Solutions = Union[Iterable[Record], AsyncIterable[Record]]


class AsyncJudge:
    """A `Judge` that holds up no event loop. It takes the same arguments."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        self._judge = Judge(*arguments, **named)
        # Handing a solution in may wait for room. One thread does it for all, in their order.
        self._submitter = concurrent.futures.ThreadPoolExecutor(1, "microcoder")

    async def verdict(self, problem: ProblemRow | Problem | None, solution: Record) -> Verdict:
        """The verdict on one solution. Any number may be awaited at once: they wait their turn."""
        return await (await self._submit(problem, solution))

    async def judge(self, problems: Problems, solutions: Solutions) -> AsyncIterator[Verdict]:
        """A verdict for each solution, in their order. Solutions are drawn as there is room."""
        known = by_name(problems)
        waiting: collections.deque[asyncio.Future[Verdict]] = collections.deque()
        async for solution in _drawn(solutions):
            waiting.append(await self._submit(known.get(problem_name(solution)), solution))
            while waiting and (waiting[0].done() or len(waiting) >= self._judge.in_flight):
                yield await waiting.popleft()
        while waiting:
            yield await waiting.popleft()

    async def _submit(self, problem: ProblemRow | Problem | None, solution: Record) -> asyncio.Future[Verdict]:
        loop = asyncio.get_running_loop()
        return asyncio.wrap_future(await loop.run_in_executor(self._submitter, self._judge.submit, problem, solution))

    async def close(self) -> None:
        """End the process. What it has not answered is lost."""
        await asyncio.get_running_loop().run_in_executor(None, self._judge.close)
        self._submitter.shutdown(wait=False)

    async def __aenter__(self) -> AsyncJudge:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()


async def _drawn(solutions: Solutions) -> AsyncIterator[Record]:
    if isinstance(solutions, AsyncIterable):
        async for solution in solutions:
            yield solution
    else:
        for solution in solutions:
            yield solution
