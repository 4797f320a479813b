"""The report: one file that loads nothing, and in which every text of a model stays text."""

import re
from base64 import b64encode
from dataclasses import replace
from hashlib import sha256
from html.parser import HTMLParser
from itertools import pairwise

import pytest

from smolville.lab.evaluation.answers import cards_of, differs
from smolville.lab.evaluation.page import report_page
from smolville.lab.evaluation.results import Evaluation, Result
from smolville.lab.evaluation.summary import summarise
from tests.lab.evaluation.made_up import made_up

HOSTILE = (
    "<img src=x onerror=alert(1)>",
    "</script><script>alert(2)</script>",
    "</style><style>body{display:none}</style>",
    "</pre></details></main><h1>Better!</h1>",
    '" onmouseover="alert(3)',
    "{{ 7 * 7 }}{% raw %}",
    "<!-- <a href=http://example.org>",
)
OPEN = {"meta", "br", "rect", "line", "circle"}
"""Elements without an end."""


class Page(HTMLParser):
    """What a page holds: its elements, their attributes, and its text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.stack: list[str] = []
        self.text: list[str] = []
        self.bodies: dict[str, str] = {}
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in OPEN:
            self.stack.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.stack.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.stack and self.stack[-1] in ("script", "style"):
            self.bodies[self.stack[-1]] = self.bodies.get(self.stack[-1], "") + data
        else:
            self.text.append(data)

    def count(self, tag: str) -> int:
        return sum(each == tag for each, _ in self.elements)

    @property
    def told(self) -> str:
        return "".join(self.text)


def page_of(evaluation: Evaluation, date: str = "") -> str:
    return report_page(evaluation, summarise(evaluation), date=date)


def with_first(evaluation: Evaluation, changed: Result) -> Evaluation:
    return replace(evaluation, results=[changed, *evaluation.results[1:]])


def hostile(text: str) -> Evaluation:
    """An evaluation in which everything that anybody may have written is this text."""
    made = made_up(moments=2, variants=2, turns=1)
    return replace(
        made,
        variants=tuple(replace(each, prompts=text, model=text) for each in made.variants),
        moments=tuple(
            replace(each, agent=text, time=text, answer={text: text}) for each in made.moments
        ),
        results=[
            replace(
                each,
                reply=text,
                problems=(text,),
                kinds=(text,),
                answer={text: [text, {"a": text, "b": 1, "c": 2}]},
                outcome="clean" if at % 2 else "repaired",
            )
            for at, each in enumerate(made.results)
        ],
    )  # fmt: skip


def test_the_page_is_whole_and_loads_nothing() -> None:
    html = page_of(made_up())
    page = Page(html)
    assert page.stack == []
    for tag, attributes in page.elements:
        assert tag not in {"link", "img", "iframe", "object", "embed", "base", "form", "a", "image"}
        assert not {"src", "href", "xlink:href", "style", "srcset", "action"} & attributes.keys()
        assert not any(name.startswith("on") for name in attributes)
    assert (page.count("script"), page.count("style")) == (0, 1)
    assert "url(" not in page.bodies["style"]
    assert "@import" not in page.bodies["style"]
    assert not re.search(r"https?://(?!127\.0\.0\.1)", html)


def test_the_policy_names_the_hashes_of_what_stands_there() -> None:
    page = Page(page_of(made_up(moments=2)))
    (policy,) = (
        told["content"] for tag, told in page.elements if tag == "meta" and "http-equiv" in told
    )
    assert policy is not None
    assert policy.startswith("default-src 'none';")
    digest = b64encode(sha256(page.bodies["style"].encode()).digest()).decode()
    assert f"style-src 'sha256-{digest}'" in policy
    assert "unsafe" not in policy


@pytest.mark.parametrize("text", HOSTILE)
def test_a_models_text_stays_text(text: str) -> None:
    calm, page = Page(page_of(hostile("calm"))), Page(page_of(hostile(text)))
    assert [tag for tag, _ in page.elements] == [tag for tag, _ in calm.elements]
    assert [told.keys() for _, told in page.elements] == [told.keys() for _, told in calm.elements]
    assert page.told.count(text) == calm.told.count("calm")
    assert page.bodies == calm.bodies


def test_marks_that_turn_text_round_are_shown_and_not_obeyed() -> None:
    html = page_of(hostile("safe \u202etxet\u2066 \x00\x1b[31m \ud800 end"))
    assert not re.search("[\u202a-\u202e\u2066-\u2069\x00\x1b\ud800]", html)
    assert r"safe \u202etxet\u2066 \x00\x1b[31m \ud800 end" in html
    html.encode("utf-8")


def test_emoji_of_several_parts_stay_whole() -> None:
    family = "👨\u200d👩\u200d👧 🛏\ufe0f"
    assert family in page_of(hostile(family))


def test_a_huge_reply_and_a_huge_answer_are_shown_in_part() -> None:
    made = made_up(moments=1, variants=2, turns=1)
    told = {"outcome": "fallback", "reply": "x" * 100_000, "problems": ("y" * 9_000,) * 40}
    html = page_of(with_first(made, replace(made.results[0], **told)))
    assert "and 34 more" in html and len(html) < 100_000
    answer = {"items": ["z" * 50_000] * 500, "deep": [[[[[[[["end"]]]]]]]]}
    first = replace(made.results[0], answer=answer, outcome="repaired")
    assert len(page_of(with_first(made, first))) < 250_000


def test_the_page_says_what_the_summary_says() -> None:
    made = made_up()
    page = Page(page_of(made, "2026-03-01"))
    assert summarise(made).asked in page.told and "2026-03-01" in page.told
    assert all(each in page.told for each in summarise(made).verdicts)
    assert all("scope" in told for tag, told in page.elements if tag == "th")
    headings = [int(tag[1]) for tag, _ in page.elements if re.fullmatch("h[1-6]", tag)]
    assert headings[0] == 1
    assert all(after - before <= 1 for before, after in pairwise(headings))
    assert page_of(made_up()) == page_of(made_up()), "without a date nothing else enters"


@pytest.mark.parametrize("variants", [1, 2, 3])
def test_any_number_of_variants_and_results_makes_a_page(variants: int) -> None:
    made = made_up(moments=6, variants=variants, turns=1)
    for evaluation in (made, replace(made, results=[])):
        assert Page(page_of(evaluation)).stack == []
    told = Page(page_of(replace(made, results=made.results[:4]))).told
    assert f"{6 * variants - 4} questions have no result: it was interrupted." in told


def test_moments_that_differ_are_there_with_all_answers() -> None:
    made = made_up(moments=20, turns=1)
    page = Page(page_of(made))
    differing = [each for each in made.moments if differs(made, each)]
    assert len(differing) > 0
    assert sum(each.id in page.told for each in made.moments) == len(differing)
    assert f"{len(differing)} of 20 moments differ" in page.told


def test_an_answer_that_is_only_odd_is_a_difference() -> None:
    made = made_up(moments=1, variants=2, turns=1)
    one, other = (replace(made.results[0], variant=n, outcome="clean", odd=()) for n in (0, 1))
    odd = replace(other, odd=("Dinner at nine.",), odd_kinds=("hours",))
    (moment,) = made.moments
    assert not differs(replace(made, results=[one, other]), moment)
    assert differs(replace(made, results=[one, odd]), moment)


def test_equal_turns_are_told_once() -> None:
    made = made_up(moments=1, variants=2, turns=3)
    same = [replace(made.results[0], turn=each.turn, variant=each.variant) for each in made.results]
    cards = cards_of(replace(made, results=same), made.moments[0])
    assert [card.model.partition("  ")[2] for card in cards] == ["answers 1, 2, 3 of 3"] * 2


def test_one_variant_alone_is_held_to_what_was_stored() -> None:
    made = made_up(moments=1, variants=1, turns=1)
    moment = replace(made.moments[0], outcome="clean")
    like = replace(made.results[0], outcome="clean", answer=moment.answer, odd=())
    assert not differs(replace(made, results=[like]), moment)
    assert differs(replace(made, results=[replace(like, outcome="fallback")]), moment)
