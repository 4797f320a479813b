"""Choice of people: a town's casts with their faces, then all people with what they do."""

from collections.abc import Callable, Sequence
from functools import partial

from nicegui import ui

from smolville.agents.persona import Persona
from smolville.agents.wording import join_words
from smolville.viewer.controls import button
from smolville.viewer.elements import box, set_attributes, words
from smolville.viewer.playback.people import coat_of, looks_of
from smolville.viewer.starting.cards import Cards
from smolville.world.town.town import Town

USUAL = 3
"""Usual number of people in a first town."""
MOST_FACES = 9
"""Maximum number of faces on a card."""
EVERYBODY = "all"
"""Value of the card for everybody, in a town whose largest cast is smaller."""


def describe_person(persona: Persona) -> str:
    """Return what a person does in a line: `the baker of Smolville and lives behind his shop`."""
    first = persona.learned.split(". ")[0].strip().rstrip(".")
    return first.removeprefix(persona.name).strip().removeprefix("is ")


def usual_people(town: Town) -> tuple[str, ...]:
    """Return the people chosen at first: the cast of usual size, or as many people of the town."""
    return town.casts.get(USUAL) or tuple(town.personas)[:USUAL]


class PeopleChoice:
    """The casts of a town as cards, and all its people, each of whom can be included or not."""

    def __init__(self, on_change: Callable[[], None]) -> None:
        """Draw an empty choice; `on_change` is called whenever the chosen people change."""
        self._on_change = on_change
        self._town: Town | None = None
        self.names: tuple[str, ...] = ()
        """The chosen people's full names; those of a cast are in the cast's order."""
        self._offered: dict[str, tuple[str, ...]] = {}
        self.casts = Cards("cast", "Casts", lambda value: self._choose(self._offered[value]))
        self.people = box("div", "people", role="group", aria_label="People")
        with box("div", "row"):
            self.more = button("Choose one by one", self._show_all)
            self.count = ui.label("").classes("soft").props('role="status"')

    def show(self, town: Town) -> None:
        """Offer the people of a town."""
        self._town = town
        self.casts.clear()
        usual = usual_people(town)
        # The smallest cast first, everybody last.
        self._offered = {str(size): names for size, names in town.casts.items()}
        if not any(len(names) == len(town.personas) for names in self._offered.values()):
            self._offered[EVERYBODY] = tuple(town.personas)
        for value, names in self._offered.items():
            with self.casts.add(value, chosen=names == usual):
                _draw_cast(names, town)
        self._choose(usual)

    def _choose(self, names: tuple[str, ...]) -> None:
        """Choose exactly these people, and redraw the list of all people."""
        assert self._town is not None
        self.names = names
        others = [name for name in self._town.personas if name not in names]
        self.people.clear()
        with self.people:
            for name, dress in _dressed([*names, *others]):
                self._draw_person(self._town.personas[name], dress, chosen=name in names)
        self._tell()

    def _draw_person(self, persona: Persona, dress: dict[str, str], *, chosen: bool) -> None:
        with box("label", "person is-chosen" if chosen else "person") as card:
            tick = box("input", type="checkbox", name=persona.name)
            set_attributes(tick, **{"checked": True} if chosen else {})
            tick.on(
                "change",
                partial(self._take, persona.name, card),
                js_handler="(event) => emit(event.target.checked)",
            )
            _face(dress, persona.age)
            with box("span", "person-words"):
                words("b", f"{persona.name}, {persona.age}")
                words("span", describe_person(persona), "person-line")

    def _take(self, name: str, card: ui.element, event: object) -> None:
        """Include a person, or leave them out."""
        taken = bool(getattr(event, "args", False))
        card.classes(**{"add" if taken else "remove": "is-chosen"})
        kept = tuple(each for each in self.names if each != name)
        self.names = (*kept, name) if taken else kept
        self.casts.choose_none()
        self._tell()

    def _show_all(self) -> None:
        """Show all people, including those who are not chosen."""
        self.people.classes(add="is-all")
        self.more.set_visibility(False)

    def _tell(self) -> None:
        """Show how many people are chosen, and notify the form."""
        assert self._town is not None
        self.count.set_text(f"{len(self.names)} of {len(self._town.personas)} chosen")
        self._on_change()


def _draw_cast(names: Sequence[str], town: Town) -> None:
    with box("span", "faces"):
        for name, dress in _dressed(names)[:MOST_FACES]:
            _face(dress, town.personas[name].age)
        if len(names) > MOST_FACES:
            words("span", f"+{len(names) - MOST_FACES}", "soft")
    words("b", f"{len(names)} people" if len(names) > 1 else "1 person")
    firsts = [name.split()[0] for name in names]
    more = len(firsts) - USUAL
    if more > 2:
        firsts = [*firsts[:USUAL], f"{more} more"]
    words("span", "everybody" if len(names) == len(town.personas) else join_words(firsts), "soft")


def _dressed(names: Sequence[str]) -> list[tuple[str, dict[str, str]]]:
    """Return each person with the colours and look that they have in a town with this cast."""
    looks = looks_of(names)
    return [(name, {"colour": coat_of(n), "look": str(looks[n])}) for n, name in enumerate(names)]


def _face(dress: dict[str, str], age: int) -> None:
    # The browser draws it as on the map (`faces.js`).
    box("town-face", aria_hidden="true", age=str(age), **dress)
