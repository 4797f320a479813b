"""`smolville interview`: ask people questions; the town never knows."""

from typing import Annotated

import typer

from cli.options import AsJson, RunName, prompts_flag, runs_dir, settings_file

Who = Annotated[
    list[str] | None,
    typer.Argument(metavar='AGENT|--all ["QUESTION"]', help="Whom to ask, and what."),
]
All = Annotated[bool, typer.Option("--all", help="Ask everybody.")]
Asker = Annotated[str, typer.Option("--as", metavar="WHO", help="Who asks.")]
Model = Annotated[
    str | None,
    typer.Option(metavar="SPEC", help="Another model than the run's own."),
]


def interview(
    context: typer.Context,
    run: RunName,
    words: Who = None,
    everybody: All = False,
    asker: Asker = "an interviewer",
    model: Model = None,
    as_json: AsJson = False,
) -> None:
    """Ask somebody of a run, or everybody.

    Nothing of it reaches the town. Without a question it asks you for them, one after the other,
    until you enter none. It is asked with the run's own templates, or those of --prompts DIR.
    """
    from cli.interviewed import Interviewing, read_words
    from cli.settings.choosing import choose

    wanted = read_words(list(words or []), everybody=everybody)
    chosen = choose({"model": model, "prompts": prompts_flag(context)}, settings_file(context))
    Interviewing(runs_dir(context), run, wanted, asker, chosen).hold(as_json=as_json)
