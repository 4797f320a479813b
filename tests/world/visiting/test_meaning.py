"""Objects and places are found from plain words, or the candidates are told."""

import pytest

from smolville.agents.errors import RunError
from smolville.world.meaning import find_place, find_thing
from smolville.world.object_wish import read_object_wish
from tests.world.stage import CAFE, LAWN, MACHINE, town

MAP = town().map
TILL = "Corner Shop: shop floor: till"
SHELF = "Corner Shop: shop floor: shelf"
FERN = "Fern Cottage: kitchen: stove"
MOSS = "Moss Cottage: kitchen: stove"


@pytest.mark.parametrize(
    ("text", "address", "state"),
    [
        ("the coffee machine is on fire", MACHINE, "on fire"),
        ("The Coffee Machine is on fire!", MACHINE, "on fire"),
        ("the machine is broken", MACHINE, "broken"),
        ("the coffee machine hisses and drips", MACHINE, "hisses and drips"),
        ("set the coffee machine to 'out of order'", MACHINE, "out of order"),
        (f"{MACHINE}: glowing", MACHINE, "glowing"),
        ("Fern Cottage's stove is hot", FERN, "hot"),
        ("The stove in Fern Cottage is on fire.", FERN, "on fire"),
        ("please set the moss cottage stove to “smoking”", MOSS, "smoking"),
        ("turn off the coffee machine", MACHINE, "off"),
        ("switch the till on", TILL, "on"),
        ("make the bench wet", f"{LAWN}: bench", "wet"),
        ("the till is back to normal", TILL, "closed"),
        ("the shelf is burning and falls", SHELF, "burning and falls"),
        ("Set the coffee machine in the Kettle on fire.", MACHINE, "on fire"),
        ("set fire to the coffee machine at the copper kettle", MACHINE, "on fire"),
        ("put the machine in the kettle out of order", MACHINE, "out of order"),
        ("Could you turn off the coffee machine in the kettle, please?", MACHINE, "off"),
        ("turn the stove in fern cottage on", FERN, "on"),
        ("break the kettle's coffee machine", MACHINE, "broken"),
        ("Please lock the till of the shop", TILL, "locked"),
        ("put out the fire in the till", TILL, "closed"),
        ("put the machine to the window in the park", MACHINE, "the window in the park"),
        ("burn down the shelf at the shop", SHELF, "on fire"),
        ("make the stove in the kitchen of fern cottage hiss", FERN, "hiss"),
        ("the shelf in the shop falls in the park", SHELF, "falls in the park"),
        (f"{MACHINE} hisses", MACHINE, "hisses"),
        (
            'the till says "closed on Monday"',
            TILL,
            'says "closed on Monday"',
        ),
        ("the till is in the way", TILL, "in the way"),
    ],
)
def test_a_sentence_says_which_object_is_how(text: str, address: str, state: str) -> None:
    meant = read_object_wish(text, MAP)
    assert (meant.address, meant.state) == (address, state)


def test_of_several_the_nearest_one_is_meant() -> None:
    with pytest.raises(RunError) as error:
        read_object_wish("the stove is on fire", MAP)
    assert all(each in str(error.value) for each in (FERN, MOSS, "Plum Cottage", "say which house"))
    assert read_object_wish("the stove is on fire", MAP, near=(30, 3)).address == MOSS
    assert find_thing("stove", MAP, (6, 3)) == FERN
    # Where two are equally near one of them is meant, from wherever somebody stands.
    everywhere = [(x, y) for x in range(0, MAP.width, 3) for y in range(0, MAP.height, 3)]
    for tile in everywhere:
        assert "stove" in read_object_wish("the stove is on fire", MAP, near=tile).address


@pytest.mark.parametrize(
    "text", ["", "hello there", "the dragon is on fire", "the stove", "the bench in Willow Park"]
)
def test_what_names_no_object_or_no_state_is_told(text: str) -> None:
    with pytest.raises(RunError, match=r"what it is to be|could be"):
        read_object_wish(text, MAP)


@pytest.mark.parametrize(
    "text", ["x" * 100_000, "is " * 5_000, "the stove\u202e is\0on fire", "{{ 7 * 7 }} is <b>"]
)
def test_hostile_texts_are_read_in_no_time_or_refused(text: str) -> None:
    try:
        assert len(read_object_wish(text, MAP, (6, 3)).state) <= 160
    except RunError as error:
        assert len(str(error)) < 600


@pytest.mark.parametrize(
    ("words", "address"),
    [
        ("copper kettle", "Copper Kettle"),
        ("the counter room", CAFE),
        ("Willow Park: lawn", LAWN),
        ("park", "Willow Park"),
        ("the bench", f"{LAWN}: bench"),
        ("outside", "outdoors"),
    ],
)
def test_a_place_is_found_by_its_name(words: str, address: str) -> None:
    assert find_place(words, MAP) == address


def test_a_place_that_is_not_clear_is_told() -> None:
    with pytest.raises(RunError, match="could be 'Fern Cottage: kitchen' or"):
        find_place("kitchen", MAP)
    with pytest.raises(RunError, match=r"no place 'moon'\. There are: Copper Kettle"):
        find_place("moon", MAP)


@pytest.mark.parametrize(
    "text",
    [
        "Copper Kettle: counter room: stove is on fire",
        "the stove in the Copper Kettle's counter room is on fire",
        "the stove in the Copper Kettle is on fire",
        "Set the stove in the kettle on fire",
        "the stove at the kettle burns",
        "put the stove in the kettle out of order",
        "turn off the stove in the kettle",
        "put out the stove inside the kettle",
        "the kettle's stove is hot",
    ],
)
def test_an_object_that_a_place_has_not_is_no_other_object_of_it(text: str) -> None:
    with pytest.raises(RunError, match=r"^Copper Kettle.* has no stove; it has: .*coffee machine"):
        read_object_wish(text, MAP, near=(6, 3))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("set the till in the park on fire", "^Willow Park has no till; it has: .*bench"),
        ("break the dragon in the park", "^Willow Park has no dragon; it has: .*bench"),
        ("set the till in the kitchen on fire", "^'the kitchen' could be 'Fern.* none has a till"),
        ("set the stove in the moon on fire", "^The town has no place 'the moon'"),
        ("set fire to the shop", "^Corner Shop is a place; say which thing.*: .*till"),
        ("put out the fire in the shop floor", "^Corner Shop: shop floor is a place; say which"),
        ("set the stove on fire", "^'the stove' could be 'Fern.*say which house"),
        ("put a bomb in the stove", "names no object of this town with what it is to be"),
        ("set the {{ 7 }} in the <b>park</b> on fire", "^(Willow Park|The town) has no"),
        ("set fire to", "names no object of this town"),
        ("break", "names no object of this town"),
        ("in the in the in the on fire", "names no object of this town"),
    ],
)
def test_what_cannot_be_meant_is_said_and_never_another_object(text: str, told: str) -> None:
    with pytest.raises(RunError, match=told):
        read_object_wish(text, MAP)
