"""One model of the list: what it is, how it fares, and what can be done with it.

The key of a server is hidden while it is typed, and gone when it was taken.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from partner_desktop.desktop.forms.fields import SecretField
from partner_desktop.desktop.forms.form import EntryForm
from partner_desktop.desktop.models.check_view import CheckView
from partner_desktop.desktop.models.choice import MindCard
from partner_desktop.desktop.models.words import (
    act_words,
    facts_words,
    kept_words,
    state_words,
    where_words,
)
from partner_desktop.desktop.parts.banner import Banner
from partner_desktop.desktop.parts.boxes import FlowLayout, drop_widget
from partner_desktop.desktop.parts.controls import push_button, show_words, text_label
from partner_desktop.desktop.parts.progress import ProgressLine
from partner_desktop.desktop.parts.wrapped import PathSentence
from partner_desktop.desktop.theme.theme import Theme
from partner_desktop.desktop.wording import announce, bind_text, in_every_language, set_tip
from partner_desktop.domain.model_check import ModelCheck, QuestionScore
from partner_desktop.domain.model_status import ModelStatus


class ModelCard(MindCard):
    """`load_wanted()`, `unload_wanted()` (also gives up a load), `remove_wanted()` after a yes,
    `key_wanted()`: its form is asked for; `key_given(key)`; of its self-test `check_wanted()`,
    `check_stopped()` and `starter_preferred(question, on)`."""

    load_wanted = Signal()
    unload_wanted = Signal()
    remove_wanted = Signal()
    key_wanted = Signal()
    key_given = Signal(str)
    check_wanted = Signal()
    check_stopped = Signal()
    starter_preferred = Signal(str, bool)

    def __init__(self, theme: Theme, model: ModelStatus) -> None:
        super().__init__(model.name)
        self._theme = theme
        self.model = model
        self.check: CheckView | None = None
        self.question: Banner | None = None
        self.key_form: KeyForm | None = None
        self._told = ""
        self.facts = text_label("", "muted", wrap=True)
        self.where = PathSentence("muted")
        self.note = text_label("", "muted", wrap=True, selectable=True)
        self.fault = text_label("", "fault-small", wrap=True, selectable=True)
        self.progress = ProgressLine(theme)
        for part in (self.facts, self.where, self.note, self.fault, self.progress):
            self.body.addWidget(part)
        self.buttons = self._make_buttons(model)
        self.body.addWidget(self.buttons)
        in_every_language(self, self._say, now=True)

    def _make_buttons(self, model: ModelStatus) -> QWidget:
        place = QWidget()
        row = FlowLayout(gap=6)
        row.setContentsMargins(0, 4, 0, 0)
        place.setLayout(row)
        self.act_button = push_button("", "small", pressed=self._act)
        self.key_button = push_button(
            lambda: self.tr("Change the key…"),
            "small",
            name=lambda: self.tr("Change the key of {name}…").format(name=model.name),
        )
        self.key_button.clicked.connect(self.key_wanted)
        self.key_button.setVisible(model.kind == "endpoint")
        self.remove_button = push_button(
            lambda: self.tr("Remove…"),
            "quiet",
            name=lambda: self.tr("Remove {name}…").format(name=model.name),
        )
        self.remove_button.clicked.connect(self.ask_to_remove)
        self.check_button = push_button("", "small", pressed=self.check_wanted)
        for button in (self.act_button, self.check_button, self.key_button, self.remove_button):
            row.addWidget(button)
        return place

    def show_check(self, check: ModelCheck, scores: Sequence[QuestionScore] = ()) -> None:
        """Its self-test, as it is now; `scores`: how it stands beside the starter mind, once it is over."""
        if self.check is None:
            self.check = view = CheckView(self._theme, check)
            view.stop_wanted.connect(self.check_stopped)
            view.starter_preferred.connect(self.starter_preferred)
            self.body.addWidget(view)
        self.check.show_check(check, scores)
        self._say_check()

    def show_model(self, model: ModelStatus) -> None:
        if model == self.model:
            return
        before, self.model = self.model.state, model
        if model.state != before:
            self._told = ""
        self._say()
        if model.state != before and model.state in ("ready", "failed"):
            announce(self, f"{model.name}: {state_words(model)[0]} {model.reason}".strip())

    def show_fault(self, sentence: str) -> None:
        """What was asked for did not work; it stays until the model's state is another."""
        self._told = sentence
        self._say()
        announce(self, f"{self.model.name}: {sentence}", urgent=True)

    def forget_fault(self) -> None:
        self._told = ""
        self._say()

    def ask_to_remove(self) -> None:
        """A question in the card; what is chosen by Enter changes nothing."""
        if self.question is not None:
            return
        self.question = banner = Banner(
            lambda: self.tr("Take {name} off the list?").format(name=self.model.name), self._stays
        )
        remove = banner.add_choice(lambda: self.tr("Remove"), self.remove_wanted.emit, look="stop")
        remove.setAccessibleName(self.tr("Remove {name}").format(name=self.model.name))
        cancel = banner.add_choice(lambda: self.tr("Cancel"), None)
        banner.closed.connect(self._question_gone)
        self._stand_in(banner)
        cancel.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_key_form(self, place: str) -> KeyForm:
        """Let another key be typed; `place` says where it will be kept."""
        if self.key_form is None:
            self.key_form = form = KeyForm(self.model.name)
            form.key_given.connect(self._give_key)
            form.cancelled.connect(self._close_key_form)
            self._stand_in(form)
        self.key_form.show_place(place)
        self.key_form.begin()
        return self.key_form

    def _stand_in(self, part: QWidget) -> None:
        self.buttons.hide()
        self.body.addWidget(part)

    def _question_gone(self) -> None:
        self.question = None
        self._back_to(self.remove_button)

    def _give_key(self, key: str) -> None:
        self._close_key_form()
        self.key_given.emit(key)

    def _close_key_form(self) -> None:
        form, self.key_form = self.key_form, None
        if form is not None:
            drop_widget(form)
            self._back_to(self.key_button)

    def _back_to(self, button: QWidget) -> None:
        self.buttons.show()
        button.setFocus(Qt.FocusReason.OtherFocusReason)

    def _stays(self) -> str:
        if self.model.kind == "file":
            return self.tr("The file stays where it is: {path}").format(path=where_words(self.model))
        return self.tr("Its address and its key are forgotten here; the server itself is left as it is.")

    def _act(self) -> None:
        if self.model.state in ("ready", "loading"):
            self.unload_wanted.emit()
        else:
            self.load_wanted.emit()

    def _say(self) -> None:
        model = self.model
        show_words(self.facts, facts_words(model))
        self.where.say("{folder}", folder=where_words(model))
        show_words(self.note, model.note)
        self._say_state(model)

    def _say_state(self, model: ModelStatus) -> None:
        words, kind = state_words(model)
        loading = model.state == "loading"
        if loading and model.kind == "file":
            words = self.tr("{state} {percent} %").format(state=words, percent=round(100 * model.progress))
        self.state.say(words, kind)
        self.progress.setVisible(loading)
        self.progress.set_share(model.progress if loading and model.progress else None)
        fault = (model.reason if model.state == "failed" else "") or self._told
        show_words(self.fault, fault)
        act = act_words(model)
        if not act and self.act_button.hasFocus():
            self.remove_button.setFocus(Qt.FocusReason.OtherFocusReason)
        self.act_button.setText(act)
        self.act_button.setAccessibleName(f"{act}: {model.name}")
        self.act_button.setVisible(bool(act))
        self._say_check()

    def _say_check(self) -> None:
        """One test at a time; a model that does not work has nothing to show."""
        tested, running = self.check is not None, self.check is not None and self.check.running
        self.check_button.setText(self.tr("Test it again") if tested else self.tr("Test it"))
        words = self.tr("Test what {name} is good for: twenty tasks, a minute or two")
        self.check_button.setAccessibleName(words.format(name=self.model.name))
        set_tip(self.check_button, self.check_button.accessibleName())
        if running and self.check_button.hasFocus():
            self.remove_button.setFocus(Qt.FocusReason.OtherFocusReason)
        self.check_button.setVisible(self.model.state in ("ready", "idle") and not running)


class KeyForm(EntryForm):
    """Another key for a server that is there. `key_given(key)`, empty to forget it."""

    key_given = Signal(str)

    def __init__(self, name: str) -> None:
        super().__init__(
            lambda: self.tr("Key of {name}").format(name=name),
            lambda: self.tr("Save the key"),
            title_look="",
            margins=(0, 4, 0, 0),
        )
        self.field = SecretField("key", lambda: self.tr("Key"))
        row = self.form.add(self.field)
        row.hide_title()
        forgets = lambda: self.tr("empty forgets the one that is kept")  # noqa: E731 - words of a language
        bind_text(self, self.field.line.setPlaceholderText, forgets)
        self.cancelled.connect(self.field.take)
        self.given.connect(lambda _values: self.key_given.emit(self.field.take()))

    def show_place(self, place: str) -> None:
        """Where the key will be kept, as the end of a sentence."""
        self.form.rows["key"].hint(lambda: kept_words(place))
