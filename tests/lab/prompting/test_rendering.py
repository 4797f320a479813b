"""A prompt is rendered to the letter: as the model got it, or would get it by other templates."""

import json
from pathlib import Path

import pytest

from smolville.agents.errors import SettingError
from smolville.lab.moments.finding import moments_from
from smolville.lab.moments.moment import Moment
from smolville.lab.prompting.rendering import as_it_was, estimate_sizes, sample, with_texts
from smolville.prompts.errors import PromptContractError
from smolville.prompts.folder import shipped_texts

TOWN = "_setting.jinja"


@pytest.fixture(scope="module")
def attempts(clumsy: Path) -> list[tuple[Moment, int]]:
    """Every attempt at a moment: with examples, repaired once and more than once."""
    found = [*moments_from("clumsy", clumsy), *moments_from("shown", clumsy)]
    assert max(len(moment.attempts) for moment in found) >= 2
    assert any(made.call.examples != "[]" for moment in found for made in moment.attempts)
    return [(moment, number) for moment in found for number in range(len(moment.attempts))]


def test_a_moment_is_rendered_byte_for_byte_as_the_model_got_it(
    attempts: list[tuple[Moment, int]],
) -> None:
    for moment, number in attempts:
        stored = json.loads(moment.attempts[number].call.messages)
        assert as_it_was(moment, number).plain() == stored
        again = with_texts(moment, moment.templates, "its own")
        assert again.messages == as_it_was(moment).messages, moment.id


def test_an_edited_word_is_in_every_prompt_and_nothing_else_changes(
    attempts: list[tuple[Moment, int]],
) -> None:
    """Every prompt shows either the person or, to an entity, the town."""
    about = {name: shipped_texts()[name] + "Shoes: red\n" for name in ("_who.jinja", TOWN)}
    texts = {**shipped_texts(), **about}
    for moment, _ in attempts:
        was, now = as_it_was(moment), with_texts(moment, texts, "red")
        system, *others = now.messages
        before, added, behind = system.content.partition("\nShoes: red")
        assert added and before + behind == was.messages[0].content
        assert tuple(others) == was.messages[1:]


def test_an_attempt_that_was_not_made_is_refused(moments: list[Moment]) -> None:
    moment = next(each for each in moments if len(each.attempts) == 1)
    with pytest.raises(SettingError, match="has no attempt 1: it has one attempt, number 0"):
        as_it_was(moment, 1)


@pytest.mark.parametrize("step", ["say", "plan_day", "decompose"])
def test_a_sample_is_rendered_and_its_sections_add_up(step: str) -> None:
    rendered = sample(step, None, "shipped")
    talk = ["assistant", "user"] if step == "say" else []
    assert [message.role for message in rendered.messages] == ["system", "user", *talk]
    sizes = estimate_sizes(rendered.messages)
    names = [each.name for each in sizes]
    assert names[:2] == ["rules", "format"] and names[-1] == "template"
    assert sum(each.tokens for each in sizes) > 100


def test_a_broken_template_is_told_with_file_and_line() -> None:
    texts = {**shipped_texts()}
    texts["say.jinja"] = texts["say.jinja"].replace("{{ doing }}", "{{ doin }}")
    line = 1 + texts["say.jinja"].partition("{{ doin }}")[0].count("\n")
    told = rf"line {line}: `doin` does not exist.*did you mean `doing`"
    with pytest.raises(PromptContractError, match=told):
        sample("say", texts, "edited")
