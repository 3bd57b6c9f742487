"""The form in which an ability is named and described, on its card and in the panel alike."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QWidget

from partner_desktop.desktop.parts.boxes import flow, vbox
from partner_desktop.desktop.parts.controls import on_escape, push_button, show_words, text_label
from partner_desktop.desktop.theme.theme import set_look
from partner_desktop.desktop.wording import LazyText, bind_text
from partner_desktop.domain.ability import AbilityDraft

#: As much of a name as a sentence about it surely quotes.
_QUOTED = 12


class DraftForm(QWidget):
    """`saved(draft)` with what stands in the form; `cancelled()`. Esc cancels, Enter in a line saves."""

    saved = Signal(object)
    cancelled = Signal()

    def __init__(
        self,
        draft: AbilityDraft,
        *,
        title: LazyText,
        verb: LazyText,
        note: LazyText = "",
        more: QWidget | None = None,
        titled: bool = True,
    ) -> None:
        """`more`: what is filled in below these fields; not `titled`: it has no title beside its name."""
        super().__init__()
        self.setObjectName("clear")
        bind_text(self, self.setAccessibleName, title)
        self._draft = draft
        on_escape(self, self.cancelled.emit)
        self._column = vbox(
            text_label(title, "strong", wrap=True), into=self, gap=4, margins=(16, 12, 16, 14)
        )
        if note:
            self._column.addWidget(text_label(note, "muted", wrap=True))
        self.name = self._line(lambda: self.tr("Name"), draft.name)
        self._name_problem = text_label("", "fault-small", wrap=True, hidden=True)
        self._column.addWidget(self._name_problem)
        self.name.textEdited.connect(self._clear_problem)
        self.heading = QLineEdit(draft.title)
        if titled:
            self._put(lambda: self.tr("Title"), self.heading)
            bind_text(self, self.heading.setPlaceholderText, lambda: self.tr("made from the name"))
        self.description = self._lines(lambda: self.tr("What it does"), draft.description, rows=3)
        self.aliases = self._lines(
            lambda: self.tr("Other ways to ask for it"), "\n".join(draft.aliases), rows=2
        )
        bind_text(self, self.aliases.setPlaceholderText, lambda: self.tr("one line each"))
        self.params = {
            param: self._line(partial(self._param_words, param), text) for param, text in draft.params.items()
        }
        if more is not None:
            self._column.addWidget(more)
        self._problem = text_label("", "fault", wrap=True, selectable=True, hidden=True)
        self._column.addWidget(self._problem)
        self.save_button = push_button(verb, "primary", pressed=self._save)
        self.cancel_button = push_button(lambda: self.tr("Cancel"), pressed=self.cancelled)
        self._add_buttons()

    def _param_words(self, name: str) -> str:
        return self.tr("Parameter “{name}”").format(name=name)

    def begin(self) -> None:
        """Take the keyboard."""
        self.name.setFocus(Qt.FocusReason.OtherFocusReason)
        self.name.selectAll()

    def show_problem(self, sentence: str) -> None:
        """It could not be done: say why, and let it be tried again."""
        about_name = self._is_about_name(sentence)
        label = self._name_problem if about_name else self._problem
        show_words(label, sentence)
        set_look(self.name, "true" if about_name else "false", name="problem")
        if about_name:
            self.name.setFocus(Qt.FocusReason.OtherFocusReason)
        self.save_button.setEnabled(True)

    def _is_about_name(self, sentence: str) -> bool:
        """Whether the sentence speaks of what stands in the name's field, or of nothing standing there."""
        typed = self.name.text().strip()
        return not typed or f"“{typed[:_QUOTED]}" in sentence

    def _clear_problem(self) -> None:
        for label in (self._name_problem, self._problem):
            label.hide()
        set_look(self.name, "false", name="problem")

    def _save(self) -> None:
        if not self.save_button.isEnabled():
            return
        if self.save_button.hasFocus():
            self.name.setFocus(Qt.FocusReason.OtherFocusReason)  # the button is about to go grey
        self.save_button.setEnabled(False)
        self._clear_problem()
        self.saved.emit(
            replace(
                self._draft,
                name=self.name.text(),
                title=self.heading.text().strip(),
                description=self.description.toPlainText().strip(),
                aliases=tuple(
                    line.strip() for line in self.aliases.toPlainText().splitlines() if line.strip()
                ),
                params={param: edit.text().strip() for param, edit in self.params.items()},
            )
        )

    def _line(self, title: LazyText, text: str) -> QLineEdit:
        edit = QLineEdit(text)
        self._put(title, edit)
        return edit

    def _put(self, title: LazyText, edit: QLineEdit) -> None:
        edit.setCursorPosition(0)
        edit.returnPressed.connect(self._save)
        self._add(title, edit)

    def _lines(self, title: LazyText, text: str, *, rows: int) -> QPlainTextEdit:
        edit = QPlainTextEdit(text)
        edit.setTabChangesFocus(True)
        edit.setFixedHeight(rows * edit.fontMetrics().lineSpacing() + 22)
        self._add(title, edit)
        return edit

    def _add(self, title: LazyText, edit: QWidget) -> None:
        bind_text(edit, edit.setAccessibleName, title)
        label = text_label(title, "label", wrap=True)
        label.setContentsMargins(0, 6, 0, 0)
        self._column.addWidget(label)
        self._column.addWidget(edit)

    def _add_buttons(self) -> None:
        buttons = flow(self.save_button, self.cancel_button)
        row = QWidget()
        row.setLayout(buttons)
        self._column.addSpacing(8)
        self._column.addWidget(row)
        self._column.addStretch()
