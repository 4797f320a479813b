"""`smolville interview`: ask people questions without any effect on the town."""

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
    typer.Option(metavar="SPEC", help="Ask this model instead of the run's own."),
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
    """Interview one person of a run, or everybody.

    The interview has no effect on the town. Without a question, you are asked for questions one
    after the other, until you enter an empty line. Uses the run's own templates, or those of
    --prompts DIR.
    """
    from cli.interview_view import Interviewing, read_words
    from cli.settings.choosing import choose

    wanted = read_words(list(words or []), everybody=everybody)
    chosen = choose({"model": model, "prompts": prompts_flag(context)}, settings_file(context))
    Interviewing(runs_dir(context), run, wanted, asker, chosen).hold(as_json=as_json)
