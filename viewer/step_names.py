"""Plain names of a thought's steps and nodes; pages show them beside the names used in the code."""

PLAIN = {
    "act": "act",
    "advance_plot": "carry the story on",
    "answer_interview": "answer an interviewer",
    "choose_happening": "let something happen",
    "choose_place": "look for a place",
    "choose_unrated": "pick memories to weigh",
    "conclude_talk": "keep what a talk was about",
    "decompose": "split an hour into tasks",
    "draw_for_dream": "pick memories for a dream",
    "draw_for_wander": "pick memories to wander among",
    "dream": "dream",
    "feel_needs": "feel hunger, tiredness and more",
    "ground_block": "pick where to do it",
    "hear_whispers": "hear an inner voice",
    "heed_inner_voice": "make sense of an inner voice",
    "keep_appointments": "note what was agreed",
    "keep_identity": "keep what is on the mind",
    "keep_ratings": "keep the ratings",
    "lay_usual_day": "lay out the usual day",
    "leave_forbidden": "leave where one may not be",
    "perceive": "look and listen",
    "place_named": "go where the words say",
    "plan_day": "plan the day",
    "plan_hours": "fill the hours",
    "rate_by_rule": "weigh memories by rule",
    "rate_importance": "weigh memories",
    "react": "decide what to do about it",
    "reflect_insights": "draw conclusions",
    "reflect_questions": "ask oneself",
    "replan": "change the plan",
    "reuse_places": "go where one went before",
    "reuse_spots": "use a place known for it",
    "reuse_tasks": "do it as before",
    "revise_goal": "ask whether a goal still holds",
    "revise_identity": "take stock",
    "say": "find words",
    "split_habits": "split a habit into tasks",
    "wander": "let the mind wander",
}
"""What a step or node does, in words."""


def plain_name(step: str) -> str:
    """Return a step's name in plain words; an unknown step's name with spaces for underscores."""
    return PLAIN.get(step, step.replace("_", " "))


def both_names(step: str) -> str:
    """Return a step's name in words, with the name used in prompts and commands in brackets."""
    plain = plain_name(step)
    return plain if plain == step else f"{plain} ({step})"
