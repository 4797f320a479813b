"""Two people agree in a talk to meet on the next day, and are both there in time."""

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage

from smolville.agents.mind import Appointment
from smolville.history.folder import RunFolder
from smolville.history.reader import RunReader
from smolville.models.chat import Chat
from smolville.models.standin.model import StandIn
from smolville.reports.present import mind_of
from smolville.world.cluster_runner import Schedule
from smolville.world.run_request import RunRequest
from tests.whole.lives import DAY, HOUR, begin, differing, live, parts, standin

FIVE = DAY + 17 * HOUR
AT_HALF_PAST = FIVE + HOUR // 2
LINES = (
    "Will you come to Willow Park tomorrow at five?",
    "Thank you, I will gladly come.",
    "Then goodbye!",
)


class Inviting(StandIn):
    """The stand-in, whose talks are all about meeting in the park."""

    one_sided: bool = False

    def _reply(self, messages: list[BaseMessage], kwargs: Mapping[str, Any]) -> AIMessage:
        inputs = kwargs["inputs"]
        if kwargs.get("step") == "say":
            said = len(inputs["lines"])
            return AIMessage(
                f'{{"text": "{LINES[min(said, 2)]}", "ends": {str(said > 1).lower()}}}'
            )
        if kwargs.get("step") != "conclude_talk":
            return super()._reply(messages, kwargs)
        first, second = inputs["lines"][0]["speaker"], inputs["lines"][1]["speaker"]
        place = next((each for each in inputs["places"] if each.startswith("Willow Park")), None)
        made = {"who": [first, second], "what": "walking in Willow Park", "line": 2}
        made |= {"day": "tomorrow", "time": "17:00", "place": place}
        is_silent = self.one_sided and inputs["me"]["name"] != first
        answer = {"summary": "They want to meet in the park.", "keep": [], "in_confidence": []}
        answer |= {"agreements": [] if is_silent else [made], "feeling": "glad"}
        return AIMessage(json.dumps(answer))


def inviting(seed: int, *, one_sided: bool = False) -> Chat:
    return replace(standin(seed), model=Inviting(seed=seed, one_sided=one_sided))


def agreed_by(reader: RunReader, name: str, at: int) -> tuple[Appointment, ...]:
    mind = mind_of(reader, name, at // 10)
    return () if mind is None else mind.appointments


def test_both_are_where_they_agreed_to_meet_at_the_time_they_agreed_to(
    small: RunRequest, tmp_path: Path
) -> None:
    folder: RunFolder = begin(tmp_path, "meeting", small)
    live(folder, AT_HALF_PAST, inviting(small.seed, one_sided=True))
    with RunReader(folder) as reader:
        first = next(talk for talk in reader.talks() if talk.end < DAY)
        for name in first.participants:
            others = {each for each in first.participants if each != name}
            done = [deed.action for deed in reader.deeds(name)]
            (meeting, *_) = [each for each in done if each.activity == "walking in Willow Park"]
            assert meeting.place.startswith("Willow Park")
            assert abs(meeting.start - FIVE) <= HOUR // 2
            kept = agreed_by(reader, name, AT_HALF_PAST)
            assert any(others <= set(each.partners) for each in kept)


def test_what_one_side_noted_reaches_the_other_alike_under_every_schedule_and_after_a_stop(
    small: RunRequest, tmp_path: Path
) -> None:
    schedules: tuple[Schedule, ...] = ("lockstep", "serial")
    found, ended = [], 0
    for schedule in schedules:
        folder = begin(tmp_path, schedule, replace(small, schedule=schedule))
        live(folder, DAY // 2, inviting(small.seed, one_sided=True))
        with RunReader(folder) as reader:
            talk = reader.talks()[0]
            first, *others = talk.participants
            ended = talk.end
            for name in others:
                told = [each for each in agreed_by(reader, name, DAY // 2) if each.by]
                assert {each.by for each in told} == {first} and told[0].partners == (first,)
        found.append(parts(folder))
    assert differing(found[0], found[1]) == []
    stopped = begin(tmp_path, "stopped", small)
    for until in (ended + 10, ended + 20, DAY // 2):
        live(stopped, until, inviting(small.seed, one_sided=True))
    assert differing(found[0], parts(stopped)) == []
