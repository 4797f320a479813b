"""A prompt as the one string that a model's chat template makes of it, with the model's tokens."""

import asyncio
from collections.abc import Mapping

import typer

from cli.options import settings_file
from cli.prompt.rendered import of_told, present_shared, present_sizes, spelled_out
from cli.screen import say, write_json
from cli.settings.choosing import choose
from lab.prompting.rendering import Rendered
from lab.prompting.sizes import SharedBeginning, Sizes, shared_beginning, sizes_of
from lab.prompting.written import ESTIMATED, Writer, Written, writer_of
from models.request import Settings
from models.spec import Spec, parse_spec


def present_string(
    context: typer.Context,
    told: Rendered,
    following: Rendered | None,
    model: str,
    *,
    as_json: bool,
) -> None:
    """Show what a model gets of a prompt, and how far the `following` one begins alike.

    Raises ModelError, a sentence, for a model whose template cannot be seen because its file or
    server is not there.
    """
    spec = parse_spec(model)
    chosen = choose({}, settings_file(context))
    looked = _looked(told, following, spec, chosen.models(), chosen.surroundings)
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
    _show(told, written, spec)
    is_by_writer = sizes.is_exact or writer.counter is None
    present_sizes(sizes, writer.counted_by if is_by_writer else ESTIMATED)
    if shared is not None and following is not None:
        present_shared(shared, following)


async def _looked(
    told: Rendered,
    following: Rendered | None,
    spec: Spec,
    settings: Settings,
    env: Mapping[str, str],
) -> tuple[Writer, Written, Sizes, SharedBeginning | None]:
    """Return what the model gets, its sizes, and the beginning that the next prompt shares."""
    async with writer_of(spec, settings, env) as writer:
        written = await writer.written(told.messages)
        sizes = await sizes_of(written, writer)
        if following is None:
            return writer, written, sizes, None
        other = await writer.written(following.messages)
        return writer, written, sizes, await shared_beginning(written, other, writer)


def _show(told: Rendered, written: Written, spec: Spec) -> None:
    """Show the string, or the messages where nobody sees one."""
    say(f"{of_told(told)} · {spec}", "dim")
    say(written.how)
    if written.text is not None:
        say(f"\n{spelled_out(written.text)}")
        return
    for each in written.messages:
        say(f"\n[{each.role}]", "bold cyan")
        say(spelled_out(each.content))
