"""Whispers as thoughts by rule: what the rule is sure of, what it leaves, and what it keeps."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smolville.graphs.first_person import WORD, in_first_person
from smolville.graphs.sense.words import days_in, minutes_in, names_in, numbers_in
from smolville.world.town.town import Town, shipped_town

ADA = "Ada Brook"

SURE = [
    ("You should run for mayor.", "I should run for mayor."),
    ("Ben is planning a party for you on Friday.", "Ben is planning a party for me on Friday."),
    ("You are tired and want to go home; you were late",
     "I am tired and want to go home; I was late."),
    ("You play in a band and are nervous", "I play in a band and am nervous."),
    ("You are stuck in 1987 and are sorry for how you did it.",
     "I am stuck in 1987 and am sorry for how I did it."),
    ("You asked her to marry you in April and are still waiting.",
     "I asked her to marry me in April and am still waiting."),
    ("You really are in love with Walter", "I really am in love with Walter."),
    ("You\u2019re late for the party Walter gives you at noon.",
     "I'm late for the party Walter gives me at noon."),
    ("You know what you are and you were never afraid.",
     "I know what I am and I was never afraid."),
    ("On Tuesday you have to see Nadia at 5pm.", "On Tuesday I have to see Nadia at 5pm."),
    ("Yusuf Demir has asked you to marry him and you have not answered.",
     "Yusuf Demir has asked me to marry him and I have not answered."),
    ("You and Mateo Rivas look after each other's shops",
     "Mateo Rivas and I look after each other's shops."),
    ("You and your sister Mia have won", "My sister Mia and I have won."),
    ("Your bread is yours alone, and you trust yourself.",
     "My bread is mine alone, and I trust myself."),
    ("Your professor recommended you", "My professor recommended me."),
    ("You are telling only people you trust", "I am telling only people I trust."),
    ("You have a boat. You'll paint it on 7 May.", "I have a boat. I'll paint it on 7 May."),
    ("You think that the shops and the bridge are neglected",
     "I think that the shops and the bridge are neglected."),
    ("Ada wants to open a shop with Ben on Monday.", "I want to open a shop with Ben on Monday."),
    ("Ada Brook promised a cake", "I promised a cake."),
    ("Ada's brother visits at 17:00.", "My brother visits at 17:00."),
    ("I want to sing.", "I want to sing."),
]  # fmt: skip

IN_DOUBT = [
    "Sing!",
    "Tell Walter that you like him.",
    "Remember that you promised a cake.",
    "Before you go, tell Walter the news.",
    "You know Walter, ask him.",
    "Are you sure?",
    "You, Ada, must hurry.",
    "Nadia said: you are late.",
    'Nadia told you "go".',
    "The library closes early today.",
    "Du planst ein Fest f\u00fcr Walter.",
    "Everyone who loves you will come.",
    "The man you saw yesterday is Ben.",
    "You have known Tobias since you were both six years old.",
    "You think that the shops are closed and are ugly.",
    "You depend on Tobias more than you tell him.",
    "We should help you.",
    "Thank you for the bread you sold.",
    "Ada is planning a party and needs help.",
    "Ada thinks that she is late.",
    "",
    "...",
]


@pytest.mark.parametrize(("whisper", "thought"), SURE)
def test_what_the_rule_is_sure_of_becomes_a_thought(whisper: str, thought: str) -> None:
    assert in_first_person(whisper, ADA) == thought


@pytest.mark.parametrize("whisper", IN_DOUBT)
def test_what_it_is_not_sure_of_is_left_to_a_model(whisper: str) -> None:
    assert in_first_person(whisper, ADA) is None


def test_nearly_all_of_the_shipped_towns_history_needs_no_model() -> None:
    history = Town.load(shipped_town()).history
    told = [(whisper, name) for name, whispers in history.items() for whisper in whispers]
    left = [whisper for whisper, name in told if in_first_person(whisper, name) is None]
    assert len(told) > 140 and len(left) < 0.05 * len(told)


NAMES = st.sampled_from(["Walter Brandt", "Nadia", "Junko Mori", "Mia O'Neil"])
DAYS = st.sampled_from(["on Friday", "tomorrow", "on Tuesday, May 7th, 2024", "on 12 June"])
TIMES = st.sampled_from(["at 17:30", "from 5pm to 7pm", "at noon", "by 9 a.m.", "at 8"])
COUNTS = st.integers(0, 5000).map(lambda count: f"{count} lanterns")
FRAMES = st.sampled_from(
    [
        "You want to invite {name} to your party {day} {time} and need {count}",
        "You and {name} are buying {count} {day} {time}",
        "{name} has asked you for {count} {day} {time}, and you have not answered",
        "You owe {name} {count}; {name} will visit you {day} {time}",
        "Your friend {name} told you the news about {count} {day} {time}",
        "Tell {name} {time} {day} that you have {count}",
    ]
)


@given(FRAMES, NAMES, DAYS, TIMES, COUNTS)
def test_names_numbers_days_and_times_are_kept(
    frame: str, name: str, day: str, time: str, count: str
) -> None:
    whisper = frame.format(name=name, day=day, time=time, count=count)
    thought = in_first_person(whisper, ADA)
    assert (thought is None) == whisper.startswith("Tell")
    if thought is not None:
        _holds_the_same(whisper, thought)


PRONOUNS = ["you", "You", "your", "yours", "yourself", "you're", "me", "I", "Ada", "Ada's"]
PLAIN = ["and", "that", "are", "were", "with", "told", "Ben", "Mia", "3", "17:00", "Friday", ","]
MORE = ["likes", "has", "the", "bread", "before", "go", "who", ".", "people", "is", "asked", "to"]
ANY_WORDS = st.lists(st.sampled_from(PRONOUNS + PLAIN + MORE), max_size=12).map(" ".join)


@given(st.one_of(ANY_WORDS, st.text(max_size=60)))
def test_whatever_is_whispered_no_other_word_is_lost_or_added(whisper: str) -> None:
    thought = in_first_person(whisper, ADA)
    if thought is not None:
        _holds_the_same(whisper, thought)


CHANGES = frozenset({"you", "i", "me", "my", "mine", "myself", "not"})
"""Words that may come or go; those with an apostrophe are looked at without what is behind it."""
FORMS = {**dict.fromkeys(("your", "yours", "yourself", "ada", "brook"), "you"),
         **dict.fromkeys(("are", "am", "is", "aren"), "be"), "were": "was", "weren": "was",
         "wasn": "was", "has": "have"}  # fmt: skip


def _holds_the_same(whisper: str, thought: str) -> None:
    """Only pronouns, and the verbs that go with them, are other words."""
    assert _others(whisper) == _others(thought)
    for found in (days_in, numbers_in):
        assert found(whisper) == found(thought)
    assert minutes_in(whisper) == minutes_in(thought)
    assert {*names_in(thought)} - {*names_in(whisper)} <= {*WORD.findall(whisper)}


def _others(text: str) -> list[str]:
    plain = (word.casefold().replace("\u2019", "'") for word in WORD.findall(text))
    bare = (re.sub("n't$|'(?:re|ve|ll|d|m|s)$", "", word) for word in plain)
    return sorted(
        FORMS.get(word, word) for word in bare if FORMS.get(word, word) not in {*CHANGES, "be"}
    )
