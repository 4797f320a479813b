"""`smolville prompt render`: exactly what the model would get, as messages."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.options import AsJson, runs_dir
from cli.prompt.named import MaybeStep, step_named, templates_said

if TYPE_CHECKING:
    from lab.moments.moment import Moment
    from lab.prompting.rendering import Rendered
    from prompts.folder import Texts

OfMoment = Annotated[
    str | None,
    typer.Option("--moment", metavar="ID", help="A moment's id, as `smolville moments` lists it."),
]
OfSample = Annotated[bool, typer.Option("--sample", help="For the step's shipped sample.")]
Other = Annotated[bool, typer.Option("--other", help="For its other sample.")]
WhichAttempt = Annotated[
    int | None,
    typer.Option("--attempt", metavar="N", min=0, help="What attempt N of the moment got (0)."),
]
Against = Annotated[
    Path | None,
    typer.Option("--diff", metavar="DIR", help="What another folder, or `shipped`, makes of it."),
]

ForModel = Annotated[
    str | None,
    typer.Option(
        "--model",
        metavar="SPEC",
        help="The string that this model's chat template makes of it: gguf:<file>, llamacpp:<url>.",
    ),
]


def render_prompt(
    context: typer.Context,
    step: MaybeStep = None,
    moment: OfMoment = None,
    sample: OfSample = False,
    other: Other = False,
    attempt: WhichAttempt = None,
    diff: Against = None,
    model: ForModel = None,
    as_json: AsJson = False,
) -> None:
    """Show exactly what the model would get: messages, tokens by section, the final string.

    For a moment of a run by the templates of then, or by those of --prompts DIR; for a sample by
    the shipped ones. Of a moment it tells how far the next one of the same step and agent begins
    alike. --model SPEC shows the one string that a chat template makes of the messages, with the
    model's own tokens; --diff DIR shows what another folder changes about them.
    """
    from cli.prompt.rendered import present_diff, present_messages

    if model is not None and diff is not None:
        raise _wrong("--model shows one prompt as a string, --diff compares two; give one of them.")
    texts, name = templates_said(context)
    subject: _Sample | _OfMoment
    if moment is None:
        subject = _Sample(_named(step, attempt, is_sample=sample or other), other=other)
    elif sample or other:
        raise _wrong("--moment and --sample are two ways to say what is rendered; give one.")
    else:
        runs = runs_dir(context)
        subject = _OfMoment(runs, moment, _moment(runs, moment, step), attempt or 0)
    told = subject.by(texts, name)
    if model is not None:
        from cli.prompt.served import present_string

        present_string(context, told, subject.following(texts, name), model, as_json=as_json)
        return
    if diff is None:
        following = None if as_json else subject.following(texts, name)
        present_messages(told, following, as_json=as_json)
        return
    from graphs.checking import check_names
    from prompts.folder import named, overlaid, shipped_texts

    others = overlaid(named(diff))
    check_names([name for name in others if not name.startswith("_")], shipped_texts())
    present_diff(told, subject.by(others, str(diff)), as_json=as_json)


class _Sample:
    """A step's sample."""

    def __init__(self, step: str, *, other: bool) -> None:
        self._step, self._other = step, other

    def by(self, texts: "Texts | None", name: str) -> "Rendered":
        """Return it as these templates show it."""
        from lab.prompting.rendering import sample

        return sample(self._step, texts, name, other=self._other)

    def following(self, texts: "Texts | None", name: str) -> "Rendered | None":
        """Return None: nothing comes after a sample."""
        return None


class _OfMoment:
    """An attempt of a moment."""

    def __init__(self, runs: Path, named: str, moment: "Moment", attempt: int) -> None:
        self._runs, self._named = runs, named
        self._moment, self._attempt = moment, attempt

    def by(self, texts: "Texts | None", name: str) -> "Rendered":
        """Return it as these templates show it; None: as it was."""
        return _shown(self._moment, texts, name, self._attempt)

    def following(self, texts: "Texts | None", name: str) -> "Rendered | None":
        """Return the next moment of its step and agent in the same way; None behind the last."""
        from lab.moments.following import next_moment

        found = next_moment(self._runs, self._moment, self._named)
        return None if found is None else _shown(found, texts, name, 0)


def _shown(moment: "Moment", texts: "Texts | None", name: str, attempt: int) -> "Rendered":
    """Return an attempt of a moment as these templates show it; None: as it was."""
    from lab.prompting.rendering import as_it_was, with_texts

    if texts is None:
        return as_it_was(moment, attempt)
    return with_texts(moment, texts, name, attempt)


def _named(step: str | None, attempt: int | None, *, is_sample: bool) -> str:
    """Return the step whose sample is wanted."""
    if step is None or not is_sample:
        raise _wrong("Say what to render: STEP --sample, or --moment ID.")
    if attempt is not None:
        raise _wrong("--attempt belongs to --moment: a sample was never asked.")
    return step_named(step).name


def _moment(runs: Path, wanted: str, step: str | None) -> "Moment":
    """Return the moment of an id; SettingError when it is of another step."""
    from lab.moments.finding import find_moment

    found = find_moment(runs, wanted)
    if step is not None and step != found.step:
        raise _wrong(f"The moment {found.id} is of {found.step}, not of {step_named(step).name}.")
    return found


def _wrong(text: str) -> Exception:
    from agents.errors import SettingError

    return SettingError(text)
