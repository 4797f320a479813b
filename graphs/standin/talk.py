"""The stand-in's rules for meeting others: whether to talk, what to say, what to keep of a talk."""

import re

from smolville.agents.english import clip, sentences, stems
from smolville.agents.memory import quoted_words
from smolville.agents.times import clock
from smolville.agents.wording import join_words
from smolville.graphs.standin.news import LEADS, LONGEST, event_in, is_told, news_in, own_news
from smolville.graphs.surroundings import ANNOUNCED
from smolville.models.standin.rule import Dice, RuleAnswer
from smolville.parsers.conclude_talk import MOST_KEPT, ConcludeTalkInput, day_labels
from smolville.parsers.prompt_inputs import PersonCard
from smolville.parsers.react import ReactInput, is_in_the_way
from smolville.parsers.say import LONGEST as LONGEST_LINE
from smolville.parsers.say import SayInput

PHRASES = {
    "greeting": (
        "Good to see you, {other}!",
        "Hello, {other}!",
        "Ah, {other}, there you are!",
        "Hi {other}, nice to run into you.",
    ),
    "question": (
        "How are you today?",
        "What keeps you busy at the moment?",
        "Is there any news in town?",
        "How are things at home?",
        "Have you met anyone today?",
    ),
    "answer": ("All I know of that:", "What I remember is this:", "If you ask me:"),
    "unknown": (
        "I could not say, to be honest.",
        "I do not know much about that.",
        "Nothing out of the ordinary, thank you.",
        "Much the same as ever, thank you.",
    ),
    "surprise": (
        "Thank you for telling me.",
        "Really? I had not heard that.",
        "How interesting!",
        "That is good to know.",
    ),
    "accept": ("Count me in, I will come!", "That sounds lovely, I will be there."),
    "unsure": ("I will see if I can make it.", "I have to look at my plans first."),
    "assent": (
        "I see what you mean.",
        "Yes, that is how it goes.",
        "I can imagine that.",
        "That makes sense to me.",
    ),
    "farewell": (
        "Goodbye, {other}, take care!",
        "I must get on now, see you soon!",
        "Until next time, {other}!",
    ),
}
"""What is said in talks, by its purpose."""
_FAREWELL = re.compile("goodbye|see you soon|until next time", re.IGNORECASE)
_DANGER = re.compile(r"\b(?:fire|flames?|burn\w*|smok\w*|flood\w*|leak\w*|burst)\b", re.IGNORECASE)
_FRESH = 150
"""Minutes after a talk during which there is little new to say."""
_FEELINGS = ("glad", "glad", "amused", "curious", "calm", "hopeful")


def say(inputs: SayInput, dice: Dice) -> RuleAnswer:
    """Return the next line: a reply, then news or a question; at the end a goodbye."""
    lines = [line.text for line in inputs.lines]
    last = lines[-1] if lines else ""
    is_answered = _FAREWELL.search(last) is not None
    if is_answered or inputs.turns_left <= 1:
        return RuleAnswer({"text": _said("farewell", inputs, dice), "ends": True})
    length = 4 + Dice(*lines[:1]).draw("length") % 4
    if len(lines) >= length and "?" not in last:
        return RuleAnswer({"text": _said("farewell", inputs, dice), "ends": False})
    reply, used = _reply(last, inputs, dice) if last else (_said("greeting", inputs, dice), ())
    news = _news(inputs, dice)
    if news:
        told = f"{_said('lead', inputs, dice)} {news}"
        used = (*used, news.rstrip("…"))
        text = f"{reply} {told}" if len(f"{reply} {told}") <= LONGEST_LINE else told
    elif "?" in last:
        text = reply
    else:
        text = f"{reply} {_said('question', inputs, dice)}"
    return RuleAnswer({"text": text, "ends": False}, used)


def _said(use: str, inputs: SayInput, dice: Dice) -> str:
    """Return a phrase for a purpose, if possible one that was not said in this talk."""
    other = join_words([name.split()[0] for name in inputs.others])
    known = LEADS if use == "lead" else PHRASES[use]
    phrases = [each.format(other=other) for each in known]
    fresh = [each for each in phrases if not any(each in line.text for line in inputs.lines)]
    return dice.pick(fresh or phrases, use)


def _reply(last: str, inputs: SayInput, dice: Dice) -> tuple[str, tuple[str, ...]]:
    """Return the reply to a line, and what it is based on."""
    if event_in(last):
        return _said("accept" if dice.fraction("accept") < 0.75 else "unsure", inputs, dice), ()
    if news_in(last):
        return _said("surprise", inputs, dice), ()
    if "?" not in last:
        return _said("assent", inputs, dice), ()
    asked = stems(last) - stems(" ".join((inputs.me.name, *inputs.others)))
    told = [line.text for line in inputs.lines]
    known = [*own_news(inputs.me), *(_fact(each.text) for each in inputs.memories)]
    facts = [each for each in known if each and not is_told(each, told)]
    best = max(facts, key=lambda fact: len(asked & stems(fact)), default="")
    if len(asked & stems(best)) < 2:
        return _said("unknown", inputs, dice), ()
    return f"{_said('answer', inputs, dice)} {best}", (best.rstrip("…"),)


def _fact(memory: str) -> str:
    """Return what a memory tells in a line: its news, the words it quotes, or its first sentence.

    A quotation of small talk tells nothing.
    """
    told = news_in(memory) or ("" if quoted_words(memory) else sentences(memory)[0])
    return clip(told, LONGEST)


