"""`smolville recall`: show which memories somebody recalls for a text, and why."""

from typing import Annotated

import typer

from cli.options import AgentName, AsJson, RunName, runs_dir, settings_file

Query = Annotated[str, typer.Argument(metavar="TEXT", help="The text to recall memories for.")]
Explain = Annotated[bool, typer.Option("--explain", help="Show how each score is added up.")]
Count = Annotated[int, typer.Option("-n", min=1, metavar="N", help="Maximum number of memories.")]


def recall(
    context: typer.Context,
    run: RunName,
    agent: AgentName,
    text: Query,
    explain: Explain = False,
    count: Count = 10,
    as_json: AsJson = False,
) -> None:
    """Show the memories recalled for a text, with their scores."""
    from cli.recall_view import RecallView
    from cli.screen import present
    from cli.settings.choosing import choose
    from cli.settings.key_hosts import key_hosts
    from reports.opening import opened_run
    from world.resources import RunResources
    from world.text_recall import recall as recall_of

    chosen = choose(file=settings_file(context))
    means = RunResources(env=chosen.surroundings, may_send=key_hosts(chosen))
    with opened_run(runs_dir(context), run) as opened:
        persona = opened.persona(opened.person(agent))
        found = recall_of(opened.reader, persona, text, count, means)
        present(RecallView(opened, found, is_explained=explain), as_json=as_json)
