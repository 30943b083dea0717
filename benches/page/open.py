"""How long the page of many verdicts takes to make and to open in Chromium, and how large it is.

    mc-eval judge fixtures/solutions.jsonl --out verdicts.jsonl --keep-output 2000 --also lcb,paper
    python3 benches/page/open.py target/release/mc-eval verdicts.jsonl 100000

The verdicts of the file are repeated, under other ids and as those of other problems.
"""

import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time
import zlib

CHROMIUM = [
    "chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--dump-dom",
]  # fmt: skip
TIMES = 5


def repeated(path, count):
    lines = pathlib.Path(path).read_text().splitlines()
    for n in range(count):
        line = lines[n % len(lines)]
        record = json.loads(line)
        copies = f"{record['problem_id']}-{n // len(lines) // 8}"
        head = f'{{"id":{json.dumps(f"{copies}/{n}")},"problem_id":{json.dumps(copies)}'
        rest = line[line.index(',"verdict":') : line.rindex(',"crc":"')]
        content = head + rest
        yield f'{content},"crc":"{zlib.crc32(content.encode()):08x}"}}\n'


def opened(page):
    """Milliseconds until the page shows its submissions, by its own clock, from when the browser began to load it."""
    with tempfile.TemporaryDirectory() as profile:
        command = [*CHROMIUM, f"--user-data-dir={profile}", f"file://{page}"]
        text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return int(re.search(r'data-ready="(\d+)"', text)[1])


def main():
    binary, path, count = os.path.abspath(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    with tempfile.TemporaryDirectory() as folder:
        verdicts = f"{folder}/verdicts.jsonl"
        with open(verdicts, "w") as file:
            file.writelines(repeated(path, count))
        start = time.monotonic()
        subprocess.run([binary, "report", verdicts, "-o", f"{folder}/report"], check=True)
        made = time.monotonic() - start
        page = f"{folder}/report/index.html"
        times = [opened(page) for _ in range(TIMES)]
        sizes = [os.path.getsize(it) / (1 << 20) for it in (verdicts, page)]
    print(f"made in {made:.1f} s of {sizes[0]:.0f} MiB of verdicts: {sizes[1]:.1f} MiB")
    print(f"opened {TIMES} times in {min(times)} to {max(times)} ms, median {statistics.median(times):.0f} ms")


main()
