"""What an open row of the Memory tab shows: what was said, or what is known of somebody or something.

Of a person, a place or a thing each fact stands there since when, to be put right or dropped; a few words (a
summary, a name, a value) are written anew where they stand.
"""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QMenu, QPlainTextEdit, QPushButton, QWidget

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.desktop.panel.memory.memory_rows import MemoryItem, MemoryRow
from partner_desktop.desktop.panel.memory.memory_words import (
    attribute_words,
    entity_title,
    fact_facts,
    moment_of_day,
    speaker_words,
    topic_name,
    topic_path,
    unknown_words,
)
from partner_desktop.desktop.parts.boxes import (
    FlowLayout,
    aligned,
    clear_layout,
    flow,
    grow,
    hbox,
    stretch,
    vbox,
)
from partner_desktop.desktop.parts.controls import IconButton, on_escape, push_button, show_words, text_label
from partner_desktop.desktop.rows.placed_view import RowSheet
from partner_desktop.desktop.theme.theme import Theme, zoomed
from partner_desktop.desktop.wording import LazyText, in_every_language, resolve_text, set_tip
from partner_desktop.domain.entity import SELF, Entity, EntityFact
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


class TurnSheet(RowSheet[MemoryItem]):
    """A message that a search found. `asked(verb, row)`: "show" or "forget"."""

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
        if self._row.about.turn is not None:
            self._said.addWidget(SaidView(self._row.about.turn))


class SliceSheet(RowSheet[MemoryItem]):
    """A piece of talk: what sums it up, its topics, its messages. `asked(verb, row)`: "show", "pin", "edit",
    "forget", "save" (see `written`) or "topic" (see `topic`)."""

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
        one = self._row.about.slice
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
        one = self._row.about.slice
        self._told.hide()
        self.form.begin(one.summary if one is not None else "", lambda: self.tr("What it was about"))

    def close_form(self) -> None:
        self.form.hide()
        self._fill()

    def _fill(self) -> None:
        one = self._row.about.slice
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


_LABEL_PX = 82


@dataclass(frozen=True)
class FactRequest:
    """What is wanted of a fact: "show" where it was said, "correct" it to what was written, or "remove"."""

    verb: str
    fact: EntityFact
    written: str = ""


class FactView(QWidget):
    """What, and below it since when; `asked(request)`, `writing_wanted(fact)`."""

    asked = Signal(object)
    writing_wanted = Signal(object)

    def __init__(self, theme: Theme, fact: EntityFact) -> None:
        super().__init__()
        self.setObjectName("clear")
        self.fact = fact
        name = text_label(lambda: attribute_words(fact.attribute), "muted", wrap=True)
        name.setFixedWidth(zoomed(_LABEL_PX))
        value = text_label(fact.value, "muted" if fact.former else "small", wrap=True, selectable=True)
        facts = text_label(lambda: fact_facts(fact), "head", wrap=True)
        self.more_button = IconButton(
            theme, "more", lambda: self.tr("More for {fact}").format(fact=fact.value)
        )
        self.more_button.clicked.connect(self._open_menu)
        self.menu = QMenu(self)
        top = Qt.AlignmentFlag.AlignTop
        layout: QHBoxLayout = hbox(
            aligned(name, top),
            grow(vbox(value, facts, gap=1)),
            aligned(self.more_button, top),
            into=self,
            gap=8,
        )
        layout.setContentsMargins(0, 0, 0, 0)

    def _open_menu(self) -> None:
        self.menu.clear()
        for verb, words in self._choices():
            action = self.menu.addAction(words)
            action.triggered.connect(lambda _checked=False, verb=verb: self._choose(verb))
        self.menu.popup(self.more_button.mapToGlobal(QPoint(0, self.more_button.height())))

    def _choices(self) -> Iterator[tuple[str, str]]:
        if self.fact.evidence:
            yield "show", self.tr("Show where it was said")
        if not self.fact.former:
            yield "correct", self.tr("Correct…")
        yield "remove", self.tr("Remove")

    def _choose(self, verb: str) -> None:
        if verb == "correct":
            self.writing_wanted.emit(self.fact)
        else:
            self.asked.emit(FactRequest(verb, self.fact))


