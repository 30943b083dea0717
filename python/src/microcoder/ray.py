"""For Ray: judging on the machines of a cluster, each with a judge of its own."""

from __future__ import annotations

import collections
import itertools
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import ray
from ray.exceptions import ObjectLostError, RayActorError
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

from microcoder.errors import JudgeError
from microcoder.judge import Judge, Problems, by_name, problem_name
from microcoder.rows import Problem, Record
from microcoder.verdict import Verdict

if TYPE_CHECKING:
    # Neither comes with Ray's core, which is all that `judge` needs.
    import pyarrow
    from ray.data import Dataset

# Chunks that an actor has at a time: one to judge, and the next.
AHEAD = 2
# Chunks for each actor that may be drawn and not yet handed out in order, so that a slow one holds up no other.
WINDOW = 8
# What a dataset is told of each verdict.
DECIDED = ("verdict", "reward", "message")
# What a chunk may be lost with: the process, its machine, or the machine's store of results.
LOST = (RayActorError, ObjectLostError)


def judge(
    solutions: Iterable[Record],
    problems: Problems = (),
    *,
    cpus_per_actor: int | None = None,
    chunk: int = 64,
    options: Sequence[str] = (),
) -> Iterator[Verdict]:
    """A verdict for each solution, in their order, by one actor on each machine of the cluster, or one per
    `cpus_per_actor` cores.

    Solutions go to the actors in chunks, and are drawn as there is room. What is lost with an actor is judged again by
    another, once; if that is lost too, its verdicts are `judge_failed`. `options` are those of `mc-eval judge`. Ray
    must be initialised, and `microcoder` installed on every machine. The cores must be free, or the actors wait.
    """
    texts = ray.put({name: problem.text for name, problem in by_name(problems).items()})
    pool = _Pool([_start(place, texts, options) for place in _places(cpus_per_actor)])
    try:
        yield from pool.judge(_chunks(solutions, chunk))
    finally:
        pool.close()


def judge_dataset(
    dataset: Dataset,
    problems: Problems = (),
    *,
    actors: int | tuple[int, int] = 1,
    cpus_per_actor: int = 1,
    batch: int = 64,
    options: Sequence[str] = (),
) -> Dataset:
    """A Ray dataset of solutions with what was decided about each in the columns `verdict`, `reward` and `message`.

    A row's problem is in its column `problem`, or among `problems`, which go to each actor. `actors` is their number,
    or the least and the most of them. A reward is null if the judge failed. What is lost with an actor is up to Ray
    Data, which has tasks done again.
    """
    return dataset.map_batches(
        _BatchActor,
        fn_constructor_args=(dict(by_name(problems)), ["--workers", str(cpus_per_actor), *options]),
        batch_format="pyarrow",
        batch_size=batch,
        num_cpus=cpus_per_actor,
        concurrency=actors,
    )


@dataclass(frozen=True)
class _Place:
    """Where an actor goes."""

    node: str
    cpus: int


