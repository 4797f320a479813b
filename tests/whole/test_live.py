"""A real model, where the environment names one: the doctor looks at it, and it is tried.

SMOLVILLE_LIVE_MODEL=ollama:qwen2.5:3b uv run pytest -m live -n0 tests/whole/test_live.py
"""

import os
import sys
import tomllib
from typing import Any

import pytest

from smolville.graphs.catalogue import STEPS
from smolville.graphs.loop.rules import Rules
from smolville.lab.doctor.examine import examine
from smolville.lab.trial import plain, setup_of, try_model
from smolville.models.keys import UserSpec
from smolville.models.open import open_chat
from smolville.models.request import ModelSettings

SPEC = os.environ.get("SMOLVILLE_LIVE_MODEL", "")
pytestmark = [
    pytest.mark.live,
    pytest.mark.skipif(not SPEC, reason="SMOLVILLE_LIVE_MODEL names no model to ask"),
    pytest.mark.enable_socket,
    pytest.mark.timeout(3600),
]


async def test_the_doctor_finds_a_real_model_usable() -> None:
    found = await examine(SPEC, os.environ, ModelSettings())
    for each in found.findings:
        sys.stdout.write(f"{each.mark:8}{each.probe:10}{each.text}\n")
    assert found.usable, found.problem
    assert found.speed
    assert found.schema_holds is not None
    assert tomllib.loads(found.settings)["model"] == found.spec


async def test_a_real_model_answers_most_moments() -> None:
    chat, _ = open_chat(UserSpec(SPEC))
    rules = Rules(examples=1)
    try:
        trial = await try_model(chat, rules=rules)
        told: Any = plain(trial, setup_of(chat, rules, None))
    finally:
        await chat.aclose()
    sys.stdout.write(f"{told}\n")
    assert set(told["steps"]) == {step.name for step in STEPS}
    ends = told["total"]["outcomes"]
    assert ends["unasked"] == 0
    assert ends["fallback"] < told["total"]["asked"] / 2, "the town would mostly be fallbacks"
