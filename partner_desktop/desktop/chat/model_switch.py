"""Who answers in this conversation: a name in the header, and behind it the others."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QPoint, Signal
from PySide6.QtWidgets import QMenu, QSizePolicy

from partner_desktop.desktop.parts.controls import PushButton, prepare_button
from partner_desktop.desktop.wording import in_every_language, set_tip
from partner_desktop.domain.model_status import ModelStatus

_STARTER = "starter"
_LONGEST_NAME = 28


class ModelSwitch(PushButton):
    """`chosen(conversation_id, name)`: a model's name, `starter`, or empty: as everywhere; `more_wanted()`.

    Hidden in a new chat, and while there is nothing to choose from.
    """

    chosen = Signal(str, str)
    more_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._models: Sequence[ModelStatus] = ()
        self._chosen_of: Callable[[str], str] = lambda _conversation_id: ""
        self._conversation_id = ""
        self.choices = QMenu(self)
        """Filled anew each time it opens."""
        prepare_button(self, "quiet", name="")
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.clicked.connect(self._open)
        in_every_language(self, self._say, now=True)

    def show_models(self, models: Sequence[ModelStatus], chosen_of: Callable[[str], str]) -> None:
        """All models; `chosen_of`: what was chosen for a conversation, empty: nothing."""
        self._models, self._chosen_of = models, chosen_of
        self._say()

    def show_place(self, conversation_id: str) -> None:
        """This conversation is open; empty: none is."""
        self._conversation_id = conversation_id
        self._say()

    @property
    def _own(self) -> str:
        return self._chosen_of(self._conversation_id) if self._conversation_id else ""

    def _say(self) -> None:
        name = self._name_of(self._own) if self._own else self._usual()
        shown = name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1].rstrip()}…"
        self.setText(f"{shown} ▾")
        words = self.tr("{name} answers in this conversation. Choose another…")
        self.setAccessibleName(words.format(name=name))
        set_tip(self, self.accessibleName())
        self.setVisible(bool(self._models) and bool(self._conversation_id))

    def _usual(self) -> str:
        return next((one.name for one in self._models if one.in_use), self._name_of(_STARTER))

    def _name_of(self, name: str) -> str:
        return self.tr("Starter mind") if name == _STARTER else name

    def _open(self) -> None:
        self.choices.clear()
        self._add(self.tr("As everywhere ({name})").format(name=self._usual()), "")
        self.choices.addSeparator()
        for name in (_STARTER, *(one.name for one in self._models)):
            self._add(self._name_of(name), name)
        self.choices.addSeparator()
        self.choices.addAction(self.tr("Models…")).triggered.connect(self.more_wanted)
        self.choices.popup(self.mapToGlobal(QPoint(0, self.height() + 2)))

    def _add(self, words: str, name: str) -> None:
        action = self.choices.addAction(words.replace("&", "&&"))
        action.setCheckable(True)
        action.setChecked(name == self._own)
        conversation_id = self._conversation_id
        action.triggered.connect(lambda: self.chosen.emit(conversation_id, name))
