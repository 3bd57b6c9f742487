"""The card's buttons, one set for each state. One primary button at most."""

from __future__ import annotations

from typing import get_args

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QMenu, QPushButton, QWidget

from partner_desktop.desktop.card.guard import ClickGuard, GuardedButton
from partner_desktop.desktop.card.words import (
    SandboxSeen,
    can_be_tried,
    has_steps,
    needs_consent,
    reaches_freely,
    waits_words,
)
from partner_desktop.desktop.parts.boxes import FlowLayout, hbox, vbox
from partner_desktop.desktop.parts.controls import push_button, show_words, text_label
from partner_desktop.desktop.wording import set_tip, tr
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.permission import Scope
from partner_desktop.domain.plan import StepStatus

#: What only one who has seen all of the card may press, and what only ends something.
_YES, _STOPS = (*get_args(Scope), "allow"), ("cancel", "reject")
_AGAIN = (
    ActionStatus.FAILED,
    ActionStatus.CANCELLED,
    ActionStatus.INTERRUPTED,
    ActionStatus.SUCCEEDED,
    ActionStatus.EXPIRED,
)


class CardFoot(QWidget):
    """`pressed(verb)`: `once`, `conversation`, `always`, `everywhere`, `try`, `reject`, `cancel`, `again`,
    `keep`, and of a plan `edit`, `verify`, `resume`, `save`, `undo`; `details_toggled()`."""

    pressed = Signal(str)
    details_toggled = Signal()

    def __init__(
        self,
        record: ActionRecord,
        guard: ClickGuard,
        *,
        details_open: bool,
        sandbox: SandboxSeen | None = None,
    ) -> None:
        super().__init__()
        self._record = record
        self._guard = guard
        self._sandbox = sandbox
        self._trying = False
        self._held = ""
        self._why = text_label("", "muted", wrap=True, hidden=True)
        self.buttons: dict[str, QPushButton] = {}
        self._row = FlowLayout()
        if record.status is ActionStatus.WAITING:
            self._fill_waiting()
        elif record.status is ActionStatus.ASKING:
            self._add("reject", tr("Drop it"), "plain")
        elif record.status is ActionStatus.RUNNING:
            self._add("cancel", tr("Cancel"), "stop")
        elif _can_run_again(record):
            self._add("again", tr("Run again"), "plain")
        self.details_button = push_button("", "fold", pressed=self.details_toggled)
        self.say_details(is_open=details_open)
        layout = hbox(gap=12)
        vbox(self._why, layout, into=self, gap=8, margins=(16, 12, 16, 12))
        layout.addLayout(self._row, 1)
        if has_steps(record) and record.status is ActionStatus.WAITING:
            layout.addWidget(text_label(waits_words(record), "muted"), 0, Qt.AlignmentFlag.AlignVCenter)
        layout.addWidget(self.details_button, 0, Qt.AlignmentFlag.AlignVCenter)

    def say_details(self, *, is_open: bool) -> None:
        """Point the fold's arrow the right way."""
        plan = has_steps(self._record)
        words = tr("All details") if plan else tr("Source and details")
        self.details_button.setText(words + (" ▴" if is_open else " ▾"))
        name = tr("Hide source and details") if is_open else tr("Show source and details")
        self.details_button.setAccessibleName(f"{name}: {self._record.title}")

    def offer_keep(self, *, offered: bool) -> None:
        """A temporary ability can be kept, before it ran as well as after."""
        keep = self.buttons.get("keep")
        if keep is None and offered:
            keep = self._add("keep", tr("Keep…"), "plain")
            set_tip(keep, tr("It leaves the list after a while. Keep it as an ability of your own."))
        if keep is not None:
            keep.setVisible(offered)
            self._row.invalidate()

    def show_plan(self, record: ActionRecord, *, undoable: bool) -> None:
        """What can be done with a plan that is over."""
        self._record = record
        words = {
            "resume": (tr("Resume"), tr("It goes on where it ended; what is done is not done again.")),
            "verify": (tr("Check"), tr("Looks whether what its steps claim is so. Nothing is changed.")),
            "save": (tr("Save as ability…"), tr("Its steps become an ability of your own.")),
            "undo": (tr("Undo all"), tr("Takes back what its steps changed, the latest first.")),
        }
        for verb, (text, tip) in words.items():
            offered = verb in _plan_verbs(record, undoable=undoable)
            button = self.buttons.get(verb)
            if button is None and offered:
                set_tip(self._add(verb, text, "plain"), tip)
            elif button is not None:
                if button.hasFocus() and not offered:
                    self.take_keys()
                button.setVisible(offered)
        self._row.invalidate()

    def set_busy(self, *, busy: bool) -> None:
        """While a decision is on its way, it cannot be made twice."""
        if busy and any(button.hasFocus() for button in self.buttons.values()):
            self.take_keys()
        for verb, button in self.buttons.items():
            button.setEnabled(not busy and self._may(verb))

    def set_trying(self, *, trying: bool) -> None:
        """While it is being tried, it cannot be tried again; everything else can still be decided."""
        self._trying = trying
        button = self.buttons.get("try")
        if button is not None:
            if button.hasFocus() and trying:
                self.take_keys()
            button.setText(tr("Trying…") if trying else tr("Try it"))
            button.setEnabled(self._may_try)
            self._row.invalidate()

    def hold(self, why: str) -> None:
        """There can be no yes yet: say why; empty when there can be one."""
        self._held = why
        show_words(self._why, why)
        yes = [button for verb, button in self.buttons.items() if verb in _YES]
        if why and any(button.hasFocus() for button in yes):
            self.take_keys()
        for button in yes:
            button.setEnabled(not why)
            set_tip(button, why)

    def _may(self, verb: str) -> bool:
        if verb == "try":
            return self._may_try
        return verb not in _YES or not self._held

    @property
    def _may_try(self) -> bool:
        return not self._trying and self._sandbox is not None and self._sandbox.available

    def take_keys(self, verb: str = "") -> None:
        """Take the keyboard: at a verb's button where it is offered, else where nothing is decided."""
        button = self.buttons.get(verb)
        wanted = button if button is not None and not button.isHidden() else self.details_button
        wanted.setFocus(Qt.FocusReason.OtherFocusReason)

    def _fill_plan(self) -> None:
        """One yes for all its steps, this time."""
        from partner_desktop.desktop.card.plan.step_words import open_steps  # noqa: PLC0415 - few have steps

        bare = bool(open_steps(self._record))
        words = tr("Approve without sandbox") if bare else tr("Approve plan")
        self._add("once", _later_words(self._record, bare=bare) or words, "primary")
        if self._record.grantable and self._record.terms is None:
            self._add_scopes()
        self._add("edit", tr("Edit"), "plain")
        self._add("reject", tr("Reject"), "plain")

    def _fill_waiting(self) -> None:
        if has_steps(self._record):
            self._fill_plan()
            return
        bare = needs_consent(self._record)
        approve = tr("Run without sandbox") if bare else tr("Approve once")
        self._add("once", _later_words(self._record, bare=bare) or approve, "primary")
        if self._record.grantable and self._record.terms is None:
            self._add_scopes()
        self._add("reject", tr("Reject"), "plain")
        if self._sandbox is not None and can_be_tried(self._record):
            self._add_try(self._sandbox)

    def _add_scopes(self) -> None:
        button = ScopeButton(self._guard, self._record)
        button.scope_chosen.connect(self._press)
        self._place("allow", button)

    def _add_try(self, sandbox: SandboxSeen) -> None:
        button = self._add("try", tr("Try it"), "plain")
        button.setEnabled(sandbox.available)
        set_tip(
            button,
            tr("Runs it in the sandbox, without network or your files. The card goes on waiting.")
            if sandbox.available
            else tr("There is no sandbox to try it in. {reason}").format(reason=sandbox.reason).strip(),
        )

    def _add(self, verb: str, text: str, look: str) -> QPushButton:
        name = f"{text}: {self._record.title}"
        button = GuardedButton(self._guard, text, look, name=name, stops=verb in _STOPS)
        button.clicked.connect(lambda: self._press(verb))
        self._place(verb, button)
        return button

    def _place(self, verb: str, button: QPushButton) -> None:
        self.buttons[verb] = button
        self._row.addWidget(button)

    def _press(self, verb: str) -> None:
        if self._guard.open and not (verb in _YES and self._guard.unseen):
            self.pressed.emit(verb)


