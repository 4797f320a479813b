"""Measures how much of a lived run its model worded, and what came of its agreements and places.

    python -m benchmarks.life RUN [--runs DIR]
        [--agreements | --deeds N [--seed S] | --questions FILE]

RUN is a run's folder or its name. Texts that people said, thought, planned and did are compared
with the recorded replies of the steps that made them, sentence by sentence; only words count.
`--agreements` prints each agreement with what came of it, for readers to judge; `--deeds N` prints
N drawn deeds with their places as lines of JSON, without how the place was found.

`--questions FILE` says whether people are shown the memory that answers a question. FILE is a JSON
list of items, for example

    {"agent": "Nadia Farouk", "asker": "Junko Mori", "at": "2 08:20",
     "question": "Who comes with your father?", "answer": ["fetch him", "fetching Idris"]}

At that time (day and clock) the asker says the question to the agent, who is awake and where it was
in the run, as the only line of a talk. `answer` has one text or more, each a few words that stand
in the memory that answers the question and, if possible, in no other one; none may be in the
question. Case does not count. A memory stands behind its time: "today 07:40", "yesterday 18:05". If
no memory shown has the answer, but another part of the prompt (`plan`, `deeds`, `agreed`,
`relationship`, `me`), that part is named. "Known with it" are the agent's memories at that time
that have the answer, shown or not. No model is asked; only who else is in the room is left out.
"""

import argparse
import asyncio
import json
import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import mean, median
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, TypeAdapter, ValidationError

from benchmarks.lived import (
    APART,
    CODE,
    FALLBACK,
    OWN,
    PERSONA,
    Agreement,
    Life,
    agreements_of,
    deed_origin,
    describe,
    done,
    folded,
    last_tick,
    origin,
    outcome_of,
    own_words,
    read_life,
    reply_texts,
    shared_beginnings,
)
from benchmarks.table import Cell, print_figures, print_table
from smolville.agents.action import TalkLine
from smolville.agents.errors import SettingError, SmolvilleError
from smolville.agents.plan import Block
from smolville.agents.text_files import read_text
from smolville.agents.times import clock, day_of, minute_of, moment, read_moment
from smolville.graphs import say
from smolville.graphs.alone import make_empty_senses
from smolville.graphs.context import Thinker, context_of, number_memories
from smolville.graphs.frame import DUTY, HABIT
from smolville.graphs.loop.ledger import MemoryJournal
from smolville.graphs.loop.model_client import ModelClient
from smolville.graphs.meeting import Meeting
from smolville.graphs.sense.words import free_texts
from smolville.graphs.state import TalkState
from smolville.graphs.surroundings import Body
from smolville.history.spec import SPEC_FILE, rules_in
from smolville.history.thoughts import StepView
from smolville.lab.evaluation.statistics import wilson
from smolville.models.embedding.embedder import Embedder, open_embedder
from smolville.models.open import open_chat
from smolville.parsers.prompt_inputs import RecalledMemory
from smolville.parsers.reading.sentences import words_of
from smolville.parsers.say import SayInput
from smolville.prompts.prompt import shipped_templates
from smolville.reports.health import format_answers, health
from smolville.reports.present import mind_of, presences
from smolville.reports.runs import OpenRun, opened_run
from smolville.world.streams import Streams, stream_of

THOUGHTS = {"reflect_insights": "insights", "dream": "dreams", "wander": "ideas"}
KINDS = ("lines", *THOUGHTS.values(), "wishes", "hours", "deeds", "summaries")


@dataclass
class Texts:
    """Texts of one kind: how many, and their words by origin."""

    count: int = 0
    words: Counter[str] = field(default_factory=Counter)

    def add(self, text: str, worder: str, own: int | None = None) -> None:
        """Count a text; `own` of its words are the model's (by default all if it worded it)."""
        whole = len(words_of(text))
        mine = (whole if worder == OWN else 0) if own is None else own
        self.count += 1
        self.words[OWN] += mine
        self.words[CODE if worder == OWN else worder] += whole - mine

    def share(self) -> float | None:
        """Return the model's share of the words that are not apart; None without such words."""
        return share(self.words[OWN], self.words[OWN] + self.words[CODE])


def share(part: float, whole: float) -> float | None:
    """Return a share in percent; None of nothing."""
    return round(100 * part / whole, 1) if whole else None


def texts_of(life: Life) -> dict[str, Texts]:
    """Return the texts of each kind."""
    found = {kind: Texts() for kind in KINDS}
    _add_lines(life, found["lines"])
    _add_memories(life, found)
    for deed in life.deeds:
        words, worder = deed.action.activity, deed_origin(life, deed)
        _add_planned(life, found["deeds"], (deed.agent, words, deed.tick), worder)
    for (name, day), mind in life.minds.items():
        plan, tick = mind.plan, last_tick(life.run, day)
        if plan is None or plan.day != day:
            continue
        fixed = {b.activity for b in (*plan.hours, *plan.blocks) if b.source in (HABIT, DUTY)}
        for _, text in plan.strokes:
            worder = PERSONA if text in fixed else origin(life, name, text, None, tick)
            _add_planned(life, found["wishes"], (name, text, tick), worder)
        for block in plan.hours:
            worder = origin(life, name, block.activity, block, tick)
            _add_planned(life, found["hours"], (name, block.activity, tick), worder)
    return found


