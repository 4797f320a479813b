"""`smolville new`: a copy of the town, and people written whole or not at all."""

import os
import signal
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from smolville.prompts.making import FOLDER
from smolville.world.town.town import Town, shipped_town
from tests.cli.conftest import Command, Said
from tests.fixtures.loopback import serve
from tests.fixtures.waiting import until
from tests.fixtures.warm import warm
from tests.world.test_making import write_village

HOUSE = Path(__file__).resolve().parents[2]
MAIN = "from smolville.cli.main import main; main()"
STANDIN = ("--model", "standin")


def texts_of(folder: Path) -> dict[str, bytes]:
    """Path inside a folder to contents, of every file."""
    paths = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def made(smolville: Command, *words: str) -> Said:
    """Add Ola Berg to a village, which is written unless it is there."""
    if not Path("village").exists():
        write_village(Path("village"))
    add = ("new", "persona", "--town", "village", "--name", "Ola Berg", "--memories", "5")
    return smolville(*add, *STANDIN, *words)


def test_the_shipped_town_is_copied_whole_and_never_changed(smolville: Command) -> None:
    said = smolville("new", "town", "mine")
    assert said.code == 0, said.err
    assert "  smolville new persona --town mine" in said.out.splitlines()
    copied = texts_of(Path("mine"))
    assert copied == {
        name: text for name, text in texts_of(shipped_town()).items() if "__" not in name
    }
    again = smolville("new", "town", "mine")
    assert again.code == 2 and again.err.startswith("'mine' exists; name a folder")
    said = smolville("new", "persona", "--town", str(shipped_town()), *STANDIN)
    assert said.code == 2 and "copy it first: smolville new town DIR" in said.err


def test_somebody_is_added_and_lives(smolville: Command) -> None:
    said = made(smolville, "--about", "a retired sailor")
    assert said.code == 0, said.err
    lines = said.out.splitlines()
    assert lines[0].startswith("person  Ola Berg, ") and "a retired sailor" in lines[0]
    heads = [line.split()[0] for line in lines]
    assert heads.count("bond") == heads.count("says") == 3
    assert lines[-3:] == [
        "7 answers: 7 at once, 0 repaired, 0 fallbacks.",
        "Ola Berg lives in village. Go on with:",
        "  smolville run --town village --agents 'Ola Berg,Ada Brook,Cora Vance,Ben Hollis'",
    ]
    town = Town.load(Path("village"))
    assert len(town.history["Ola Berg"]) == 5 == len(set(town.history["Ola Berg"]))
    stays = texts_of(Path("village"))
    again = made(smolville)
    assert again.code == 2 and "Ola Berg lives in 'village' already" in again.err
    assert texts_of(Path("village")) == stays
    assert "is in order: 4 people" in smolville("town", "village").out
    begun = ("run", "first", "--town", "village", "--agents", "Ola Berg,Ada Brook", *STANDIN)
    lived = smolville(*begun, "--for", "9h", "--quiet")
    assert lived.code == 0, lived.err
    assert "lived up to Monday 6 May, 09:00" in lived.out


def test_templates_of_ones_own_are_used_and_checked(smolville: Command) -> None:
    write_village(Path("village"))
    text = (FOLDER / "parts.toml").read_text(encoding="utf-8")
    Path("mine").mkdir()
    Path("mine", "parts.toml").write_text(
        text.split("[bonds]")[0] + '[bonds]\ntwins = "{me} is the twin of {other}."\n'
    )
    own = made(smolville, "--templates", "mine")
    assert own.code == 0 and own.out.count(": twins") == 3


