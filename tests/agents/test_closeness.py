"""How close people feel: a plain formula, in one direction, that talks move and time fades."""

import pytest

from smolville.agents.closeness import (
    DISTANT,
    KNOWN,
    STRANGER,
    after_talk,
    closeness_in_words,
    first_closeness,
    patience,
)


@pytest.mark.parametrize(
    ("told", "closeness"),
    [
        ("Grace has been Desmond's wife for twenty-four years.", 0.85),
        ("Amara is Lucia's best friend.", 0.8),
        ("Walter is an old friend of Desmond.", 0.6),
        ("She lets Idris talk about Idris's late wife.", KNOWN),
        ("They are no longer friends.", KNOWN),
        ("Anneke is the doctor with whom Grace works with care.", 0.45),
        ("Desmond sells her screws.", KNOWN),
    ],
)
def test_a_relationship_in_words_tells_how_close_two_are_at_first(told, closeness):
    assert first_closeness(told, is_known=True) == closeness
    assert first_closeness(told, is_known=False) == STRANGER


def test_the_formula_is_what_it_says_it_is():
    faded = 0.3 + (0.5 - 0.3) * 0.5
    assert after_talk(0.5, 0.3, days=14, feeling="glad", lines=3, promised=False) == pytest.approx(
        faded + 0.15 * 0.9 * 0.5 * (1 - faded), abs=1e-4
    )
    assert after_talk(0.5, 0.5, days=0, feeling="hurt", lines=9, promised=False) == 0.425
    assert after_talk(0.5, 0.5, days=0, feeling="", lines=9, promised=True) == 0.515


def test_what_is_not_kept_up_fades_towards_what_it_was_at_first():
    day, year = (
        after_talk(0.9, 0.2, days=days, feeling="", lines=0, promised=False) for days in (1, 365)
    )
    assert day > 0.8
    assert year == pytest.approx(0.2, abs=1e-3)


def test_prompts_are_told_it_in_words_and_friends_meet_again_sooner():
    told = [closeness_in_words(each / 20) for each in range(21)]
    assert told[0] == DISTANT
    assert told[-1] == "You feel very close to them."
    assert len(dict.fromkeys(told)) == 5
    assert patience(0.9) < 1.0 == patience(None) < patience(0.1)
