"""Phrases that a folder of templates calls odd: read with file and line, found as whole words."""

import pytest

from smolville.graphs import ground_block, say
from smolville.graphs.catalogue import SAMPLES, STEPS
from smolville.graphs.checking import check_templates
from smolville.graphs.loop.judging import verdict_on
from smolville.graphs.loop.state import StepState
from smolville.graphs.sense.phrases import phrase_faults
from smolville.parsers.say import Utterance
from smolville.prompts.errors import PromptContractError
from smolville.prompts.folder import SENSE, shipped_texts
from smolville.prompts.prompt import TemplateBook, TemplateSet
from tests.fixtures.scripted import Scripted
from tests.graphs.minds import ask, context_for, records

NAMES = [step.name for step in STEPS]
LISTED = """
[any]
fact = ["the moon base"]

[say]  # what nobody in a town says
voice = [
    "don't miss our services",
    "zögern Sie nicht",
]
"""


def set_with(text: str) -> TemplateSet:
    """The shipped templates with a list of phrases beside them."""
    return TemplateSet({**shipped_texts(), SENSE: text})


def kinds(text: str, listed: str = LISTED) -> list[str]:
    """The kinds of what is odd in a line of talk, none of it refused."""
    state = StepState(agent="Rosa Marin", inputs=SAMPLES["say"])
    answer = Utterance(text=text, ends=False)
    found = verdict_on(say.STEP, state, answer, set_with(listed))
    assert (found.refused, found.doubted) == ((), ())
    return [problem.kind for problem in found.odd]


@pytest.mark.parametrize(
    ("text", "odd"),
    [
        ("Come by on Saturday, and don't miss our services!", ["voice"]),
        ("Come by. Don’t miss - our services.", ["voice"]),
        ("Come by on Saturday, and zögern Sie nicht: we bake all day.", ["voice"]),
        ("We could fly to The Moon Base.", ["fact"]),
        ("We could fly to the moon bases.", []),
        ("You must not miss our service.", []),
    ],
)
def test_a_phrase_is_found_as_whole_words_whatever_their_case_and_marks(
    text: str, odd: list[str]
) -> None:
    assert kinds(text) == odd


def test_phrases_of_another_step_say_nothing() -> None:
    listed = LISTED.replace("[say]", "[react]")
    assert kinds("Don't miss our services.", listed) == []
    assert kinds("The moon base is near.", listed) == ["fact"]


async def test_in_a_step_such_an_answer_is_accepted_as_odd_at_once() -> None:
    reply = {"text": "Let us all go to the moon base today.", "ends": False}
    model = Scripted(replies={"say": [reply]})
    book = TemplateBook(set_with(LISTED))
    ended = await ask(say.STEP, context_for(model, templates=book))
    (record,) = records(ended)
    assert (ended.outcome, len(model.asked), record.odd_kinds) == ("clean", 1, ("fact",))
    assert "'the moon base' is listed as odd: a name, number, day or time lost" in record.odd[0]
    plain = await ask(say.STEP, context_for(Scripted(replies={"say": [reply]})))
    assert not records(plain)[0].odd


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("[say]\nvoice = [", "it is no TOML: "),
        ("\n[sya]\nvoice = []\n", "there is no step `sya` (did you mean `say`?); `any` is every"),
        ("[any]\nvoise = []", "`voise` is no kind of oddity (did you mean `voice`?); there are"),
        ('[any]\nvoice = "one"', "`voice` of [any] should be a list of phrases"),
        ("[any]\nfact = []\nvoice = [1]", "`voice` of [any] should be a list of phrases"),
        ('[say]\nfact = ["well", "?!"]', "`fact` of [say] has a phrase without words: '?!'"),
        ('voice = ["one"]', "`voice` stands in no table: write [any] or [<step>] above it"),
    ],
)
def test_what_cannot_be_is_refused_with_its_file(text: str, what: str) -> None:
    (fault,) = phrase_faults(text, NAMES)
    assert fault.startswith(what)
    with pytest.raises(PromptContractError) as caught:
        check_templates({**shipped_texts(), SENSE: text})
    assert str(caught.value) == f"sense.toml: {fault}"


def test_every_fault_is_told_and_what_is_right_holds() -> None:
    text = "[sya]\nvoise = []\n[any]\nfact = ['the moon base']\nplace = 3"
    assert len(phrase_faults(text, NAMES)) == 2
    assert kinds("The moon base is near.", text) == ["fact"]


def test_an_empty_list_and_none_are_no_fault() -> None:
    assert phrase_faults("", NAMES) == phrase_faults("[say]\nvoice = []\n", NAMES) == []


def test_a_choice_from_a_list_is_not_held_against_an_answer() -> None:
    step = ground_block.STEP
    inputs = SAMPLES[step.name]
    answer = step.fallback(inputs)
    state = StepState(agent="Rosa Marin", inputs=inputs)
    found = verdict_on(step, state, answer, set_with('[any]\nplace = ["a", "1"]'))
    assert found.odd == ()
