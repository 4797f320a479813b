"""`smolville new town|persona|templates`: make a town, add a person, or copy the templates."""

from pathlib import Path
from typing import Annotated

import typer

from smolville.cli.options import settings_file

MOST_PEOPLE, MOST_MEMORIES, MEMORIES = 25, 50, 8
MOST_ABOUT = 200
"""Maximum length of a description in characters, since it is shown with many questions."""

Goal = Annotated[Path, typer.Argument(metavar="DIR", help="The folder to create.")]
People = Annotated[
    int,
    typer.Option(metavar="N", min=1, max=MOST_PEOPLE, help="The number of people who live there."),
]
About = Annotated[
    str, typer.Option(metavar="TEXT", help='The kind of town, such as "a fishing village".')
]
WhoAbout = Annotated[
    str,
    typer.Option(
        "--about", metavar="TEXT", help='What the person is like, such as "a retired sailor".'
    ),
]
Memories = Annotated[
    int,
    typer.Option(
        metavar="N", min=1, max=MOST_MEMORIES, help="Number of memories that each person has."
    ),
]
Name = Annotated[
    str, typer.Option(metavar="NAME", help="First and family name; invented by default.")
]
TownFolder = Annotated[
    Path | None,
    typer.Option(
        "--town",
        metavar="DIR",
        help="The town to add to; default: a copy of the shipped one, made in this folder.",
    ),
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
        help="A folder with your own templates and parts; see `smolville new templates`.",
    ),
]
Overwrite = Annotated[
    bool, typer.Option("--overwrite", help="Replace an existing result of the same name.")
]


def new_town(
    context: typer.Context,
    folder: Goal,
    people: People = 5,
    about: About = "",
    memories: Memories = MEMORIES,
    model: Model = None,
    seed: Seed = None,
    templates: Templates = None,
    overwrite: Overwrite = False,
) -> None:
    """Make a town: a map, places to live, work and meet, and the people.

    A model invents the people and the story; code draws the map, gives everybody a bed and work,
    and checks every answer. The same arguments, model and seed give the same files.
    """
    from smolville.cli.new.asking import asked
    from smolville.cli.new.writing import check_goal
    from smolville.cli.screen import say
    from smolville.world.making.town_maker import check_free, make_town, write_town

    check_goal(folder)
    check_free(folder, overwrite=overwrite)
    said = {"model": model, "seed": seed}
    about = _read_about(about)

    with asked(said, settings_file(context), templates) as asking:
        made = asking.run(
            lambda maker: make_town(maker, people=people, about=about, memories=memories)
        )
        write_town(made, folder, overwrite=overwrite)
        asking.show_counts()
    say(f"{made.name} lies in {folder}. Its files are yours to read and edit. Go on with:")
    _show_next(folder, made.people)


def new_persona(
    context: typer.Context,
    town: TownFolder = None,
    name: Name = "",
    about: WhoAbout = "",
    memories: Memories = MEMORIES,
    model: Model = None,
    seed: Seed = None,
    templates: Templates = None,
    overwrite: Overwrite = False,
) -> None:
    """Add a person to a town: a file, memories, and relationships that both sides know.

    The shipped town is never changed: without --town it is copied into this folder, and the
    person lives in the copy.
    """
    from smolville.cli.new.asking import asked
    from smolville.cli.new.writing import check_goal, check_name, read_source, write_person
    from smolville.cli.screen import say
    from smolville.world.making.settling import find_vacancy, settle

    source = read_source(town)
    if town is None and not (name or about):
        _agree_to_copy(source.goal)
    check_goal(source.goal)
    name, about = check_name(name), _read_about(about)
    vacancy = find_vacancy(source.folder, name, overwrite=overwrite)
    if source.is_copy:
        say(f"The shipped town stays as it is: its copy will lie in {source.goal}.", "dim")
    with asked({"model": model, "seed": seed}, settings_file(context), templates) as asking:
        made = asking.run(
            lambda maker: settle(maker, vacancy, name=name, about=about, memories=memories)
        )
        write_person(source, made)
        for path in made.texts:
            asking.tell("wrote", str(source.goal / path))
        for other, told in made.told.items():
            asking.tell("says", f"{other}: {told}")
        asking.show_counts()
    say(f"{made.person.persona.name} lives in {source.goal}. Go on with:")
    _show_next(source.goal, len(vacancy.people) + 1)


def new_templates(folder: Goal) -> None:
    """Write the shipped templates and parts to a folder, to be edited.

    The folder is then given with --templates. Files that you do not change can be removed from it:
    the shipped ones are then used.
    """
    from smolville.cli.new.writing import write_templates
    from smolville.cli.screen import say

    names = write_templates(folder)
    say(f"Written into {folder}: {', '.join(names)}")
    say(f"Use them: smolville new town DIR --templates {folder}")


def _agree_to_copy(goal: Path) -> None:
    """Ask whether the shipped town is to be copied; away from a terminal, raise SettingError."""
    from smolville.agents.errors import SettingError
    from smolville.cli.screen import confirmed, is_at_terminal

    if not is_at_terminal():
        raise SettingError(
            "Say who is to be added (--name or --about) or to which town (--town DIR); without "
            f"--town, the shipped town is copied into {str(goal)!r}."
        )
    if not confirmed(f"Copy the shipped town into {goal}, and add an invented person?"):
        raise typer.Exit(1)


def _read_about(about: str) -> str:
    """Return a description on one line. Raises SettingError if it is too long."""
    from smolville.agents.errors import SettingError
    from smolville.agents.wording import one_line

    line = " ".join(one_line(about).split()).rstrip(".")
    if len(line) > MOST_ABOUT:
        raise SettingError(f"--about has {len(line)} characters; write {MOST_ABOUT} at most.")
    return line


def _show_next(folder: Path, people: int) -> None:
    """Print the commands that can follow."""
    import shlex

    from smolville.cli.screen import say

    say(f"  smolville town {shlex.quote(str(folder))}")
    say(f"  smolville run --town {shlex.quote(str(folder))} --cast {people}")
