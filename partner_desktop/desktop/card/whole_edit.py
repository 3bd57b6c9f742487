"""A text that is shown whole before it is approved: wrapped, every sign visible, and how much is below."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QApplication, QWidget

from partner_desktop.base.text import escaped, meant, shown
from partner_desktop.desktop.card.field import tr
from partner_desktop.desktop.parts.boxes import hbox, stretch, vbox
from partner_desktop.desktop.parts.code_view import CodeView
from partner_desktop.desktop.parts.controls import push_button, text_label

#: Lines that are in view at once, and those that stand open where there is nothing yet.
_MOST_LINES, _LEAST_LINES = 12, 3
#: More than this is scrolled through, however much of it is asked for.
_ALL_LINES = 2_000
_PADDING_PX = 7
#: A line that is wider may not fit on a narrow card.
_LINE_PX = 260


def fits_line(text: str) -> bool:
    """Whether a field of one line shows it whole, on a narrow card too."""
    if len(text) > _LINE_PX or shown(escaped(text)) != text:
        return False
    return QFontMetrics(QApplication.font()).horizontalAdvance(text) <= _LINE_PX


class WholeText(CodeView):
    """Read only: as high as its text, so far; then it scrolls."""

    def __init__(self, name: str, text: str, *, look: str = "code", most_lines: int = _MOST_LINES) -> None:
        super().__init__(name, most_lines=most_lines, look=look, wraps=True)
        self.show_text(shown(text, lines=True))


class WholeEdit(WholeText):
    """To be typed in; `meant_text()` is what stands there, marks read back."""

    _least_lines = _LEAST_LINES

    def __init__(self, name: str, text: str, *, one_line: bool = False) -> None:
        super().__init__(name, text, look="")
        self._framed, self._around = True, _PADDING_PX
        if one_line:
            self._least_lines = 1
        self.setReadOnly(False)
        self.setUndoRedoEnabled(True)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextEditorInteraction)
        self.document().setModified(False)

    def meant_text(self) -> str:
        """What was typed."""
        return meant(self.toPlainText())

    def _line_count(self) -> int:
        return max(self._least_lines, super()._line_count())


class Unfolding(QWidget):
    """A text with what is said below it: how much more there is, and a button that shows all of it."""

    def __init__(self, view: CodeView) -> None:
        super().__init__()
        self.view = view
        self._more = text_label("", "muted")
        self.all_button = push_button(
            tr("Show all"), "link", name=tr("Show all: {title}").format(title=view.accessibleName())
        )
        self.all_button.clicked.connect(lambda: view.set_most_lines(_ALL_LINES))
        self.unread_button = push_button(
            tr("Go on without reading it all"),
            "link",
            name=tr("Go on without reading it all: {title}").format(title=view.accessibleName()),
        )
        self.unread_button.clicked.connect(view.leave_unread)
        vbox(view, hbox(self._more, self.all_button, self.unread_button, stretch(), gap=8), into=self, gap=3)
        view.looked.connect(self._say)
        self._say()

    def _say(self) -> None:
        count = self.view.lines_unseen
        words = tr("1 more line") if count == 1 else tr("{count} more lines")
        self._more.setText(words.format(count=count) if count else "")
        self._more.setVisible(count > 0)
        self.all_button.setVisible(count > 0)
        self.unread_button.setVisible(count > 0)
