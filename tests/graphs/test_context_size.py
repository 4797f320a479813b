"""How much context the steps need, told before anything is begun."""

from dataclasses import replace

import pytest

from smolville.agents.errors import ContextError
from smolville.graphs.catalogue import STEPS, check_contexts, needs
from smolville.graphs.loop.rules import Rules, StepRule
from smolville.prompts.prompt import shipped_templates
from tests.fixtures.scripted import Scripted, chat_of

FAST = replace(chat_of(Scripted()), num_ctx=8192)
SHIPPED = shipped_templates()


def test_every_step_fits_the_smallest_context_people_use():
    by_step = {need.step: need.tokens for need in needs(Rules(), SHIPPED)}
    assert set(by_step) == {each.name for each in STEPS}
    assert 800 < max(by_step.values()) < 2048


def test_a_context_too_small_is_an_error_before_anything_is_asked():
    most = max(needs(Rules(), SHIPPED), key=lambda need: need.tokens)
    for room in (None, most.tokens):
        check_contexts((FAST, replace(FAST, num_ctx=room)), Rules(), SHIPPED)
    small = replace(FAST, num_ctx=most.tokens - 1)
    with pytest.raises(ContextError, match=f"`{most.step}` needs at least {most.tokens} tokens"):
        check_contexts((FAST, small), Rules(), SHIPPED)


def test_a_model_is_held_to_the_steps_of_its_own_tier():
    rules = Rules(steps={"say": StepRule(max_tokens=5000)})
    small = replace(FAST, num_ctx=4096)
    check_contexts((small, FAST), rules, SHIPPED)
    moved = Rules(steps={"say": StepRule(max_tokens=5000, tier="fast")})
    with pytest.raises(ContextError, match="`say`"):
        check_contexts((small, FAST), moved, SHIPPED)
