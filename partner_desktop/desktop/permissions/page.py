"""The page of permissions: the mode, the grants, and the rules of the file. Knows no Partner."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Generic

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget
from shiboken6 import isValid

from partner_desktop.config.toml_text import ConfigProblem
from partner_desktop.desktop.chat.column import AsidePage
from partner_desktop.desktop.models.choice import RoundMark
from partner_desktop.desktop.parts.boxes import (
    aligned,
    bring_into_view,
    drop_widget,
    grow,
    hbox,
    horizontal_rule,
    stretch,
    vbox,
)
from partner_desktop.desktop.parts.controls import FilterField, push_button, text_label
from partner_desktop.desktop.permissions.rule_row import (
    RevokeSheet,
    RuleForm,
    RuleSheet,
    grant_row,
    grant_verbs,
    rule_row,
    rule_verbs,
)
from partner_desktop.desktop.permissions.words import MODES, rule_words
from partner_desktop.desktop.rows.placed_view import RowSheet
from partner_desktop.desktop.rows.row_list import RowList
from partner_desktop.desktop.rows.row_painter import RowLook
from partner_desktop.desktop.rows.row_spec import RowSpec, RowVerb, T
from partner_desktop.desktop.settings.problems import ProblemsView
from partner_desktop.desktop.theme.theme import Space, Theme
from partner_desktop.desktop.wording import LazyText, announce, bind_text, in_every_language, resolve_text, tr
from partner_desktop.domain.permission import Grant, Mode, Permissions, Rule

if TYPE_CHECKING:
    from partner_desktop.api.permission_service import PermissionService

#: Fewer rows are found at a glance.
_SEARCH_FROM = 8
#: In place of the key of a rule that is not there yet.
_NEW = "new"


class PermissionsPage(AsidePage):
    """`closed()`, `audit_wanted()`; `asked(what, act)`, where `act` asks a PermissionService for it;
    `rule_saved(rule, place)` with `None` for a new one, `rule_removed(place)`; `file_wanted(line)`."""

    audit_wanted = Signal()
    asked = Signal(str, object)
    rule_saved = Signal(object, object)
    rule_removed = Signal(int)
    file_wanted = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._permissions: Permissions | None = None
        self._conversations: Mapping[str, str] = {}
        self._keys: Sequence[str] = ()
        self._saving = ""
        """The key of the rule that is being saved."""
        self.form: RuleForm | None = None
        self._opened: QWidget | None = None
        self.search = FilterField(lambda: self.tr("Search grants and rules"))
        self.search.looked_for.connect(lambda _text: self._arrange())
        self.modes = ModeChoice()
        self.modes.chosen.connect(lambda mode: self._ask("mode", lambda service: service.set_mode(mode)))
        self.waiting = text_label(
            lambda: self.tr("Partner has not started yet; what may run shows here when it has."),
            "muted",
            wrap=True,
        )
        self.problems = ProblemsView(lambda: self.tr("Permissions"))
        self.problems.file_wanted.connect(self.file_wanted)
        self.grants = self._make_grants()
        self.rules = self._make_rules()
        self.audit_button = push_button(lambda: self.tr("Audit log…"), "quiet", pressed=self.audit_wanted)
        title = (lambda: self.tr("Permissions"), lambda: self.tr("Close the permissions"))
        self._build(self._make_head(*title, self.audit_button), self._make_column())
        self.area.verticalScrollBar().rangeChanged.connect(self._bring_opened)
        in_every_language(self, self._arrange)

    # How it is built.

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
            self._theme,
            lambda: self.tr("What you granted"),
            lambda: self.tr("Nothing yet. When a card asks, “always” puts a grant here."),
            verbs=grant_verbs,
            sheet=RevokeSheet,
        )
        section.chosen.connect(lambda row: self._open(section, row))
        section.asked.connect(self._asked_of_grant)
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
        section: RowsSection[Rule] = RowsSection(
            self._theme,
            lambda: self.tr("Rules"),
            lambda: self.tr(
                "None yet. A rule says for a whole group of actions what may never run, or what always asks."
            ),
            verbs=rule_verbs,
            sheet=lambda row: RuleSheet(row, self._keys),
            buttons=(self.file_button, self.add_button),
        )
        section.above.addWidget(self.problems)
        section.chosen.connect(lambda row: self._open(section, row))
        section.asked.connect(self._asked_of_rule)
        section.more_wanted.connect(self._arrange)
        return section

    def _ask(self, what: str, act: Callable[[PermissionService], Awaitable[None]]) -> None:
        self.asked.emit(what, act)

    # What it shows.

    def show_permissions(
        self, permissions: Permissions, *, conversations: Mapping[str, str], keys: Sequence[str]
    ) -> None:
        """Everything in force now; titles of conversations by id, and the keys that there are."""
        self._permissions, self._conversations, self._keys = permissions, conversations, keys
        self.waiting.hide()
        self.modes.show_mode(permissions.mode)
        self._arrange()

    def show_problems(self, problems: Sequence[ConfigProblem]) -> None:
        self.problems.show_problems(problems)

    def show_fault(self, sentence: str) -> None:
        """What was asked for did not work; said in the form that asked, where there is one."""
        form, self._saving = self._form_of(self._saving), ""
        if form is not None:
            form.show_problem(sentence)
        else:
            self._show_fault(sentence)
        announce(self, sentence, urgent=True)

    def settled(self) -> None:
        """What was asked for is done: forms close, faults are past."""
        self._fault.hide()
        saved, self._saving = self._saving, ""
        if saved == _NEW:
            self._close_form()
        elif saved:
            self.rules.list.set_open(saved, is_open=False)

    def _form_of(self, key: str) -> RuleForm | None:
        """Of a new rule, or below the row of one."""
        row = self.rules.list.row_at(self.rules.list.rows.index_of(key))
        sheet = self.rules.list.sheet_of(row) if row is not None else None
        return self.form if key == _NEW else sheet.form if isinstance(sheet, RuleSheet) else None

    def _arrange(self) -> None:
        """Show what is looked for."""
        if self._permissions is None:
            return
        words = self.search.text().casefold().split()
        grants, rules = self._permissions.grants, _by_key(self._permissions.rules)
        self.search.setVisible(bool(words) or len(grants) + len(rules) >= _SEARCH_FROM)
        of_grants = [
            grant_row(one, self._conversations.get(one.conversation_id, ""))
            for one in grants
            if _has(f"{one.title} {one.action_key}", words)
        ]
        of_rules = [
            rule_row(key, one) for key, one in rules.items() if _has(f"{rule_words(one)} {one.note}", words)
        ]
        self.grants.show_rows(of_grants, count=len(grants), looking=bool(words))
        self.rules.show_rows(of_rules, count=len(rules), looking=bool(words))

    # What is pressed.

    def _open_form(self) -> None:
        if self.form is None:
            self.form = form = RuleForm(None, self._keys)
            form.saved.connect(lambda rule: self._save(rule, _NEW, None))
            form.cancelled.connect(self._close_form)
            self.rules.above.addWidget(form)
        self.form.begin()
        QTimer.singleShot(0, self.form, partial(bring_into_view, self.form))

    def _close_form(self) -> None:
        form, self.form = self.form, None
        if form is not None:
            drop_widget(form)
            self.add_button.setFocus(Qt.FocusReason.OtherFocusReason)

    def _open(self, section: RowsSection[Any], row: RowSpec[Any]) -> None:
        """What stands below a row, or away with it."""
        is_open = not section.list.is_open(row.key)
        section.list.set_open(row.key, is_open=is_open)
        sheet = section.list.sheet_of(row)
        if not is_open:
            section.list.setFocus(Qt.FocusReason.OtherFocusReason)
        if isinstance(sheet, (RevokeSheet, RuleSheet)):
            self._opened = sheet
            sheet.begin()

    def _bring_opened(self) -> None:
        """What was opened last has its room now."""
        opened, self._opened = self._opened, None
        if opened is not None and isValid(opened):
            bring_into_view(opened)

    def _asked_of_grant(self, verb: str, row: RowSpec[Grant]) -> None:
        if verb == "revoke":
            self._ask("revoke", lambda service: service.revoke(row.about.id))
        else:
            self._open(self.grants, row)

    def _asked_of_rule(self, verb: str, row: RowSpec[Rule]) -> None:
        place, form = self._place(row), self._form_of(row.key)
        if verb == "save" and form is not None:
            self._save(form.rule(), row.key, place)
        elif verb == "remove" and place is not None:
            self.rule_removed.emit(place)
        elif verb in ("edit", "leave"):
            self._open(self.rules, row)

    def _save(self, rule: Rule, key: str, place: int | None) -> None:
        self._saving = key
        if key != _NEW and place is None:
            self.show_fault(self.tr("The file has changed meanwhile, and this rule is no longer in it."))
        else:
            self.rule_saved.emit(rule, place)

    def _place(self, row: RowSpec[Rule]) -> int | None:
        """Where its rule stands in the file now."""
        keys = list(_by_key(self._permissions.rules)) if self._permissions is not None else []
        return keys.index(row.key) if row.key in keys else None


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


#: So many rows stand there unasked, and so many come with each press.
FIRST = 20
STEP = 50
_MORE = "more"


class RowsSection(QWidget, Generic[T]):
    """`chosen(row)` by Enter or a click, `asked(verb, row)`; `more_wanted()`: more rows are asked for.
    `empty` says what would stand here."""

    chosen = Signal(object)
    asked = Signal(str, object)
    more_wanted = Signal()

    def __init__(
        self,
        theme: Theme,
        title: LazyText,
        empty: LazyText,
        *,
        verbs: Callable[[RowSpec[T]], Iterable[RowVerb]],
        sheet: Callable[[RowSpec[T]], RowSheet[T]],
        buttons: Sequence[QWidget] = (),
    ) -> None:
        super().__init__()
        self._title = title
        self._count = 0
        self._most = FIRST
        self.head = text_label("", "head")
        self.empty = text_label(empty, "muted", wrap=True)
        self.list: RowList[T] = RowList(
            theme, title, look=RowLook(dots="always"), verbs=verbs, sheet=sheet, grows=True
        )
        self.list.chosen.connect(self._choose)
        self.list.asked.connect(self.asked)
        bottom = Qt.AlignmentFlag.AlignBottom
        line = hbox(aligned(self.head, bottom, 1), *(aligned(each, bottom) for each in buttons), gap=Space.S)
        self.above = vbox(gap=Space.S)
        vbox(line, self.above, self.empty, self.list, into=self, gap=Space.S)
        in_every_language(self, self._say, now=True)

    def show_rows(self, rows: Sequence[RowSpec[T]], *, count: int, looking: bool) -> None:
        """Those that are looked for; `count`: how many there are, `looking`: a search has narrowed them."""
        self._count = count
        self._say()
        self.empty.setVisible(not count)
        self.setVisible(bool(rows) or not looking)
        before, at = self.list.marked, self.list.currentIndex().row()
        shown, rest = [*rows[: self._most]], len(rows) - self._most
        if rest > 0:
            words = tr("Show more ({count} left)").format(count=f"{rest:,}")
            shown.append(RowSpec(_MORE, words, rows[0].about, kind=_MORE, quiet=True, menu=False))
        self.list.show_rows(shown)
        self.list.setVisible(bool(shown))
        if shown and before not in ("", *(row.key for row in shown)):  # what has come to stand in its place
            self.list.mark(shown[min(at, len(shown) - 1)].key)

    def _choose(self, row: RowSpec[T]) -> None:
        if row.kind == _MORE:
            self._most += STEP
            self.more_wanted.emit()
        else:
            self.chosen.emit(row)

    def _say(self) -> None:
        count = f" · {self._count:,}" if self._count else ""
        self.head.setText(resolve_text(self._title).upper() + count)
