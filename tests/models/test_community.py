"""Chat models of langchain-community, by the name of their class."""

import subprocess
import sys
from importlib.util import find_spec

import pytest
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage

from smolville.models.errors import SpecError, TransportError
from smolville.models.keys import UserSpec
from smolville.models.open import open_chat
from smolville.models.request import ModelSettings
from smolville.models.servers.transport import TranslatedErrors
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
    assert not chat.constrains
    for messages in (ASKED, REPAIR):
        reply = await chat.ask(messages, max_tokens=9)
        assert reply.text
        assert reply.is_cut
        assert reply.completion_tokens == 9
        assert reply.prompt_tokens is not None
    await chat.aclose()
    assert KEY not in repr(chat)


@needs_package
async def test_a_server_that_is_not_there_is_a_lost_call() -> None:
    address = f"http://127.0.0.1:{free_port()}"
    chat, _ = open_chat(UserSpec(f"community:LlamaEdgeChatService?service_url={address}"))
    with pytest.raises(TransportError, match=r"LlamaEdgeChatService .* refuses the connection"):
        await chat.ask(ASKED)


@needs_package
async def test_whatever_such_a_class_raises_is_a_lost_call() -> None:
    chat, _ = open_chat(UserSpec('community:FakeListChatModel?responses=["one"]'))
    assert (await chat.ask(ASKED)).text == "one"
    chat, _ = open_chat(UserSpec("community:FakeListChatModel?responses=[]"))
    with pytest.raises(TransportError, match="what it sent holds no reply"):
        await chat.ask(ASKED)
    with (
        pytest.raises(TransportError, match="X cannot be asked: odd") as caught,
        TranslatedErrors("X", foreign=True),
    ):
        raise RuntimeError("odd")
    assert not caught.value.retryable


@needs_package
@pytest.mark.parametrize(
    ("spec", "told"),
    [
        ("community:ChatLamaCpp", r"no chat model 'ChatLamaCpp'\. The nearest .*: ChatLlamaCpp"),
        ("community:chat_models", "has no chat model 'chat_models'"),
        ("community:ChatMLX", "does not open: `llm` is missing"),
        ("community:ChatFriendli", "needs a package of its own: .*friendli-client"),
        (
            "community:ChatYuan2?request_timeout=soon",
            "does not open: `request_timeout` is of another type than expected$",
        ),
    ],
)
def test_what_does_not_open_is_told_in_one_sentence(
    spec: str, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("YUAN2_API_KEY", KEY)
    with pytest.raises(SpecError, match=told) as caught:
        open_chat(UserSpec(spec))
    assert "\n" not in str(caught.value)
    assert KEY not in str(caught.value)


@needs_package
def test_a_schema_cannot_be_insisted_on() -> None:
    with pytest.raises(SpecError, match="cannot be held to a schema: take --set constrain=none"):
        open_chat(
            UserSpec("community:FakeListChatModel?responses=[]"),
            settings=ModelSettings(constrain="schema"),
        )


@needs_package
def test_the_package_s_farewell_is_silenced_and_no_other_warning() -> None:
    code = (
        "import warnings\n"
        "from smolville.models.connecting.langchain import _class\n"
        "from smolville.models.spec import parse_spec\n"
        "_class(parse_spec('community:FakeListChatModel'))\n"
        "warnings.warn('`langchain-community` is being sunset', DeprecationWarning)\n"
    )
    done = subprocess.run(
        [sys.executable, "-W", "always", "-c", code],
        capture_output=True,
        text=True,
    )
    told = [line for line in done.stderr.splitlines() if "Warning" in line]
    assert len(told) == 1
    assert told[0].startswith("<string>:5: ")


def test_a_missing_package_names_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "langchain_community", None)
    with pytest.raises(SpecError, match=r"extra community \(smolville\[community\]\)") as caught:
        open_chat("community:ChatMLX")
    assert caught.value.exit_code == 2
