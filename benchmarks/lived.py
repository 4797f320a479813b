"""A lived run as its judges see it: deeds, minds, and what its model wrote word for word."""

import json
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from smolville.agents.action import Action
from smolville.agents.mind import Mind
from smolville.agents.plan import Block, block_at, is_sleep
from smolville.agents.times import DAY_SECONDS, at_of, day_of, minute_of
from smolville.graphs.frame.day import DUTY, HABIT
from smolville.graphs.needs import NEED
from smolville.graphs.sense.words import free_texts
from smolville.history.thoughts import StepView
from smolville.parsers.reading.sentences import sentences_of, words_of
from smolville.reports.present import mind_of
from smolville.reports.runs import OpenRun

PLANNERS = frozenset(
    ("plan_day", "plan_hours", "decompose", "replan", "react", "wander", "conclude_talk")
)
"""Steps whose answers word wishes, hours and deeds."""
OWN, CODE = "own", "code"
PERSONA, WAITS, FALLBACK = "persona", "waits", "fallback"
APART = (PERSONA, NEED, WAITS, FALLBACK)
"""Texts that say themselves that no model worded them; they are counted apart."""


@dataclass(frozen=True)
class DoneDeed:
    """A deed as it was lived, with the block of the plan that it came from."""

    agent: str
    tick: int
    action: Action
    minutes: float
    block: Block | None
    """None if the deed is none of the plan."""


@dataclass
class Life:
    """All that is read from a run to judge it."""

    run: OpenRun
    views: list[StepView]
    worded: dict[str, dict[str, list[tuple[int, int]]]]
    """By name, the folded texts of planning answers: the tick of each answer, and how many words of
    the text are its reply's."""
    offered: set[str]
    """The folded ideas that prompts offered."""
    deeds: list[DoneDeed]
    minds: dict[tuple[str, int], Mind]
    """The mind of each agent at the end of each day."""

    @property
    def agent_days(self) -> float:
        """Days lived, of all agents together."""
        return len(self.run.reader.agents()) * self.run.at / DAY_SECONDS

    def own_in(self, name: str, text: str, tick: int) -> int | None:
        """Return how many words of a planned text are the model's, by the last answer that has it.

        Later answers than `tick` do not count. Two such texts joined by "and", as an agreement is
        with what is done at its place, are the model's too. None if no answer has the text.
        """
        known = self.worded[name].get(folded(text), ())
        found = next((own for at, own in reversed(known) if at <= tick), None)
        joints = [] if found is not None else [m.span() for m in re.finditer(" and ", text)]
        for start, end in joints:
            halves = [self.own_in(name, half, tick) for half in (text[:start], text[end:])]
            own = [half for half in halves if half is not None]
            if len(own) == len(halves):
                return sum(own)
        return found


def folded(text: str) -> str:
    """Return a text as its words alone: case, spacing and punctuation do not count."""
    return " ".join(words_of(text))


def reply_texts(view: StepView | None) -> str:
    """Return the folded texts of all replies of a step, each between bars."""
    found: list[str] = []
    for each in view.attempts if view else ():
        reply = each.call.reply
        try:
            texts = [text for _, text in free_texts(json.loads(reply[reply.index("{") :]))]
        except ValueError:
            texts = [reply]
        found += map(folded, texts)
    return f" {' | '.join(found)} "


def own_words(text: str, replies: str) -> int:
    """Return how many words of a text are in sentences that the replies have word for word."""
    said = (folded(sentence) for sentence in sentences_of(text))
    return sum(len(each.split()) for each in said if each and f" {each} " in replies)


def read_life(run: OpenRun) -> Life:
    """Return what is read from a run."""
    reader = run.reader
    views = [view for key in reader.use_keys(run.tick) if (view := reader.step(key))]
    worded: dict[str, dict[str, list[tuple[int, int]]]] = defaultdict(lambda: defaultdict(list))
    offered: set[str] = set()
    for view in views:
        if view.record.step not in PLANNERS or not view.attempts:
            continue
        inputs = json.loads(view.attempts[0].call.inputs)
        ideas = [inputs.get("ideas", ()), *(gap.get("ideas", ()) for gap in inputs.get("gaps", ()))]
        offered |= {folded(idea) for several in ideas for idea in several}
        if view.record.outcome != "fallback":
            is_shared = view.record.step == "conclude_talk"
            replies = reply_texts(view)
            for _, text in free_texts(json.loads(view.record.answer)):
                for name in reader.agents() if is_shared else (view.record.agent,):
                    own = own_words(text, replies)
                    worded[name][folded(text)].append((view.record.tick, own))
    minds = {
        (name, day): mind
        for name in reader.agents()
        for day in range(1, day_of(max(run.at - 1, 0)) + 1)
        if (mind := mind_of(reader, name, last_tick(run, day))) is not None
    }
    return Life(run, views, worded, offered, list(_deeds(run)), minds)


def last_tick(run: OpenRun, day: int) -> int:
    """Return the last tick of a day, as far as it was lived."""
    return min(at_of(day + 1, 0) // run.folder.spec.tick_seconds - 1, run.tick)


def _deeds(run: OpenRun) -> Iterator[DoneDeed]:
    """Yield what everybody did, talks left out; each deed lasts until the next one begins."""
    for name in run.reader.agents():
        found = [
            each
            for each in run.reader.deeds(name, until=run.tick)
            if each.outcome == "accepted" and each.action.kind != "talk"
        ]
        starts = [each.action.start for each in found[1:]]
        for each, following in zip(found, [*starts, run.at], strict=True):
            end = min(following, each.action.end, run.at)
            plan = getattr(mind_of(run.reader, name, each.tick), "plan", None)
            block = None
            if plan is not None and plan.day == day_of(each.action.start):
                block = block_at(plan.blocks, minute_of(each.action.start))
            if block is not None and block.activity != each.action.activity:
                block = None
            yield DoneDeed(
                name, each.tick, each.action, max(0, end - each.action.start) / 60, block
            )


def origin(life: Life, name: str, text: str, block: Block | None, tick: int) -> str:
    """Return who worded a text of a plan that was in force at a tick."""
    if is_sleep(text) or (block is not None and block.source in (HABIT, DUTY)):
        return PERSONA
    if block is not None and block.source == NEED:
        return NEED
    if block is not None and block.fallback:
        return FALLBACK
    return OWN if life.own_in(name, text, tick) else CODE


def deed_origin(life: Life, deed: DoneDeed) -> str:
    """Return who worded a deed."""
    if deed.action.kind == "wait":
        return WAITS
    if deed.action.kind == "sleep":
        return PERSONA
    if deed.block is None and deed.action.fallback:
        return FALLBACK
    return origin(life, deed.agent, deed.action.activity, deed.block, deed.tick)


def done(life: Life) -> list[DoneDeed]:
    """Return the deeds that are neither sleep nor waiting."""
    return [deed for deed in life.deeds if deed.action.kind == "do"]
