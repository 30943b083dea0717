"""Problems as the Parquet file that verl trains on: the whole problem is each row's ground truth.

pip install pandas pyarrow
python examples/verl/prepare.py fixtures/problems.jsonl train.parquet
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pandas

ASK = "\n\nAnswer with a Python program in a fenced block."


def row(problem: dict[str, object]) -> dict[str, object]:
    text = f"{problem.get('statement') or problem.get('question')}{ASK}"
    return {
        "data_source": "microcoder",
        "prompt": [{"role": "user", "content": text}],
        "ability": "code",
        "reward_model": {"style": "rule", "ground_truth": json.dumps(problem)},
        "extra_info": {"id": str(problem.get("id", ""))},
    }


def main() -> None:
    source, target = sys.argv[1:]
    problems = [json.loads(line) for line in Path(source).read_text().splitlines()]
    pandas.DataFrame([row(problem) for problem in problems]).to_parquet(target)
    print(f"{len(problems)} problems in {target}")


if __name__ == "__main__":
    main()
