"""`smolville prompt render`: show exactly what the model would get, as messages."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from smolville.cli.options import AsJson, only_model, runs_dir
from smolville.cli.templates import MaybeStep, named_templates, step_named

if TYPE_CHECKING:
    from smolville.lab.moments.moment import Moment
    from smolville.lab.prompting.rendering import RenderedPrompt
    from smolville.prompts.folder import Texts

OfMoment = Annotated[
    str | None,
    typer.Option("--moment", metavar="ID", help="A moment's id, as `smolville moments` lists it."),
]
OfSample = Annotated[bool, typer.Option("--sample", help="Render the step's shipped sample.")]
Other = Annotated[bool, typer.Option("--other", help="Render the step's other shipped sample.")]
WhichAttempt = Annotated[
    int | None,
    typer.Option(
        "--attempt", metavar="N", min=0, help="Render attempt N of the moment; 0 by default."
    ),
]
Against = Annotated[
    Path | None,
    typer.Option("--diff", metavar="DIR", help="Compare with the templates of DIR, or `shipped`."),
]

ForModel = Annotated[
    list[str] | None,
    typer.Option(
        "--model",
        metavar="SPEC",
        help="Show the prompt as a model's chat template writes it: gguf:<file>, llamacpp:<url>.",
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
    """Show exactly the prompt that the model would get.

    Shows the messages, and the tokens of each section. A moment of a run is rendered with its
    recorded templates, or with those of --prompts DIR; a sample with the shipped ones. For a
    moment, also shows how much of its beginning recurs in the same agent's next prompt of that
    step.
    --model SPEC shows the string that a chat template makes of the messages, with the model's own
    token counts; --diff DIR shows what another folder changes.
    """
    from smolville.cli.prompt.present import present_diff, present_messages

    spec = only_model("--model", model)
    if spec is not None and diff is not None:
        raise _make_setting_error(
            "--model shows one prompt as a string, --diff compares two; give one of them."
        )
    texts, name = named_templates(context)
    subject: _Sample | _OfMoment
    if moment is None:
        subject = _Sample(_find_step_name(step, attempt, is_sample=sample or other), other=other)
    elif sample or other:
        raise _make_setting_error(
            "--moment and --sample are two ways to say what is rendered; give one."
        )
    else:
        runs = runs_dir(context)
        subject = _OfMoment(runs, moment, _moment(runs, moment, step), attempt or 0)
    rendered = subject.render_with(texts, name)
    if spec is not None:
        from smolville.cli.prompt.model_string import present_string

        present_string(context, rendered, subject.following(texts, name), spec, as_json=as_json)
        return
    if diff is None:
        following = None if as_json else subject.following(texts, name)
        present_messages(rendered, following, as_json=as_json)
        return
    from smolville.graphs.checking import check_names
    from smolville.prompts.folder import find_template_folder, read_overlaid_texts, shipped_texts

    others = read_overlaid_texts(find_template_folder(diff))
    check_names([name for name in others if not name.startswith("_")], shipped_texts())
    present_diff(rendered, subject.render_with(others, str(diff)), as_json=as_json)


class _Sample:
    """The shipped sample of a step, which can be rendered with several sets of templates."""

    def __init__(self, step: str, *, other: bool) -> None:
        self._step, self._other = step, other

    def render_with(self, texts: "Texts | None", name: str) -> "RenderedPrompt":
        """Return the sample rendered with these templates."""
        from smolville.lab.prompting.rendering import sample

        return sample(self._step, texts, name, other=self._other)

    def following(self, texts: "Texts | None", name: str) -> "RenderedPrompt | None":
        """Return None: nothing comes after a sample."""
        return None


class _OfMoment:
    """An attempt of a recorded moment, which can be rendered with several sets of templates."""

    def __init__(self, runs: Path, named: str, moment: "Moment", attempt: int) -> None:
        self._runs, self._named = runs, named
        self._moment, self._attempt = moment, attempt

    def render_with(self, texts: "Texts | None", name: str) -> "RenderedPrompt":
        """Return the attempt rendered with these templates; None leaves it as it was recorded."""
        return _render_attempt(self._moment, texts, name, self._attempt)

    def following(self, texts: "Texts | None", name: str) -> "RenderedPrompt | None":
        """Return the rendered next moment of the same step and agent; None after the last one."""
        from smolville.lab.moments.finding import next_moment

        found = next_moment(self._runs, self._moment, self._named)
        return None if found is None else _render_attempt(found, texts, name, 0)


def _render_attempt(
    moment: "Moment", texts: "Texts | None", name: str, attempt: int
) -> "RenderedPrompt":
    """Return an attempt of a moment rendered with these templates; None leaves it as recorded."""
    if texts is None:
        from smolville.lab.prompting.rendering import as_it_was

        return as_it_was(moment, attempt)
    from smolville.lab.prompting.anew import with_texts

    return with_texts(moment, texts, name, attempt)


def _find_step_name(step: str | None, attempt: int | None, *, is_sample: bool) -> str:
    """Return the name of the step whose sample is wanted; raise SettingError if none is named."""
    if step is None or not is_sample:
        raise _make_setting_error("Say what to render: STEP --sample, or --moment ID.")
    if attempt is not None:
        raise _make_setting_error("--attempt belongs to --moment: a sample was never asked.")
    return step_named(step).name


def _moment(runs: Path, id_: str, step: str | None) -> "Moment":
    """Return the moment with this id; raise SettingError when it belongs to another step."""
    from smolville.lab.moments.finding import find_moment

    found = find_moment(runs, id_)
    if step is not None and step != found.step:
        raise _make_setting_error(
            f"The moment {found.id} is of {found.step}, not of {step_named(step).name}."
        )
    return found


def _make_setting_error(text: str) -> Exception:
    from smolville.agents.errors import SettingError

    return SettingError(text)
