"""The results of an evaluation as experiments on the LangSmith dataset that it asked."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from smolville.lab.evaluation.evaluate import EvaluationSpec
from smolville.lab.evaluation.results import Evaluation, Result
from smolville.lab.moments.langsmith import open_langsmith
from smolville.lab.tracing.langsmith import marks_of, runs_of
from smolville.lab.tracing.tree import Span, with_ids

SHOWN = ("variant", "answer", "reply")
"""Fields of a result that are shown elsewhere than in its run's metadata."""


def post_experiments(
    dataset: str, question: EvaluationSpec, done: Evaluation, ended: float, env: Mapping[str, str]
) -> list[str]:
    """Post each variant's results as an experiment on a dataset; return the experiments' names.

    Moments that are not in the dataset are left out. `ended` is the time of the last result, in
    seconds since the epoch. Names and ids depend on the evaluation and this time alone, so posting
    twice creates no duplicates. Raises the errors of `open_langsmith`.
    """
    with open_langsmith(env, sends_runs=True) as client:
        there = client.read_dataset(dataset_name=dataset)
        examples = {
            (each.metadata or {}).get("moment"): each.id
            for each in client.list_examples(dataset_id=there.id)
        }
        names = []
        for variant, results in zip(question.variants, done.by_variant(), strict=True):
            of_variant = {
                "prompts": variant.name.prompts,
                "templates": variant.version,
                "model": variant.name.model,
            }
            names.append(f"{dataset} · {variant.name.label} · {question.name[:8]}")
            project = client.create_project(
                names[-1],
                metadata=of_variant,
                reference_dataset_id=there.id,
                num_examples=len(examples.keys() & done.moments.keys()),
                num_repetitions=done.turns,
                upsert=True,
            )
            for result in results:
                if (example := examples.get(result.moment)) is None:
                    continue
                span = _span(result, done.moments[result.moment], ended, of_variant)
                place = (dataset, question.name, result.variant, result.moment, result.turn)
                [run] = runs_of(with_ids(span, *place))
                client.create_run(**run, project_name=names[-1], reference_example_id=example)
                for mark in marks_of(run):
                    client.create_feedback(**mark, session_id=project.id)
    return names


def _span(result: Result, step: str, ended: float, of_variant: Mapping[str, Any]) -> Span:
    fields = {name: each for name, each in asdict(result).items() if name not in SHOWN}
    return Span(
        name=step,
        kind="step",
        id="",
        start=ended - result.milliseconds / 1000.0,
        end=ended,
        inputs={"moment": result.moment},
        outputs={"answer": dict(result.answer), "first_reply": result.reply},
        error="" if result.is_valid else "\n".join(result.problems) or "no answer",
        metadata={
            **fields,
            **of_variant,
            "step": step,
            "thread": result.moment,
            "command": f"smolville prompt render {result.moment}",
        },
    )
