"""The page of permissions: the mode, the grants, and the rules of the file. Knows no Partner."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from partner_desktop.config.toml_text import ConfigProblem
from partner_desktop.desktop.chat.column import AsidePage
from partner_desktop.desktop.models.choice import RoundMark
from partner_desktop.desktop.parts.boxes import (
    aligned,
    at_middle,
    bring_into_view,
    drop_widget,
    grow,
    hbox,
    horizontal_rule,
    stretch,
    vbox,
)
from partner_desktop.desktop.parts.controls import FilterField, push_button, show_words, text_label
from partner_desktop.desktop.permissions.rule_row import GrantRow, RuleForm, RuleRow
from partner_desktop.desktop.permissions.section import RowsSection
from partner_desktop.desktop.permissions.words import MODES, rule_words
from partner_desktop.desktop.settings.problems import ProblemsView
from partner_desktop.desktop.slices import Slices
from partner_desktop.desktop.theme.theme import Space
from partner_desktop.desktop.wording import announce, bind_text
from partner_desktop.domain.permission import Grant, Mode, Permissions, Rule

if TYPE_CHECKING:
    from partner_desktop.api.permission_service import PermissionService

#: Fewer rows are found at a glance.
_SEARCH_FROM = 8


class PermissionsPage(AsidePage):
    """`closed()`, `audit_wanted()`; `asked(what, act)`, where `act` asks a PermissionService for it;
    `rule_saved(rule, place)` with `None` for a new one, `rule_removed(place)`; `file_wanted(line)`."""

    audit_wanted = Signal()
    asked = Signal(str, object)
    rule_saved = Signal(object, object)
    rule_removed = Signal(int)
    file_wanted = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._permissions: Permissions | None = None
        self._conversations: Mapping[str, str] = {}
        self._keys: Sequence[str] = ()
        self._saving: RuleForm | None = None
        self._slices = Slices(self)
        self.form: RuleForm | None = None
        self.search = FilterField(lambda: self.tr("Search grants and rules"))
        self.search.looked_for.connect(lambda _text: self._arrange())
        self.modes = ModeChoice()
        self.modes.chosen.connect(lambda mode: self._ask("mode", lambda service: service.set_mode(mode)))
        self._fault = text_label("", "fault", wrap=True, selectable=True, hidden=True)
        self.waiting = text_label(
            lambda: self.tr("Partner has not started yet; what may run shows here when it has."),
            "muted",
            wrap=True,
        )
        self.problems = ProblemsView(lambda: self.tr("Permissions"))
        self.problems.file_wanted.connect(self.file_wanted)
        self.grants = self._make_grants()
        self.rules = self._make_rules()
        self._build(self._make_head(), self._make_column())

    # How it is built.

    def _make_head(self) -> QHBoxLayout:
        self.close_button = push_button(
            lambda: self.tr("Close"), name=lambda: self.tr("Close the permissions"), pressed=self.closed
        )
        self.audit_button = push_button(lambda: self.tr("Audit log…"), "quiet", pressed=self.audit_wanted)
        return hbox(
            grow(text_label(lambda: self.tr("Permissions"), "welcome")),
            at_middle(self.audit_button),
            at_middle(self.close_button),
            gap=Space.S,
        )

    def _make_column(self) -> QVBoxLayout:
        return vbox(
            self.waiting,
            self._fault,
            text_label(lambda: self.tr("What runs without a question").upper(), "head"),
            self.modes,
            Space.S,
            self.search,
            self.grants,
            Space.S,
            self.rules,
            stretch(1),
            gap=Space.S,
        )

    def _make_grants(self) -> RowsSection[Grant]:
        section: RowsSection[Grant] = RowsSection(
            lambda: self.tr("What you granted"),
            lambda: self.tr("Nothing yet. When a card asks, “always” puts a grant here."),
            self._make_grant,
        )
        section.more_wanted.connect(self._arrange)
        return section

    def _make_rules(self) -> RowsSection[Rule]:
        self.add_button = push_button(
            lambda: self.tr("Add a rule…"), "small", name=lambda: self.tr("Add a rule…")
        )
        self.add_button.clicked.connect(self._open_form)
        self.file_button = push_button(
            lambda: self.tr("Open the file"), "quiet", name=lambda: self.tr("Open the file of rules")
        )
        self.file_button.clicked.connect(lambda: self.file_wanted.emit(None))
        buttons: tuple[QPushButton, ...] = (self.file_button, self.add_button)
        section: RowsSection[Rule] = RowsSection(
            lambda: self.tr("Rules"),
            lambda: self.tr(
                "None yet. A rule says for a whole group of actions what may never run, or what always asks."
            ),
            self._make_rule,
            buttons=buttons,
        )
        section.above.addWidget(self.problems)
        section.more_wanted.connect(self._arrange)
        return section

    def _make_grant(self, grant: Grant) -> GrantRow:
        row = GrantRow(grant, self._conversations.get(grant.conversation_id, ""))
        row.revoke_wanted.connect(lambda: self._ask("revoke", lambda service: service.revoke(grant.id)))
        return row

    def _ask(self, what: str, act: Callable[[PermissionService], Awaitable[None]]) -> None:
        self.asked.emit(what, act)

    def _make_rule(self, rule: Rule) -> RuleRow:
        row = RuleRow(rule, lambda: self._keys)
        row.save_wanted.connect(lambda saved: self._save(row, saved))
        row.remove_wanted.connect(lambda: self._remove(row))
        return row

    # What it shows.

    @property
    def building(self) -> bool:
        """Whether rows are still to come."""
        return self._slices.busy

    def show_permissions(
        self, permissions: Permissions, *, conversations: Mapping[str, str], keys: Sequence[str]
    ) -> None:
        """Everything in force now; titles of conversations by id, and the keys that there are."""
        self._permissions, self._conversations, self._keys = permissions, conversations, keys
        self.waiting.hide()
        self.modes.show_mode(permissions.mode)
        self._arrange()

    def show_problems(self, problems: Sequence[ConfigProblem]) -> None:
        """What is wrong with the file."""
        self.problems.show_problems(problems)

    def show_fault(self, sentence: str) -> None:
        """What was asked for did not work; said in the form that asked, where there is one."""
        form, self._saving = self._saving, None
        if form is not None:
            form.show_problem(sentence)
        else:
            show_words(self._fault, sentence)
            QTimer.singleShot(0, self._fault, lambda: bring_into_view(self._fault))
        announce(self, sentence, urgent=True)

    def settled(self) -> None:
        """What was asked for is done: forms close, faults are past."""
        self._fault.hide()
        form, self._saving = self._saving, None
        if form is not None and form is self.form:
            self._close_form()
        for row in self.rules.rows.values():
            if isinstance(row, RuleRow) and row.form is form and form is not None:
                row.close_form()

    def _arrange(self) -> None:
        """Show what is looked for, a slice of rows at a time."""
        if self._permissions is None:
            return
        words = self.search.text().casefold().split()
        grants = {f"{one.id} {one.current} {one.title}": one for one in self._permissions.grants}
        rules = _by_key(self._permissions.rules)
        self.search.setVisible(bool(words) or len(grants) + len(rules) >= _SEARCH_FROM)
        self.grants.show_items(
            grants,
            [key for key, one in grants.items() if _has(f"{one.title} {one.action_key}", words)],
            looking=bool(words),
        )
        self.rules.show_items(
            rules,
            [key for key, one in rules.items() if _has(f"{rule_words(one)} {one.note}", words)],
            looking=bool(words),
        )
        self._slices.start(self, self._settle())

    def _settle(self) -> Iterator[None]:
        yield from self.grants.settle()
        yield from self.rules.settle()

    # What is pressed.

    def _open_form(self) -> None:
        if self.form is None:
            self.form = form = RuleForm(None, self._keys)
            form.saved.connect(lambda rule: self._save(None, rule))
            form.cancelled.connect(self._close_form)
            self.rules.above.addWidget(form)
        form = self.form
        form.begin()
        QTimer.singleShot(0, form, lambda: bring_into_view(form))

    def _close_form(self) -> None:
        form, self.form = self.form, None
        if form is not None:
            drop_widget(form)
            self.add_button.setFocus(Qt.FocusReason.OtherFocusReason)

    def _save(self, row: RuleRow | None, rule: Rule) -> None:
        place = self._place(row) if row is not None else None
        self._saving = row.form if row is not None else self.form
        if row is not None and place is None:
            self.show_fault(self.tr("The file has changed meanwhile, and this rule is no longer in it."))
        else:
            self.rule_saved.emit(rule, place)

    def _remove(self, row: RuleRow) -> None:
        place = self._place(row)
        if place is not None:
            self.rule_removed.emit(place)

    def _place(self, row: RuleRow) -> int | None:
        """Where its rule stands in the file now."""
        if self._permissions is None:
            return None
        keys = list(_by_key(self._permissions.rules))
        key = next((key for key, one in self.rules.rows.items() if one is row), "")
        return keys.index(key) if key in keys else None


def _by_key(rules: Sequence[Rule]) -> dict[str, Rule]:
    """Rules by what they are, so that a row stays with its rule wherever that moves to."""
    seen: Counter[Rule] = Counter()
    found = {}
    for rule in rules:
        seen[rule] += 1
        found[f"{rule!r} {seen[rule]}"] = rule
    return found


def _has(text: str, words: Sequence[str]) -> bool:
    folded = text.casefold()
    return all(word in folded for word in words)


class ModeChoice(QFrame):
    """`chosen(mode)`: it only asks; `show_mode` marks what holds."""

    chosen = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("card")
        self.rows = {mode: _ModeRow(mode) for mode in MODES}
        column = vbox(into=self, margins=(0, Space.XS, 0, Space.XS))
        for mode, row in self.rows.items():
            if column.count():
                column.addWidget(horizontal_rule())
            column.addWidget(row)
            row.mark.asked.connect(lambda wanted=mode: self.chosen.emit(wanted))

    def show_mode(self, mode: Mode | None) -> None:
        """Mark the one that holds; `None`: nobody knows yet."""
        for each, row in self.rows.items():
            row.mark.show_choice(holds=each is mode)
            row.setEnabled(mode is not None)


class _ModeRow(QWidget):
    """All of it is pressed like its mark."""

    def __init__(self, mode: Mode) -> None:
        super().__init__()
        title, sentence = MODES[mode]
        self.mark = RoundMark()
        bind_text(self.mark, self.mark.setAccessibleName, lambda: f"{title()}. {sentence()}")
        hbox(
            aligned(self.mark, Qt.AlignmentFlag.AlignTop),
            grow(vbox(text_label(title, "strong"), text_label(sentence, "muted", wrap=True), gap=2)),
            into=self,
            gap=Space.M,
            margins=(Space.L, Space.S, Space.L, Space.S),
        )

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self.mark.click()
