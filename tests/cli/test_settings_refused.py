"""Settings that cannot be are refused in one sentence that says where they stand."""

import pytest

from smolville.cli.settings.choosing import choose
from tests.cli.set import refused, write

KEY = "sk-distinctive-0123456789"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('modl = "standin"', "There is no setting 'modl' (smolville.toml): did you mean"),
        ("seed = 1\n\nsede = 2", "(smolville.toml): did you mean seed"),
        ("zzz = 2", "There is no setting 'zzz' (smolville.toml): `smolville settings`"),
        ("[steps.sai]\ntier = 'fast'", "There is no step 'sai' (smolville.toml): did you"),
        (
            "[steps.say]\nteir = 'fast'",
            "The step 'say' has no setting 'teir' (smolville.toml): did",
        ),
        ("num_ctx = 'many'", "num_ctx (smolville.toml) cannot be 'many': write a whole"),
        ("seed = true", "seed (smolville.toml) cannot be true: write a whole number"),
        ("top_p = nan", "top_p (smolville.toml) cannot be nan"),
        ("examples = 99", "cannot be 99: write auto or a whole number, 0 to 10"),
        ("stop = 'a'\ntick = 0", "tick (smolville.toml) cannot be 0"),
        ("steps = 3", "steps (smolville.toml) cannot be 3: write tables such as"),
        ("[steps]\nsay = 3", "steps.say (smolville.toml) cannot be 3: write a table"),
        ("[steps.say]\ntier = 'x'", "steps.say.tier (smolville.toml) cannot be 'x': write"),
        ("steps.say.tier = 'x'", "steps.say.tier (smolville.toml) cannot be 'x'"),
        ("keep_alive = '5 minutes'", "cannot be '5 minutes': write a length of time such as"),
        ("model = 'olama:m'", "Did you mean ollama:m? It stands in model (smolville.toml)."),
        ("embedder = 'olama:m'", "It stands in embedder (smolville.toml)."),
        ("model = []", "model (smolville.toml) cannot be []"),
        ("model = ['nonsense']", "It stands in model (smolville.toml)."),
        ("seed = ", "'smolville.toml' cannot be read: Invalid value (at end of document)"),
    ],
)
def test_what_cannot_be_is_told_with_its_place(text: str, said: str) -> None:
    write(text)
    assert said in refused()


@pytest.mark.parametrize(
    ("variable", "value", "said"),
    [
        ("SMOLVILLE_MODLE", "standin", "no setting 'SMOLVILLE_MODLE': did you mean SMOLVILLE_MOD"),
        ("SMOLVILLE_NUM_CTX", "many", "SMOLVILLE_NUM_CTX cannot be 'many': write a whole number"),
        ("SMOLVILLE_STEPS__SAI__TIER", "fast", "There is no step 'sai': did you mean say?"),
        ("SMOLVILLE_STEPS__SAY__TIER", "x", "SMOLVILLE_STEPS__SAY__TIER cannot be 'x': write fast"),
        ("SMOLVILLE_STEPS", "say", "for example SMOLVILLE_STEPS__SAY__TIER=strong"),
    ],
)
def test_a_variable_that_cannot_be_is_told(
    variable: str, value: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, value)
    assert said in refused()


def test_other_programs_variables_are_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SMOLVILLE_HEADLESS")
    monkeypatch.setenv("SMOLVILLE_TRACEBACK", "1")
    monkeypatch.setenv("SMOLVILLE_SOMEWHERE_ELSE", "1")
    write("OTHER=1\nexport MORE='two words'\n# SMOLVILLE_NOTHING=1\n", ".env")
    assert choose().origins == {}


def test_a_line_of_dotenv_that_cannot_be_is_told() -> None:
    write("OTHER=1\nSMOLVILLE_SEEED=3\n", ".env")
    assert "no setting 'SMOLVILLE_SEEED' (.env): did you mean SMOLVILLE_SEED" in refused()
    write("OTHER=1\nSMOLVILLE_SEED=x\n", ".env")
    assert "SMOLVILLE_SEED (.env) cannot be 'x'" in refused()


def test_a_flag_that_cannot_be_is_told() -> None:
    assert refused(examples="some") == (
        "--set examples cannot be 'some': write auto or a whole number, 0 to 10."
    )
    assert "It stands in" not in refused(model="olama:m")


def test_a_key_is_never_part_of_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    write(f"api_key = ['{KEY}']\n")
    assert KEY not in refused()
    write(f"model = ['{KEY}']\n")
    assert KEY not in refused()
    write("")
    monkeypatch.setenv("SMOLVILLE_API_KEY", KEY)
    assert KEY not in repr(choose())
