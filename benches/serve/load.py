"""Many clients at one server: is every submission answered once, as `mc-eval judge` would, and how fast?

    python3 benches/serve/load.py target/release/mc-eval --clients 64 --requests 10000

Judges the same programs with `mc-eval judge` and through `mc-eval serve`, one program a request. Among the programs are
hostile ones, and among the requests broken ones and clients that hang up. Fails if an answer is lost, doubled or other
than that of `judge`. Standard library alone; the clients run on the same cores as the server.
"""

import argparse
import collections
import http.client
import json
import pathlib
import queue
import socket
import subprocess
import tempfile
import threading
import time

PROBLEM = {
    "id": "sum",
    "kind": "stdin",
    "time_limit": 1,
    "memory_limit": 128,
    "tests": [{"input": f"{i} {i + 1}\n", "output": f"{2 * i + 1}\n"} for i in range(3)],
}
RIGHT = "print(sum(map(int, input().split())))"
# How often a program occurs in a hundred.
PROGRAMS = [
    (70, RIGHT),
    (14, "print(0)"),
    (5, "raise ValueError(input())"),
    (5, "print(sum(map(int, input().split()))"),
    (1, "while True: pass"),
    (1, "import os\nwhile True: os.fork()"),
    (1, "x = bytearray(1 << 40)"),
    (1, "for _ in range(100): print('x' * 1000000)"),
    (1, "import os, signal\nos.kill(os.getppid(), signal.SIGKILL)"),
    (1, "import sys\nsys.stdout.write('\\x00' * 100)"),
]
# After so many requests of a client, one that is broken.
BROKEN_EVERY = 20


def solutions(count):
    codes = [code for times, code in PROGRAMS for _ in range(times)]
    # 37 and 100 have no common divisor: every code is drawn, the rare ones not all at once.
    return [
        {"id": str(i), "problem_id": "sum", "code": f"{codes[i * 37 % 100]}\n# {i}"} for i in range(count)
    ]


def judged(binary, workers, folder, rows):
    (folder / "problems.jsonl").write_text(json.dumps(PROBLEM))
    (folder / "solutions.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    command = [binary, "judge", "solutions.jsonl", "--problems", "problems.jsonl", "--out", "verdicts.jsonl"]
    start = time.monotonic()
    subprocess.run([*command, "--workers", workers], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    took = time.monotonic() - start
    lines = (folder / "verdicts.jsonl").read_text().splitlines()
    return {verdict["id"]: verdict["verdict"] for verdict in map(json.loads, lines)}, took


class Server:
    def __init__(self, binary, workers, folder):
        command = [binary, "serve", "--listen", "127.0.0.1:0", "--problems", "problems.jsonl", "--workers", workers]
        self.process = subprocess.Popen(command, cwd=folder, stderr=subprocess.PIPE, text=True)
        self.address = self.process.stderr.readline().split("http://")[1].split(" ")[0]

    def end(self):
        self.process.terminate()
        assert self.process.wait(60) == 0, "the server did not drain"


def broken(address, turn):
    """A request that is no use, on a connection of its own."""
    host, port = address.split(":")
    if turn % 2:
        connection = http.client.HTTPConnection(address, timeout=60)
        connection.request("POST", "/v1/judge", b"{\xff", {"Content-Type": "application/json"})
        assert connection.getresponse().status == 400
        connection.close()
    else:
        with socket.create_connection((host, int(port))) as stream:
            stream.sendall(b"POST /v1/judge HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{")


def client(address, todo, answers, errors):
    connection = http.client.HTTPConnection(address, timeout=600)
    headers = {"Content-Type": "application/x-ndjson"}
    try:
        for turn in range(1, 1 << 30):
            if turn % BROKEN_EVERY == 0:
                broken(address, turn // BROKEN_EVERY)
            row = todo.get_nowait()
            start = time.monotonic()
            connection.request("POST", "/v1/judge", json.dumps(row), headers)
            response = connection.getresponse()
            lines = response.read().splitlines()
            assert response.status == 200, (response.status, lines)
            answers.append((time.monotonic() - start, [json.loads(line) for line in lines]))
    except queue.Empty:
        pass
    except Exception as error:
        errors.append(repr(error))


def served(address, clients, rows):
    todo, answers, errors = queue.SimpleQueue(), collections.deque(), collections.deque()
    for row in rows:
        todo.put(row)
    threads = [threading.Thread(target=client, args=(address, todo, answers, errors)) for _ in range(clients)]
    start = time.monotonic()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors, errors
    return answers, time.monotonic() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("binary")
    parser.add_argument("--clients", type=int, default=64)
    parser.add_argument("--requests", type=int, default=10_000)
    parser.add_argument("--workers", default="2")
    given = parser.parse_args()
    binary, rows = str(pathlib.Path(given.binary).resolve()), solutions(given.requests)
    with tempfile.TemporaryDirectory() as folder:
        expected, alone = judged(binary, given.workers, pathlib.Path(folder), rows)
        server = Server(binary, given.workers, folder)
        answers, together = served(server.address, given.clients, rows)
        server.end()
    seen = collections.Counter(line["id"] for _, lines in answers for line in lines)
    assert set(seen) == set(expected), "answers were lost"
    assert set(seen.values()) == {1}, "answers were doubled"
    verdicts = {line["id"]: line["verdict"] for _, lines in answers for line in lines}
    differ = {name: (verdict, expected[name]) for name, verdict in verdicts.items() if verdict != expected[name]}
    assert not differ, differ
    times = sorted(took for took, _ in answers)
    median, slowest = (times[int(part * (len(times) - 1))] * 1e3 for part in (0.5, 0.99))
    print(f"verdicts: {dict(collections.Counter(expected.values()))}")
    print(f"judge: {given.requests / alone:.0f}/s; serve, {given.clients} clients: {given.requests / together:.0f}/s")
    print(f"serve/judge: {alone / together:.2f}; p50 {median:.0f} ms, p99 {slowest:.0f} ms")


main()
