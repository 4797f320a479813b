"""Prepare by rule what somebody may say next in a talk, for a model that only chooses among it.

A small model says what nobody can know, asks what was just answered, and never ends a talk; asked
only to word what code tells it to say, it still adds inventions (docs/small-models.md). So code
prepares whole lines: greetings, news and invitations in the words in which they are remembered,
questions about what was told, answers from memory, goodbyes. Which one is said is the model's
choice.
"""

import re
import tomllib
from collections.abc import Iterator, Sequence
from functools import cache, cached_property
from importlib.resources import files
from typing import TYPE_CHECKING, Literal

from agents.chance import shuffle_items
from graphs.concerns import (
    IDEA,
    PRIVATE,
    THOUGHTS,
    as_said_to,
    in_first_person,
    is_event,
    is_idea,
    is_said,
    occupies,
    told_in,
)
from graphs.frame.happenings import event_in, find_told_events
from graphs.prompt_inputs import PromptInput
from graphs.spoken_times import minute_of
from models.standin.words import sentences, stems
from parsers.reading.sentences import is_small_talk

if TYPE_CHECKING:
    from graphs.say import SayInput

MOST_OPTIONS = 4
MOST_ASKED = 2
"""Questions that one speaker asks in a talk at most."""
MOST_TOLD = 2
"""Facts that one speaker tells in a talk at most, besides answers."""
POLITE_LINES = 2
"""Lines at the beginning of a talk in which people ask each other how they are."""
LONGEST = 170
"""Characters of a fact at most."""
_GENERAL = stems(
    "good like know think time day people thing work plan want need come make new help"
)
"""Words that do not show what a question is about."""
_POLITE = re.compile(
    r"\bhow (?:are|have) you\b|\bwhat about you\b|\bhow about you\b"
    r"|\bhow(?:'s| is) (?:it going|your day|life)\b|\bany news\b|\bkeeps you busy\b"
    r"|\bwhat(?:'s| is| has)(?: been)? (?:up|new|happening|going on|on your mind)\b",
    re.IGNORECASE,
)
_INVITES = re.compile(r"\b(?:would you like to|will you|welcome to) come\b", re.IGNORECASE)
_ASKS_A_FAVOUR = re.compile(r"\bcould you\b[^?]*\?", re.IGNORECASE)
_FAREWELL = re.compile(r"\b(?:good ?bye|bye|farewell|take care|(?<!to )see you)\b", re.IGNORECASE)
_ANSWERS = {
    "would you like to begin": "begin_answer",
    "come to think of it": "origin_answer",
    "the others think of it": "others_answer",
    "how far have you": "far_answer",
    "any further": "far_answer",
    "how is that going": "far_answer",
    "made up your mind": "decided_answer",
    "have you decided": "decided_answer",
    "hardest part": "hard_answer",
    "like about it": "like_answer",
    "anybody help you": "nobody_answer",
    "who else is coming": "guests_answer",
    "can i bring": "bring_answer",
    "are you going": "going_answer",
    "make of it": "opinion_answer",
    "can help with": "none_needed",
}
"""Which lines answer the questions that code prepares."""


class ActCard(PromptInput):
    """The lines of which one is said next."""

    kind: Literal["open", "ask", "tell", "answer", "accept", "goodbye"]
    options: tuple[str, ...]
    ends: bool = False
    """Whether the talk ends with this line."""


def choose_act(inputs: "SayInput") -> ActCard:
    """Return the lines from which the speaker chooses the next one."""
    talk = _Talk(inputs)
    if not inputs.lines:
        return talk.card("open", talk.openings())
    if talk.is_over():
        return talk.goodbye()
    if _INVITES.search(talk.last):
        return talk.card("accept", talk.phrases("accept"))
    return talk.reply() if "?" in talk.last else talk.go_on()


