"""`parts.toml`: each fault is told with its line and what to write."""

import pytest

from smolville.agents.errors import TownError
from smolville.prompts.making import PARTS, shipped_parts
from smolville.world.making.parts import read_parts

SHIPPED = shipped_parts()[PARTS]


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ('job = "a baker"\n', "", "`kinds.job` is missing"),
        ('opens = "06:00"', 'opens = "early"', "write a time of day in quotes"),
        ('closes = "13:00"', 'closes = "05:00"', "it should be later than `opens`"),
        ('floor = "carpet"', 'floor = "lava"', "write a type of tile of the shipped town"),
        ('name = "library"', 'name = "cafe"', "'cafe' is there twice"),
        ('name = "stacks"', 'name = "book: room"', "write a name without a colon"),
        ("{other} is a friend of {me}.", "They are friends.", "with {me} and {other} in it"),
        ('"You lost"', '"The sea"', "write the beginning of a sentence, with `You`"),
        ('"Plum Cottage"', '"Fern Cottage"', "'Fern Cottage' is there twice"),
        ('["bed", "wardrobe", "desk"]', '["desk"]', "it should have an object `bed`"),
        ("[square]", "[sqare]", "`sqare` is no field here. Did you mean square?"),
        ("[square]", "[square", "parts.toml, line "),
    ],
)
def test_a_fault_is_told_with_its_line(old: str, new: str, sentence: str) -> None:
    assert old in SHIPPED
    with pytest.raises(TownError) as error:
        read_parts({PARTS: SHIPPED.replace(old, new, 1)})
    assert sentence in str(error.value)
    assert "parts.toml, line " in str(error.value)


def test_the_shipped_parts_are_in_order() -> None:
    parts = read_parts(shipped_parts())
    assert len(parts.kinds) >= 12 and len(parts.beginnings) >= 20
    assert any(kind.is_meeting_place for kind in parts.kinds)
