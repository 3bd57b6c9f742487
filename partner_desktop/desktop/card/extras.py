"""What stands on a card and outlives a change of its body and its buttons.

Between the two: what its server asks, what the run prints, what a try brought. Below them, folded out and
away again, are source and details of the action.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtWidgets import QFrame, QPushButton, QWidget

from partner_desktop.base.paths import display_path
from partner_desktop.base.text import shown
from partner_desktop.desktop.card.guard import ClickGuard, GuardedButton
from partner_desktop.desktop.card.words import (
    held_words,
    param_title,
    params_words,
    path_words,
)
from partner_desktop.desktop.forms.fields import FieldProblemError
from partner_desktop.desktop.forms.form import Form
from partner_desktop.desktop.forms.schema_fields import make_answer_field
from partner_desktop.desktop.opener import breakable, is_web, open_link, wire_form
from partner_desktop.desktop.parts.boxes import FlowLayout, drop_widget, grid, vbox
from partner_desktop.desktop.parts.code_view import CodeView
from partner_desktop.desktop.parts.controls import push_button, show_words, text_label
from partner_desktop.desktop.theme.theme import Theme
from partner_desktop.desktop.wording import announce, in_every_language, joined_words, set_tip, tr
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.command_session import Stream
from partner_desktop.domain.elicitation import Elicitation, ElicitationAnswer
from partner_desktop.domain.meta_action import properties_of, required_of

if TYPE_CHECKING:
    from partner_desktop.desktop.card.proposed_script import TrialResultView
    from partner_desktop.desktop.parts.live_text import LiveText

_LIVE_LINES = 6


class CardExtras(QWidget):
    """What its server asks, what the run prints, what a try of it brought; each there once it is needed."""

    def __init__(self, guard: ClickGuard, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._hash = ""
        self.questions = QuestionPile(guard)
        self.live: LiveText | None = None
        self.tried: TrialResultView | None = None
        self._column = vbox(self.questions, into=self)

    def fit(self, record: ActionRecord) -> None:
        """What belongs to an earlier state, or to another script, goes."""
        if record.status is not ActionStatus.RUNNING:
            self.questions.clear()
            self._drop(self.live)
            self.live = None
        if record.status is not ActionStatus.WAITING or record.content_hash != self._hash:
            self._drop(self.tried)
            self.tried = None
        self._hash = record.content_hash

    def show_output(self, stream: Stream, text: str) -> None:
        """What the run printed since."""
        if self.live is None:
            from partner_desktop.desktop.parts.live_text import LiveText  # noqa: PLC0415 - with the first

            self.live = LiveText(lambda: tr("What it prints"), self._theme, lines=_LIVE_LINES)
            self._put(self.live)
        self.live.add(stream, text)

    def begin_try(self) -> TrialResultView:
        """The place where a try is told; what an earlier one brought goes."""
        from partner_desktop.desktop.card.proposed_script import TrialResultView  # noqa: PLC0415 - rarely needed

        self._drop(self.tried)
        self.tried = TrialResultView(self._theme)
        self._put(self.tried)
        return self.tried

    def _put(self, view: QWidget) -> None:
        box = QWidget()
        vbox(view, into=box, margins=(16, 0, 16, 14))
        self._column.insertWidget(0, box)

    def _drop(self, view: QWidget | None) -> None:
        box = view.parentWidget() if view is not None else None
        if box is not None:
            self._column.removeWidget(box)
            drop_widget(box)


class QuestionPile(QWidget):
    """`answered(id, answer)`. Hidden while nothing is asked."""

    answered = Signal(str, object)

    def __init__(self, guard: ClickGuard) -> None:
        super().__init__()
        self._guard = guard
        self.views: dict[str, QuestionView] = {}
        self._column = vbox(into=self, gap=8, margins=(16, 0, 16, 14))
        self.hide()
        in_every_language(self, self._say_again)

    def ask(self, question: Elicitation) -> None:
        """One more; the same again changes nothing."""
        if question.id in self.views:
            return
        self._guard.arm()
        self._put(len(self.views), question)
        self.show()
        self.update()
        announce(self, self.views[question.id].words, urgent=True)

    def take_back(self, question_id: str) -> None:
        """The answer is needed no more."""
        view = self.views.pop(question_id, None)
        if view is not None:
            self._drop(view)
        self.setVisible(bool(self.views))

    def clear(self) -> None:
        for question_id in tuple(self.views):
            self.take_back(question_id)

    def show_problem(self, question_id: str, sentence: str) -> None:
        view = self.views.get(question_id)
        if view is not None:
            view.show_problem(sentence)

    def _put(self, number: int, question: Elicitation) -> QuestionView:
        view = self.views[question.id] = QuestionView(question, self._guard)
        view.answered.connect(self.answered)
        self._column.insertWidget(number, view)
        return view

    def _say_again(self) -> None:
        for number, before in enumerate(tuple(self.views.values())):
            self._put(number, before.question).take_over(before)
            self._drop(before)

    def _drop(self, view: QuestionView) -> None:
        self._column.removeWidget(view)
        drop_widget(view)


_MOST_LETTERS = 4_000
#: More fields than this are no question that anybody answers.
_MOST_FIELDS = 40


class QuestionView(QFrame):
    """A server's question: `answered(id, answer)`, once; after `show_problem` it may be answered again.

    The words are the server's: shown as plain text, never followed. A page opens only after a press.
    """

    answered = Signal(str, object)

    def __init__(self, question: Elicitation, guard: ClickGuard) -> None:
        super().__init__()
        self.setObjectName("question")
        self.question = question
        self._guard = guard
        self.form = Form()
        self.buttons: dict[str, QPushButton] = {}
        self.setAccessibleName(self.words)
        self._column = vbox(
            text_label(self._asks(), "strong", wrap=True), into=self, gap=8, margins=(14, 10, 14, 12)
        )
        message = shown(question.message.strip()[:_MOST_LETTERS], lines=True)
        if message:
            self._column.addWidget(text_label(message, wrap=True, selectable=True))
        self._url = QUrl(question.url, QUrl.ParsingMode.StrictMode)
        if question.url:
            self._add_address()
        else:
            self._add_fields()
        self._column.addWidget(text_label(self._note(), "muted", wrap=True))
        self._problem = text_label("", "fault-small", wrap=True, selectable=True, hidden=True)
        self._column.addWidget(self._problem)
        self._add_buttons()

    def _note(self) -> str:
        if self.question.url:
            return tr("This is not from Partner. Look at the address before you open it.")
        if not self.question.server:
            return tr("These words are not Partner's own. What you send becomes the action's result.")
        note = tr("This is not from Partner. What you send goes to the server “{server}”.")
        return note.format(server=self.question.server)

    def _asks(self) -> str:
        if not self.question.server:
            return tr("An action asks you")
        return tr("The server “{server}” asks you").format(server=self.question.server)

    @property
    def words(self) -> str:
        """What a screen reader says of it."""
        return f"{self._asks()}: {self.question.message.strip()[:_MOST_LETTERS]}"

    @property
    def problem(self) -> str:
        """Why the answer was not taken; empty when nothing is wrong."""
        return self._problem.text() if not self._problem.isHidden() else ""

    def show_problem(self, sentence: str) -> None:
        """The answer was not taken: say why, and ask again."""
        show_words(self._problem, sentence)
        for button in self.buttons.values():
            button.setEnabled(True)

    def take_over(self, before: QuestionView) -> None:
        """Stand in for a view of the same question, with what was typed there."""
        self.form.take_over(before.form)

    def _add_fields(self) -> None:
        required = required_of(self.question.schema)
        for name, schema in list(properties_of(self.question.schema).items())[:_MOST_FIELDS]:
            needed = name in required
            field = make_answer_field(name, param_title(name, schema), schema, required=needed)
            described = schema.get("description")
            words = described if isinstance(described, str) else ""
            hint = joined_words(tr("required") if needed else "", words)
            self.form.add(field, required=needed, hint=hint)
        self._column.addWidget(self.form)

    def _add_address(self) -> None:
        address = breakable(wire_form(self._url, self.question.url))
        self._column.addWidget(text_label(address, "mono", wrap=True, selectable=True))
        if not is_web(self._url):
            words = tr("Only pages on the web can be opened from here; this address leads elsewhere.")
            self._column.addWidget(text_label(words, "fault-small", wrap=True))

    def _add_buttons(self) -> None:
        row = FlowLayout()
        if not self.question.url:
            row.addWidget(self._button("accept", tr("Send"), "primary"))
        elif is_web(self._url):
            row.addWidget(self._button("accept", tr("Open the page"), "primary"))
        row.addWidget(self._button("decline", tr("Decline"), "plain"))
        self._column.addLayout(row)

    def _button(self, verb: str, text: str, look: str) -> QPushButton:
        button = GuardedButton(
            self._guard, text, look, name=f"{text}: {self.question.server or self._asks()}"
        )
        button.clicked.connect(lambda: self._press(verb))
        self.buttons[verb] = button
        return button

    def _press(self, verb: str) -> None:
        if not self._guard.open:
            return
        try:
            content = self.form.read() if verb == "accept" else {}
        except FieldProblemError:
            self.form.go_to_problem()
            return
        if verb == "accept" and self.question.url:
            open_link(self._url)
        self._problem.hide()
        for button in self.buttons.values():
            button.setEnabled(False)
        answer = ElicitationAnswer("accept" if verb == "accept" else "decline", content)
        self.answered.emit(self.question.id, answer)


_SOURCE_LINES = 16


class DetailsView(QWidget):
    """Facts in two columns, the source below. `edit_pressed()`: the source is to be opened in an editor."""

    edit_pressed = Signal()

    def __init__(self, record: ActionRecord, *, allowed: str = "") -> None:
        """`allowed`: how far the yes to it reached."""
        super().__init__()
        facts = grid(across=12, down=4)
        for line, (title, value) in enumerate(_facts(record, allowed)):
            facts.addWidget(text_label(title, "muted"), line, 0)
            facts.addWidget(
                text_label(shown(value, lines=True), "muted", wrap=True, selectable=True), line, 1
            )
        self._source = CodeView(self.tr("Source"), most_lines=_SOURCE_LINES)
        self._source.hide()
        layout = vbox(facts, self._source, into=self, gap=10, margins=(16, 12, 16, 14))
        self.edit_button = push_button(
            self.tr("Edit source"), name=self.tr("Edit source: {title}").format(title=record.title)
        )
        set_tip(self.edit_button, self.tr("It opens in your editor. Once it is saved, it asks again."))
        self.edit_button.clicked.connect(self.edit_pressed)
        self.edit_button.setVisible(bool(record.source_path))
        layout.addWidget(self.edit_button, 0, Qt.AlignmentFlag.AlignLeft)

    def show_source(self, text: str) -> None:
        """Show the script; without one there is nothing to show."""
        self._source.show_text(text.rstrip("\n"))
        self._source.setVisible(bool(text.strip()))


def _facts(record: ActionRecord, allowed: str) -> list[tuple[str, str]]:
    isolation = record.isolation
    exit_code = "" if record.exit_code is None else str(record.exit_code)
    facts = [
        (tr("Ability"), record.key),
        (tr("File"), display_path(Path(record.source_path)) if record.source_path else ""),
        (tr("Runs with"), isolation.interpreter if isolation is not None else ""),
        (tr("Isolation"), held_words(isolation) if isolation is not None else ""),
        (tr("Parameters"), params_words(record)),
        (tr("Touches"), "\n".join(path_words(use) for use in record.paths)),
        (tr("Asked with"), record.request_text),
        (tr("Allowed"), allowed),
        (tr("Exit code"), exit_code),
        (tr("Fingerprint"), record.content_hash[:16]),
    ]
    return [(title, value) for title, value in facts if value]
