"""The toy's problems as a crawl might have them: where a family allows it, one in three has a single weak test.

    raw.py TRAIN.jsonl SEED > raw.jsonl

Each comes with the program that its source holds to be right, and a few that it holds to be wrong.
"""

import json
import pathlib
import random
import sys

# The program of each family; k stands for the constant.
PROGRAMS = {
    "add": "print(int(input())+k)",
    "sub": "print(int(input())-k)",
    "mul": "print(int(input())*k)",
    "mod": "print(int(input())%k)",
    "rep": "print(input()*k)",
    "sum": "print(sum(map(int,input().split())))",
    "max": "print(max(map(int,input().split())))",
    "min": "print(min(map(int,input().split())))",
    "sort": "print(*sorted(map(int,input().split())))",
    "rev": "print(input()[::-1])",
    "upper": "print(input().upper())",
    "len": "print(len(input()))",
}
# The one input of a weak problem: the right program answers with what it read, and so do many wrong ones.
WEAK = {"mul": "0", "mod": "0", "sum": "7", "max": "7", "min": "7", "sort": "7", "rev": "a", "upper": "A", "len": "1"}
WEAK_SHARE = 1 / 3
WRONG_FAMILIES = ["sum", "max", "sort", "rev", "upper"]
WRONG = ["print(input())", "print(int(input())*2)", *(PROGRAMS[family] for family in WRONG_FAMILIES)]


def program(statement):
    family, _, constant = statement.partition(" ")
    return PROGRAMS[family].replace("k)", f"{constant})") if constant else PROGRAMS[family]


def raw(problem, chance):
    statement = problem["statement"]
    weak = WEAK.get(statement.split()[0])
    if weak and chance.random() < WEAK_SHARE:
        problem["tests"] = [{"input": f"{weak}\n", "output": f"{weak}\n"}]
    code = program(statement)
    return {
        **problem,
        "difficulty": "hard" if problem["difficulty"] == "constant" else "easy",
        "code": code,
        "wrong_solutions": [wrong for wrong in WRONG if wrong != code],
    }


def main():
    source, seed = sys.argv[1:]
    chance = random.Random(int(seed))
    for line in pathlib.Path(source).read_text().splitlines():
        print(json.dumps(raw(json.loads(line), chance)))


main()
