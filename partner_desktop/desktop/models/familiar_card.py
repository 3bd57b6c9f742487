"""FamiliarCard: the requests that no model is asked about any more, what that saved, and how to end it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QPushButton, QWidget

from partner_desktop.desktop.parts.boxes import at_middle, clear_layout, grow, hbox, holds_keyboard, vbox
from partner_desktop.desktop.parts.controls import push_button, text_label
from partner_desktop.desktop.theme.theme import Space
from partner_desktop.desktop.wording import tr
from partner_desktop.domain.familiar_request import FamiliarRequest, FamiliarSavings

#: More of them are counted only: the terminal lists all.
_MOST_SHOWN = 20


class FamiliarCard(QFrame):
    """`forget_wanted(id)`, `clear_wanted()`. Hidden while nothing is familiar and nothing was saved."""

    forget_wanted = Signal(str)
    clear_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("door")
        self._savings = FamiliarSavings()
        self.summary = text_label(lambda: savings_words(self._savings), "strong", wrap=True)
        self.clear_button = push_button(
            lambda: self.tr("Forget all"),
            "quiet",
            name=lambda: self.tr("Forget all familiar requests"),
            pressed=self.clear_wanted,
        )
        self.forget_buttons: dict[str, QPushButton] = {}
        self._rows = vbox(gap=Space.XS)
        vbox(
            hbox(grow(self.summary), at_middle(self.clear_button), gap=Space.S),
            text_label(
                lambda: self.tr(
                    "What you confirmed six times in the same words is known without asking a model. The "
                    "card and your yes stay as they are; a no takes it back."
                ),
                "muted",
                wrap=True,
            ),
            self._rows,
            into=self,
            gap=Space.XS,
            margins=(Space.L, Space.M, Space.L, Space.L),
        )
        self.hide()

    def show_requests(
        self, requests: Sequence[FamiliarRequest], savings: FamiliarSavings, titles: Mapping[str, str]
    ) -> None:
        """Those that are active; `titles` are those of their abilities, by key."""
        active = [one for one in requests if one.active]
        held = holds_keyboard(self)
        self._savings = savings
        self.summary.setText(savings_words(savings))
        clear_layout(self._rows)
        self.forget_buttons.clear()
        for request in active[:_MOST_SHOWN]:
            self._rows.addWidget(self._row(request, titles.get(request.key, request.key)))
        self.setVisible(bool(active or savings.calls_saved))
        if held and self.isVisible():
            self.clear_button.setFocus(Qt.FocusReason.OtherFocusReason)

    def _row(self, request: FamiliarRequest, title: str) -> QWidget:
        row = QWidget()
        told = f"{request.words} → {title}"
        button = self.forget_buttons[request.id] = push_button(
            lambda: self.tr("Forget"),
            "quiet",
            name=lambda: self.tr("Forget the familiar request {words}").format(words=told),
            pressed=partial(self.forget_wanted.emit, request.id),
        )
        hbox(grow(text_label(told, wrap=True)), at_middle(button), into=row, gap=Space.S)
        return row


def savings_words(savings: FamiliarSavings) -> str:
    """How many are familiar, and what that saved."""
    seconds = f"{savings.saved_ms / 1000:,.1f}"
    words = tr("Familiar requests: {requests} · calls saved: {calls} · seconds saved: {seconds}")
    return words.format(requests=f"{savings.requests:,}", calls=f"{savings.calls_saved:,}", seconds=seconds)
