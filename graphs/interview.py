"""An interview: one question to a person, answered from memory and then forgotten."""

from smolville.graphs.answer_interview import STEP
from smolville.graphs.context import MindContext
from smolville.graphs.loop.graph import build_step
from smolville.graphs.state import InterviewState


async def interview(context: MindContext, asked: InterviewState) -> InterviewState:
    """Ask one question, and return the interview with the answer as its last line."""
    config = context.traced_as(f"{asked.agent} · interview")
    done = await build_step(STEP).ainvoke(asked, config, context=context, version="v2")
    ended: InterviewState = done.value
    return ended
