"""`smolville announce`, `visit` and `talk`: take part in a town from outside."""

from typing import Annotated

import typer

from cli.options import AgentName, RunName, runs_dir

Text = Annotated[str, typer.Argument(metavar="TEXT", help="What everybody hears.")]
Name = Annotated[str, typer.Argument(metavar="NAME", help='The visitor: "Rosa Lind".')]
About = Annotated[
    str,
    typer.Option("--about", metavar="WORDS", help='Who the visitor is: "a reporter of the Post".'),
]
As = Annotated[str, typer.Option("--as", metavar="NAME", help="The name under which you talk.")]
At = Annotated[
    str | None, typer.Option("--at", metavar="PLACE", help='Walk in: "Copper Kettle", "the park".')
]
To = Annotated[str | None, typer.Option("--to", metavar="PLACE", help="Walk to another place.")]
Do = Annotated[
    str | None, typer.Option("--do", metavar="WORDS", help='Do something: "taking notes".')
]
TalkTo = Annotated[
    str | None, typer.Option("--talk", metavar="AGENT", help="Begin a talk with somebody in sight.")
]
Leave = Annotated[bool, typer.Option("--leave", help="Leave the town.")]


def announce(context: typer.Context, run: RunName, text: Text) -> None:
    """Announce something to the whole town."""
    from cli.visiting.leaving import leave_wishes
    from reports.opening import opened_run
    from world.visiting.wishes import announcement

    with opened_run(runs_dir(context), run) as opened:
        leave_wishes(opened, [announcement(text)], "Everybody hears it")


def visit(
    context: typer.Context,
    run: RunName,
    name: Name,
    about: About = "",
    at: At = None,
    to: To = None,
    do: Do = None,
    talk: TalkTo = None,
    leave: Leave = False,
) -> None:
    """Walk in as a visitor, go about, talk and leave.

    Without an option, asks you for the visitor's lines in a talk that is waiting for them.
    """
    from cli.visiting.leaving import leave_wishes, visit_wishes
    from cli.visiting.speaking import speak
    from reports.opening import opened_run

    with opened_run(runs_dir(context), run) as opened:
        wanted = visit_wishes(
            opened, name, about=about, at=at, to=to, do=do, talk=talk, leave=leave
        )
        left = leave_wishes(opened, wanted, f"{name} does so") if wanted else []
        if talk or not wanted:
            speak(opened, name, left)


def talk(
    context: typer.Context, run: RunName, agent: AgentName, name: As, about: About = ""
) -> None:
    """Ring somebody up, and talk as a person from outside."""
    from cli.visiting.leaving import leave_wishes
    from cli.visiting.speaking import speak
    from reports.opening import opened_run
    from world.visiting.wishes import call

    with opened_run(runs_dir(context), run) as opened:
        wish = call(name, about, opened.person(agent), town=opened.town)
        left = leave_wishes(opened, [wish], f"{wish.target} rings {opened.person(agent)}")
        speak(opened, wish.target, left)
