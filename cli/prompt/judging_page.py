"""Serve the page on which a person judges, on this machine only."""

import sys

from cli.screen import write
from cli.viewing.serving import ENDS, address_of, listening
from lab.judging.pairs import Contest
from lab.judging.verdicts import Verdicts


def serve_page(contest: Contest, verdicts: Verdicts, judge: str, port: int) -> None:
    """Print the page's address and serve it until Ctrl-C; raise RunError for an unusable port."""
    from viewer.judging.app import serve_judging

    with listening(port=port) as listener:
        where = address_of(listener)
        write(f"{where}  ({ENDS})" if sys.stderr.isatty() else where, on_stderr=True)
        serve_judging(contest, verdicts, judge, listener)
