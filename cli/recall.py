"""`smolville recall` and `reembed`: search a person's memories; embed a run's memories again."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from smolville.agents.errors import RunError, StoppedError
from smolville.agents.times import moment
from smolville.agents.wording import one_line
from smolville.cli.options import AgentName, AsJson, RunName, command, runs_dir, settings_of
from smolville.cli.screen import say, say_waiting, show_view, write, write_json

if TYPE_CHECKING:
    from smolville.cli.tables import Page
    from smolville.reports.runs import OpenRun
    from smolville.world.streams import TextRecall

Query = Annotated[str, typer.Argument(metavar="TEXT", help="The text to recall memories for.")]
Explain = Annotated[bool, typer.Option("--explain", help="Show how each score is added up.")]
OneChannel = Annotated[
    Literal["sentence", "keywords"] | None,
    typer.Option("--channel", help="Compare only by this; by both if left out."),
]
Count = Annotated[int, typer.Option("-n", min=1, metavar="N", help="Maximum number of memories.")]
Keywords = Annotated[
    bool, typer.Option("--keywords", help="Print only the keywords of TEXT, in one line.")
]
Model = Annotated[
    str | None,
    typer.Option(
        metavar="SPEC", help="With --keywords: let this model choose at most six of the words."
    ),
]


def recall(
    context: typer.Context,
    run: RunName,
    agent: AgentName,
    text: Query,
    explain: Explain = False,
    count: Count = 10,
    channel: OneChannel = None,
    keywords: Keywords = False,
    model: Model = None,
    as_json: AsJson = False,
) -> None:
    """Show the memories recalled for a text, with their scores.

    Keywords are found by rule: names of the run's people are kept whole, and English words such as
    articles and prepositions are left out.
    """
    from smolville.agents.keywords import keywords_of
    from smolville.agents.stream import CHANNELS
    from smolville.cli.settings.key_hosts import key_hosts
    from smolville.reports.runs import opened_run
    from smolville.world.run_resources import RunResources
    from smolville.world.streams import recall as recall_of

    chosen = settings_of(context)
    if not keywords and model is not None:
        raise RunError("--model is for --keywords; memories are recalled without a model.")
    with opened_run(runs_dir(context), run) as opened:
        persona = opened.persona(opened.person(agent))
        if keywords:
            if not text.strip():
                raise RunError("Give a text in quotes, such as 'Nadia plans a party.'")
            names = opened.reader.agents()
            words = _choose(context, text, names, model) if model else keywords_of(text, names)
            if as_json:
                write_json(list(words))
            else:
                write(one_line(", ".join(words)))
            return
        means = RunResources(env=chosen.surroundings, may_send=key_hosts(chosen))
        wanted = CHANNELS if channel is None else (channel,)
        found = recall_of(opened.reader, persona, text, count, means, wanted)
        show_view(_page(opened, found, is_explained=explain), as_json=as_json)


def _choose(context: typer.Context, text: str, names: Sequence[str], model: str) -> tuple[str, ...]:
    """Return the names of a text and the words that a model chooses.

    If the model gives no usable answer, all words are returned, and a line is printed about it.
    """
    from smolville.cli.prompt.again import means, run_and_close
    from smolville.lab.extract_keywords import choose_keywords, keyword_templates
    from smolville.lab.single_step import client_for, reason_of

    how = means(context, [model])
    (chat,) = how.open_chats(0)
    client = client_for(
        chat,
        keyword_templates(),
        how.rules,
        waiting=say_waiting,
        backoff=how.backoff,
    )

    try:
        chosen = run_and_close(choose_keywords(text, names, client), [chat])
    except StoppedError as error:
        raise reason_of(error) from None
    if chosen.is_by_rule:
        say("The model chose none of the words; these are found by rule.", "yellow", on_stderr=True)
    return chosen.keywords


def _page(run: "OpenRun", recall: "TextRecall", *, is_explained: bool) -> "Page":
    """Return a line per memory; if `is_explained`, a second line shows its score as a sum."""
    from rich.table import Table

    from smolville.cli.tables import Page, to_the_minute
    from smolville.lab.styled import Text

    table = Table.grid(padding=(0, 2))
    table.add_column(justify="right", style="cyan", no_wrap=True)
    table.add_column(no_wrap=True, style="dim")
    table.add_column(no_wrap=True, style="dim")
    table.add_column()
    for found in recall.found:
        memory = found.memory
        score, when = f"{found.score:.3f}", to_the_minute(memory.created)
        table.add_row(score, when, memory.kind, memory.text)
        if is_explained:
            why = found.explain(recall.weights).split(" = ")[1]
            table.add_row("", "", "", Text(f"= {why}", style="dim"))
    head = f"{recall.agent} at {run.format_time(recall.at)}: {recall.text!r}"
    among = f"{len(recall.found)} of {recall.memories} memories"
    data = {
        "agent": recall.agent,
        "text": recall.text,
        "at": recall.at,
        "time": moment(recall.at),
        "weights": recall.weights.model_dump(),
        "decay": recall.decay,
        "memories": recall.memories,
        "found": [
            {**each._asdict(), "memory": asdict(each.memory), "time": moment(each.memory.created)}
            for each in recall.found
        ],
    }
    return Page(data, [Text(head, style="bold"), Text(among, style="dim"), table])


Spec = Annotated[
    str,
    typer.Option(
        "--embedder",
        metavar="SPEC",
        help="wordllama, words, minilm[:<folder>], ollama:<name>, llamacpp:<url> or "
        "openai:<url>/v1#<name>.",
    ),
]
LINES = 10
"""Number of progress lines printed."""


def reembed(context: typer.Context, run: RunName, embedder: Spec) -> None:
    """Embed all memories of a run again, with another embedder."""
    from smolville.cli.settings.key_hosts import remember_servers
    from smolville.history.folder import RunFolder
    from smolville.models.embedding.embedder import open_embedder
    from smolville.models.keys import UserSpec
    from smolville.world.reembedding import reembed as embed_anew

    runs = runs_dir(context)
    folder = RunFolder.open(runs, run)
    env = settings_of(context).surroundings
    opened = open_embedder(UserSpec(embedder), env=env)
    printed = 0

    def progress(done: int, of: int) -> None:
        nonlocal printed
        if done * LINES // max(of, 1) > printed:
            printed = done * LINES // max(of, 1)
            say(f"{done:,} of {of:,} memories", on_stderr=True)

    done = embed_anew(folder, opened, progress, say_waiting)
    remember_servers((), embedder, env)
    say(
        f"{run}: {done.memories:,} memories embedded by {opened.name} ({opened.dimension} numbers "
        f"a text) instead of {done.was}."
    )
    say(f"Let it go on with: {command(runs, 'run', run, '--resume')}", "dim")
