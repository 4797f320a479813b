"""One believable sample input per step, twice: for golden texts, for the lab and for a first look.

`SAMPLES` is Rosa Marin's Monday in the café, `OTHER_SAMPLES` Milo Varga's Saturday; the two
differ in every value, so that what is the same in both prompts is what all agents share.
"""

from collections.abc import Sequence

from graphs.answer_interview import AnswerInterviewInput
from graphs.cards import (
    Card,
    PlaceCard,
    PlannedCard,
    Recalled,
    Said,
    SectorCard,
    TaskCard,
)
from graphs.choose_place import ChoosePlaceInput
from graphs.conclude_talk import ConcludeTalkInput
from graphs.decompose import DecomposeInput
from graphs.ground_block import GroundBlockInput
from graphs.heed_inner_voice import HeedInnerVoiceInput
from graphs.plan_day import PlanDayInput
from graphs.plan_hours import PlanHoursInput
from graphs.rate_importance import RateImportanceInput
from graphs.react import ReactInput
from graphs.reflect_insights import ReflectInsightsInput
from graphs.reflect_questions import ReflectQuestionsInput
from graphs.replan import ReplanInput
from graphs.revise_identity import ReviseIdentityInput
from graphs.say import SayInput
from graphs.scenes import MILO, ROSA, Scene


def samples_of(scene: Scene) -> dict[str, Card]:
    """Return one input per step, made from one scene."""
    return _planning(scene) | _doing(scene) | _meeting(scene) | _thinking(scene)


def _planning(scene: Scene) -> dict[str, Card]:
    """Return the inputs of the steps that plan a day."""
    me, date, memories = scene.me, scene.date, _memories(scene)
    activity, start, end, minutes = scene.block
    return {
        "plan_day": PlanDayInput(
            date=date, requirement=scene.requirement, me=me, memories=memories
        ),
        "revise_identity": ReviseIdentityInput(
            me=me, date=date, requirement=scene.requirement, usual=scene.usual, memories=memories
        ),
        "plan_hours": PlanHoursInput(
            me=me,
            date=date,
            requirement=scene.requirement,
            wake=scene.strokes[0][0],
            strokes=_plan(scene.strokes),
        ),
        "decompose": DecomposeInput(
            me=me,
            date=date,
            activity=activity,
            start=start,
            end=end,
            minutes=minutes,
            around=_plan((scene.strokes[1], *scene.strokes[3:4])),
        ),
    }


def _doing(scene: Scene) -> dict[str, Card]:
    """Return the inputs of the steps that place what is done, and mend a plan."""
    now, start, end, minutes = scene.rest
    return {
        "ground_block": GroundBlockInput(
            me=scene.me,
            now=scene.now,
            tasks=tuple(
                TaskCard(number=number, time=time, activity=activity, part_of=scene.block[0])
                for number, (time, activity) in enumerate(scene.tasks, 1)
            ),
            places=tuple(
                PlaceCard(number=number, address=address, objects=objects, note=note)
                for number, (address, objects, note) in enumerate(scene.places, 1)
            ),
        ),
        "choose_place": ChoosePlaceInput(
            me=scene.me,
            now=scene.now,
            activity=scene.errand,
            sectors=tuple(
                SectorCard(number=number, name=name, rooms=rooms)
                for number, (name, rooms) in enumerate(scene.sectors, 1)
            ),
        ),
        "replan": ReplanInput(
            me=scene.me,
            now=f"{scene.date}, {now}",
            reason=scene.happened,
            activity=scene.block[0],
            tasks=_plan(scene.tasks[1:]),
            start=start,
            end=end,
            minutes=minutes,
        ),
    }


def _meeting(scene: Scene) -> dict[str, Card]:
    """Return the inputs of the steps between people."""
    others = tuple(person.name for person in scene.people if person.can_talk) or ("Rosa Marin",)
    relationship = scene.people[0].relationship if scene.people else "They hardly know each other."
    return {
        "react": ReactInput(
            me=scene.me,
            now=scene.now,
            place=scene.place,
            doing=scene.doing,
            until=scene.until,
            people=scene.people,
            events=scene.events,
            memories=_memories(scene),
        ),
        "say": SayInput(
            me=scene.me,
            now=scene.now,
            place=scene.place,
            others=others,
            doing=f"{scene.me.first_name} was {scene.doing}.",
            relationship=relationship,
            reason=scene.why,
            memories=_memories(scene),
            lines=_said(scene.lines),
            turns_left=scene.turns_left,
        ),
        "conclude_talk": ConcludeTalkInput(
            me=scene.me,
            now=scene.now,
            others=others,
            relationship=relationship,
            feeling=scene.feeling,
            plan=tuple(f"{time} {activity}" for time, activity in scene.strokes[3:]),
            lines=_said(scene.lines),
        ),
    }


def _thinking(scene: Scene) -> dict[str, Card]:
    """Return the inputs of the steps that look at memories and questions."""
    me, memories = scene.me, _memories(scene)
    return {
        "rate_importance": RateImportanceInput(me=me, memories=memories),
        "reflect_questions": ReflectQuestionsInput(me=me, memories=memories),
        "reflect_insights": ReflectInsightsInput(
            me=me, questions=scene.questions, memories=memories
        ),
        "heed_inner_voice": HeedInnerVoiceInput(me=me, now=scene.now, whisper=scene.whisper),
        "answer_interview": AnswerInterviewInput(
            me=me,
            now=scene.now,
            asker=scene.asker,
            doing=scene.doing,
            question=scene.question,
            memories=memories,
            lines=_said(scene.asked),
        ),
    }


def _memories(scene: Scene) -> tuple[Recalled, ...]:
    """Return the scene's memories, numbered."""
    return tuple(
        Recalled(number=number, when=when, text=text)
        for number, (when, text) in enumerate(scene.memories, 1)
    )


def _plan(entries: Sequence[tuple[str, str]]) -> tuple[PlannedCard, ...]:
    """Return entries of a plan."""
    return tuple(PlannedCard(time=time, activity=activity) for time, activity in entries)


def _said(lines: Sequence[tuple[str, str]]) -> tuple[Said, ...]:
    """Return lines of a talk."""
    return tuple(Said(speaker=speaker, text=text) for speaker, text in lines)


SAMPLES: dict[str, Card] = samples_of(ROSA)
"""Step to a sample input in which every list holds something."""

OTHER_SAMPLES: dict[str, Card] = samples_of(MILO)
"""Step to the sample of somebody else at another moment, with what may be empty left empty."""