def _later_words(record: ActionRecord, *, bare: bool) -> str:
    """The yes to what is to be done later; empty for what is to be done now. `bare`: nothing holds it."""
    if record.terms is None:
        return ""
    if record.terms.is_reminder:
        return tr("Remind me")
    return tr("Schedule without sandbox") if bare else tr("Schedule")


def _can_run_again(record: ActionRecord) -> bool:
    """Not where nobody said which one was meant, and not what is done once and for all."""
    lasts = record.once or record.terms is not None
    done_for_good = lasts and record.status is ActionStatus.SUCCEEDED
    refused = record.status is ActionStatus.REJECTED and bool(record.program)  # nobody has seen it yet
    return (record.status in _AGAIN or refused) and not record.options and not done_for_good


def _plan_verbs(record: ActionRecord, *, undoable: bool) -> set[str]:
    """What may be asked of a plan beside another run."""
    chain = record.chain
    if chain is None or not record.status.ended:
        return set()
    done = [step.status is StepStatus.SUCCEEDED for step in chain.steps]
    verbs = {"undo"} if undoable else set()
    if any(done):
        verbs.add("save")
        verbs |= {"resume"} if record.status is ActionStatus.FAILED and not all(done) else set()
        unchecked = record.status is ActionStatus.SUCCEEDED and record.verification is None
        verbs |= {"verify"} if unchecked else set()
    return verbs


