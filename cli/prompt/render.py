"""`smolville prompt render`: show exactly what the model would get, as messages."""

import asyncio
import difflib
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from smolville.agents.errors import SettingError
from smolville.cli.options import AsJson, only_model, runs_dir, settings_of
from smolville.cli.screen import console, say, write_json
from smolville.cli.templates import MaybeStep, named_templates, step_named

if TYPE_CHECKING:
    from smolville.lab.prompting.rendering import ChatMessage, RenderedPrompt
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
        metavar="llamacpp:URL",
        help="Show the one string that llama.cpp's server makes of the messages.",
    ),
]
STYLES = {"+": "green", "-": "red", "@": "cyan"}
"""Style of a diff line, by its first character."""
CONTEXT = 2
"""Number of unchanged lines shown around a change."""

Render = Callable[["Texts | None", str], "RenderedPrompt"]
"""Renders a sample or a moment with these templates of this name; None: as it was recorded."""


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
    recorded templates, or with those of --prompts DIR; a sample with the shipped ones. --model
    shows the string that the server's chat template makes of the messages; --diff DIR shows what
    another folder changes.
    """
    spec = only_model("--model", model)
    if spec is not None and diff is not None:
        raise SettingError(
            "--model shows one prompt as a string, --diff compares two; give one of them."
        )
    texts, name = named_templates(context)
    is_sample = sample or other
    if moment is None:
        render = _sample(step, attempt, is_sample=is_sample, other=other)
    elif is_sample:
        raise SettingError("--moment and --sample are two ways to say what is rendered; give one.")
    else:
        render = _moment(runs_dir(context), moment, step, attempt or 0)
    rendered = render(texts, name)
    if spec is not None:
        present_string(context, rendered, spec, as_json=as_json)
    elif diff is None:
        present_messages(rendered, as_json=as_json)
    else:
        from smolville.graphs.catalogue import check_names
        from smolville.prompts.folder import (
            find_template_folder,
            read_overlaid_texts,
            shipped_texts,
        )

        others = read_overlaid_texts(find_template_folder(diff))
        check_names([name for name in others if not name.startswith("_")], shipped_texts())
        present_diff(rendered, render(others, str(diff)), as_json=as_json)


def _sample(step: str | None, attempt: int | None, *, is_sample: bool, other: bool) -> Render:
    """Return how the sample of a step is rendered; raise SettingError if none is named."""
    from smolville.lab.prompting.rendering import sample

    if step is None or not is_sample:
        raise SettingError("Say what to render: STEP --sample, or --moment ID.")
    if attempt is not None:
        raise SettingError("--attempt belongs to --moment: a sample was never asked.")
    return partial(sample, step_named(step).name, other=other)


def _moment(runs: Path, id_: str, step: str | None, attempt: int) -> Render:
    """Return how a moment is rendered; raise SettingError when it belongs to another step."""
    from smolville.lab.moments.finding import find_moment
    from smolville.lab.prompting.rendering import as_it_was, with_texts

    found = find_moment(runs, id_)
    if step is not None and step != found.step:
        raise SettingError(
            f"The moment {found.id} is of {found.step}, not of {step_named(step).name}."
        )

    def render(texts: "Texts | None", name: str) -> "RenderedPrompt":
        was = as_it_was(found, attempt)
        return was if texts is None else with_texts(found, texts, name, attempt)

    return render


def present_messages(prompt: "RenderedPrompt", *, as_json: bool) -> None:
    """Show a prompt with the sizes of its parts, or with `as_json` only its messages."""
    from smolville.lab.prompting.sizes import estimate_sizes
    from smolville.models.tokens import PER_MESSAGE, estimate_tokens

    if as_json:
        write_json(prompt.plain())
        return
    sizes = [estimate_tokens(each.content) + PER_MESSAGE for each in prompt.messages]
    say(f"{_describe(prompt)} · about {sum(sizes)} tokens", "dim")
    for each, size in zip(prompt.messages, sizes, strict=True):
        say(f"\n[{each.role} · {size} tokens]", "bold cyan")
        say(spelled_out(each.content))
    parts = estimate_sizes(prompt.messages, prompt.repairs)
    total = sum(part.tokens for part in parts)
    say("\n[tokens by section, estimated]", "bold cyan")
    for part in parts:
        role = "" if part.role == part.name else part.role
        share = 100 * part.tokens / max(total, 1)
        say(f"{part.tokens:>6,}  {share:>3.0f} %  {role:<9}  {part.name}")
    say(f"{total:>6,}  100 %  {'':<9}  whole prompt", "dim")


def present_string(
    context: typer.Context, prompt: "RenderedPrompt", model: str, *, as_json: bool
) -> None:
    """Show the string that llama.cpp's server makes of a prompt, and its number of tokens.

    Raises SettingError for a model whose server tells nobody, ModelError if it does not answer.
    """
    from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage

    from smolville.models.chat import fit_roles
    from smolville.models.connecting.llamacpp import LlamaCppCounter, LlamaCppDialect
    from smolville.models.keys import KEYS, key_for
    from smolville.models.servers.llamacpp import LlamaCppServer
    from smolville.models.servers.transport import TranslatedErrors
    from smolville.models.spec import parse_spec

    spec = parse_spec(model)
    if spec.kind != "llamacpp":
        raise SettingError(
            f"{spec} applies a chat template that it shows nobody: leave --model out for the "
            "messages that it gets. llamacpp:URL names a server that shows the string."
        )
    chosen = settings_of(context)
    settings = chosen.models()
    server = LlamaCppServer(spec.target, key=key_for(KEYS["llamacpp"], chosen.surroundings))
    kinds: dict[str, type[BaseMessage]] = {
        "system": SystemMessage,
        "user": HumanMessage,
        "assistant": AIMessage,
    }
    turns = [kinds[each.role](content=each.content) for each in prompt.messages]

    async def ask() -> tuple[str | None, int]:
        model = (await asyncio.to_thread(server.facts)).model
        takes = settings.keeps_system_role(model.system_role)
        counter = LlamaCppCounter(server, LlamaCppDialect(settings).template)
        try:
            with TranslatedErrors(server.name, key=server.key):
                text = await counter.render_messages(fit_roles(turns, takes))
                tokens = await counter.tokens(text or "")
        finally:
            await counter.aclose()
        return text, len(tokens or [])

    text, tokens = asyncio.run(ask())
    if text is None:
        raise SettingError(f"{spec} does not tell what its template makes of these messages.")
    if as_json:
        write_json({"model": str(spec), "text": text, "tokens": tokens})
        return
    say(f"{_describe(prompt)} · {spec} · {tokens:,} tokens", "dim")
    say(f"\n{spelled_out(text)}")


def present_diff(before: "RenderedPrompt", after: "RenderedPrompt", *, as_json: bool) -> None:
    """Show what differs between two prompts of the same case, message by message."""
    from smolville.lab.styled import Text
    from smolville.models.tokens import estimate_tokens

    pairs = _pairs(before.messages, after.messages)
    if as_json:
        write_json(
            [
                {
                    "role": one.role,
                    "before": one.content,
                    "after": other.content,
                    "diff": list(_diff(one, other)),
                }
                for one, other in pairs
            ]
        )
        return
    say(f"{_describe(before)} → {after.templates}", "dim")
    is_equal = True
    for one, other in pairs:
        lines = list(_diff(one, other))
        if not lines:
            continue
        is_equal = False
        more = estimate_tokens(other.content) - estimate_tokens(one.content)
        say(f"\n[{one.role}{f', {more:+d} tokens' if more else ''}]", "bold cyan")
        for line in lines:
            console().print(Text(spelled_out(line), STYLES.get(line[:1], "")), soft_wrap=True)
    if is_equal:
        say("The model gets the same, to the letter.")


def spelled_out(text: str) -> str:
    r"""Return a text with all invisible characters escaped, including a hard space as `\xa0`."""
    return "".join(
        letter
        if letter.isprintable() or letter == "\n"
        else letter.encode("unicode_escape").decode()
        for letter in text
    )


def _describe(prompt: "RenderedPrompt") -> str:
    """Return a line that says what was rendered, and with which templates."""
    which = f" · attempt {prompt.attempt}" if prompt.attempt else ""
    return f"{prompt.step} · {prompt.of}{which} · templates: {prompt.templates}"


def _pairs(
    before: "Sequence[ChatMessage]", after: "Sequence[ChatMessage]"
) -> "list[tuple[ChatMessage, ChatMessage]]":
    """Return pairs of corresponding messages of two prompts.

    Both first messages are a pair; the others are paired from the end, since a template that shows
    a talk as turns makes more messages. A message without a partner is paired with an empty one.
    """
    from smolville.lab.prompting.rendering import ChatMessage

    (head, *turns), (other_head, *other_turns) = before, after
    missing = ChatMessage("user", "")
    rest = list(zip_longest(reversed(turns), reversed(other_turns), fillvalue=missing))
    return [(head, other_head), *reversed(rest)]


def _diff(one: "ChatMessage", other: "ChatMessage") -> Iterator[str]:
    """Yield the lines of a unified diff, without its header."""
    lines = difflib.unified_diff(
        one.content.splitlines(), other.content.splitlines(), lineterm="", n=CONTEXT
    )
    yield from list(lines)[2:]
