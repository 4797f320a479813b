"""An evaluation: all is asked once and kept at once, as many calls at a time as slots."""

import asyncio
import json
from collections import Counter
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from smolville.agents.errors import RunError, SettingError, StoppedError
from smolville.graphs.loop.rules import Rules
from smolville.lab.evaluation.asking import recorded_result
from smolville.lab.evaluation.evaluate import EvaluationSpec, evaluate, variants_of
from smolville.lab.evaluation.results import Evaluation, Result, ResultStore, kept_in
from smolville.lab.moments.finding import select_moments
from smolville.lab.moments.moment import Moment
from smolville.models.errors import TransportError
from smolville.models.pacing import Backoff
from smolville.prompts.prompt import TemplateSet
from tests.fixtures.clumsy import CLUMSY
from tests.lab.evaluation.asked import edited, question, slow, variant

REMINDED = edited(
    "plan_day.jinja",
    "{% block system %}",
    "{% block system %}\nCheck: every field has a value.\n",
)
IMPATIENT = Backoff(patience_seconds=0)


def run(asked: EvaluationSpec, kept: ResultStore | None = None, **how: Any) -> Evaluation:
    """The evaluation of a question."""
    return asyncio.run(evaluate(asked, kept, **how))


def timeless(results: list[Result]) -> list[Result]:
    """Results without their times."""
    return [replace(each, milliseconds=0.0) for each in results]


def test_the_model_and_templates_of_then_answer_as_then(moments: list[Moment]) -> None:
    found = run(question(moments))
    by_id = {each.moment: replace(each, milliseconds=0.0) for each in found.results}
    for moment in moments:
        assert by_id[moment.id] == replace(recorded_result(moment), milliseconds=0.0)


def test_every_moment_is_asked_with_every_variant_so_often(moments: list[Moment]) -> None:
    few, seen = moments[:6], list[tuple[int, int]]()
    asked = question(few, variant(), variant("standin"), turns=2)
    found = run(asked, progress=lambda *told: seen.append(told))
    counted = Counter((each.moment, each.variant, each.turn) for each in found.results)
    wanted = [(each.id, which, turn) for each in few for which in (0, 1) for turn in (0, 1)]
    assert counted == Counter(wanted)
    assert [done for done, _ in seen] == list(range(25))
    assert seen[-1] == (24, sum(each.is_objected_to for each in found.results))
    assert found.seconds > 0


def test_as_many_calls_are_in_flight_as_there_are_slots_over_all_variants(
    moments: list[Moment],
) -> None:
    chat, model = slow(slots=3)
    run(question(moments[:12], variant(chat=chat), variant(chat=chat, texts=REMINDED)))
    assert model.most == 3


def test_each_model_has_slots_of_its_own(moments: list[Moment]) -> None:
    one, first = slow(slots=2)
    other, second = slow(slots=4)
    other = replace(other, spec="standin:other")
    run(question(moments[:12], variant(chat=one), variant(chat=other)))
    assert (first.most, second.most) == (2, 4)


def test_what_is_kept_is_not_asked_again(moments: list[Moment], tmp_path: Path) -> None:
    chat, model = slow()
    asked = question(moments[:8], variant(chat=chat), turns=2)
    with kept_in(tmp_path / "e.jsonl", asked.asked) as kept:
        whole = run(asked, kept)
    calls = model.asked
    with kept_in(tmp_path / "e.jsonl", asked.asked) as kept:
        again = run(asked, kept)
    assert model.asked == calls
    assert again == whole


def test_a_model_that_goes_away_leaves_what_is_done(moments: list[Moment], tmp_path: Path) -> None:
    path = tmp_path / "e.jsonl"
    chat, model = slow()
    asked = question(moments[:40], variant(chat=chat), turns=2)
    undisturbed = run(asked)
    calls = model.asked
    model.end_after(40)
    with kept_in(path, asked.asked) as kept, pytest.raises(TransportError, match="is it running"):
        run(asked, kept, backoff=IMPATIENT)
    done = len(kept.results)
    assert 0 < done < len(asked.jobs)
    spent = sum(each.attempts for each in kept.results.values())
    model.end_after(None)
    with kept_in(path, asked.asked) as kept:
        assert len(kept.results) == done
        found = run(asked, kept)
    assert model.asked == calls - spent
    assert timeless(list(found.results)) == timeless(list(undisturbed.results))


