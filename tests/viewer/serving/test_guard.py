"""Whom the app lets in: its own pages alone, by their names, with the token."""

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest

from smolville.viewer.serving.guard import AccessControl, OriginGuard

OURS = "127.0.0.1:8311"
DOOR = AccessControl(host="127.0.0.1", port=8311)
LOCKED = AccessControl(host="192.168.0.7", port=8311, token="open-sesame")


async def _app(scope: Any, receive: Any, send: Any) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.accept"})
        return
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"the town"})


def asked(
    headers: Mapping[str, str], *, door: AccessControl = DOOR, kind: str = "http", query: str = ""
) -> list[dict[str, Any]]:
    """What a visitor with these headers is answered."""
    sent: list[dict[str, Any]] = []

    async def send(message: Any) -> None:
        sent.append(dict(message))

    async def receive() -> dict[str, Any]:
        return {"type": "http.request"}

    pairs = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
    scope = {"type": kind, "method": "POST", "headers": pairs, "query_string": query.encode()}
    asyncio.run(OriginGuard(_app, door)(scope, receive, send))
    return sent


def is_let_in(headers: Mapping[str, str], **more: Any) -> bool:
    """True when the app itself answered; a refusal is complete, and gives nothing away."""
    sent = asked(headers, **more)
    if sent[0]["type"] == "websocket.accept":
        return True
    if sent[0]["type"] == "websocket.close":
        assert sent[0]["code"] == 1008
        return False
    if sent[0]["status"] == 200:
        return True
    assert sent[0]["status"] == 403
    assert sent[1]["body"].startswith(b"This ")
    return False


@pytest.mark.parametrize("kind", ["http", "websocket"])
@pytest.mark.parametrize(
    ("headers", "is_ours"),
    [
        ({"Host": OURS}, True),
        ({"Host": "localhost:8311"}, True),
        ({"Host": "LOCALHOST:8311", "Origin": "http://localhost:8311"}, True),
        ({"Host": "[::1]:8311"}, True),
        ({"Host": OURS, "Origin": f"http://{OURS}"}, True),
        ({"Host": OURS, "Sec-Fetch-Site": "same-origin", "Origin": f"http://{OURS}"}, True),
        ({}, False),
        ({"Host": "evil.example:8311"}, False),
        ({"Host": "127.0.0.1:8312"}, False),
        ({"Host": "127.0.0.1:8311.evil.example"}, False),
        ({"Host": "192.168.0.7:8311"}, False),
        ({"Host": OURS, "Origin": "http://evil.example"}, False),
        ({"Host": OURS, "Origin": "http://127.0.0.1:3000"}, False),
        ({"Host": OURS, "Origin": f"https://{OURS}"}, False),
        ({"Host": OURS, "Origin": "null"}, False),
        ({"Host": OURS, "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"}, False),
        ({"Host": OURS, "Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "cors"}, False),
    ],
)
def test_only_our_own_pages_come_in(kind: str, headers: dict[str, str], is_ours: bool) -> None:
    assert is_let_in(headers, kind=kind) is is_ours


def test_a_link_from_elsewhere_leads_here_and_a_frame_does_not() -> None:
    link = {"Host": OURS, "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
    assert is_let_in({**link, "Sec-Fetch-Dest": "document"})
    assert not is_let_in({**link, "Sec-Fetch-Dest": "iframe"})


def test_two_names_at_once_are_none_of_ours() -> None:
    sent: list[dict[str, Any]] = []

    async def send(message: Any) -> None:
        sent.append(dict(message))

    headers = [(b"host", OURS.encode()), (b"host", b"evil.example:8311")]
    scope = {"type": "http", "headers": headers, "query_string": b""}
    asyncio.run(OriginGuard(_app, DOOR)(scope, None, send))  # type: ignore[arg-type]
    assert sent[0]["status"] == 403


@pytest.mark.parametrize("kind", ["http", "websocket"])
def test_the_token_is_asked_in_the_address_or_the_cookie(kind: str) -> None:
    host = {"Host": "192.168.0.7:8311"}

    def let_in(headers: dict[str, str], query: str = "") -> bool:
        return is_let_in(headers, door=LOCKED, kind=kind, query=query)

    assert not let_in(host)
    assert not let_in(host, "token=")
    assert not let_in(host, "token=open-sesam")
    assert not let_in(host, "token=%C3%A4")
    assert let_in(host, "at=1-14:30&token=open-sesame")
    assert let_in({**host, "Cookie": "a={broken; smolville-8311=open-sesame; b=2"})
    assert not let_in({**host, "Cookie": "smolville-8312=open-sesame"})
    assert not let_in({**host, "Origin": "http://evil.example"}, "token=open-sesame")
    assert not let_in({"Host": "evil.example:8311"}, "token=open-sesame")


def test_the_token_becomes_a_cookie_that_no_script_and_no_other_site_sees() -> None:
    (start, _) = asked({"Host": "192.168.0.7:8311"}, door=LOCKED, query="token=open-sesame")
    cookie = dict(start["headers"])[b"set-cookie"].decode()
    assert cookie == "smolville-8311=open-sesame; Path=/; HttpOnly; SameSite=Strict"
    (start, _) = asked({"Host": OURS})
    assert b"set-cookie" not in dict(start["headers"])


def test_every_answer_forbids_what_is_elsewhere() -> None:
    for headers in ({"Host": OURS}, {"Host": "evil.example"}):
        found = {name.decode(): value.decode() for name, value in asked(headers)[0]["headers"]}
        assert found["x-content-type-options"] == "nosniff"
        assert found["referrer-policy"] == "same-origin"
        policy = found["content-security-policy"]
        assert "default-src 'self'" in policy
        assert "script-src 'self';" in policy
        assert "frame-ancestors 'self'" in policy
        assert "http" not in policy
        assert "*" not in policy
