"""What the sense checks object to: `python -m benchmarks.checks [--misses]`.

Prints how many answers each check objects to among those that a reader called sensible (it should
be none) or senseless, and among answers of dice, which draw words from the prompt for every text.
The labelled answers are those in `tests/recordings`, and every line of JSON in the folder that
`SMOLVILLE_LABELLED` names: a label (docs/guides/prompts.md), a question with an `answer`, or
the number of a `question` with `answers`, each a `text` and a `label`. Zip files hold the runs.
"""

import json
import os
import sys
import tempfile
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from smolville.graphs.alone import asked_person
from smolville.graphs.catalogue import STEPS
from smolville.graphs.loop.repairing import full_context, shown_with
from smolville.graphs.loop.state import StepState
from smolville.graphs.sense import EVERYWHERE, free_texts, remove_positions
from smolville.history.folder import RunFolder, list_runs
from smolville.history.reader import RunReader
from smolville.lab.evaluation.dice import fill
from smolville.lab.moments.finding import moments_of
from smolville.parsers.answer import shape_of
from smolville.prompts.prompt import shipped_templates

BY_NAME = {step.name: step for step in STEPS}
RECORDED = Path(__file__).parents[1] / "tests" / "recordings"
FORM, ANY, ANOTHER = "(its form)", "**any**", "(another question)"
Case = tuple[str, dict[str, Any]]
"""A step's name, and its inputs."""


def cases_of(folder: Path) -> dict[str, Case]:
    """Return the cases in a folder's zipped runs, by a moment's id and by the messages asked."""
    found: dict[str, Case] = {}
    with tempfile.TemporaryDirectory() as runs:
        for path in folder.glob("*.zip"):
            zipfile.ZipFile(path).extractall(runs)
        for run in list_runs(Path(runs)):
            with RunReader(RunFolder.open(Path(runs), run)) as reader:
                for moment in moments_of(reader):
                    call = moment.attempts[0].call
                    asked = json.dumps([each["content"] for each in json.loads(call.messages)])
                    found |= dict.fromkeys(
                        (moment.id, asked), (moment.step, json.loads(call.inputs))
                    )
    return found


def labelled(folder: Path) -> Iterator[tuple[str, Case, str]]:
    """Yield the label, the case and the text of each answer in a folder whose case is known."""
    at, paths = cases_of(folder), sorted(folder.glob("*.jsonl"))
    rows = [json.loads(line) for path in paths for line in path.read_text("utf-8").splitlines()]
    for row in rows:
        asked = json.dumps([each["content"] for each in row.get("messages", ())])
        at |= {str(row.get("n")): at[asked]} if asked in at else {}
    for row in rows:
        key = str(row.get("moment") or row.get("n") or row.get("question"))
        case = (row["step"], row["inputs"]) if "step" in row else at.get(key)
        told = row.get("read") or ("sensible" if row.get("sensible", True) else "senseless")
        for each in row.get("answers") or [{"text": row["answer"], "label": told}]:
            text = each["text"] if isinstance(each["text"], str) else json.dumps(each["text"])
            if case is not None:
                yield each["label"], case, text


def as_asked_now(step: Any, answer: str) -> str:
    """Return an answer of an earlier version with the lists that its step asks for since then."""
    begins = answer.find("{")
    try:
        data = json.loads(answer[begins:])
    except ValueError:
        return answer
    lists = [name for name, each in shape_of(step.answer).fields.items() if each.kind == "list"]
    fresh = {name: [] for name in lists if name not in data} | data
    return answer[:begins] + json.dumps(fresh, ensure_ascii=False)


def objections(state: StepState, step: Any, answer: str) -> tuple[dict[str, set[str]], set[str]]:
    """Return the fields that each check objects to, and the fields with the answer's own texts."""
    reading = step.parser.read(answer, full_context(step, state))
    if reading.value is None:
        return {FORM: {problem.field for problem in reading.problems}}, set()
    shown, found = shown_with(step, state, "en"), dict[str, set[str]]()
    for check in (*EVERYWHERE, *step.sense):
        if problems := check.find_problems(reading.value, state.inputs, shown):
            found.setdefault(check.look.__name__, set()).update(each.field for each in problems)
    texts = {path for path, _ in free_texts(reading.value.model_dump())}
    return found, {path for path in texts if remove_positions(path) not in shown.choices}


def tally(answers: Iterable[tuple[str, Case, str]], show: bool = False) -> dict[str, Counter[str]]:
    """Return by label how often each check objects; beneath "of", how many answers there are."""
    seen: dict[str, Counter[str]] = {}
    for label, (name, told), answer in {json.dumps(each): each for each in answers}.values():
        step = BY_NAME[name]
        try:
            inputs = step.inputs.model_validate(told)
        except ValidationError:
            seen.setdefault(ANOTHER, Counter()).update([name])
            continue
        first = shipped_templates().prompt(step).render(inputs)
        shown = " ".join(str(each.content) for each in first)
        roll = json.dumps(fill(step.answer.call_schema(step.choices(inputs)), shown, answer))
        state = StepState(agent=asked_person(inputs).name, inputs=inputs, first=first)
        for called, text in ((label, answer), ("dice", roll)):
            found, texts = objections(state, step, as_asked_now(step, text))
            if called != "dice" or texts:
                seen.setdefault(called, Counter()).update(["of", *found, *([ANY] if found else ())])
            if show and called != "dice" and bool(found) == (called == "sensible"):
                print(called, name, text, found)
    return seen


if __name__ == "__main__":
    folders = [*RECORDED.glob("read*"), *map(Path, filter(None, [os.getenv("SMOLVILLE_LABELLED")]))]
    seen = tally((each for path in folders for each in labelled(path)), "--misses" in sys.argv)
    left = seen.pop(ANOTHER, Counter())
    print(f"Left out, since the question has another form today: {dict(left) or 'none'}.")
    labels = ["sensible", "odd", "senseless", "dice"]
    print("| check |", " | ".join(f"{each} ({seen[each]['of']})" for each in labels), "|")
    print("|---|--:|--:|--:|--:|")
    for check in sorted({check for each in seen.values() for check in each} - {"of"}):
        print(f"| {check} |", " | ".join(str(seen[each][check] or "") for each in labels), "|")