def test_another_question_is_refused_with_what_differs(
    moments: list[Moment], tmp_path: Path
) -> None:
    path = tmp_path / "e.jsonl"
    with kept_in(path, question(moments[:2]).asked) as kept:
        run(question(moments[:2]), kept)
    others = {
        "with other moments": question(moments[:3]),
        "with other turns": question(moments[:2], turns=2),
        "with other templates": question(moments[:2], variant(texts=REMINDED)),
        "with other settings": question(moments[:2], rules=Rules(repairs=0)),
        "with other variants": question(moments[:2], variant("standin")),
    }
    before = path.read_bytes()
    for told, other in others.items():
        with pytest.raises(RunError, match=told), kept_in(path, other.asked):
            pass
    assert path.read_bytes() == before


def test_a_last_line_that_was_cut_is_dropped_and_asked_again(
    moments: list[Moment], tmp_path: Path
) -> None:
    path, asked = tmp_path / "e.jsonl", question(moments[:5])
    with kept_in(path, asked.asked) as kept:
        whole = run(asked, kept)
    path.write_bytes(path.read_bytes()[:-30])
    with kept_in(path, asked.asked) as kept:
        assert len(kept.results) == 4
        found = run(asked, kept)
    assert timeless(list(found.results)) == timeless(list(whole.results))
    assert len(path.read_text().splitlines()) == 6
    assert all(json.loads(line) for line in path.read_text().splitlines())


def test_a_prompt_from_which_the_stand_in_cannot_answer_is_told(moments: list[Moment]) -> None:
    said = [moment for moment in moments if moment.step == "ground_block"]
    texts = edited("ground_block.jinja", "task_list(tasks)", "task_list(tasks[:0])")
    with pytest.raises(StoppedError, match="the rendered messages do not show it"):
        run(question(said, variant(texts=texts)))


def test_every_template_set_meets_every_model() -> None:
    chats, mine = [variant().chat, variant("standin").chat], "mine"
    found = variants_of([("shipped", TemplateSet()), (mine, TemplateSet(REMINDED))], chats)
    assert [(each.name.prompts, each.name.model) for each in found] == [
        *(("shipped", CLUMSY), (mine, CLUMSY)),
        *(("shipped", "standin"), (mine, "standin")),
    ]
    assert found[0].version == found[2].version != found[1].version


def test_of_too_many_moments_some_of_each_kind_are_asked(moments: list[Moment]) -> None:
    kinds = {(moment.step, moment.outcome) for moment in moments}
    few = select_moments(moments, limit=len(kinds))
    assert {(moment.step, moment.outcome) for moment in few} == kinds
    assert few == [moment for moment in moments if moment in few]
    assert few == select_moments(list(reversed(moments)), limit=len(kinds))[::-1]
    assert len(select_moments(moments, limit=7)) == 7
    assert select_moments(moments, limit=10_000) == moments


def test_moments_are_chosen_by_step(moments: list[Moment]) -> None:
    found = select_moments(moments, steps=("say", "react"))
    assert found == [moment for moment in moments if moment.step in ("say", "react")]
    with pytest.raises(SettingError, match="is of the step 'answer_interview'"):
        select_moments(moments, steps=("answer_interview",))


def test_the_same_step_of_the_same_agent_is_asked_together(moments: list[Moment]) -> None:
    jobs = question(moments, variant(), variant("standin"), turns=2).jobs
    order = [(job.moment.step, job.variant, job.moment.use.persona.name) for job in jobs]
    changes = [one for one, other in pairwise(order) if one != other]
    assert len(changes) == len(set(changes))