_CHOOSES = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space, Qt.Key.Key_Select)


class ScopeMenu(QMenu):
    """`chosen(scope)`. It deletes itself when it closes. Enter chooses only what the arrows went to."""

    chosen = Signal(str)

    def __init__(self, title: str, record: ActionRecord, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAccessibleName(title)
        self.setToolTipsVisible(True)
        placed = any(use.param for use in record.paths)
        freely = reaches_freely(record)
        bound = _bound(placed=placed, freely=freely)
        self._add(
            "conversation",
            _for(tr("Allow in this conversation"), record.program),
            _tip(tr("Until you take it back, it runs in this conversation without a question."), *bound),
        )
        self._add(
            "always",
            _for(_always(placed=placed, freely=freely), record.program),
            _tip(tr("Until you take it back, it runs in every conversation without a question."), *bound),
        )
        if placed or freely:
            self._add(
                "everywhere",
                _for(
                    tr("Always allow with any arguments") if freely else tr("Always allow everywhere"),
                    record.program,
                ),
                _tip(tr("Until you take it back, it runs on all files and folders without a question.")),
            )

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _CHOOSES and (event.isAutoRepeat() or self.activeAction() is None):
            event.accept()
        else:
            super().keyPressEvent(event)

    def _add(self, scope: Scope, words: str, tip: str) -> None:
        action = self.addAction(words)
        action.setData(scope)
        set_tip(action, tip)
        action.triggered.connect(lambda: self.chosen.emit(scope))


def _for(words: str, program: str) -> str:
    """A program's call is allowed to that program alone, by the name that it gives itself."""
    if not program:
        return words
    return tr("{choice}, asked for by “{program}”").format(choice=words, program=program.replace("&", "&&"))


def _always(*, placed: bool, freely: bool) -> str:
    if freely:
        return tr("Always allow with these arguments")
    return tr("Always allow on these places") if placed else tr("Always allow")


def _bound(*, placed: bool, freely: bool) -> tuple[str, ...]:
    """What a yes is for, where it is not for all runs."""
    if freely:
        return (tr("That is for exactly these arguments; others ask again."),)
    words = tr("That is for the files and folders on this card and what lies in them; others ask again.")
    return (words,) if placed else ()


def _tip(words: str, *bound: str) -> str:
    return " ".join((words, *bound, tr("Once it is edited, it asks again.")))


class ScopeButton(GuardedButton):
    """`scope_chosen(scope)`, from the menu that it opens."""

    scope_chosen = Signal(str)

    def __init__(self, guard: ClickGuard, record: ActionRecord) -> None:
        super().__init__(
            guard,
            tr("Allow…"),
            "plain",
            name=tr("Allow more than once…: {title}").format(title=record.title),
        )
        self._record = record
        self.clicked.connect(self._open)

    def _open(self) -> None:
        if not self._guard.open:
            return
        menu = ScopeMenu(self.accessibleName(), self._record, self)
        menu.chosen.connect(self.scope_chosen)
        menu.popup(self.mapToGlobal(QPoint(0, self.height() + 2)))
