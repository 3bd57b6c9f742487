"""The card of one action. It stands in the flow and keeps its place; its state changes in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

from PySide6.QtCore import QPoint, QRect, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QMoveEvent, QPaintEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from partner_desktop.base.clock import Clock, SystemClock
from partner_desktop.desktop.card.body import CardBody, asks_differently
from partner_desktop.desktop.card.extras import CardExtras, DetailsView, QuestionPile
from partner_desktop.desktop.card.foot import CardFoot
from partner_desktop.desktop.card.guard import ClickGuard
from partner_desktop.desktop.card.head import CardHead
from partner_desktop.desktop.card.words import SandboxSeen, has_steps, proposed_code
from partner_desktop.desktop.forms.draft_form import DraftForm
from partner_desktop.desktop.forms.fields import FieldProblemError
from partner_desktop.desktop.parts.boxes import (
    before_unfolding,
    drop_widget,
    holds_keyboard,
    horizontal_rule,
    vbox,
    widget_at,
)
from partner_desktop.desktop.parts.code_view import CodeView, Sight
from partner_desktop.desktop.parts.result_parts import ResultPartsView
from partner_desktop.desktop.theme.theme import Theme, set_look
from partner_desktop.desktop.wording import LazyText, in_every_language, resolve_text, tr
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.command_session import Stream
from partner_desktop.domain.elicitation import Elicitation
from partner_desktop.domain.events import ProgressEvent
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.permission import Scope

if TYPE_CHECKING:
    from partner_desktop.desktop.card.aftermath import Aftermath
    from partner_desktop.desktop.card.plan.body import PlanBody
    from partner_desktop.desktop.card.proposed_script import TrialResultView
    from partner_desktop.desktop.card.terms_view import TermsView

_TICK_MS = 1000
_FLASH_MS = 1500


class ActionCard(QFrame):
    """`approve_pressed(id, scope, params or None)`, `try_pressed(id, params or None)`;
    `action_asked(verb, id)`: `reject`, `cancel`, `again`, `source`, `keep`, `edit`, `undo`, `keep_files`;
    `record_shown()` after each change; `parts_shown(view)` with what a result brought beside its text;
    `plan_shown(body)` when it shows the steps of a chain, once; `terms_shown(view)` when it shows when it is
    to be done;
    `changing()` before it grows or shrinks by itself; `unfolded()` when source and details are there."""

    approve_pressed = Signal(str, str, object)
    try_pressed = Signal(str, object)
    action_asked = Signal(str, str)
    record_shown = Signal()
    parts_shown = Signal(object)
    plan_shown = Signal(object)
    terms_shown = Signal(object)
    unfolded = Signal()
    changing = Signal()

    def __init__(self, theme: Theme, *, clock: Clock | None = None) -> None:
        super().__init__()
        self.setObjectName("card")
        self._theme = theme
        self._clock: Clock = clock or SystemClock()
        self._guard = ClickGuard(self._clock, self._button_place)
        self._sight = Sight()
        self._views: list[CodeView] = []
        self._looked = QTimer(self, interval=0, singleShot=True)  # one look for all that were read at once
        self._looked.timeout.connect(self._look)
        self._note: LazyText = ""
        self._allowed: LazyText = ""
        self._sandbox: SandboxSeen | None = None
        self._place: LazyText = ""
        self.record: ActionRecord | None = None
        self.head = CardHead()
        self.body: CardBody | None = None
        self.terms: TermsView | None = None
        """`None`: it is for now."""
        self.plan: PlanBody | None = None
        """In place of the body, where it has steps."""
        self.foot: CardFoot | None = None
        self.extras = CardExtras(self._guard, theme)
        self._progress: ProgressEvent | None = None
        self._foot_rule = horizontal_rule()
        self._source: str | None = None
        """Asked for once: the next fold shows what came."""
        self._details: DetailsView | None = None
        """`None`: source and details are folded away."""
        self._form: DraftForm | None = None
        self._keepable = False
        self._tick = QTimer(self, interval=_TICK_MS)
        self._tick.timeout.connect(self._show_elapsed)
        self._layout = vbox(self.head, into=self)
        in_every_language(self, self._say_again)

    @property
    def seen(self) -> bool:
        """Whether the card was painted as it is now."""
        return self._guard.was_seen

    def show_record(self, record: ActionRecord) -> None:
        """Show the record as it is now; a form that is being filled in stays, unless it is out of date."""
        before = self.record
        if before == record:
            return
        self.record = record
        anew = before is None or asks_differently(before, record)
        if anew:
            self.changing.emit()
        if record.status is not ActionStatus.RUNNING:
            self._progress = None
        read_here = holds_keyboard(self.extras)
        self.extras.fit(record)
        self.setAccessibleName(record.title)
        self.head.show_record(record)
        if anew and before is not None and self._only_went_on(before, record):
            self._show_plan(record)
        elif anew:
            if self.plan is not None:
                self.plan.end_edit()
            self._rebuild(record)
        if read_here and self.foot is not None and not holds_keyboard(self):
            self.foot.take_keys()  # what was read or answered is gone
        self.record_shown.emit()

    def say_place(self, words: LazyText) -> None:
        """Which plan it is a step of."""
        self._place = words
        self.head.say_place(resolve_text(words))

    @property
    def parts(self) -> ResultPartsView | None:
        """What the result brought beside its text."""
        return self.body.parts if self.body is not None else None

    @property
    def questions(self) -> QuestionPile:
        return self.extras.questions

    @property
    def aftermath(self) -> Aftermath | None:
        """What the run left, where it left anything."""
        return self.body.aftermath if self.body is not None else None

    def show_output(self, stream: Stream, text: str) -> None:
        """What the run printed since."""
        if self.record is not None and self.record.status is ActionStatus.RUNNING:
            if self.extras.live is None:
                self.changing.emit()
            self.extras.show_output(stream, text)

    def begin_try(self) -> TrialResultView:
        """It is being tried; what comes of it is told here, and nothing is settled by it."""
        if self.foot is not None:
            self.foot.set_trying(trying=True)
        return self.extras.begin_try()

    def end_try(self) -> None:
        """It was tried, and can be tried again."""
        if self.foot is not None:
            self.foot.set_trying(trying=False)

    def know_sandbox(self, sandbox: SandboxSeen) -> None:
        """Whether there is a sandbox here; a card that waits says why not."""
        if self._sandbox != sandbox:
            self._sandbox = sandbox
            if self.record is not None and self.record.status is ActionStatus.WAITING:
                self._say_again()

    def show_progress(self, progress: ProgressEvent) -> None:
        self._progress = progress
        if self.body is not None and self.body.progress is not None:
            self.body.progress.show_progress(progress)

    def ask(self, question: Elicitation) -> None:
        """Its server asks the person something; what is pressed meanwhile is not meant for it."""
        if self.record is None or not self.record.status.ended:
            self.questions.ask(question)
            self.update()

    def show_note(self, note: LazyText, allowed: LazyText = "") -> None:
        """Say who allowed it, when it was not the person just now; `allowed`: how far, for the details."""
        self._note, self._allowed = note, allowed
        if self.record is not None and self.record.status is not ActionStatus.WAITING:
            self._rebuild(self.record)

    def show_problem(self, sentence: str) -> None:
        """A decision could not be carried out: say why and ask again."""
        middle = self.plan or self.body
        if middle is not None and self.foot is not None:
            middle.show_problem(sentence)
            middle.show()
            self.foot.set_busy(busy=False)

    def offer_keep(self, *, offered: bool) -> None:
        """Whether the ability is a temporary one, which can be kept."""
        self._keepable = offered
        if self.foot is not None:
            self.foot.offer_keep(offered=offered)

    def show_form(self, form: DraftForm) -> None:
        """Name and describe the ability here; the decisions wait until that is done."""
        self.hide_form()
        self._form = form
        self._layout.addWidget(form)
        if self.foot is not None:
            self.foot.hide()
        form.begin()

    def hide_form(self) -> None:
        """The decisions are back, and do not listen at once."""
        typed_here = holds_keyboard(self._form)
        if self._form is not None:
            self._drop(self._form)
            self._form = None
            self._guard.arm()
            self.update()
        if self.foot is not None:
            self.foot.set_busy(busy=False)
            self.foot.show()
            if typed_here:
                self.foot.take_keys("keep")

    def settle(self) -> None:
        """A decision arrived; what asks again may be pressed again."""
        if self.foot is not None:
            self.foot.set_busy(busy=False)
        if self.plan is not None:
            self.plan.settle()

    def show_source(self, text: str) -> None:
        self._source = text
        if self._details is not None:
            before_unfolding(self)
            self._details.show_source(text)

    def flash(self) -> None:
        """Show for a moment which card is meant."""
        set_look(self, "true", name="lit")
        QTimer.singleShot(_FLASH_MS, self, lambda: set_look(self, "false", name="lit"))

    def toggle_details(self) -> None:
        """Fold source and details out or in; of a plan, those of every step."""
        if self.plan is not None:
            self.plan.toggle_all()
            return
        before_unfolding(self)
        self._fold_details()
        if self._details is not None:
            self.unfolded.emit()

    @property
    def unfolded_part(self) -> QRect:
        """Where source and details stand in the card, with the buttons above them; empty without them."""
        if self._details is None or self.foot is None:
            return QRect()
        return self.foot.geometry().united(self._details.geometry())

    def _fold_details(self) -> None:
        gone, self._details = self._details, None
        if gone is not None:
            if self.foot is not None and holds_keyboard(gone):
                self.foot.take_keys()
            self._drop(gone)
        elif self.record is not None:
            self._details = self._make_details(self.record)
            self._layout.addWidget(self._details)
        if self.foot is not None:
            self.foot.say_details(is_open=self._details is not None)

    def _make_details(self, record: ActionRecord) -> DetailsView:
        view = DetailsView(record, allowed=resolve_text(self._allowed))
        view.edit_pressed.connect(lambda: self.action_asked.emit("edit", record.id))
        code = proposed_code(record)
        if code is not None:
            waits = record.status is ActionStatus.WAITING
            view.show_source("" if waits else code)  # while it waits, it stands there already
        elif self._source is None:
            self.action_asked.emit("source", record.id)
        else:
            view.show_source(self._source)
        return view

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        self._guard.seen()
        self._look()

    def moveEvent(self, event: QMoveEvent) -> None:
        super().moveEvent(event)
        self._look()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._look()

    def showEvent(self, event: QShowEvent) -> None:
        """Whatever scrolls it moves its buttons, and brings more of it into view."""
        super().showEvent(event)
        around: QWidget | None = self.parentWidget()
        while around is not None and not isinstance(around, QScrollArea):
            around = around.parentWidget()
        if isinstance(around, QScrollArea):
            bar = around.verticalScrollBar()
            bar.valueChanged.connect(self._look, Qt.ConnectionType.UniqueConnection)

    @Slot()
    def _look(self) -> None:
        """Note where the buttons are and what of the card is in view; there is no yes before that is all."""
        self._guard.look()
        if self.record is None or self.record.status is not ActionStatus.WAITING or self.foot is None:
            return
        view = self.visibleRegion().boundingRect()
        if not view.isEmpty():
            # What stands below the buttons is asked for by the person, and may be left unread.
            self._sight.note(QSize(self.width(), self.foot.y()), view.top(), view.bottom() + 1)
        unseen = self._unseen_words()
        if unseen != self._guard.unseen:
            self._guard.unseen = unseen
            QTimer.singleShot(0, self, self._tell_unseen)  # not while it is being painted

    def _unseen_words(self) -> str:
        if not self._guard.was_seen:
            return ""
        for view in self._views:
            if view.lines_unseen:
                words = tr("Look at all of “{title}” first: there are {count} more lines.")
                return words.format(title=view.accessibleName(), count=view.lines_unseen)
        if not self._sight.whole:
            return tr("Scroll through the whole card first: not all of it was in view.")
        return ""

    def _tell_unseen(self) -> None:
        if self.foot is not None:
            self.foot.hold(self._guard.unseen)

    def _button_place(self) -> QPoint:
        if self.foot is None:
            return QPoint()
        return self.foot.mapTo(self.window(), QPoint(0, 0))

    def _rebuild(self, record: ActionRecord) -> None:
        self._guard.arm()
        details_open = self._details is not None
        decided_here = holds_keyboard(self.foot) or holds_keyboard(self._details)
        if self._form is not None:
            self._layout.removeWidget(self._form)  # what was typed in it stays
        self._layout.removeWidget(self.extras)
        if self.plan is not None:
            self._layout.removeWidget(self.plan)
        while (old := widget_at(self._layout, 1)) is not None:
            self._drop(old)
        self._details = None
        middle = self._show_plan(record) if has_steps(record) else self._make_body(record)
        unfolded = details_open or (self.plan is not None and self.plan.all_open)
        self.foot = CardFoot(record, self._guard, details_open=unfolded, sandbox=self._sandbox)
        tried = self.extras.tried
        self.foot.set_trying(trying=tried is not None and tried.busy)
        self.foot.pressed.connect(self._press)
        self.foot.details_toggled.connect(self.toggle_details)
        self.foot.offer_keep(offered=self._keepable)
        self._fit_foot()
        self._foot_rule = horizontal_rule()
        rule = horizontal_rule()
        for widget in (*self._terms_parts(record), rule, middle, self.extras, self._foot_rule, self.foot):
            self._layout.addWidget(widget)
        if self.terms is not None and middle.empty:
            rule.hide()
        middle.setVisible(not middle.empty)
        self._foot_rule.setVisible(not middle.empty or self.terms is not None)
        if details_open:
            self._fold_details()
        if self._form is not None:
            self._layout.addWidget(self._form)
            self.foot.hide()
        elif self.plan is not None and self.plan.editor is not None:
            self._show_foot(shown=False)
        elif decided_here:
            self.foot.show()
            self.foot.take_keys()
        self._watch(record)
        self._sight.forget()
        self._guard.unseen = ""
        waits = record.status is ActionStatus.WAITING and isinstance(middle, CardBody)
        self._views = middle.findChildren(CodeView) if waits else []
        for view in self._views:
            view.looked.connect(self._looked.start)
        self.update()
        if self.parts is not None:
            self.parts_shown.emit(self.parts)

    def _terms_parts(self, record: ActionRecord) -> tuple[QWidget, ...]:
        self.terms = None
        if record.terms is None:
            return ()
        from partner_desktop.desktop.card.terms_view import TermsView  # noqa: PLC0415 - most are for now

        self.terms = TermsView(record, record.terms, self._clock.now())
        self.terms_shown.emit(self.terms)
        return horizontal_rule(), self.terms

    def _make_body(self, record: ActionRecord) -> CardBody:
        self.body = CardBody(
            record, self._theme, self._note, self._progress, guard=self._guard, sandbox=self._sandbox
        )
        if self.aftermath is not None:
            self.aftermath.action_asked.connect(self._ask_beside)
        return self.body

    # A plan: its rows stay, and say what is new.

    def _only_went_on(self, before: ActionRecord, record: ActionRecord) -> bool:
        """Whether nothing but its steps has changed, and the same buttons are offered."""
        same = before.status is record.status and record.status is not ActionStatus.WAITING
        return same and self.plan is not None and record.chain is not None

    def _show_plan(self, record: ActionRecord) -> PlanBody:
        is_new = self.plan is None
        plan = self.plan = self.plan or self._make_plan()
        missing = self._sandbox is not None and not self._sandbox.available
        why_open = self._sandbox.reason if self._sandbox is not None and missing else ""
        plan.show_record(record, self._note, why_open=why_open)
        if is_new:
            self.plan_shown.emit(plan)
        self._show_elapsed()
        self._fit_foot()
        return plan

    def _make_plan(self) -> PlanBody:
        # Most cards have no steps.
        from partner_desktop.desktop.card.plan.body import PlanBody  # noqa: PLC0415

        plan = PlanBody(self._theme, self._guard)
        plan.rows_folded.connect(self._say_folds)
        plan.edit_ended.connect(self._end_edit)
        plan.steps_noted.connect(self._fit_foot)
        return plan

    def _fit_foot(self) -> None:
        """What can be done with the plan now."""
        if self.foot is not None and self.plan is not None and self.record is not None:
            self.foot.show_plan(self.record, undoable=self.plan.undoable)

    def _say_folds(self) -> None:
        if self.foot is not None:
            self.foot.say_details(is_open=self.plan is not None and self.plan.all_open)

    def _begin_edit(self) -> None:
        self._show_foot(shown=False)
        if self.plan is not None:
            self.plan.begin_edit()

    def _show_foot(self, *, shown: bool) -> None:
        if self.foot is not None:
            self.foot.setVisible(shown)
            self._foot_rule.setVisible(shown)

    def _end_edit(self) -> None:
        """The decisions are back, and do not listen at once."""
        self._guard.arm()
        self.update()
        edited_here = holds_keyboard(self.plan)
        self._show_foot(shown=True)
        if self.foot is not None and edited_here:
            self.foot.take_keys("edit")

    def _ask_beside(self, verb: str, action_id: str) -> None:
        """The button that was pressed waits, and cannot keep the keyboard meanwhile."""
        if self.foot is not None and holds_keyboard(self.aftermath):
            self.foot.take_keys()
        self.action_asked.emit(verb, action_id)

    def _say_again(self) -> None:
        """In another language, with what was typed into the form and not yet sent."""
        if self.record is None:
            return
        typed = self.body.form if self.body is not None else None
        self.head.show_record(self.record)
        self.head.say_place(resolve_text(self._place))
        self._rebuild(self.record)
        if typed is not None and self.body is not None and self.body.form is not None:
            self.body.form.take_over(typed)

    def _watch(self, record: ActionRecord) -> None:
        if record.status is ActionStatus.RUNNING:
            self._tick.start()
            self._show_elapsed()
        else:
            self._tick.stop()

    def _show_elapsed(self) -> None:
        if self.record is not None:
            self.head.show_elapsed(self.record, self._clock.now())

    def _drop(self, widget: QWidget) -> None:
        self._layout.removeWidget(widget)
        drop_widget(widget)

    def _press(self, verb: str) -> None:
        if self.record is None or self.foot is None:
            return
        action_id = self.record.id
        if verb == "edit":
            self._begin_edit()
            return
        if verb in (*get_args(Scope), "try"):
            self._send(action_id, verb)
            return
        self.foot.set_busy(busy=True)
        if verb in ("reject", "cancel", "again", "keep"):
            self.action_asked.emit(verb, action_id)
        elif self.plan is not None:
            self.plan.asked.emit(verb)

    def _send(self, action_id: str, verb: str) -> None:
        """Nothing is sent while a parameter does not do; the field says what is wrong."""
        params: JsonObject | None = None
        if self.body is not None and self.body.form is not None:
            try:
                self.body.form.read()
                params = self.body.form.edited_params()
            except FieldProblemError:
                self.body.form.go_to_problem()
                return
        if verb == "try":
            self.try_pressed.emit(action_id, params)
            return
        if self.foot is not None:
            self.foot.set_busy(busy=True)
        self.approve_pressed.emit(action_id, verb, params)
