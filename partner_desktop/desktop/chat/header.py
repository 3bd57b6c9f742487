"""The line over the chat: the conversation's title, and the buttons that fold the columns."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from partner_desktop.desktop.chat.title import EditableTitle
from partner_desktop.desktop.parts.boxes import grow, hbox, stretch, vbox
from partner_desktop.desktop.parts.buttons import IconButton
from partner_desktop.desktop.parts.rule import horizontal_rule
from partner_desktop.desktop.theme.style import zoomed
from partner_desktop.desktop.theme.theme import Theme
from partner_desktop.desktop.theme.tokens import HEADER_HEIGHT
from partner_desktop.desktop.wording import in_every_language


class ChatHeader(QWidget):
    """`sidebar_toggled()`, `panel_toggled()`; `title_changed(title)` when the person wrote another."""

    sidebar_toggled = Signal()
    panel_toggled = Signal()
    title_changed = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._named = ""
        self._title = EditableTitle()
        self._title.changed.connect(self.title_changed)
        in_every_language(self, lambda: self.set_title(self._named))
        sidebar = IconButton(theme, "left_column", lambda: self.tr("Conversations"), shortcut="Ctrl+B")
        sidebar.clicked.connect(self.sidebar_toggled)
        panel = IconButton(theme, "right_column", lambda: self.tr("Actions and abilities"), shortcut="F9")
        panel.clicked.connect(self.panel_toggled)
        vbox(
            stretch(),
            hbox(sidebar, grow(self._title), panel, gap=8, margins=(10, 0, 10, 0)),
            stretch(),
            horizontal_rule(),
            into=self,
        )
        self._fit_text_size()
        theme.changed.connect(self._fit_text_size)

    def _fit_text_size(self) -> None:
        self.setFixedHeight(zoomed(HEADER_HEIGHT))

    @property
    def title(self) -> str:
        """What stands there."""
        return self._title.label.text()

    @property
    def title_field(self) -> EditableTitle:
        """Where it is rewritten."""
        return self._title

    def set_title(self, title: str) -> None:
        """Name the conversation; one without a title cannot be given another."""
        self._named = title
        self._title.show_title(title or self.tr("New chat"), editable=bool(title))
