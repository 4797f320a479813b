"""Looking at memories: how much they weigh, what to ask of them, and what they say together."""

import re
from collections import Counter
from functools import lru_cache

from models.standin.draft import Draft
from models.standin.draws import Dice
from models.standin.inputs import RateImportance, Recalled, ReflectInsights, ReflectQuestions, Who
from models.standin.library import talk_phrases, word_set
from models.standin.words import clip, lower_first, sentences, stems

_NAME = re.compile(r"\b[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)+")
_INSIGHT = re.compile(
    r" (?:matters more and more to|keeps coming back to|sees a thread between"
    r"|touches|spends much of the day on|cares about things)"
)
"""How insights read: they are left out of later ones, so that none nests in another."""
_LEVELS = (("great", 8), ("notable", 6), ("social", 4))
_WHY = {1: "It is an everyday thing.", 3: "It is a small thing.", 4: "It has to do with people."}
_WHY |= {6: "It touches my plans.", 8: "It could change much."}


def rate_importance(inputs: RateImportance, dice: Dice) -> Draft:
    """Return a rating for every memory: the same text weighs the same for the same person."""
    me = inputs["me"]
    ratings = []
    for memory in inputs["memories"]:
        importance = importance_of(memory["text"], me)
        why = _WHY[max(level for level in _WHY if level <= importance)]
        ratings.append({"number": memory["number"], "reason": why, "importance": importance})
    return Draft({"ratings": ratings}, tuple(memory["text"] for memory in inputs["memories"]))


def importance_of(text: str, me: Who) -> int:
    """Return how important something is to somebody, 1 to 10."""
    return _importance(text, me["name"], me["currently"])


@lru_cache(maxsize=8192)
def _importance(text: str, name: str, currently: str) -> int:
    """Return the importance of a text to who has this on their mind."""
    said = stems(text)
    level = next((value for word, value in _LEVELS if said & word_set(word)), 2)
    if level == 2 and said & word_set("dull"):
        level = 1
    close = len(said & stems(currently)) - len(stems(name) & said)
    spread = Dice(name, text).pick((0, 0, 0, 1, 1, 2), "spread")
    return max(1, min(10, level + spread + (1 if close >= 2 and level > 1 else 0)))


def reflect_questions(inputs: ReflectQuestions, dice: Dice) -> Draft:
    """Return three questions about the memories that weigh most."""
    me = inputs["me"]
    facts = _weightiest(inputs["memories"], me)[:3]
    texts = [_fact(memory["text"], 110) for memory in facts]
    texts += ["the day has been quiet", "so little has happened", "every day is alike"]
    forms = dice.shuffled(talk_phrases()["question_forms"], "forms")
    questions = [
        clip(form.format(me=me["first_name"], fact=fact), 200)
        for form, fact in zip(forms, texts[:3], strict=False)
    ]
    return Draft({"questions": questions}, tuple(memory["text"] for memory in facts))


def reflect_insights(inputs: ReflectInsights, dice: Dice) -> Draft:
    """Return three to five insights, each with the numbers of the memories it rests on."""
    me, memories = inputs["me"], _weightiest(inputs["memories"], inputs["me"])
    if not memories:
        return Draft({"insights": [_quiet(me)]}, ())
    wanted = min(dice.pick((3, 4, 5), "count"), len(memories))
    insights: list[dict[str, object]] = []
    used: list[str] = []
    taken: set[int] = set()
    for memory in memories:
        if len(insights) == wanted:
            break
        if memory["number"] in taken and len(memories) - len(taken) >= wanted - len(insights):
            continue
        group = _group(memory, memories, me)
        taken |= {each["number"] for each in group}
        insights.append(_insight(memory, group, me, dice))
        used += [each["text"] for each in group[:2]]
    return Draft({"insights": insights}, tuple(used))


def _weightiest(memories: list[Recalled], me: Who) -> list[Recalled]:
    """Return memories by importance, of equal ones the first; each text once."""
    seen: set[str] = set()
    kept = []
    plain = [memory for memory in memories if not _INSIGHT.search(memory["text"])]
    for memory in sorted(
        plain or memories, key=lambda each: (-importance_of(each["text"], me), each["number"])
    ):
        if memory["text"] not in seen:
            seen.add(memory["text"])
            kept.append(memory)
    return kept


def _group(memory: Recalled, memories: list[Recalled], me: Who) -> list[Recalled]:
    """Return a memory and up to three others that speak of the same."""
    own = stems(memory["text"]) - stems(me["name"])
    close = [
        (len(own & stems(other["text"])), -other["number"], other)
        for other in memories
        if other is not memory
    ]
    close.sort(key=lambda each: each[:2], reverse=True)
    return [memory, *(other for shared, _, other in close[:3] if shared)]


def _insight(memory: Recalled, group: list[Recalled], me: Who, dice: Dice) -> dict[str, object]:
    """Return an insight about what a group of memories shares."""
    names = Counter(
        name for each in group for name in _NAME.findall(each["text"]) if name != me["name"]
    )
    fact = _fact(memory["text"], 100)
    key = memory["number"]
    if names and me["name"] not in memory["text"]:
        name = next((each for each in names if each in memory["text"]), "")
        form = dice.pick(talk_phrases()["insights_one" if name else "insights_self"], key)
        text = form.format(me=me["first_name"], name=name, fact=fact)
    elif len(group) > 1:
        form = dice.pick(talk_phrases()["insights_two"], key)
        text = form.format(me=me["first_name"], fact=fact, other=_fact(group[1]["text"], 80))
    else:
        form = dice.pick(talk_phrases()["insights_self"], key)
        text = form.format(me=me["first_name"], fact=fact)
    importance = max(4, min(9, importance_of(memory["text"], me) + dice.pick((-1, 0, 1), key)))
    return {
        "insight": clip(text, 240),
        "because": sorted(each["number"] for each in group),
        "importance": importance,
    }


def _fact(text: str, length: int) -> str:
    """Return a memory's first sentence as part of another."""
    whole = sentences(text)
    return lower_first(clip(whole[0] if whole else text, length).rstrip(".!?"))


def _quiet(me: Who) -> dict[str, object]:
    """Return what to answer where there is no memory at all."""
    text = f"{me['first_name']} has had little to think about lately."
    return {"insight": text, "because": [1], "importance": 2}
