"""Who feels what towards whom: in sentences, and as lines and dots of a picture."""

from dataclasses import replace
from itertools import combinations
from string import ascii_lowercase

from smolville.reports.relations import Feeling, Relationship
from smolville.viewer.charts.figures import format_hour
from smolville.viewer.playback.people import coat_of
from smolville.viewer.story.relation_graph import relation_options
from smolville.viewer.story.relations_page import describe_feelings
from smolville.world.town.town import Town, shipped_town

PEOPLE = ("Ada Brook", "Bo Lind", "Cy Wren", "Di Hale")


def feels(who: str, of: str, feeling: str) -> Feeling:
    return Feeling(who=who, of=of, at=60, tick=6, relationship="they met", feeling=feeling)


def bond(one: str, other: str, *feelings: Feeling) -> Relationship:
    return Relationship(pair=(one, other), talks=(), feelings=feelings)


WARM = bond("Ada Brook", "Bo Lind", feels("Ada Brook", "Bo Lind", "glad"))
MIXED = bond(
    "Ada Brook",
    "Cy Wren",
    feels("Ada Brook", "Cy Wren", "annoyed"),
    feels("Cy Wren", "Ada Brook", "grateful"),
)
SILENT = bond("Ada Brook", "Di Hale")


def test_sentences_say_towards_whom_somebody_feels_what() -> None:
    bonds = [WARM, MIXED, SILENT]
    assert describe_feelings("Ada Brook", bonds) == [
        "Ada Brook feels warm towards Bo Lind.",
        "Ada Brook feels cool towards Cy Wren.",
        "Ada Brook has talked with Di Hale, and kept no feeling from it.",
    ]
    assert describe_feelings("Cy Wren", bonds) == ["Cy Wren feels warm towards Ada Brook."]
    assert describe_feelings("Ed Moss", bonds) == ["Ed Moss has talked with nobody so far."]


def test_dots_have_peoples_own_colours_and_who_is_far_from_the_chosen_one_fades() -> None:
    (series,) = relation_options(PEOPLE, [WARM, MIXED], "Bo Lind")["series"]
    dots = {dot["name"]: dot for dot in series["data"]}
    colours = [dots[name]["itemStyle"]["color"] for name in PEOPLE]
    assert colours == [coat_of(number) for number in range(4)]
    faded = [name for name in PEOPLE if "opacity" in dots[name]["label"]]
    assert faded == ["Cy Wren", "Di Hale"]
    warm, mixed = (line["lineStyle"] for line in series["links"])
    assert (warm["color"], mixed["color"]) == ("var(--good)", "var(--fair)")
    assert warm["type"] != mixed["type"]
    assert mixed["opacity"] < warm["opacity"]


def test_of_many_lines_the_weaker_ones_step_back_behind_the_stronger() -> None:
    names = [f"Ada {letter}" for letter in ascii_lowercase]
    pairs = list(combinations(names, 2))[:60]
    bonds = [
        bond(*pair, replace(feels(*pair, "glad"), closeness=(7 * n % 60) / 60))
        for n, pair in enumerate(pairs)
    ]
    (series,) = relation_options(names, bonds, "")["series"]
    looks = [(line["lineStyle"]["width"], line["lineStyle"]["opacity"]) for line in series["links"]]
    assert looks == sorted(looks)
    assert looks[0][1] < 0.1 and looks[-1][1] > 0.75
    (series,) = relation_options(names, bonds, names[0])["series"]
    own = {line["lineStyle"]["opacity"] for line in series["links"] if names[0] in line["pair"]}
    others = {
        line["lineStyle"]["opacity"] for line in series["links"] if names[0] not in line["pair"]
    }
    assert min(own) > 0.5 and max(others) < 0.1


def test_hours_have_their_weekday() -> None:
    start = Town.load(shipped_town()).start_date
    assert format_hour(24, start) == "Tue 00:00"
    assert format_hour(7 * 24 + 14, start) == "Mon 13 May 14:00"
    assert format_hour(25, None) == "day 2 01:00"
