"""The empty conversation: one sentence that teaches, and things to try that really are here."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton

from partner_desktop.desktop.chat.column import Centered
from partner_desktop.desktop.parts.boxes import clear_layout, flow, vbox
from partner_desktop.desktop.parts.controls import ElidedLabel, push_button, text_label

_WIDEST = 520


class Welcome(Centered):
    """`example_chosen(text)` when an example was clicked; `models_wanted()`."""

    example_chosen = Signal(str)
    models_wanted = Signal()

    def __init__(self) -> None:
        super().__init__(widest=_WIDEST)
        self._shown: tuple[str, ...] = ()
        self._buttons: list[QPushButton] = []
        self.column.addWidget(text_label(lambda: self.tr("What shall we get done?"), "welcome", wrap=True))
        self.column.addWidget(
            text_label(
                lambda: self.tr(
                    "Say it in your own words. "
                    "Partner finds what can do it, and asks before anything changes."
                ),
                wrap=True,
            )
        )
        self._try = text_label(lambda: self.tr("Try one of these:"), "muted", hidden=True)
        self.column.addSpacing(4)
        self.column.addWidget(self._try)
        self._examples = vbox(gap=8)
        self.column.addLayout(self._examples)
        self.column.addSpacing(4)
        self.column.addWidget(
            text_label(
                lambda: self.tr("Or drop a script here: it becomes something else Partner can do."),
                "muted",
                wrap=True,
            )
        )
        self.model_hint = ElidedLabel(
            lambda: self.tr("No model is here yet; the starter mind answers."), "muted"
        )
        self.models_button = push_button(lambda: self.tr("Add a model…"), "link", pressed=self.models_wanted)
        line = flow(self.model_hint, self.models_button, gap=10)
        self.column.addLayout(line)
        self.show_model_hint(wanted=False)

    def show_model_hint(self, *, wanted: bool) -> None:
        """Say how to come by a model, where there is none."""
        self.model_hint.setVisible(wanted)
        self.models_button.setVisible(wanted)

    @property
    def buttons(self) -> tuple[QPushButton, ...]:
        """The examples on offer."""
        return tuple(self._buttons)

    def show_examples(self, examples: Sequence[str]) -> None:
        """Offer these requests."""
        if tuple(examples) == self._shown:
            return
        self._shown = tuple(examples)
        clear_layout(self._examples)
        self._buttons.clear()
        for example in examples:
            self._buttons.append(self._button(example))
            self._examples.addWidget(self._buttons[-1])
        self._try.setVisible(bool(examples))

    def _button(self, example: str) -> QPushButton:
        button = push_button(example, "example", name=lambda: self.tr("Try: {text}").format(text=example))
        button.clicked.connect(lambda: self.example_chosen.emit(example))
        return button
