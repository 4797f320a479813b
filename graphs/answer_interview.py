"""Answer an interviewer from memory; nothing of it stays with the agent."""

from graphs.cards import Card, Recalled, Said, Who
from graphs.context import MindContext, now, recall, recalled, who
from graphs.loop.step import Changes, Gathered, Step, StepResult
from graphs.scenes import Scene, said
from graphs.sense.thinking import INTERVIEW
from graphs.standin.voice import answer_interview
from graphs.state import InterviewSeen
from parsers.answer_interview import InterviewAnswer

MEMORIES = 20


class AnswerInterviewInput(Card):
    """What the prompt `answer_interview` shows."""

    me: Who
    now: str
    asker: str
    """Who asks: `a news reporter`."""
    doing: str
    """What I do at the moment."""
    question: str
    memories: tuple[Recalled, ...]
    """That the question brought back."""
    lines: tuple[Said, ...]
    """Earlier questions and answers of this interview."""


def fallback(inputs: AnswerInterviewInput) -> InterviewAnswer:
    """Return that no answer was had."""
    return InterviewAnswer(answer="(no answer)")


def case(inputs: AnswerInterviewInput) -> str:
    """Return this case as examples are told."""
    told = " / ".join(memory.text for memory in inputs.memories[:3]) or "none"
    return f"Asked by {inputs.asker}: {inputs.question}\nMEMORIES: {told}"


async def gather(state: InterviewSeen, context: MindContext) -> Gathered[AnswerInterviewInput]:
    """Return the question, and the memories that it brings back."""
    me = context.of(state.agent)
    assert me.mind is not None
    found = await recall(me, [state.question], MEMORIES)
    action = me.surroundings.body().action
    inputs = AnswerInterviewInput(
        me=who(me, me.mind),
        now=now(me),
        asker=state.asker,
        doing=action.activity if action else "nothing yet",
        question=state.question,
        memories=recalled(me, found.found),
        lines=state.lines,
    )
    return Gathered(inputs=inputs, recall=found)


def apply(
    state: InterviewSeen,
    context: MindContext,
    result: StepResult[AnswerInterviewInput, InterviewAnswer],
) -> Changes:
    """Add the question and its answer to the lines."""
    asked = Said(speaker=state.asker, text=state.question)
    answered = Said(speaker=state.agent, text=result.answer.answer)
    return {"lines": (*state.lines, asked, answered)}


def sample(scene: Scene) -> AnswerInterviewInput:
    """Return believable inputs, made from a scene."""
    return AnswerInterviewInput(
        me=scene.me,
        now=scene.now,
        asker=scene.asker,
        doing=scene.doing,
        question=scene.question,
        memories=scene.recalled(),
        lines=said(scene.asked),
    )


STEP = Step(
    name="answer_interview",
    about="an answer to an interviewer",
    inputs=AnswerInterviewInput,
    answer=InterviewAnswer,
    gather=gather,
    apply=apply,
    sample=sample,
    seen=InterviewSeen,
    fallback=fallback,
    standin=answer_interview,
    sense=INTERVIEW,
    tier="strong",
    max_tokens=400,
    case=case,
    sheds=("memories", "lines"),
)
