"""The stand-in's rules for memories: rate them, ask questions about them, and draw insights."""

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from smolville.agents.keywords import EMPTY
from smolville.graphs.sense.words import share_in, words_of
from smolville.graphs.standin.happenings import in_third_person
from smolville.graphs.standin.news import find_statements, is_note, is_plan, talk_phrases, word_set
from smolville.models.standin.rule import Dice, RuleAnswer
from smolville.models.standin.words import (
    clip,
    find_names,
    is_certain_order,
    is_order_verb,
    lower_first,
    stems,
)
from smolville.parsers.prompt_inputs import PersonaInput, RecalledMemory
from smolville.parsers.rate_importance import RateImportanceInput
from smolville.parsers.reflect_insights import ReflectInsightsInput
from smolville.parsers.reflect_questions import ReflectQuestionsInput

_LEVELS = (("great", 8), ("notable", 6), ("social", 4))


SAME = 0.9
"""An insight is not new if at least this share of its words is in one text."""


def rate_importance(inputs: RateImportanceInput, dice: Dice) -> RuleAnswer:
    """Return a rating for every memory: the same text gets the same rating from the same person."""
    me = inputs.me
    ratings = []
    for memory in inputs.memories:
        importance = importance_of(memory.text, me)
        ratings.append({"number": memory.number, "importance": importance})
    return RuleAnswer({"ratings": ratings}, tuple(memory.text for memory in inputs.memories))


def importance_of(text: str, me: PersonaInput) -> int:
    """Return how important something is to somebody, 1 to 10."""
    return _importance(text, me.name, me.currently)


@lru_cache(maxsize=8192)
def _importance(text: str, name: str, currently: str) -> int:
    """Return a text's importance for a person with this name and these concerns."""
    said = stems(text)
    level = next((value for word, value in _LEVELS if said & word_set(word)), 2)
    if level == 2 and said & word_set("dull"):
        level = 1
    close = len(said & stems(currently)) - len(stems(name) & said)
    spread = Dice(name, text).pick((0, 0, 0, 1, 1, 2), "spread")
    return max(1, min(10, level + spread + (1 if close >= 2 and level > 1 else 0)))


def reflect_questions(inputs: ReflectQuestionsInput, dice: Dice) -> RuleAnswer:
    """Return three questions about the most important memories."""
    me = inputs.me
    facts = _weightiest(inputs.memories, me)[:3]
    plain = [memory.text for memory in facts if not is_note(memory.text)]
    texts = [fact for text in plain if (fact := _fact(text, 110, me))]
    texts += ["the day has been quiet", "so little has happened", "every day is alike"]
    forms = dice.shuffled(talk_phrases()["question_forms"], "forms")
    questions = [
        clip(form.format(me=me.first_name, fact=fact), 200)
        for form, fact in zip(forms, texts[:3], strict=False)
    ]
    return RuleAnswer({"questions": questions}, tuple(memory.text for memory in facts))


def reflect_insights(inputs: ReflectInsightsInput, dice: Dice) -> RuleAnswer:
    """Return three to five insights, each with the numbers of the memories it is based on."""
    me, memories = inputs.me, _weightiest(inputs.memories, inputs.me)
    if not memories:
        return RuleAnswer({"insights": [_answer_without_memory(me)]}, ())
    wanted = min(dice.pick((3, 4, 5), "count"), len(memories))
    insights: list[dict[str, object]] = []
    used: list[str] = []
    taken: set[int] = set()
    for memory in memories:
        if len(insights) == wanted:
            break
        if memory.number in taken and len(memories) - len(taken) >= wanted - len(insights):
            continue
        group = _group(memory, memories, me)
        insight = _insight(memory, group, me, dice)
        if _is_known(str(insight["insight"]), inputs.memories, insights):
            continue
        taken |= {each.number for each in group}
        insights.append(insight)
        used += [each.text for each in group[:2]]
    return RuleAnswer({"insights": insights or [_answer_without_memory(me)]}, tuple(used))


def _is_known(
    insight: str, memories: Sequence[RecalledMemory], others: Sequence[dict[str, object]]
) -> bool:
    """Return True when a memory or another insight already says the same."""
    words = words_of(insight)
    said = [*(memory.text for memory in memories), *(str(each["insight"]) for each in others)]
    return any(share_in(words, words_of(text)) >= SAME for text in said)


