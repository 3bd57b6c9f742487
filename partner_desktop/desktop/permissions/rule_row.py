"""What may run, as rows: rules of the file, edited below their row, and yeses that can be taken back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal

from partner_desktop.desktop.forms.choice_fields import FieldChoice, SegmentsField
from partner_desktop.desktop.forms.form import EntryForm
from partner_desktop.desktop.parts.banner import Banner
from partner_desktop.desktop.parts.boxes import vbox
from partner_desktop.desktop.permissions.words import (
    effect_kind,
    effect_words,
    fitting_words,
    grant_facts,
    place_words,
    short_hash,
)
from partner_desktop.desktop.rows.placed_view import RowSheet
from partner_desktop.desktop.rows.row_spec import RowLine, RowSpec, RowVerb
from partner_desktop.desktop.theme.theme import Space
from partner_desktop.desktop.wording import joined_words, tr
from partner_desktop.domain.permission import Effect, Grant, Rule

#: So many lines of what is said of a grant show.
_MOST_LINES = 4


def grant_row(grant: Grant, conversation: str) -> RowSpec[Grant]:
    """What it is for; `conversation`: the title of the one that it is bound to."""
    said = (grant_facts(grant, conversation), *place_words(grant).splitlines())
    return RowSpec(
        f"{grant.id} {grant.current} {grant.title}",
        grant.title or grant.action_key,
        grant,
        tag="" if grant.current else tr("was edited since"),
        tag_kind="careful",
        lines=(RowLine(grant.action_key), *(RowLine(words, most=_MOST_LINES) for words in said)),
        link=RowVerb("ask", tr("Revoke…"), key="Del"),
        menu=False,
        tip="" if grant.current else tr("The ability is another one now, so it asks again."),
    )


def grant_verbs(row: RowSpec[Grant]) -> Iterator[RowVerb]:
    """What can be done with a yes."""
    if row.link is not None:
        yield row.link


def rule_row(key: str, rule: Rule) -> RowSpec[Rule]:
    """What it says, of which actions, and why."""
    bound = tr("only version {hash}").format(hash=short_hash(rule.hash)) if rule.hash else ""
    facts = joined_words(rule.note, bound)
    return RowSpec(
        key,
        rule.action,
        rule,
        tag=effect_words(rule.effect),
        tag_kind=effect_kind(rule.effect),
        lines=(RowLine(facts, most=_MOST_LINES),) if facts else (),
    )


def rule_verbs(_row: RowSpec[Rule]) -> Iterator[RowVerb]:
    """What can be done with a rule."""
    yield RowVerb("edit", tr("Edit"))
    yield RowVerb("remove", tr("Remove"), key="Del", parted=True)


class RevokeSheet(RowSheet[Grant]):
    """The question before a yes is taken back: `asked("revoke" or "leave", row)`."""

    def __init__(self, row: RowSpec[Grant]) -> None:
        super().__init__()
        self.question = Banner(
            lambda: self.tr("Take this yes back?"),
            lambda: self.tr("It asks again from now on. What runs at this moment goes on."),
        )
        revoke = self.question.add_choice(
            lambda: self.tr("Revoke"), lambda: self.asked.emit("revoke", row), look="stop"
        )
        revoke.setAccessibleName(self.tr("Revoke: {title}").format(title=row.title))
        self._keep = self.question.add_choice(lambda: self.tr("Keep it"), None)
        self.question.closed.connect(lambda: self.asked.emit("leave", row))
        vbox(self.question, into=self)

    def begin(self) -> None:
        """What is chosen by Enter changes nothing."""
        self._keep.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_row(self, row: RowSpec[Grant]) -> None:
        """The question stays the same."""


class RuleSheet(RowSheet[Rule]):
    """A rule's form: `asked("save" or "leave", row)`, see `form`."""

    def __init__(self, row: RowSpec[Rule], keys: Sequence[str]) -> None:
        super().__init__()
        self.form = RuleForm(row.about, keys)
        self.form.saved.connect(lambda _rule: self.asked.emit("save", row))
        self.form.cancelled.connect(lambda: self.asked.emit("leave", row))
        self.begin = self.form.begin
        vbox(self.form, into=self)

    def show_row(self, row: RowSpec[Rule]) -> None:
        """What is typed stays."""


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
