"""Do hostile programs change the verdicts of honest ones beside them?

    python3 benches/soak/crowd.py target/release/mc-eval

Judges the honest programs by themselves, and then with hostile ones among them at twice the workers. Fails if a verdict
on an honest one is another than before, or one on a hostile one another than its file allows. Standard library alone.
"""

import argparse
import os
import pathlib
import subprocess
import tempfile
import time

from programs import changed, honest, hostile, lay_out, mixed, quiet_run, tally, verdicts


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("binary", type=pathlib.Path)
    parser.add_argument("--honest", type=int, default=2000)
    parser.add_argument("--hostile", type=int, default=200)
    given = parser.parse_args()
    binary, cores = str(given.binary.resolve()), len(os.sched_getaffinity(0))
    alone = list(honest(given.honest))
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        expected = quiet_run(binary, folder, alone, cores)
        rows = mixed(alone, hostile(given.hostile))
        command = [binary, *lay_out(folder, rows)]
        begun = time.monotonic()
        with (folder / "words").open("w") as words:
            command += ["--workers", str(2 * cores), "--out", "crowd.jsonl"]
            subprocess.run(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=words)
        took = time.monotonic() - begun
        found = verdicts(folder / "crowd.jsonl")
    assert len(found) == given.honest + given.hostile, "verdicts are missing"
    wrong = changed(rows, expected, found)
    print(f"honest: {tally(expected.values())}")
    print(f"hostile: {tally(found[name] for name in found.keys() - expected.keys())}")
    print(f"{len(found)} programs, {2 * cores} workers on {cores} cores, {took:.0f} s: {len(wrong)} changed")
    assert not wrong, wrong


main()
