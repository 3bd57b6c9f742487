"""The form in which an ability is named and described, on its card and in the panel alike."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from partner_desktop.desktop.forms.fields import LinesField, WholeField
from partner_desktop.desktop.forms.form import EntryForm
from partner_desktop.desktop.wording import LazyText, bind_text
from partner_desktop.domain.ability import AbilityDraft
from partner_desktop.domain.json_value import Json, JsonObject

#: As much of a name as a sentence about it surely quotes.
_QUOTED = 12


class DraftForm(EntryForm):
    """`saved(draft)` with what stands in the form."""

    saved = Signal(object)

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
        super().__init__(title, verb, note=note, margins=(16, 12, 16, 14))
        self._draft = draft
        self.name = self.line("name", lambda: self.tr("Name"), draft.name)
        if titled:
            made = lambda: self.tr("made from the name")  # noqa: E731 - words of a language
            self.line("title", lambda: self.tr("Title"), draft.title, hint=made)
        about = WholeField("description", lambda: self.tr("What it does"), draft.description)
        self.description = self.lines(about)
        others = lambda: self.tr("Other ways to ask for it")  # noqa: E731 - words of a language
        self.aliases = self.lines(LinesField("aliases", others, [*draft.aliases], {}, plain=True))
        bind_text(self, self.aliases.setPlaceholderText, lambda: self.tr("one line each"))
        self.params = {
            param: self.line(f"param:{param}", partial(self._param_words, param), text)
            for param, text in draft.params.items()
        }
        if more is not None:
            self.form.column.addWidget(more)
        self.column.addStretch()
        self.given.connect(self._give)

    def _param_words(self, name: str) -> str:
        return self.tr("Parameter “{name}”").format(name=name)

    def begin(self) -> None:
        self.name.setFocus(Qt.FocusReason.OtherFocusReason)
        self.name.selectAll()

    def show_problem(self, sentence: str, *, at: str = "") -> None:
        super().show_problem(sentence, at=at or ("name" if self._is_about_name(sentence) else ""))

    def _is_about_name(self, sentence: str) -> bool:
        """Whether the sentence speaks of what stands in the name's field, or of nothing standing there."""
        typed = self.name.text().strip()
        return not typed or f"“{typed[:_QUOTED]}" in sentence

    def _give(self, values: JsonObject) -> None:
        aliases = values.get("aliases")
        self.saved.emit(
            replace(
                self._draft,
                name=self.name.text(),
                title=_text(values.get("title")),
                description=_text(values.get("description")),
                aliases=tuple(_text(each) for each in aliases) if isinstance(aliases, list) else (),
                params={param: edit.text().strip() for param, edit in self.params.items()},
            )
        )


def _text(value: Json) -> str:
    return str(value or "").strip()
