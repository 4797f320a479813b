"""How many tokens a prompt has, before it is sent."""

from langchain_core.messages import BaseMessage, HumanMessage, SystemMessage

from smolville.models.open import open_chat
from smolville.models.tokens import PromptTokens, estimate_prompt
from tests.fixtures.faulty_server import serve_faults

ASKED: list[BaseMessage] = [
    SystemMessage("You live in a town. Answer with one object."),
    HumanMessage("It is 12:30. Ada asks: “Soup, or salad?” [1] soup (2.50 €) [2] salad"),
]


async def test_elsewhere_the_estimate_is_taken() -> None:
    chat, _ = open_chat("standin")
    assert await chat.count_tokens(ASKED) == PromptTokens(estimate_prompt(ASKED), is_exact=False)


async def test_a_server_that_cannot_count_leaves_it_to_the_estimate() -> None:
    with serve_faults() as url:
        chat, _ = open_chat(f"llamacpp:{url}/broken")
        counted = await chat.count_tokens(ASKED)
        await chat.aclose()
    assert counted == PromptTokens(estimate_prompt(ASKED), is_exact=False)
