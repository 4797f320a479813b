"""People to live through days, and one way to ask the stand-in as the step loop does."""

import json
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import AIMessage, BaseMessage

from smolville.agents.persona import Habits, Meal, Meals, Persona, Work
from smolville.graphs import plan_day, plan_hours
from smolville.graphs.catalogue import STEPS
from smolville.graphs.context import who_of
from smolville.models.standin.model import StandIn, build
from smolville.parsers.plan_day import DayOutline
from smolville.parsers.plan_hours import HourlyPlan
from smolville.parsers.prompt_inputs import PromptInput, RecalledMemory, SpokenLine
from smolville.parsers.reader import ParseResult
from tests.fixtures.standin_call import standin_call

TOWNS = Path(__file__).parents[3] / "towns"

PARTY = "lantern party at the Copper Kettle on Tuesday 7 May at 5pm"

OWN = (
    Persona(
        name="Rosa Marin",
        age=46,
        innate="warm, stubborn, early to rise",
        learned="Rosa Marin runs the Copper Kettle cafe on the square.",
        currently="Rosa Marin is giving a lantern party at the Copper Kettle on Tuesday 7 May at "
        "5pm and wants everybody to come.",
        lifestyle="Rosa goes to bed around 10pm, wakes up around 6am and has dinner at 7pm.",
        home="Oak Cottage: bedroom",
        work="Copper Kettle: counter room",
        daily_requirement="Rosa works at the counter of the Copper Kettle from 8am to 5pm.",
        habits=Habits(
            wake="06:00",
            bed="22:00",
            meals=Meals(dinner=Meal(start="19:00")),
            work=(
                Work(
                    start="08:00",
                    end="17:00",
                    activity="working at the counter of the Copper Kettle",
                ),
            ),
        ),
        relationships={"Tom Reed": "Tom is her neighbour, whom she has known for years."},
    ),
    Persona(
        name="Tom Reed",
        age=30,
        innate="sociable, curious",
        learned="Tom Reed bakes bread in the town's bakery, as his father did.",
        currently="Tom Reed is looking for a bigger oven.",
        lifestyle="Tom sleeps badly, goes to bed at 21:00 and wakes up at 04:30.",
        home="Mill House: attic",
        work="Reed Bakery: bakehouse",
        daily_requirement="Bake bread from 5am to 10am and sell it at the counter until 2pm.",
        habits=Habits(
            wake="04:30",
            bed="21:00",
            work=(
                Work(start="05:00", end="10:00", activity="baking bread"),
                Work(start="10:00", end="14:00", activity="selling it at the counter"),
            ),
        ),
        relationships={"Rosa Marin": "Rosa is a neighbour who buys his bread."},
    ),
    Persona(
        name="Ida Lund",
        age=19,
        innate="shy, dreamy",
        learned="Ida Lund is a student who has just moved to the town.",
        currently="Ida wonders how one makes friends.",
        lifestyle="A night owl who goes to bed around 1am and gets up at nine.",
        home="Willow House: back room",
        daily_requirement="Study for four hours. Go for a walk.",
        habits=Habits(wake="09:00", bed="01:00", work=()),
    ),
)


def shipped() -> tuple[Persona, ...]:
    """Return the personas of every town that comes with the program."""
    files = sorted(TOWNS.glob("*/personas/*.toml"))
    return tuple(Persona(**tomllib.loads(file.read_text(encoding="utf-8"))) for file in files)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test that asks for a `persona` once for each."""
    if "persona" in metafunc.fixturenames:
        people = (*OWN, *shipped())
        metafunc.parametrize("persona", people, ids=[each.name for each in people])


@dataclass(frozen=True)
class Reply:
    """A reply, and what the step's own reader made of it."""

    message: AIMessage
    reading: ParseResult[Any]

    @property
    def text(self) -> str:
        """What the stand-in wrote."""
        assert isinstance(self.message.content, str)
        return self.message.content

    @property
    def answer(self) -> dict[str, Any]:
        """The answer as written, which must have been read without a mend."""
        assert self.reading.value is not None, (self.text, self.reading.problems)
        assert self.reading.mends == (), (self.text, self.reading.mends)
        answer: dict[str, Any] = json.loads(self.text)
        return answer


