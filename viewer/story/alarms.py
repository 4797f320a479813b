"""Signs of drift on a page: each with the sentence that explains it, and a link to its moment."""

from collections.abc import Sequence

from smolville.reports.drift.alarm import TITLES, Alarm
from smolville.viewer.elements import box, link, make_folded_section, set_attributes, short, words
from smolville.viewer.story.run_links import RunLinks

SHOWN = 3
"""Number of alarms that are shown unfolded; the others are folded away."""


def draw_alarms(ways: RunLinks, alarms: Sequence[Alarm]) -> None:
    """Add a card with the signs of drift; adds nothing if there are none."""
    if not alarms:
        return
    with set_attributes(box("section", "card alarms"), aria_labelledby="alarms"):
        set_attributes(words("h2", "Signs that this run drifts"), id="alarms")
        _list(ways, alarms[:SHOWN])
        if len(alarms) > SHOWN:
            with make_folded_section(f"{len(alarms) - SHOWN} more"):
                _list(ways, alarms[SHOWN:])


def _list(ways: RunLinks, alarms: Sequence[Alarm]) -> None:
    with box("ul"):
        for alarm in alarms:
            with box("li"):
                words("b", f"{TITLES[alarm.kind].capitalize()}. ")
                short("span", alarm.sentence, longest=600)
                words("span", " ")
                who = alarm.who[0] if alarm.who else ""
                made = link("see it", ways.town(alarm.first, who), "way")
                set_attributes(made, aria_label=f"See it at {ways.format_time(alarm.first)}")
