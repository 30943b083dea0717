"""A long run under trouble: is every submission judged exactly once, as in a quiet run, and is nothing left?

    sudo python3 benches/soak/soak.py target/release/mc-eval --minutes 30

Honest programs in all languages, and hostile ones, at twice the workers. Workers and compilers are killed at random,
and the disk of the first round is full once. A round is over when `--resume` finds nothing left to judge. Needs root,
for a disk of its own. Standard library alone.
"""

import argparse
import collections
import os
import pathlib
import random
import signal
import subprocess
import tempfile
import threading
import time

from programs import changed, honest, hostile, lay_out, mixed, quiet_run, tally, verdicts

# A compiler that was killed is started once more, and no more: of each, one is killed until the judge has ended.
COMPILERS = {"cc1", "cc1plus", "rustc", "compile", "javac", "clang"}
# Seconds from one kill to the next.
PAUSES = (0.5, 3.0)
# A disk that the verdicts of any round fit on.
LARGE = 256 << 20
# How often a round is taken up again, until nothing is left to judge.
RESUMED_MOST = 5


def processes():
    """The parent and name of each process, by its id."""
    found = {}
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                name, rest = (entry / "stat").read_text().split("(", 1)[1].rsplit(")", 1)
            except (FileNotFoundError, ProcessLookupError):
                continue
            found[int(entry.name)] = (int(rest.split()[1]), name)
    return found


def descendants(ancestor):
    """Those of a process, each with its parent and name."""
    every, found, fresh = processes(), {}, {ancestor}
    while fresh:
        fresh = {pid for pid, (parent, _) in every.items() if parent in fresh}
        found |= {pid: every[pid] for pid in fresh}
    return found


class Killer(threading.Thread):
    """Kills workers and compilers of a judge, now and then, until it has ended."""

    def __init__(self, judge, chance):
        super().__init__()
        self.judge, self.chance, self.killed = judge, chance, collections.Counter()
        self.compilers = set(COMPILERS)

    def run(self):
        while self.judge.poll() is None:
            time.sleep(self.chance.uniform(*PAUSES))
            family = descendants(self.judge.pid)
            workers = [pid for pid, (parent, _) in family.items() if parent == self.judge.pid]
            compilers = [pid for pid, (_, name) in family.items() if name in self.compilers]
            for kind, pids in (("workers", workers), ("compilers", compilers)):
                if pids and self.chance.random() < 0.5:
                    self.kill(kind, family, self.chance.choice(pids))

    def kill(self, kind, family, pid):
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            return
        self.killed[kind] += 1
        self.compilers.discard(family[pid][1])


class Disk:
    """A file system of its own, of so many bytes."""

    def __init__(self, place, size):
        self.place, self.is_small = place, size < LARGE
        place.mkdir()
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "soak", place], check=True)

    def enlarge(self):
        subprocess.run(["mount", "-o", f"remount,size={LARGE}", self.place], check=True)
        self.is_small = False

    def __enter__(self):
        return self

    def __exit__(self, *_):
        subprocess.run(["umount", self.place], check=True)


def shared_things():
    """What a run could leave where others see it."""
    tables = [pathlib.Path("/proc/self/mounts"), *pathlib.Path("/proc/sysvipc").iterdir()]
    things = {line for table in tables for line in table.read_text().splitlines()}
    things |= {str(path) for path in pathlib.Path("/dev/shm").iterdir()}
    return things


def left_by(judge, before, temporary):
    """What is there of a judge that has ended; the kernel may take a moment to clear away what was killed."""
    for _ in range(100):
        groups = [str(path) for path in pathlib.Path("/sys/fs/cgroup").rglob(f"mc-{judge.pid}-*")]
        left = sorted(shared_things() - before) + sorted(map(str, temporary.iterdir())) + groups
        if not left:
            break
        time.sleep(0.1)
    return left


def settle(command, disk, folder, chance):
    """Judge all there is on `disk`, however often it takes; what was killed."""
    temporary, killed = folder / "tmp", collections.Counter()
    for attempt in range(RESUMED_MOST + 1):
        # The last attempts show what a calm host makes of what trouble left undone.
        troubled = attempt < RESUMED_MOST - 1
        before = shared_things()
        with (folder / "words").open("w") as words:
            judge = subprocess.Popen(
                [*command, "--out", disk.place / "verdicts.jsonl", "--resume"],
                cwd=folder, env={**os.environ, "TMPDIR": str(temporary)}, stdout=subprocess.DEVNULL, stderr=words,
            )
            if troubled:
                killer = Killer(judge, chance)
                killer.start()
                killer.join()
                killed += killer.killed
            code = judge.wait()
        left = left_by(judge, before, temporary)
        assert not left, f"left behind: {left}"
        if code == 0:
            return killed, attempt
        if "No space left" in (folder / "words").read_text():
            disk.enlarge()
    raise AssertionError((folder / "words").read_text())


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("binary", type=pathlib.Path)
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--honest", type=int, default=400)
    parser.add_argument("--hostile", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    binary, cores, chance = str(given.binary.resolve()), len(os.sched_getaffinity(0)), random.Random(given.seed)
    rows = mixed(honest(given.honest), hostile(given.hostile))
    killed, rounds, resumed = collections.Counter(), 0, 0
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        (folder / "tmp").mkdir()
        expected = quiet_run(binary, folder, rows, cores)
        command = [binary, *lay_out(folder, rows), "--workers", str(2 * cores)]
        end = time.monotonic() + 60 * given.minutes
        while rounds == 0 or time.monotonic() < end:
            # In the first round there is room for half of what a quiet run wrote.
            half = (folder / "quiet.jsonl").stat().st_size // 2
            with Disk(folder / f"disk{rounds}", LARGE if rounds else half) as disk:
                of_round, again = settle(command, disk, folder, chance)
                assert not disk.is_small, "the disk was never full"
                found = verdicts(disk.place / "verdicts.jsonl")
            killed, rounds, resumed = killed + of_round, rounds + 1, resumed + again
            assert set(found) == set(expected), "verdicts are missing"
            wrong = changed(rows, expected, found)
            assert not wrong, wrong
    print(f"{rounds} rounds of {len(rows)} programs, {2 * cores} workers on {cores} cores; resumed {resumed} times")
    print(f"killed: {dict(killed)}; verdicts: {tally(expected.values())}")


main()
