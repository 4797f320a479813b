"""Prepare by rule the possible next lines of a talk, for a small model to choose from.

A small model invents facts, asks what was just answered, and never ends a talk. Even if it only has
to phrase a given content, it adds inventions (docs/small-models.md). So code prepares whole lines:
greetings, news and invitations in remembered words, questions about news, answers from memory, and
goodbyes. The model only chooses one of them.
"""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from agents.action import WALKING
from graphs.concerns import is_event, is_idea, is_said, occupies
from graphs.prompt_inputs import PromptInput
from graphs.reasons import ASKS, INVITES, TELLS, TO_HEAR
from graphs.sense.talking import is_said_again
from graphs.talk_manners import POLITE, TalkManners, answer_use
from graphs.talk_memories import PastTalk
from graphs.talk_topics import DECIDES
from models.standin.words import lower_first, sentences
from parsers.reading.sentences import is_small_talk

if TYPE_CHECKING:
    from graphs.say import SayInput

MOST_OPTIONS = 4
MOST_ASKED = 2
"""Maximum number of questions that one speaker asks in a talk."""
POLITE_LINES = 2
"""Number of lines at the beginning of a talk in which people ask each other how they are."""
_INVITES = re.compile(r"\b(?:would you like to|will you|welcome to) come\b", re.IGNORECASE)
_ASKS_A_FAVOUR = re.compile(r"\bcould you\b[^?]*\?", re.IGNORECASE)
_FAREWELL = re.compile(r"\b(?:good ?bye|bye|farewell|take care|(?<!to )see you)\b", re.IGNORECASE)
_ABOUT_NEEDS = {
    "bring_answer": "bring_needed",
    "none_needed": "bring_needed",
    "prepare_answer": "prepare_needed",
}
"""For answers to some questions, the lines that answer by naming a need."""
_CRAFT = re.compile(r"\b(?:writ|paint|learn|practi[sc]|compos|restor|build|train|sew)\w*ing\b")
"""Words for work that has a hard part, and that people may do for pleasure."""


class ActCard(PromptInput):
    """The lines offered for the speaker's next turn, with their kind."""

    kind: Literal["open", "ask", "tell", "answer", "accept", "goodbye"]
    options: tuple[str, ...]
    ends: bool = False
    """Whether the talk ends with this line."""


def choose_act(inputs: "SayInput", talks: Sequence[PastTalk] = ()) -> ActCard:
    """Return the lines to choose from; `talks` are the speaker's earlier talks."""
    talk = _Talk(inputs, talks)
    if not inputs.lines:
        return talk.card("open", talk.openings())
    if talk.is_over():
        return talk.goodbye()
    if talk.is_invited() and talk.is_going():
        return talk.card("answer", talk.phrases("going_yes"))
    if talk.is_invited():
        return talk.card("accept", talk.phrases("accept"))
    return talk.introduced(talk.reply()) if "?" in talk.last else talk.go_on()


