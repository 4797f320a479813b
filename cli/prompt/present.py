"""Print a rendered prompt with its sizes, or the differences between two prompts."""

import difflib
from collections.abc import Iterator, Sequence
from itertools import zip_longest

from smolville.cli.screen import console, say, write_json
from smolville.lab.prompting.rendering import ChatMessage, RenderedPrompt
from smolville.lab.prompting.sizes import (
    SharedBeginning,
    Sizes,
    estimated_beginning,
    estimated_sizes,
)
from smolville.lab.styled import Text
from smolville.models.tokens import PER_MESSAGE, estimate_tokens

STYLES = {"+": "green", "-": "red", "@": "cyan"}
"""Style of a diff line, by its first character."""
CONTEXT = 2
"""Number of unchanged lines shown around a change."""


def present_messages(
    prompt: RenderedPrompt, following: RenderedPrompt | None, *, as_json: bool
) -> None:
    """Show a prompt for a person, or with `as_json` only its messages.

    A person also sees the sizes of the prompt's parts, and how much of the prompt's beginning
    recurs in the `following` prompt.
    """
    if as_json:
        write_json(prompt.plain())
        return
    sizes = [estimate_tokens(each.content) + PER_MESSAGE for each in prompt.messages]
    say(f"{describe_rendered(prompt)} · about {sum(sizes)} tokens", "dim")
    for each, size in zip(prompt.messages, sizes, strict=True):
        say(f"\n[{each.role} · {size} tokens]", "bold cyan")
        say(spelled_out(each.content))
    present_sizes(estimated_sizes(prompt.messages, prompt.repairs), "estimated")
    if following is not None:
        shared = estimated_beginning(prompt.messages, following.messages, prompt.repairs)
        present_shared(shared, following)


def present_sizes(sizes: Sizes, counted_by: str) -> None:
    """Show the tokens of a prompt's parts; `counted_by` names the tokenizer or estimate."""
    say(f"\n[tokens by section, {counted_by}]", "bold cyan")
    whole = max(sizes.total, 1)
    for each in sizes.parts:
        role = "" if each.role == each.name else each.role
        say(f"{each.tokens:>6,}  {100 * each.tokens / whole:>3.0f} %  {role:<9}  {each.name}")
    say(f"{sizes.total:>6,}  100 %  {'':<9}  whole prompt", "dim")


def present_shared(shared: SharedBeginning, following: RenderedPrompt) -> None:
    """Show the beginning that the next prompt shares, which a server's prefix cache can serve."""
    say("\n[beginning shared with the next]", "bold cyan")
    which = f"The next {following.step} of the same agent, {following.of},"
    if not shared.section:
        say(f"{which} begins with all of this one.")
        return
    share = 100 * shared.tokens / max(shared.total, 1)
    say(
        f"{which} begins with the same {shared.tokens:,} of {shared.total:,} tokens "
        f"({share:.0f} %); they part in: {shared.section}"
    )
    for where, text in (("here", shared.here), ("there", shared.there)):
        say(f"  {where:<6} {_on_one_line(text)} …", "dim")


def present_diff(before: RenderedPrompt, after: RenderedPrompt, *, as_json: bool) -> None:
    """Show what differs between two prompts of the same case, message by message."""
    pairs = _pairs(before.messages, after.messages)
    if as_json:
        write_json([_plain(one, other) for one, other in pairs])
        return
    say(f"{describe_rendered(before)} → {after.templates}", "dim")
    is_equal = True
    for one, other in pairs:
        lines = list(_diff(one, other))
        if not lines:
            continue
        is_equal = False
        more = estimate_tokens(other.content) - estimate_tokens(one.content)
        change = f", {more:+d} tokens" if more else ""
        say(f"\n[{one.role}{change}]", "bold cyan")
        for line in lines:
            console().print(Text(spelled_out(line), STYLES.get(line[:1], "")), soft_wrap=True)
    if is_equal:
        say("The model gets the same, to the letter.")


def _on_one_line(text: str) -> str:
    return spelled_out(text).replace("\n", "\\n")


def spelled_out(text: str) -> str:
    r"""Return a text with all invisible characters escaped, including a hard space as `\xa0`."""
    return "".join(
        letter
        if letter.isprintable() or letter == "\n"
        else letter.encode("unicode_escape").decode()
        for letter in text
    )


def describe_rendered(prompt: RenderedPrompt) -> str:
    """Return a line that says what was rendered, and with which templates."""
    which = f" · attempt {prompt.attempt}" if prompt.attempt else ""
    return f"{prompt.step} · {prompt.of}{which} · templates: {prompt.templates}"


def _pairs(
    before: Sequence[ChatMessage], after: Sequence[ChatMessage]
) -> list[tuple[ChatMessage, ChatMessage]]:
    """Return pairs of corresponding messages of two prompts.

    Both first messages are a pair; the others are paired from the end, since a template that shows
    a talk as turns makes more messages. A message without a partner is paired with an empty one.
    """
    (head, *turns), (other_head, *other_turns) = before, after
    missing = ChatMessage("user", "")
    rest = list(zip_longest(reversed(turns), reversed(other_turns), fillvalue=missing))
    return [(head, other_head), *reversed(rest)]


def _plain(one: ChatMessage, other: ChatMessage) -> dict[str, object]:
    return {
        "role": one.role,
        "before": one.content,
        "after": other.content,
        "diff": list(_diff(one, other)),
    }


def _diff(one: ChatMessage, other: ChatMessage) -> Iterator[str]:
    """Yield the lines of a unified diff, without its header."""
    lines = difflib.unified_diff(
        one.content.splitlines(), other.content.splitlines(), lineterm="", n=CONTEXT
    )
    for number, line in enumerate(lines):
        if number > 1:
            yield line
