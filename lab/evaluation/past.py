"""Evaluations that a folder of runs has kept: read, put together, and the best set so far."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from smolville.agents.errors import RunError
from smolville.lab.evaluation.results import (
    MOMENTS,
    SETS,
    SOURCE,
    Evaluation,
    Result,
    VariantName,
    kept_files,
    read_results,
)
from smolville.lab.evaluation.scores import CONTROLS, Score
from smolville.lab.evaluation.summary import Contrast, Summary, summarise
from smolville.lab.prompting.sets import NamedSet, plain_set

SHOWN = 8
"""Number of digits by which an evaluation is shown, of those in its file's name."""


@dataclass(frozen=True, kw_only=True)
class PastEvaluation:
    """An evaluation with the templates that were asked."""

    path: Path
    when: datetime
    """When it was last written to."""
    sources: tuple[str, ...]
    """The runs, files or datasets of its moments."""
    evaluation: Evaluation
    sets: tuple[NamedSet, ...]
    """The template set of each variant."""
    questions: Mapping[str, str]
    """Digits of what was asked, by moment: another run of the same name has other ones."""
    settings: Mapping[str, Any]
    scores: Mapping[str, Mapping[tuple[str, int, int], float]] = field(default_factory=dict)
    """What scorers gave the results, by the scorer's name."""

    @property
    def summary(self) -> Summary:
        """Its summary, as when it was made."""
        return summarise(self.evaluation, _scores(self.scores))

    @property
    def id(self) -> str:
        """Digits that name it."""
        return self.path.stem[:SHOWN]

    @property
    def keys(self) -> list[tuple[str, str]]:
        """Version of the templates and model of each variant."""
        names = self.evaluation.variants
        return [(own.version, name.model) for own, name in zip(self.sets, names, strict=True)]


def read_past(path: Path) -> PastEvaluation:
    """Return an evaluation from its file; RunError if it cannot be read."""
    head, kept = read_results(path)
    asked = head["asked"]
    if SETS not in head:
        raise RunError(f"{str(path)!r} is of an earlier Smolville, which kept no templates.")
    sets = {data["version"]: plain_set(data) for data in head[SETS]}
    split = [label.rpartition(" · ") for label in asked["variants"]]
    evaluation = Evaluation(
        variants=tuple(VariantName(prompts=name, model=model) for name, _, model in split),
        moments={id_: step for id_, (step, *_) in head[MOMENTS].items()},
        people={id_: person for id_, (_, person, _) in head[MOMENTS].items()},
        turns=asked["turns"],
        results=list(kept.results.values()),
        repairs=asked["settings"].get("repairs", 0),
        seconds=kept.seconds,
    )
    return PastEvaluation(
        path=path,
        when=datetime.fromtimestamp(path.stat().st_mtime).astimezone(),
        sources=tuple(head[SOURCE]),
        evaluation=evaluation,
        sets=tuple(sets[version] for version in asked["templates"]),
        questions={id_: digits for id_, (*_, digits) in head[MOMENTS].items()},
        settings={**asked["settings"], "examples": asked["examples"]},
        scores=kept.scores,
    )


def _scores(scores: Mapping[str, Mapping[tuple[str, int, int], float]]) -> list[Score]:
    """Return the scores with the answers by which they are controlled, which were not kept."""
    return [
        Score(
            name,
            values,
            [
                Result(moment=moment, variant=variant, turn=turn, outcome="clean")
                for moment, variant, turn in values
                if variant in CONTROLS
            ],
        )
        for name, values in scores.items()
    ]


def find_past(name: str, runs: Path) -> PastEvaluation:
    """Return the evaluation that is named by the first digits of its id, or by its file."""
    if Path(name).is_file():
        return read_past(Path(name))
    found = [path for path in kept_files(runs) if path.stem.startswith(name)]
    if len(found) != 1:
        what = "There is no evaluation" if not found else "There are several evaluations"
        raise RunError(f"{what} {name!r} in {runs}; `smolville prompt history` lists them.")
    return read_past(found[0])


