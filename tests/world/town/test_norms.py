"""The rules of a town are read from a file, each fault with its line."""

import shutil
from pathlib import Path

import pytest

from smolville.agents.errors import TownError
from smolville.agents.norms import Hours, RuleScope, TownRule
from smolville.world.town.check import check_town
from smolville.world.town.norms import RULES_FILE, describe_rule, format_hours, read_hours
from smolville.world.town.town import Town
from tests.world.town.spoiling import SHIPPED

CAFE = "Copper Kettle: counter room"


def _write(folder: Path, *lines: str) -> Path:
    (folder / RULES_FILE).write_text("\n".join(("rules:", *lines)), encoding="utf-8")
    return folder


def _rule(folder: Path, *lines: str) -> TownRule:
    (rule,) = Town.load(
        _write(folder, "  - rule: Closed", *(f"    {line}" for line in lines))
    ).norms
    return rule


def test_a_town_without_the_file_has_no_rules(small_town: Path) -> None:
    assert Town.load(small_town).norms == ()


@pytest.mark.parametrize("text", ["", "# nothing yet", "rules: []", "rules:\n"])
def test_an_empty_file_has_no_rules(text: str, small_town: Path) -> None:
    (small_town / RULES_FILE).write_text(text, encoding="utf-8")
    assert (check_town(small_town) == []) == (text != "rules:\n")


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["where: Willow Park"], {}),
        (["where: [Willow Park, Corner Shop]"], {"where": ("Willow Park", "Corner Shop")}),
        ([f'where: "{CAFE}: counter"'], {"where": (f"{CAFE}: counter",)}),
        (["who: Ada Brook"], {"who": RuleScope(names=("Ada Brook",))}),
        (["who: {names: [Ada Brook]}"], {"who": RuleScope(names=("Ada Brook",))}),
        (["who: {not: [Ada Brook]}"], {"who": RuleScope(names=("Ada Brook",), is_others=True)}),
        (["who: {work: Copper Kettle}"], {"who": RuleScope(work="Copper Kettle")}),
        (
            ["who: {not: {work: Copper Kettle}}"],
            {"who": RuleScope(work="Copper Kettle", is_others=True)},
        ),
        (["who: {home: Fern Cottage, over: 30}"], {"who": RuleScope(home="Fern Cottage", over=30)}),
        (["who: {under: 30}"], {"who": RuleScope(under=30)}),
        (["what: [cook, having a picnic]"], {"what": ("cook", "having a picnic")}),
        (["when: 18:00-06:00"], {"when": (Hours(start=1080, end=360),)}),
        (
            ["when: [Sunday, 20:00-24:00]"],
            {"when": (Hours(start=0, end=1440, day=6), Hours(start=1200, end=1440))},
        ),
        (
            ["open: saturday 9:30 - 12:00"],
            {"when": (Hours(start=570, end=720, day=5),), "is_outside": True},
        ),
    ],
)
def test_a_rule_says_who_what_where_and_when(
    lines: list[str], expected: dict[str, object], small_town: Path
) -> None:
    where = [] if "where" in expected or lines[0].startswith("where") else ["where: Willow Park"]
    rule = _rule(small_town, *where, *lines)
    fields = {"text": "Closed.", "where": ("Willow Park",)} | expected
    assert rule == TownRule(**fields)  # type: ignore[arg-type]


def test_a_rule_is_described_in_one_line(small_town: Path) -> None:
    rule = _rule(
        small_town,
        "where: Willow Park",
        "who: {not: {work: Copper Kettle}}",
        "what: cook",
        "open: [Sunday 08:00-18:00]",
    )
    assert describe_rule(rule) == (
        "where: Willow Park; who: everybody but people who work in Copper Kettle; what: cook; "
        "open: Sunday 08:00-18:00"
    )


@pytest.mark.parametrize("text", ["18:00-06:00", "Sunday 00:00-24:00", "Monday 22:00-02:00"])
def test_hours_are_written_as_they_are_read(text: str) -> None:
    assert format_hours(read_hours(text)) == text