class EntitySheet(RowSheet[MemoryItem]):
    """`asked(verb, row)`: "fact" (see `request`), "rename" (see `form`), "merge", "part" (see `part_id`) or
    "forget"."""

    def __init__(self, theme: Theme, row: MemoryRow) -> None:
        super().__init__()
        self._theme = theme
        self._row = row
        self.request: FactRequest | None = None
        """What was asked of a fact last."""
        self.part_id = ""
        """What is to be an entity of its own again."""
        self._facts = vbox(gap=6)
        self._aliases = text_label("", "muted", wrap=True, hidden=True)
        self._unknown = text_label("", "muted", wrap=True, hidden=True)
        self._merged = vbox(gap=2)
        self._fault = text_label("", "fault-small", wrap=True, hidden=True)
        self.form = WritingForm(lines=1)
        self.form.hide()
        self.form.saved.connect(self._save)
        self.form.left.connect(self.close_form)
        self._corrected: EntityFact | None = None
        self.rename_button = push_button(lambda: self.tr("Rename"), "link", pressed=self._rename)
        self.merge_button = push_button(
            lambda: self.tr("Same as…"),
            "link",
            name=lambda: self.tr("Say which other one is the same"),
            pressed=lambda: self.asked.emit("merge", self._row),
        )
        self.forget_button = push_button(
            lambda: self.tr("Forget…"), "link-bad", pressed=lambda: self.asked.emit("forget", self._row)
        )
        vbox(
            self._facts,
            self._aliases,
            self._unknown,
            self._merged,
            self.form,
            self._fault,
            flow(self.rename_button, self.merge_button, self.forget_button, gap=12),
            into=self,
            gap=8,
        )
        in_every_language(self, self._fill)
        self._fill()

    @property
    def entity(self) -> Entity:
        assert self._row.about.entity is not None
        return self._row.about.entity

    def show_row(self, row: MemoryRow) -> None:
        if row != self._row:
            self._row = row
            self.close_form()

    def show_fault(self, sentence: str) -> None:
        """What was asked for did not work."""
        show_words(self._fault, sentence)

    def close_form(self) -> None:
        self._corrected = None
        self.form.hide()
        show_words(self._fault, "")
        self._fill()

    def _fill(self) -> None:
        entity = self.entity
        for layout in (self._facts, self._merged):
            clear_layout(layout)
        for fact in (*entity.holding("name"), *entity.facts):
            view = FactView(self._theme, fact)
            view.asked.connect(self._ask_of_fact)
            view.writing_wanted.connect(self._correct)
            self._facts.addWidget(view)
        aliases = ", ".join(entity.aliases)
        show_words(self._aliases, self.tr("Also called {names}").format(names=aliases) if aliases else "")
        show_words(self._unknown, unknown_words(self._row.about.unknown))
        for one in entity.merged:
            self._merged.addWidget(self._part_button(one.id, one.name))
        own = entity.id == SELF
        self.merge_button.setVisible(not own)
        self.forget_button.setVisible(not own)

    def _part_button(self, entity_id: str, name: str) -> QWidget:
        words = self.tr("“{name}” is somebody else").format(name=name or self.tr("the other one"))
        return push_button(words, "link", pressed=lambda: self._part(entity_id))

    def _part(self, entity_id: str) -> None:
        self.part_id = entity_id
        self.asked.emit("part", self._row)

    def _rename(self) -> None:
        self._corrected = None
        self.form.begin(
            self.entity.name, lambda: self.tr("Name of {whom}").format(whom=entity_title(self.entity))
        )

    def _correct(self, fact: EntityFact) -> None:
        self._corrected = fact
        self.form.begin(fact.value, lambda: attribute_words(fact.attribute))

    def _save(self) -> None:
        if self._corrected is None:
            self.asked.emit("rename", self._row)
        else:
            self._ask_of_fact(FactRequest("correct", self._corrected, self.form.written))

    def _ask_of_fact(self, request: FactRequest) -> None:
        self.request = request
        self.asked.emit("fact", self._row)


_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_PAD = 18


class WritingField(QPlainTextEdit):
    """`saved()` by Enter; Shift and Enter begin another line."""

    saved = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setTabChangesFocus(True)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _ENTER and not event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.saved.emit()
        else:
            super().keyPressEvent(event)


class WritingForm(QWidget):
    """`saved()` by Enter or its button, `left()` by Esc or its button; whoever made it takes it away."""

    saved = Signal()
    left = Signal()

    def __init__(self, *, lines: int) -> None:
        super().__init__()
        self.setObjectName("clear")
        self._lines = lines
        on_escape(self, self.left.emit)
        self.field = WritingField()
        self.field.saved.connect(self._save)
        self.save_button = push_button(lambda: self.tr("Save"), "primary", pressed=self._save)
        self.cancel_button = push_button(lambda: self.tr("Cancel"), pressed=self.left)
        vbox(self.field, flow(self.save_button, self.cancel_button), into=self, gap=8)

    @property
    def written(self) -> str:
        return self.field.toPlainText().strip()

    def begin(self, text: str, name: LazyText) -> None:
        """Take the keyboard; `name` says what is written."""
        said = resolve_text(name)
        self.field.setAccessibleName(said)
        self.field.setPlaceholderText(said)
        self.field.setFixedHeight(self.field.fontMetrics().lineSpacing() * self._lines + _PAD)
        self.field.setPlainText(text)
        self.show()
        self.field.setFocus(Qt.FocusReason.TabFocusReason)
        self.field.selectAll()

    def _save(self) -> None:
        if self.written:
            self.saved.emit()


def sheet_for(theme: Theme, row: MemoryRow) -> RowSheet[MemoryItem]:
    """What an open row of its kind shows."""
    if row.kind == "entity":
        return EntitySheet(theme, row)
    return SliceSheet(row) if row.kind == "slice" else TurnSheet(row)
