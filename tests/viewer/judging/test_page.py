"""The page of judging, in a browser: one key an answer, blind, kept at once."""

import json
import socket
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Page, expect

from smolville.lab.judging.pairs import Contest
from smolville.lab.judging.verdicts import Verdicts, verdicts_in
from smolville.lab.moments.moment import Moment
from smolville.viewer.judge_page import build_judging
from smolville.viewer.serving.guard import AccessControl, OriginGuard
from tests.fixtures.clumsy import clumsy, moments
from tests.fixtures.judging import LABELS
from tests.fixtures.judging import contest as made
from tests.fixtures.loopback import serve

__all__ = ["clumsy", "moments"]


@pytest.fixture
def contest(moments: list[Moment]) -> Contest:
    """Four pairs of different answers."""
    return made(moments, 4)


@pytest.fixture
def verdicts(tmp_path: Path) -> Iterator[Verdicts]:
    """A file of verdicts."""
    with verdicts_in(tmp_path / "r.judged.jsonl") as opened:
        yield opened


@pytest.fixture
def address(contest: Contest, verdicts: Verdicts) -> Iterator[str]:
    """Where the page is, without its door."""
    with serve(build_judging(contest, verdicts, "person")) as url:
        yield url


def test_keys_and_buttons_judge_and_the_end_tells_the_result(
    address: str, page: Page, contest: Contest, verdicts: Verdicts, tmp_path: Path
) -> None:
    page.goto(address)
    count = page.locator("#count")
    expect(count).to_have_text("0 of 4 judged")
    seen = page.content()
    assert not any(label in seen for label in LABELS)
    page.keyboard.press("1")
    expect(count).to_have_text("1 of 4 judged")
    page.keyboard.press("u")
    expect(count).to_have_text("0 of 4 judged")
    page.keyboard.press("s")
    expect(count).to_have_text("1 of 4 judged")
    page.get_by_role("button", name="Right is better").click()
    expect(count).to_have_text("2 of 4 judged")
    page.keyboard.press("b")
    expect(count).to_have_text("3 of 4 judged")
    page.reload()
    expect(count).to_have_text("3 of 4 judged")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#end")).to_contain_text("All are judged. Whether mine · standin")
    lines = (tmp_path / "r.judged.jsonl").read_text().splitlines()[1:]
    told = [json.loads(line)["prefers"] for line in lines]
    order = contest.queue("person")
    assert told == [
        order[0].labels[order[0].sides("person")[0]],
        "same",
        order[1].labels[order[1].sides("person")[1]],
        "both bad",
        order[3].labels[order[3].sides("person")[0]],
    ]
    assert len(verdicts.of("person")) == 4


def test_a_models_words_stay_words(moments: list[Moment], verdicts: Verdicts, page: Page) -> None:
    from dataclasses import replace

    hostile = "<img src=x onerror=\"document.title='got in'\">\u202e</script>"
    pair = made(moments, 1).pairs[0]
    results = pair.results[0], replace(pair.results[1], answer={"text": hostile, "ends": False})
    contest = Contest(labels=LABELS, pairs=(replace(pair, results=results),))
    with serve(build_judging(contest, verdicts, "person")) as url:
        page.goto(url)
        expect(page.locator(".sides")).to_contain_text("<img src=x onerror=")
        expect(page.locator(".sides")).to_contain_text("\\u202e")
        expect(page).to_have_title("Which answer makes more sense?")
        assert page.locator(".sides img").count() == 0


@pytest.mark.parametrize(
    "body",
    [b"", b"[]", b'{"pair": "x", "prefers": "left"}', b"\xff", b'{"prefers": "left"}'],
)
def test_what_is_no_verdict_is_refused(body: bytes, address: str, verdicts: Verdicts) -> None:
    answer = httpx.post(f"{address}/verdict", content=body, trust_env=False)
    assert answer.status_code == 400
    assert verdicts.by_judge == {}


def test_only_our_own_page_judges_and_only_with_the_token(
    contest: Contest, verdicts: Verdicts
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    app = OriginGuard(
        build_judging(contest, verdicts, "person"),
        AccessControl(host="127.0.0.1", port=port, token="secret"),
    )
    told = {"pair": contest.pairs[0].key, "prefers": "left"}
    with serve(app) as url:
        here = {"host": f"127.0.0.1:{port}"}
        ours = {**here, "cookie": f"smolville-{port}=secret"}
        strange = [
            here,
            {"host": "elsewhere.example"},
            {**ours, "origin": "https://elsewhere.example"},
            {**ours, "sec-fetch-site": "cross-site", "sec-fetch-mode": "cors"},
        ]
        for headers in strange:
            answer = httpx.post(f"{url}/verdict", json=told, headers=headers, trust_env=False)
            assert answer.status_code == 403
        assert verdicts.by_judge == {}
        answer = httpx.post(f"{url}/verdict", json=told, headers=ours, trust_env=False)
        assert answer.json() == {"left": 3}
