"""Messages as chat templates take them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage

from smolville.models.chat import OPENING, fit_roles

KINDS = {"s": SystemMessage, "h": HumanMessage, "a": AIMessage}
ROLES = {"system": "s", "human": "h", "ai": "a"}


def talk(written: str) -> list[BaseMessage]:
    """Return the messages of `s:text h:text a:text`."""
    pairs = [part.split(":") for part in written.split()]
    return [KINDS[kind](text) for kind, text in pairs]


def told(messages: list[BaseMessage]) -> str:
    """Return messages as `talk` reads them, joined texts with a plus."""
    return " ".join(f"{ROLES[m.type]}:{str(m.text).replace(chr(10) * 2, '+')}" for m in messages)


@pytest.mark.parametrize(
    ("written", "kept", "merged"),
    [
        ("s:S h:A a:B h:C", "s:S h:A a:B h:C", "h:S+A a:B h:C"),
        ("h:A a:B", "h:A a:B", "h:A a:B"),
        ("s:S h:A h:B a:C a:D h:E", "s:S h:A+B a:C+D h:E", "h:S+A+B a:C+D h:E"),
        ("s:S s:T h:A", "s:S+T h:A", "h:S+T+A"),
        ("h:A s:S a:B", "s:S h:A a:B", "h:S+A a:B"),
        ("h:A s:S h:B", "s:S h:A+B", "h:S+A+B"),
        ("s:S a:B h:C", f"s:S h:{OPENING} a:B h:C", "h:S a:B h:C"),
        ("a:B h:C", f"h:{OPENING} a:B h:C", f"h:{OPENING} a:B h:C"),
        ("s:S", "h:S", "h:S"),
        ("", "", ""),
    ],
)
def test_turns_alternate_with_the_human_first(written: str, kept: str, merged: str) -> None:
    assert told(fit_roles(talk(written), system_role=True)) == kept
    assert told(fit_roles(talk(written), system_role=False)) == merged


@given(st.lists(st.sampled_from("sha"), max_size=12), st.booleans())
def test_any_talk_alternates_and_loses_nothing(kinds: list[str], system_role: bool) -> None:
    messages = [KINDS[kind](f"text {number}") for number, kind in enumerate(kinds)]
    fitted = fit_roles(messages, system_role)
    turns = [m.type for m in fitted if m.type != "system"]
    assert turns == [("human", "ai")[number % 2] for number in range(len(turns))]
    assert all(m.type != "system" for m in fitted[0 if not system_role else 1 :])
    said = "\n\n".join(str(m.text) for m in fitted)
    assert all(f"text {number}" in said for number in range(len(kinds)))
