"""Questions to the people of a run: whether the prompt for a line shows what answers it.

A file of questions is a JSON list; `benchmarks/life.py` describes an item.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, TypeAdapter, ValidationError

from benchmarks.table import Cell, print_figures, print_table
from smolville.agents.action import TalkLine
from smolville.agents.errors import SettingError, SmolvilleError
from smolville.agents.text_files import read_text
from smolville.agents.times import moment, read_moment
from smolville.graphs import say
from smolville.graphs.alone import make_empty_senses
from smolville.graphs.context import Thinker, context_of, number_memories
from smolville.graphs.loop.ledger import MemoryJournal
from smolville.graphs.loop.model_client import ModelClient
from smolville.graphs.meeting import Meeting
from smolville.graphs.prompt_inputs import RecalledMemory
from smolville.graphs.say import SayInput
from smolville.graphs.sense.words import free_texts
from smolville.graphs.state import TalkSeen
from smolville.graphs.surroundings import Body
from smolville.history.spec import rules_in
from smolville.lab.evaluation.statistics import wilson
from smolville.models.embedding.embedder import Embedder, open_embedder
from smolville.models.open import open_chat
from smolville.prompts.prompt import shipped_templates
from smolville.reports.present import mind_of, presences
from smolville.reports.runs import OpenRun
from smolville.world.streams import Streams, stream_of

MEMORIES, MISSING = "memories", "missing"
Words = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]


class Question(BaseModel):
    """An item of a file of questions."""

    model_config = ConfigDict(extra="forbid")

    agent: Words
    asker: Words
    at: Words
    question: Words
    answer: Annotated[list[Words], Field(min_length=1)]

    def is_answered_by(self, text: str) -> bool:
        """Return whether a text has one of the answers; case does not count."""
        return any(each.casefold() in text.casefold() for each in self.answer)


_QUESTIONS = TypeAdapter(Annotated[list[Question], Field(min_length=1)])


@dataclass(frozen=True, kw_only=True)
class Asked:
    """A question, and what the prompt shows for it."""

    question: Question
    shown: tuple[str, ...]
    """The memories shown, each behind its time; at last the news, if there are any."""
    known: int
    """Number of the agent's memories at that time that have the answer, shown or not."""
    found: str
    """`memories` if one that is shown has the answer, else the other inputs of the prompt that have
    it, else `missing`."""


def read_questions(path: Path) -> list[Question]:
    """Return the questions of a file. Raises SettingError with a sentence if it is not one."""
    try:
        return _QUESTIONS.validate_json(read_text(path))
    except OSError as error:
        raise SettingError(f"{path} cannot be read: {error.strerror}") from None
    except ValidationError as error:
        first = error.errors()[0]
        where = [str(each + 1) if isinstance(each, int) else each for each in first["loc"]]
        raise SettingError(f"{path}: {' '.join(['question', *where])}: {first['msg']}") from None


def ask_all(run: OpenRun, questions: Sequence[Question]) -> list[Asked]:
    """Return what the prompt shows for each question; SettingError for one that cannot be asked."""
    found, embedder = list[Asked](), open_embedder(run.folder.spec.models.embedder)
    for number, question in enumerate(questions, 1):
        try:
            found.append(asyncio.run(_ask(run, question, embedder)))
        except SmolvilleError as error:
            raise SettingError(f"Question {number}: {error}") from None
    return found


