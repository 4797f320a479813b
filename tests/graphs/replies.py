"""For every step a good reply made from its inputs, and a bad one with what is said about it.

A step that is not named here has the stand-in's answer for a good one, and for a bad one the same
without its first field.
"""

from collections.abc import Mapping
from typing import Any

from smolville.models.standin.rule import Dice
from tests.fixtures.standin_call import BY_NAME

Inputs = Mapping[str, Any]

SHIPPED = frozenset(
    {
        *("revise_identity", "plan_day", "plan_hours", "decompose", "ground_block"),
        *("rate_importance", "react", "say", "conclude_talk", "replan"),
        *("dream", "wander"),
        *("reflect_questions", "reflect_insights", "heed_inner_voice", "answer_interview"),
    }
)
"""The steps of which nothing here is left to a default."""


def good(step: str, inputs: Inputs) -> dict[str, Any]:
    """A valid answer to a step's inputs."""
    if step in MADE:
        made: dict[str, Any] = MADE[step](inputs)
        return made
    if step in FIXED:
        return dict(FIXED[step])
    known = BY_NAME[step]
    return known.standin(known.inputs.model_validate(inputs), Dice(step)).answer


def _plan_hours(inputs: Inputs) -> dict[str, Any]:
    what = ["walking the dog", "mending the fence", "cleaning", "painting", "reading a novel"]
    letters = [gap["letter"] for gap in inputs["gaps"]]
    return {letter: [each] for letter, each in zip(letters, what, strict=False)}


def _plan_day(inputs: Inputs) -> dict[str, Any]:
    return {
        "wake": inputs["wakes"][0] if "wakes" in inputs else "06:30",
        "go_to": [],
        "dated": [],
        "morning": "baking a cake",
        "afternoon": "painting the fence",
        "evening": "reading a novel",
    }


def _heed(inputs: Inputs) -> dict[str, Any]:
    whisper = inputs.get("whisper", "You want to hold a dance on the square on Saturday at 18:00.")
    thought = whisper.replace("You want", "I want").replace("You are", "I am")
    return {"thought": thought, "importance": 6}


def _tasks(inputs: Inputs) -> dict[str, Any]:
    left, names = inputs["minutes"], iter("abcdefghijkl")
    tasks = []
    while left:
        part = left if left <= 60 else min(60, left - 5)
        tasks.append({"activity": f"doing part {next(names)}", "minutes": part})
        left -= part
    return {"subtasks": tasks}


def _ground_block(inputs: Inputs) -> dict[str, Any]:
    number = 1 if inputs["places"] else 0
    return {task["letter"]: number for task in inputs["tasks"] if task["letter"]}


def _rate_importance(inputs: Inputs) -> dict[str, Any]:
    return {
        "ratings": [
            {"number": each["number"], "importance": 1 + each["number"] % 9}
            for each in inputs["memories"]
        ]
    }


def _say(inputs: Inputs) -> dict[str, Any]:
    text = f"This is line {len(inputs['lines']) + 1}."
    return {"text": text, "ends": inputs["turns_left"] == 1}


def _reflect_insights(inputs: Inputs) -> dict[str, Any]:
    numbers = [each["number"] for each in inputs["memories"]][:2]
    text = f"{inputs['me']['name']} looks forward to the soup evening."
    return {"insights": [{"insight": text, "because": numbers, "importance": 6}]}


MADE: dict[str, Any] = {
    "plan_day": _plan_day,
    "plan_hours": _plan_hours,
    "heed_inner_voice": _heed,
    "decompose": _tasks,
    "replan": _tasks,
    "ground_block": _ground_block,
    "rate_importance": _rate_importance,
    "say": _say,
    "reflect_insights": _reflect_insights,
}

FIXED: dict[str, dict[str, Any]] = {
    "revise_identity": {
        "currently": "Ada looks for a singer for the soup evening.",
        "requirement": "Open the café at 8am and ask Ben Hollis for flour.",
    },
    "dream": {"dream": "I rowed through the kitchen, and every spoon sang about the flour."},
    "wander": {
        "reason": "the flour and the singing",
        "idea": "singing to the bread while it rises",
        "part": "morning",
    },
    "react": {"reason": "busy", "choice": "continue"},
    "conclude_talk": {
        "summary": "Ben Hollis comes to the soup evening.",
        "keep": [],
        "agreements": [],
        "in_confidence": [],
        "feeling": "glad",
    },
    "reflect_questions": {
        "questions": ["What does Ada want?", "Whom does Ada like?", "What is Ben busy with?"]
    },
    "answer_interview": {"answer": "I run the café at the corner."},
}


def bad(step: str, inputs: Inputs) -> dict[str, Any]:
    """An answer that is wrong in one way, in `WRONG`'s words."""
    reply = good(step, inputs)
    match step:
        case "ground_block":
            return dict.fromkeys(reply, 99)
        case "rate_importance":
            return {"ratings": [{**item, "importance": 11} for item in reply["ratings"]]}
        case "reflect_insights":
            return {"insights": [{**item, "because": [99]} for item in reply["insights"]]}
        case "reflect_questions":
            return {"questions": reply["questions"][:2]}
        case "plan_hours":
            return {letter: ["zz"] for letter in reply}
    if step not in SPOILT:
        return {name: value for name, value in reply.items() if name != _first(step)}
    return reply | SPOILT[step]


def wrong(step: str) -> str:
    """What the model is told about the bad reply to the sample input."""
    return WRONG.get(step, f"`{_first(step)}` is missing")


def _first(step: str) -> str:
    return next(iter(BY_NAME[step].answer.model_fields))


SPOILT: dict[str, dict[str, Any]] = {
    "plan_day": {"wake": "13:00"},
    "revise_identity": {"currently": "Busy."},
    "dream": {"dream": "I flew."},
    "wander": {"part": "night"},
    "decompose": {"subtasks": [{"activity": "resting", "minutes": 0}]},
    "replan": {"subtasks": [{"activity": "resting", "minutes": 0}]},
    "react": {"choice": "talk"},
    "say": {"text": ""},
    "conclude_talk": {"feeling": "so-so"},
    "heed_inner_voice": {"importance": 12},
    "answer_interview": {"answer": ""},
}

WRONG = {
    "plan_day": "`wake`: got '13:00'",
    "dream": "`dream`: got 'I flew.', which is too short",
    "wander": "`part`: got 'night'",
    "revise_identity": "`currently`: got 'Busy.', which is too short",
    "plan_hours": "tem 1 of `A`: got 'zz', which is too short",
    "decompose": "`minutes` of item 1 of `subtasks`: got 0",
    "ground_block": "`A`: got 99",
    "rate_importance": "`importance` of the item with `number` 1: got 11",
    "react": "`person` is missing. With 'talk' it is needed",
    "say": "`text`: got ''",
    "conclude_talk": "`feeling`: got 'so-so'",
    "replan": "`minutes` of item 1 of `subtasks`: got 0",
    "reflect_questions": "`questions`: got a list of 2",
    "reflect_insights": "`because` of item 1 of `insights`: got 99",
    "heed_inner_voice": "`importance`: got 12",
    "answer_interview": "`answer`: got ''",
}
