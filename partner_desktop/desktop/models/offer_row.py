"""One model that could be had, as a row: what it is, whether it fits, and the one thing to do with it.

What lies on this computer, what the list suggests, what a repository holds and what a server runs are rows
of this kind. A list of them shows the first few, and more when it is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QLayout, QWidget

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.desktop.models.offer_words import fit_hint, fit_words
from partner_desktop.desktop.parts.boxes import (
    at_middle,
    drop_widget,
    grow,
    hbox,
    holds_keyboard,
    horizontal_rule,
    stretch,
    vbox,
)
from partner_desktop.desktop.parts.controls import (
    ElidedLabel,
    FilterField,
    Pill,
    PillKind,
    push_button,
    show_words,
    text_label,
)
from partner_desktop.desktop.parts.progress import ProgressLine
from partner_desktop.desktop.theme.theme import Space, Theme, set_look, zoomed
from partner_desktop.desktop.wording import LazyText, in_every_language, set_tip
from partner_desktop.domain.model_file import FitLevel, MemoryFit

_BAR_PX = 56
_BESIDE_PX = 400
_COLORS: dict[FitLevel, str] = {"fits": "good", "tight": "careful", "too_large": "bad", "unknown": "muted"}


class FitLine(QWidget):
    """A small bar of the memory that is needed, and the same in words; hidden where nobody knows."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._fit = MemoryFit()
        self._bar = ProgressLine(theme, name=lambda: self.tr("Memory that it needs"))
        self._words = text_label("", "muted", wrap=True)
        hbox(at_middle(self._bar), grow(self._words), into=self, gap=Space.S)
        theme.changed.connect(self._fit_bar)
        self._fit_bar()
        in_every_language(self, self._say, now=True)

    @property
    def words(self) -> str:
        return self._words.text().replace("\u00a0", " ")

    def show_fit(self, fit: MemoryFit) -> None:
        self._fit = fit
        share = fit.needed_bytes / fit.free_bytes if fit.free_bytes else 1.0
        self._bar.set_share(min(1.0, share), color=_COLORS[fit.level])
        self._say()

    def _fit_bar(self) -> None:
        self._bar.setFixedWidth(zoomed(_BAR_PX))

    def _say(self) -> None:
        words = fit_words(self._fit)
        self._words.setText(words)
        set_tip(self, fit_hint(self._fit))
        self.setVisible(bool(words))


@dataclass(frozen=True)
class ModelOffer:
    """What a row says, in the present language."""

    title: str
    facts: str = ""
    why: str = ""
    fit: MemoryFit = MemoryFit()
    trouble: str = ""
    """Why nothing can be done with it."""
    word: str = ""
    """Behind its title, on a soft ground."""
    kind: PillKind = "plain"
    act: str = ""
    """What its button does; empty: it has none."""
    act_name: str = ""
    """The same for a screen reader, with the name of what it is done to."""
    first: bool = False
    """It is the one to take: its button leads the eye."""


#: Says a row anew, whatever the language is by then.
SaysOffer: TypeAlias = Callable[[], ModelOffer]


