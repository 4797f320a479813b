"""`smolville new`: towns and people from templates and a model, written whole or not at all."""

import os
import signal
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from smolville.world.town.town import Town, shipped_town
from tests.cli.conftest import Command, Said
from tests.fixtures.loopback import serve
from tests.fixtures.waiting import until
from tests.fixtures.warm import warm
from tests.world.making.made import texts_of

HOUSE = Path(__file__).resolve().parents[2]
MAIN = "from smolville.cli.main import main; main()"
STANDIN = ("--model", "standin")


def made(smolville: Command, folder: str = "village", *words: str) -> Said:
    """Make a town of three with the stand-in."""
    small = ("--people", "3", "--memories", "3")
    return smolville("new", "town", folder, *small, *STANDIN, *words)


def test_a_new_town_is_in_order_and_lives(smolville: Command) -> None:
    said = made(smolville, "village", "--about", "a fishing village")
    assert said.code == 0, said.err
    lines = said.out.splitlines()
    assert lines[0].startswith("model   standin")
    heads = [line.split()[0] for line in lines]
    assert heads.count("person") == 3 and heads.count("place") == 3 and heads.count("bond") == 3
    assert lines[-4] == "17 answers: 17 at once, 0 repaired, 0 fallbacks."
    assert lines[-2:] == [
        "  smolville town village",
        "  smolville run --town village --cast 3",
    ]
    assert "is in order: 3 people" in smolville("town", "village").out
    begun = ("run", "first", "--town", "village", "--cast", "3", *STANDIN)
    lived = smolville(*begun, "--for", "9h", "--quiet")
    assert lived.code == 0, lived.err
    assert "lived up to Monday 6 May, 09:00" in lived.out
    assert " 0.0 % fallback;" in lived.out


def test_the_same_call_writes_the_same_files(smolville: Command) -> None:
    assert made(smolville).code == made(smolville, "other").code == 0
    assert texts_of(Path("village")) == texts_of(Path("other"))
    refused = made(smolville)
    assert refused.code == 2
    assert refused.err == (
        "'village' is a town already; add --overwrite to replace it, or name another folder.\n"
    )
    assert made(smolville, "village", "--overwrite", "--seed", "7").code == 0
    assert texts_of(Path("village")) != texts_of(Path("other"))


def test_somebody_is_added_to_a_town_of_ones_own(smolville: Command) -> None:
    made(smolville)
    before = Town.load(Path("village")).personas
    words = ("new", "persona", "--town", "village", "--name", "Ola Berg", *STANDIN)
    said = smolville(*words, "--about", "a retired sailor", "--memories", "5")
    assert said.code == 0, said.err
    assert "person  Ola Berg, " in said.out and "a retired sailor" in said.out
    for name in before:
        assert f"says    {name}: " in said.out
    town = Town.load(Path("village"))
    assert len(town.history["Ola Berg"]) == 5 == len(set(town.history["Ola Berg"]))
    assert all("Ola Berg" in town.personas[name].relationships for name in before)
    stays = texts_of(Path("village"))
    again = smolville(*words)
    assert again.code == 2 and "Ola Berg lives in 'village' already" in again.err
    assert texts_of(Path("village")) == stays
    same = smolville(*words, "--about", "a retired sailor", "--memories", "5", "--overwrite")
    assert same.code == 0 and texts_of(Path("village")) == stays


