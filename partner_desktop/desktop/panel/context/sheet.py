"""What an open block shows: the whole reason, how it stood, its own names, and the exact words."""

from __future__ import annotations

from PySide6.QtCore import Qt

from partner_desktop.desktop.panel.context.exact_text import ExactText
from partner_desktop.desktop.panel.context.rows import ContextRow
from partner_desktop.desktop.parts.boxes import hbox, stretch, vbox
from partner_desktop.desktop.parts.controls import CopyButton, push_button, show_words, text_label
from partner_desktop.desktop.parts.placed_view import Sheet
from partner_desktop.desktop.wording import in_every_language


class BlockSheet(Sheet[ContextRow]):
    """Stands below its row; the text is cut where it is very long, and one button shows all of it."""

    def __init__(self, row: ContextRow) -> None:
        super().__init__()
        self._row = row
        self._reason = text_label("", "", wrap=True, selectable=True)
        self._facts = text_label("", "muted", wrap=True)
        self._raw = text_label("", "muted", wrap=True, selectable=True)
        self.text = ExactText(lambda: self.tr("The exact text of {name}").format(name=self._row.title))
        self.copy = CopyButton(
            lambda: self._row.text,
            lambda: self.tr("Copy the exact text of {name}").format(name=self._row.title),
            look="bare",
        )
        self.all_button = push_button("", "bare")
        self.all_button.clicked.connect(self._show_all)
        in_every_language(self, self._say_all)
        vbox(
            self._reason,
            self._facts,
            self._raw,
            self.text,
            hbox(self.copy, self.all_button, stretch(), gap=12),
            into=self,
            gap=4,
            margins=(0, 2, 0, 0),
        )
        self._fill()

    def show_row(self, row: ContextRow) -> None:
        """The same block in another turn; a text that is the same stays as it was scrolled."""
        if row == self._row:
            return
        self._row = row
        self._fill()

    def _fill(self) -> None:
        row = self._row
        for label, words in (
            (self._reason, "" if row.kind in ("part", "call") else row.reason),
            (self._facts, row.facts),
            (self._raw, row.raw),
        ):
            show_words(label, words)
        self.text.show_text(row.text)
        for part in (self.text, self.copy):
            part.setVisible(bool(row.text))
        self._say_all()

    def _show_all(self) -> None:
        if self.all_button.hasFocus():
            self.text.setFocus(Qt.FocusReason.TabFocusReason)
        self.text.show_all()
        self._say_all()

    def _say_all(self) -> None:
        words = self.tr("Show all {count} characters").format(count=f"{len(self._row.text):,}")
        self.all_button.setText(words)
        self.all_button.setAccessibleName(words)
        self.all_button.setVisible(self.text.is_cut)
