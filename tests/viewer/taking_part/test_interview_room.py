"""The room of an interview."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from smolville.graphs.loop.rules import Rules
from smolville.history.spec import RunSpec
from smolville.models.open import open_chat
from smolville.viewer.config import AppConfig, AppModels
from smolville.viewer.taking_part.interview import InterviewRoom
from smolville.world.run_resources import RunResources
from tests.fixtures.scripted import Scripted, chat_of
from tests.fixtures.viewing import copied


@contextmanager
def reluctant(spec: RunSpec, model: str | None = None) -> Iterator[AppModels]:
    """Open a model whose first answer is none."""
    fast, _ = open_chat("standin")
    told = ["I would rather not.", {"answer": "The post office is quiet."}]
    strong = chat_of(Scripted(replies={"answer_interview": told}))
    yield AppModels(chats=(fast, strong), means=RunResources(), rules=Rules())


async def test_a_second_try_answers_where_the_first_could_not_be_used(
    lived_runs: Path, tmp_path: Path
) -> None:
    room = InterviewRoom(AppConfig(runs=copied(lived_runs, tmp_path), minds=reluctant), "town")
    try:
        answered = await room.ask("Walter Brandt", "What is new?")
    finally:
        await room.close()
    assert (answered.answer, answered.is_fallback) == ("The post office is quiet.", False)
