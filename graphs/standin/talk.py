"""The stand-in's rule for the next line of a talk: answer, tell news, ask, and say goodbye."""

import re
from collections.abc import Sequence

from smolville.agents.wording import join_words
from smolville.graphs.standin.about_me import (
    hosts_event,
    is_about_going,
    is_about_work,
    is_my_own,
    is_subject,
    mentions,
    own_sentences,
    tell_as_mine,
    tell_guests,
    tell_of_work,
)
from smolville.graphs.standin.concerns import is_said, told_in
from smolville.graphs.standin.guests import asks_who_comes
from smolville.graphs.standin.happenings import (
    LEADS,
    TALKED,
    as_told_by,
    as_told_to,
    find_told_events,
    read_happening,
)
from smolville.graphs.standin.news import (
    find_last_question,
    find_statements,
    invitation_phrases,
    is_farewell,
    is_news,
    is_note,
    is_open_to_all,
    is_polite_question,
    talk_phrases,
    word_set,
)
from smolville.graphs.standin.spoken_times import is_over, minute_of
from smolville.models.standin.rule import Dice, RuleAnswer
from smolville.models.standin.words import (
    clip,
    full_stop,
    lower_first,
    sentences,
    stems,
    upper_first,
)
from smolville.parsers.say import LONGEST, SayInput

_ASKED_BACK = re.compile(r"I heard that (your? .+?)[.!…]* Is that so\?")
_ASKED_DOING = re.compile(r"\bwhat (?:are|do|were) you\b.*\b(?:do|doing|up to)\b", re.IGNORECASE)
"""A visitor's question about the activity; people of the town ask it in ready phrases."""
_HEARD = 0.7
"""A sentence is no longer news if at least this share of its words was said in this talk."""


def say(inputs: SayInput, dice: Dice) -> RuleAnswer:
    """Return the next line, and whether it ends the talk."""
    talk = _Talk(inputs, dice)
    if not inputs.lines:
        parts = [talk.greeting(), *(talk.news() or [talk.question()])]
    elif talk.is_over():
        return RuleAnswer({"text": talk.goodbye(), "ends": talk.ends()}, tuple(talk.used))
    else:
        parts = [talk.reply(), *(talk.news() or talk.chatter())]
    kept = list(dict.fromkeys(part for part in parts if part))
    if len(" ".join(kept)) > LONGEST:
        # A turn ends after its last whole sentence, which must not be one that promises news.
        kept = [part for part in kept if part not in talk_phrases()["open_news"]]
    text = clip(" ".join(kept), 600)
    return RuleAnswer({"text": text, "ends": False}, tuple(talk.used))


