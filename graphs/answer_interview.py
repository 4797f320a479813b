"""Answer an interviewer from memory; nothing of it stays with the agent."""

from collections.abc import Sequence

from agents.mind import Mind
from graphs.cards import Card, Recalled, Said, Who
from graphs.gather import now, recalled, who
from graphs.loop.step import Step
from graphs.recall import recall
from graphs.thinking import Thought
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


STEP = Step(
    name="answer_interview",
    inputs=AnswerInterviewInput,
    answer=InterviewAnswer,
    fallback=fallback,
    tier="strong",
    max_tokens=400,
    case=case,
    sheds=("memories", "lines"),
)


async def answer_interview(
    thought: Thought, mind: Mind, asker: str, question: str, lines: Sequence[Said]
) -> tuple[str, bool]:
    """Return the agent's answer, and whether it is a fallback.

    The notebook it reads is thrown away: an interview touches neither memories nor last accesses.
    """
    found = await recall(thought, [question], MEMORIES)
    action = thought.surroundings.body().action
    inputs = AnswerInterviewInput(
        me=who(thought, mind),
        now=now(thought),
        asker=asker,
        doing=action.activity if action else "nothing yet",
        question=question,
        memories=recalled(thought, found),
        lines=tuple(lines),
    )
    taken = await STEP.take(thought, inputs, found)
    return taken.answer.answer, taken.is_fallback