def _places(cpus_per_actor: int | None) -> list[_Place]:
    places = []
    for node in ray.nodes():
        cpus = int(node["Resources"].get("CPU", 0)) if node["Alive"] else 0
        each = cpus_per_actor or cpus
        places += [_Place(node["NodeID"], each)] * (cpus // each if each else 0)
    if not places:
        raise JudgeError(f"no machine of this Ray cluster has {cpus_per_actor or 1} cores")
    return places


class _Actor:
    """A judge on one machine."""

    def __init__(self, problems: dict[str, str], options: Sequence[str]) -> None:
        self._problems = by_name(problems)
        self._judge = Judge(options=options)

    def judge(self, solutions: list[Record]) -> list[Verdict]:
        return list(self._judge.judge(self._problems, solutions))

    def close(self) -> None:
        self._judge.close()


class _BatchActor:
    """A judge of Ray Data's batches."""

    def __init__(self, problems: dict[str, Problem], options: Sequence[str]) -> None:
        self._problems = problems
        self._judge = Judge(options=options)

    def __call__(self, batch: pyarrow.Table) -> pyarrow.Table:
        submitted = [self._submit(row) for row in batch.to_pylist()]
        verdicts = [verdict.result() for verdict in submitted]
        decided = {name: [getattr(verdict, name) for verdict in verdicts] for name in DECIDED}
        return _with_columns(batch, decided)

    def _submit(self, row: Record) -> Future[Verdict]:
        # Arrow gives each row every field.
        solution = {name: value for name, value in row.items() if value is not None}
        problem = solution.pop("problem", None) or self._problems.get(problem_name(solution))
        return self._judge.submit(problem, solution)


def _with_columns(batch: pyarrow.Table, columns: dict[str, list[Any]]) -> pyarrow.Table:
    import pyarrow

    batch = batch.drop_columns([name for name in columns if name in batch.column_names])
    for name, values in columns.items():
        kind = pyarrow.float64() if name == "reward" else pyarrow.string()
        batch = batch.append_column(name, pyarrow.array(values, kind))
    return batch


def _start(place: _Place, problems: Any, options: Sequence[str]) -> Any:
    where = NodeAffinitySchedulingStrategy(place.node, soft=False)
    all_options = ["--workers", str(place.cpus), *options]
    actor = ray.remote(num_cpus=place.cpus, scheduling_strategy=where)(_Actor)
    return actor.remote(problems, all_options)


@dataclass
class _Chunk:
    number: int
    solutions: list[Record]
    losses: int = 0


class _Pool:
    """Actors, what each is doing, and what is done but not yet in turn."""

    def __init__(self, actors: list[Any]) -> None:
        self._alive = actors
        # An actor stands here once for each chunk that it could take.
        self._free = collections.deque(actor for _ in range(AHEAD) for actor in actors)
        self._running: dict[Any, tuple[Any, _Chunk]] = {}
        self._lost: collections.deque[_Chunk] = collections.deque()
        self._done: dict[int, list[Verdict]] = {}

    def judge(self, chunks: Iterator[_Chunk]) -> Iterator[Verdict]:
        for turn in itertools.count():
            while turn not in self._done:
                self._hand_out(chunks, turn)
                if not self._running:
                    return
                self._take()
            yield from self._done.pop(turn)

    def _hand_out(self, chunks: Iterator[_Chunk], turn: int) -> None:
        """Give free actors work: what was lost first, and no more than a window beyond the chunk whose turn it is."""
        while self._free:
            chunk = self._lost.popleft() if self._lost else self._next(chunks, turn)
            if chunk is None:
                return
            actor = self._free.popleft()
            self._running[actor.judge.remote(chunk.solutions)] = (actor, chunk)

    def _next(self, chunks: Iterator[_Chunk], turn: int) -> _Chunk | None:
        waiting = len(self._running) + len(self._done)
        return next(chunks, None) if waiting < WINDOW * len(self._alive) else None

    def _take(self) -> None:
        """Wait for one chunk, and take its verdicts, or what was lost with its actor."""
        (finished,), _ = ray.wait(list(self._running), num_returns=1)
        actor, chunk = self._running.pop(finished)
        try:
            self._done[chunk.number] = ray.get(finished)
        except LOST as error:
            self._bury(actor)
            self._again(chunk, str(error))
        if actor in self._alive:
            self._free.append(actor)

    def _again(self, chunk: _Chunk, reason: str) -> None:
        chunk.losses += 1
        if chunk.losses == 1:
            self._lost.append(chunk)
        else:
            self._done[chunk.number] = [Verdict.of_failure(solution, reason) for solution in chunk.solutions]
        if not self._alive:
            raise JudgeError(f"all actors are lost; the last one: {reason}")

    def _bury(self, actor: Any) -> None:
        if actor in self._alive:
            self._alive.remove(actor)
            self._free = collections.deque(other for other in self._free if other is not actor)

    def close(self) -> None:
        """End the actors; at once if something is still asked of them."""
        if self._alive and not self._running:
            ray.wait([actor.close.remote() for actor in self._alive], num_returns=len(self._alive), timeout=10)
        for actor in self._alive:
            ray.kill(actor)


def _chunks(solutions: Iterable[Record], size: int) -> Iterator[_Chunk]:
    drawn = iter(solutions)
    for number in itertools.count():
        chunk = list(itertools.islice(drawn, size))
        if not chunk:
            return
        yield _Chunk(number, chunk)