class _Talk(TalkManners):
    """A talk as its next speaker sees it: what may be said next."""

    def card(self, kind: str, lines: Sequence[str], *, ends: bool = False) -> ActCard:
        """Return the lines to offer, without those said already if others are left."""
        fresh = self.fresh(lines)
        if len(fresh) == 1 and fresh[0].startswith("I ") and kind == "answer":
            fresh.append(f"Well, {fresh[0]}")
        return ActCard.model_validate(
            {"kind": kind, "options": (fresh or list(lines))[:MOST_OPTIONS], "ends": ends}
        )

    def fresh(self, lines: Sequence[str]) -> list[str]:
        """Return the lines that repeat no statement and no question of this talk."""
        asked = {each for line in self.said for each in sentences(line) if each.endswith("?")}
        return [
            each
            for each in dict.fromkeys(lines)
            if each not in self.said
            and asked.isdisjoint(sentences(each))
            and not any(is_said_again(each, line) for line in self.said)
        ]

    def openings(self) -> list[str]:
        """Return possible openings: an event, a request, a topic or a question."""
        hello = self.hello()
        found = self._meant()
        if self.are_at_a_party:
            found = self.how_asked()
        if not found:
            found = [*self.invitations(), *self.requests(), *self.topics()]
            found += self.asked_again() or self.how_asked()[:1]
        return [_addressed(hello, each) for each in found]

    def _meant(self) -> list[str]:
        """Return the lines that the speaker began the talk to say; empty if there are none.

        They are invitations, news or requests, according to the reason of the talk.
        """
        if self.inputs.reason.startswith(INVITES):
            return self.invitations()
        if self.inputs.reason.startswith(TELLS):
            return [each for each in self.topics() if is_said(each, [self.inputs.reason])]
        return self.requests() if self.inputs.reason.startswith(ASKS) else []

    def is_invited(self) -> bool:
        """Return whether somebody has invited the speaker, who has not answered yet."""
        since = next(
            (at for at, line in enumerate(reversed(self.lines)) if line.speaker == self.me.name),
            len(self.lines),
        )
        return any(_INVITES.search(line) for line in self.said[len(self.said) - since :])

    def is_over(self) -> bool:
        """Return whether it is time to say goodbye."""
        return self.inputs.turns_left <= 1 or _FAREWELL.search(self.last) is not None

    def reply(self) -> ActCard:
        """Return the lines that answer a question."""
        question = [each for each in sentences(self.last) if each.endswith("?")][-1]
        use = answer_use(question)
        things = self.things_needed() if use in _ABOUT_NEEDS else ""
        if things:
            return self.card("answer", self.phrases(_ABOUT_NEEDS[use], things=things))
        if use == "going_answer" and self.is_going():
            use = "going_yes"
        if not use and POLITE.search(question):
            return self.card("tell", self._how_it_goes(question))
        if use == "none_needed" and "volunteer" in " ".join(self.own):
            use = "volunteers_wanted"
        if _ASKS_A_FAVOUR.search(question):
            return self.card("answer", self.phrases("agree"))
        fitting = [] if use == "party_answer" else self.fitting(question)
        rest = [] if fitting and not use else self.phrases(use or "unknown")
        return self.card("answer", [*fitting, *rest])

    def introduced(self, card: ActCard) -> ActCard:
        """Return the lines; in a first turn among strangers, each begins with an introduction."""
        if not self.are_strangers or self.own:
            return card
        me = f"I am {self.me.first_name}"
        lead = self.hello_back()[0]
        options = tuple(each if me in each else f"{lead} {each}" for each in card.options)
        return card.model_copy(update={"options": options})

    def _how_it_goes(self, question: str) -> list[str]:
        """Return answers to a polite question: well-being, current activity, current concerns."""
        is_how = re.search(r"\bhow\b|\bsleep\b|^and you\b", question.lower()) is not None
        topics = self.topics_left()
        if topics and not is_how:
            return topics
        doing = self.doing_of(self.me.name)
        if "busy" in question and doing.startswith(WALKING):
            return self.phrases("on_the_way", place=doing.removeprefix(WALKING))
        if "busy" in question and doing:
            return self.phrases("busy", doing=doing)
        use = (
            "slept_well"
            if "sleep" in question
            else "well_today"
            if "was your" in question
            else "well"
        )
        leads = self.phrases(use) if is_how else self.no_news()
        more = topics or (self.asked_back() if len(self.lines) < POLITE_LINES else [""])
        leads = leads[: 2 if len(more) == 1 else 1]
        return [f"{lead} {each}".strip() for each in more for lead in leads]

    def go_on(self) -> ActCard:
        """Return the lines that may follow a line without a question."""
        asked = self.own[-1] if self.own and "?" in self.own[-1] else ""
        was_answer = bool(asked) and not POLITE.search(asked)
        if not was_answer and self._may_ask() and (questions := self.fresh(self._questions())):
            return self.card("ask", questions)
        if not self.own and (use := self.use_on_today()):
            return self.card("ask", self._on_today(use))
        topics = self.topics_left()
        if not topics:
            return self.goodbye()
        word = self.word_to_the_last() if was_answer else ""
        leads = [word] if word or not occupies(self.last) else self.comments()
        leads = leads if self.own else self.first_words()
        leads = leads[: 2 if len(topics) == 1 else 1]
        aside = "By the way, " if self.own else ""
        return self.card("tell", [_led_by(lead, aside, each) for each in topics for lead in leads])

    def _on_today(self, use: str) -> list[str]:
        """Return the ready lines for the purpose `use`, after a greeting if one is needed.

        The purpose is an answer to a line about an event of today.
        """
        phrases = self.phrases(use)
        lead = self.first_words()[0]
        return phrases if lead in phrases else [f"{lead} {each}" for each in phrases]

    def goodbye(self) -> ActCard:
        """Return goodbyes, or first the question for whose answer the speaker began the talk."""
        is_asked = any("?" in line and not _INVITES.search(line) for line in self.own)
        if self.inputs.reason.startswith(TO_HEAR) and not is_asked and self._may_ask():
            word = self.word_to_the_last()
            return self.card("ask", [f"{word} {each}".strip() for each in self.how_asked()])
        return self.card("goodbye", self.goodbyes(), ends=True)

    def _may_ask(self) -> bool:
        asked = [each for each in self.own if "?" in each and not POLITE.search(each)]
        return len(asked) < MOST_ASKED and self.inputs.turns_left > 3

    def _questions(self) -> list[str]:
        """Return questions about the last line's news; empty if it told none."""
        plain = [each for each in sentences(self.last) if not is_small_talk(each)]
        told = next((each for each in plain if occupies(each) and len(each) > 25), "")
        if not told:
            return []
        use = "ask_work" if _CRAFT.search(told) else "ask_search"
        use = "ask_volunteers" if "volunteer" in told else use
        use = (
            "ask_decision"
            if DECIDES.search(told)
            else "ask_idea"
            if is_idea(told)
            else "ask_stuck"
            if "stuck" in told
            else use
        )
        if is_event(told) and is_said(told, [each.text for each in self.inputs.memories]):
            use = "ask_known"
        elif is_event(told):
            use = "ask_event" if told.startswith(("I ", "My ")) else "ask_heard"
        if use == "ask_known":
            hello = "" if self.own or self.are_near else self.hello_back()[0]
            return [f"{hello} {each}".strip() for each in self.phrases(use)]
        if len(self.inputs.others) > 1 and self.is_of_a_parent():
            return []
        asked = self.phrases(use)
        if "because" in told:  # They have said how they came to think of it.
            asked = [each for each in asked if "come to think" not in each]
        lead = (self.comments() if self.own else self.first_words())[0]
        if len(self.inputs.others) > 1 and self.last_speaker() not in lead:
            lead = lead if lead.startswith("I ") else lead[:1].lower() + lead[1:]
            lead = f"{self.last_speaker()}, {lead}"
        return [f"{lead} {each}" for each in asked]


def _addressed(hello: str, line: str) -> str:
    """Return a line preceded by a greeting or by just a name: `Ada, how was your day?`."""
    goes_on = hello.endswith(",") and not line.startswith("I ")
    return f"{hello} {lower_first(line) if goes_on else line}"


def _led_by(lead: str, aside: str, topic: str) -> str:
    """Return a topic after a lead, and after an aside if the topic begins with `I`."""
    return f"{lead} {aside if topic.startswith('I ') else ''}{topic}".strip()
