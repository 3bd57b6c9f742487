"""What a setting is changed with: the part that every kind of control shares.

Contract: `committed(value)` asks for a value, `None` for the default; who answers calls `accept` or `refuse`.
What the person typed and has not saved is `dirty`, and nothing that comes from the file takes its place.
"""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from partner_desktop.desktop.wording import Words
from partner_desktop.domain.json_value import Json


class Control(QWidget):
    """`refused(words)`: what was typed has no such value; `righted()`: there is nothing wrong with it now."""

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
