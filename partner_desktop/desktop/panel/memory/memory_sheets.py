"""What an open row of the Memory tab shows: what was said, and what can be done with it."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QPushButton, QWidget

from partner_desktop.desktop.panel.memory.memory_rows import MemoryRow
from partner_desktop.desktop.panel.memory.memory_words import (
    moment_of_day,
    speaker_words,
    topic_name,
    topic_path,
)
from partner_desktop.desktop.panel.memory.writing_form import WritingForm
from partner_desktop.desktop.parts.boxes import FlowLayout, clear_layout, flow, hbox, stretch, vbox
from partner_desktop.desktop.parts.controls import push_button, show_words, text_label
from partner_desktop.desktop.parts.placed_view import Sheet
from partner_desktop.desktop.parts.tips import set_tip
from partner_desktop.desktop.wording import LazyText, in_every_language
from partner_desktop.domain.remembered import OpenedSlice, RememberedTurn

#: So much of one message is read here; the rest in the chat.
_MOST_LETTERS = 600
_SUMMARY_LINES = 4
#: A summary is shown above the messages where it is shorter than this share of them.
_SHORTER = 0.6


class SaidView(QWidget):
    """One message: who and when, and its words."""

    def __init__(self, turn: RememberedTurn) -> None:
        super().__init__()
        self.setObjectName("clear")
        self._turn = turn
        self._who = text_label(self._speaker, "head")
        cut = len(turn.text) > _MOST_LETTERS
        words = turn.text[:_MOST_LETTERS].rstrip() + "…" if cut else turn.text
        self.text = text_label(words.strip(), "small", wrap=True, selectable=True)
        vbox(self._who, self.text, into=self, gap=1)

    def _speaker(self) -> str:
        return f"{speaker_words(self._turn.speaker)} · {moment_of_day(self._turn.at)}"


class TurnSheet(Sheet[MemoryRow]):
    """A message that a search found. `asked(verb, row)`: "show" or "forget"."""

    asked = Signal(str, object)

    def __init__(self, row: MemoryRow) -> None:
        super().__init__()
        self._row = row
        self._said = vbox(gap=0)
        self.show_button = push_button(
            lambda: self.tr("Show in the chat"), "link", pressed=lambda: self.asked.emit("show", self._row)
        )
        vbox(self._said, hbox(self.show_button, stretch()), into=self, gap=6)
        self._fill()

    def show_row(self, row: MemoryRow) -> None:
        if row != self._row:
            self._row = row
            self._fill()

    def _fill(self) -> None:
        clear_layout(self._said)
        if self._row.turn is not None:
            self._said.addWidget(SaidView(self._row.turn))


class SliceSheet(Sheet[MemoryRow]):
    """A piece of talk: what sums it up, its topics, its messages. `asked(verb, row)`: "show", "pin", "edit",
    "forget", "save" (see `written`) or "topic" (see `topic`)."""

    asked = Signal(str, object)

    def __init__(self, row: MemoryRow) -> None:
        super().__init__()
        self._row = row
        self._opened: OpenedSlice | None = None
        self.topic = ""
        """The one that was pressed."""
        self._summary = text_label("", "small", wrap=True, selectable=True)
        self._told = QFrame()
        self._told.setObjectName("thoughts")
        vbox(self._summary, into=self._told, margins=(10, 0, 0, 0))
        self._topics = FlowLayout(gap=10)
        self._messages = vbox(gap=8)
        self._state = text_label(lambda: self.tr("Looking it up…"), "muted", wrap=True)
        self.form = WritingForm(lines=_SUMMARY_LINES)
        self.form.hide()
        self.form.saved.connect(lambda: self.asked.emit("save", self._row))
        self.form.left.connect(self.close_form)
        self.show_button = self._link(lambda: self.tr("Show in the chat"), "show")
        self.pin_button = self._link(self._pin_words, "pin")
        self.edit_button = self._link(lambda: self.tr("Edit"), "edit")
        self.forget_button = self._link(lambda: self.tr("Forget…"), "forget", look="link-bad")
        self._verbs = flow(self.show_button, self.pin_button, self.edit_button, self.forget_button, gap=12)
        vbox(
            self._told, self.form, self._topics, self._state, self._messages, self._verbs,
            into=self, gap=8,
        )  # fmt: skip
        in_every_language(self, self._fill)
        self._fill()

    def _link(self, words: LazyText, verb: str, *, look: str = "link") -> QPushButton:
        return push_button(words, look, pressed=lambda: self.asked.emit(verb, self._row))

    def _pin_words(self) -> str:
        one = self._row.slice
        return self.tr("Unpin") if one is not None and one.pinned else self.tr("Pin")

    @property
    def opened(self) -> OpenedSlice | None:
        """Its messages, once they are there."""
        return self._opened

    @property
    def written(self) -> str:
        """The summary as the person has written it."""
        return self.form.written

    def show_row(self, row: MemoryRow) -> None:
        if row != self._row:
            self._row = row
            self._fill()

    def show_opened(self, opened: OpenedSlice) -> None:
        """What was said."""
        self._opened = opened
        clear_layout(self._messages)
        for turn in opened.turns:
            self._messages.addWidget(SaidView(turn))
        self._state.hide()
        self._fill()

    def show_fault(self, sentence: str) -> None:
        """What was asked for did not work."""
        show_words(self._state, sentence)

    def open_form(self) -> None:
        """Write the summary anew."""
        one = self._row.slice
        self._told.hide()
        self.form.begin(one.summary if one is not None else "", lambda: self.tr("What it was about"))

    def close_form(self) -> None:
        """As it was."""
        self.form.hide()
        self._fill()

    def _fill(self) -> None:
        one = self._row.slice
        summary = one.summary if one is not None else ""
        self._summary.setText(summary)
        self._told.setVisible(bool(summary) and self.form.isHidden() and self._tells_less(summary))
        self.pin_button.setText(self._pin_words())
        clear_layout(self._topics)
        for path in one.topics if one is not None else ():
            button = push_button(topic_name(path), "link", pressed=lambda _=False, path=path: self._ask(path))
            button.setAccessibleName(self.tr("Topic: {topic}").format(topic=topic_path(path)))
            set_tip(button, topic_path(path))
            self._topics.addWidget(button)

    def _tells_less(self, summary: str) -> bool:
        """Else it only says what stands below it."""
        said = sum(len(turn.text) for turn in self._opened.turns) if self._opened is not None else 0
        return len(summary) < _SHORTER * said

    def _ask(self, path: str) -> None:
        self.topic = path
        self.asked.emit("topic", self._row)
