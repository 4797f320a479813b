"""`smolville prompt`: what it prints for people and for programs, and how it refuses."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from smolville.graphs.catalogue import STEPS
from smolville.lab.moments.moment import Moment
from smolville.prompts.folder import shipped_texts
from tests.cli.conftest import Command
from tests.fixtures.clumsy import clumsy, moments

__all__ = ["clumsy", "moments"]

HOUSE = Path(__file__).resolve().parents[2]
NAMES = [step.name for step in STEPS]
SHOES = "\nShoes: red"
SAY = shipped_texts()["say.jinja"].splitlines()
NOW = next(at for at, line in enumerate(SAY, 1) if "{{ now }}" in line)
"""The line of say.jinja that shows the hour."""
HEAVY = (
    *("chromadb", "onnxruntime", "tokenizers", "nicegui", "fastapi", "uvicorn"),
    *("langchain_openai", "langchain_ollama", "openai", "ollama"),
)
"""What takes long to import, and has no part in showing a prompt."""


@pytest.fixture
def town(clumsy: Path, tmp_path: Path) -> Command:
    """A command whose folder of runs has one with mistakes; only to be read."""
    return Command(clumsy, tmp_path)


@pytest.fixture
def repaired(moments: list[Moment]) -> str:
    """The id of a moment with two attempts, the second one after a repair message."""
    return next(
        each.id
        for each in moments
        if len(each.attempts) == 2 and '"assistant"' in each.attempts[1].call.messages
        if each.step not in ("say", "answer_interview")
    )


@pytest.fixture
def shoes(tmp_path: Path) -> str:
    """A folder with one edited partial."""
    (tmp_path / "shoes").mkdir()
    edited = shipped_texts()["_who.jinja"].rstrip("\n") + SHOES + "\n"
    (tmp_path / "shoes" / "_who.jinja").write_text(edited)
    return str(tmp_path / "shoes")


def test_all_templates_are_listed(town: Command) -> None:
    said, rows = town("prompt", "show"), town("prompt", "show", "--json").json
    assert [row["step"] for row in rows] == NAMES
    lines = said.out.splitlines()
    assert max(map(len, lines)) <= 100
    plan = rows[NAMES.index("plan_day")]
    assert f"  {plan['version']}  date requirement me memories" in said.out


def test_a_template_is_shown_as_it_is(town: Command, shoes: str) -> None:
    said = town("prompt", "show", "say")
    for text in (shipped_texts()["say.jinja"], shipped_texts()["_who.jinja"]):
        assert text.rstrip() in said.out
    for words in ("SayInput", "TalkMemory", "turns_left", "Answer with one JSON object."):
        assert words in said.out
    assert SHOES in town("prompt", "show", "say", "--prompts", shoes).out


def test_a_sample_is_rendered_with_the_tokens_of_its_sections(town: Command) -> None:
    told = town("prompt", "render", "say", "--json").json
    assert [message["role"] for message in told] == ["system", "user", "assistant", "user"]
    said = town("prompt", "render", "say").out
    assert all(message["content"] in said for message in told)
    head, _, parts = said.partition("[tokens by section, estimated]\n")
    total = head.partition("about ")[2].partition(" tokens")[0]
    rows = [row.split() for row in parts.splitlines()]
    assert [row[3:] for row in rows][:3] == [
        ["system", "rules"],
        ["system", "format"],
        ["system", "ABOUT", "YOU"],
    ]
    assert rows[-1] == [total, "100", "%", "whole", "prompt"]


def test_a_moment_is_rendered_and_compared_with_an_overlay(
    town: Command, repaired: str, shoes: str
) -> None:
    was = town("prompt", "render", repaired, "--json").json
    again = town("prompt", "render", repaired, "--attempt", "1", "--json").json
    assert again[: len(was)] == was
    assert [message["role"] for message in again[len(was) :]] == ["assistant", "user"]
    assert "templates: as it was" in town("prompt", "render", repaired).out
    now = town("prompt", "render", repaired, "--prompts", shoes, "--json").json
    assert now == [{**was[0], "content": was[0]["content"] + SHOES}, *was[1:]]
    said = town("prompt", "render", repaired, "--diff", shoes)
    assert said.code == 0 and "\n+Shoes: red\n" in said.out
    diff = town("prompt", "render", repaired, "--diff", shoes, "--json").json
    assert [line for line in diff if line[0] in "+-"] == ["+Shoes: red"]
    back = ("--prompts", shoes, "--diff", "shipped")
    assert "\n-Shoes: red\n" in town("prompt", "render", "say", *back).out
    assert "the same, to the letter" in town("prompt", "render", "say", "--diff", "shipped").out


def test_a_control_character_is_written_out(town: Command) -> None:
    Path("loud").mkdir()
    edited = shipped_texts()["_who.jinja"] + "\x1b[31mred\x07\n"
    Path("loud/_who.jinja").write_text(edited)
    for words in (
        ("render", "say", "--prompts", "loud"),
        ("render", "say", "--diff", "loud"),
        ("show", "say", "--prompts", "loud"),
    ):
        said = town("prompt", *words).out
        assert "\\x1b[31mred\\x07" in said and "\x1b" not in said


def test_a_folder_is_examined(town: Command, tmp_path: Path) -> None:
    assert town("prompt", "lint").code == 0
    (tmp_path / "mine").mkdir()
    text = shipped_texts()["say.jinja"]
    (tmp_path / "mine" / "say.jinja").write_text(text.replace("Rules:", "Rules: "))
    assert town("prompt", "lint", "mine").code == 0
    (tmp_path / "mine" / "say.jinja").write_text(text.replace("{{ now }}", "{{ nwo }}"))
    said = town("prompt", "lint", "mine")
    assert said.code == 1
    assert f"{NOW}  error  `nwo` does not exist (did you mean `now`?)" in said.out
    assert "1 file (mine): 2 errors, 0 warnings." in said.out
    told = town("prompt", "lint", "--prompts", "mine", "--json").json
    assert [each["kind"] for each in told["findings"]] == ["unknown", "unused"]
    assert town("prompt", "lint", "--num-ctx", "512").code == 1


def test_templates_are_copied_out(town: Command) -> None:
    said = town("prompt", "eject", "mine", "say")
    assert said.code == 0
    assert "Written into mine: say.jinja, _who.jinja" in said.out
    assert "smolville run --prompts mine" in said.out
    Path("mine/say.jinja").write_text("mine")
    again = town("prompt", "eject", "mine", "say")
    assert "Kept as edited: say.jinja (--overwrite replaces them)" in again.out
    told = town("prompt", "eject", "mine", "say", "--overwrite").out
    assert "Written into mine: say.jinja, _who.jinja" in told and "Kept" not in told


REFUSED = [
    (("show", "sya"), "There is no step 'sya' (did you mean `say`?). All: "),
    (("render", "sya"), "There is no step 'sya' (did you mean `say`?)"),
    (("render", "say", "--attempt", "1"), "--attempt belongs to a moment"),
    (("render", "clumsy/nobody"), "'clumsy/nobody' names no moment: "),
    (("render", "say", "--diff", "nowhere"), "There is no folder of templates 'nowher"),
    (("lint", "nowhere"), "There is no folder of templates 'nowhere'"),
    (("show", "--prompts", "nowhere"), "There is no folder of templates 'nowhere'"),
    (("eject", "mine", "sya"), "There is no step 'sya' (did you mean `say`?)."),
    (("lint", "--num-ctx", "1"), "'--num-ctx': it must be greater than or equal to 256."),
]


@pytest.mark.parametrize(("words", "sentence"), REFUSED)
def test_a_wrong_use_is_one_sentence(town: Command, words: tuple[str, ...], sentence: str) -> None:
    said = town("prompt", *words)
    assert said.code == 2
    assert sentence in said.err
    assert len(said.err.strip().splitlines()) == 1
    assert said.out == ""


AT = f"say.jinja, line {NOW}"
BROKEN = {
    "{{ nwo }}": f"{AT}: `nwo` does not exist (did you mean `now`?)",
    "{{ now": f"{AT}: ",
    "{{ me.nmae }}": f"{AT}: `PersonaInput` has no `nmae` (did you mean `name`?)",
    '{% include "_wo.jinja" %}': f"{AT}: there is no template _wo.jinja (did you mean",
}


@pytest.mark.parametrize("words", BROKEN)
def test_a_broken_template_is_refused_with_file_and_line(town: Command, words: str) -> None:
    Path("mine").mkdir()
    text = shipped_texts()["say.jinja"].replace("{{ now }}", words + " {{ now }}")
    Path("mine/say.jinja").write_text(text)
    said = town("prompt", "render", "say", "--prompts", "mine")
    assert (said.code, said.out) == (2, "")
    assert BROKEN[words] in said.err
    assert len(said.err.strip().splitlines()) == 1


def test_a_run_with_the_shipped_example_folder_works(smolville: Command) -> None:
    said = smolville.live("deutsch", "--for", "8h", "--quiet", "--prompts", "german")
    assert said.code == 0, said.err
    spec = json.loads((smolville.runs / "deutsch" / "run.json").read_text())
    shipped = {step.name: step.prompt.version for step in STEPS}
    changed = {name for name in shipped if spec["prompts"][name] != shipped[name]}
    assert changed == {"say", "answer_interview", "conclude_talk"}


def test_a_moment_loads_no_more_than_it_shows(town: Command, repaired: str) -> None:
    line = ["prompt", "render", repaired, "--runs", str(town.runs)]
    assert _loaded(line, (*HEAVY, "langchain_core", "langgraph", "jinja2")) == "[]"


def test_a_sample_loads_its_step_alone_and_no_graph() -> None:
    others = (
        "smolville.graphs.catalogue",
        "smolville.graphs.mind",
        "smolville.graphs.react",
    )
    names = (*HEAVY, *others, "langgraph.graph", "smolville.graphs.say")
    assert _loaded(["prompt", "render", "say"], names) == "['smolville.graphs.say']"


def _loaded(line: list[str], names: tuple[str, ...]) -> str:
    """Return which of these modules a command has imported, as a printed list."""
    code = (
        "import sys; from typer.testing import CliRunner; from smolville.cli.app import app;"
        f"assert CliRunner().invoke(app, {line!r}).exit_code == 0;"
        f"print([name for name in {names!r} if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=HOUSE, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()