class _Talk:
    """A talk as its next speaker sees it."""

    def __init__(self, inputs: "SayInput") -> None:
        """Note what was said so far."""
        self.inputs = inputs
        self.me, self.lines = inputs.me, inputs.lines
        self.said = [line.text for line in inputs.lines]
        self.last = self.said[-1] if self.said else ""
        self.first = " and ".join(name.split()[0] for name in inputs.others)

    @cached_property
    def own(self) -> list[str]:
        """The speaker's own lines."""
        return [line.text for line in self.lines if line.speaker == self.me.name]

    @cached_property
    def facts(self) -> list[str]:
        """What the speaker can say of themselves, in the first person."""
        found = [memory.text for memory in self.inputs.memories if _is_mine(memory.text)]
        for text in (self.me.currently, self.me.learned):
            found += in_first_person(text, self.me)
        return [each for each in dict.fromkeys(found) if len(each) <= LONGEST]

    def card(self, kind: str, lines: Sequence[str], *, ends: bool = False) -> ActCard:
        """Return some lines as a card, without those that were said before."""
        fresh = [each for each in dict.fromkeys(lines) if each not in self.said]
        if len(fresh) == 1 and fresh[0].startswith("I "):
            fresh.append(f"Well, {fresh[0]}")
        return ActCard.model_validate(
            {"kind": kind, "options": (fresh or list(lines))[:MOST_OPTIONS], "ends": ends}
        )

    def phrases(self, *uses: str, **about: str) -> list[str]:
        """Return the ready lines for some purposes, in an order of their own for each turn."""
        rows = [each.format(other=self.first, **about) for use in uses for each in _lines()[use]]
        return shuffle_items(rows, self.me.name, self.inputs.now, len(self.lines))

    def openings(self) -> list[str]:
        """Return how the speaker may begin: with an event, a request, a topic or a question."""
        now = minute_of(self.inputs.now)
        part = ["hello_morning"] if now < 660 else ["hello_evening"] if now >= 1080 else []
        hello = self.phrases("hello", *part)[0]
        found = [*self._invitations(), *self._requests(), *self._topics()]
        found += self._asked_again() or self.phrases("ask_how")[:1]
        return [f"{hello} {each}" for each in found]

    def is_over(self) -> bool:
        """Return whether it is time to say goodbye."""
        return self.inputs.turns_left <= 1 or _FAREWELL.search(self.last) is not None

    def reply(self) -> ActCard:
        """Return what answers a question."""
        question = [each for each in sentences(self.last) if each.endswith("?")][-1]
        use = next((name for asked, name in _ANSWERS.items() if asked in question.lower()), "")
        if use == "bring_answer" and (things := self._things_needed()):
            return self.card("answer", [*self.phrases("bring_needed", things=things)])
        if not use and _POLITE.search(question):
            return self.card("tell", self._how_it_goes(question))
        if _ASKS_A_FAVOUR.search(question):
            return self.card("answer", self.phrases("agree"))
        fitting = self._fitting(question)
        rest = [] if fitting and not use else self.phrases(use or "unknown")
        return self.card("answer", [*fitting, *rest])

    def _how_it_goes(self, question: str) -> list[str]:
        """Return answers to a polite question: how one is, what one does, what occupies one."""
        is_how = "how" in question.lower()
        topics = self._topics_left()
        if topics and not is_how:
            return topics
        doing = self._doing()
        if "busy" in question and doing:
            return self.phrases("busy", doing=doing)
        well = self.phrases("well" if is_how else "no_news")
        more = topics or (self.phrases("ask_how") if len(self.lines) < POLITE_LINES else [""])
        leads = well[: 2 if len(more) == 1 else 1]
        return [f"{lead} {each}".strip() for each in more for lead in leads]

    def go_on(self) -> ActCard:
        """Return what follows a line that asks nothing."""
        was_answer = bool(self.own) and "?" in self.own[-1]
        if not was_answer and self._may_ask() and (asked := self._questions()):
            return self.card("ask", asked)
        leads = self.phrases("own_news")
        leads = self.phrases("comment") if occupies(self.last) else leads
        leads = leads if self.own else self.phrases("hello_back")
        topics = self._topics_left()
        if topics:
            leads = leads[: 2 if len(topics) == 1 else 1]
            return self.card("tell", [_led_by(lead, each) for each in topics for lead in leads])
        return self.goodbye()

    def goodbye(self) -> ActCard:
        """Return goodbyes."""
        is_party = any(line in self.own for line in _lines()["accept"][:5])
        party = self.phrases("goodbye_party") if is_party else []
        glad = f"{self.phrases('glad')[0]} " if self.last in _lines()["accept"][:3] else ""
        lines = [f"{glad}{each}" for each in (*party, *self.phrases("goodbye"))]
        return self.card("goodbye", lines, ends=True)

    def _may_ask(self) -> bool:
        return sum("?" in each for each in self.own) < MOST_ASKED and self.inputs.turns_left > 3

    def _questions(self) -> list[str]:
        """Return questions about what the last line told; none if it told nothing."""
        plain = [each for each in sentences(self.last) if not is_small_talk(each)]
        told = next((each for each in plain if occupies(each) and len(each) > 25), "")
        if not told:
            return []
        use = "ask_idea" if is_idea(told) else "ask_work"
        if is_event(told) and is_said(told, [each.text for each in self.inputs.memories]):
            use = "ask_known"
        elif is_event(told):
            use = "ask_event" if told.startswith(("I ", "My ")) else "ask_heard"
        if use == "ask_known":
            hello = "" if self.own else self.phrases("hello_back")[0]
            return [f"{hello} {each}".strip() for each in self.phrases(use)]
        lead = self.phrases("comment" if self.own else "hello_back")[0]
        return [f"{lead} {each}" for each in self.phrases(use)]

    def _doing(self) -> str:
        """Return what the speaker was doing before the talk, `baking bread`; empty if unknown."""
        doing = self.inputs.doing.partition(f"{self.me.name} was ")[2].partition(".")[0]
        return doing if doing.split(" ")[0].endswith("ing") else ""

    def _things_needed(self) -> str:
        """Return the first things that the speaker needs, `paper lanterns`; empty for none."""
        needs = next((each for each in self.facts if each.startswith("I need ")), "")
        things = re.split(r",| and | for ", needs.removeprefix("I need "))[0].rstrip(".")
        return "" if things.startswith(("someone", "somebody", "to ")) else things

    def _topics_left(self) -> list[str]:
        """Return what is still worth telling, unless the speaker has told enough."""
        told = sum(any(is_said(fact, [line]) for line in self.own) for fact in self.facts)
        return [*self._invitations(), *self._topics()] if told < MOST_TOLD else []

    def _untold(self) -> Iterator[str]:
        """Yield what this person does not know yet: not told in this talk or an earlier one."""
        theirs = [memory.text for memory in self.inputs.memories if memory.is_theirs]
        known = [told_in(text) for text in theirs if not text.startswith("I ")]
        known.append(told_in(self.inputs.relationship.partition("You talked ")[2]))
        for fact in self.facts:
            is_private = stems(fact) & (PRIVATE | stems(self.first))
            if not is_private and not is_said(fact, [*self.said, *known]):
                yield fact

    def _invitations(self) -> list[str]:
        """Return the events of one's own to which this person can still be invited."""
        events = [each for each in self._untold() if is_event(each)]
        return [f"{each} {self.phrases('invite')[0]}" for each in events[:2]]

    def _topics(self) -> list[str]:
        """Return what occupies the speaker, and the events of which they have heard."""
        found = [each for each in self._untold() if occupies(each) and not is_event(each)]
        heard = []
        for memory in self.inputs.memories:
            if not memory.is_theirs and " said: " in memory.text:
                told = [each for each in find_told_events(memory.text) if is_event(each)]
                heard += [each for each in told if not is_said(each, self.said)]
        lead = self.phrases("heard")[0]
        return [*(f"{lead} {each}" for each in heard[-1:]), *_unlike(found)[:3]]

    def _requests(self) -> list[str]:
        """Return what the speaker has thought of asking this person to do."""
        for memory in reversed(self.inputs.memories):
            found = IDEA.match(memory.text)
            if found and found["name"].split()[0] in self.inputs.others[0].split():
                what = re.sub(r"\b(?:his|her|their)\b", "your", found["what"])
                return self.phrases("request", what=re.sub(r"\b(?:him|them)\b", "you", what))[:1]
        return []

    def _asked_again(self) -> list[str]:
        """Return a question about what this person told in an earlier talk."""
        said = re.compile(
            rf'^{re.escape(self.inputs.others[0])} said: "[^"]*\bI(?: am|\'m) ([^".!?]+)'
        )
        told = [found[1] for each in self.inputs.memories if (found := said.match(each.text))]
        topic = next((each for each in reversed(told) if occupies(f"am {each}")), "")
        if not topic or len(topic) > LONGEST:
            return []
        if is_event(f"I am {topic}."):
            return self.phrases("ask_again_event", event=event_in(f"I am {topic}."))
        is_open = is_idea(f"am {topic}")
        topic = as_said_to(topic)
        asked = self.phrases("ask_again_idea" if is_open else "ask_again")
        return [f"You told me that you are {topic}. {each}" for each in asked]

    def _fitting(self, question: str) -> list[str]:
        """Return the facts that answer a question best and were not said yet."""
        asked = stems(question) - _GENERAL - stems(" ".join((self.me.name, *self.inputs.others)))
        if "need" in question or "help with" in question:
            told = next((each for each in reversed(self.own) if occupies(each)), "")
            needs = [each for each in self._untold() if each.startswith("I need ")]
            return [each for each in needs if stems(each) & stems(told) - _GENERAL][:2]
        scored = [(len(stems(each) & asked), each) for each in self._untold()]
        return [each for score, each in sorted(scored, reverse=True) if score][:2]


@cache
def _lines() -> dict[str, list[str]]:
    """Return the ready lines by purpose."""
    text = files("graphs.activities").joinpath("talk_lines.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def _unlike(facts: Sequence[str]) -> list[str]:
    """Return facts without those that say what an earlier one says."""
    found: list[str] = []
    for fact in facts:
        if not is_said(fact, found):
            found.append(fact)
    return found


def _led_by(lead: str, topic: str) -> str:
    """Return a topic with its lead; news about others has a lead of its own already."""
    is_aside = lead.endswith(", ")
    return f"{lead.strip()} {topic}" if topic.startswith("I ") or not is_aside else topic


def _is_mine(text: str) -> bool:
    """Return whether a memory is a fact that its owner knows of themselves, and no mere thought."""
    is_own = text.startswith(("I ", "My ")) and "…" not in text
    return is_own and not IDEA.match(text) and not text.startswith(THOUGHTS)
