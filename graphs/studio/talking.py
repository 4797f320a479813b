"""Talk and interview for Studio: two people talk line by line, or one answers a question."""

from pydantic import Field

from smolville.agents.mind import Impression, Mind
from smolville.graphs.alone import context_alone, persona_of, thinker_alone
from smolville.graphs.context import MindContext, Thinker
from smolville.graphs.interview import build_interview, interview
from smolville.graphs.loop.ledger import StepOutcome
from smolville.graphs.meeting import MOST_LINES, Meeting
from smolville.graphs.scenes import MILO, ROSA
from smolville.graphs.state import InterviewSeen
from smolville.graphs.studio.form import (
    AttemptTold,
    Form,
    FormError,
    FormMemory,
    StepTold,
    StudioRecord,
    WhoAnswered,
    describe_attempts,
    describe_steps,
    memories_of,
)
from smolville.graphs.studio.graph import GraphResources, StudioGraph, studio_graph
from smolville.graphs.studio.minding import HOURS_AGO
from smolville.graphs.studio.moment import (
    TICK_SECONDS,
    TIME,
    memories_at,
    present_action,
    read_time,
    senses_of,
)
from smolville.graphs.talk import build_talk, talk
from smolville.parsers.prompt_inputs import PersonaInput, PromptInput, SpokenLine


class Talker(PromptInput):
    """One of the two participants of a talk."""

    me: PersonaInput
    """The participant's persona."""
    doing: str
    """What the participant was doing before the talk, without the name."""
    relationship: str = "You do not know them."
    """Relationship with the other participant."""
    feeling: str = ""
    """What the participant feels for the other one."""
    memories: tuple[FormMemory, ...] = ()
    """The participant's memories."""


class TalkForm(Form):
    """Two people who meet."""

    first: Talker = Talker(
        me=ROSA.me,
        doing=ROSA.doing,
        relationship=ROSA.people[0].relationship,
        feeling=ROSA.feeling,
        memories=memories_of(ROSA, HOURS_AGO),
    )
    """The person who begins the talk."""
    second: Talker = Talker(
        me=MILO.me,
        doing=ROSA.people[0].doing,
        relationship="She runs the café and lives next door.",
        memories=(
            FormMemory(text="Milo Varga knows four dances by heart.", hours_ago=12, importance=4),
        ),
    )
    """The person who is spoken to."""
    time: str = TIME
    place: str = ROSA.place
    """Where they meet, as `sector: arena`."""
    reason: str = ROSA.why
    """Why the first person begins the talk."""
    most_lines: int = Field(6, ge=1, le=MOST_LINES)
    """Maximum number of lines, unless somebody ends the talk before."""


class LineTold(StudioRecord):
    """One line of the talk."""

    speaker: str
    text: str
    is_fallback: bool
    """True if the line is a fallback, not a model's answer."""


class TalkDone(WhoAnswered):
    """The lines of a talk, and how it ended."""

    lines: tuple[LineTold, ...]
    ended_by: str
    """Who ended the talk, or `the cap`."""
    steps: tuple[StepTold, ...]
    """How each line's step ended."""


async def _live_talk(form: TalkForm, opened: GraphResources) -> WhoAnswered:
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
        reasons={form.first.me.name: form.reason},
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
        steps=describe_steps(done.finished),
        answered_by=opened.why,
    )


def _thinker(own: Talker, other: Talker, place: str, at: int) -> Thinker:
    """Return the thinker for one participant."""
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
    return studio_graph("talk", TalkForm, TalkDone, _live_talk, build_talk())


class InterviewForm(Form):
    """A question to a person, as a form."""

    me: PersonaInput = ROSA.me
    """The person who is asked."""
    question: str = ROSA.question
    """The question."""
    asker: str = ROSA.asker
    """Description of the interviewer, as `a news reporter`."""
    lines: tuple[SpokenLine, ...] = tuple(
        SpokenLine(speaker=who, text=text) for who, text in ROSA.asked
    )
    """Earlier questions and answers of this interview."""
    time: str = TIME
    place: str = ROSA.place
    """Where the person is, as `sector: arena`."""
    doing: str = ROSA.doing
    """What the person is doing, without the name; may be empty."""
    memories: tuple[FormMemory, ...] = memories_of(ROSA, HOURS_AGO)
    """All the person's memories; those that fit the question are recalled."""


class InterviewDone(WhoAnswered):
    """The answer, and the memories it was based on."""

    answer: str
    outcome: StepOutcome
    recalled: tuple[str, ...]
    """The memories that the question brought back, oldest first."""
    attempts: tuple[AttemptTold, ...]
    """Every attempt, with its messages, reply and problems."""


async def _live_interview(form: InterviewForm, opened: GraphResources) -> WhoAnswered:
    """Ask the question, and return the answer."""
    at, persona = read_time(form.time), persona_of(form.me)
    action = present_action(form.doing, form.place, "23:59", at)
    context = context_alone(
        persona,
        senses_of(at=at, place=form.place, action=action),
        opened.client,
        memories_at(form.me.name, form.memories, at),
        mind=Mind(
            name=persona.name, currently=persona.currently, requirement=persona.daily_requirement
        ),
    )
    asked = InterviewSeen(
        agent=persona.name, asker=form.asker, question=form.question, lines=form.lines
    )
    done = await interview(context, asked)
    (finished,) = done.finished
    ids = [memory for recall in finished.record.recalls for memory in recall.ids]
    stream = context.of(persona.name).stream
    return InterviewDone(
        answer=done.lines[-1].text,
        outcome=finished.record.outcome,
        recalled=tuple(stream.get(memory).text for memory in ids),
        attempts=describe_attempts(opened.journal, done.finished),
        answered_by=opened.why,
    )


def build_interview_form() -> StudioGraph:
    """Return the interview graph that takes a form."""
    return studio_graph(
        "interview", InterviewForm, InterviewDone, _live_interview, build_interview()
    )
