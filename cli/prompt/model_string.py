"""Print the string that a model's chat template makes of a prompt, with exact token counts.

This is no part of `present`, which does not need to load the code for chat templates and servers.
"""

import asyncio
from collections.abc import Mapping

import typer

from smolville.cli.options import settings_file
from smolville.cli.prompt.present import (
    describe_rendered,
    present_shared,
    present_sizes,
    spelled_out,
)
from smolville.cli.screen import say, write_json
from smolville.cli.settings.choosing import choose
from smolville.lab.prompting.prompt_writer import ESTIMATED, PromptWriter, WrittenPrompt, writer_of
from smolville.lab.prompting.rendering import RenderedPrompt
from smolville.lab.prompting.sizes import SharedBeginning, Sizes, shared_beginning, sizes_of
from smolville.models.request import ModelSettings
from smolville.models.spec import Spec, parse_spec


def present_string(
    context: typer.Context,
    prompt: RenderedPrompt,
    following: RenderedPrompt | None,
    model: str,
    *,
    as_json: bool,
) -> None:
    """Show the string that a model gets for a prompt.

    Also shows how much of its beginning recurs in the `following` prompt. Raises ModelError if the
    model's chat template cannot be read, because the model's file or server is not there.
    """
    spec = parse_spec(model)
    chosen = choose({}, settings_file(context))
    looked = _write_prompts(prompt, following, spec, chosen.models(), chosen.surroundings)
    writer, written, sizes, shared = asyncio.run(looked)
    if as_json:
        write_json(
            {
                "model": str(spec),
                "how": written.how,
                "text": written.text,
                "messages": [
                    {"role": each.role, "content": each.content} for each in written.messages
                ],
                **sizes.plain(),
                "shared": None
                if shared is None or following is None
                else {"next": following.of, **shared.plain()},
            }
        )
        return
    _show(prompt, written, spec)
    is_by_writer = sizes.is_exact or writer.counter is None
    present_sizes(sizes, writer.counted_by if is_by_writer else ESTIMATED)
    if shared is not None and following is not None:
        present_shared(shared, following)


async def _write_prompts(
    prompt: RenderedPrompt,
    following: RenderedPrompt | None,
    spec: Spec,
    settings: ModelSettings,
    env: Mapping[str, str],
) -> tuple[PromptWriter, WrittenPrompt, Sizes, SharedBeginning | None]:
    """Return the writer, the written prompt, its sizes, and what it shares with the next prompt."""
    async with writer_of(spec, settings, env) as writer:
        written = await writer.write_prompt(prompt.messages, prompt.repairs)
        sizes = await sizes_of(written, writer)
        if following is None:
            return writer, written, sizes, None
        other = await writer.write_prompt(following.messages, following.repairs)
        return writer, written, sizes, await shared_beginning(written, other, writer)


def _show(prompt: RenderedPrompt, written: WrittenPrompt, spec: Spec) -> None:
    """Show the string, or the messages if the string cannot be known."""
    say(f"{describe_rendered(prompt)} · {spec}", "dim")
    say(written.how)
    if written.text is not None:
        say(f"\n{spelled_out(written.text)}")
        return
    for each in written.messages:
        say(f"\n[{each.role}]", "bold cyan")
        say(spelled_out(each.content))
