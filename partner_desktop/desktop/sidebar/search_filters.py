"""What a search is narrowed to: where, by whom, since when, with a file; each a small menu."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date, timedelta
from typing import Any, Literal, TypeAlias

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QPushButton, QWidget

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.desktop.parts.boxes import flow
from partner_desktop.desktop.parts.controls import push_button
from partner_desktop.desktop.theme.theme import set_look
from partner_desktop.desktop.wording import LazyText, in_every_language, resolve_text

SearchPlace: TypeAlias = Literal["all", "here", "archive"]


@dataclass(frozen=True)
class SearchFilter:
    """What is chosen."""

    place: SearchPlace = "all"
    said_by: Literal["", "person", "partner"] = ""
    days: int = 0
    """So many of the last days, today among them; 0: any time."""
    attached: bool = False

    def since(self, today: date) -> date | None:
        """The first day that counts."""
        return today - timedelta(days=self.days - 1) if self.days else None

    @property
    def finds_alone(self) -> bool:
        """Whether it finds something without words."""
        return bool(self.said_by or self.days or self.attached)


class ChoiceChip:
    """A button that says what is chosen, and opens the choices. `value` begins as the first of them."""

    def __init__(
        self,
        owner: QWidget,
        name: LazyText,
        choices: Sequence[tuple[Any, LazyText]],
        changed: Callable[[], object],
    ) -> None:
        # Any: each chip has values of its own.
        self._name = name
        self._choices = choices
        self._changed = changed
        self.value = choices[0][0]
        self.button: QPushButton = push_button("", "filter")
        self.menu = QMenu(self.button)
        self._group = QActionGroup(self.menu)
        self._actions: list[QAction] = []
        for value, _ in choices:
            action = self.menu.addAction("")
            action.setCheckable(True)
            action.triggered.connect(lambda _=False, value=value: self.choose(value))
            self._group.addAction(action)
            self._actions.append(action)
        self.button.clicked.connect(self._open)
        in_every_language(owner, self._say, now=True)

    def clear(self) -> None:
        self.choose(self._choices[0][0])

    def choose(self, value: object) -> None:
        """As if it was chosen in the menu."""
        if value != self.value:
            self.value = value
            self._say()
            self._changed()

    def _open(self) -> None:
        self.menu.popup(self.button.mapToGlobal(self.button.rect().bottomLeft()))

    def _say(self) -> None:
        for (value, words), action in zip(self._choices, self._actions, strict=True):
            action.setText(resolve_text(words))
            action.setChecked(value == self.value)
            if value == self.value:
                self.button.setText(f"{resolve_text(words)} ▾")
                self.button.setAccessibleName(f"{resolve_text(self._name)}: {resolve_text(words)}")
        set_look(self.button, "filter" if self.value == self._choices[0][0] else "filter-set")


class SearchFilters(QWidget):
    """`changed()`: something else is chosen."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        tell = self.changed.emit
        self.place = ChoiceChip(
            self,
            lambda: self.tr("Where"),
            (
                ("all", lambda: self.tr("Everywhere")),
                ("here", lambda: self.tr("This chat")),
                ("archive", lambda: self.tr("Archive")),
            ),
            tell,
        )
        self.speaker = ChoiceChip(
            self,
            lambda: self.tr("From"),
            (
                ("", lambda: self.tr("Anyone")),
                ("person", lambda: self.tr("From me")),
                ("partner", lambda: self.tr("From Partner")),
            ),
            tell,
        )
        self.time = ChoiceChip(
            self,
            lambda: self.tr("Since"),
            (
                (0, lambda: self.tr("Any time")),
                (1, lambda: self.tr("Today")),
                (7, lambda: self.tr("Last 7 days")),
                (30, lambda: self.tr("Last 30 days")),
                (365, lambda: self.tr("Last year")),
            ),
            tell,
        )
        self.files = ChoiceChip(
            self,
            lambda: self.tr("Attachments"),
            (
                (False, lambda: self.tr("Any message")),
                (True, lambda: self.tr("With attachments")),
            ),
            tell,
        )
        self._chips = (self.place, self.speaker, self.time, self.files)
        layout = flow(*(chip.button for chip in self._chips), gap=4)
        self.setLayout(layout)
        layout.setContentsMargins(0, 0, 0, 0)

    @property
    def chosen(self) -> SearchFilter:
        return SearchFilter(self.place.value, self.speaker.value, self.time.value, self.files.value)

    @property
    def is_set(self) -> bool:
        """Whether anything narrows the search."""
        return self.chosen != SearchFilter()

    def clear(self) -> None:
        for chip in self._chips:
            chip.clear()
