"""A day whose first answers have small models' slips comes out whole, behind a strict template."""

import json
from pathlib import Path
from typing import Any

import httpx
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from benchmarks.slips import SlipProxy, live
from tests.fixtures.loopback import serve

MEANT = {"wake": "06:30", "keep": [2]}
SCHEMA = {
    "properties": {
        "wake": {"type": "string", "enum": ["06:30", "07:00"]},
        "keep": {"type": "array", "minItems": 1, "items": {"type": "integer", "enum": [1, 2]}},
    }
}
ASKED = [{"role": "system", "content": "Plan."}, {"role": "user", "content": "When?"}]


async def _always(_: Request) -> Response:
    said = {"message": {"role": "assistant", "content": json.dumps(MEANT)}}
    return JSONResponse({"choices": [{"index": 0, "finish_reason": "stop", **said}]})


UPSTREAM = Starlette(routes=[Route("/v1/chat/completions", _always, methods=["POST"])])


def test_no_slip_of_a_day_ends_in_a_fallback_or_loses_an_agreement(tmp_path: Path) -> None:
    figures, ends, _ = live(tmp_path, 0.3, hours=16, template="mistral")
    assert figures["slips"] > 0.2 * figures["steps"]
    assert figures["slips"] == ends.total()
    assert figures["fallbacks, all"] <= 0.03
    assert figures["unnoticed"] <= sum(
        count for (kind, _), count in ends.items() if kind in ("copied", "forgotten", "hour")
    )
    assert figures["longest prompt, tokens"] <= 2000
    for name in ("failed thoughts", "refused by the template", "cut or shortened prompts"):
        assert figures[name] == 0, name
    assert figures["agreements: held, one-sided, lost"].endswith(", 0, 0")


def said(url: str, *more: str, **also: Any) -> httpx.Response:
    """The answer to the question, or to a repair of it."""
    roles = ("assistant", "user")
    turns = [{"role": roles[at % 2], "content": text} for at, text in enumerate(more)]
    form = {"type": "json_schema", "json_schema": {"schema": SCHEMA}}
    body = {"messages": [*ASKED, *turns], "response_format": form, **also}
    return httpx.post(f"{url}/v1/chat/completions", json=body, trust_env=False)


def content(response: httpx.Response) -> str:
    """The text of an answer."""
    return str(response.json()["choices"][0]["message"]["content"])


def test_a_slip_returns_until_a_repair_names_its_field() -> None:
    for seed in range(4):
        with serve(UPSTREAM) as url:
            proxy = SlipProxy(url, 1.0, seed)
            with serve(proxy.app()) as behind:
                first = content(said(behind))
                (slip,) = proxy.firsts.values()
                assert slip is not None
                assert json.dumps(MEANT) != first == slip.text
                assert content(said(behind, seed=7)) == first, "asked again blindly"
                assert content(said(behind, first, "Try again.")) == first
                about = slip.field or ("It was cut off." if slip.is_cut else "Not one JSON object.")
                assert content(said(behind, first, f"Look: {about}")) == json.dumps(MEANT)


def test_a_prompt_that_its_template_refuses_is_refused_in_the_templates_words() -> None:
    with serve(UPSTREAM) as url, serve(SlipProxy(url, 0.0, template="mistral").app()) as behind:
        refused = said(behind)
        assert refused.status_code == 500
        assert "roles must alternate" in refused.json()["error"]["message"]
