"""For OpenRLHF: a reward function by the name and place it expects, for `--remote_rm_url`.

    --remote_rm_url "$(python -c 'import microcoder.openrlhf as m; print(m.__file__)')"

The label of each prompt (`--label_key`) is the problem as JSON text. A server does the same for many machines: see
`POST /get_reward` in docs/serving.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from microcoder.errors import JudgeError
from microcoder.rewards import verdicts


def reward_func(queries: Sequence[str], prompts: Sequence[str], labels: Sequence[str], **_: Any) -> dict[str, Any]:
    """The reward of each query, a prompt and its response in one text.

    OpenRLHF has no word for an absent reward, so one on which the judge failed is asked for once more, and then raises
    `JudgeError`: it would be wrong as any number.
    """
    responses = [query[len(prompt) :] if query.startswith(prompt) else query for query, prompt in zip(queries, prompts)]
    judged = verdicts(labels, responses)
    failed = [place for place, verdict in enumerate(judged) if not verdict.judged]
    again = verdicts([labels[place] for place in failed], [responses[place] for place in failed])
    for place, verdict in zip(failed, again):
        if not verdict.judged:
            raise JudgeError(f"the judge failed on response {place}: {verdict.message}")
        judged[place] = verdict
    rewards = torch.tensor([verdict.reward for verdict in judged], dtype=torch.float32)
    accepted = torch.tensor([float(verdict.accepted) for verdict in judged])
    return {"rewards": rewards, "scores": accepted, "extra_logs": {"accepted": accepted}}
