"""Look back on a talk that has just ended: what to remember, what was agreed, and the feeling."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from smolville.agents.action import Talk
from smolville.agents.memory import IN_CONFIDENCE, quote
from smolville.agents.mind import Appointment, Mind, with_appointment
from smolville.agents.plan import Block, block_at, rest_of_day, splice
from smolville.agents.times import clock, date_text, day_of, minute_at, minute_of
from smolville.agents.wording import join_words
from smolville.graphs.agreed_plan import is_for_now, with_agreed_today, without_activity
from smolville.graphs.appointments import (
    after_talk,
    dates_offered,
    in_words,
    places_offered,
    read_agreements,
)
from smolville.graphs.components import APPOINTMENTS, OBSERVATION, SOCIAL
from smolville.graphs.context import MindContext, Thinker, format_relations, now, relation, who
from smolville.graphs.frame import FREE, OPEN, PROMISE
from smolville.graphs.loop.step import Changes, Choices, Step, StepInputs, StepResult
from smolville.graphs.scenes import Scene
from smolville.graphs.sense import ENGLISH, CheckContext, SenseCheck, stems_of
from smolville.graphs.standin.talk import conclude_talk
from smolville.graphs.state import MindState
from smolville.graphs.talk_memories import impressions_after
from smolville.parsers.conclude_talk import ConcludeTalkInput, TalkConclusion, day_labels
from smolville.parsers.problem import Problem, field_problem
from smolville.parsers.prompt_inputs import NumberedLine
from smolville.parsers.reading.sentences import is_small_talk, sentences_of
from smolville.parsers.say import SERVICE

LEAST = 3
"""Importance of a talk from which nothing is kept."""
NEWS = 6
"""Importance of a line kept as news, and of an agreement."""
MOVING = frozenset(("grateful", "worried", "sad", "annoyed", "hurt"))
"""Feelings after a talk that show that it moved somebody."""


def fallback(inputs: ConcludeTalkInput) -> TalkConclusion:
    """Return the bare fact of the talk, without any invented thought about it."""
    others = " and ".join(inputs.others)
    summary = f"{inputs.me.name} talked with {others}"
    return TalkConclusion(
        summary=summary, keep=[], agreements=[], in_confidence=[], settled=[], feeling="calm"
    )


def context(inputs: ConcludeTalkInput) -> dict[str, Any]:
    """Return who said which line, the others' lines, and the days, hours and places to agree on."""
    return {
        "numbers": _of_others(inputs),
        "others": list(inputs.others),
        "speakers": {line.number: line.speaker for line in inputs.lines},
        "dates": list(inputs.dates),
        "places": list(inputs.places),
        "open": list(inputs.open),
        "minute": minute_at(inputs.now.rpartition(", ")[2]),
    }


def choices(inputs: ConcludeTalkInput) -> Choices:
    """Return the lines that can be kept, and the people, days and places that can be agreed on."""
    numbers, every = _of_others(inputs), [line.number for line in inputs.lines]
    found: dict[str, Sequence[str | int]] = {
        "agreements[].who[]": [inputs.me.name, *inputs.others],
        "agreements[].day": day_labels(inputs.dates or ("",)),
        "agreements[].place": inputs.places,
    }
    found |= {"in_confidence[]": every, "settled[]": inputs.open}
    if every:
        found |= {"agreements[].line": every}
    return {**found, "keep[]": numbers}


def _of_others(inputs: ConcludeTalkInput) -> list[int]:
    """Return the numbers of the others' informative lines: no greetings, no stock phrases."""
    return [
        line.number
        for line in inputs.lines
        if line.speaker in inputs.others and not _tells_nothing(line.text)
    ]


def _tells_nothing(text: str) -> bool:
    """Return whether a line consists of small talk and of offers to help, as an assistant makes."""
    return is_small_talk(" ".join(each for each in sentences_of(text) if not SERVICE.search(each)))


def _find_ended_talk(me: Thinker) -> Talk:
    talk = me.surroundings.body.ended_talk
    assert talk is not None
    return talk


async def gather(state: MindState, context: MindContext) -> StepInputs[ConcludeTalkInput]:
    """Return what was said, and the relationships with the others before the talk."""
    me, mind = context.of(state.agent), state.mind
    talk, introduced = _find_ended_talk(me), me.surroundings.body.introduced
    others = talk.others(me.name)
    first, unsettled = mind.impressions.get(others[0]), may_be_settled(me, mind, others)
    inputs = ConcludeTalkInput(
        me=who(me, mind),
        now=now(me),
        others=others,
        relationship=format_relations(
            {name: relation(me, mind, name, introduced.get(name, "")) for name in others}
        ),
        feeling=first.feeling if first and len(others) == 1 else "",
        plan=tuple(f"{each.block.span()} {each.activity}" for each in unsettled),
        open=tuple(each.key for each in unsettled),
        lines=tuple(NumberedLine(speaker=line.speaker, text=line.text) for line in talk.lines),
        dates=dates_offered(me),
        places=places_offered(
            me, mind, others, " ".join(line.text for line in talk.lines), talk.place
        ),
    )
    return StepInputs(inputs=inputs)


