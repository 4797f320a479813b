"""What LangChain and its traces see: runnables, output parsers, and one tree of runs."""

import pytest

from smolville.graphs.catalogue import ENTITY, STEPS, collect_templates
from smolville.graphs.making.steps import MAKING
from smolville.graphs.mind import build_mind, think
from smolville.parsers.answer import shape_of
from smolville.prompts.folder import FOLDER
from smolville.prompts.prompt import shipped_templates
from tests.fixtures.scripted import Around, Scripted
from tests.graphs.minds import ADA, ask, context_for, mind_of, planning_from
from tests.graphs.replies import bad, good
from tests.graphs.traced import traced


def _undescribed(shape):
    """The fields of an answer of which a model would be told the name only."""
    for name, field in shape.fields.items():
        inner = field.item if field.kind == "list" else field
        yield from [] if field.description else [name]
        yield from _undescribed(inner) if inner is not None and inner.kind == "object" else []


@pytest.mark.parametrize("step", [*STEPS, *MAKING], ids=lambda step: step.name)
def test_every_field_of_an_answer_is_described_and_its_example_is_right(step):
    assert list(_undescribed(shape_of(step.answer))) == []
    example = step.answer.example()
    assert step.answer.model_validate(example.model_dump()) == example


def test_a_run_keeps_every_steps_template_with_its_partials():
    found = collect_templates(shipped_templates())
    assert set(found) == {"repair", "examples", *(step.name for step in STEPS)}
    for step in STEPS:
        version, files = found[step.name]
        assert version == step.prompt.version
        assert files[step.prompt.file] == (FOLDER / step.prompt.file).read_text(encoding="utf-8")
        assert "_setting.jinja" in files if step in ENTITY else "ABOUT YOU" in files["_who.jinja"]


async def test_a_handler_sees_prompt_and_model_under_their_step():
    step = next(step for step in STEPS if step.name == "react")
    replies = [bad("react", {}), good("react", {})]

    async def work(_):
        await ask(step, context_for(Scripted(replies={"react": replies})))

    trace = await traced(work)
    (prompt,) = trace.paths("react")
    assert prompt == ["root", "Ada Brook · react", "ask", "react"]
    models = trace.paths("model")
    assert models == [["root", "Ada Brook · react", "ask", "model"]] * 2
    assert len(trace.paths("parse")) == 2 and len(trace.paths("repair")) == 1
    assert trace.kinds["parser"] == 2, "what reads a reply is a run of its own"


async def test_a_handler_sees_a_whole_thought_as_one_tree():
    async def work(_):
        context = context_for(Scripted(otherwise=good), Around(why=("new_day",)))
        await think(build_mind(), context, ADA.name, mind_of())

    trace = await traced(work)
    models = trace.paths("model")
    # A node that is a graph is two runs of one name: the node, and the graph in it.
    planning = ["root", "Ada Brook · thought", "planning", "planning"]
    assert models == [[*planning, step, step, "ask", "model"] for step in planning_from("plan_day")]
    assert trace.paths("recall") == [
        [*planning, step, step, "gather", "recall"] for step in ("plan_day", "plan_hours")
    ]
