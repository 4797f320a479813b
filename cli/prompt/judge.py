"""`smolville prompt judge`: which of two variants' answers make more sense, by a person or a model.

A person judges at the terminal, with one key per pair.
"""

from functools import partial
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from smolville.agents.errors import RunError
from smolville.agents.wording import format_count, percent
from smolville.cli.options import AsJson, runs_dir
from smolville.cli.prompt.again import Models, ask_model, means
from smolville.cli.screen import console, is_at_terminal, say, show_view

if TYPE_CHECKING:
    from rich.console import RenderableType

    from smolville.cli.tables import Page
    from smolville.lab.judging.contest import Contest, Pair
    from smolville.lab.judging.verdicts import Verdicts

First = Annotated[
    str, typer.Argument(metavar="A", help="A variant: its number in the table, or its name.")
]
Second = Annotated[str, typer.Argument(metavar="B", help="The variant to compare it with.")]
Results = Annotated[
    Path | None,
    typer.Option(
        "--results", metavar="FILE", help="Results of `prompt eval`; the latest by default."
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
    from smolville.lab.evaluation.results import JUDGED
    from smolville.lab.judging.contest import contest_in
    from smolville.lab.judging.judge import ask_judge
    from smolville.lab.judging.verdicts import verdicts_in

    runs = runs_dir(context)
    path = results or _latest_results(runs)
    contest = contest_in(path, (a, b), runs)
    with verdicts_in(path.with_suffix(JUDGED)) as verdicts:
        if model:
            how = means(context, model)
            for chat in how.open_chats(0):
                ask_model(partial(ask_judge, contest, verdicts), len(contest.pairs), chat, how)
        elif is_at_terminal() and not as_json:
            judge_at_terminal(contest, verdicts, name)
        show_view(_judged_page(contest, verdicts), as_json=as_json)


def _latest_results(runs: Path) -> Path:
    """Return the results of the latest evaluation that has no file of its own."""
    from smolville.lab.evaluation.results import kept_files

    there = kept_files(runs)
    if not there:
        raise RunError(
            f"There is no evaluation in {runs}: begin with `smolville prompt eval`, or name one "
            "with --results FILE."
        )
    return there[0]


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
        except (EOFError, KeyboardInterrupt):
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
    while True:
        key = typer.getchar()
        key = key.lower() if len(key) == 1 else key
        if key in (*LEFT, *RIGHT, *EVEN, *BOTH_BAD, *UNDO, *QUIT):
            return key


def _show(pair: "Pair", judge: str, number: int, of: int) -> None:
    """Show a case and both answers, beside each other if there is room."""
    from smolville.lab.evaluation.answers import SideBySide
    from smolville.lab.judging.contest import case_of, who_of
    from smolville.lab.styled import Text

    screen, use = console(), pair.asked.use
    screen.rule(Text(f"{number} of {of} · {use.step.about}"))
    screen.print(Text("\n".join(who_of(use)), style="dim"))
    screen.print(Text("\n" + "\n".join(case_of(use)) + "\n"))
    cards = [
        Text.assemble((f"{name}\n", "bold"), "\n".join(pair.lines(side)))
        for name, side in zip(("1 left", "2 right"), pair.sides(judge), strict=True)
    ]
    screen.print(SideBySide(cards))
    say(HELP, "dim")


def _judged_page(contest: "Contest", verdicts: "Verdicts") -> "Page":
    """Return the verdicts on the answers of two variants: counts per judge, and a conclusion."""
    from smolville.cli.tables import Page
    from smolville.lab.evaluation.summary import share_cell
    from smolville.lab.judging.contest import agreed_on, count_verdicts
    from smolville.lab.styled import Text, plain_table

    keys = {pair.key for pair in contest.pairs}
    judges = [name for name, given in verdicts.by_judge.items() if keys & given.keys()]
    tallies = [count_verdicts(contest, verdicts, name) for name in judges]
    both = [(two, *agreed_on(contest, verdicts, *two)) for two in combinations(judges, 2)]
    agreements = [each for each in both if each[-1]]
    first, second = contest.labels
    data = {
        "a": first,
        "b": second,
        "pairs": len(contest.pairs),
        "equal": contest.equal,
        "unmatched": contest.unmatched,
        "judges": [each.plain() for each in tallies],
        "agreement": [
            {"judges": list(two), "agreed": agreed, "pairs": pairs}
            for two, agreed, pairs in agreements
        ],
    }
    headings = ("B wins", "ties", "A wins", "B of the\ndecided", "both bad", "wavers", "left")
    rows: list[list[str | Text]] = []
    for each in tallies:
        counts = map(str, (each.wins, each.ties, each.losses))
        rest = map(str, (each.bad, each.wavering, each.left + each.silent))
        rows.append([each.judge, *counts, share_cell(each.share), *rest])
    nobody = Text("Nobody has judged any of their answers yet.")
    parts: list[RenderableType] = [
        Text(f"B: {second}, beside A: {first}", style="bold"),
        plain_table(("judge", *headings), rows) if rows else nobody,
        *(Text(f"{each.judge}: {each.sentence}") for each in tallies),
    ]
    for (one, other), agreed, pairs in agreements:
        share = percent(agreed, pairs, 0)
        parts.append(Text(f"{one} and {other} agree on {agreed} of {pairs} pairs ({share})."))
    left_out = (
        f"{format_count(len(contest.pairs), 'pair')} to judge; {contest.equal} "
        f"answered alike by both; {contest.unmatched} not answered by both. Ties: same, "
        "both bad, and verdicts that waver with the order of the answers."
    )
    return Page(data, [*parts, Text(left_out, style="dim")])
