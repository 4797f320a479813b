"""Who feels what towards whom, as lines and dots of a picture."""

from dataclasses import replace
from itertools import combinations
from string import ascii_lowercase

from smolville.reports.relations import Feeling, Relationship
from smolville.viewer.playback.people import coat_of
from smolville.viewer.story.relations_page import relation_options

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