class _Talk:
    """A talk as the speaker sees it."""

    def __init__(self, inputs: SayInput, dice: Dice) -> None:
        """Collect what was said so far."""
        self.inputs = inputs
        self.me = inputs.me
        self.dice = dice
        self.lines = inputs.lines
        self.last = self.lines[-1].text if self.lines else ""
        self.other = join_words([name.split()[0] for name in inputs.others])
        self.said: frozenset[str] = frozenset().union(*(stems(line.text) for line in self.lines))
        self.names = stems(" ".join(inputs.others))
        self.used: list[str] = list(inputs.others[:1])
        self.sources: dict[str, str] = {}
        """The memory that each sentence comes from."""
        for memory in inputs.memories:
            told = find_told_events(memory.text)
            self.sources |= dict.fromkeys((*told, " ".join(told)), memory.text)

    def greeting(self) -> str:
        """Return an opening line."""
        now = minute_of(self.inputs.now)
        use = "greet_morning" if now < 660 else "greet_day" if now < 1080 else "greet_evening"
        return self._pick(use)

    def is_over(self) -> bool:
        """Return True when it is time to say goodbye."""
        if is_farewell(self.last) or self.inputs.turns_left <= 1:
            return True
        first = self.lines[0].text
        length = 4 + Dice(first, *sorted({self.me.name, *self.inputs.others})).draw("length") % 4
        return len(self.lines) >= length and not find_last_question(self.last)

    def goodbye(self) -> str:
        """Return a line that ends the talk."""
        lead = self._answer_last_line() if self._is_news_to_me() else ""
        return self.farewell() if is_farewell(self.last) else f"{lead} {self.farewell()}".strip()

    def farewell(self) -> str:
        """Return a goodbye and nothing else."""
        return self._pick("farewell_back" if is_farewell(self.last) else "farewell")

    def ends(self) -> bool:
        """Return True when the line that I say now needs no reply."""
        return is_farewell(self.last) or self.inputs.turns_left <= 1

    def reply(self) -> str:
        """Return a reply to the last line."""
        question = find_last_question(self.last)
        asks = _ASKED_BACK.search(self.last) or (question and not is_polite_question(question))
        if len(self.lines) == 1 and not asks and not self._is_news_to_me():
            return self._pick("greet_back")
        return self._answer_last_line()

    def news(self) -> list[str]:
        """Return news not told in this talk yet, with the sentences that accompany it."""
        for sentence in self._candidates():
            source = self.sources.get(sentence, sentence)
            if source in self.used or self._is_said(sentence) or self._is_idle(sentence):
                continue
            self.used.append(source)
            return self._phrase_news(sentence)
        return []

    def chatter(self) -> list[str]:
        """Return small talk or a question that was not said before."""
        if not find_last_question(self.last) and self.dice.fraction("ask") < 0.6:
            return [self.question()]
        if len(self.lines) % 2:
            return []
        return [self._pick("small_talk")]

    def question(self) -> str:
        """Return a question that nobody has asked yet."""
        asked = " ".join(line.text for line in self.lines)
        left = [each for each in talk_phrases()["questions"] if each not in asked]
        return self.dice.pick(left, "question") if left else ""

    def _candidates(self) -> list[str]:
        """Return sentences worth telling: first current concerns, then memories."""
        mine = own_sentences(self.me)
        heard = [
            sentence
            for memory in self.inputs.memories
            for sentence in find_told_events(memory.text)
            if is_news(sentence)
        ]
        heard = self.dice.shuffled(heard, "heard")
        heard.sort(key=lambda sentence: " plans to " in sentence)
        dated = [sentence for sentence in heard if is_open_to_all(sentence)]
        own = [sentence for sentence in mine if is_news(sentence)]
        both = [*own, *dated, *heard]
        if self.dice.fraction("order") < 0.4:
            both = [*dated, *own, *heard]
        return [each for each in dict.fromkeys(both) if not self._is_known(each)]

    def _is_known(self, sentence: str) -> bool:
        """Return whether a sentence need not be told, because it is past or was told before.

        Invitations to events to come are repeated.
        """
        if is_over(sentence, self.inputs.now):
            return True
        recalled = [each.text for each in self.inputs.memories]
        theirs = [each for each in recalled if any(mentions(each, x) for x in self.inputs.others)]
        told = [told_in(text) for text in theirs if TALKED in text]
        told.append(self.inputs.relationship.partition("You talked ")[2])
        return not is_open_to_all(sentence) and is_said(sentence, told)

    def _phrase_news(self, sentence: str) -> list[str]:
        """Return a piece of news in the form in which it is told to this person."""
        told = as_told_by(sentence, self.me.name, self.me.first_name)
        invites = is_open_to_all(sentence)
        is_mine = sentence in own_sentences(self.me)
        if is_mine or told != sentence or sentence.startswith(("I ", "My ")):
            event = read_happening(sentence, self.me.name, self.me.first_name)
            use = "invite_own" if event is not None and event.is_own else "invite_other"
            return [tell_as_mine(sentence, self.me), *([self._pick(use)] if invites else [])]
        for name in self.inputs.others:
            to_them = as_told_to(sentence, name, name.split()[0])
            if to_them != sentence:
                return [f"I heard that {to_them.rstrip('.')}. Is that so?"]
        lead = self._pick("open_news")
        wish = self._pick("invite_other") if invites else ""
        return [lead, full_stop(upper_first(sentence)), wish]

    def _answer_last_line(self) -> str:
        """Return a reply to an invitation, a question, or news in the last line."""
        if any(phrase in self.last for phrase in invitation_phrases()):
            shy = bool(stems(self.me.innate) & word_set("shy"))
            accepts = self.dice.fraction("accept") < (0.5 if shy else 0.8)
            return self._pick("accept" if accepts else "unsure")
        told_of_me = _ASKED_BACK.search(self.last)
        if told_of_me:
            return self._confirmed(told_of_me[1])
        if find_last_question(self.last):
            return self._known_answer(find_last_question(self.last))
        return self._pick("react" if self._is_news_to_me() else "agree")

    def _is_idle(self, sentence: str) -> bool:
        """Return True for facts not worth telling: about a listener, or about me by another."""
        told = as_told_by(sentence, self.me.name, self.me.first_name)
        for name in self.inputs.others:
            if sentence.startswith(name) and is_open_to_all(sentence):
                return False
            if mentions(sentence, name):
                return True
        return told == sentence and mentions(sentence, self.me.name)

    def _facts(self) -> list[str]:
        """Return the facts that I can tell: my concerns, and my memories except derived notes."""
        known = (memory.text for memory in self.inputs.memories)
        plain = (text for text in known if "…" not in text and not is_note(text))
        return [*own_sentences(self.me), *(" ".join(find_statements(text)) for text in plain)]

    def _facts_for_them(self) -> list[str]:
        """Return the facts that I can tell, except facts about the people I talk with."""
        return [
            fact
            for fact in self._facts()
            if not any(is_subject(name, fact) for name in self.inputs.others)
        ]

    def _confirmed(self, heard: str) -> str:
        """Return a confirmation of another's statement about me, if I know that it is true."""
        asked = stems(heard)
        ranked = [(len(stems(f) & asked), is_my_own(heard, f, self.me), f) for f in self._facts()]
        _, mine, best = max(ranked, key=lambda each: each[:2], default=(0, False, ""))
        if 2 * len(stems(best) & asked) < len(asked) or stems(best) & word_set("private"):
            return self._pick("no_answer")
        self.used.append(self.sources.get(best, best))
        if mine or is_about_going(heard):
            return self._pick("confirm" if mine else "confirm_going")
        return f"{self._pick('not_me')} {full_stop(upper_first(clip(best, 160)))}"

    def _known_answer(self, question: str) -> str:
        """Return a remembered answer to a question, or the answer that I do not know."""
        asked, facts = stems(question), self._facts_for_them()
        is_polite = is_polite_question(question)
        if not is_polite and _ASKED_DOING.search(question):
            return self._tell_deed()
        if asks_who_comes(question) and hosts_event(self.me):
            told, sources = tell_guests(self.inputs.memories, self.inputs.others)
            self.used += sources
            return told
        best, most = "", 1
        for fact in facts:
            shared = len(stems(fact) & asked)
            if shared > most and not self._is_said(fact):
                best, most = fact, shared
        if not best and is_polite and self.dice.fraction("mind") < 0.5:
            best = next((fact for fact in facts[:1] if not self._is_said(fact)), "")
        if (not best or stems(best) & word_set("private")) and is_about_work(question, self.me):
            return tell_of_work([fact for fact in facts if not self._is_said(fact)], self.me)
        if not best or stems(best) & word_set("private"):
            return self._pick("ordinary" if is_polite else "no_answer")
        self.used.append(self.sources.get(best, best))
        own = full_stop(clip(tell_as_mine(best, self.me), 240))
        return f"{self._pick_fresh_phrase(LEADS, 'answer_lead')} {lower_first(own)}"

    def _tell_deed(self) -> str:
        """Return a sentence about my activity before the talk, and my concerns."""
        mine = self.inputs.doing.split(". ")[0].rstrip(".")
        self.used.append(mine)
        own = clip(tell_as_mine(own_sentences(self.me)[0], self.me), 240)
        return f"I was {mine.partition(' was ')[2] or 'busy'}. {own}"

    def _is_said(self, sentence: str) -> bool:
        """Return True when a sentence was already said in this talk, ignoring names."""
        telling = stems(sentence) - stems(self.me.name) - self.names
        return len(telling & self.said) >= _HEARD * len(telling)

    def _is_news_to_me(self) -> bool:
        """Return True when the last line told something new."""
        return any(is_news(sentence) for sentence in sentences(self.last))

    def _pick(self, use: str) -> str:
        """Return a ready phrase for a purpose, if possible one not said yet."""
        return self._pick_fresh_phrase(
            [each.format(other=self.other) for each in talk_phrases()[use]], use
        )

    def _pick_fresh_phrase(self, phrases: Sequence[str], use: str) -> str:
        """Return one of these phrases, if possible one not said yet."""
        fresh = [each for each in phrases if not any(each in line.text for line in self.lines)]
        return self.dice.pick(fresh or phrases, use)
