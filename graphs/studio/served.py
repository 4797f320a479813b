"""The graphs that `langgraph.json` names; each is compiled once, when it is first asked for.

LangGraph's server calls these functions for every request.
"""

from functools import cache

from graphs.studio.graph import StudioGraph
from graphs.studio.interviewing import build_interview_graph
from graphs.studio.minding import build_mind_graph
from graphs.studio.stepping import build_step_graph
from graphs.studio.talking import build_talk_graph


@cache
def mind() -> StudioGraph:
    """Return the graph that lives one thought."""
    return build_mind_graph()


@cache
def talk() -> StudioGraph:
    """Return the graph in which two people talk."""
    return build_talk_graph()


@cache
def interview() -> StudioGraph:
    """Return the graph that asks somebody a question."""
    return build_interview_graph()


@cache
def revise_identity() -> StudioGraph:
    """Return the graph that asks for what is on somebody's mind on a new day."""
    return build_step_graph("revise_identity")


@cache
def plan_day() -> StudioGraph:
    """Return the graph that asks for the broad strokes of a day."""
    return build_step_graph("plan_day")


@cache
def plan_hours() -> StudioGraph:
    """Return the graph that asks for the hours of a day."""
    return build_step_graph("plan_hours")


@cache
def decompose() -> StudioGraph:
    """Return the graph that asks for the tasks of an hour or more."""
    return build_step_graph("decompose")


@cache
def ground_block() -> StudioGraph:
    """Return the graph that asks for where tasks are done, and with what."""
    return build_step_graph("ground_block")


@cache
def choose_place() -> StudioGraph:
    """Return the graph that asks for the sector for what fits no place near."""
    return build_step_graph("choose_place")


@cache
def rate_importance() -> StudioGraph:
    """Return the graph that asks for how important memories are."""
    return build_step_graph("rate_importance")


@cache
def react() -> StudioGraph:
    """Return the graph that asks for what to do about who comes into sight."""
    return build_step_graph("react")


@cache
def say() -> StudioGraph:
    """Return the graph that asks for one line of a talk."""
    return build_step_graph("say")


@cache
def conclude_talk() -> StudioGraph:
    """Return the graph that asks for what is kept of a talk."""
    return build_step_graph("conclude_talk")


@cache
def replan() -> StudioGraph:
    """Return the graph that asks for the rest of a disturbed hour."""
    return build_step_graph("replan")


@cache
def reflect_questions() -> StudioGraph:
    """Return the graph that asks for what a reflection asks."""
    return build_step_graph("reflect_questions")


@cache
def reflect_insights() -> StudioGraph:
    """Return the graph that asks for what a reflection finds."""
    return build_step_graph("reflect_insights")


@cache
def heed_inner_voice() -> StudioGraph:
    """Return the graph that asks for a whisper in own words."""
    return build_step_graph("heed_inner_voice")


@cache
def answer_interview() -> StudioGraph:
    """Return the graph that asks for an answer to an interviewer."""
    return build_step_graph("answer_interview")
