"""One rule of the file; it is edited in its place."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from partner_desktop.desktop.parts.boxes import at_middle, discard, grow, hbox, vbox
from partner_desktop.desktop.parts.buttons import push_button
from partner_desktop.desktop.parts.labels import ElidedLabel, Pill, show_words, text_label
from partner_desktop.desktop.parts.rule import horizontal_rule
from partner_desktop.desktop.permissions.rule_form import RuleForm
from partner_desktop.desktop.permissions.words import effect_kind, effect_words, rule_words, short_hash
from partner_desktop.desktop.theme.tokens import Space
from partner_desktop.desktop.wording import in_every_language
from partner_desktop.domain.permission import Rule


class RuleRow(QWidget):
    """`save_wanted(rule)`, `remove_wanted()`."""

    save_wanted = Signal(object)
    remove_wanted = Signal()

    def __init__(self, what: Rule, keys: Callable[[], Sequence[str]]) -> None:
        super().__init__()
        self.what = what
        self._keys = keys
        self.form: RuleForm | None = None
        self.rule = horizontal_rule()
        self.effect = Pill()
        self.pattern = ElidedLabel(what.action, "mono-strong")
        self.facts = text_label("", "muted", wrap=True)
        self.edit_button = push_button(
            lambda: self.tr("Edit"),
            "small",
            name=lambda: self.tr("Edit the rule {rule}").format(rule=rule_words(self.what)),
        )
        self.edit_button.clicked.connect(self.edit)
        self.remove_button = push_button(
            lambda: self.tr("Remove"),
            "quiet",
            name=lambda: self.tr("Remove the rule {rule}").format(rule=rule_words(self.what)),
        )
        self.remove_button.clicked.connect(self.remove_wanted)
        self._lay_out()
        in_every_language(self, self._say)
        self._say()

    def _lay_out(self) -> None:
        self._view = QWidget()
        hbox(
            grow(vbox(hbox(self.effect, grow(self.pattern), gap=Space.S), self.facts, gap=2)),
            Space.S,
            at_middle(self.edit_button),
            at_middle(self.remove_button),
            into=self._view,
            gap=Space.XS,
            margins=(Space.L, Space.S, Space.L, Space.S),
        )
        self._below = vbox(gap=None)
        vbox(self.rule, self._view, self._below, into=self)

    @property
    def first_stop(self) -> QWidget:
        """Where the keyboard begins."""
        return self.form.pattern if self.form is not None else self.edit_button

    def edit(self) -> None:
        """The form in place of the line."""
        if self.form is not None:
            return
        self.form = form = RuleForm(self.what, self._keys())
        form.saved.connect(self.save_wanted)
        form.cancelled.connect(self.close_form)
        self._view.hide()
        self._below.addWidget(form)
        self._below.setContentsMargins(Space.M, Space.S, Space.M, Space.S)
        form.begin()

    def close_form(self) -> None:
        """Back to the line."""
        form, self.form = self.form, None
        if form is not None:
            discard(form)
            self._below.setContentsMargins(0, 0, 0, 0)
            self._view.show()
            self.edit_button.setFocus(Qt.FocusReason.OtherFocusReason)

    def _say(self) -> None:
        self.effect.say(effect_words(self.what.effect), effect_kind(self.what.effect))
        parts = [self.what.note]
        if self.what.hash:
            parts.append(self.tr("only version {hash}").format(hash=short_hash(self.what.hash)))
        show_words(self.facts, " · ".join(part for part in parts if part))