def _weightiest(memories: Sequence[RecalledMemory], me: PersonaInput) -> list[RecalledMemory]:
    """Return memories without repeated texts, by importance; derived notes come last."""
    seen: set[str] = set()
    kept = []
    for memory in sorted(
        memories,
        key=lambda each: (is_note(each.text), -importance_of(each.text, me), each.number),
    ):
        if memory.text not in seen:
            seen.add(memory.text)
            kept.append(memory)
    return kept


def _group(
    memory: RecalledMemory, memories: Sequence[RecalledMemory], me: PersonaInput
) -> list[RecalledMemory]:
    """Return a memory and up to three related ones; a derived note is returned alone."""
    if is_note(memory.text):
        return [memory]
    own = stems(memory.text) - stems(me.name)
    close = [
        (len(own & stems(other.text)), -other.number, other)
        for other in memories
        if other is not memory and not is_note(other.text)
    ]
    close.sort(key=lambda each: each[:2], reverse=True)
    return [memory, *(other for shared, _, other in close[:3] if shared)]


def _insight(
    memory: RecalledMemory, group: list[RecalledMemory], me: PersonaInput, dice: Dice
) -> dict[str, object]:
    """Return an insight about what a group of memories has in common."""
    names = Counter(name for each in group for name in _names(each.text, me))
    fact = _fact(memory.text, 100, me)
    key = memory.number
    if not fact or is_note(memory.text):
        text = _plain(memory.text, list(names), me, dice)
    elif names and me.name not in memory.text:
        told = [each for text in (fact, memory.text) for each in names if each in text]
        name = told[0] if told else ""
        form = dice.pick(talk_phrases()["insights_one" if name else "insights_self"], key)
        text = form.format(me=me.first_name, name=name, fact=fact)
    elif other := next((each for each in _facts(group[1:], me) if each != fact), ""):
        form = dice.pick(talk_phrases()["insights_two"], key)
        text = form.format(me=me.first_name, fact=fact, other=other)
    else:
        form = dice.pick(talk_phrases()["insights_self"], key)
        text = form.format(me=me.first_name, fact=fact)
    importance = max(4, min(9, importance_of(memory.text, me) + dice.pick((-1, 0, 1), key)))
    return {
        "insight": clip(text.replace("….", "…"), 240),
        "because": sorted(each.number for each in group),
        "importance": importance,
    }


def _plain(text: str, names: list[str], me: PersonaInput, dice: Dice) -> str:
    """Return an insight that follows from a derived note but does not quote the note.

    Otherwise later insights would quote insights that quote other notes.
    """
    if is_plan(text) or not names:
        return dice.pick(talk_phrases()["insights_plan"], text).format(me=me.first_name)
    form = dice.pick(talk_phrases()["insights_talk"], text)
    return form.format(me=me.first_name, name=names[0])


def _names(text: str, me: PersonaInput) -> list[str]:
    """Return the names of people in a text except mine, without other words before them."""
    found = (re.sub(r"['’]s$", "", name) for name in map(re.Match.group, find_names(text)))
    names = (_without_first_word(name) for name in found)
    return [name for name in names if " " in name and name != me.name]


def _without_first_word(name: str) -> str:
    """Return a name without a first word that is not part of it, such as the verb of an order."""
    first, _, rest = name.partition(" ")
    return rest if first.casefold() in EMPTY or is_order_verb(first) else name


def _facts(group: Sequence[RecalledMemory], me: PersonaInput) -> list[str]:
    """Return the contents of memories, each as a short part of another sentence."""
    return [fact for each in group if (fact := _fact(each.text, 80, me))]


def _fact(text: str, length: int, me: PersonaInput) -> str:
    """Return a memory's first statement, to be put into another sentence; empty if it has none.

    An order becomes a wish (`I want to ...`). A heading with a list, such as a forecast, is not a
    statement. A reason is left out, since the other sentence may give a reason itself.
    """
    first = next((each for each in find_statements(text) if ": " not in each), "")
    if is_certain_order(first):
        first = f"I want to {first[:1].lower()}{first[1:]}"
    if first.startswith(("I ", "My ")) or " I " in first:
        first = in_third_person(first, me.name)
    told = first.partition(", because ")[0]
    return lower_first(clip(told, length).rstrip(".!?"))


def _answer_without_memory(me: PersonaInput) -> dict[str, object]:
    """Return the insight of a person without any memory."""
    text = f"{me.first_name} has had little to think about lately."
    return {"insight": text, "because": [1], "importance": 2}
