"""The profile that the doctor recommends, and how it gets into a settings file."""

import tomllib

import pytest

from smolville.agents.errors import SettingError
from smolville.lab.doctor.findings import Findings
from smolville.lab.doctor.profile import (
    ProfileSetting,
    merge_profile,
    recommend_profile,
)

SPEC = "ollama:small"
SETTINGS = (
    ProfileSetting(name="anchors", value="on", reason="as usual"),
    ProfileSetting(name="repairs", value=1, reason="it is small"),
)


def found(parameters: str = "", **more: object) -> Findings:
    """Findings about a model of so many parameters."""
    return Findings(asked=SPEC, usable=True, spec=SPEC, parameters=parameters, **more)  # type: ignore[arg-type]


def recommended(about: Findings) -> dict[str, str | int]:
    """The recommended values by name."""
    profile = recommend_profile(about)
    assert all(each.reason for each in profile)
    return {each.name: each.value for each in profile}


@pytest.mark.parametrize(
    ("parameters", "examples", "repairs"),
    [("134.5M", 0, 1), ("1.5B", 1, 1), ("3.2B", 1, 3), ("", 1, 3)],
)
def test_small_models_get_fewer_examples_and_repairs(
    parameters: str, examples: int, repairs: int
) -> None:
    values = recommended(found(parameters))
    assert (values["examples"], values["repairs"]) == (examples, repairs)


def test_no_example_is_shown_where_it_has_no_room() -> None:
    for num_ctx, longest, is_cut, examples in (
        (2048, 2000, False, 0),
        (8192, 1900, True, 0),
        (8192, 8000, False, 1),
    ):
        about = found("3.2B", num_ctx=num_ctx, needed=1448, longest_prompt=longest, is_cut=is_cut)
        assert recommended(about)["examples"] == examples


@pytest.mark.parametrize(
    ("held", "sent", "constrain"),
    [(True, True, "auto"), (True, False, "schema"), (False, True, "none"), (None, None, "auto")],
)
def test_replies_are_held_to_a_schema_where_that_works(
    held: bool | None, sent: bool | None, constrain: str
) -> None:
    about = found(schema_holds=held, schema_sent=sent)
    assert recommended(about)["constrain"] == constrain


def test_neither_the_stand_in_nor_a_model_that_failed_has_a_profile() -> None:
    standin = Findings(asked="standin", usable=True, spec="standin", is_standin=True)
    assert recommend_profile(standin) == ()
    assert recommend_profile(Findings(asked=SPEC, usable=False)) == ()


def test_a_profile_is_added_and_everything_else_stays() -> None:
    text = (
        '# mine\r\nmodel = "ollama:other"   # the good one\r\n\r\n[steps.say]\r\ntier = "fast"\r\n'
    )
    merged = merge_profile(text, SPEC, SETTINGS)
    assert merged.text.startswith(text)
    assert merged.text.count("\n") == merged.text.count("\r\n"), "its ends of lines are kept"
    assert tomllib.loads(merged.text)["profiles"] == {SPEC: {"anchors": "on", "repairs": 1}}
    assert "# doctor: 1. it is small\r\nrepairs = 1\r\n" in merged.text
    assert merge_profile(merged.text, SPEC, SETTINGS) == merged, "once more changes nothing"


def test_what_the_doctor_wrote_is_brought_up_to_date_and_the_rest_is_kept() -> None:
    text = (
        '[profiles."ollama:small"]\n'
        "# doctor: on. not measured\n"
        'anchors = "on"\n'
        "# doctor: 1. it is small\n"
        "repairs = 2  # I know better\n"
        "# four is fine\n"
        "examples = 4\n"
        "\n"
        "# the other one\n"
        '[profiles."ollama:large"]\n'
        "repairs = 5\n"
    )
    settings = (
        ProfileSetting(name="anchors", value="off", reason="measured"),
        ProfileSetting(name="examples", value=0, reason="measured"),
        ProfileSetting(name="constrain", value="auto", reason="it is held"),
        ProfileSetting(name="repairs", value=1, reason="it is small"),
    )
    merged = merge_profile(text, SPEC, settings)
    assert merged.kept == ("examples", "repairs")
    assert merged.text == (
        '[profiles."ollama:small"]\n'
        "# doctor: off. measured\n"
        'anchors = "off"\n'
        "# doctor: 1. it is small\n"
        "repairs = 2  # I know better\n"
        "# four is fine\n"
        "examples = 4\n"
        "# doctor: auto. it is held\n"
        'constrain = "auto"\n'
        "\n"
        "# the other one\n"
        '[profiles."ollama:large"]\n'
        "repairs = 5\n"
    )


@pytest.mark.parametrize(
    "text",
    [
        'profiles = { "ollama:small" = { repairs = 2 } }\n',
        'profiles."ollama:small".repairs = 2\n',
        "profiles = 3\n",
    ],
)
def test_a_profile_in_another_form_is_left_alone_in_a_sentence(text: str) -> None:
    with pytest.raises(SettingError, match="in a form that cannot be added to"):
        merge_profile(text, SPEC, SETTINGS)


def test_what_is_no_toml_is_refused() -> None:
    with pytest.raises(SettingError, match="it is no valid TOML"):
        merge_profile("repairs = \n", SPEC, SETTINGS)
