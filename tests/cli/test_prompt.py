"""`smolville prompt`: what it prints for people and for programs, and how it refuses."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from smolville.graphs.catalogue import STEPS
from smolville.prompts.folder import shipped_texts
from tests.cli.conftest import Command
from tests.fixtures.small_town import write_small_town

HOUSE = Path(__file__).resolve().parents[2]
NAMES = [step.name for step in STEPS]
SHOES = "\nShoes: red"
SAY = shipped_texts()["say.jinja"].splitlines()
NOW = next(at for at, line in enumerate(SAY, 1) if "{{ now }}" in line)
"""The line of say.jinja that shows the hour."""
HUMAN = SAY.index("{% block human %}") + 1
"""The line on which its last message begins."""
HEAVY = (
    *("chromadb", "onnxruntime", "tokenizers", "nicegui", "fastapi", "uvicorn"),
    *("langchain_openai", "langchain_ollama", "langchain_community", "openai", "ollama"),
)
"""What takes long to import, and has no part in showing a prompt."""


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Command:
    """A command whose folder holds the run `clumsy`, whose model made mistakes."""
    folder = tmp_path_factory.mktemp("clumsy")
    command = Command(folder / "runs", write_small_town(folder / "town"))
    words = ("--model", "standin:mistakes=0.5", "--cast", "2", "--for", "10h", "--quiet")
    said = command("run", "clumsy", "--town", str(command.town), *words)
    assert said.code == 0, said.err
    return command


@pytest.fixture
def repaired(town: Command) -> str:
    """The id of a moment with two attempts."""
    listed = town("moments", "clumsy", "--json").json
    found = (each["id"] for each in listed if each["attempts"] == 2)
    return str(next(found))


@pytest.fixture
def shoes(tmp_path: Path) -> str:
    """A folder with one edited partial."""
    (tmp_path / "shoes").mkdir()
    edited = shipped_texts()["_who.jinja"].rstrip("\n") + SHOES + "\n"
    (tmp_path / "shoes" / "_who.jinja").write_text(edited)
    return str(tmp_path / "shoes")


def test_the_group_explains_itself(town: Command) -> None:
    said = town("prompt")
    assert said.code == 2
    for command in ("list", "show", "render", "lint", "eject", "try", "eval", "judge"):
        assert f"\n  {command} " in said.err


def test_all_templates_are_listed(town: Command) -> None:
    said, rows = town("prompt", "list"), town("prompt", "list", "--json").json
    assert [row["step"] for row in rows] == NAMES
    plan = rows[NAMES.index("plan_day")]
    assert (plan["runs"], plan["uses"]) == (1, 2)
    assert plan["shares"].pop("odd") == 0
    assert sum(plan["shares"].values()) == pytest.approx(1)
    lines = said.out.splitlines()
    assert [line.split()[0] for line in lines if line[:1].isalpha()][1 : 1 + len(NAMES)] == NAMES
    assert max(map(len, lines[: 1 + 2 * len(NAMES)])) <= 100
    assert f"  {plan['version']}  date requirement me memories" in said.out


def test_a_template_is_shown_as_it_is(town: Command, shoes: str) -> None:
    said = town("prompt", "show", "say")
    for text in (shipped_texts()["say.jinja"], shipped_texts()["_who.jinja"]):
        assert text.rstrip() in said.out
    for words in ("SayInput", "Utterance", "turns_left", "`ends` is missing."):
        assert words in said.out
    assert SHOES in town("prompt", "show", "say", "--prompts", shoes).out
    assert town("prompt", "show", "say", "--json").json["answer_model"] == "Utterance"


def test_a_sample_is_rendered(town: Command) -> None:
    told = town("prompt", "render", "say", "--sample", "--json").json
    assert [message["role"] for message in told] == ["system", "user", "assistant", "user"]
    said = town("prompt", "render", "say", "--sample").out
    assert all(message["content"] in said for message in told)
    other = town("prompt", "render", "say", "--other", "--json").json
    assert "You are Milo Varga" in other[0]["content"]


def test_a_moment_is_rendered_as_its_own_record_has_it(town: Command, repaired: str) -> None:
    first = town("prompt", "render", "--moment", repaired, "--json").json
    again = town("prompt", "render", "--moment", repaired, "--attempt", "1", "--json").json
    assert again[: len(first)] == first
    assert [message["role"] for message in again[len(first) :]] == ["assistant", "user"]
    assert "templates: as it was" in town("prompt", "render", "--moment", repaired).out


def test_an_overlay_is_rendered_and_compared(town: Command, repaired: str, shoes: str) -> None:
    was = town("prompt", "render", "--moment", repaired, "--json").json
    now = town("prompt", "render", "--moment", repaired, "--prompts", shoes, "--json").json
    assert now == [{**was[0], "content": was[0]["content"] + SHOES}, *was[1:]]
    said = town("prompt", "render", "--moment", repaired, "--diff", shoes)
    assert said.code == 0
    assert "\n+Shoes: red\n" in said.out
    (system, human) = town("prompt", "render", "--moment", repaired, "--diff", shoes, "--json").json
    assert system["diff"][-1] == "+Shoes: red" and human["diff"] == []
    back = ("--prompts", shoes, "--diff", "shipped")
    assert "\n-Shoes: red\n" in town("prompt", "render", "say", "--sample", *back).out
    same = town("prompt", "render", "say", "--sample", "--diff", "shipped")
    assert "the same, to the letter" in same.out


def test_a_control_character_is_written_out(town: Command) -> None:
    Path("loud").mkdir()
    edited = shipped_texts()["_who.jinja"] + "\x1b[31mred\x07\n"
    Path("loud/_who.jinja").write_text(edited)
    for words in (
        ("render", "say", "--sample", "--prompts", "loud"),
        ("render", "say", "--sample", "--diff", "loud"),
        ("show", "say", "--prompts", "loud"),
    ):
        said = town("prompt", *words).out
        assert "\\x1b[31mred\\x07" in said and "\x1b" not in said
    told = town("prompt", "render", "say", "--sample", "--prompts", "loud", "--json").json
    assert "\x1b[31mred\x07" in told[0]["content"]


def test_a_folder_is_examined(town: Command, tmp_path: Path) -> None:
    assert town("prompt", "lint").code == 0
    (tmp_path / "mine").mkdir()
    mine = "mine"
    text = shipped_texts()["say.jinja"]
    (tmp_path / "mine" / "say.jinja").write_text(text.replace("Rules:", "Rules: "))
    assert town("prompt", "lint", mine).code == 0
    assert town("prompt", "lint", mine, "--strict").code == 1
    (tmp_path / "mine" / "say.jinja").write_text(text.replace("{{ now }}", "{{ nwo }}"))
    said = town("prompt", "lint", mine)
    assert said.code == 1
    assert f"{NOW}  error  `nwo` does not exist (did you mean `now`?)" in said.out
    assert "1 file (" in said.out and "2 errors, 0 warnings." in said.out
    told = town("prompt", "lint", mine, "--json").json
    assert [(each["kind"], each["line"]) for each in told["findings"]] == [
        ("unknown", NOW),
        ("unused", HUMAN),
    ]
    assert town("prompt", "lint", "--prompts", mine).code == 1
    assert town("prompt", "lint", "--num-ctx", "512").code == 1


def test_templates_are_copied_out(town: Command) -> None:
    said = town("prompt", "eject", "mine", "say")
    assert said.code == 0
    assert "Written into mine: say.jinja, _who.jinja" in said.out
    assert "smolville run --prompts mine" in said.out
    Path("mine/say.jinja").write_text("mine")
    again = town("prompt", "eject", "mine", "say")
    assert "kept as edited: say.jinja (--overwrite replaces them)" in again.out
    told = town("prompt", "eject", "mine", "say", "--overwrite", "--json").json
    assert (told["written"], told["same"]) == (["say.jinja"], ["_who.jinja"])


REFUSED = [
    (("show", "sya"), "There is no step 'sya'; did you mean say? All: conclude_talk,"),
    (("render", "sya", "--sample"), "There is no step 'sya'; did you mean say?"),
    (("render",), "Say what to render: STEP --sample, or --moment ID."),
    (("render", "say"), "Say what to render: STEP --sample, or --moment ID."),
    (("render", "say", "--sample", "--attempt", "1"), "--attempt belongs to --moment"),
    (("render", "--moment", "nobody"), "'nobody' names no moment: "),
    (("render", "say", "--sample", "--diff", "nowhere"), "There is no folder of templates 'nowher"),
    (("lint", "nowhere"), "There is no folder of templates 'nowhere'"),
    (("list", "--prompts", "nowhere"), "There is no folder of templates 'nowhere'"),
    (("eject", "mine", "sya"), "There is no step 'sya' (did you mean `say`?)."),
    (("lst",), "No such command 'lst'. Did you mean 'list'? (smolville prompt --help says more.)"),
    (("lint", "--num-ctx", "1"), "'--num-ctx': it must be greater than or equal to 256."),
]


@pytest.mark.parametrize(("words", "sentence"), REFUSED)
def test_a_wrong_use_is_one_sentence(town: Command, words: tuple[str, ...], sentence: str) -> None:
    said = town("prompt", *words)
    assert said.code == 2
    assert sentence in said.err
    assert len(said.err.strip().splitlines()) == 1
    assert said.out == ""


def test_a_moment_of_another_step_is_refused(town: Command, repaired: str) -> None:
    step = next(
        each["step"] for each in town("moments", "clumsy", "--json").json if each["id"] == repaired
    )
    other = "say" if step != "say" else "react"
    said = town("prompt", "render", other, "--moment", repaired)
    assert (said.code, said.out) == (2, "")
    assert said.err.strip() == f"The moment {repaired} is of {step}, not of {other}."
    both = town("prompt", "render", step, "--moment", repaired, "--sample")
    assert (both.code, "give one." in both.err) == (2, True)


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
    said = town("prompt", "render", "say", "--sample", "--prompts", "mine")
    assert (said.code, said.out) == (2, "")
    assert BROKEN[words] in said.err
    assert len(said.err.strip().splitlines()) == 1


def test_a_run_with_the_shipped_example_folder_works(smolville: Command) -> None:
    said = smolville.live("deutsch", "--for", "9h", "--quiet", "--prompts", "german")
    assert said.code == 0, said.err
    spec = json.loads((smolville.runs / "deutsch" / "run.json").read_text())
    shipped = {step.name: step.prompt.version for step in STEPS}
    changed = {name for name in shipped if spec["prompts"][name] != shipped[name]}
    assert changed == {"say", "answer_interview", "conclude_talk"}


@pytest.mark.parametrize(
    ("words", "is_without"),
    [((), (*HEAVY, "langchain_core", "langgraph", "jinja2")), (("--prompts", "german"), HEAVY)],
    ids=["as-it-was", "by-another-folder"],
)
def test_render_loads_no_more_than_it_shows(
    town: Command, repaired: str, words: tuple[str, ...], is_without: tuple[str, ...]
) -> None:
    line = ["prompt", "render", "--moment", repaired, *words, "--runs", str(town.runs)]
    assert _loaded(line, is_without) == "[]"


def test_a_sample_loads_its_step_alone_and_no_graph() -> None:
    others = (
        "smolville.graphs.catalogue",
        "smolville.graphs.mind",
        "smolville.graphs.react",
        "langgraph.runtime",
    )
    line = ["prompt", "render", "say", "--sample"]
    assert _loaded(line, (*HEAVY, *others, "langgraph.graph", "langgraph_sdk")) == "[]"
    assert _loaded(line, ("smolville.graphs.say",)) == "['smolville.graphs.say']"


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
