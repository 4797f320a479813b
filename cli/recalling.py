"""`smolville recall`: what comes back to somebody, and why."""

from typing import Annotated

import typer

from cli.options import AgentName, AsJson, RunName, runs_dir, settings_file

Query = Annotated[str, typer.Argument(metavar="TEXT", help="What it is about.")]
Explain = Annotated[bool, typer.Option("--explain", help="Show each score as the sum it is.")]
Count = Annotated[int, typer.Option("-n", min=1, metavar="N", help="At most so many.")]


def recall(
    context: typer.Context,
    run: RunName,
    agent: AgentName,
    text: Query,
    explain: Explain = False,
    count: Count = 10,
    as_json: AsJson = False,
) -> None:
    """Show which memories come back for a text, with their scores."""
    from cli.recalled import Recalled
    from cli.screen import present
    from cli.settings.choosing import choose
    from cli.settings.key_hosts import key_hosts
    from world.means import Means
    from world.recalling import recall as recall_of
    from world.telling.opening import opened_run

    chosen = choose(file=settings_file(context))
    means = Means(env=chosen.surroundings, may_send=key_hosts(chosen))
    with opened_run(runs_dir(context), run) as opened:
        persona = opened.persona(opened.person(agent))
        found = recall_of(opened.reader, persona, text, count, means)
        present(Recalled(opened, found, is_explained=explain), as_json=as_json)
