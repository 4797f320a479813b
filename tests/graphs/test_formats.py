"""Templates that ask for lines or plain text instead of JSON."""

import pytest
from langchain_core.language_models import GenericFakeChatModel
from langchain_core.messages import AIMessage

from smolville.graphs import conclude_talk, decompose, say
from smolville.graphs.catalogue import SAMPLES
from smolville.graphs.loop.step import AnyStep
from smolville.lab.prompting.linting import findings_of
from smolville.models.chat import Chat
from smolville.parsers.prompt_inputs import SpokenLine
from smolville.prompts.errors import PromptContractError
from smolville.prompts.folder import shipped_texts
from smolville.prompts.prompt import TemplateBook, TemplateSet
from tests.fixtures.scripted import Scripted
from tests.graphs.minds import ask, calls_of, context_for, records

NO_JSON = ("Answer with the JSON only.", "Write no more.")


def templates(step: AnyStep, shown: str) -> TemplateSet:
    """The shipped templates, but for a step's that asks for another format."""
    file = f"{step.name}.jinja"
    text = shipped_texts()[file].replace("{{ format }}", f"{{{{ {shown} }}}}").replace(*NO_JSON)
    return TemplateSet({**shipped_texts(), file: text})


async def test_a_step_is_asked_and_repaired_in_lines() -> None:
    replies = ["I will bake.", "weighing flour | 10\nbaking bread | 20"]
    model = Scripted(replies={"decompose": list(replies)})
    book = TemplateBook(templates(decompose.STEP, "format_lines"))
    context = context_for(model, templates=book)
    ended = await ask(decompose.STEP, context)
    assert records(ended)[0].outcome == "repaired"
    first, second = model.asked
    assert "kneading the dough | 25" in first.messages[0].text
    assert "JSON object" not in first.messages[0].text
    assert second.messages[-2].text == replies[0]
    assert "`minutes` of item 1 of `subtasks` is missing" in second.last
    assert second.last.endswith("write the whole answer again.\nAnswer with the lines only.")


async def test_no_schema_is_sent_where_no_json_is_asked_for() -> None:
    model = GenericFakeChatModel(messages=iter([AIMessage("Hello, Ben."), AIMessage("Hello.")]))
    context = context_for(templates=TemplateBook(templates(say.STEP, "format_text")))
    context.client.fast = context.client.strong = Chat(
        spec="fake", name="fake", model=model, constrains=True
    )
    ended = await ask(say.STEP, context)
    assert ended.answer == say.STEP.answer(text="Hello, Ben.", ends=False)
    assert [call.schema for call in calls_of(context)] == [""]


def test_own_turns_of_a_talk_and_examples_are_shown_as_they_are_to_be_written() -> None:
    inputs = SAMPLES["say"]
    mine, theirs = inputs.me.name, "Ben Hollis"
    lines = tuple(SpokenLine(speaker=name, text="Good day.") for name in (theirs, mine, theirs))
    prompt = templates(say.STEP, "format_text").prompt(say.STEP)
    messages = prompt.render(inputs.model_copy(update={"lines": lines}))
    assert [each.text for each in messages if each.type == "ai"] == ["Good day."]
    asked = templates(decompose.STEP, "format_lines").prompt(decompose.STEP)
    case = ("A case.", decompose.STEP.answer.example().model_dump_json())
    system = asked.render(SAMPLES["decompose"], [case])[0].text
    assert "Good answer 1: \nweighing flour and yeast | 10\nkneading the dough | 25" in system


def test_a_format_that_does_not_fit_is_refused_with_those_that_do() -> None:
    with pytest.raises(PromptContractError, match=r"it can show `format`$"):
        templates(conclude_talk.STEP, "format_lines").prompt(conclude_talk.STEP)
    with pytest.raises(PromptContractError, match="a template chooses one format"):
        templates(say.STEP, "format }}\n{{ format_text").prompt(say.STEP)


def test_a_template_that_still_speaks_of_json_is_a_finding() -> None:
    text = shipped_texts()["say.jinja"].replace("{{ format }}", "{{ format_text }}")
    own = {"say.jinja": text}
    (found,) = findings_of({**shipped_texts(), **own}, own)
    assert found.text == "it speaks of JSON, and `format_text` asks for none"
    assert text.splitlines()[(found.line or 0) - 1].endswith("Answer with the JSON only.")