def put_together(
    pasts: Sequence[PastEvaluation], ids: Iterable[str], keys: Iterable[tuple[str, str]]
) -> tuple[Evaluation, Summary, list[NamedSet]]:
    """Return one evaluation of these moments and variants, its summary, and the variants' sets.

    Variants with the same templates and model are one, and come in the order of `keys`. What an
    earlier one of `pasts` asked and got counts before that of a later one.
    """
    known = {key: own for past in pasts for key, own in zip(past.keys, past.sets, strict=True)}
    places = {key: place for place, key in enumerate(key for key in keys if key in known)}
    asked = dict(each for past in reversed(pasts) for each in past.questions.items())
    wanted = {id_: asked[id_] for id_ in ids}
    turns = min(past.evaluation.turns for past in pasts)
    found: dict[tuple[str, int, int], Result] = {}
    scores: dict[str, dict[tuple[str, int, int], float]] = {}
    for past in pasts:
        place_of = {each: each for each in CONTROLS} | {
            variant: places[key] for variant, key in enumerate(past.keys) if key in places
        }
        for each in past.evaluation.results:
            is_wanted = wanted.get(each.moment) == past.questions[each.moment]
            if is_wanted and each.variant in place_of and each.turn < turns:
                result = replace(each, variant=place_of[each.variant])
                found.setdefault(result.key, result)
        for name, values in past.scores.items():
            for (id_, variant, turn), value in values.items():
                if variant in place_of and wanted.get(id_) == past.questions[id_]:
                    key = (id_, place_of[variant], turn)
                    scores.setdefault(name, {}).setdefault(key, value)
    versions = {(known[key].name, key[0]) for key in places}
    edited = [name for name, count in Counter(name for name, _ in versions).items() if count > 1]
    variants = [
        VariantName(
            prompts=f"{known[key].name} {key[0]}" if known[key].name in edited else known[key].name,
            model=key[1],
        )
        for key in places
    ]
    steps = {id_: step for past in pasts for id_, step in past.evaluation.moments.items()}
    people = {id_: who for past in pasts for id_, who in past.evaluation.people.items()}
    evaluation = Evaluation(
        variants=tuple(variants),
        moments={id_: steps[id_] for id_ in wanted},
        people={id_: people[id_] for id_ in wanted},
        turns=turns,
        results=list(found.values()),
        repairs=pasts[0].evaluation.repairs,
        seconds=sum(past.evaluation.seconds for past in pasts),
    )
    summary = summarise(evaluation, _scores(scores))
    return evaluation, summary, [known[key] for key in places]


def compare_two(one: PastEvaluation, other: PastEvaluation) -> tuple[Evaluation, Summary]:
    """Return both evaluations as one, of the moments that both asked.

    What only one of them asked comes first, so that a later edit is compared with an earlier one.
    Raises RunError if they have no moment in common.
    """
    ids = [id_ for id_, asked in one.questions.items() if other.questions.get(id_) == asked]
    if not ids:
        raise RunError(f"The evaluations {one.id} and {other.id} have no moment in common.")
    both = {*one.keys} & {*other.keys}
    keys = dict.fromkeys((*one.keys, *other.keys))
    evaluation, summary, _ = put_together([one, other], ids, sorted(keys, key=both.__contains__))
    return evaluation, summary


@dataclass(frozen=True, kw_only=True)
class BestSet:
    """The best template set of a step so far on one model."""

    model: str
    tried: int
    """Number of other sets that were compared."""
    base: NamedSet
    """The set with which all were compared: the shipped one, if it was asked."""
    found: NamedSet | None = None
    """The set; None if none is better than the base beyond chance."""
    measure: str = ""
    contrast: Contrast | None = None


def best_sets(step: str, pasts: Sequence[PastEvaluation], shipped: str) -> list[BestSet]:
    """Return the best set of a step for each model that was asked; `shipped` is a version.

    A set is better if it leads in a score or a measure beyond chance and falls behind in none. All
    moments of the step that both were asked count, of all evaluations with the latest's settings.
    """
    concerned = [past for past in pasts if step in past.evaluation.moments.values()]
    concerned = [past for past in concerned if past.settings == concerned[0].settings]
    if not concerned:
        raise RunError(f"No evaluation has asked moments of the step {step!r} yet.")
    moments = [past.evaluation.moments for past in concerned]
    ids = [id_ for each in moments for id_, about in each.items() if about == step]
    asked = dict.fromkeys(key for past in concerned for key in past.keys)
    found = []
    for model in dict.fromkeys(model for _, model in asked):
        keys = [(shipped, model), *(key for key in asked if key[1] == model)]
        _, summary, sets = put_together(concerned, ids, dict.fromkeys(keys))
        leads = [
            (measure in summary.scores, -place, contrast.points, each.variant, measure, contrast)
            for each in summary.comparisons
            if all(contrast.verdict != "worse" for contrast in each.contrasts.values())
            for place, (measure, contrast) in enumerate(each.contrasts.items())
            if contrast.verdict == "better"
        ]
        best = BestSet(model=model, tried=len(summary.comparisons), base=sets[0])
        if leads:
            *_, variant, measure, contrast = max(leads, key=lambda each: each[:4])
            best = replace(best, found=sets[variant], measure=measure, contrast=contrast)
        found.append(best)
    return found
