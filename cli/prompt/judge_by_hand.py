"""Let a person judge answers, at the terminal with one key per pair, or on a page."""

import sys

import typer

from smolville.cli.screen import console, say, write
from smolville.cli.server import ENDS, address_of, checked_token, listening, with_token
from smolville.lab.evaluation.answers import SideBySide
from smolville.lab.judging.pairs import Contest, Pair
from smolville.lab.judging.verdicts import BAD, SAME, PairVerdict, Verdicts
from smolville.lab.styled import Text

LEFT, RIGHT = ("1", "l", "\x1b[D", "\x1bOD"), ("2", "r", "\x1b[C", "\x1bOC")
"""Keys for the left and for the right answer, including the arrow keys."""
EVEN, BOTH_BAD = ("s", "="), ("b", "0")
UNDO, QUIT = ("u", "\x7f", "\x08"), ("q", "\x1b", "\x04")
HELP = "1 left is better · 2 right · s same · b both bad · u undo · q quit"


def judge_at_terminal(contest: Contest, verdicts: Verdicts, judge: str) -> None:
    """Ask for a verdict on every remaining pair; each is saved as soon as its key is pressed."""
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
        verdicts.keep(
            PairVerdict(
                pair=pair.key,
                judge=judge,
                prefers=_read_preference(pair, judge, key),
                moment=pair.asked.moment.id,
            )
        )
        at += 1


def _key() -> str:
    """Wait for one of the known keys, and return it."""
    while True:
        key = typer.getchar()
        key = key.lower() if len(key) == 1 else key
        if key in (*LEFT, *RIGHT, *EVEN, *BOTH_BAD, *UNDO, *QUIT):
            return key


def _read_preference(pair: Pair, judge: str, key: str) -> str:
    """Return the verdict of a key: the preferred variant's label, `SAME` or `BAD`."""
    left, right = pair.sides(judge)
    if key in LEFT:
        return pair.labels[left]
    if key in RIGHT:
        return pair.labels[right]
    return SAME if key in EVEN else BAD


def _show(pair: Pair, judge: str, number: int, of: int) -> None:
    """Show a case and both answers, beside each other if there is room."""
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


def serve_page(contest: Contest, verdicts: Verdicts, judge: str, port: int) -> None:
    """Print the page's address and serve it until Ctrl-C; raise RunError for an unusable port."""
    from smolville.viewer.judge_page import serve_judging

    with listening(port=port) as listener:
        token = checked_token()
        where = with_token(f"{address_of(listener)}/", token)
        write(f"{where}  ({ENDS})" if sys.stderr.isatty() else where, on_stderr=True)
        serve_judging(contest, verdicts, judge, listener, token)