def _add_planned(life: Life, texts: Texts, planned: tuple[str, str, int], worder: str) -> None:
    """Count a text of somebody's plan at a tick."""
    texts.add(planned[1], worder, life.own_in(*planned) if worder == OWN else None)


def _add_lines(life: Life, texts: Texts) -> None:
    """Count the lines of talks, but not those of visitors."""
    for talk in life.run.reader.talks(until=life.run.tick):
        recorded = life.run.reader.talk(talk.id)
        asked = [view for view in recorded.steps if view.record.step == "say"] if recorded else []
        for line in talk.lines:
            if line.speaker not in life.run.reader.agents():
                continue
            at = next((n for n, v in enumerate(asked) if v.record.agent == line.speaker), None)
            replies = reply_texts(None if at is None else asked.pop(at))
            is_marked = line.fallback
            own = 0 if is_marked else own_words(line.text, replies)
            texts.add(line.text, FALLBACK if is_marked else OWN, own)


def _add_memories(life: Life, found: Mapping[str, Texts]) -> None:
    """Count insights, dreams, ideas and summaries, without the words that code puts before them."""
    by_key = {
        (v.record.owner, v.record.tick, v.record.step, v.record.ordinal): v for v in life.views
    }
    for name in life.run.reader.agents():
        for each in life.run.reader.memories(name, life.run.tick):
            agent, tick, step, ordinal, _ = (each.id.split("/") + [""] * 5)[:5]
            kind = "summaries" if each.kind == "talk" else THOUGHTS.get(step)
            if kind is None or not (tick.isdigit() and ordinal.isdigit()):
                continue
            view = by_key.get((agent, int(tick), step, int(ordinal)))
            text = each.object if kind == "ideas" else each.text
            if kind in ("dreams", "summaries"):
                text = text.partition(": ")[2]
            if view is not None and view.record.outcome == FALLBACK:
                found[kind].add(each.text, FALLBACK)
            else:
                found[kind].add(text, OWN, own_words(text, reply_texts(view)))


def minutes_of(life: Life) -> tuple[float, float]:
    """Return the minutes awake that the persona does not fix, and those that the model worded."""
    origins = [(deed_origin(life, deed), deed.minutes) for deed in life.deeds]
    free = sum(minutes for each, minutes in origins if each != PERSONA)
    return free, sum(minutes for each, minutes in origins if each == OWN)


def places_of(life: Life) -> dict[str, int]:
    """Return how many deeds have a place that was certain, asked for, used again, and so on."""
    tick_seconds = life.run.folder.spec.tick_seconds
    asked: dict[tuple[str, int, str], set[str | None]] = defaultdict(set)
    for view in life.views:
        if view.record.step == "ground_block" and view.attempts:
            day = day_of(view.record.tick * tick_seconds)
            for task in json.loads(view.attempts[0].call.inputs)["tasks"]:
                if task["letter"]:
                    asked[view.record.agent, day, task["activity"]].add(task.get("time"))
    found = dict.fromkeys(("certain", "asked", "reused", "nowhere fits", FALLBACK, "unknown"), 0)
    for deed in done(life):
        key = (deed.agent, day_of(deed.action.start), deed.action.activity)
        found[_place_found(deed.block, asked[key])] += 1
    return found


def _place_found(block: Block | None, asked: set[str | None]) -> str:
    """Return how the place of a block was found.

    `asked` are the times of its activity that were asked about; None in runs of earlier versions.
    """
    spot = block.spot if block is not None else None
    if block is None or spot is None:
        return "unknown"
    if spot.fallback:
        return FALLBACK
    if spot.nowhere:
        return "nowhere fits"
    if spot.by_rule:
        return "certain"
    return "reused" if asked.isdisjoint((None, clock(block.start))) else "asked"