BED = ["- rule: Nobody enters", "  where: Fern Cottage", "  when: 10:00-12:00"]
PARK = ["- rule: Closed", "  where: Willow Park"]
FAULTS: list[tuple[list[str], str]] = [
    (["- where: Willow Park"], "line 2: `rules.rule` is missing."),
    (["- Closed"], "line 2: `rules` is 'Closed': it should be a table of fields."),
    (
        ["- rule: Closed", "  where: Wilow Park"],
        "line 3: `rules.where` is 'Wilow Park': the map has",
    ),
    (["- rule: Closed", "  where: {Willow Park: lawn}"], "put a text with a colon into quotes"),
    (["- rule: Closed", "  where: Willow Park: lawn"], "line 3: mapping values are not allowed"),
    (["- rule: Closed", "  where: []"], "line 3: `rules.where`: name the places"),
    (["- rule: [Closed"], "it must be YAML."),
    (["- rule: " + "very " * 40, "  where: Willow Park"], "write a text of 1 to 160 characters."),
    ([*PARK, "  wer: Ada Brook"], "line 4: `rules.wer` is no field here. Did you mean where?"),
    ([*PARK, "  where: Corner Shop"], "line 4: `where` is there twice."),
    ([*PARK, "  who: Adda Brook"], "line 4: `rules.who.names` is 'Adda Brook': nobody in the town"),
    (
        [*PARK, "  who: {under: young}"],
        "line 4: `rules.who.under` is 'young': it should be a valid",
    ),
    ([*PARK, "  who: {under: 3}"], "line 2: this rule binds nobody; change `who` or leave"),
    ([*PARK, "  who: {not: Ada Brook, over: 3}"], "line 4: `rules.who`: `not` stands alone"),
    ([*PARK, "  what: ', '"], "line 4: `rules.what` is ', ': write words of an activity."),
    ([*PARK, "  when: at night"], "line 4: `rules.when` is 'at night': these are no hours; write"),
    ([*PARK, "  when: 25:00-26:00"], "these are no hours"),
    ([*PARK, "  when: 18:00-18:00"], "this is no time at all"),
    ([*PARK, "  open: 00:00-24:00"], "line 2: this rule never holds; give `when` or `open` other"),
    ([*PARK, "  when: Sunday", "  open: Monday"], "give `when` or `open`, not both"),
    (BED, "line 2: this rule keeps Ada Brook from bed; leave the home out of `where`"),
]


@pytest.mark.parametrize(("lines", "sentence"), FAULTS, ids=lambda each: str(each)[:40])
def test_a_fault_has_its_line_and_says_what_to_do(
    lines: list[str], sentence: str, small_town: Path
) -> None:
    (fault,) = check_town(_write(small_town, *(f"  {line}" for line in lines)))
    assert fault.startswith(f"{RULES_FILE}, line ")
    assert sentence in fault
    with pytest.raises(TownError, match=RULES_FILE):
        Town.load(small_town)


@pytest.mark.parametrize(
    "content",
    [b"rules: '\xff'", b"rules: \x00", b"[" * 5000, b"a: &a [*a]", b"- - -", b"!!python/name:os.x"],
)
def test_a_file_that_is_none_is_refused_in_a_sentence(content: bytes, small_town: Path) -> None:
    (small_town / RULES_FILE).write_bytes(content)
    faults = check_town(small_town)
    assert faults and all(fault.startswith(RULES_FILE) for fault in faults)


def test_the_documented_rules_are_right_for_the_shipped_town(tmp_path: Path) -> None:
    folder = tmp_path / "town"
    shutil.copytree(SHIPPED, folder)
    text = (SHIPPED / "README.md").read_text(encoding="utf-8")
    (folder / RULES_FILE).write_text(text.partition("```yaml\n")[2].partition("```")[0], "utf-8")
    town = Town.load(folder)
    kitchen, library, cooking, pub = town.norms
    bound = [kitchen.who.includes(town.find(name)) for name in ("Walter", "Nadia")]
    assert bound == [True, False]
    assert (library.is_outside, len(library.when)) == (True, 3)
    assert cooking.what == ("cook", "grill", "barbecue")
    young = [name for name, persona in town.personas.items() if pub.who.includes(persona)]
    assert young == ["Amara Okoro", "Saoirse Daly"]