def _news(inputs: SayInput, dice: Dice) -> str:
    """Return news to tell: what concerns me, or what I heard; empty if all of it was told."""
    heard = [news for each in inputs.memories if (news := news_in(each.text))]
    heard += [_fact(inputs.news)] if inputs.news else []
    mine = own_news(inputs.me)
    found = [*mine, *heard] if dice.fraction("order") < 0.6 else [*heard, *mine]
    theirs = tuple(name.split()[0] for name in inputs.others)
    told = [inputs.relationship, *(line.text for line in inputs.lines)]
    told += [
        each.text
        for each in inputs.memories
        if any(name in each.text for name in theirs) and not quoted_words(each.text)
    ]
    fresh = (
        each for each in found if each and not (each.startswith(theirs) or is_told(each, told))
    )
    return next(fresh, "")


def react(inputs: ReactInput, dice: Dice) -> RuleAnswer:
    """Return the reaction to what came into sight: a danger, a person, a need, or a thing."""
    if inputs.doing.lower().startswith("sleep"):
        return _reaction("I would rather go on with what I am doing.", "continue")
    events = [each for each in inputs.events if not each.startswith(ANNOUNCED)]
    dangers = [each for each in events if _DANGER.search(each)]
    if dangers or (events and dice.fraction("other") < 0.08):
        return _see_to((*dangers, *events)[0])
    met = next(filter(None, (_meet(each, inputs, dice) for each in inputs.people)), None)
    if met is not None:
        return met
    if inputs.need is not None:
        chance = dice.fraction("need")
        choice = "now" if chance < 0.6 else "later" if chance < 0.9 else "continue"
        return _reaction(inputs.need.told, choice, inputs.need.told)
    return _reaction("I am in the middle of something and want to finish it.", "continue")


def _meet(person: PersonCard, inputs: ReactInput, dice: Dice) -> RuleAnswer | None:
    """Return the answer to talk with somebody, or to wait for them; None for neither."""
    name, first = person.name, person.name.split()[0]
    if dice.fraction("talk", name) < _chance(person, inputs):
        return _reaction(f"I would like to hear how {first} is.", "talk", name, person=name)
    if is_in_the_way(person.doing, inputs.doing) and dice.fraction("wait", name) < 0.5:
        reason = f"{first} is using what I need, so I wait a little."
        return _reaction(reason, "wait", name, person=name, minutes=5)
    return None


def _chance(person: PersonCard, inputs: ReactInput) -> float:
    """Return the probability of a talk with somebody."""
    minute = _minute_of(inputs.now)
    if not person.can_talk or person.doing.lower().startswith("sleep"):
        return 0.0
    if not 5 * 60 <= minute < 22 * 60 + 30:
        return 0.05
    is_fresh = person.last_talk.startswith("today") and (
        minute - _minute_of(person.last_talk[:12]) < _FRESH
    )
    return (0.4 if "stranger" in person.relationship.lower() else 0.93) * (0.1 if is_fresh else 1.0)


def _minute_of(text: str) -> int:
    """Return the last `HH:MM` in a text as a minute of the day; 0 if it has none."""
    found = re.findall(r"(\d\d):(\d\d)", text)
    return int(found[-1][0]) * 60 + int(found[-1][1]) if found else 0


def _see_to(event: str) -> RuleAnswer:
    """Return the answer `other`: to see to the object that an event in sight is about."""
    thing = event.split(" is ")[0].split(": ")[-1].removeprefix("the ").strip(" .")
    reason = clip(f"Somebody should see to this: {event}", 240)
    activity = clip(f"looking after the {thing}", 120)
    return _reaction(reason, "other", event, minutes=10, activity=activity)


def _reaction(reason: str, choice: str, *used: str, **more: object) -> RuleAnswer:
    """Return the answer with its fields in order."""
    rest = {name: more.get(name) for name in ("person", "minutes", "activity")}
    return RuleAnswer({"reason": reason, "choice": choice, **rest}, used)


def conclude_talk(inputs: ConcludeTalkInput, dice: Dice) -> RuleAnswer:
    """Return the news of a talk, the event that I agreed to go to, and a feeling."""
    me = inputs.me.name
    heard = {each.number: news_in(each.text) for each in inputs.lines if each.speaker != me}
    heard = {number: news for number, news in heard.items() if news}
    told = [news_in(each.text) for each in inputs.lines if each.speaker == me]
    topics = [*list(heard.values())[:1], *filter(None, told)]
    answer = {
        "summary": clip(" ".join(topics), 240) or "A friendly chat about how the day was going.",
        "keep": list(heard)[:MOST_KEPT],
        "agreements": _agreements(inputs),
        "in_confidence": [],
        "settled": [],
        "feeling": dice.pick(_FEELINGS, "feeling"),
    }
    return RuleAnswer(answer, (*heard.values(), *inputs.others))


def _agreements(inputs: ConcludeTalkInput) -> list[dict[str, object]]:
    """Return the event that another told of and I agreed to go to, if it is still to come."""
    me, labels, now = inputs.me.name, day_labels(inputs.dates), _minute_of(inputs.now)
    mine = [each for each in inputs.lines if each.speaker == me]
    yes = [each for each in mine if any(words in each.text for words in PHRASES["accept"])]
    for line in inputs.lines if yes else ():
        event = event_in(line.text) if line.speaker != me else None
        days = [at for at, date in enumerate(inputs.dates) if event and event.is_on(date)]
        if event is None or not days or (not days[0] and event.start <= now):
            continue
        places = [each for each in inputs.places if stems(each.split(": ")[0]) <= stems(line.text)]
        agreed: dict[str, object] = {"who": [me], "what": clip(f"going to the {event.name}", 120)}
        agreed |= {"line": yes[-1].number, "day": labels[days[0]], "time": clock(event.start)}
        return [{**agreed, "place": places[0] if places else None}]
    return []
