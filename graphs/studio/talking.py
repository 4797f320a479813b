"""The talk graph for Studio: two people talk, and each line is a step."""

from pydantic import Field

from agents.mind import Impression, Mind
from graphs.alone import persona_of, thinker_alone
from graphs.context import MindContext, Thinker
from graphs.meeting import MOST_LINES, Meeting
from graphs.prompt_inputs import PersonaInput, PromptInput
from graphs.scenes import MILO, ROSA
from graphs.studio.form import Form, FormError, Remembered, memories_of
from graphs.studio.graph import StudioGraph, studio_graph
from graphs.studio.minding import HOURS_AGO
from graphs.studio.moment import TICK_SECONDS, TIME, memories_at, read_time, senses_of
from graphs.studio.opening import Opened
from graphs.studio.told import StepTold, StudioRecord, WhoAnswered, steps_told
from graphs.talk import build_talk, talk


class Talker(PromptInput):
    """One of the two who talk."""

    me: PersonaInput
    """Who it is."""
    doing: str
    """What was being done, without the name."""
    relationship: str = "You do not know them."
    """What the other one is to this one."""
    feeling: str = ""
    """What this one feels for the other."""
    memories: tuple[Remembered, ...] = ()
    """What this one remembers."""


class TalkForm(Form):
    """Two people who meet."""

    first: Talker = Talker(
        me=ROSA.me,
        doing=ROSA.doing,
        relationship=ROSA.people[0].relationship,
        feeling=ROSA.feeling,
        memories=memories_of(ROSA, HOURS_AGO),
    )
    """Who begins the talk."""
    second: Talker = Talker(
        me=MILO.me,
        doing=ROSA.people[0].doing,
        relationship="She runs the café and lives next door.",
        memories=(
            Remembered(text="Milo Varga knows four dances by heart.", hours_ago=12, importance=4),
        ),
    )
    """Who is spoken to."""
    time: str = TIME
    place: str = ROSA.place
    """Where they meet, as `sector: arena`."""
    reason: str = ROSA.why
    """Why the first one begins the talk."""
    most_lines: int = Field(6, ge=1, le=MOST_LINES)
    """The talk ends after so many lines, if nobody ends it before."""


class LineTold(StudioRecord):
    """One line of the talk."""

    speaker: str
    text: str
    is_fallback: bool
    """True when no model's answer stands behind it."""


class TalkDone(WhoAnswered):
    """What was said."""

    lines: tuple[LineTold, ...]
    ended_by: str
    """Who ended the talk, or `the cap`."""
    steps: tuple[StepTold, ...]
    """How each line's step ended."""


async def _live(form: TalkForm, opened: Opened) -> WhoAnswered:
    """Run the talk and return its lines."""
    if form.first.me.name == form.second.me.name:
        raise FormError(f"`second.me.name`: {form.first.me.name} cannot talk to themselves.")
    at = read_time(form.time)
    pairs = ((form.first, form.second), (form.second, form.first))
    thinkers = {own.me.name: _thinker(own, other, form.place, at) for own, other in pairs}
    meeting = Meeting(
        speakers=tuple(thinkers),
        doing={own.me.name: own.doing for own, _ in pairs},
        place=form.place,
        reason=form.reason,
        most_lines=form.most_lines,
    )
    context = MindContext(
        owner=form.first.me.name,
        tick=at // TICK_SECONDS,
        thinkers=thinkers,
        client=opened.client,
    )
    done = await talk(context, meeting)
    return TalkDone(
        lines=tuple(
            LineTold(speaker=line.speaker, text=line.text, is_fallback=line.fallback)
            for line in done.lines
        ),
        ended_by=done.ended_by,
        steps=steps_told(done.finished),
        answered_by=opened.why,
    )


def _thinker(own: Talker, other: Talker, place: str, at: int) -> Thinker:
    """Return the thinker of one who takes part."""
    persona = persona_of(own.me)
    impression = Impression(relationship=own.relationship, feeling=own.feeling)
    mind = Mind(
        name=persona.name,
        currently=persona.currently,
        requirement=persona.daily_requirement,
        impressions={other.me.name: impression},
    )
    memories = memories_at(own.me.name, own.memories, at)
    return thinker_alone(persona, senses_of(at=at, place=place), memories, mind=mind)


def build_talk_form() -> StudioGraph:
    """Return the talk graph that takes a form."""
    return studio_graph("talk", TalkForm, TalkDone, _live, build_talk())