def apply(
    state: MindState, context: MindContext, result: StepResult[ConcludeTalkInput, TalkConclusion]
) -> Changes:
    """Remember the talk, the lines kept of it and what was agreed; update plan and relationship.

    A line is kept as it was said, with its date beside it. After a fallback only the bare fact is
    kept: no thought, and no changed impression. The rest of this hour is planned anew if something
    was agreed for it, or if the talk was what people had met for; no other talk changes it.
    """
    me, inputs, answer = context.of(state.agent), result.inputs, result.answer
    talk = _find_ended_talk(me)
    others = talk.others(me.name)
    names = join_words(others)
    told, summary = f"{me.name} talked with {names}", _plain(me, answer.summary, others)
    draft, made, remembers = state.draft, None, me.has(OBSERVATION)
    agreed = read_agreements(me, talk, answer.agreements) if me.has(APPOINTMENTS) else ()
    is_promised = any(each.is_of(me.name) for each in agreed)
    importance = LEAST if result.is_fallback else importance_of(answer, is_promised=is_promised)
    if remembers:
        draft, made = draft.with_memory(
            me,
            "talk",
            f"{told}." if result.is_fallback else f"{told}: {summary}",
            step=STEP.name,
            triple=(me.name, "talks with", names),
            importance=importance,
        )
    gathered = state.mind.gathered + (importance if made else 0)
    talked = {**state.mind.talked, **dict.fromkeys(others, me.surroundings.at)}
    impressions = dict(state.mind.impressions)
    if not result.is_fallback:
        evidence = (made.id,) if made else ()
        for text, triple in (
            (*_facts(me, inputs, answer), *_agreed_facts(me, inputs, answer, agreed))
            if remembers
            else ()
        ):
            draft, kept = draft.with_memory(
                me,
                "thought",
                text,
                step=STEP.name,
                triple=triple,
                importance=NEWS,
                evidence=evidence,
            )
            gathered += NEWS if kept else 0
        if me.has(SOCIAL):
            impressions |= impressions_after(
                me,
                state.mind,
                others,
                feeling=answer.feeling,
                summary=summary,
                lines=inputs.lines,
                promised=is_promised,
            )
    mind, met_for = after_talk(me, state.mind, others)
    before = kept_in_mind = mind.appointments
    for each in agreed:
        kept_in_mind = with_appointment(kept_in_mind, each, day_of(me.surroundings.at))
    mind = replace(
        mind,
        talked=talked,
        impressions=impressions,
        gathered=gathered,
        appointments=kept_in_mind,
    )
    mind = with_agreed_today(me, mind, before)
    mind, settled = without_settled(me, mind, others, answer.settled)
    reasons = [f"What you had agreed to do: {met_for}."] if met_for else []
    reasons += [f"Settled by it: {activity}." for activity in settled]
    reasons += [
        f"Agreed just now: {each.activity} at {clock(each.start or 0)}."
        for each in agreed
        if is_for_now(me, mind, each)
    ]
    disturbed = state.disturbed
    if reasons:
        disturbed = " ".join([f"A talk with {names} has just ended.", *reasons])
    return {"mind": mind, "draft": draft, "disturbed": disturbed, "agreed": agreed}


def importance_of(answer: TalkConclusion, *, is_promised: bool) -> int:
    """Return a talk's importance, computed from the lines kept, the feeling and a promise."""
    is_moved = answer.feeling in MOVING
    return LEAST + min(2, len(answer.keep)) + is_moved + 2 * is_promised


Fact = tuple[str, tuple[str, str, str]]
"""The text of a memory, and its subject, predicate and object."""


def _facts(me: Thinker, inputs: ConcludeTalkInput, answer: TalkConclusion) -> list[Fact]:
    """Return the lines of others to remember, each as it was said, with its date beside it."""
    start, at = me.surroundings.start_date, me.surroundings.at
    when = f"{date_text(start, day_of(at))} at {clock(minute_of(at))}"
    found = []
    for line in _kept_lines(me, inputs, answer):
        is_secret = line.number in answer.in_confidence
        text = quote(when, line.speaker, line.text, is_secret=is_secret)
        found.append((text, (line.speaker, IN_CONFIDENCE if is_secret else "said", me.name)))
    return found


def _kept_lines(
    me: Thinker, inputs: ConcludeTalkInput, answer: TalkConclusion
) -> list[NumberedLine]:
    kept = {*answer.keep, *answer.in_confidence}
    return [each for each in inputs.lines if each.speaker != me.name and each.number in kept]


def _agreed_facts(
    me: Thinker,
    inputs: ConcludeTalkInput,
    answer: TalkConclusion,
    agreed: Sequence[Appointment],
) -> list[Fact]:
    kept = {each.text for each in _kept_lines(me, inputs, answer)}
    return [
        (in_words(me, each, is_kept=each.said in kept), (me.name, "agreed", join_words(each.who)))
        for each in agreed
    ]


