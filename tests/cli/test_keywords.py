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


def test_a_model_chooses_the_words_and_names_are_kept(smolville: Command) -> None:
    said = smolville("keywords", "Walter Brandt met Junko at the old ferry.", "--model", "standin")
    assert said.out == "Walter Brandt, met, Junko, old, ferry\n"
    text = "Walter Brandt met Junko in a long and terrible thunderstorm."
    assert smolville("keywords", text, "--model", "standin", "--json").json == [
        *("Walter Brandt", "Junko", "long", "terrible", "thunderstorm")
    ]


def test_a_model_that_is_not_there_is_told_in_a_sentence(smolville: Command) -> None:
    said = smolville(
        "keywords", "A storm broke the mast.", "--model", "llamacpp:http://127.0.0.1:9"
    )
    assert said.code != 0 and said.out == ""
    assert "http://127.0.0.1:9" in said.err and "Traceback" not in said.err
