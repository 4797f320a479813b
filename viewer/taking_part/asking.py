"""The interview: a way to take part that leaves no trace in the town."""

from nicegui import ui

from viewer.controls import TROUBLE, StatusLine, button, sentence, show_last
from viewer.taking_part.interview import InterviewRoom
from viewer.taking_part.scene import CardContext

ASKER = "an interviewer"


class InterviewChat:
    """A conversation with one person, drawn as a chat."""

    def __init__(self, scene: CardContext) -> None:
        self._scene = scene
        self._room: InterviewRoom | None = None
        self._is_asking = False
        with ui.element("div").classes("form"):
            ui.label("Nothing of an interview reaches the town, and nobody remembers it.").classes(
                "soft"
            )
            names = list(scene.names)
            self.who = ui.select(names, value=scene.whom, label="Whom do you ask?")
            self.asker = ui.input("Who asks?", value=ASKER)
            self.moment = ui.switch("As of the moment shown", value=scene.at is not None)
            self.moment.set_enabled(scene.at is not None)
            self.moment.on_value_change(self._forget)
            self.lines = ui.element("div").classes("chat").props('role="log" tabindex="0"')
            self.lines.props('aria-label="What was said"')
            self.question = ui.textarea("Your question").props("autogrow rows=2")
            self.question.on("keydown.enter.exact.prevent", self.ask)
            with ui.element("div").classes("row"):
                button("Ask", self.ask, is_main=True)
            self.told = StatusLine()

    async def ask(self) -> None:
        """Ask the question, and show the answer when it arrives."""
        question = (self.question.value or "").strip()
        if self._is_asking or not question:
            return
        self._is_asking = True
        who = str(self.who.value)
        self.question.set_value("")
        self._line(question, str(self.asker.value or ASKER), is_mine=True)
        self.told.say(f"{who} is thinking …")
        try:
            room = self._room = self._room or self._entered()
            asker = str(self.asker.value or ASKER)
            answered = await room.ask(who, question, asker, self.told.say)
        except TROUBLE as error:
            self.told.complain(sentence(error))
        else:
            self._line(answered.answer, who, is_fallback=answered.is_fallback)
            self.told.say(f"As of {room.when}; {', '.join(room.why).rstrip('.')}.")
        finally:
            self._is_asking = False

    def _entered(self) -> InterviewRoom:
        """Return the room in which to ask; it is closed together with the card."""
        scene = self._scene
        at = scene.at if self.moment.value else None
        room = InterviewRoom(scene.acts.house, scene.acts.run, at)
        scene.at_the_end(room.close)
        return room

    def _forget(self) -> None:
        """Start a new conversation, because another moment was chosen."""
        self._room = None
        self.lines.clear()

    def _line(
        self, text: str, who: str, *, is_mine: bool = False, is_fallback: bool = False
    ) -> None:
        """Show one line of the conversation."""
        with self.lines, ui.element("p").classes("chat-line" + (" is-mine" if is_mine else "")):
            ui.label(who + (" (no answer of the model: fallback)" if is_fallback else "")).classes(
                "chat-who"
            )
            ui.label(text)
        show_last(self.lines)


def draw_interview(scene: CardContext) -> None:
    """Draw the interview."""
    InterviewChat(scene)
