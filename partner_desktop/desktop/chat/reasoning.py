"""What a model thought before it spoke: folded, quiet, and no part of the reply.

It is plain text, never read out by itself and never copied with the reply. While the thinking goes on its
last words show in one line; the whole of it is laid out only where someone opened it.
"""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QFrame, QWidget

from partner_desktop.desktop.parts.boxes import aligned, at_middle, hbox, vbox
from partner_desktop.desktop.parts.controls import ElidedLabel, push_button
from partner_desktop.desktop.parts.text_view import TextView
from partner_desktop.desktop.parts.tips import set_tip
from partner_desktop.desktop.theme.theme import set_look
from partner_desktop.desktop.wording import in_every_language

#: Thoughts come in pieces; what shows of them is renewed this often.
_FRAME_MS = 66
#: As much of the newest line as any window is wide.
_PREVIEWED = 240


class Reasoning(QWidget):
    """Above the reply. `text` is everything thought so far."""

    def __init__(self) -> None:
        super().__init__()
        self.text = ""
        self._done = False
        self._open = False
        self._view: TextView | None = None
        self._holder = QFrame()
        self._holder.setObjectName("thoughts")
        self._holder.hide()
        self._laid = ""
        self.fold = push_button("", "bare", pressed=self.toggle)
        self.preview = ElidedLabel("", "muted")
        self._frame = QTimer(self, interval=_FRAME_MS, singleShot=True)
        self._frame.timeout.connect(self._draw)
        self._column = vbox(
            hbox(at_middle(self.fold), aligned(self.preview, Qt.AlignmentFlag.AlignVCenter, 1), gap=10),
            self._holder,
            into=self,
            gap=4,
            margins=(0, 0, 0, 8),
        )
        in_every_language(self, self._say, now=True)

    @property
    def is_open(self) -> bool:
        """Whether all of it shows."""
        return self._open

    @property
    def going_on(self) -> bool:
        """Whether no answer came yet."""
        return not self._done

    @property
    def shown(self) -> str:
        """What is laid out; empty while it is folded and was never opened."""
        return self._view.toPlainText() if self._view is not None else ""

    def add(self, piece: str) -> None:
        """More was thought."""
        self.text += piece
        if not self._frame.isActive():
            self._frame.start()

    def show_whole(self, text: str) -> None:
        """All of it, as it was kept."""
        self.text = text
        self._draw()

    def settle(self) -> None:
        """The thinking is over: an answer came, or there will be none."""
        if not self._done:
            self._done = True
            self._draw()
            self._say()

    def toggle(self) -> None:
        """Open it, or fold it."""
        self._open = not self._open
        if self._view is None:
            self._view = self._make_view()
        self._holder.setVisible(self._open)
        self._draw()
        self._say()

    def _make_view(self) -> TextView:
        view = TextView(lambda: self.tr("What the model thought"))
        set_look(view, "thoughts")
        vbox(view, into=self._holder, margins=(12, 2, 0, 2))
        return view

    def _draw(self) -> None:
        self._frame.stop()
        self.preview.setVisible(not self._done and not self._open)
        if not self._done:
            lines = self.text.rstrip().rpartition("\n")
            self.preview.set_text(lines[2][-_PREVIEWED:])
        if self._view is not None and self._open:
            self._lay_out(self._view)

    def _lay_out(self, view: TextView) -> None:
        """Only what is new, so that a selection and the place stay."""
        if self.text.startswith(self._laid):
            cursor = QTextCursor(view.document())
            cursor.movePosition(QTextCursor.MoveOperation.End)
            cursor.insertText(self.text[len(self._laid) :])
        else:
            view.setPlainText(self.text)
        self._laid = self.text

    def _say(self) -> None:
        sign = "▾" if self._open else "▸"
        words = self.tr("Thought for a moment") if self._done else self.tr("Thinking…")
        self.fold.setText(f"{sign}  {words}")
        act = self.tr("fold") if self._open else self.tr("show")
        self.fold.setAccessibleName(f"{words}: {act}")
        set_tip(self.fold, self.tr("What the model thought is no part of its answer"))