async def _ask(run: OpenRun, question: Question, embedder: Embedder) -> Asked:
    """Return what the prompt shows for a question: the only line of a talk, said by the asker."""
    agent, asker = run.person(question.agent), run.person(question.asker)
    if agent == asker or question.is_answered_by(question.question):
        raise SettingError("give an asker who is another person, and an answer not in the question")
    try:
        tick = read_moment(question.at) // run.folder.spec.tick_seconds - 1
    except ValueError as error:
        raise SettingError(str(error)) from None
    if not 0 <= tick <= run.tick:
        raise SettingError(f"the run goes to {moment(run.at)}; {question.at} is outside of it")
    bodies = {
        each.name: Body(place=each.place, action=each.action, arrived=not each.is_walking)
        for each in presences(run.reader, run.town.map, tick)
    }
    me = _thinker(run, agent, bodies[agent], tick, embedder)
    line = TalkLine(speaker=asker, text=question.question, at=me.surroundings.at)
    doing = {name: body.doing or "standing about" for name, body in bodies.items()}
    meeting = Meeting(speakers=(asker, agent), doing=doing, place=bodies[agent].place)
    chat, _ = open_chat("standin")
    client = ModelClient(fast=chat, strong=chat, journal=MemoryJournal(), seed=0)
    state = TalkSeen(agent=agent, meeting=meeting, lines=(line,))
    inputs = (await say.gather(state, context_of(me, client))).inputs
    shown = (*map(_dated, inputs.memories), *filter(None, [inputs.news]))
    known = map(_dated, number_memories(me, run.reader.memories(agent, tick)))
    is_shown = any(map(question.is_answered_by, shown))
    return Asked(
        question=question,
        shown=shown,
        known=sum(map(question.is_answered_by, known)),
        found=MEMORIES if is_shown else _elsewhere(question, inputs),
    )


def _dated(memory: RecalledMemory) -> str:
    return f"{memory.when} {memory.text}"


def _thinker(run: OpenRun, agent: str, body: Body, tick: int, embedder: Embedder) -> Thinker:
    """Return an agent with the mind and the memories that it had when a tick was completed."""
    spec, mind = run.folder.spec, mind_of(run.reader, agent, tick)
    at = (tick + 1) * spec.tick_seconds
    if mind is None or body.action is None or body.action.kind == "sleep":
        raise SettingError(f"{agent} is not awake at {moment(at)}")
    senses = make_empty_senses(tick + 1)
    return Thinker(
        persona=run.persona(agent),
        surroundings=replace(senses, at=at, start_date=run.town.start_date, own=body),
        stream=stream_of(run.reader, agent, tick, embedder),
        embed=Streams((), embedder).embed,
        mind=mind,
        without=frozenset(rules_in(spec.settings).without),
    )


def _elsewhere(question: Question, inputs: SayInput) -> str:
    """Return the inputs with the answer, if the rendered prompt has it; the question is none."""
    messages = shipped_templates().prompt(say.STEP).render(inputs)
    if not any(question.is_answered_by(str(each.content)) for each in messages):
        return MISSING
    texts = free_texts(inputs.model_dump(exclude={"lines"}))
    names = [path.partition(".")[0] for path, text in texts if question.is_answered_by(text)]
    return ", ".join(dict.fromkeys(names)) or MISSING


def show_questions(run: OpenRun, asked: Sequence[Asked]) -> None:
    """Print where the answer to each question was found, and the shares, with a line of JSON."""
    rows: list[Sequence[Cell]] = []
    for each in asked:
        who, at = each.question.agent, each.question.at
        rows.append((each.question.question, who, at, len(each.shown), each.known, each.found))
    columns = ("question", "asked", "at", "memories shown", "known with it", "answer found in")
    print_table(f"Questions to the people of {run.folder.name}", columns, rows)
    found = [each.found for each in asked]
    shares = {
        "in_memories": _share(found.count(MEMORIES), len(found)),
        "in_prompt": _share(len(found) - found.count(MISSING), len(found)),
    }
    rows = [(name.replace("_", " "), *share.values()) for name, share in shares.items()]
    print_table("Shares, with Wilson's interval", ("answer", "count", "%", "from", "to"), rows)
    most = max(len(each.shown) for each in asked)
    print_figures({"questions": len(asked), "most_memories_shown": most, **shares, "found": found})


def _share(count: int, of: int) -> dict[str, float]:
    """Return a count, its share in percent, and the bounds of Wilson's interval."""
    share, low, high = (round(100 * each, 1) for each in (count / of, *wilson(count, of)))
    return {"count": count, "share": share, "low": low, "high": high}
