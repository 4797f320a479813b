"""Questions put to a desk as they are, without a step around them."""

from typing import Any

from langchain_core.messages import HumanMessage

from smolville.graphs.loop.ledger import CallKey
from smolville.graphs.loop.model_client import StepQuestion
from smolville.models.standin.rule import RuleAnswer


def question(
    *, attempt: int = 0, step: str = "heed_inner_voice", agent: str = "Ada Brook", **more: Any
) -> StepQuestion:
    """A question that a step might ask."""
    asked: dict[str, Any] = {
        "key": CallKey(owner=agent, tick=5, step=step, ordinal=0, attempt=attempt),
        "agent": agent,
        "inputs": {},
        "rule": lambda dice: RuleAnswer({}),
        "recalled": [],
        "template": "0" * 8,
        "messages": [HumanMessage("Where to?")],
        "schema": {},
        "tier": "fast",
        "temperature": 0.0,
        "max_tokens": 64,
    }
    return StepQuestion(**(asked | more))
