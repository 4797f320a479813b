"""Objects and places are found from plain words, or the candidates are told."""

import pytest

from smolville.agents.errors import RunError
from smolville.world.meaning import find_place, read_object_wish
from tests.world.stage import CAFE, LAWN, MACHINE, town

MAP = town().map
TILL = "Corner Shop: shop floor: till"
SHELF = "Corner Shop: shop floor: shelf"
FERN = "Fern Cottage: kitchen: stove"
MOSS = "Moss Cottage: kitchen: stove"


@pytest.mark.parametrize(
    ("text", "address", "state"),
    [
        (f"{MACHINE.upper()} is hot", MACHINE, "hot"),
        ("copper kettle:table is wet", f"{CAFE}: table", "wet"),
        ("the coffee machine is on fire", MACHINE, "on fire"),
        ("The Coffee Machine is on fire!", MACHINE, "on fire"),
        ("the coffee machine: 'out of order'", MACHINE, "out of order"),
        (f"{MACHINE}: glowing", MACHINE, "glowing"),
        ("Fern Cottage's stove is hot", FERN, "hot"),
        ("The stove in Fern Cottage is on fire.", FERN, "on fire"),
        ("the shelf is burning and falls", SHELF, "burning and falls"),
        ("the till is in the way", TILL, "in the way"),
    ],
)
def test_a_sentence_says_which_object_is_how(text: str, address: str, state: str) -> None:
    assert read_object_wish(text, MAP) == (address, state)


def test_of_several_the_nearest_one_is_meant() -> None:
    with pytest.raises(RunError) as error:
        read_object_wish("the stove is on fire", MAP)
    assert all(each in str(error.value) for each in (FERN, MOSS, "Plum Cottage", "say which house"))
    assert read_object_wish("the stove is on fire", MAP, near=(30, 3))[0] == MOSS
    assert read_object_wish("the stove is hot", MAP, near=(6, 3))[0] == FERN
    # Where two are equally near one of them is meant, from wherever somebody stands.
    everywhere = [(x, y) for x in range(0, MAP.width, 3) for y in range(0, MAP.height, 3)]
    for tile in everywhere:
        assert "stove" in read_object_wish("the stove is on fire", MAP, near=tile)[0]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "what it is to be"),
        ("hello there", "what it is to be; write it like 'the bed is on fire'"),
        ("the stove", "what it is to be"),
        ("set fire to the shop", "what it is to be"),
        ("the dragon is on fire", "no object 'the dragon'. There are: "),
        ("the bencj is on fire", "no object 'the bencj'. Did you mean bench"),
        ("the stove in the kettle is hot", "The town has no object 'the stove in the kettle'"),
    ],
)
def test_what_names_no_object_or_no_state_is_told(text: str, told: str) -> None:
    with pytest.raises(RunError) as error:
        read_object_wish(text, MAP)
    assert told in str(error.value)


@pytest.mark.parametrize(
    "text", ["x" * 100_000, "is " * 5_000, "the stove\u202e is\0on fire", "{{ 7 * 7 }} is <b>"]
)
def test_hostile_texts_are_read_in_no_time_or_refused(text: str) -> None:
    try:
        assert len(read_object_wish(text, MAP, (6, 3))[1]) <= 160
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
