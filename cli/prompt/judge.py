"""`smolville prompt judge`: which of two variants' answers make more sense, by a person or a model.

A person judges at the terminal, with one key per pair.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from smolville.agents.errors import RunError, SmolvilleError
from smolville.agents.wording import format_count, percent
from smolville.cli.guard import INTERRUPTED
from smolville.cli.options import AsJson, runs_dir
from smolville.cli.prompt.again import ModelOptions, Models, means
from smolville.cli.prompt.evaluate import HIDDEN, SUFFIX, exit_with
from smolville.cli.screen import console, is_at_terminal, say, show_view

if TYPE_CHECKING:
    from rich.console import RenderableType

    from smolville.lab.judging.contest import Contest, JudgeTally, Pair
    from smolville.lab.judging.judge import JudgeCalls
    from smolville.lab.judging.verdicts import Verdicts
    from smolville.models.chat import Chat

First = Annotated[
    str, typer.Argument(metavar="A", help="A variant: its number in the table, or its name.")
]
Second = Annotated[str, typer.Argument(metavar="B", help="The variant to compare it with.")]
Results = Annotated[
    Path | None,
    typer.Option(
        "--results",
        metavar="FILE",
        help="Results or report of `prompt eval`; the latest by default.",
    ),
]
Source = Annotated[
    str | None,
    typer.Option(
        "--moments", metavar="RUN|FILE", help="Source of the moments, as given to `prompt eval`."
    ),
]
Name = Annotated[
    str, typer.Option("--as", metavar="NAME", help="Name of the judge, to tell judges apart.")
]

LEFT, RIGHT = ("1", "l", "\x1b[D", "\x1bOD"), ("2", "r", "\x1b[C", "\x1bOC")
"""Keys for the left and for the right answer, including the arrow keys."""
EVEN, BOTH_BAD = ("s", "="), ("b", "0")
UNDO, QUIT = ("u", "\x7f", "\x08"), ("q", "\x1b", "\x04")
HELP = "1 left is better · 2 right · s same · b both bad · u undo · q quit"


def judge_prompts(
    context: typer.Context,
    a: First,
    b: Second,
    results: Results = None,
    moments: Source = None,
    name: Name = "person",
    model: Models = None,
    as_json: AsJson = False,
) -> None:
    """Judge blindly which of two variants' answers make more sense.

    Then reports whether B is better. You judge at the terminal, with one key per pair; with --model
    a model judges instead, asked in both orders. Every verdict is saved beside the results, so
    judging can continue where it stopped. With --json, or if there is no terminal and no --model,
    it only shows the verdicts so far.
    """
    from smolville.lab.judging.contest import contest_in
    from smolville.lab.judging.judge import ask_judge
    from smolville.lab.judging.verdicts import SUFFIX as JUDGED
    from smolville.lab.judging.verdicts import verdicts_in

    runs = runs_dir(context)
    path = _find_results(results, runs)
    contest = contest_in(path, (a, b), runs, source=moments)
    with verdicts_in(path.with_suffix(JUDGED)) as verdicts:
        view = JudgedView(contest, verdicts)
        try:
            if model:
                how = means(context, model)
                for chat in how.open_chats(0):
                    ask = partial(ask_judge, contest, verdicts)
                    ask_model(ask, len(contest.pairs), lambda it: len(verdicts.of(it)), chat, how)
            elif is_at_terminal() and not as_json:
                judge_at_terminal(contest, verdicts, name)
        except KeyboardInterrupt:
            show_view(view, as_json=as_json)
            raise typer.Exit(INTERRUPTED) from None
        show_view(view, as_json=as_json)


def ask_model(
    ask: "Callable[[JudgeCalls], Awaitable[None]]",
    total: int,
    kept: Callable[[str], int],
    chat: "Chat",
    how: ModelOptions,
) -> None:
    """Let a model give verdicts; if it is lost early, print how many are kept, and exit.

    `kept` returns the number of a judge's verdicts that are saved.
    """
    from smolville.cli.prompt.progress import AskingProgress
    from smolville.history.observers import untraced
    from smolville.lab.judging.judge import JudgeCalls
    from smolville.lab.listening import HeardChat, PendingCalls
    from smolville.models.errors import ModelError
    from smolville.models.pacing import Backoff

    pending = PendingCalls()
    heard = HeardChat.of(chat, pending)
    progress = AskingProgress(total, pending)
    calls = JudgeCalls(
        chat=heard,
        rules=how.rules,
        progress=lambda done, total: progress.count(done),
        waiting=progress.waiting,
        backoff=Backoff(patience_seconds=how.chosen.values.patience),
    )

    async def ask_and_close() -> None:
        try:
            await ask(calls)
        finally:
            await heard.aclose()

    try:
        with progress:
            asyncio.run(untraced(ask_and_close()))
    except (SmolvilleError, ModelError) as error:
        exit_with(error, f"{kept(chat.spec)} of {total} verdicts are kept; the same words go on.")


def _find_results(named: Path | None, runs: Path) -> Path:
    """Return the results file `named`, or that of the latest evaluation that wrote no report."""
    from smolville.lab.judging.verdicts import SUFFIX as JUDGED

    if named is not None:
        path = named if named.suffix == SUFFIX else named.with_suffix(SUFFIX)
        if not path.is_file():
            raise RunError(f"There are no results {str(path)!r}; `prompt eval` writes them.")
        return path
    there = [each for each in (runs / HIDDEN).glob(f"*{SUFFIX}") if not each.match(f"*{JUDGED}")]
    if not there:
        raise RunError(
            f"There is no evaluation without a report in {runs}: begin with `smolville prompt "
            "eval`, or name one with --results FILE."
        )
    return max(there, key=lambda each: (each.stat().st_mtime, each.name))


def judge_at_terminal(contest: "Contest", verdicts: "Verdicts", judge: str) -> None:
    """Ask for a verdict on every remaining pair; each is saved as soon as its key is pressed."""
    from smolville.lab.judging.verdicts import BAD, SAME, PairVerdict

    queue = contest.queue(judge, verdicts.of(judge))
    before = len(contest.pairs) - len(queue)
    at = 0
    while at < len(queue):
        pair = queue[at]
        _show(pair, judge, before + at + 1, len(contest.pairs))
        try:
            key = _key()
        except EOFError:
            return
        if key in QUIT:
            return
        if key in UNDO:
            at = max(at - 1, 0)
            continue
        left, right = (pair.labels[side] for side in pair.sides(judge))
        prefers = left if key in LEFT else right if key in RIGHT else SAME if key in EVEN else BAD
        verdicts.keep(
            PairVerdict(pair=pair.key, judge=judge, prefers=prefers, moment=pair.asked.id)
        )
        at += 1


def _key() -> str:
    """Wait for one of the known keys, and return it."""
    while True:
        key = typer.getchar()
        key = key.lower() if len(key) == 1 else key
        if key in (*LEFT, *RIGHT, *EVEN, *BOTH_BAD, *UNDO, *QUIT):
            return key


def _show(pair: "Pair", judge: str, number: int, of: int) -> None:
    """Show a case and both answers, beside each other if there is room."""
    from smolville.lab.evaluation.answers import SideBySide
    from smolville.lab.styled import Text

    screen = console()
    screen.rule(Text(f"{number} of {of} · {pair.task}"))
    screen.print(Text("\n".join(pair.who), style="dim"))
    screen.print(Text("\n" + "\n".join(pair.case) + "\n"))
    cards = [
        Text.assemble((f"{name}\n", "bold"), "\n".join(pair.lines(side)))
        for name, side in zip(("1 left", "2 right"), pair.sides(judge), strict=True)
    ]
    screen.print(SideBySide(cards))
    say(HELP, "dim")


@dataclass(frozen=True)
class JudgedView:
    """The verdicts on the answers of two variants."""

    contest: "Contest"
    verdicts: "Verdicts"

    @property
    def tallies(self) -> "list[JudgeTally]":
        """The tally of each judge who has judged any of the pairs, in the order of the file."""
        from smolville.lab.judging.contest import count_verdicts

        keys = {pair.key for pair in self.contest.pairs}
        return [
            count_verdicts(self.contest, self.verdicts, judge)
            for judge, given in self.verdicts.by_judge.items()
            if keys & given.keys()
        ]

    def agreements(self) -> list[tuple[str, str, int, int]]:
        """Return every two judges, on how many pairs they agree, and how many both judged."""
        from smolville.lab.judging.contest import agreed_on

        judges = combinations([each.judge for each in self.tallies], 2)
        found = [(*two, *agreed_on(self.contest, self.verdicts, *two)) for two in judges]
        return [each for each in found if each[-1]]

    def plain(self) -> object:
        """Return the counts as plain data."""
        contest = self.contest
        return {
            "a": contest.labels[0],
            "b": contest.labels[1],
            "pairs": len(contest.pairs),
            "equal": contest.equal,
            "only_a": contest.only[0],
            "only_b": contest.only[1],
            "neither": contest.neither,
            "judges": [each.plain() for each in self.tallies],
            "agreement": [
                {"judges": [one, other], "agreed": agreed, "pairs": pairs}
                for one, other, agreed, pairs in self.agreements()
            ],
        }

    def render(self) -> "RenderableType":
        """Return the counts per judge with the conclusion, as printed."""
        from rich.console import Group

        from smolville.lab.evaluation.summary_view import share_cell
        from smolville.lab.styled import Text, plain_table

        first, second = self.contest.labels
        tallies = self.tallies
        parts: list[RenderableType] = [Text(f"B: {second}, beside A: {first}", style="bold")]
        if not tallies:
            parts.append(Text("Nobody has judged any of their answers yet."))
        else:
            headings = (
                "B wins",
                "ties",
                "A wins",
                "B of the\ndecided",
                "both bad",
                "wavers",
                "left",
            )
            rows: list[list[str | Text]] = []
            for each in tallies:
                counts = map(str, (each.wins, each.ties, each.losses))
                rest = map(str, (each.bad, each.wavering, each.left + each.silent))
                rows.append([each.judge, *counts, share_cell(each.share), *rest])
            parts.append(plain_table(("judge", *headings), rows))
            parts += [Text(_sentence(each, is_only=not tallies[1:])) for each in tallies]
        for one, other, agreed, pairs in self.agreements():
            share = percent(agreed, pairs, 0)
            parts.append(Text(f"{one} and {other} agree on {agreed} of {pairs} pairs ({share})."))
        return Group(*parts, Text(_format_left_out(self.contest), style="dim"))


def _sentence(tally: "JudgeTally", *, is_only: bool) -> str:
    """Return whether a judge found the second variant better, and how many pairs are left."""
    parts = [tally.sentence if is_only else f"{tally.judge}: {tally.sentence}"]
    if tally.wavering:
        parts.append(
            f"In {tally.wavering} of {format_count(tally.judged, 'pair')} the verdict changed with "
            "the order of the answers; those are ties."
        )
    if tally.silent:
        parts.append(f"Of {format_count(tally.silent, 'pair')} no verdict could be read.")
    if tally.left:
        parts.append(f"{tally.judged} of {format_count(tally.pairs, 'pair')} are judged so far.")
    return " ".join(parts)


def _format_left_out(contest: "Contest") -> str:
    """Return a note on how many pairs there are to judge, and which answers were left out."""
    first, second = contest.only
    parts = [
        f"{format_count(len(contest.pairs), 'pair')} to judge",
        f"{contest.equal} answered alike by both" if contest.equal else "",
        f"{first} answered by A alone" if first else "",
        f"{second} answered by B alone" if second else "",
        f"{contest.neither} by neither" if contest.neither else "",
    ]
    return f"{'; '.join(filter(None, parts))}. Ties: same, both bad, and verdicts that waver."
