"""Running text of a reply: settled pieces that are never parsed again, and at most one open piece."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from partner_desktop.desktop.chat import markdown
from partner_desktop.desktop.parts.text_view import TextView
from partner_desktop.desktop.theme.theme import Theme


class Prose(TextView):
    """One selectable text; pieces are appended as they settle."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(lambda: self.tr("Reply"))
        self.setParent(parent)
        self._theme = theme
        self.document().setIndentWidth(markdown.INDENT_PX)
        self._settled_end = 0
        self._open_text = ""
        theme.changed.connect(self._restyle)

    @property
    def empty(self) -> bool:
        """Whether nothing is shown."""
        return bool(self.document().isEmpty())

    def settle(self, text: str) -> None:
        """Add a piece for good, in place of the open one."""
        self.drop_tail()
        markdown.append(self.document(), text, self._theme)
        self._settled_end = markdown.end_position(self.document())

    def show_tail(self, text: str) -> None:
        """Show the open piece as it reads now."""
        if text == self._open_text:
            return
        self.drop_tail()
        markdown.append(self.document(), text, self._theme)
        self._open_text = text

    def drop_tail(self) -> None:
        """Take the open piece away."""
        if self._open_text:
            markdown.cut(self.document(), self._settled_end)
            self._open_text = ""

    def _restyle(self) -> None:
        markdown.style(self.document(), self._theme)
        self.updateGeometry()
