"""The page on which a person judges pairs of answers: its files, the pairs, and the verdicts.

The data sent to the browser does not reveal which variant gave which answer.
"""

import asyncio
import socket
from json import JSONDecodeError
from pathlib import Path
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from smolville.agents.wording import shown_text
from smolville.lab.judging.pairs import Contest, Pair
from smolville.lab.judging.tally import count_verdicts
from smolville.lab.judging.verdicts import BAD, SAME, PairVerdict, Verdicts
from smolville.viewer.serving.guard import AccessControl, OriginGuard
from smolville.viewer.serving.server import GRACE, QuietServer

FOLDER = Path(__file__).parent / "judging"
"""Folder of the page's own files."""
FILES = {
    "/": ("page.html", "text/html"),
    "/judge.js": ("page.js", "text/javascript"),
    "/judge.css": ("page.css", "text/css"),
}
"""The page's addresses, each with its file and content type."""
CHOICES = ("left", "right", SAME, "bad")
FRESH = {"cache-control": "no-store"}


def build_judging(contest: Contest, verdicts: Verdicts, judge: str) -> Starlette:
    """Return the app in which one person judges a contest, without access control."""
    pairs = {pair.key: pair for pair in contest.queue(judge)}

    async def list_pairs(request: Request) -> Response:
        given = verdicts.of(judge)
        shown = [_plain(pair, judge, is_judged=key in given) for key, pair in pairs.items()]
        return JSONResponse(shown, headers=FRESH)

    async def store_verdict(request: Request) -> Response:
        told = await _body(request)
        pair, choice = pairs.get(str(told.get("pair"))), told.get("prefers")
        if pair is None or choice not in CHOICES:
            return JSONResponse({"error": "This is no verdict on one of the pairs."}, 400)
        verdicts.keep(
            PairVerdict(
                pair=pair.key,
                judge=judge,
                prefers=_read_preference(pair, judge, choice),
                moment=pair.asked.moment.id,
            )
        )
        return JSONResponse({"left": len(contest.queue(judge, verdicts.of(judge)))})

    async def result(request: Request) -> Response:
        told = count_verdicts(contest, verdicts, judge)
        # A judge who knows the result so far is no longer blind.
        return JSONResponse({"sentence": "" if told.left else told.sentence}, headers=FRESH)

    return Starlette(
        routes=[
            *(Route(path, _file(*what)) for path, what in FILES.items()),
            Route("/pairs.json", list_pairs),
            Route("/verdict", store_verdict, methods=["POST"]),
            Route("/result.json", result),
        ]
    )


def serve_judging(
    contest: Contest, verdicts: Verdicts, judge: str, opened: socket.socket, token: str
) -> None:
    """Serve the page on a socket of this machine until Ctrl-C; clients must have the token."""
    name, port = opened.getsockname()[:2]
    door = AccessControl(host=name, port=port, token=token)
    app = OriginGuard(build_judging(contest, verdicts, judge), door)
    config = uvicorn.Config(
        app, log_config=None, access_log=False, timeout_graceful_shutdown=GRACE, ws="none"
    )
    asyncio.run(QuietServer(config).serve(sockets=[opened]))


def _plain(pair: Pair, judge: str, *, is_judged: bool) -> dict[str, Any]:
    """Return a pair as data for the page."""
    left, right = (_visible(pair.lines(side)) for side in pair.sides(judge))
    return {
        "key": pair.key,
        "task": pair.task,
        "who": _visible(pair.who),
        "case": _visible(pair.case),
        "left": left,
        "right": right,
        "judged": is_judged,
    }


def _visible(lines: tuple[str, ...]) -> list[str]:
    return [shown_text(line).text for line in lines]


def _read_preference(pair: Pair, judge: str, choice: str) -> str:
    """Return the preference that a choice on the page means: a variant's label, `SAME` or `BAD`."""
    left, right = pair.sides(judge)
    return {
        "left": pair.labels[left],
        "right": pair.labels[right],
        SAME: SAME,
        "bad": BAD,
    }[choice]


async def _body(request: Request) -> dict[str, Any]:
    """Return the JSON object in a request's body; empty for anything else."""
    try:
        told = await request.json()
    except (JSONDecodeError, UnicodeDecodeError):
        return {}
    return told if isinstance(told, dict) else {}


def _file(name: str, kind: str) -> Any:
    """Return a handler that serves one of the page's own files."""
    text = (FOLDER / name).read_text(encoding="utf-8")

    async def send_file(request: Request) -> Response:
        return Response(text, media_type=kind, headers=FRESH)

    return send_file
