"""An evaluation that nobody asked: 50 moments, three variants, the same in every test."""

import json
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from smolville.graphs.catalogue import OTHER_SAMPLES, SAMPLES
from smolville.graphs.loop.ledger import OUTCOMES, StepOutcome
from smolville.lab.evaluation.results import Evaluation, Result, StoredMoment, VariantName

RECORDINGS = Path(__file__).parents[2] / "recordings"
STEPS = ("decompose", "ground_block", "react", "plan_hours", "say", "rate_importance")
AGENTS = ("Rosa Marin", "Milo Varga", "Ida Lund")
VARIANTS = (
    VariantName(prompts="shipped", model="ollama:qwen2.5:3b"),
    VariantName(prompts="mine", model="ollama:qwen2.5:3b"),
    VariantName(prompts="mine", model="llamacpp:http://127.0.0.1:8080"),
)
LUCK = ((58, 8, 20, 6, 8), (78, 8, 10, 2, 2), (56, 10, 18, 6, 10))
"""How often, of a hundred, each variant's questions end clean, mended, and so on."""


@cache
def recorded(step: str) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Recorded replies of a step: the right ones, and the wrong ones."""
    cases = json.loads((RECORDINGS / f"{step}.json").read_text(encoding="utf-8"))
    return [each for each in cases if "answer" in each], [
        each for each in cases if "problems" in each
    ]


def made_up(*, moments: int = 50, variants: int = 3, turns: int = 2, seed: int = 7) -> Evaluation:
    """An evaluation with every outcome in it, and two questions that fit no context."""
    chance = Random(seed)
    stored = tuple(_stored(chance, number) for number in range(moments))
    results = [
        _result(chance, moment, variant, turn)
        for moment in stored
        for variant in range(variants)
        for turn in range(turns)
    ]
    return Evaluation(
        variants=VARIANTS[:variants],
        moments=stored,
        turns=turns,
        results=results,
        repairs=2,
        seconds=184.2,
    )


def _stored(chance: Random, number: int) -> StoredMoment:
    step = STEPS[number % len(STEPS)]
    right, _ = recorded(step)
    sample = (SAMPLES if chance.random() < 0.5 else OTHER_SAMPLES)[step]
    return StoredMoment(
        id=f"clumsy/{number:08x}",
        step=step,
        agent=AGENTS[number % len(AGENTS)],
        time=f"1 {7 + number // 6:02d}:{number % 6}0",
        outcome=chance.choices(OUTCOMES, (60, 10, 20, 5, 5))[0],
        answer=chance.choice(right)["answer"],
        inputs=sample.model_dump(mode="json"),
    )


def _result(chance: Random, moment: StoredMoment, variant: int, turn: int) -> Result:
    if variant == 2 and moment.id in {"clumsy/00000003", "clumsy/0000000f"}:
        return Result(moment=moment.id, variant=variant, turn=turn, outcome=None)
    outcome: StepOutcome = chance.choices(OUTCOMES, LUCK[variant])[0]
    right, wrong = recorded(moment.step)
    first = chance.choice(right if outcome in ("clean", "mended") else wrong)
    answer = moment.answer if chance.random() < 0.5 else chance.choice(right)["answer"]
    is_odd = outcome != "fallback" and chance.random() < 0.1
    calls = {"clean": 1, "mended": 1, "repaired": 2, "escalated": 3, "fallback": 3}[outcome]
    return Result(
        moment=moment.id,
        variant=variant,
        turn=turn,
        outcome=outcome,
        answer=answer,
        reply=first["reply"],
        problems=tuple(first.get("problems", ())),
        kinds=tuple(first.get("kinds", ())),
        odd=("`text`: Rosa said this before.",) if is_odd else (),
        odd_kinds=("repeat",) if is_odd else (),
        attempts=calls,
        prompt_tokens=calls * chance.randint(700, 1400) - (150 if variant else 0),
        completion_tokens=calls * chance.randint(40, 240),
        milliseconds=calls * (400 + 900 * chance.random()) * (2 if variant == 2 else 1),
    )
