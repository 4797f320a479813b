"""The stand-in's rules for whispers of an inner voice, and for an interviewer's questions."""

import re

from smolville.agents.wording import join_words
from smolville.graphs.standin.about_me import (
    hosts_event,
    is_about_work,
    own_sentences,
    tell_as_mine,
    tell_guests,
    tell_of_work,
)
from smolville.graphs.standin.guests import asks_who_comes
from smolville.graphs.standin.happenings import TALKED
from smolville.graphs.standin.news import find_statements, is_note, word_set
from smolville.models.standin.rule import Dice, RuleAnswer
from smolville.models.standin.words import (
    clip,
    full_stop,
    is_certain_order,
    is_order,
    lower_first,
    sentences,
    stems,
    upper_first,
)
from smolville.parsers.answer_interview import AnswerInterviewInput
from smolville.parsers.heed_inner_voice import HeedInnerVoiceInput
from smolville.parsers.prompt_inputs import PersonaInput

_SWAPS = (
    (r"\byou're\b", "I'm"),
    (r"\byou are\b", "I am"),
    (r"\byou were\b", "I was"),
    (r"\byou've\b", "I have"),
    (r"\byou'll\b", "I will"),
    (r"\bare you\b", "am I"),
    (r"\byourself\b", "myself"),
    (r"\byours\b", "mine"),
    (r"\byour\b", "my"),
    (r"(?<=\bto )you\b|(?<=\bwith )you\b|(?<=\bfor )you\b|(?<=\bat )you\b|(?<=\bof )you\b", "me"),
    (r"\byou(?=$|[.,;!?]| (?:to|and|on|in|at|for)\b)", "me"),
    (r"\byou\b", "I"),
)
_NEVER = re.compile(r"^(?:do not|don't|never)\b", re.IGNORECASE)
_ASKED_NAME = re.compile(r"\b(?:your name|who are you|yourself)\b", re.IGNORECASE)
_ASKED_NOW = re.compile(r"\b(?:doing|busy with)\b.*\?", re.IGNORECASE)
_ASKED_DAY = re.compile(
    r"\b(?:your (?:plans?|day)|(?:what|how|do|are|have|will) .*\byou\b.* (?:today|tonight|"
    r"(?:this|in the) (?:morning|afternoon|evening)))\b",
    re.IGNORECASE,
)
_MIDNIGHT = " 00:00"
"""End of the time of what is known from the beginning of a run."""
_UNTOLD = re.compile(
    r",? (?:and|but) (?:(?:I|she|he|they) )?(?:have|has)"
    r" (?:not (?:yet )?told (?:anyone|anybody)|told (?:nobody|no one))\b[^.,;]*",
    re.IGNORECASE,
)
"""The part of a sentence that says that something was told to nobody so far."""
_PARTS = {
    "morning": ("", "12:00"),
    "afternoon": ("12:00", "18:00"),
    "evening": ("17:00", "~"),
    "tonight": ("17:00", "~"),
}
"""The beginning and end of each part of a day, as clock texts that can be sorted."""


def heed_inner_voice(inputs: HeedInnerVoiceInput, dice: Dice) -> RuleAnswer:
    """Return the whisper as the person's own thought."""
    whisper = " ".join(inputs.whisper.split())
    name = inputs.me.name
    whispered = re.sub(rf"^{re.escape(name.split()[0])}, (\w)", _begin, whisper)
    thoughts = [_as_mine(sentence) for sentence in sentences(whispered)] or ["I wonder"]
    thought = clip(" ".join(full_stop(thought) for thought in thoughts), 240)
    thought = thought if len(thought) > 5 else f"I think of this: {thought}"
    said = stems(whisper)
    great = bool(said & word_set("great"))
    importance = 8 if great else 6 if said & word_set("notable") else 5
    return RuleAnswer(
        {"thought": thought, "importance": importance + dice.draw("weight") % 2}, (whisper,)
    )


def _begin(found: re.Match[str]) -> str:
    """Return the first letter after a form of address as a capital: the `y` in `Ada, you`."""
    return found[1].upper()


def answer_interview(inputs: AnswerInterviewInput, dice: Dice) -> RuleAnswer:
    """Return an answer from memory, or the answer that I do not know."""
    me, question = inputs.me, inputs.question
    if _ASKED_NAME.search(question):
        text = f"I am {me.name}, {me.age} years old. {own_sentences(me)[0]}"
        return RuleAnswer({"answer": clip(text, 800)}, (me.name, str(me.age)))
    if inputs.plan and _is_about_day(question, inputs):
        return _tell_plan(inputs)
    if _ASKED_NOW.search(question) and "today" not in question:
        return RuleAnswer({"answer": clip(f"Right now I am {inputs.doing}.", 800)}, (inputs.doing,))
    if asks_who_comes(question) and hosts_event(me):
        text, used = tell_guests(inputs.memories)
        return RuleAnswer({"answer": clip(text, 800)}, used)
    return _tell_memories(inputs, dice)


