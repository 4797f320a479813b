"""Describe a recorded run in words, from its own header and history."""

from pathlib import Path

from agents.numbers import many
from agents.times import DAY_SECONDS
from history.folder import RunFolder
from history.reader import RunReader
from history.spec import RunSpec
from models.errors import SpecError
from models.spec import parse_spec

HOUR = 3600
STANDIN_TOLD = "the built-in stand-in (rules, no model)"


def recording_told(folder: RunFolder) -> str:
    """Return who lived how long, and which model thought for them. Raises RunError for no run.

    `A recorded day of 3 people; qwen2.5-coder-1.5b-instruct.Q4_K_M thinks for them.`
    """
    with RunReader(folder) as reader:
        done = reader.watermark()
    seconds = 0 if done is None else (done + 1) * folder.spec.tick_seconds
    people = many(len(folder.spec.cast), "person", "people")
    models = models_told(folder.spec)
    thinking = f"{' and '.join(models)} {'thinks' if len(models) == 1 else 'think'} for them"
    return f"{_span(seconds)} of {people}; {thinking}."


def models_told(spec: RunSpec) -> tuple[str, ...]:
    """Return the models that thought in a run, without the folders of their files."""
    return tuple(dict.fromkeys(map(_model, (spec.models.fast, spec.models.strong))))


def _model(text: str) -> str:
    """Return a model's name for people; an unreadable spec is shown unchanged."""
    try:
        spec = parse_spec(text)
    except SpecError:
        return text
    if spec.kind == "standin":
        return f"{STANDIN_TOLD} ({text})" if spec.options else STANDIN_TOLD
    return Path(spec.target).stem if spec.kind == "gguf" else spec.target


def _span(seconds: int) -> str:
    """Return the length of the recording: whole days, or hours."""
    if seconds and seconds % DAY_SECONDS == 0:
        days = seconds // DAY_SECONDS
        return "A recorded day" if days == 1 else f"{days} recorded days"
    hours = seconds // HOUR
    return "A recorded hour" if hours == 1 else f"{hours} recorded hours"
