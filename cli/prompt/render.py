"""`smolville prompt render`: show exactly what the model would get, as messages."""

import difflib
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from smolville.agents.errors import SettingError
from smolville.cli.options import AsJson, command, runs_dir
from smolville.cli.screen import console, say, write_json
from smolville.cli.templates import named_templates, set_named, step_named

if TYPE_CHECKING:
    from smolville.lab.prompting.rendering import RenderedPrompt
    from smolville.prompts.folder import Texts

What = Annotated[
    str,
    typer.Argument(
        metavar="STEP|MOMENT",
        help="A step, for its shipped sample; or a moment's id, as `smolville moments` lists it.",
    ),
]
WhichAttempt = Annotated[
    int | None,
    typer.Option(
        "--attempt", metavar="N", min=0, help="Render attempt N of the moment; 0 by default."
    ),
]
Against = Annotated[
    str | None,
    typer.Option(
        "--diff", metavar="SET", help="Compare with this set: a folder, `shipped`, a run."
    ),
]
STYLES = {"+": "green", "-": "red", "@": "cyan"}
"""Style of a diff line, by its first character."""
CONTEXT = 2
"""Number of unchanged lines shown around a change."""
HEX = frozenset("0123456789abcdefABCDEF")

Render = Callable[["Texts | None", str], "RenderedPrompt"]
"""Renders a sample or a moment with these templates of this name; None: as it was recorded."""


def render_prompt(
    context: typer.Context,
    what: What,
    attempt: WhichAttempt = None,
    diff: Against = None,
    as_json: AsJson = False,
) -> None:
    """Show exactly the prompt that the model would get.

    Shows the messages, and the tokens of each section. A moment of a run is rendered with its
    recorded templates, or with those of --prompts DIR; a step's sample with the shipped ones.
    --diff SET shows what another set changes.
    """
    texts, name = named_templates(context)
    render = _renderer(context, what, attempt)
    rendered = render(texts, name)
    if diff is None:
        present_messages(rendered, as_json=as_json)
        if not as_json and "/" in rendered.of and "#" not in what:
            trace = command(runs_dir(context), "trace", *rendered.of.split("/"))
            say(f"Its trace: {trace}", "dim")
        return
    present_diff(rendered, render(set_named(context, diff).texts, diff), as_json=as_json)


def _renderer(context: typer.Context, what: str, attempt: int | None) -> Render:
    """Return how a step's sample or a moment is rendered; raise SettingError for neither."""
    from smolville.lab.prompting.rendering import as_it_was, sample, with_texts

    if not ({"/", "#"} & {*what} or {*what} <= HEX):
        if attempt is not None:
            raise SettingError("--attempt belongs to a moment: a sample was never asked.")
        return partial(sample, step_named(what).name)
    from smolville.lab.moments.finding import find_moment

    found = find_moment(runs_dir(context), what)

    def render(texts: "Texts | None", name: str) -> "RenderedPrompt":
        if texts is None:
            return as_it_was(found, attempt or 0)
        if attempt:
            raise SettingError("Other templates are rendered for the first question only.")
        return with_texts(found, texts, name)

    return render


def present_messages(prompt: "RenderedPrompt", *, as_json: bool) -> None:
    """Show a prompt with the sizes of its parts, or with `as_json` only its messages."""
    from smolville.lab.prompting.rendering import estimate_sizes

    if as_json:
        write_json(prompt.plain())
        return
    parts = estimate_sizes(prompt.messages)
    total = sum(part.tokens for part in parts)
    say(f"{_describe(prompt)} · about {total} tokens", "dim")
    for each in prompt.messages:
        say(f"\n[{each.role}]", "bold cyan")
        say(spelled_out(each.content))
    say("\n[tokens by section, estimated]", "bold cyan")
    for part in parts:
        share = 100 * part.tokens / max(total, 1)
        say(f"{part.tokens:>6,}  {share:>3.0f} %  {part.role:<9}  {part.name}")
    say(f"{total:>6,}  100 %  {'':<9}  whole prompt", "dim")


def present_diff(before: "RenderedPrompt", after: "RenderedPrompt", *, as_json: bool) -> None:
    """Show what differs between two prompts of the same case."""
    from smolville.models.tokens import estimate_tokens

    one, other = _lines(before), _lines(after)
    diff = diff_lines(one, other)
    if as_json:
        write_json(diff)
        return
    more = estimate_tokens("\n".join(other)) - estimate_tokens("\n".join(one))
    say(f"{_describe(before)} → {after.templates} · {more:+d} tokens", "dim")
    show_diff(diff)
    if not diff:
        say("The model gets the same, to the letter.")


def diff_lines(one: list[str], other: list[str]) -> list[str]:
    """Return what differs between two texts, with a little around it."""
    return list(difflib.unified_diff(one, other, lineterm="", n=CONTEXT))[2:]


def show_diff(lines: list[str]) -> None:
    """Show lines of a diff in colours."""
    from smolville.lab.styled import Text

    for line in lines:
        console().print(Text(spelled_out(line), STYLES.get(line[:1], "")), soft_wrap=True)


def _lines(prompt: "RenderedPrompt") -> list[str]:
    texts = (f"[{each.role}]\n{each.content}\n" for each in prompt.messages)
    return "\n".join(texts).split("\n")


def spelled_out(text: str) -> str:
    r"""Return a text with all invisible characters escaped, including a hard space as `\xa0`."""
    return "".join(
        letter
        if letter.isprintable() or letter == "\n"
        else letter.encode("unicode_escape").decode()
        for letter in text
    )


def _describe(prompt: "RenderedPrompt") -> str:
    which = f" · attempt {prompt.attempt}" if prompt.attempt else ""
    return f"{prompt.step} · {prompt.of}{which} · templates: {prompt.templates}"
