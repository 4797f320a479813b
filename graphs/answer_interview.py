"""Answer an interviewer from memory; the agent keeps nothing of the interview."""

from collections.abc import Iterator

from smolville.agents.times import clock
from smolville.graphs.context import MindContext, now, number_memories, who
from smolville.graphs.knowledge import names_asked
from smolville.graphs.loop.graph import build_step
from smolville.graphs.loop.step import Changes, Step, StepInputs, StepResult
from smolville.graphs.recall import recall
from smolville.graphs.scenes import Scene, planned_at, to_spoken_lines
from smolville.graphs.sense import ENGLISH, CheckContext, SenseCheck
from smolville.graphs.standin.memory import answer_interview
from smolville.graphs.state import InterviewState
from smolville.parsers.answer_interview import AnswerInterviewInput, InterviewAnswer
from smolville.parsers.problem import Problem, field_problem
from smolville.parsers.prompt_inputs import (
    SpokenLine,
)
from smolville.parsers.say import SERVICE

MEMORIES = 20


def fallback(inputs: AnswerInterviewInput) -> InterviewAnswer:
    """Return a fixed text in place of an answer: `(no answer)`."""
    return InterviewAnswer(answer="(no answer)")


async def gather(state: InterviewState, context: MindContext) -> StepInputs[AnswerInterviewInput]:
    """Return the question, and the memories recalled for it."""
    me = context.of(state.agent)
    assert me.mind is not None
    strokes = me.mind.plan.strokes if me.mind.plan else ()
    found = await recall(me, [state.question], MEMORIES, names_asked(me.persona, state.question))
    action = me.surroundings.body.action
    inputs = AnswerInterviewInput(
        me=who(me, me.mind),
        now=now(me),
        asker=state.asker,
        plan=planned_at([(clock(at), activity) for at, activity in strokes]),
        doing=action.activity if action else "nothing yet",
        question=state.question,
        memories=number_memories(me, found.found),
        lines=state.lines,
    )
    return StepInputs(inputs=inputs, recall=found)


def apply(
    state: InterviewState,
    context: MindContext,
    result: StepResult[AnswerInterviewInput, InterviewAnswer],
) -> Changes:
    """Add the question and its answer to the lines of the interview."""
    asked = SpokenLine(speaker=state.asker, text=state.question)
    answered = SpokenLine(speaker=state.agent, text=result.answer.answer)
    return {"lines": (*state.lines, asked, answered)}


def sample(scene: Scene) -> AnswerInterviewInput:
    """Return sample inputs for the prompt, made from a scene."""
    return AnswerInterviewInput(
        me=scene.me,
        now=scene.now,
        asker=scene.asker,
        plan=planned_at(scene.strokes),
        doing=scene.doing,
        question=scene.question,
        memories=scene.recalled(),
        lines=to_spoken_lines(scene.asked),
    )


def speaks_as_a_program(
    answer: InterviewAnswer, inputs: AnswerInterviewInput, shown: CheckContext
) -> Iterator[Problem]:
    """Yield an answer that sounds like a helpful program."""
    if (found := SERVICE.search(answer.answer)) is not None:
        rest = f". {found.group()!r} is what a program says. Answer as {inputs.me.name}."
        yield field_problem("answer", answer.answer, rest, "voice")


STEP = Step(
    name="answer_interview",
    about="an answer to an interviewer",
    inputs=AnswerInterviewInput,
    answer=InterviewAnswer,
    gather=gather,
    apply=apply,
    sample=sample,
    seen=InterviewState,
    fallback=fallback,
    standin=answer_interview,
    sense=(SenseCheck(look=speaks_as_a_program, action="mark", languages=ENGLISH),),
    tier="strong",
    max_tokens=400,
    sheds=("memories", "lines"),
)


async def interview(context: MindContext, asked: InterviewState) -> InterviewState:
    """Ask one question, and return the interview with the answer as its last line."""
    config = context.traced_as(f"{asked.agent} · interview")
    done = await build_step(STEP).ainvoke(asked, config, context=context, version="v2")
    ended: InterviewState = done.value
    return ended
