"""What typed settings have in common: when they are saved, and what becomes of the text meanwhile.

Contract: Enter and leaving ask for what stands there, leaving not a second time for what was turned down.
While an answer is awaited the text is nobody's but the person's; with the last answer it is the file's again,
unless it was turned down or changed in between.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QWidget

from partner_desktop.desktop.card.field import FieldProblemError
from partner_desktop.desktop.wording import Words
from partner_desktop.domain.json_value import Json


class Control(QWidget):
    """What a setting is changed with: `committed(value)` asks for a value, `None` for the default.

    Who answers calls `accept` or `refuse`. What the person typed and has not saved is `dirty`, and nothing
    that comes from the file takes its place. `refused(words)`: what was typed has no such value; `righted()`:
    there is nothing wrong with it now.
    """

    committed = Signal(object)
    refused = Signal(object)
    righted = Signal()

    #: Whether it needs the whole width and stands under the words.
    wide = False

    def __init__(self) -> None:
        super().__init__()

    @property
    def dirty(self) -> bool:
        """Whether something typed is not saved."""
        return False

    def show_value(self, value: Json) -> None:
        """The value that holds; what is being typed stays."""
        raise NotImplementedError

    def accept(self) -> None:
        """What was asked for is in the file."""

    def refuse(self) -> None:
        """What was asked for was turned down."""

    def take_back(self) -> None:
        """Show the value that holds in place of what was typed."""

    def say_again(self) -> None:
        """Say again, in another language, why what stands here is no value."""

    def mark(self, *, problem: bool) -> None:
        """Show that what stands here does not do, or does again."""

    def retell(self) -> None:
        """The language is another."""

    def ask(self, value: Json) -> None:
        """Ask for `value`; `None` is the default."""
        self.committed.emit(value)

    def complain(self, words: Words) -> None:
        """Say why what stands here is no value."""
        self.refused.emit(words)


class TypedControl(Control):
    """A control with one text. Esc takes it back."""

    def __init__(self) -> None:
        super().__init__()
        self._shown = ""
        self._asked = ""
        self._awaited = 0
        self._turned_down: str | None = None

    # What each kind says of itself.

    def text(self) -> str:
        """What stands there."""
        raise NotImplementedError

    def put(self, text: str) -> None:
        """Let another text stand there; whether it is unsaved shows by `dirty`."""
        raise NotImplementedError

    def words_of(self, value: Json) -> str:
        """A value as it is typed."""
        raise NotImplementedError

    def read(self, text: str) -> Json:
        """The value of a text; `None` for the default.

        Raises:
            FieldProblemError: It has none.
        """
        raise NotImplementedError

    def fit(self) -> None:
        """Take the room that the text needs at its size."""

    # What all do.

    @property
    def dirty(self) -> bool:
        return self.text() != (self._asked if self._awaited else self._shown)

    def show_value(self, value: Json) -> None:
        untouched = not self._awaited and not self.dirty
        self._shown = self.words_of(value)
        if untouched and self.dirty:
            self.put(self._shown)

    def accept(self) -> None:
        untouched = not self.dirty
        self._awaited = max(0, self._awaited - 1)
        if not self._awaited and untouched and self.dirty:
            self.put(self._shown)

    def refuse(self) -> None:
        self._awaited = max(0, self._awaited - 1)
        self._turned_down = self._asked

    def take_back(self) -> None:
        self._turned_down = None
        self.put(self._shown)
        self.righted.emit()

    def say_again(self) -> None:
        self.commit(again=True)

    def commit(self, *, again: bool = False) -> None:
        """Ask for what stands there, if it is new; with `again` also for what was turned down."""
        text = self.text()
        if not self.dirty or (text == self._turned_down and not again):
            return
        try:
            value = self.read(text)
        except FieldProblemError as problem:
            self._turned_down = text
            self.complain(str(problem))
            return
        self._asked = text
        self._awaited += 1
        self._turned_down = None
        self.ask(value)

    def edited(self) -> None:
        """The person changed the text."""
        if not self.dirty:
            self.righted.emit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.fit()