def figures_of(life: Life, agreed: Sequence[Agreement] | None) -> dict[str, object]:
    """Return the figures of the JSON line; None stands for what the run does not tell."""
    texts, whole, days = texts_of(life), health(life.run.reader).total, life.agent_days
    everything = sum((each.words for each in texts.values()), Counter[str]())
    free, worded = minutes_of(life)
    deeds, shown = done(life), list(_shown_in_talk(life.views))
    own = [deed for deed in life.deeds if deed_origin(life, deed) == OWN]
    ideas = sum(folded(deed.action.activity) in life.offered for deed in own)
    calls = [each.call for view in life.views for each in view.attempts]
    prompt, shared = shared_beginnings(calls)
    ends = Counter(map(outcome_of, agreed or ()))
    planned = [all(each.planned.values()) for each in agreed or () if each.planned]
    came = [one for each in agreed or () for one in each.came.values()]
    is_told = whole.recorded > whole.uncounted
    return {
        "agent_days": round(days, 3),
        "outcomes": {str(name): count for name, count in whole.outcomes.items()},
        "odd": whole.odd,
        "own_words": share(everything[OWN], everything[OWN] + everything[CODE]),
        "own_words_of": {kind: each.share() for kind, each in texts.items()},
        "texts": {kind: each.count for kind, each in texts.items()},
        "words_apart": {name: everything[name] for name in APART},
        "words_by_code": everything[CODE],
        **{f"{kind}_per_agent_day": _each(texts[kind].count, days) for kind in KINDS[:4]},
        "free_minutes_per_agent_day": _each(free, days),
        "free_minutes_worded": share(worded, free),
        "deeds_as_offered": share(ideas, len(own)),
        "median_deed_minutes": round(median(d.minutes for d in deeds), 1) if deeds else None,
        "agreements": None if agreed is None else len(agreed),
        "agreements_planned": share(sum(planned), len(planned)),
        "parties_came": share(sum(came), len(came)),
        **{name: None if agreed is None else ends[name] for name in ("kept", "partly", "missed")},
        "places": places_of(life),
        "most_memories_shown": max(shown, default=None),
        "mean_memories_shown": round(mean(shown), 2) if shown else None,
        "calls_per_agent_day": _each(whole.recorded, days),
        "prompt_tokens_per_agent_day": _each(whole.prompt_tokens, days) if is_told else None,
        "shared_beginnings": share(shared, prompt),
    }


def _each(number: float, days: float) -> float | None:
    return round(number / days, 1) if days else None


def _shown_in_talk(views: Iterable[StepView]) -> Iterator[int]:
    """Yield how many memories each question for a line showed, its news included."""
    for view in views:
        if view.record.step == "say" and view.attempts:
            inputs = json.loads(view.attempts[0].call.inputs)
            yield len(inputs["memories"]) + bool(inputs.get("news"))


def show(life: Life, figures: Mapping[str, object]) -> None:
    """Print the figures as tables, and as one line of JSON."""
    print(format_answers(health(life.run.reader).total))
    rows: list[Sequence[Cell]] = []
    for kind, each in texts_of(life).items():
        apart = (each.words[name] for name in APART)
        rows.append(
            (kind, each.count, each.words.total(), _told(each.share()), each.words[CODE], *apart)
        )
    print_table(
        f"Words of the run {life.run.folder.name}, {life.agent_days:.2f} agent-days",
        ("kind", "texts", "words", "own, %", "by code", *APART),
        rows,
    )
    flat: list[Sequence[Cell]] = []
    for name, value in figures.items():
        if isinstance(value, dict) and name != "places":
            continue
        parts = value.items() if isinstance(value, dict) else [("", value)]
        flat += [(f"{name} {part}".strip(), _told(each)) for part, each in parts]
    print_table("Figures", ("", "value"), [(name.replace("_", " "), each) for name, each in flat])
    print_figures(figures)


def _told(value: object) -> Cell:
    return value if isinstance(value, (int, float, str)) else "unknown"


def drawn(life: Life, count: int, seed: int) -> Iterator[dict[str, object]]:
    """Yield drawn deeds for readers to label, in the order in which they were drawn."""
    deeds = sorted(done(life), key=lambda deed: (deed.action.start, deed.agent))
    for number, deed in enumerate(random.Random(seed).sample(deeds, min(count, len(deeds))), 1):
        at = clock(minute_of(deed.action.start))
        yield {"n": number, "at": at, "words": deed.action.activity, "place": deed.action.place}


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
    state = TalkState(agent=agent, meeting=meeting, lines=(line,))
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


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the benchmark with the options of the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "run", help="a run's folder, or its name (`sample` and `sample-small` are shipped)"
    )
    parser.add_argument("--runs", type=Path, default=Path("runs"), help="folder of the runs")
    parser.add_argument("--agreements", action="store_true", help="list the agreements instead")
    parser.add_argument("--deeds", type=int, metavar="N", help="draw N deeds to label instead")
    parser.add_argument("--questions", type=Path, metavar="FILE", help="ask these instead")
    parser.add_argument("--seed", type=int, default=0, help="seed of the draw (default: 0)")
    asked = parser.parse_args(arguments)
    path = Path(asked.run)
    is_folder = (path / SPEC_FILE).is_file()
    runs, name = (
        (path.resolve().parent, path.resolve().name) if is_folder else (asked.runs, asked.run)
    )
    try:
        questions = read_questions(asked.questions) if asked.questions else None
        with opened_run(runs, name) as run:
            if questions is not None:
                show_questions(run, ask_all(run, questions))
                return
            life = read_life(run)
            agreed = agreements_of(life)
            if asked.agreements:
                told = "\n\n".join(describe(each, run) for each in agreed or ())
                print("unknown" if agreed is None else told or "none")
            elif asked.deeds is not None:
                for each in drawn(life, asked.deeds, asked.seed):
                    print(json.dumps(each, ensure_ascii=False))
            else:
                show(life, figures_of(life, agreed))
    except SmolvilleError as error:
        raise SystemExit(f"{str(error).rstrip('.')}.") from None


if __name__ == "__main__":
    main()
