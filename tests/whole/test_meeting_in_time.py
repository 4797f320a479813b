"""Two people agree in a talk to meet on the next day, and are both there in time."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage

from history.folder import RunFolder
from history.reader import RunReader
from models.chat import Chat
from models.standin.model import StandIn
from tests.whole.lives import DAY, HOUR, begin, live, standin
from world.run_request import RunRequest

FIVE = DAY + 17 * HOUR
AT_HALF_PAST = FIVE + HOUR // 2
LINES = (
    "Will you come to Willow Park tomorrow at five?",
    "Thank you, I will gladly come.",
    "Then goodbye!",
)


class Inviting(StandIn):
    """The stand-in, whose talks all are about meeting in the park."""

    def _reply(self, messages: list[BaseMessage], kwargs: Mapping[str, Any]) -> AIMessage:
        if kwargs.get("step") != "say":
            return super()._reply(messages, kwargs)
        said = len(kwargs["inputs"]["lines"])
        return AIMessage(f'{{"text": "{LINES[min(said, 2)]}", "ends": {str(said > 1).lower()}}}')


def _inviting(seed: int) -> Chat:
    return replace(standin(seed), model=Inviting(seed=seed))


def test_both_are_where_they_agreed_to_meet_at_the_time_they_agreed_to(
    small: RunRequest, tmp_path: Path
) -> None:
    folder: RunFolder = begin(tmp_path, "meeting", small)
    live(folder, AT_HALF_PAST, _inviting(small.seed))
    with RunReader(folder) as reader:
        first = next(talk for talk in reader.talks() if talk.end < DAY)
        for name in first.participants:
            done = [deed for deed in reader.deeds(name) if deed.action.start <= AT_HALF_PAST]
            meeting = done[-1].action
            partners = [each for each in first.participants if each != name]
            if meeting.kind == "talk":
                assert set(meeting.partners) <= set(reader.agents())
                continue
            assert meeting.activity.startswith("meeting ")
            assert all(each in meeting.activity for each in partners)
            assert meeting.place.startswith("Willow Park") and meeting.start >= FIVE - HOUR // 2
