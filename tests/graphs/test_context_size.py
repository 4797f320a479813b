"""How much context the steps need, told before anything is begun."""

from dataclasses import replace

import pytest

from smolville.agents.errors import ContextError
from smolville.graphs.catalogue import STEPS, check_context, check_contexts, needs
from smolville.graphs.loop.rules import Rules, StepRule
from tests.fixtures.scripted import Scripted, chat_of

FAST = replace(chat_of(Scripted()), num_ctx=8192)


def neediest(rules=None):
    """The step that needs most at the least, and how many tokens that is."""
    most = max(needs(rules), key=lambda need: need.tokens)
    return most.step, most.tokens


def test_every_step_fits_the_smallest_context_people_use():
    by_step = {need.step: need.tokens for need in needs()}
    assert set(by_step) == {each.name for each in STEPS}
    assert 800 < neediest()[1] < 2048


def test_a_context_that_is_large_enough_or_unknown_is_no_error():
    check_context(FAST)
    check_context(replace(FAST, num_ctx=None))


def test_a_context_too_small_is_an_error_before_anything_is_asked():
    step, tokens = neediest()
    check_context(replace(FAST, num_ctx=tokens))
    with pytest.raises(ContextError, match=f"`{step}` needs at least {tokens} tokens"):
        check_context(replace(FAST, num_ctx=tokens - 1))


def test_a_model_is_held_to_the_steps_of_its_own_tier():
    rules = Rules(steps={"say": StepRule(max_tokens=5000)})
    small, large = replace(FAST, num_ctx=4096), replace(FAST, num_ctx=8192)
    check_contexts((small, large), rules)
    moved = Rules(steps={"say": StepRule(max_tokens=5000, tier="fast")})
    with pytest.raises(ContextError, match="`say`"):
        check_contexts((small, large), moved)
