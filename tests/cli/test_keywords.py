"""`smolville keywords`: one line, without any model."""

from tests.cli.conftest import Command


def test_one_line_with_commas_and_the_towns_names(smolville: Command) -> None:
    said = smolville("keywords", "Walter Brandt met Junko.\nJunko was late.")
    assert said.out == "Walter Brandt, met, Junko, late\n"
    assert smolville("keywords", "-", "--json", stdin="Rosa bakes bread").json == [
        "Rosa",
        "bake",
        "bread",
    ]


def test_a_text_without_words_is_asked_for(smolville: Command) -> None:
    said = smolville("keywords", "  ")
    assert (said.code, said.out) == (2, "")
    assert said.err == "Give a text in quotes: smolville keywords 'Nadia plans a party.'\n"
