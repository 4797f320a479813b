"""Possible topics of the next line of a talk: news, invitations, requests, answers.

The lines are in remembered words, or are ready lines from `talk_lines.toml`.
"""

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from agents.wording import join_words
from graphs.concerns import (
    IDEA,
    PRIVATE,
    as_said_to,
    is_event,
    is_idea,
    is_said,
    is_told,
    occupies,
    things_in,
)
from graphs.frame.happenings import event_in, find_told_events
from graphs.spoken_times import is_going_on, is_later_today, is_over
from graphs.talk_memories import told_to, was_asked
from graphs.talk_view import LONGEST, TalkView, spoken
from models.standin.words import stems

if TYPE_CHECKING:
    pass

MOST_TOLD = 2
"""Maximum number of facts that one speaker tells in a talk, besides answers."""
DECIDES = re.compile(r"\b(?:thinking (?:of|about)|deciding|considering)\b")
"""Words of a plan that is not decided yet."""
_ONLY_TO = re.compile(r"\btell(?:ing)? only (?:people I trust, such as )?(?P<names>.+)$")
"""The names of the only people to be told something."""
_NO_THINGS = ("someone", "somebody", "to ")
"""Beginnings of needs that are not things which somebody can bring."""
WILL_HELP = "will help with that"
"""Words of a summary sentence on somebody who will look for a needed thing."""
_IS_ASKED = ("how it is going", "looks forward to")
"""Words of summary sentences on a question about somebody's progress."""
_GENERAL = stems(
    "good like know think time day people thing work plan want need come make new help"
)
"""Words that do not show what a question is about."""