def test_nothing_is_copied_for_somebody_of_whom_nothing_is_said(
    smolville: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = smolville("new", "persona", *STANDIN)
    assert said.code == 2
    assert said.err.startswith("Say who is to be added (--name or --about) or to which town (--t")
    monkeypatch.setattr("smolville.cli.screen.is_at_terminal", lambda: True)
    said = smolville("new", "persona", *STANDIN, stdin="n\n")
    assert said.code == 1
    assert "Copy the shipped town into smolville, and add an invented person? [y/N]" in said.out
    assert not Path("smolville").exists()


def test_the_shipped_town_is_copied_and_never_changed(smolville: Command) -> None:
    shipped = texts_of(shipped_town())
    said = smolville("new", "persona", "--name", "Ola Berg", *STANDIN)
    assert said.code == 0, said.err
    assert said.out.startswith("The shipped town stays as it is: its copy will lie in smolville.")
    assert texts_of(shipped_town()) == shipped
    assert "Ola Berg" in Town.load(Path("smolville")).personas
    assert "26 people" in smolville("town", "smolville").out
    again = smolville("new", "persona", "--town", str(shipped_town()), *STANDIN)
    assert again.code == 2 and "to add to what is there: --town smolville" in again.err


def test_templates_of_ones_own_are_used_whole_and_checked(smolville: Command) -> None:
    assert smolville("new", "templates", "mine").code == 0
    plain = made(smolville, "plain")
    same = made(smolville, "same", "--templates", "mine")
    assert (plain.code, same.code) == (0, 0)
    assert texts_of(Path("plain")) == texts_of(Path("same"))
    parts = Path("mine", "parts.toml")
    text = parts.read_text(encoding="utf-8")
    parts.write_text(text.replace('"Fern Cottage"', '"Snail House"'), encoding="utf-8")
    for path in Path("mine").glob("*.jinja"):
        path.unlink()
    own = made(smolville, "own", "--templates", "mine")
    assert own.code == 0 and "Snail House: bedroom" in own.out
    assert smolville("new", "templates", "mine").code == 2


@pytest.mark.parametrize(
    ("file", "old", "new", "sentence"),
    [
        ("tell_bond.jinja", "{{ text_list(bonds) }}", "", "nothing shows `bonds`"),
        ("invent_town.jinja", "{{ season }}", "{{ saison }}", "line 16 uses `saison`"),
        ("tell_story.jinja", "{% block human %}", "", "tell_story.jinja, line "),
        ("tell_bond.jinja", '"_person.jinja"', '"_who.jinja"', "there is no template _who.jinja"),
        ("parts.toml", 'job = "a baker"\n', "", "`kinds.job` is missing."),
    ],
)
def test_a_template_with_a_missing_part_is_named(
    smolville: Command, file: str, old: str, new: str, sentence: str
) -> None:
    smolville("new", "templates", "mine")
    path = Path("mine", file)
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    said = made(smolville, "village", "--templates", "mine")
    assert said.code == 2 and len(said.err.splitlines()) == 1
    assert sentence in said.err and file in said.err
    assert not Path("village").exists()


def test_a_folder_of_templates_that_is_none_says_what_to_do(smolville: Command) -> None:
    said = made(smolville, "village", "--templates", "nowhere")
    assert said.code == 2 and "`smolville new templates nowhere` writes the shipped" in said.err
    Path("empty").mkdir()
    assert "holds none of these files" in made(smolville, "v", "--templates", "empty").err
    Path("empty", "tell_storey.jinja").write_text("{# x #}", encoding="utf-8")
    said = made(smolville, "v", "--templates", "empty")
    assert "nothing uses tell_storey.jinja (did you mean `tell_story.jinja`?)" in said.err


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("town", "x", "--people", "0"), "Invalid value for '--people'"),
        (("town", "x", "--about", "y" * 300), "--about has 300 characters; write 200 at most."),
        (("town", "file.txt"), "'file.txt' exists and is no town"),
        (("town", "file.txt/x"), "'file.txt/x' cannot be written: 'file.txt' is no folder."),
        (("persona", "--town", "nowhere"), "There is no town 'nowhere': no such folder."),
        (("persona", "--town", "TOWN", "--name", "Ola"), "--name is 'Ola': give a first name"),
        (("persona", "--town", "TOWN", "--name", "O/../a B"), "give a first name and a family"),
        (("persona", "--town", "TOWN", "--name", "ada brook"), "--name is 'ada brook'"),
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
    said = smolville("new", *named, *STANDIN)
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

    made(smolville)
    before = texts_of(Path("village"))
    app = Starlette(routes=[Route("/{path:path}", hear, methods=["GET", "POST"])])
    with serve(app) as url:
        model = ("--model", f"openai:{url}/v1#m")
        for words in (("town", "other"), ("persona", "--town", "village")):
            asked.clear()
            line = ["-c", MAIN, "new", *words, *model]
            environment = {**os.environ, "PYTHONPATH": str(HOUSE / "src")}
            with warm(line, Path.cwd(), environment) as process:
                until(lambda: "POST" in asked or process.returncode is not None, "a question")
                process.send_signal(how)
                assert process.wait() == (130 if how == signal.SIGTERM else -how)
    assert not Path("other").exists()
    assert texts_of(Path("village")) == before
    hidden = [path for path in Path.cwd().rglob(".*") if path.name.startswith(".new")]
    assert hidden == []
