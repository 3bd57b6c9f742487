"""What the person said, or one of those who speak in a chat from elsewhere: a soft bubble at the right."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QLabel, QMenu, QSizePolicy, QWidget

from partner_desktop.desktop.parts.boxes import drop_widget
from partner_desktop.desktop.parts.controls import text_label
from partner_desktop.desktop.parts.text_view import TextView
from partner_desktop.desktop.wording import LazyText, in_every_language, resolve_text
from partner_desktop.domain.attachment import Attachment

_WIDEST = 0.75
_PAD_X = 14
_PAD_Y = 10
_NOTE_GAP = 4


class Bubble(QWidget):
    """As wide as its text, at most three quarters of the column; a small note and a foot may stand below, the
    name of whoever spoke above.

    `menu_wanted(menu)`: whoever has more to offer in its menu adds it.
    """

    menu_wanted = Signal(object)

    def __init__(
        self,
        text: str,
        *,
        note: LazyText = "",
        speaker: str = "",
        pictures: Sequence[tuple[str, str, str, int]] = (),
        attachments: Sequence[Attachment] = (),
    ) -> None:
        """`pictures`: file, name, kind and bytes of what was shown; whoever can draw them is told by them.

        `attachments`: what else came with it.
        """
        super().__init__()
        self.pictures = tuple(pictures)
        self.attachments = tuple(attachments)
        self._frame = QFrame(self)
        self._frame.setObjectName("bubble")
        self._speaker = speaker
        self._name = text_label(speaker, "muted", hidden=not speaker)
        self._name.setParent(self)
        self._name.setAccessibleName(speaker)
        self._text = TextView(
            lambda: (
                self.tr("Message from {name}").format(name=speaker) if speaker else self.tr("Your message")
            )
        )
        self._text.setParent(self._frame)
        self._text.setPlainText(text)
        self._words: LazyText = note
        self._note: QLabel = text_label(resolve_text(note), "muted")
        self._note.setParent(self)
        self._note.setVisible(bool(note))
        in_every_language(self, lambda: self.set_note(self._words))
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self._measured: dict[int, tuple[int, int]] = {}
        self._unwrapped: tuple[int, int] | None = None
        """Its size where no line is broken, which it has wherever there is room for that."""
        self._foot: QWidget | None = None
        self._shown: QWidget | None = None
        self._cover: QWidget | None = None

    @property
    def text(self) -> str:
        return self._text.toPlainText()

    @property
    def speaker(self) -> str:
        """The name above; empty over what the person said."""
        return self._speaker

    @property
    def note(self) -> str:
        """The small note below."""
        return self._note.text()

    def set_note(self, note: LazyText) -> None:
        """Change the small note below; empty takes it away."""
        self._words = note
        self._note.setText(resolve_text(note))
        self._note.setVisible(bool(note))
        self.updateGeometry()
        self._place()

    @property
    def covered(self) -> bool:
        return self._cover is not None

    @property
    def room_below(self) -> QPoint:
        """Where the line below the text has room: its right end, at half its height."""
        if self._foot is not None and not self.covered:
            foot = self._foot.geometry()
            return QPoint(foot.left() - 2 * _NOTE_GAP, foot.center().y())
        if self.note:
            return QPoint(self._note.geometry().left() - 2 * _NOTE_GAP, self._note.geometry().center().y())
        return QPoint(self.width(), self.height() + _NOTE_GAP)

    def set_foot(self, foot: QWidget | None) -> None:
        """Put a small widget below, beside the note; the one before goes."""
        if self._foot is not None:
            self._foot.deleteLater()
        self._foot = foot
        if foot is not None:
            foot.setParent(self)
            foot.setVisible(not self.covered)
        self.updateGeometry()
        self._place()

    def show_below(self, view: QWidget) -> None:
        """Put what came with the words between them and what stands below."""
        self._shown = view
        view.setParent(self)
        view.setVisible(not self.covered)
        self.updateGeometry()
        self._place()

    def cover(self, editor: QWidget | None) -> None:
        """Let something stand in its place, as wide as the column; `None` brings the text back."""
        if self._cover is not None:
            drop_widget(self._cover)
        self._cover = editor
        self._frame.setVisible(editor is None)
        self._name.setVisible(editor is None and bool(self._speaker))
        self._note.setVisible(editor is None and bool(self._words))
        for below in (self._foot, self._shown):
            if below is not None:
                below.setVisible(editor is None)
        if editor is not None:
            editor.setParent(self)
            editor.show()
        self.updateGeometry()
        self._place()

    def add_to_menu(self, menu: QMenu) -> None:
        """What a message offers beside what its text does."""
        self.menu_wanted.emit(menu)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        if self._cover is not None:
            return self._cover.sizeHint().height()
        _, height = self._measure(width)
        below = self._below_height()
        above = self._name_height() + height + 2 * _PAD_Y + self._shown_size().height()
        return above + (below + _NOTE_GAP if below else 0)

    def _shown_size(self) -> QSize:
        """Of what came with the words, with the gap over it."""
        if self._shown is None:
            return QSize(0, 0)
        size = self._shown.sizeHint()
        wide = min(size.width(), max(1, int(self.width() * _WIDEST)))
        high = self._shown.heightForWidth(wide) if self._shown.hasHeightForWidth() else size.height()
        return QSize(wide, high + 2 * _NOTE_GAP)

    def _name_height(self) -> int:
        return self._name.sizeHint().height() + _NOTE_GAP if self._speaker else 0

    def _below_height(self) -> int:
        note = self._note.sizeHint().height() if self.note else 0
        return max(note, self._foot.sizeHint().height() if self._foot is not None else 0)

    def sizeHint(self) -> QSize:
        width = self.width() if self.width() > 1 else 480
        return QSize(width, self.heightForWidth(width))

    def minimumSizeHint(self) -> QSize:
        return QSize(120, 2 * _PAD_Y)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._place()
        super().resizeEvent(event)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:  # what stands below or in its place grew
            self.updateGeometry()
            self._place()
        return super().event(event)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._measured.clear()
            self._unwrapped = None
        super().changeEvent(event)

    def _measure(self, width: int) -> tuple[int, int]:
        """Width and height of the text in a column of `width`; kept, because layouts ask often."""
        known = self._measured.get(width)
        if known is None:
            most = max(40, int(width * _WIDEST) - 2 * _PAD_X)
            known = self._unwrapped
            if known is None or known[0] > most:
                inner = max(1, self._text.natural_width(most) + 1)
                known = (inner, self._text.heightForWidth(inner))
                if inner <= most and not self._text.wrapped:
                    self._unwrapped = known
            self._measured[width] = known
        return known

    def _place(self) -> None:
        inner, height = self._measure(self.width())
        above = self._name_height()
        outer = QRect(self.width() - inner - 2 * _PAD_X, above, inner + 2 * _PAD_X, height + 2 * _PAD_Y)
        self._frame.setGeometry(outer)
        self._text.setGeometry(_PAD_X, _PAD_Y, inner, height)
        room = max(1, self.width() - 2)
        elided = self._name.fontMetrics().elidedText(self._speaker, Qt.TextElideMode.ElideRight, room)
        self._name.setText(elided)
        wide = min(room, self._name.sizeHint().width())
        self._name.setGeometry(room - wide, 0, wide, above - _NOTE_GAP if above else 0)
        shown = self._shown_size()
        if self._shown is not None:
            height = shown.height() - 2 * _NOTE_GAP
            left = self.width() - shown.width()
            self._shown.setGeometry(left, outer.bottom() + 2 * _NOTE_GAP, shown.width(), height)
        top, right = outer.bottom() + shown.height() + _NOTE_GAP, self.width() - 2
        if self._foot is not None:
            foot = self._foot.sizeHint()
            right -= foot.width()
            self._foot.setGeometry(right, top, foot.width(), foot.height())
            right -= 2 * _NOTE_GAP
        note = self._note.sizeHint()
        middle = top + max(0, (self._below_height() - note.height()) // 2)
        self._note.setGeometry(right - note.width(), middle, note.width(), note.height())
        if self._cover is not None:
            self._cover.setGeometry(0, 0, self.width(), self._cover.sizeHint().height())