class TalkTopics(TalkView):
    """The possible topics of the next speaker of a talk."""

    def is_trusted_with(self, fact: str) -> bool:
        """Return whether all the others may hear a fact; some plans are only for certain people."""
        if not DECIDES.search(fact):
            return True
        told = (_ONLY_TO.search(memory.text) for memory in self.inputs.memories)
        trusted = [found["names"] for found in told if found is not None]
        return all(name in names for names in trusted for name in self.inputs.others)

    def things_needed(self) -> str:
        """Return the things that the speaker needs first, `paper lanterns`; empty for none."""
        needs = next((each for each in self.facts if each.startswith("I need ")), "")
        needs = needs.removeprefix("I need ").partition(" for ")[0].rstrip(".")
        plain = [each for each in things_in(needs) if not each.startswith(_NO_THINGS)]
        return next((each for each in plain if not self._is_seen_to(each)), "")

    def _is_seen_to(self, thing: str) -> bool:
        """Return whether somebody was asked for a needed thing or has offered it."""
        looked = [each.told for each in self.talks if WILL_HELP in each.told]
        return was_asked(f"bring {thing}", self.talks) or any(thing in told for told in looked)

    def _still_needed(self, need: str) -> str:
        """Return a need without the things that somebody was already asked for."""
        told, is_for, end = need.removeprefix("I need ").rstrip(".").partition(" for ")
        things = things_in(told)
        left = [each for each in things if not self._is_seen_to(each)]
        return f"I need {join_words(left or things)}{is_for}{end}."

    def topics_left(self) -> list[str]:
        """Return the topics still worth telling; none once the speaker has told enough."""
        told = sum(any(is_said(fact, [line]) for line in self.own) for fact in self.facts)
        if told >= MOST_TOLD:
            return []
        return [*self.invitations(), *self.requests(), *self.topics()]

    def untold(self) -> Iterator[str]:
        """Yield the facts that may be told to this person and were not told in any talk yet."""
        for fact in self.facts:
            is_private = stems(fact) & (PRIVATE | stems(self.first))
            is_past = is_over(fact, self.inputs.now)
            is_secret = is_private or not self.is_trusted_with(fact)
            if not (is_secret or is_past or is_told(fact, self.known)):
                yield fact

    def invitations(self) -> list[str]:
        """Return the speaker's own events to which this person can still be invited."""
        events = [each for each in self.facts if is_event(each) and self._is_news(each)]
        return [f"{each} {self._invite(each)}" for each in events[:2]]

    def _invite(self, event: str) -> str:
        """Return the question whether the others will come to an event.

        If some of them know of the event already, the question names those who do not.
        """
        news = [name for name in self.inputs.others if not is_told(event, self.known_to(name))]
        if len(news) == len(self.inputs.others):
            return self.phrases("invite")[0]
        return self.phrases(
            "invite_by_name", other=join_words([self.called(each) for each in news])
        )[0]

    def _is_news(self, event: str) -> bool:
        """Return whether an event is not over and one of the others does not know of it."""
        if is_over(event, self.inputs.now) or is_told(event, self.said):
            return False
        return any(not is_told(event, self.known_to(name)) for name in self.inputs.others)

    def topics(self) -> list[str]:
        """Return lines about an event heard of, the speaker's concerns, and an event of today."""
        found = [each for each in self.untold() if occupies(each) and not is_event(each)]
        if self.strangers and len(self.inputs.others) > 1:
            found = []  # What occupies somebody is for friends.
        heard = []
        for memory in self.inputs.memories:
            if not memory.is_theirs and " said: " in memory.text:
                told = [spoken(each) for each in find_told_events(memory.text) if is_event(each)]
                told = [each for each in told if not self._is_of_their_house(each)]
                now = self.inputs.now
                fresh = [
                    each for each in told if not (is_over(each, now) or is_going_on(each, now))
                ]
                heard += [each for each in fresh if not is_told(each, self.known)]
        lead = self.phrases("heard")[0]
        return [*(f"{lead} {each}" for each in heard[-1:]), *_unlike(found)[:3], *self._today()]

    def _today(self) -> list[str]:
        """Return a line about an event of today that has not begun yet."""
        if self.have_met_today:
            return []
        return [
            self.phrases(use, event=event)[0]
            for event, use in self._of_today()
            if not any(event in line for line in self.said)
        ][:1]

    def events_today(self) -> list[str]:
        """Return the events of today that are still to come, own events first."""
        return [event for event, _ in self._of_today()]

    def _of_today(self) -> list[tuple[str, str]]:
        """Return today's events still to come, each with the purpose of the ready lines on it."""
        plans = [each.text for each in self.inputs.memories if self.is_plan_to_go(each.text)]
        own = [each for each in self.facts if is_event(each)]
        told = [*((each, "today_own") for each in own), *((each, "today_going") for each in plans)]
        now = self.inputs.now
        return [(event_in(text), use) for text, use in told if is_later_today(text, now)]

    def _is_of_their_house(self, news: str) -> bool:
        """Return whether news is about somebody with the speaker's or a listener's family name."""
        families = {name.split()[-1] for name in self.everybody if " " in name}
        return any(re.search(rf"^[A-Z][\w'’-]+ {re.escape(each)}\b", news) for each in families)

    def requests(self) -> list[str]:
        """Return the requests that the speaker has in mind for this person."""
        for memory in reversed(self.inputs.memories):
            found = IDEA.match(memory.text)
            is_new = found is not None and not self._is_asked(found["what"])
            if found and is_new and found["name"].split()[0] in self.inputs.others[0].split():
                what = re.sub(r"\b(?:his|her|their)\b", "your", found["what"])
                return self.phrases("request", what=re.sub(r"\b(?:him|them)\b", "you", what))[:1]
        return []

    def _is_asked(self, what: str) -> bool:
        """Return whether a person was asked for a favour, in this talk or in an earlier one."""
        words = stems(what.partition(" for ")[0])
        thing = what.partition(" for ")[0].removeprefix("bring ")
        if thing != what and self._is_seen_to(thing):
            return True
        return was_asked(what, self.talks) or any(words <= stems(each) for each in self.said)

    def asked_again(self) -> list[str]:
        """Return a question about what this person told in an earlier talk."""
        said = re.compile(
            rf'^{re.escape(self.inputs.others[0])} said: "[^"]*\bI(?: am|\'m) ([^".!?]+)'
        )
        told = [found[1] for each in self.inputs.memories if (found := said.match(each.text))]
        topic = next((each for each in reversed(told) if occupies(f"am {each}")), "")
        told_before = told_to(self.inputs.others[0], self.talks)
        asked = [each for each in told_before if any(words in each for words in _IS_ASKED)]
        if not topic or len(topic) > LONGEST or is_said(f"I am {topic}.", asked):
            return []
        if is_event(f"I am {topic}."):
            if any(event_in(f"I am {topic}.") in each for each in asked):
                return []
            return self.phrases("ask_again_event", event=event_in(f"I am {topic}."))
        is_open = is_idea(f"am {topic}")
        topic = as_said_to(re.split(r",? because ", topic)[0])
        asked = self.phrases("ask_again_idea" if is_open else "ask_again")
        return [f"You told me that you are {topic}. {each}" for each in asked]

    def fitting(self, question: str) -> list[str]:
        """Return the facts that answer a question best and were not said yet."""
        asked = stems(question) - _GENERAL - stems(" ".join((self.me.name, *self.inputs.others)))
        if "need" in question or "help with" in question:
            told = next((each for each in reversed(self.own) if occupies(each)), "")
            about = stems(told) - _GENERAL
            needs = [each for each in self.facts if each.startswith("I need ")]
            asked_for = [self._still_needed(each) for each in needs if stems(each) & about]
            fresh = [each for each in asked_for if not is_told(each, self.known)]
            left = [each for each in asked_for if not is_said(each, self.said)]
            return fresh[:2] or [each.replace("I need ", "I still need ", 1) for each in left[:1]]
        scored = [(len(stems(each) & asked), each) for each in self.untold()]
        return [each for score, each in sorted(scored, reverse=True) if score][:2]


def _unlike(facts: Sequence[str]) -> list[str]:
    """Return facts without those that repeat an earlier one."""
    found: list[str] = []
    for fact in facts:
        if not is_said(fact, found):
            found.append(fact)
    return found
