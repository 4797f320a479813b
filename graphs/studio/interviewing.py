"""An interview for Studio: a person is asked, and answers from the memories recalled."""

from agents.mind import Mind
from graphs.alone import context_alone, persona_of
from graphs.interview import build_interview, interview
from graphs.loop.ledger import StepOutcome
from graphs.prompt_inputs import PersonaInput, SpokenLine
from graphs.scenes import ROSA
from graphs.state import InterviewSeen
from graphs.studio.form import Form, Remembered, memories_of
from graphs.studio.graph import StudioGraph, studio_graph
from graphs.studio.minding import HOURS_AGO
from graphs.studio.moment import TIME, memories_at, present_action, read_time, senses_of
from graphs.studio.opening import Opened
from graphs.studio.told import AttemptTold, WhoAnswered, attempts_told


class InterviewForm(Form):
    """A question to somebody."""

    me: PersonaInput = ROSA.me
    """Who is asked."""
    question: str = ROSA.question
    """What is asked."""
    asker: str = ROSA.asker
    """Who asks, as `a news reporter`."""
    lines: tuple[SpokenLine, ...] = tuple(
        SpokenLine(speaker=who, text=text) for who, text in ROSA.asked
    )
    """Earlier questions and answers of this interview."""
    time: str = TIME
    place: str = ROSA.place
    """Where one stands, as `sector: arena`."""
    doing: str = ROSA.doing
    """What one does, without the name; may be empty."""
    memories: tuple[Remembered, ...] = memories_of(ROSA, HOURS_AGO)
    """All that one remembers; the question brings back what fits it."""


class InterviewDone(WhoAnswered):
    """The answer, and what came back."""

    answer: str
    outcome: StepOutcome
    recalled: tuple[str, ...]
    """The memories that the question brought back, oldest first."""
    attempts: tuple[AttemptTold, ...]
    """Every question put, with messages, reply and problems."""


async def _live(form: InterviewForm, opened: Opened) -> WhoAnswered:
    """Ask, and return the answer."""
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
        attempts=attempts_told(opened, done.finished),
        answered_by=opened.why,
    )


def build_interview_form() -> StudioGraph:
    """Return the interview graph that takes a form."""
    return studio_graph("interview", InterviewForm, InterviewDone, _live, build_interview())
