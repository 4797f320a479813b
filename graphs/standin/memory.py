"""The stand-in's rules for memories: ratings, reflections, dreams, ideas, whispers, interviews."""

from collections.abc import Sequence

from smolville.agents.english import clip, sentences, stems
from smolville.agents.keywords import keywords_of
from smolville.agents.memory import quoted_words
from smolville.agents.wording import join_words
from smolville.graphs.standin.news import news_in
from smolville.models.standin.rule import Dice, RuleAnswer
from smolville.parsers.answer_interview import AnswerInterviewInput
from smolville.parsers.dream import DreamInput
from smolville.parsers.heed_inner_voice import HeedInnerVoiceInput
from smolville.parsers.prompt_inputs import PersonaInput, RecalledMemory
from smolville.parsers.rate_importance import RateImportanceInput
from smolville.parsers.reflect_insights import ReflectInsightsInput
from smolville.parsers.reflect_questions import ReflectQuestionsInput
from smolville.parsers.wander import WanderInput

_LEVELS = (
    (8, "love wedding married baby pregnant death died dead ill accident fire flood election"),
    (8, "mayor stolen lost crush quarrel secret"),
    (6, "party festival concert exhibition invited invitation plan decided promise offered"),
    (6, "scholarship budget licence competition friend angry worried afraid hope dream"),
    (4, "talked talk told said asked conversation chat met visit laughed guest"),
    (1, "sleeping brushing teeth toilet shower dressed washing walking idle wiping sweeping"),
)
"""Importance, and the words that mean it."""
_QUESTIONS = (
    "What does {subject} mean to {me}?",
    "How should {me} deal with {subject} from now on?",
    "What has {me} learnt about {subject} lately?",
)
_INSIGHTS = (
    "{me} often thinks of {subject}.",
    "{me} wonders about {subject}.",
    "{me} cares more about {subject}.",
    "{me} should see to {subject}.",
    "{me} is glad of {subject}.",
)
_DREAMS = (
    "I was on a train that never stopped, and all the others talked about {subject}.",
    "I looked everywhere for a lost key, and found {subject} under water.",
    "I came into a room that I had never seen, and it was full of {subject}.",
    "I stood on a roof high above the town and tried to remember {subject}.",
)
_IDEAS = (
    ("drawing a picture of {subject}", "evening"),
    ("writing a short poem about {subject}", "evening"),
    ("asking the neighbours about {subject}", "morning"),
    ("collecting old stories about {subject}", "afternoon"),
)


def importance_of(text: str, me: PersonaInput) -> int:
    """Return how important something is to somebody, 1 to 10; always the same for both."""
    said = stems(text)
    level = next((level for level, words in _LEVELS if said & stems(words)), 2)
    spread = Dice(me.name, text).pick((0, 0, 0, 1, 1, 2), "spread")
    is_close = len(said & stems(me.currently) - stems(me.name)) >= 2 and level > 1
    return min(10, level + spread + is_close)


def rate_importance(inputs: RateImportanceInput, dice: Dice) -> RuleAnswer:
    """Return a rating for every memory by its words."""
    ratings = [
        {"number": each.number, "importance": importance_of(each.text, inputs.me)}
        for each in inputs.memories
    ]
    return RuleAnswer({"ratings": ratings}, tuple(each.text for each in inputs.memories))


def _subjects(memories: Sequence[RecalledMemory], me: PersonaInput) -> dict[str, list[int]]:
    """Return what memories are about, names first, with their numbers; the weightiest come first.

    Without any memory, that is life in town.
    """
    found: dict[str, list[int]] = {}
    for each in sorted(memories, key=lambda each: (-importance_of(each.text, me), each.number)):
        words = keywords_of(quoted_words(each.text) or each.text, (me.name,))
        others = [word for word in words if word.split()[0] not in me.name.split()]
        names = [word for word in others if word[0].isupper()]
        for subject in (names or others[-1:])[:1]:
            found.setdefault(subject, []).append(each.number)
    return found or {"life in town": [memories[0].number if memories else 1]}