def _tell_memories(inputs: AnswerInterviewInput, dice: Dice) -> RuleAnswer:
    """Return the one or two facts that fit a question best, or the answer that I do not know."""
    me, question = inputs.me, inputs.question
    asked = stems(question) - stems(f"{me.name} know tell think remember")
    facts = [(memory.text, memory.when) for memory in inputs.memories]
    facts = [each for each in facts if _is_telling(each[0])]
    facts += [(text, "") for text in (*own_sentences(me), *sentences(me.learned))]
    scored = [(len(stems(text) & asked), -at, text, when) for at, (text, when) in enumerate(facts)]
    found = sorted((each for each in scored if each[0] >= 1), key=lambda e: e[:2], reverse=True)
    best = _tell_apart(found)[:2]
    if (not best or best[0][0] < 2) and is_about_work(question, me):
        text = tell_of_work([text for text, _ in facts], me)
        return RuleAnswer({"answer": clip(text, 800)}, ())
    if not best or (best[0][0] < 2 and len(asked) > 3):
        return _unknown(question, dice)
    has_talked = any(TALKED in memory.text for memory in inputs.memories)
    parts = [_phrase_memory(text, when, me, has_talked) for *_, text, when in best]
    return RuleAnswer(
        {"answer": clip(" ".join(dict.fromkeys(parts)), 800)}, tuple(e[2] for e in best)
    )


def _tell_apart(found: list[tuple[int, int, str, str]]) -> list[tuple[int, int, str, str]]:
    """Return facts without repetitions: many are both in memories and in the persona.

    A talk's summary and a line of the talk may say the same, too.
    """
    kept: list[tuple[frozenset[str], tuple[int, int, str, str]]] = []
    for each in found:
        words = stems(" ".join(find_statements(each[2])))
        if not any(words <= others or others <= words for others, _ in kept):
            kept.append((words, each))
    return [each for _, each in kept]


def _is_about_day(question: str, inputs: AnswerInterviewInput) -> bool:
    """Return whether a question is about my day in general and names nothing I remember."""
    if not _ASKED_DAY.search(question):
        return False
    asked = stems(question) - stems(_DAY_WORDS) - stems(inputs.me.name)
    return not any(asked & stems(memory.text) for memory in inputs.memories)


_DAY_WORDS = (
    "what how do does did are is have has will you your plan planned plans day today tonight "
    "this in the morning afternoon evening doing going to for on been up with of so far and any"
)


def _tell_plan(inputs: AnswerInterviewInput) -> RuleAnswer:
    """Return my plan for the day, or for the part of it that the question is about."""
    part = next((each for each in _PARTS if each in inputs.question.lower()), "")
    since, until = _PARTS.get(part, ("", "~"))
    told = [each for each in inputs.plan if since <= each.time < until] or list(inputs.plan)
    plan = join_words([f"{each.activity} at {each.time}" for each in told])
    text = f"My plan for today is this: {plan}. Right now I am {inputs.doing}."
    return RuleAnswer({"answer": clip(text, 800)}, (told[0].activity, inputs.doing))


def _unknown(question: str, dice: Dice) -> RuleAnswer:
    """Return the answer that I do not know."""
    text = dice.pick(
        (
            "I do not know anything about that.",
            "I do not remember anything of the kind, I am sorry.",
            "I could not tell you, I know nothing about it.",
        ),
        "unknown",
    )
    return RuleAnswer({"answer": text}, (question,))


def _phrase_memory(text: str, when: str, me: PersonaInput, has_talked: bool) -> str:
    """Return a memory in the form in which I would tell it.

    If I have talked with somebody since, words such as `but I have told nobody` are left out.
    """
    facts = _facts_of(text) or [text]
    facts = [_UNTOLD.sub("", each) for each in facts] if has_talked else facts
    told = clip(" ".join(full_stop(tell_as_mine(each, me)) for each in facts), 300)
    is_known_since = when and not when.endswith(_MIDNIGHT)
    return full_stop(
        f"I remember this from {when}: {lower_first(told)}" if is_known_since else told
    )


def _is_telling(text: str) -> bool:
    """Return whether a memory can answer questions: it states a fact, not an insight or a plan."""
    return bool(_facts_of(text)) and "…" not in text and (TALKED in text or not is_note(text))


def _facts_of(text: str) -> list[str]:
    """Return the statements of a memory; a talk's summary tells of the talk, then of its topics."""
    if TALKED not in text:
        return find_statements(text)
    talk, _, topics = text.partition(": ")
    return [full_stop(upper_first(each)) for each in (talk, *topics.split("; and ")) if each]


def _as_mine(sentence: str) -> str:
    """Return an inner voice's sentence as a thought of mine."""
    sentence = sentence.rstrip(".")
    mine = sentence[:1].lower() + sentence[1:] if sentence.lower().startswith("you") else sentence
    spoken_to_me = mine != sentence or re.search(r"\byou\b", mine, re.IGNORECASE)
    for old, new in _SWAPS:
        mine = re.sub(old, new, mine, flags=re.IGNORECASE)
    if mine.startswith("I "):
        mine = re.sub(r"(\band|\bbut|,) are\b", r"\1 am", mine)
    if mine.startswith("I ") or mine.startswith("my "):
        return upper_first(mine)
    first = sentence.split()[0] if sentence.split() else ""
    if _NEVER.match(sentence):
        return f"I should not {_NEVER.sub('', mine).strip()}"
    is_wish = is_certain_order(sentence) if spoken_to_me else is_order(sentence)
    if first.islower() or not is_wish:
        return upper_first(mine)
    return f"I want to {mine[:1].lower()}{mine[1:]}"
