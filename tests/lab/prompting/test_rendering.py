"""A prompt is rendered to the letter: as the model got it, or would get it by other templates."""

import json

import orjson
import pytest

from smolville.agents.errors import SettingError
from smolville.graphs.catalogue import SAMPLES
from smolville.lab.moments.moment import Moment
from smolville.lab.prompting.rendering import as_it_was, sample, with_texts
from smolville.prompts.errors import PromptContractError
from smolville.prompts.folder import shipped_texts

TOWN = "_setting.jinja"


def _attempts(moments: list[Moment]) -> list[tuple[Moment, int]]:
    return [(moment, number) for moment in moments for number in range(len(moment.attempts))]


def _edited(file: str, old: str, new: str) -> dict[str, str]:
    text = shipped_texts()[file]
    assert old in text
    return {**shipped_texts(), file: text.replace(old, new)}


def test_the_run_has_what_is_to_be_rendered(moments: list[Moment]) -> None:
    """Examples, repairs of repairs, lists of which a part was right."""
    calls = [made.call for moment in moments for made in moment.attempts]
    assert max(len(moment.attempts) for moment in moments) >= 3
    assert max(len(json.loads(call.messages)) for call in calls) >= 6
    assert any(call.examples != "[]" for call in calls)
    assert {moment.outcome for moment in moments} >= {"clean", "fallback"}


def test_a_moment_is_rendered_byte_for_byte_as_the_model_got_it(moments: list[Moment]) -> None:
    for moment, number in _attempts(moments):
        stored = json.loads(moment.attempts[number].call.messages)
        assert as_it_was(moment, number).plain() == stored


def test_by_its_own_templates_a_moment_is_rendered_the_same_again(moments: list[Moment]) -> None:
    for moment, number in _attempts(moments):
        again = with_texts(moment, moment.templates, "its own", number)
        assert again.messages == as_it_was(moment, number).messages, moment.id


def test_an_edited_word_is_in_every_prompt_and_nothing_else_changes(moments: list[Moment]) -> None:
    """Every prompt shows either the person or, to an entity, the town."""
    about = {name: shipped_texts()[name] + "Shoes: red\n" for name in ("_who.jinja", TOWN)}
    texts = {**moments[0].templates, **about}
    for moment, number in _attempts(moments):
        was, now = as_it_was(moment, number), with_texts(moment, texts, "red", number)
        system, *others = now.messages
        before, added, behind = system.content.partition("\nShoes: red")
        assert added and before + behind == was.messages[0].content
        assert tuple(others) == was.messages[1:]


def test_by_another_repair_message_every_wrong_answer_is_told_anew(moments: list[Moment]) -> None:
    """The run's own says nothing; the shipped one names each problem of each reply."""
    told = 0
    for moment, number in _attempts(moments):
        rendered = with_texts(moment, shipped_texts(), "shipped", number)
        repairs = rendered.messages[len(rendered.messages) - 2 * rendered.repairs :][1::2]
        for place, message in enumerate(repairs):
            earlier = number - len(repairs) + place
            reading = moment.attempts[earlier].reading
            assert reading is not None
            assert all(problem in message.content for problem in reading.problems[:1])
            assert message.content.endswith("Answer with the JSON only.")
            told += 1
    assert told > 10


def test_items_that_are_right_are_not_asked_again(moments: list[Moment]) -> None:
    for moment, number in _attempts(moments):
        then = orjson.loads(moment.attempts[number].call.messages)[-1]["content"]
        now = with_texts(moment, shipped_texts(), "shipped", number).messages[-1].content
        assert ("only for these numbers: " in now) is ("only for these numbers: " in then)


def test_an_attempt_that_was_not_made_is_refused(moments: list[Moment]) -> None:
    moment = next(each for each in moments if len(each.attempts) == 1)
    with pytest.raises(SettingError, match="has no attempt 1: it has one attempt, number 0"):
        as_it_was(moment, 1)


@pytest.mark.parametrize("step", sorted(SAMPLES))
def test_every_sample_is_rendered(step: str) -> None:
    one, other = sample(step, None, "shipped"), sample(step, None, "shipped", other=True)
    talk = ["assistant", "user"] if step == "say" else []
    assert [message.role for message in one.messages] == ["system", "user", *talk]
    assert "Rosa" in one.messages[0].content and "Milo" in other.messages[0].content


def test_a_broken_template_is_told_with_file_and_line() -> None:
    texts = _edited("say.jinja", "{{ doing }}", "{{ doin }}")
    line = 1 + texts["say.jinja"].partition("{{ doin }}")[0].count("\n")
    told = rf"line {line}: `doin` does not exist.*did you mean `doing`"
    with pytest.raises(PromptContractError, match=told):
        sample("say", texts, "edited")
