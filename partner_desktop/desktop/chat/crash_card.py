"""The crash card: what broke, in one sentence, with the report to copy. It asks nothing and stops nothing."""

from __future__ import annotations

from collections import deque

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QWidget

from partner_desktop.desktop.notices import Crash
from partner_desktop.desktop.parts.boxes import FlowLayout, vbox
from partner_desktop.desktop.parts.code_view import CodeView
from partner_desktop.desktop.parts.controls import CopyButton, push_button, text_label
from partner_desktop.desktop.theme.theme import set_look
from partner_desktop.desktop.wording import announce, in_every_language, resolve_text

#: The report tells of the last ones; more than these were the same story.
_MOST_REPORTS = 5
_LINES = 8


class CrashCard(QFrame):
    """One card for every unexpected error until it is dismissed; then `closed()`, once."""

    closed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._last: Crash | None = None
        self._reports: deque[str] = deque(maxlen=_MOST_REPORTS)
        self.count = 0
        set_look(self, "crash")
        self.title = text_label(look="strong", wrap=True)
        self.sentence = text_label(wrap=True, selectable=True)
        self.details = CodeView(lambda: self.tr("Report of the error"), most_lines=_LINES)
        self.details.hide()
        vbox(
            self.title,
            self.sentence,
            self._make_buttons(),
            self.details,
            into=self,
            gap=8,
            margins=(16, 12, 16, 12),
        )
        in_every_language(self, self._say)

    def _make_buttons(self) -> QWidget:
        self.copy_button = CopyButton(
            lambda: self.report,
            lambda: self.tr("Copy the report of the error"),
            look="plain",
            label=lambda: self.tr("Copy report"),
        )
        self.fold_button = push_button("", "flat", pressed=self._fold)
        self.dismiss_button = push_button(lambda: self.tr("Dismiss"), "flat", pressed=self.dismiss)
        row, buttons = QWidget(), FlowLayout()
        row.setLayout(buttons)
        for button in (self.copy_button, self.fold_button, self.dismiss_button):
            buttons.addWidget(button)
        return row

    @property
    def report(self) -> str:
        """All that is copied: the last reports, oldest first."""
        return "\n\n".join(self._reports)

    def take(self, crash: Crash) -> None:
        self._last = crash
        self.count += 1
        self._reports.append(crash.report)
        self._say()
        if self.details.isVisible():
            self.details.show_text(self.report)
        if self.count == 1:
            announce(self, f"{resolve_text(crash.title)}. {resolve_text(crash.text)}", urgent=True)

    def dismiss(self) -> None:
        if not self.isHidden():
            self.hide()
            self.closed.emit()
            self.deleteLater()

    def _say(self) -> None:
        if self._last is None:
            return
        title = resolve_text(self._last.title)
        if self.count > 1:
            title = self.tr("{title} ({count} times)").format(title=title, count=self.count)
        self.title.setText(f"⚠ {title}")
        self.setAccessibleName(title)
        self.sentence.setText(resolve_text(self._last.text))
        self._name_fold()

    def _fold(self) -> None:
        opened = self.details.isHidden()
        if opened:
            self.details.show_text(self.report)
        self.details.setVisible(opened)
        self._name_fold()

    def _name_fold(self) -> None:
        hidden = self.details.isHidden()
        words = self.tr("Show details") if hidden else self.tr("Hide details")
        self.fold_button.setText(words)
        self.fold_button.setAccessibleName(words)
