"""`smolville recall` and `reembed`: search a person's memories; embed a run's memories again."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from smolville.agents.errors import RunError, StoppedError
from smolville.agents.times import moment
from smolville.agents.wording import one_line
from smolville.cli.options import AgentName, AsJson, RunName, command, runs_dir, settings_of
from smolville.cli.screen import console, say, say_waiting, show_view, write, write_json

if TYPE_CHECKING:
    from rich.console import RenderableType

    from smolville.agents.stream import Recollection
    from smolville.reports.runs import OpenRun
    from smolville.world.reembedding import OnProgress
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
        show_view(RecallView(opened, found, is_explained=explain), as_json=as_json)


def _choose(context: typer.Context, text: str, names: Sequence[str], model: str) -> tuple[str, ...]:
    """Return the names of a text and the words that a model chooses.

    If the model gives no usable answer, all words are returned, and a line is printed about it.
    """
    import asyncio

    from smolville.cli.prompt.again import means
    from smolville.history.observers import untraced
    from smolville.lab.extract_keywords import ChosenKeywords, choose_keywords, keyword_templates
    from smolville.lab.single_step import client_for, reason_of
    from smolville.models.pacing import Backoff

    how = means(context, [model])
    (chat,) = how.open_chats(0)
    client = client_for(
        chat,
        keyword_templates(),
        how.rules,
        waiting=say_waiting,
        backoff=Backoff(patience_seconds=how.chosen.values.patience),
    )

    async def ask_and_close() -> ChosenKeywords:
        try:
            return await choose_keywords(text, names, client)
        finally:
            await chat.aclose()

    try:
        chosen = asyncio.run(untraced(ask_and_close()))
    except StoppedError as error:
        raise reason_of(error) from None
    if chosen.is_by_rule:
        say("The model chose none of the words; these are found by rule.", "yellow", on_stderr=True)
    return chosen.keywords


@dataclass(frozen=True)
class RecallView:
    """The recalled memories, best first."""

    run: "OpenRun"
    recall: "TextRecall"
    is_explained: bool = False

    def plain(self) -> object:
        """Return the question, the weights, and every memory with its score."""
        weights = self.recall.weights
        return {
            "agent": self.recall.agent,
            "text": self.recall.text,
            "at": self.recall.at,
            "time": moment(self.recall.at),
            "weights": weights.model_dump(),
            "decay": self.recall.decay,
            "memories": self.recall.memories,
            "found": [_plain(found) for found in self.recall.found],
        }

    def render(self) -> "RenderableType":
        """Return a line per memory; if `is_explained`, a second line shows its score as a sum."""
        from rich.console import Group
        from rich.table import Table

        from smolville.cli.tables import to_the_minute
        from smolville.lab.styled import Text

        table = Table.grid(padding=(0, 2))
        table.add_column(justify="right", style="cyan", no_wrap=True)
        table.add_column(no_wrap=True, style="dim")
        table.add_column(no_wrap=True, style="dim")
        table.add_column()
        for found in self.recall.found:
            memory = found.memory
            table.add_row(
                f"{found.score:.3f}", to_the_minute(memory.created), memory.kind, memory.text
            )
            if self.is_explained:
                why = found.explain(self.recall.weights).split(" = ")[1]
                table.add_row("", "", "", Text(f"= {why}", style="dim"))
        head = (
            f"{self.recall.agent} at {self.run.format_time(self.recall.at)}: {self.recall.text!r}"
        )
        among = f"{len(self.recall.found)} of {self.recall.memories} memories"
        return Group(Text(head, style="bold"), Text(among, style="dim"), table)


def _plain(found: "Recollection") -> dict[str, object]:
    memory = found.memory
    return {
        "id": memory.id,
        "kind": memory.kind,
        "text": memory.text,
        "created": memory.created,
        "time": moment(memory.created),
        "score": found.score,
        "recency": round(found.recency, 5),
        "importance": round(found.importance, 5),
        "relevance": round(found.relevance, 5),
        "sentence": None if found.sentence is None else round(found.sentence, 5),
        "keywords": None if found.keywords is None else round(found.keywords, 5),
    }


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
"""Number of progress lines printed if there is no terminal."""


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
    with _progress() as heard:
        done = embed_anew(folder, opened, heard, say_waiting)
    remember_servers((), embedder, env)
    say(
        f"{run}: {done.memories:,} memories embedded by {opened.name} ({opened.dimension} numbers "
        f"a text) instead of {done.was}."
    )
    say(f"Let it go on with: {command(runs, 'run', run, '--resume')}", "dim")


@contextmanager
def _progress() -> "Iterator[OnProgress]":
    """Yield a progress callback for standard error: a bar on a terminal, else a few lines."""
    screen = console(on_stderr=True)
    if not screen.is_terminal:
        printed = 0

        def line(done: int, of: int) -> None:
            nonlocal printed
            if done * LINES // max(of, 1) > printed:
                printed = done * LINES // max(of, 1)
                screen.print(f"{done:,} of {of:,} memories", soft_wrap=True)

        yield line
        return
    from rich.progress import Progress

    with Progress(console=screen, transient=True) as bar:
        task = bar.add_task("memories", total=None)

        def update_bar(done: int, of: int) -> None:
            bar.update(task, completed=done, total=of)

        yield update_bar
