"""Prepare by rule what somebody may say next in a talk, for a model that only chooses among it.

A small model says what nobody can know, asks what was just answered, and never ends a talk; asked
only to word what code tells it to say, it still adds inventions (docs/small-models.md). So code
prepares whole lines: greetings, news and invitations in the words in which they are remembered,
questions about what was told, answers from memory, goodbyes. Which one is said is the model's
choice.
"""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from graphs.concerns import is_event, is_idea, is_said, occupies
from graphs.prompt_inputs import PromptInput
from graphs.spoken_times import minute_of
from graphs.talk_memories import PastTalk
from graphs.talk_topics import TalkTopics, ready_lines
from models.standin.words import lower_first, sentences
from parsers.reading.sentences import is_small_talk

if TYPE_CHECKING:
    from graphs.say import SayInput

MOST_OPTIONS = 4
MOST_ASKED = 2
"""Questions that one speaker asks in a talk at most."""
POLITE_LINES = 2
"""Lines at the beginning of a talk in which people ask each other how they are."""
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
    "whom have you told": "others_answer",
    "preparations going": "prepare_answer",
    "going to plan": "prepare_answer",
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


_ABOUT_WORK = ("begin_answer", "far_answer", "hard_answer", "decided_answer", "nobody_answer")
"""Answers to which one wishes luck."""
_HARD = re.compile(r"\b(?:stuck|thin|cross|worr(?:y|ied)|sad|ill|hard|cannot|lost)\b")
"""Words of news that is not good."""


class ActCard(PromptInput):
    """The lines of which one is said next."""

    kind: Literal["open", "ask", "tell", "answer", "accept", "goodbye"]
    options: tuple[str, ...]
    ends: bool = False
    """Whether the talk ends with this line."""


def choose_act(inputs: "SayInput", talks: Sequence[PastTalk] = ()) -> ActCard:
    """Return the lines from which the speaker, who had these talks, chooses the next one."""
    talk = _Talk(inputs, talks)
    if not inputs.lines:
        return talk.card("open", talk.openings())
    if talk.is_over():
        return talk.goodbye()
    if _INVITES.search(talk.last):
        return talk.card("accept", talk.phrases("accept"))
    return talk.reply() if "?" in talk.last else talk.go_on()


