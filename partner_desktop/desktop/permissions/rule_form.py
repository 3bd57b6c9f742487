"""The form for a rule: what it says, for which actions, and a note."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QLineEdit

from partner_desktop.desktop.parts.boxes import flow, vbox
from partner_desktop.desktop.parts.controls import push_button, show_words, text_label
from partner_desktop.desktop.parts.escape import on_escape
from partner_desktop.desktop.permissions.words import effect_words, fitting_words, short_hash
from partner_desktop.desktop.settings.segments import Segments
from partner_desktop.desktop.theme.theme import Space, set_look
from partner_desktop.desktop.wording import Words, in_every_language, say
from partner_desktop.domain.permission import Effect, Rule

_LONGEST = 500


class RuleForm(QFrame):
    """`saved(rule)`, `cancelled()`. Esc cancels; Enter saves."""

    saved = Signal(object)
    cancelled = Signal()

    def __init__(self, rule: Rule | None, keys: Sequence[str]) -> None:
        super().__init__()
        self.setObjectName("question")
        self._rule = rule or Rule(Effect.ASK, "")
        self._keys = keys
        self._effect = self._rule.effect
        self._wrong = False
        title: Words = (lambda: self.tr("Add a rule")) if rule is None else (lambda: self.tr("Edit the rule"))
        say(self, self.setAccessibleName, title)
        choices = [(each.value, lambda one=each: effect_words(one)) for each in Effect]
        self.effects = Segments(lambda: self.tr("What the rule says"), choices)
        self.effects.show_choice(self._effect.value)
        self.effects.chosen.connect(self._choose)
        self.pattern = self._line(lambda: self.tr("Which actions"), self._rule.action, "local::*")
        self.note = self._line(lambda: self.tr("Note"), self._rule.note, lambda: self.tr("why, for yourself"))
        self._fits = text_label("", "muted", wrap=True)
        self._hint = text_label("", "muted", wrap=True)
        self._fault = text_label("", "fault-small", wrap=True, selectable=True, hidden=True)
        self.pattern.textEdited.connect(lambda _text: self._edited())
        self._lay_out(title)
        on_escape(self, self.cancelled.emit)
        in_every_language(self, self._say)
        self._say()

    def _line(self, title: Words, text: str, placeholder: Words) -> QLineEdit:
        edit = QLineEdit(text)
        edit.setMaxLength(_LONGEST)
        say(edit, edit.setPlaceholderText, placeholder)
        say(edit, edit.setAccessibleName, title)
        edit.returnPressed.connect(self._save)
        return edit

    def _lay_out(self, title: Words) -> None:
        self.save_button = push_button(lambda: self.tr("Save"), "primary")
        self.save_button.clicked.connect(self._save)
        self.cancel_button = push_button(lambda: self.tr("Cancel"))
        self.cancel_button.clicked.connect(self.cancelled)
        buttons = flow(self.save_button, self.cancel_button)
        vbox(
            text_label(title, "strong"),
            self.effects,
            text_label(lambda: self.tr("Which actions, as a key or with *"), "label"),
            self.pattern,
            self._fits,
            text_label(lambda: self.tr("Note"), "label"),
            self.note,
            self._hint,
            self._fault,
            Space.XS,
            buttons,
            into=self,
            gap=6,
            margins=(Space.L, Space.M, Space.L, Space.M),
        )

    @property
    def fault(self) -> str:
        """Why it could not be saved."""
        return self._fault.text() if not self._fault.isHidden() else ""

    @property
    def fits(self) -> str:
        """What the pattern is about now."""
        return self._fits.text()

    def rule(self) -> Rule:
        """What stands in the form. The version that it is bound to stays with it."""
        return Rule(
            self._effect, self.pattern.text().strip(), hash=self._rule.hash, note=self.note.text().strip()
        )

    def begin(self) -> None:
        """Take the keyboard."""
        self.pattern.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_fault(self, sentence: str) -> None:
        """It could not be saved: say why, and let it be tried again."""
        show_words(self._fault, sentence)
        self.save_button.setEnabled(True)

    def _choose(self, value: str) -> None:
        self._effect = Effect(value)
        self._say()

    def _edited(self) -> None:
        self._fault.hide()
        self._wrong = False
        self._say()

    def _save(self) -> None:
        if not self.save_button.isEnabled():
            return
        self._fault.hide()
        self._wrong = not self.pattern.text().strip()
        self._say()
        if self._wrong:
            self.pattern.setFocus(Qt.FocusReason.OtherFocusReason)
            return
        if self.save_button.hasFocus():
            self.pattern.setFocus(Qt.FocusReason.OtherFocusReason)  # the button is about to go grey
        self.save_button.setEnabled(False)
        self.saved.emit(self.rule())

    def _say(self) -> None:
        set_look(self.pattern, "true" if self._wrong else "false", name="problem")
        pattern = self.pattern.text().strip()
        # Always there: what is below must not move away from under the pointer with the first letter.
        how = self.tr("Type the key of an action, or a part of it with * for the rest.")
        self._fits.setText(fitting_words(pattern, self._keys) if pattern else how)
        show_words(self._hint, self._hint_words())

    def _hint_words(self) -> str:
        if self._rule.hash:
            return self.tr("It holds for one version of the script: {hash}").format(
                hash=short_hash(self._rule.hash)
            )
        if self._effect is Effect.ALLOW:
            return self.tr(
                "Without a version, this allows only what is built in. To allow a script, say “always” "
                "on its card."
            )
        return ""
