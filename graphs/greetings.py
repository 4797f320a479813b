"""Greetings for a talk, chosen by relationship, place and hour.

Strangers introduce themselves, and people of one household do not greet each other like neighbours.
"""

import re

from agents.action import WALKING
from agents.places import sector_of
from graphs.concerns import is_event
from graphs.spoken_times import is_going_on, minute_of
from graphs.talk_topics import TalkTopics

_FAMILY = re.compile(
    r"\b(?:father|mother|wife|husband|married|son|daughter|brother|sister|parents?|housemate"
    r"|(?:lives?|lived) (?:with|together|in the same)|shares? (?:a|the) (?:house|flat|cottage))\b"
)
"""Words for the relationship of two people who live in one house."""
_AT_TABLE = re.compile(r"\b(?:breakfast|lunch|dinner|supper|table)\b")
AT_A_PARTY = re.compile(r"\b(?:enjoying the evening|not a lovely evening|[Ee]njoy the party)\b")
"""Words of lines said at a party."""
TODAY = re.compile(
    r"\bI (?:am getting everything ready for|look forward to|am coming to)"
    r" the (?P<event>.+?)(?: later)? today\."
)
"""A line about an event of today."""
_COLLEAGUES = re.compile(r"\b(?:employer|works? for|helps? \w+ at|pays? \w+ in wages)\b")
"""Words for the relationship of two people who work together."""
_WORKS = re.compile(r"\b(?:counter|shelf|till|customers?|tables|orders|unpacking|working)\b")
_MORNING, _EVENING, _BREAKFAST_OVER = 11 * 60, 18 * 60, 9 * 60 + 30
"""Minutes of the day until which it is morning, from which it is evening, and at which breakfast is
over."""
_AWAKE, _AT_HOME = 8 * 60, 19 * 60
"""Minutes of the day until which, and from which, a family is mostly at home."""


class Greetings(TalkTopics):
    """The greetings and polite questions of the next speaker of a talk."""

    @property
    def is_family(self) -> bool:
        """Whether the speaker lives in one house with the others."""
        return _FAMILY.search(self.inputs.relationship.partition("You talked ")[0]) is not None

    @property
    def are_strangers(self) -> bool:
        """Whether the speaker has met none of the others before."""
        return len(self.strangers) == len(self.inputs.others)

    @property
    def are_near(self) -> bool:
        """Whether the speaker stays beside the others after the talk, as at table or at work."""
        deeds = [self.doing_of(name) for name in self.everybody]
        if all(deeds) and len(set(deeds)) == 1:
            return True
        if self.is_family:
            is_home = not _AWAKE <= self.minute < _AT_HOME
            return is_home or _AT_TABLE.search(self.inputs.doing) is not None
        sits = any(_AT_TABLE.search(self.doing_of(name)) for name in self.everybody)
        are_colleagues = _COLLEAGUES.search(self.inputs.relationship) is not None
        return sits or (are_colleagues and _WORKS.search(self.inputs.doing) is not None)

    @property
    def comes_in(self) -> bool:
        """Whether a participant was walking to this place, and so will stay here after the talk."""
        way = f"{WALKING}{sector_of(self.inputs.place)}"
        return any(self.doing_of(name) == way for name in self.everybody)

    @property
    def minute(self) -> int:
        """The minute of the day."""
        return minute_of(self.inputs.now)

    @property
    def hosts(self) -> bool:
        """Whether the speaker's own event is going on."""
        return any(is_event(each) and self._is_on_here(each) for each in self.facts)

    @property
    def are_at_a_party(self) -> bool:
        """Whether the speaker is at an event that is going on, as its host or as a guest."""
        plans = [each.text for each in self.inputs.memories if self.is_plan_to_go(each.text)]
        is_there = any(AT_A_PARTY.search(line) for line in self.said)
        return self.hosts or is_there or any(map(self._is_on_here, plans))

    def _is_on_here(self, event: str) -> bool:
        """Return whether an event is going on at this place and no participant is walking."""
        is_here = " at the " not in event or sector_of(self.inputs.place) in event
        is_on_the_way = any(self.doing_of(name).startswith(WALKING) for name in self.everybody)
        return is_here and not is_on_the_way and is_going_on(event, self.inputs.now)

    def hello(self) -> str:
        """Return a greeting for the first line of a talk."""
        if self.are_strangers:
            return self.phrases("hello_stranger", me=self.me.first_name)[0]
        if self.are_at_a_party:
            return self.phrases("hello_guest" if self.hosts else "hello_party")[0]
        if self.minute < _MORNING and not self.have_met_today:
            return self.phrases("hello_morning")[0]
        if self.is_family:
            return self.phrases("hello_near" if self.are_near else "hello_home")[0]
        if self.are_near and self.have_met_today:
            return self.phrases("hello_near")[0]
        if self.have_met_today:
            return self.phrases("hello_again")[0]
        return self.phrases("hello", *["hello_evening"] * (self.minute >= _EVENING))[0]

    def hello_back(self) -> list[str]:
        """Return greetings in reply to the last speaker; in a group they name that person."""
        use = "stranger_back" if self.are_strangers else "hello_back"
        return self.phrases(use, other=self.last_speaker(), me=self.me.first_name)

    def last_speaker(self) -> str:
        """Return how the speaker addresses the last speaker; in a group, that is the first name."""
        name = self.lines[-1].speaker
        return self.called(name) if len(self.inputs.others) == 1 else name.split()[0]

    def how_asked(self) -> list[str]:
        """Return polite questions that suit the hour."""
        if self.are_at_a_party:
            return self.phrases("ask_guest" if self.hosts else "ask_party")
        if self.minute < _BREAKFAST_OVER:
            return self.phrases("ask_slept" if self.is_family else "ask_morning")
        if self.minute >= _EVENING:
            return self.phrases("ask_evening")
        return [each for each in self.phrases("ask_how") if self._may_be_asked(each)]

    def _may_be_asked(self, question: str) -> bool:
        """Return whether a polite question makes sense, given what the speaker already knows."""
        if "news" in question:
            return not self.are_strangers
        works_too = _COLLEAGUES.search(self.inputs.relationship) is not None
        was_told = any(map(TODAY.search, self.said))
        return "busy" not in question or not (works_too or was_told)

    def asked_back(self) -> list[str]:
        """Return questions to ask back after the answer to a polite question."""
        if self.minute >= _EVENING:
            return self.phrases("ask_back")
        if self.are_near:
            return self.phrases("ask_news_near")
        return [each for each in self.phrases("ask_news") if self._may_be_asked(each)] or [""]

    def no_news(self) -> list[str]:
        """Return answers for a speaker who has no news."""
        if events := self.events_today():
            return self.phrases("no_news_today", event=events[0])
        return self.phrases("no_news_yet" if self.minute < _BREAKFAST_OVER else "no_news")

    def is_of_a_parent(self) -> bool:
        """Return whether the last line was said by a parent, who is not addressed by name."""
        name = self.lines[-1].speaker
        return self.called(name) != name.split()[0]
