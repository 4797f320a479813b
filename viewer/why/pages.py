"""The addresses of why pages and of the lab."""

from nicegui import ui

from viewer.house import House
from viewer.why.calm import or_say


def add(house: House) -> None:
    """Add `/run/NAME/why/AGENT/TICK`, `/run/NAME/talk/ID` and `/run/NAME/lab/MOMENT`."""

    @ui.page("/run/{run}/why/{agent}/{tick}")
    def thought(run: str, agent: str, tick: str) -> None:
        from viewer.why.seen import see_thought
        from viewer.why.thought_page import draw_seen

        seen = or_say(run, "Why", lambda: see_thought(house.runs, run, agent, tick))
        if seen is not None:
            draw_seen(house.runs, seen)

    @ui.page("/run/{run}/talk/{talk:path}")
    def talk(run: str, talk: str) -> None:
        from viewer.why.seen import see_talk
        from viewer.why.thought_page import draw_seen

        seen = or_say(run, "Talk", lambda: see_talk(house.runs, run, talk))
        if seen is not None:
            draw_seen(house.runs, seen)

    @ui.page("/run/{run}/lab/{moment}")
    def lab(run: str, moment: str) -> None:
        from lab.moments.finding import find_moment
        from viewer.why.bench import Bench
        from viewer.why.lab_page import draw_lab

        found = or_say(run, "Lab", lambda: find_moment(house.runs, f"{run}/{moment}"))
        if found is not None:
            draw_lab(house, Bench(moment=found))
