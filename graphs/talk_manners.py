"""What politeness asks for in a talk: greetings, a word to an answer, goodbyes.

The people of one house do not greet each other like neighbours who meet in the street.
"""

import re

from graphs.concerns import occupies
from graphs.spoken_times import minute_of
from graphs.talk_topics import TalkTopics, ready_lines

POLITE = re.compile(
    r"\bhow (?:are|have) you\b|\bwhat about you\b|\bhow about you\b"
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
_LEADS = {
    "luck": (
        *("begin_answer", "far_answer", "hard_answer", "decided_answer", "nobody_answer"),
        *("origin_answer", "others_answer", "like_answer", "help_answer"),
    ),
    "glad": ("prepare_answer",),
    "hope": ("guests_answer",),
    "see": ("going_answer", "opinion_answer"),
}
"""What is said, with a goodbye, to the answer that one has asked for."""
_HARD = re.compile(r"\b(?:stuck|thin|cross|worr(?:y|ied)|sad|ill|hard|cannot|lost)\b")
"""Words of news that is not good."""
_FAMILY = re.compile(
    r"\b(?:father|mother|wife|husband|married|son|daughter|brother|sister|parents?"
    r"|(?:lives?|lived) (?:with|together|in the same)|shares? (?:a|the) (?:house|flat|cottage))\b"
)
"""Words of what two people are to each other who live in one house."""
_COULD_USE = re.compile(r"\b(?:would be a great help|we could use)\b")
_MORNING, _EVENING, _NIGHT = 11 * 60, 17 * 60, 21 * 60
"""Minutes of the day until and from which greetings and goodbyes name the hour."""
_NEEDS = re.compile(r"(?:^|[.!] |but )I (?:still )?need\b")


def answer_use(question: str) -> str:
    """Return the purpose of the ready lines that answer a question; empty for none."""
    return next((use for asked, use in _ANSWERS.items() if asked in question.lower()), "")


class TalkManners(TalkTopics):
    """The greetings, comments and goodbyes of the next speaker of a talk."""

    @property
    def is_family(self) -> bool:
        """Whether the speaker lives in one house with the others."""
        return _FAMILY.search(self.inputs.relationship.partition("You talked ")[0]) is not None

    def hello(self) -> str:
        """Return a greeting for the first line of a talk."""
        now = minute_of(self.inputs.now)
        part = ["hello_morning"] if now < _MORNING else ["hello_evening"] if now >= 1080 else []
        usual = "hello_home" if self.is_family else "hello"
        if "today " in self.inputs.relationship.partition("You talked ")[2]:
            usual, part = "hello_again", []
        return self.phrases(usual, *part)[0]

    def hello_to_the_last(self) -> str:
        """Return a greeting for who has just spoken, so that among several that one answers."""
        return self.phrases("hello_back", other=self.last_speaker())[0]

    def last_speaker(self) -> str:
        """Return the first name of who has just spoken."""
        return self.lines[-1].speaker.split()[0]

    def comments(self) -> list[str]:
        """Return what is said to somebody's news, good or bad."""
        return self.phrases(self._comment_use())

    def _comment_use(self) -> str:
        return "comment_hard" if _HARD.search(self.last) else "comment"

    def goodbyes(self) -> list[str]:
        """Return goodbyes, each with a word to what was said last."""
        is_party = any(line in self.own for line in ready_lines()["accept"][:5])
        party = self.phrases("goodbye_party") if is_party and not self.is_family else []
        lead = self.word_to_the_last()
        before = f"{lead} " if lead else ""
        now = minute_of(self.inputs.now)
        use: tuple[str, ...] = ("goodbye", "goodbye_evening" if now >= _EVENING else "goodbye_day")
        use = ("goodbye_home",) if self.is_family else use
        use = ("goodbye_night",) if now >= _NIGHT else use
        return [f"{before}{each}" for each in (*party, *self.phrases(*use))]

    def word_to_the_last(self) -> str:
        """Return what is said to an answer to one's own question; empty for nothing."""
        lines = ready_lines()
        lead = "glad" if self.last in lines["accept"][:3] else ""
        lead = "hope" if _UNSURE.search(self.last) else lead
        lead = "thanks" if self.last in lines["agree"][:2] else lead
        lead = "please" if self.last == lines["agree"][2] else lead
        lead = lead or self._use_after_an_answer()
        return self.phrases(lead)[0] if lead else ""

    def _use_after_an_answer(self) -> str:
        """Return which words follow the answer to the speaker's own question; empty for none."""
        asked = self.own[-1].lower() if self.own and "?" in self.own[-1] else ""
        if _NEEDS.search(self.last):
            return "will_look"
        if "bring" in asked and _COULD_USE.search(self.last):
            return "will_bring"
        if POLITE.search(asked) and occupies(self.last):
            return self._comment_use()
        if self.last in ready_lines()["unknown"]:
            return "no_hurry" if "need" in asked else "see"
        use = answer_use(asked)
        lead = next((lead for lead, uses in _LEADS.items() if use and use in uses), "")
        if not lead and not use and occupies(self.last):
            lead = self._comment_use()
        return "luck_home" if lead == "luck" and self.is_family else lead