@pytest.mark.parametrize(
    ("file", "old", "new", "sentence"),
    [
        ("tell_bond.jinja", "{{ text_list(bonds) }}", "", "nothing shows `bonds`"),
        ("tell_story.jinja", "{{ about }}", "{{ abuot }}", "line 24: `abuot` does not"),
        ("tell_story.jinja", "{% block human %}", "", "tell_story.jinja, line "),
        ("tell_bond.jinja", '"_person.jinja"', '"_who.jinja"', "there is no template _who.jinja"),
        ("parts.toml", "{other} plays chess with {me}.", "Chess.", "`bonds.chess partners` is"),
        ("parts.toml", '"I collect"', '"You collect"', "`beginnings` is 'You collect': write"),
    ],
)
def test_a_template_with_a_missing_part_is_named(
    smolville: Command, file: str, old: str, new: str, sentence: str
) -> None:
    text = (FOLDER / file).read_text(encoding="utf-8")
    assert old in text
    Path("mine").mkdir()
    Path("mine", file).write_text(text.replace(old, new, 1), encoding="utf-8")
    said = made(smolville, "--templates", "mine")
    assert said.code == 2 and len(said.err.splitlines()) == 1
    assert sentence in said.err and file in said.err
    assert not Path("village", "personas", "ola_berg.toml").exists()


def test_a_folder_of_templates_that_is_none_says_what_to_do(smolville: Command) -> None:
    said = made(smolville, "--templates", "nowhere")
    assert said.code == 2 and "copy those that you want to change from" in said.err
    Path("mine").mkdir()
    Path("mine", "tell_storey.jinja").write_text("{# x #}", encoding="utf-8")
    said = made(smolville, "--templates", "mine")
    assert "nothing uses tell_storey.jinja (did you mean `tell_story.jinja`?)" in said.err


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("town", "file.txt"), "'file.txt' exists; name a folder"),
        (("town", "file.txt/x"), "'file.txt/x' cannot be written"),
        (("persona", "--town", "nowhere"), "There is no town 'nowhere': no such folder."),
        (("persona", "--town", "TOWN", "--about", "y" * 300), "--about has 300 characters"),
        (("persona", "--town", "TOWN", "--name", "Ola"), "--name is 'Ola': give a first name"),
        (("persona", "--town", "TOWN", "--name", "O/../a B"), "give a first name and a family"),
        (("persona", "--town", "TOWN", "--name", "Ada Brook"), "lives in"),
        (("persona", "--town", "TOWN"), "Every bedroom of Smalltown is taken."),
    ],
)
def test_bad_input_is_one_sentence(
    smolville: Command, words: tuple[str, ...], sentence: str
) -> None:
    Path("file.txt").write_text("mine", encoding="utf-8")
    before = texts_of(smolville.town)
    named = [str(smolville.town) if word == "TOWN" else word for word in words]
    said = smolville("new", *named, *(STANDIN if words[0] == "persona" else ()))
    assert said.code == 2 and sentence in said.err
    assert len(said.err.splitlines()) == 1 and "Traceback" not in said.err
    assert texts_of(smolville.town) == before
    assert Path("file.txt").read_text(encoding="utf-8") == "mine"


async def never(request: Request) -> JSONResponse:
    """Wait for a client that goes away."""
    if request.method == "GET":
        return JSONResponse({"data": [{"id": "m"}]})
    while not await request.is_disconnected():
        await request.receive()
    return JSONResponse({})


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL], ids=["term", "kill"])
def test_a_killed_command_leaves_nothing(smolville: Command, how: signal.Signals) -> None:
    asked: list[str] = []

    async def hear(request: Request) -> JSONResponse:
        asked.append(request.method)
        return await never(request)

    before = texts_of(write_village(Path("village")))
    app = Starlette(routes=[Route("/{path:path}", hear, methods=["GET", "POST"])])
    with serve(app) as url:
        add = ("new", "persona", "--town", "village", "--model", f"openai:{url}/v1#m")
        environment = {**os.environ, "PYTHONPATH": str(HOUSE / "src")}
        with warm(["-c", MAIN, *add], Path.cwd(), environment) as process:
            until(lambda: "POST" in asked or process.returncode is not None, "a question")
            process.send_signal(how)
            assert process.wait() == (130 if how == signal.SIGTERM else -how)
    assert texts_of(Path("village")) == before