def _plain(me: Thinker, summary: str, others: tuple[str, ...]) -> str:
    """Return a summary without `A talked with B` at its beginning, which the memory adds itself."""
    bare = summary.strip()
    for name in (me.name, me.persona.first_name):
        for partner in (join_words(others), *(each.split()[0] for each in others)):
            bare = bare.removeprefix(f"{name} talked with {partner} ")
    return bare[:1].upper() + bare[1:]


def sample(scene: Scene) -> ConcludeTalkInput:
    """Return sample inputs for the prompt, made from a scene."""
    return ConcludeTalkInput(
        me=scene.me,
        now=scene.now,
        others=scene.others,
        relationship=scene.relationship,
        feeling=scene.feeling,
        plan=tuple(f"{time} {activity}" for time, activity in scene.strokes[3:]),
        open=tuple(time[:5] for time, _ in scene.strokes[3:]),
        lines=tuple(NumberedLine(speaker=name, text=text) for name, text in scene.lines),
        dates=scene.dates,
        places=tuple(address for address, _, _ in scene.places),
    )


TALKED_OF, FEW = 0.25, 5
"""A summary of at least `FEW` meaningful words says something else than its talk if at most this
share of them was said there."""


def of_another_talk(
    answer: TalkConclusion, inputs: ConcludeTalkInput, shown: CheckContext
) -> Iterator[Problem]:
    """Yield a summary of something that was not talked about."""
    names = stems_of(" ".join((inputs.me.name, *inputs.others)))
    said = stems_of(" ".join(line.text for line in inputs.lines))
    own = stems_of(answer.summary) - names
    if len(own) >= FEW and len(own & said) <= TALKED_OF * len(own):
        rest = ", but TALK was about other things. Sum up what was said there."
        yield field_problem("summary", answer.summary, rest, "fact")


UNSETTLED = 8
"""Maximum number of lines of the plan among which a talk may settle some, the next ones."""
FREED, FREED_NOW = 60, 15
"""Minimum minutes of what is settled, later or now, for its time to become free time."""


class Unsettled(NamedTuple):
    """Something of today's plan that a talk may settle."""

    block: Block
    agreed: Appointment | None
    """The agreement, if it is one."""

    @property
    def key(self) -> str:
        """When it begins: `15:00`."""
        return clock(self.block.start)

    @property
    def activity(self) -> str:
        """What was to be done."""
        return self.block.activity if self.agreed is None else self.agreed.activity


def may_be_settled(me: Thinker, mind: Mind, others: Sequence[str]) -> tuple[Unsettled, ...]:
    """Return what is still to come today that a talk with others may settle.

    These are the person's own wishes, and what it agreed with nobody but them; of what goes on now,
    only what it has promised alone.
    """
    today, minute = day_of(me.surroundings.at), minute_of(me.surroundings.at)
    if mind.plan is None or mind.plan.day != today:
        return ()
    agreed = [each for each in mind.appointments if each.day == today and not each.by]
    found = []
    for block in rest_of_day(mind.plan.blocks, minute, UNSETTLED):
        is_now = block.start <= minute
        held = [each for each in agreed if each.activity in block.activity]
        if block.source == "" or (block.source == PROMISE and not held and not is_now):
            found.append(Unsettled(block, None))
        elif block.source == PROMISE and [each.activity for each in held] == [block.activity]:
            each = held[0]
            if set(each.partners) <= set(others) and not (is_now and each.is_joint):
                found.append(Unsettled(block, each))
    return tuple(found)


def without_settled(
    me: Thinker, mind: Mind, others: Sequence[str], keys: Sequence[str]
) -> tuple[Mind, tuple[str, ...]]:
    """Return the mind without what a talk with others has settled, and what of it was for now.

    What goes on now, or takes an hour and more, leaves free time, which the mind fills itself
    (`replan`, `decompose`); what is beside the rest in the plan takes its time.
    """
    settled = [each for each in may_be_settled(me, mind, others) if each.key in keys]
    if mind.plan is None or not settled:
        return mind, ()
    minute, blocks = minute_of(me.surroundings.at), mind.plan.blocks
    for block, _ in settled:
        if block.minutes >= (FREED_NOW if block.start <= minute else FREED):
            free = Block(start=block.start, minutes=block.minutes, activity=FREE, source=OPEN)
            blocks = splice(blocks, free.start, free.end, [free])
        else:
            blocks = without_activity(blocks, block.source, block.activity, minute)
    now = block_at(mind.plan.hours or mind.plan.blocks, minute)
    done = [each.agreed for each in settled]
    mind = replace(
        mind,
        plan=replace(mind.plan, blocks=blocks),
        appointments=tuple(each for each in mind.appointments if each not in done),
    )
    return mind, tuple(each.activity for each in settled if each.block.start < now.end)


STEP = Step(
    name="conclude_talk",
    about="what is kept of a talk",
    inputs=ConcludeTalkInput,
    answer=TalkConclusion,
    gather=gather,
    apply=apply,
    sample=sample,
    fallback=fallback,
    standin=conclude_talk,
    context=context,
    choices=choices,
    sense=(SenseCheck(look=of_another_talk, action="ask", languages=ENGLISH),),
    tier="strong",
    max_tokens=420,
    sheds=("plan", "places", "lines"),
)
