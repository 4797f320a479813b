"""Polite phrases in a talk: comments on what was said, and goodbyes."""

import re

from graphs.concerns import is_event, occupies
from graphs.greetings import TODAY, Greetings
from graphs.spoken_times import is_later_today
from graphs.talk_topics import DECIDES
from graphs.talk_view import ready_lines

POLITE = re.compile(
    r"\bhow (?:are|have) you\b|\bhow was your(?:s| day)\b|\byou sleep well\b"
    r"|^and you\?|(?<=[.!] )and you\?|\bwhat about you\b|\bhow about you\b"
    r"|\bhow(?:'s| is) (?:it going|your day|life)\b|\bany news\b|\bkeeps you busy\b"
    r"|\bwhat(?:'s| is| has)(?: been)? (?:up|new|happening|going on|on your mind)\b",
    re.IGNORECASE,
)
_UNSURE = re.compile(r"\bnot sure\b[^.]*\btry to come\b")
_ANSWERS = {
    "would you like to begin": "begin_answer",
    "come to think of it": "origin_answer",
    "told anybody else": "others_answer",
    "would help you to get on": "help_answer",
    "preparations going": "prepare_answer",
    "going to plan": "prepare_answer",
    "enjoying the evening": "party_answer",
    "not a lovely evening": "party_answer",
    "how far have you": "far_answer",
    "any further": "far_answer",
    "how is that going": "well_answer",
    "makes you hesitate": "against_answer",
    "found anybody": "volunteers_answer",
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
"""For the questions that code prepares, the purpose of the lines that answer them."""
_LEADS = {
    "luck": (
        *("begin_answer", "far_answer", "well_answer", "hard_answer", "decided_answer"),
        *("nobody_answer", "origin_answer", "others_answer", "like_answer", "help_answer"),
    ),
    "weighs": ("against_answer",),
    "glad": ("prepare_answer",),
    "hope": ("guests_answer",),
    "agrees": ("opinion_answer",),
}
"""For each kind of comment before a goodbye, the answers that it suits."""
_HARD = re.compile(r"\b(?:stuck|thin|cross|worr(?:y|ied)|sad|ill|hard|cannot|have lost|has lost)\b")
"""Words of bad news."""
_COULD_USE = re.compile(r"\b(?:would be a great help|we could use)\b")
_MORNING, _EVENING, _NIGHT = 9 * 60, 17 * 60, 21 * 60
"""Minutes of the day until which people at table greet each other, and from which goodbyes name the
evening or the night."""
_NEEDS = re.compile(r"(?:^|[.!] |but |Well, )I (?:still )?need\b")


def answer_use(question: str) -> str:
    """Return the purpose of the ready lines that answer a question; empty if there are none."""
    return next((use for asked, use in _ANSWERS.items() if asked in question.lower()), "")


class TalkManners(Greetings):
    """The comments and goodbyes of the next speaker of a talk."""

    def first_words(self) -> list[str]:
        """Return phrases to begin the speaker's first line, in a talk that somebody else began."""
        have_greeted = self.are_near and self.minute >= _MORNING
        return self.comments() if have_greeted else self.hello_back()

    def comments(self) -> list[str]:
        """Return comments on somebody's news, good or bad."""
        return self.phrases(self._comment_use())

    def _comment_use(self) -> str:
        if use := self.use_on_today():
            return use
        if _HARD.search(self.last):
            return "comment_hard"
        return "comment_idea" if DECIDES.search(self.last) else "comment"

    def goodbyes(self) -> list[str]:
        """Return goodbyes, each preceded by a comment on the last line."""
        is_party = any(line in self.own for line in ready_lines()["accept"][:5])
        is_known = self.is_family or self.are_at_a_party or self.are_near
        party = self.phrases("goodbye_party") if is_party and not is_known else []
        lead = self.word_to_the_last()
        before = f"{lead} " if lead else ""
        is_evening = self.minute >= _EVENING
        use: tuple[str, ...] = ("goodbye", "goodbye_evening" if is_evening else "goodbye_day")
        use = ("goodbye_home",) if self.is_family else use
        use = ("goodbye_here",) if self.comes_in else use
        use = ("goodbye_near",) if self.are_near else use
        use = (
            ("goodbye_guest" if self.hosts else "goodbye_at_party",) if self.are_at_a_party else use
        )
        use = ("goodbye_night",) if self.minute >= _NIGHT else use
        return [f"{before}{each}" for each in (*party, *self.phrases(*use))]

    def use_on_today(self) -> str:
        """Return the purpose of ready lines that answer a last line about today's event.

        Empty if the last line mentions no such event.
        """
        if TODAY.search(self.last) is None:
            return ""
        if any(is_event(each) and is_later_today(each, self.inputs.now) for each in self.facts):
            return "today_host"
        if not self.is_going():
            return "today_away"
        return "today_to_host" if "ready" in self.last else "today_both"

    def word_to_the_last(self) -> str:
        """Return a comment on the answer to the speaker's own question; empty if none fits."""
        lines = ready_lines()
        lead = "glad" if self.last in lines["accept"][:3] else ""
        lead = "hope" if _UNSURE.search(self.last) else lead
        lead = "thanks" if self.last in lines["agree"][:2] else lead
        lead = "please" if self.last == lines["agree"][2] else lead
        lead = lead or self._use_after_an_answer()
        return self.phrases(lead)[0] if lead else ""

    def _use_after_an_answer(self) -> str:
        """Return the purpose of the comment on an answer to the speaker's question; else empty."""
        asked = self.own[-1].lower() if self.own and "?" in self.own[-1] else ""
        if use := self._use_after(asked):
            return use
        use = answer_use(asked)
        lead = next((lead for lead, uses in _LEADS.items() if use and use in uses), "")
        if not lead and not use and occupies(self.last):
            lead = self._comment_use()
        return self._luck_use() if lead == "luck" else lead

    def _use_after(self, asked: str) -> str:
        """Return the purpose of a comment on the last line, an answer to the question `asked`.

        Empty if the last line is no answer that has a comment.
        """
        lines = ready_lines()
        found = (
            (_NEEDS.search(self.last), "will_look"),
            ("I will tell you when I have" in self.last, "please"),
            (self.last in lines["volunteers_wanted"], "will_ask"),
            ("bring" in asked and _COULD_USE.search(self.last), "will_bring"),
            (POLITE.search(asked) and occupies(self.last), self._comment_use()),
            (self.last in lines["unknown"], "no_hurry" if "need" in asked else "see"),
            (answer_use(asked) == "going_answer", self._word_on_going()),
        )
        return next((use for is_so, use in found if is_so), "")

    def _luck_use(self) -> str:
        """Return the purpose of fitting good wishes: for a family, for hard times, or any."""
        if self.is_family:
            return "luck_home"
        others = " ".join(line.text for line in self.lines if line.speaker != self.me.name)
        return "luck_hard" if _HARD.search(others) else "luck"

    def _word_on_going(self) -> str:
        """Return the purpose of the comment on an answer about going to an event; else empty."""
        if self.last not in ready_lines()["going_yes"]:
            return "time_left"
        if self.are_at_a_party:
            return "glad"
        return "see_there" if self.is_going() else "may_come"
