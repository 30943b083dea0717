from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any, Callable

import microcoder

Solutions = Callable[[int], list[dict[str, Any]]]


def test_verdicts_come_in_order(problem: dict[str, Any], solutions: Solutions) -> None:
    async def stream() -> AsyncIterator[dict[str, Any]]:
        for solution in solutions(60):
            await asyncio.sleep(0)
            yield solution

    async def judged() -> list[microcoder.Verdict]:
        async with microcoder.AsyncJudge(in_flight=8) as judge:
            return [verdict async for verdict in judge.judge([problem], stream())]

    verdicts = asyncio.run(judged())
    assert [verdict.id for verdict in verdicts] == [f"s{n}" for n in range(60)]
    assert [verdict.reward for verdict in verdicts] == [1.0, 0.0, 0.0] * 20


def test_any_number_may_be_awaited_while_the_loop_goes_on(problem: dict[str, Any], solutions: Solutions) -> None:
    async def judged() -> tuple[list[microcoder.Verdict], int]:
        turns = 0

        async def turn() -> None:
            nonlocal turns
            while True:
                turns += 1
                await asyncio.sleep(0.001)

        async with microcoder.AsyncJudge(in_flight=2) as judge:
            beside = asyncio.create_task(turn())
            verdicts = await asyncio.gather(*(judge.verdict(problem, solution) for solution in solutions(60)))
            beside.cancel()
            return verdicts, turns

    verdicts, turns = asyncio.run(judged())
    assert [verdict.reward for verdict in verdicts] == [1.0, 0.0, 0.0] * 20
    assert turns > 10
