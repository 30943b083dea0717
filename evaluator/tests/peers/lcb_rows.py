"""LeetCode tables and HumanEval as calls, each gold solution with a few mutants: rows that lcb.py and mc-eval take.

    python evaluator/tests/peers/lcb_rows.py leetcode.jsonl HumanEval.jsonl.gz > rows.jsonl

A test is every `assert candidate(...) == value` whose values JSON has. Mutants are made by a seed of their own: one
constant, comparison or operator of the gold is another one.
"""

import ast
import gzip
import json
import random
import sys

MUTANTS = 2
OTHERS = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.And: ast.Or,
    ast.Or: ast.And,
}


def rows(path):
    opened = gzip.open if path.endswith(".gz") else open
    with opened(path, "rt") as lines:
        for line in lines:
            row = json.loads(line)
            if "entry_point" in row:
                yield row["task_id"], row["prompt"] + row["canonical_solution"], row["entry_point"], row["test"]
            else:
                test = row["tests"]["functional"]
                name = test.rpartition("check(Solution().")[2].strip().rstrip(")")
                yield row["id"], row["solutions"], "Solution." + name, test


def parameters(code, name):
    wanted = name.rpartition(".")[2]
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.FunctionDef) and node.name == wanted:
            return [one.arg for one in node.args.args if one.arg != "self"]
    raise ValueError("the function is not there")


def tests(code, name, source):
    order = parameters(code, name)
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Assert) and (test := equation(node.test, order)):
            yield test


def equation(node, order):
    """A test of `candidate(...) == value`; none where it says something else, or with what JSON has not."""
    try:
        call, (value,) = node.left, node.comparators
        if call.func.id != "candidate" or not isinstance(node.ops[0], ast.Eq):
            return None
        named = {one.arg: one.value for one in call.keywords}
        arguments = call.args + [named[name] for name in order[len(call.args) :]]
        test = {"input": list(map(ast.literal_eval, arguments)), "output": ast.literal_eval(value)}
        return test if arguments and json.loads(json.dumps(test)) == test else None
    except (AttributeError, KeyError, TypeError, ValueError):
        return None


def mutant(code, draw):
    tree = ast.parse(code)
    places = [node for node in ast.walk(tree) if alternatives(node)]
    if not places:
        return None
    draw.choice(alternatives(draw.choice(places)))()
    return ast.unparse(ast.fix_missing_locations(tree))


def alternatives(node):
    """The changes that can be made to a node."""
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return [lambda: setattr(node, "value", node.value + 1), lambda: setattr(node, "value", node.value - 1)]
    if isinstance(node, (ast.BinOp, ast.BoolOp)) and type(node.op) in OTHERS:
        return [lambda: setattr(node, "op", OTHERS[type(node.op)]())]
    if isinstance(node, ast.Compare) and type(node.ops[0]) in OTHERS:
        return [lambda: node.ops.__setitem__(0, OTHERS[type(node.ops[0])]())]
    return []


def main():
    for path in sys.argv[1:]:
        for place, (id, code, name, test) in enumerate(rows(path)):
            cases = list(tests(code, name, test))
            if not cases:
                continue
            draw = random.Random(place)
            codes = [code] + [mutant(code, draw) for _ in range(MUTANTS)]
            for number, one in enumerate(filter(None, codes)):
                row = {"id": f"{id}/{number}", "problem_id": f"{id}/{number}", "code": one}
                print(json.dumps({**row, "kind": "call", "fn_name": name, "time_limit": 3, "tests": cases}))


if __name__ == "__main__":
    main()
