"""`smolville new town` and `persona`: copy the town, add a person."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from smolville.cli.prompt.again import ModelOptions
    from smolville.world.making import Maker, NewResident
    from smolville.world.town.town import Town

MOST_ABOUT = 200
"""Maximum length of a description in characters, since it is shown with many questions."""
WIDTH = 8
"""Width of the column that says what was made."""

Goal = Annotated[Path, typer.Argument(metavar="DIR", help="The folder to create.")]
TownFolder = Annotated[
    Path,
    typer.Option("--town", metavar="DIR", help="The town to add to; see `smolville new town`."),
]
Name = Annotated[
    str, typer.Option(metavar="NAME", help="First and family name; invented by default.")
]
About = Annotated[
    str, typer.Option(metavar="TEXT", help='What the person is like, such as "a retired sailor".')
]
Memories = Annotated[
    int, typer.Option(metavar="N", min=1, max=50, help="Number of memories from before day 1.")
]
Model = Annotated[
    str | None,
    typer.Option(
        metavar="SPEC",
        help="The model to ask, written as for `smolville run`; default: the one `run` uses.",
    ),
]
Seed = Annotated[
    int | None, typer.Option(metavar="N", help="The random seed; another one gives other answers.")
]
Templates = Annotated[
    Path | None,
    typer.Option(
        metavar="DIR",
        help="A folder with templates and parts of your own, over the shipped ones.",
    ),
]


def new_town(folder: Goal) -> None:
    """Copy the shipped town into a folder, to be changed.

    Everything in it is text to edit: people, places, memories, rules. The map opens in Tiled.
    """
    import shlex
    import shutil

    from smolville.agents.errors import RunError, TownError
    from smolville.cli.screen import say
    from smolville.world.town.town import shipped_town

    if folder.exists():
        raise RunError(f"{str(folder)!r} exists; name a folder that does not exist yet.")
    try:
        shutil.copytree(shipped_town(), folder, ignore=shutil.ignore_patterns("__*"))
    except BaseException as error:
        shutil.rmtree(folder, ignore_errors=True)
        if isinstance(error, OSError):
            raise TownError(f"{str(folder)!r} cannot be written.") from error
        raise
    say(f"The town lies in {folder}. Its files are yours to read and edit. Go on with:")
    say(f"  smolville town {shlex.quote(str(folder))}")
    say(f"  smolville new persona --town {shlex.quote(str(folder))}")


def new_persona(
    context: typer.Context,
    town: TownFolder,
    name: Name = "",
    about: About = "",
    memories: Memories = 8,
    model: Model = None,
    seed: Seed = None,
    templates: Templates = None,
) -> None:
    """Add a person to a town: a file, memories, and relationships that both sides know.

    A model says who the person is, one small question at a time; code finds a bed and work, and
    checks every answer. The same arguments, model and seed give the same files.
    """
    import shlex
    from dataclasses import replace

    from smolville.agents.errors import RunError, SettingError
    from smolville.agents.wording import one_line
    from smolville.cli.prompt.again import means
    from smolville.cli.screen import say
    from smolville.parsers.making import check_person_name
    from smolville.world.making import check_free
    from smolville.world.town.town import Town, shipped_town

    if town.resolve() == shipped_town().resolve():
        raise RunError("The shipped town is never changed; copy it first: smolville new town DIR")
    name, about = " ".join(name.split()), " ".join(one_line(about).split()).rstrip(".")
    if name and check_person_name(name):
        raise SettingError(
            f"--name is {name!r}: give a first name and a family name, with capitals, of letters."
        )
    if len(about) > MOST_ABOUT:
        raise SettingError(f"--about has {len(about)} characters; write {MOST_ABOUT} at most.")
    place = Town.load(town)
    check_free(place, name)
    how = means(context, [model] if model else [])
    strong = how.chosen.values.strong
    if strong is not None and not model:
        how = replace(how, models=(strong,))
    number = how.chosen.values.seed if seed is None else seed
    maker, made = _settle(how, number, templates, place, name, about, memories)
    _write(town, made)
    for path in made.texts:
        _tell("wrote", str(town / path))
    for other, told in made.told.items():
        _tell("says", f"{other}: {told}")
    say(maker.describe_outcomes(), "dim")
    say(f"{made.name} lives in {town}. Go on with:")
    folder, names = shlex.quote(str(town)), ",".join((made.name, *made.told))
    say(f"  smolville run --town {folder} --agents {shlex.quote(names)}")


def _settle(
    how: "ModelOptions",
    seed: int,
    templates: Path | None,
    town: "Town",
    name: str,
    about: str,
    memories: int,
) -> "tuple[Maker, NewResident]":
    """Ask the model for a person, after its templates were checked."""
    from dataclasses import replace

    from smolville.agents.errors import StoppedError
    from smolville.cli.prompt.again import run_and_close
    from smolville.cli.screen import every_minute, say_waiting
    from smolville.graphs.loop.ledger import MemoryJournal
    from smolville.graphs.loop.model_client import ModelClient
    from smolville.graphs.making.steps import check_making_templates
    from smolville.lab.single_step import reason_of
    from smolville.prompts.making import making_texts
    from smolville.prompts.prompt import TemplateBook
    from smolville.world.making import Maker, read_parts, settle

    texts = making_texts(templates)
    parts, book = read_parts(texts), TemplateBook(check_making_templates(texts))
    chat = how.open_chats(seed)[0]
    client = ModelClient(
        fast=chat,
        strong=chat,
        journal=MemoryJournal(),
        seed=seed,
        rules=replace(how.rules, strict=False, examples=0),
        templates=book,
        backoff=how.backoff,
        waiting=say_waiting,
    )
    maker = Maker(client=client, parts=parts, tell=_tell)

    with every_minute(lambda: "waiting for the model"):
        try:
            work = settle(maker, town, name=name, about=about, memories=memories)
            return maker, run_and_close(work, [chat])
        except StoppedError as error:
            raise reason_of(error) from None


def _write(town: Path, made: "NewResident") -> None:
    """Replace all files that change because of a new person, once all of them are written."""
    from contextlib import ExitStack

    from smolville.lab.safe_files import written_whole

    with ExitStack() as written:
        # Left in reverse order: the person's own file is the first to get its name.
        for name in reversed(made.texts):
            draft = written.enter_context(written_whole(town / name))
            draft.write_text(made.texts[name], encoding="utf-8")


def _tell(what: str, text: str) -> None:
    from smolville.cli.screen import console
    from smolville.lab.styled import Text

    console().print(Text.assemble((f"{what:<{WIDTH}}", "dim"), text), soft_wrap=True)