def reflect_questions(inputs: ReflectQuestionsInput, dice: Dice) -> RuleAnswer:
    """Return three questions about the most important memories."""
    subjects = [*_subjects(inputs.memories, inputs.me), "the day", "the neighbours"]
    forms = dice.shuffled(_QUESTIONS, "forms")
    me = inputs.me.first_name
    questions = [
        clip(form.format(me=me, subject=subject), 200)
        for form, subject in zip(forms, subjects * 3, strict=False)
    ]
    return RuleAnswer({"questions": questions}, tuple(subjects[:-2][:3]) if inputs.memories else ())


def reflect_insights(inputs: ReflectInsightsInput, dice: Dice) -> RuleAnswer:
    """Return insights into what the most important memories are about."""
    me, known = inputs.me, {each.text for each in inputs.memories}
    by_number = {each.number: each.text for each in inputs.memories}
    insights: list[dict[str, object]] = []
    subjects = list(_subjects(inputs.memories, me).items())[:4]
    for subject, numbers in subjects:
        texts = [form.format(me=me.first_name, subject=subject) for form in _INSIGHTS]
        fresh = [each for each in texts if each not in known]
        weight = importance_of(by_number.get(numbers[0], ""), me)
        insight = {"because": numbers[:3], "insight": clip(dice.pick(fresh or texts, subject), 240)}
        insights.append({**insight, "importance": max(4, weight)})
    used = tuple(subject for subject, _ in subjects) if inputs.memories else ()
    return RuleAnswer({"insights": insights}, used)


def dream(inputs: DreamInput, dice: Dice) -> RuleAnswer:
    """Return a dream of something remembered."""
    subject = _drawn(inputs.memories, inputs.me, dice)
    text = dice.pick(_DREAMS, "dream").format(subject=clip(subject, 100))
    return RuleAnswer({"dream": text}, (subject,) if inputs.memories else ())


def wander(inputs: WanderInput, dice: Dice) -> RuleAnswer:
    """Return a new idea about something remembered."""
    subject = _drawn(inputs.memories, inputs.me, dice)
    form, part = dice.pick(_IDEAS, "idea")
    reason, idea = f"{clip(subject, 100)} came to my mind", clip(form.format(subject=subject), 80)
    used = (subject,) if inputs.memories else ()
    return RuleAnswer({"reason": reason, "idea": idea, "part": part}, used)


def _drawn(memories: Sequence[RecalledMemory], me: PersonaInput, dice: Dice) -> str:
    """Return a random one of the things that memories are about."""
    return dice.pick(list(_subjects(memories, me)), "subject")


def heed_inner_voice(inputs: HeedInnerVoiceInput, dice: Dice) -> RuleAnswer:
    """Return the whisper as something that the person thinks of."""
    whisper = " ".join(inputs.whisper.split())
    importance = max(5, importance_of(whisper, inputs.me))
    thought = clip(f"I think of this: {whisper}", 240)
    return RuleAnswer({"thought": thought, "importance": importance}, (whisper,))


def answer_interview(inputs: AnswerInterviewInput, dice: Dice) -> RuleAnswer:
    """Return the memory that fits the question best, else what I do today or who I am."""
    me = inputs.me
    asked = stems(inputs.question) - stems(me.name)
    facts = {news_in(each.text) or each.text: each.when for each in inputs.memories}
    facts |= dict.fromkeys((*sentences(me.currently), *sentences(me.learned)), "")
    best = max(facts, key=lambda text: len(asked & stems(text)))
    if asked & stems(best):
        since = f"I remember this from {facts[best]}: " if facts[best] else ""
        return RuleAnswer({"answer": clip(f"{since}{best}", 800)}, (best,))
    plan = join_words([f"{each.activity} at {each.time}" for each in inputs.plan])
    today = f" My plan for today is this: {plan}." if plan else ""
    told = clip(f"I do not know. Right now I am {inputs.doing}.{today}", 800)
    return RuleAnswer({"answer": told}, (inputs.doing,))