class Beside(QWidget):
    """What is said, and what can be pressed at its right; below it where there is little room."""

    def __init__(self, words: QLayout, buttons: QWidget) -> None:
        super().__init__()
        self._layout = hbox(grow(words), into=self, gap=Space.M, margins=(Space.L, 10, Space.L, 10))
        self._layout.addWidget(buttons, 0, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        beside = self.width() >= zoomed(_BESIDE_PX)
        direction = QBoxLayout.Direction
        self._layout.setDirection(direction.LeftToRight if beside else direction.TopToBottom)
        self._layout.setSpacing(Space.M if beside else Space.S)


class OfferRow(QWidget):
    """`act_pressed()`."""

    act_pressed = Signal()

    def __init__(self, theme: Theme, says: SaysOffer) -> None:
        super().__init__()
        self._says = says
        self.title = ElidedLabel("", "title")
        self.word = Pill()
        self.facts = text_label("", "muted", wrap=True)
        self.why = text_label("", "small", wrap=True)
        self.fit = FitLine(theme)
        self.trouble = text_label("", "fault-small", wrap=True, selectable=True)
        self.act_button = push_button("", "small", pressed=self.act_pressed)
        line = hbox(at_middle(self.title), at_middle(self.word), stretch(1), gap=Space.S)
        words = vbox(line, self.why, self.facts, self.fit, self.trouble, gap=3)
        vbox(Beside(words, self.act_button), into=self)
        in_every_language(self, self._say, now=True)

    def show_offer(self, says: SaysOffer) -> None:
        self._says = says
        self._say()

    @property
    def offer(self) -> ModelOffer:
        """What it says now."""
        return self._says()

    def _say(self) -> None:
        offer = self._says()
        self.title.set_text(offer.title)
        self.word.say(offer.word, offer.kind)
        show_words(self.facts, offer.facts)
        show_words(self.why, offer.why)
        show_words(self.trouble, offer.trouble)
        self.fit.show_fit(offer.fit)
        self.act_button.setText(offer.act)
        self.act_button.setAccessibleName(offer.act_name or f"{offer.act}: {offer.title}")
        self.act_button.setVisible(bool(offer.act))
        set_look(self.act_button, "small-primary" if offer.first else "small")


@dataclass(frozen=True)
class Listed:
    """A row of a list: what it is known by, what it says, and what it is found by."""

    key: str
    says: SaysOffer
    words: str = ""
    """To look for."""


_FEW = 4
#: More are made at once only when they are asked for again.
_STEP = 20
#: In a longer list one can look for a word.
_LONG = 12


class OfferList(QFrame):
    """`acted(key)`. Shows the first few; `few`: so many of them."""

    acted = Signal(str)

    def __init__(self, theme: Theme, name: LazyText, *, few: int = _FEW) -> None:
        super().__init__()
        self.setObjectName("card")
        self._theme = theme
        self._few = self._most = few
        self._all: tuple[Listed, ...] = ()
        self._wanted = ""
        self.rows: dict[str, OfferRow] = {}
        self._holders: dict[str, RuledRow] = {}
        self._left = 0
        self.search = FilterField(name)
        self.search.looked_for.connect(self._look_for)
        self._search_line = QWidget()
        vbox(self.search, into=self._search_line, margins=(Space.M, Space.M, Space.M, Space.XS))
        self._nothing = text_label(lambda: self.tr("None of them."), "muted", wrap=True, hidden=True)
        self._nothing.setContentsMargins(Space.L, Space.M, Space.L, Space.M)
        self.more_button = push_button("", "foot", pressed=self._show_more)
        self._column = vbox()
        vbox(self._search_line, self._column, self._nothing, self.more_button, into=self, margins=1)
        in_every_language(self, self._say_more, now=True)
        self.hide()

    def show_rows(self, rows: Sequence[Listed]) -> None:
        """All of them; what is in view stays where it is still there."""
        self._all = tuple(rows)
        self._lay_out()

    def _look_for(self, text: str) -> None:
        self._wanted = text.casefold()
        self._lay_out()

    def _show_more(self) -> None:
        self._most = _STEP if self._most < _STEP else self._most + _STEP
        held = holds_keyboard(self)
        before = len(self.rows)
        self._lay_out()
        fresh = [*self.rows.values()][before:]
        if held and fresh and self.more_button.isHidden():
            fresh[0].act_button.setFocus(Qt.FocusReason.OtherFocusReason)

    def _lay_out(self) -> None:
        fitting = self._fitting()
        shown = fitting if len(fitting) <= self._few + 1 else fitting[: self._most]
        keys = [one.key for one in shown]
        if [key for key in self.rows if key in keys] != [key for key in keys if key in self.rows]:
            self._clear()
        for key in [one for one in self.rows if one not in keys]:
            self._drop(key)
        for at, one in enumerate(shown):
            self._put(at, one)
        self.rows = {one.key: self.rows[one.key] for one in shown}
        self._nothing.setVisible(bool(self._all) and not shown)
        self._search_line.setVisible(len(self._all) > _LONG and self._most > self._few)
        self._left = len(fitting) - len(shown)
        self._say_more()
        self.setVisible(bool(self._all))

    def _fitting(self) -> tuple[Listed, ...]:
        words = self._wanted.split()
        return tuple(one for one in self._all if all(word in one.words.casefold() for word in words))

    def _say_more(self) -> None:
        if self._most <= self._few:
            words = self.tr("Show all ({count})").format(count=len(self._all))
        else:
            words = self.tr("Show more ({count})").format(count=self._left)
        self.more_button.setText(words)
        self.more_button.setAccessibleName(words)
        self.refit()
        self.more_button.setVisible(self._left > 0)

    def refit(self) -> None:
        """The button is as high as the text asks for."""
        self.more_button.setFixedHeight(zoomed(32))

    def _put(self, at: int, one: Listed) -> None:
        row = self.rows.get(one.key)
        if row is not None:
            row.show_offer(one.says)
        else:
            row = self.rows[one.key] = OfferRow(self._theme, one.says)
            row.act_pressed.connect(lambda key=one.key: self.acted.emit(key))
            holder = self._holders[one.key] = RuledRow(row)
            self._column.insertWidget(at, holder)
        self._holders[one.key].rule.setVisible(at > 0)

    def _drop(self, key: str) -> None:
        del self.rows[key]
        holder = self._holders.pop(key)
        self._column.removeWidget(holder)
        drop_widget(holder)

    def _clear(self) -> None:
        for key in list(self.rows):
            self._drop(key)


class RuledRow(QWidget):
    """A row and the line above it, which the first one does without: the frame is there."""

    def __init__(self, row: QWidget) -> None:
        super().__init__()
        self.rule = horizontal_rule()
        vbox(self.rule, row, into=self)