class Town:
    """Asks the stand-in with the shipped prompts and reads it with the shipped parsers."""

    def __init__(self, model: StandIn) -> None:
        self.model = model
        self.steps = {step.name: step for step in STEPS}

    def seeded(self, seed: int) -> StandIn:
        """Return the stand-in with another seed."""
        return self.model.model_copy(update={"seed": seed})

    def messages(self, step: str, inputs: PromptInput) -> list[BaseMessage]:
        """Return the rendered prompt of a step."""
        rendered: list[BaseMessage] = self.steps[step].prompt.invoke(inputs)
        return rendered

    def ask(
        self,
        step: str,
        inputs: PromptInput,
        *,
        seed: int = 1,
        model: StandIn | None = None,
        more: Sequence[BaseMessage] = (),
    ) -> Reply:
        """Return the reply to a step's inputs, after `more` of an exchange."""
        known = self.steps[step]
        message = (model or self.seeded(seed)).invoke(
            [*self.messages(step, inputs), *more],
            **standin_call(step, inputs),
            seed=seed,
            max_tokens=known.max_tokens,
        )
        context = {**known.context(inputs), "choices": known.choices(inputs)}
        cut = message.response_metadata["finish_reason"] == "length"
        return Reply(message, known.parser.read(message.content, context, cut=cut))

    def given(self, step: str, **fields: Any) -> PromptInput:
        """Return the inputs of a step."""
        inputs: PromptInput = self.steps[step].inputs(**fields)
        return inputs

    def plan(
        self, persona: Persona, date: str = "Monday 6 May", texts: Sequence[str] = (), seed: int = 1
    ) -> tuple[dict[str, Any], list[tuple[int, str]]]:
        """Return the outline of a day, and its hours as (start minute, activity)."""
        me = who_of(persona, persona.currently)
        rules = plan_day.DayRules(habits=persona.habits)
        inputs = plan_day.asked_about(me, date, persona.daily_requirement, memories(texts), rules)
        outline = self.ask("plan_day", inputs, seed=seed).answer
        blocks = plan_day.lay_out_day(inputs, DayOutline.model_validate(outline), rules)
        asked = plan_hours.asked_about(me, date, persona.daily_requirement, (), blocks)
        hours = self.ask("plan_hours", asked, seed=seed).answer
        filled = plan_hours.fill_gaps(blocks, HourlyPlan.model_validate(hours))
        return outline, [(block.start, block.activity) for block in filled]


def memories(texts: Sequence[str], when: str = "yesterday 10:00") -> tuple[RecalledMemory, ...]:
    """Return memories with these texts, numbered from 1."""
    return tuple(
        RecalledMemory(number=number, when=when, text=text)
        for number, text in enumerate(texts, start=1)
    )


def answered(
    town: Town, me: Persona, other: Persona, text: str, known: Sequence[str] = (), seed: int = 1
) -> str:
    """Return what somebody says to a line of the other's."""
    inputs = town.given(
        "say",
        me=who_of(me, me.currently),
        now="Monday 6 May, 09:20",
        place="Weathervane Square",
        others=(other.name,),
        doing="You were walking.",
        relationship="strangers",
        reason="",
        memories=[each.model_dump() for each in memories(known, "today 08:00")],
        lines=(SpokenLine(speaker=other.name, text=text),),
        turns_left=12,
    )
    line: str = town.ask("say", inputs, seed=seed).answer["text"]
    return line


@pytest.fixture(scope="session")
def town() -> Town:
    """The stand-in without mistakes, held to the rendered messages."""
    return Town(build({}, 1))


@pytest.fixture(scope="session")
def own() -> dict[str, Persona]:
    """The personas of these tests, by first name."""
    return {persona.first_name: persona for persona in OWN}


@pytest.fixture(scope="session")
def everybody() -> tuple[Persona, ...]:
    """All personas."""
    return (*OWN, *shipped())


@pytest.fixture(scope="session")
def recall() -> Callable[..., tuple[RecalledMemory, ...]]:
    """Makes memories of texts."""
    return memories
