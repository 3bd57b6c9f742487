"""What may run, a row each: a rule of the file, edited in its place, and a yes that can be taken back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from partner_desktop.desktop.forms.choice_fields import FieldChoice, SegmentsField
from partner_desktop.desktop.forms.form import EntryForm
from partner_desktop.desktop.parts.banner import Banner
from partner_desktop.desktop.parts.boxes import (
    at_middle,
    drop_widget,
    grow,
    hbox,
    horizontal_rule,
    stretch,
    vbox,
)
from partner_desktop.desktop.parts.controls import (
    ElidedLabel,
    Pill,
    push_button,
    show_words,
    text_label,
)
from partner_desktop.desktop.parts.tips import set_tip
from partner_desktop.desktop.permissions.words import (
    effect_kind,
    effect_words,
    fitting_words,
    grant_facts,
    place_words,
    rule_words,
    short_hash,
)
from partner_desktop.desktop.theme.theme import Space
from partner_desktop.desktop.wording import in_every_language
from partner_desktop.domain.permission import Effect, Grant, Rule


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
        in_every_language(self, self._say, now=True)

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
            drop_widget(form)
            self._below.setContentsMargins(0, 0, 0, 0)
            self._view.show()
            self.edit_button.setFocus(Qt.FocusReason.OtherFocusReason)

    def _say(self) -> None:
        self.effect.say(effect_words(self.what.effect), effect_kind(self.what.effect))
        parts = [self.what.note]
        if self.what.hash:
            parts.append(self.tr("only version {hash}").format(hash=short_hash(self.what.hash)))
        show_words(self.facts, " · ".join(part for part in parts if part))


class GrantRow(QWidget):
    """`revoke_wanted()` after a yes."""

    revoke_wanted = Signal()

    def __init__(self, grant: Grant, conversation: str = "") -> None:
        super().__init__()
        self.grant = grant
        self._conversation = conversation
        self.question: Banner | None = None
        self.rule = horizontal_rule()
        self.title = ElidedLabel(grant.title or grant.action_key, "strong")
        self.edited = Pill()
        self.key = ElidedLabel(grant.action_key, "mono")
        self.facts = text_label("", "muted", wrap=True)
        self.places = text_label("", "muted", wrap=True, selectable=True)
        self.revoke_button = push_button(
            lambda: self.tr("Revoke…"),
            "small",
            name=lambda: self.tr("Revoke: {title}…").format(title=self.grant.title or self.grant.action_key),
        )
        self.revoke_button.clicked.connect(self.ask)
        self._lay_out()
        in_every_language(self, self._say, now=True)

    def _lay_out(self) -> None:
        first = hbox(self.title, self.edited, stretch(1), gap=Space.S)
        first.setStretchFactor(self.title, 1000)
        line = hbox(
            grow(vbox(first, self.key, self.facts, self.places, gap=2)),
            at_middle(self.revoke_button),
            gap=Space.M,
            margins=(Space.L, Space.S, Space.L, Space.S),
        )
        self._below = vbox(gap=None)
        vbox(self.rule, line, self._below, into=self)

    @property
    def first_stop(self) -> QWidget:
        """Where the keyboard begins."""
        return self.revoke_button

    def ask(self) -> None:
        """A question below; what is chosen by Enter changes nothing."""
        if self.question is not None:
            return
        self.question = banner = Banner(
            lambda: self.tr("Take this yes back?"),
            lambda: self.tr("It asks again from now on. What runs at this moment goes on."),
        )
        revoke = banner.add_choice(lambda: self.tr("Revoke"), self.revoke_wanted.emit, look="stop")
        revoke.setAccessibleName(self.tr("Revoke: {title}").format(title=self.title.text()))
        cancel = banner.add_choice(lambda: self.tr("Keep it"), None)
        banner.closed.connect(self._question_gone)
        self._below.addWidget(banner)
        self._below.setContentsMargins(Space.L, 0, Space.L, Space.M)
        self.revoke_button.hide()
        cancel.setFocus(Qt.FocusReason.OtherFocusReason)

    def _question_gone(self) -> None:
        self.question = None
        self._below.setContentsMargins(0, 0, 0, 0)
        self.revoke_button.show()
        self.revoke_button.setFocus(Qt.FocusReason.OtherFocusReason)

    def _say(self) -> None:
        self.edited.say("" if self.grant.current else self.tr("was edited since"), "careful")
        tip = "" if self.grant.current else self.tr("The ability is another one now, so it asks again.")
        set_tip(self.edited, tip)
        self.facts.setText(grant_facts(self.grant, self._conversation))
        show_words(self.places, place_words(self.grant))


_LONGEST = 500


class RuleForm(EntryForm):
    """`saved(rule)`: what stands in the form; the version that it is bound to stays with it."""

    saved = Signal(object)

    def __init__(self, rule: Rule | None, keys: Sequence[str]) -> None:
        super().__init__(
            (lambda: self.tr("Add a rule")) if rule is None else (lambda: self.tr("Edit the rule")),
            lambda: self.tr("Save"),
            ground="question",
            margins=(Space.L, Space.M, Space.L, Space.M),
        )
        self._rule = rule or Rule(Effect.ASK, "")
        self._keys = keys
        choices = [FieldChoice(each.value, partial(effect_words, each)) for each in Effect]
        says = lambda: self.tr("What the rule says")  # noqa: E731 - words of a language
        effect = SegmentsField("effect", says, self._rule.effect.value, choices)
        self.effects = effect.segments
        self.form.add(effect).hide_title()
        which = lambda: self.tr("Which actions, as a key or with *")  # noqa: E731 - words of a language
        self.pattern = self.line("action", which, self._rule.action, hint="local::*", needed=True)
        why = lambda: self.tr("why, for yourself")  # noqa: E731 - words of a language
        self.note = self.line("note", lambda: self.tr("Note"), self._rule.note, hint=why)
        for edit in (self.pattern, self.note):
            edit.setMaxLength(_LONGEST)
        self.form.edited.connect(lambda _row: self._say())
        self.given.connect(lambda _values: self.saved.emit(self.rule()))
        self._say()

    @property
    def fits(self) -> str:
        """What the pattern is about now."""
        pattern = self.pattern.text().strip()
        # Always there: what is below must not move away from under the pointer with the first letter.
        how = self.tr("Type the key of an action, or a part of it with * for the rest.")
        return fitting_words(pattern, self._keys) if pattern else how

    def rule(self) -> Rule:
        """What stands in the form."""
        return Rule(
            self._effect, self.pattern.text().strip(), hash=self._rule.hash, note=self.note.text().strip()
        )

    def begin(self) -> None:
        self.pattern.setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def _effect(self) -> Effect:
        return Effect(str(self.form.rows["effect"].field.read()))

    def _say(self) -> None:
        self.form.rows["action"].hint(lambda: self.fits)
        self.form.rows["note"].hint(self._hint_words)

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
