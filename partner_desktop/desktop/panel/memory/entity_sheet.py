"""What is known of a person, a place or a thing: each fact since when, to be put right or dropped."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QMenu, QWidget

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.desktop.panel.memory.entity_words import (
    attribute_words,
    entity_title,
    fact_facts,
    unknown_words,
)
from partner_desktop.desktop.panel.memory.memory_rows import MemoryRow
from partner_desktop.desktop.panel.memory.writing_form import WritingForm
from partner_desktop.desktop.parts.boxes import aligned, clear_layout, flow, grow, hbox, vbox
from partner_desktop.desktop.parts.controls import IconButton, push_button, show_words, text_label
from partner_desktop.desktop.parts.placed_view import Sheet
from partner_desktop.desktop.theme.theme import Theme, zoomed
from partner_desktop.desktop.wording import in_every_language
from partner_desktop.domain.entity import SELF, Entity, EntityFact

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
        """Filled anew each time it opens."""
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


class EntitySheet(Sheet[MemoryRow]):
    """`asked(verb, row)`: "fact" (see `request`), "rename" (see `form`), "merge", "part" (see `part_id`) or
    "forget"."""

    asked = Signal(str, object)

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
        """Whom or what it shows."""
        assert self._row.entity is not None
        return self._row.entity

    def show_row(self, row: MemoryRow) -> None:
        if row != self._row:
            self._row = row
            self.close_form()

    def show_fault(self, sentence: str) -> None:
        """What was asked for did not work."""
        show_words(self._fault, sentence)

    def close_form(self) -> None:
        """Nothing is written any more."""
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
        show_words(self._unknown, unknown_words(self._row.unknown))
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