class _Talk(TalkTopics):
    """A talk as its next speaker sees it: what may be said next."""

    def card(self, kind: str, lines: Sequence[str], *, ends: bool = False) -> ActCard:
        """Return some lines as a card, without those that were said before."""
        fresh = [each for each in dict.fromkeys(lines) if each not in self.said]
        if len(fresh) == 1 and fresh[0].startswith("I "):
            fresh.append(f"Well, {fresh[0]}")
        return ActCard.model_validate(
            {"kind": kind, "options": (fresh or list(lines))[:MOST_OPTIONS], "ends": ends}
        )

    def openings(self) -> list[str]:
        """Return how the speaker may begin: with an event, a request, a topic or a question."""
        now = minute_of(self.inputs.now)
        part = ["hello_morning"] if now < 660 else ["hello_evening"] if now >= 1080 else []
        hello = self.phrases("hello", *part)[0]
        found = [*self.invitations(), *self.requests(), *self.topics()]
        found += self.asked_again() or self.phrases("ask_how")[:1]
        return [f"{hello} {each}" for each in found]

    def is_over(self) -> bool:
        """Return whether it is time to say goodbye."""
        return self.inputs.turns_left <= 1 or _FAREWELL.search(self.last) is not None

    def reply(self) -> ActCard:
        """Return what answers a question."""
        question = [each for each in sentences(self.last) if each.endswith("?")][-1]
        use = next((name for asked, name in _ANSWERS.items() if asked in question.lower()), "")
        if use in ("bring_answer", "none_needed") and (things := self.things_needed()):
            return self.card("answer", [*self.phrases("bring_needed", things=things)])
        if not use and _POLITE.search(question):
            return self.card("tell", self._how_it_goes(question))
        if _ASKS_A_FAVOUR.search(question):
            return self.card("answer", self.phrases("agree"))
        fitting = self.fitting(question)
        rest = [] if fitting and not use else self.phrases(use or "unknown")
        return self.card("answer", [*fitting, *rest])

    def _how_it_goes(self, question: str) -> list[str]:
        """Return answers to a polite question: how one is, what one does, what occupies one."""
        is_how = "how" in question.lower()
        topics = self.topics_left()
        if topics and not is_how:
            return topics
        doing = self.doing()
        if "busy" in question and doing:
            return self.phrases("busy", doing=doing)
        well = self.phrases("well" if is_how else "no_news")
        more = topics or (self.phrases("ask_how") if len(self.lines) < POLITE_LINES else [""])
        leads = well[: 2 if len(more) == 1 else 1]
        return [f"{lead} {each}".strip() for each in more for lead in leads]

    def go_on(self) -> ActCard:
        """Return what follows a line that asks nothing."""
        asked = self.own[-1] if self.own and "?" in self.own[-1] else ""
        was_answer = bool(asked) and not _POLITE.search(asked)
        if not was_answer and self._may_ask() and (asked := self._questions()):
            return self.card("ask", asked)
        leads = self.phrases("own_news")
        leads = self._comments() if occupies(self.last) else leads
        leads = leads if self.own else self.phrases("hello_back")
        topics = self.topics_left()
        if topics:
            leads = leads[: 2 if len(topics) == 1 else 1]
            return self.card("tell", [_led_by(lead, each) for each in topics for lead in leads])
        return self.goodbye()

    def goodbye(self) -> ActCard:
        """Return goodbyes."""
        is_party = any(line in self.own for line in ready_lines()["accept"][:5])
        party = self.phrases("goodbye_party") if is_party else []
        lead = "glad" if self.last in ready_lines()["accept"][:3] else ""
        lead = "thanks" if self.last in ready_lines()["agree"] else lead
        lead = lead or self._after_an_answer()
        before = f"{self.phrases(lead)[0]} " if lead else ""
        lines = [f"{before}{each}" for each in (*party, *self.phrases("goodbye"))]
        return self.card("goodbye", lines, ends=True)

    def _after_an_answer(self) -> str:
        """Return which words follow the answer to the speaker's own question; empty for none."""
        asked = self.own[-1].lower() if self.own and "?" in self.own[-1] else ""
        use = next((name for words, name in _ANSWERS.items() if words in asked), "")
        if self.last.startswith("I need "):
            return "will_look"
        if _POLITE.search(asked) and occupies(self.last):
            return self._comment_use()
        if self.last in ready_lines()["unknown"]:
            return "no_hurry" if "need" in asked else "see"
        if use in ("going_answer", "opinion_answer"):
            return "see"
        return "luck" if use in _ABOUT_WORK else ""

    def _comments(self) -> list[str]:
        """Return what is said to somebody's news, good or bad."""
        return self.phrases(self._comment_use())

    def _comment_use(self) -> str:
        return "comment_hard" if _HARD.search(self.last) else "comment"

    def _may_ask(self) -> bool:
        return sum("?" in each for each in self.own) < MOST_ASKED and self.inputs.turns_left > 3

    def _questions(self) -> list[str]:
        """Return questions about what the last line told; none if it told nothing."""
        plain = [each for each in sentences(self.last) if not is_small_talk(each)]
        told = next((each for each in plain if occupies(each) and len(each) > 25), "")
        if not told:
            return []
        use = "ask_idea" if is_idea(told) else "ask_stuck" if "stuck" in told else "ask_work"
        if is_event(told) and is_said(told, [each.text for each in self.inputs.memories]):
            use = "ask_known"
        elif is_event(told):
            use = "ask_event" if told.startswith(("I ", "My ")) else "ask_heard"
        if use == "ask_known":
            hello = "" if self.own else self._hello_to_the_last()
            return [f"{hello} {each}".strip() for each in self.phrases(use)]
        lead = self._comments()[0] if self.own else self._hello_to_the_last()
        if self.own and len(self.inputs.others) > 1:
            lead = f"{self._last_speaker()}, {lower_first(lead)}"
        return [f"{lead} {each}" for each in self.phrases(use)]

    def _hello_to_the_last(self) -> str:
        """Return a greeting for who has just spoken, so that among several that one answers."""
        return self.phrases("hello_back", other=self._last_speaker())[0]

    def _last_speaker(self) -> str:
        return self.lines[-1].speaker.split()[0]


def _led_by(lead: str, topic: str) -> str:
    """Return a topic with its lead; news about others has a lead of its own already."""
    is_aside = lead.endswith(", ")
    return f"{lead.strip()} {topic}" if topic.startswith("I ") or not is_aside else topic
