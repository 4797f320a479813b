"""Chat models of langchain-community, by the name of their class."""

import sys
from importlib.util import find_spec

import pytest
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage

from smolville.models.errors import KeyRefused, SpecError, TransportError
from smolville.models.keys import UserSpec
from smolville.models.open import open_chat
from tests.fixtures.loopback import free_port

ASKED: list[BaseMessage] = [SystemMessage("You are in a town."), HumanMessage("Where to?")]
REPAIR = [*ASKED, AIMessage("{}"), HumanMessage("place is missing.")]
KEY = "yuan-0123456789"
needs_package = pytest.mark.skipif(
    find_spec("langchain_community") is None,
    reason="langchain_community is not installed: the extra community is not there",
)


@needs_package
@pytest.mark.filterwarnings("ignore:The `dict` method is deprecated")
async def test_a_community_class_talks_to_llamacpp(
    llamacpp_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("YUAN2_API_KEY", KEY)
    spec = f"community:ChatYuan2?yuan2_api_base={llamacpp_url}/v1,model_name=tiny,max_retries=1"
    chat, why = open_chat(UserSpec(spec))
    assert why == f"{spec}: chosen by you."
    for messages in (ASKED, REPAIR):
        reply = await chat.ask(messages, max_tokens=9)
        assert reply.text
        assert reply.completion_tokens == 9
    await chat.aclose()
    with pytest.raises(KeyRefused, match="would be sent keys"):
        open_chat(spec)


@needs_package
@pytest.mark.parametrize(
    ("setting", "told"),
    [
        ("LlamaEdgeChatService?service_url=http://127.0.0.1:{port}", "refuses the connection"),
        ("FakeListChatModel?responses=[]", "holds no reply|does not answer as a chat server"),
    ],
)
async def test_what_such_a_class_raises_is_a_lost_call(setting: str, told: str) -> None:
    chat, _ = open_chat(UserSpec(f"community:{setting.format(port=free_port())}"))
    with pytest.raises(TransportError, match=told):
        await chat.ask(ASKED)


@needs_package
@pytest.mark.parametrize(
    ("spec", "told"),
    [
        ("community:chat_models", "has no chat model 'chat_models'"),
        ("community:ChatMLX", "does not open: .*llm"),
        ("community:ChatFriendli", "does not open: .*friendli-client"),
    ],
)
def test_what_does_not_open_is_told_in_one_sentence(spec: str, told: str) -> None:
    with pytest.raises(SpecError, match=told) as caught:
        open_chat(UserSpec(spec))
    assert "\n" not in str(caught.value)


def test_a_missing_package_names_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "langchain_community", None)
    with pytest.raises(SpecError, match=r"extra community \(smolville\[community\]\)"):
        open_chat("community:ChatMLX")
