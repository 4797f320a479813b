"""End of a talk: all have spoken, no question is open, and nothing new is said."""

from graphs.sense.words import words_of
from graphs.state import TalkSeen

BEGUN = 4
"""Lines after which a talk may end because nothing new is said."""
LONG = 4
"""Letters that a word must have to count as meaningful."""
OLD = 0.6
"""Share of a line's words that must have been said before for the line to count as nothing new."""


def may_end(state: TalkSeen, text: str) -> bool:
    """Return whether a talk may end with this line: all have spoken, and no question is left open.

    Small models end a talk with the very question that begins it.
    """
    have_spoken = state.meeting.have_all_spoken(state.lines, state.agent)
    return have_spoken and not text.rstrip("\"'”’») ").endswith("?")


def says_nothing_new(state: TalkSeen, text: str) -> bool:
    """Return whether most words of a line occurred before, once a talk is past its beginning.

    Small models do not end a talk; they keep thanking each other.
    """
    words = {word for word in words_of(text) if len(word) >= LONG}
    said = {word for line in state.lines for word in words_of(line.text)}
    return len(state.lines) >= BEGUN and len(words & said) >= OLD * len(words)
