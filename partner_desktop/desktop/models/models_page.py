"""The page of models: who answers, what there is, and what needs no model. Knows no Partner."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QPushButton, QWidget

from partner_desktop.desktop.chat.column import AsidePage
from partner_desktop.desktop.models.choice import MindCard
from partner_desktop.desktop.models.found_section import FoundSection
from partner_desktop.desktop.models.get_section import GetSection
from partner_desktop.desktop.models.model_card import ModelCard
from partner_desktop.desktop.models.server_form import ServerForm
from partner_desktop.desktop.parts.boxes import (
    at_left,
    at_middle,
    bring_into_view,
    clear_layout,
    drop_widget,
    grow,
    hbox,
    holds_keyboard,
    stretch,
    vbox,
)
from partner_desktop.desktop.parts.controls import push_button, text_label
from partner_desktop.desktop.theme.theme import Space, Theme, set_look, zoomed
from partner_desktop.desktop.wording import LazyText, tr
from partner_desktop.domain.familiar_request import FamiliarRequest, FamiliarSavings
from partner_desktop.domain.model_status import EndpointReport, ModelStatus


class ModelsPage(AsidePage):
    """`closed()`, `settings_wanted()`, `file_wanted()`, `server_wanted()`: its form is asked for;
    by a model's name `use_wanted` (empty: the starter mind), `load_wanted`, `unload_wanted`, `remove_wanted`,
    `key_wanted`, `key_given(name, key)`, of its self-test `check_wanted`, `check_stopped` and
    `starter_preferred(name, question, on)`; of the form `server_saved(draft, key)`,
    `test_wanted(draft, key)`, `test_stopped()`. `found` is what lies here, `get` what can be got."""

    settings_wanted = Signal()
    file_wanted = Signal()
    server_wanted = Signal()
    use_wanted = Signal(str)
    load_wanted = Signal(str)
    unload_wanted = Signal(str)
    remove_wanted = Signal(str)
    key_wanted = Signal(str)
    key_given = Signal(str, str)
    check_wanted = Signal(str)
    check_stopped = Signal(str)
    starter_preferred = Signal(str, str, bool)
    server_saved = Signal(object, str)
    test_wanted = Signal(object, str)
    test_stopped = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.cards: dict[str, ModelCard] = {}
        self.form: ServerForm | None = None
        self.settings_button = push_button(
            lambda: self.tr("Settings…"), "quiet", name=lambda: self.tr("All settings of models…")
        )
        self.settings_button.clicked.connect(self.settings_wanted)
        self.starter = self._make_starter()
        self.found = FoundSection(theme)
        self.get = GetSection(theme)
        self.familiar = FamiliarCard()
        self.doors = Doors()
        self.doors.file_wanted.connect(self.file_wanted)
        self.doors.server_wanted.connect(self.server_wanted)
        self._cards = vbox(gap=Space.S)
        self._list = self._make_list()
        title = (lambda: self.tr("Models"), lambda: self.tr("Close the models"))
        self._build(
            self._make_head(*title, self.settings_button),
            vbox(self._list, self._fault, stretch(1), gap=Space.S),
        )

    def _make_starter(self) -> MindCard:
        card = MindCard(lambda: self.tr("Starter mind"))
        words = lambda: self.tr(  # noqa: E731 - words of a language
            "Always here, without any model: it finds the ability you ask for, fills in what it needs, asks "
            "for the rest and reports. It writes no texts of its own; a model does."
        )
        card.body.addWidget(text_label(words, "muted", wrap=True))
        card.use_pressed.connect(lambda: self.use_wanted.emit(""))
        return card

    def _make_list(self) -> QWidget:
        known = QWidget()
        vbox(
            text_label(lambda: self.tr("Who answers").upper(), "head"),
            self.starter,
            self._cards,
            Space.M,
            self.found,
            Space.M,
            self.get,
            Space.M,
            text_label(lambda: self.tr("Add a model").upper(), "head"),
            self.doors,
            Space.M,
            self.familiar,
            into=known,
            gap=Space.S,
        )
        return known

    def show_models(self, models: Sequence[ModelStatus], mind: str) -> None:
        """All of them as they are now; `mind` is who answers: `starter` or a name."""
        self._forget_gone({model.name: model.kind for model in models})
        for place, model in enumerate(models):
            card = self.cards.get(model.name)
            if card is None:
                card = self.cards[model.name] = self._make_card(model)
            if self._cards.indexOf(card) != place:
                self._cards.insertWidget(place, card)
            card.show_model(model)
            answers = lambda: self.tr("answers")  # noqa: E731 - words of a language
            card.show_choice(
                holds=model.in_use, word=answers if model.name == mind and model.state != "failed" else ""
            )
        chosen = any(model.in_use for model in models)
        self.starter.show_choice(holds=not chosen, word=self._starter_word(mind, chosen=chosen))
        self.doors.show_first(first=not models)

    def _starter_word(self, mind: str, *, chosen: bool) -> LazyText:
        if mind != "starter":
            return ""
        return (lambda: self.tr("answers meanwhile")) if chosen else (lambda: self.tr("answers"))

    def show_fault(self, sentence: str, name: str = "") -> None:
        """What was asked for did not work; it is said on the model's own card where there is one."""
        card = self.cards.get(name)
        if card is not None:
            card.show_fault(sentence)
        elif self.form is not None and not name:
            self.form.show_problem(sentence)
        else:
            self._show_fault(sentence)

    def forget_fault(self, name: str = "") -> None:
        """Something else is tried, with the model of that name or to get another one."""
        self._fault.hide()
        if name in self.cards:
            self.cards[name].forget_fault()

    def show_form(self, place: str) -> ServerForm:
        """Let a server be named, in place of the list; `place` is where its key will be kept."""
        self.forget_fault()
        if self.form is None:
            self.form = form = ServerForm(self._theme)
            form.saved.connect(self.server_saved)
            form.test_wanted.connect(self.test_wanted)
            form.test_stopped.connect(self.test_stopped)
            form.cancelled.connect(self.hide_form)
            self._column.insertWidget(0, form)
            self._list.hide()
        self.form.show_place(place)
        self.form.begin()
        self.area.verticalScrollBar().setValue(0)
        return self.form

    def hide_form(self) -> None:
        form, self.form = self.form, None
        if form is not None:
            drop_widget(form)
            self._list.show()
            self.doors.server_button.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_report(self, report: EndpointReport) -> None:
        """What the test of the form's server found."""
        if self.form is not None:
            checks = self.form.checks
            self.form.show_report(report)
            QTimer.singleShot(0, checks, lambda: bring_into_view(checks))

    def show_card(self, name: str) -> None:
        """Bring a model to view and put the keyboard there."""
        card = self.cards.get(name)
        if card is not None:
            card.mark.setFocus(Qt.FocusReason.OtherFocusReason)
            QTimer.singleShot(0, card, lambda: bring_into_view(card))

    def _forget_gone(self, kinds: dict[str, str]) -> None:
        for name, card in list(self.cards.items()):
            if kinds.get(name) != card.model.kind:
                del self.cards[name]
                if holds_keyboard(card):
                    self.starter.mark.setFocus(Qt.FocusReason.OtherFocusReason)
                self._cards.removeWidget(card)
                drop_widget(card)

    def _make_card(self, model: ModelStatus) -> ModelCard:
        card = ModelCard(self._theme, model)
        for wanted, answer in (
            (card.use_pressed, self.use_wanted),
            (card.load_wanted, self.load_wanted),
            (card.unload_wanted, self.unload_wanted),
            (card.remove_wanted, self.remove_wanted),
            (card.key_wanted, self.key_wanted),
            (card.check_wanted, self.check_wanted),
            (card.check_stopped, self.check_stopped),
        ):
            wanted.connect(partial(answer.emit, model.name))
        card.key_given.connect(partial(self.key_given.emit, model.name))
        card.starter_preferred.connect(partial(self.starter_preferred.emit, model.name))
        return card


_BESIDE_PX = 520


class Doors(QWidget):
    """`file_wanted()`, `server_wanted()`."""

    file_wanted = Signal()
    server_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.file_button = push_button(lambda: self.tr("Add a model file…"), pressed=self.file_wanted)
        self.server_button = push_button(lambda: self.tr("Add a server…"), pressed=self.server_wanted)
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(Space.M)
        self._row.addWidget(
            _door(
                lambda: self.tr("A model file"),
                lambda: self.tr(
                    "A GGUF file on this computer; dropping it on the window does as well. "
                    "It runs here, and nothing leaves this machine."
                ),
                self.file_button,
            ),
            1,
        )
        self._row.addWidget(
            _door(
                lambda: self.tr("A server"),
                lambda: self.tr(
                    "Ollama, LM Studio, llama-server, vLLM, OpenAI and the like, here or elsewhere. "
                    "What you say goes to it."
                ),
                self.server_button,
            ),
            1,
        )

    def show_first(self, *, first: bool) -> None:
        """Whether there is no model yet: then a file is what the page is for."""
        set_look(self.file_button, "primary" if first else "plain")

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        direction = QBoxLayout.Direction
        beside = self.width() >= zoomed(_BESIDE_PX)
        self._row.setDirection(direction.LeftToRight if beside else direction.TopToBottom)


def _door(title: LazyText, sentence: LazyText, button: QPushButton) -> QFrame:
    door = QFrame()
    door.setObjectName("door")
    vbox(
        text_label(title, "strong", wrap=True),
        text_label(sentence, "muted", wrap=True),
        stretch(1),
        Space.S,
        at_left(button),
        into=door,
        gap=Space.XS,
        margins=(Space.L, Space.M, Space.L, Space.L),
    )
    return door


#: More of them are counted only: the terminal lists all.
_MOST_SHOWN = 20


class FamiliarCard(QFrame):
    """`forget_wanted(id)`, `clear_wanted()`. Hidden while nothing is familiar and nothing was saved."""

    forget_wanted = Signal(str)
    clear_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("door")
        self._savings = FamiliarSavings()
        self.summary = text_label(lambda: savings_words(self._savings), "strong", wrap=True)
        self.clear_button = push_button(
            lambda: self.tr("Forget all"),
            "quiet",
            name=lambda: self.tr("Forget all familiar requests"),
            pressed=self.clear_wanted,
        )
        self.forget_buttons: dict[str, QPushButton] = {}
        self._rows = vbox(gap=Space.XS)
        vbox(
            hbox(grow(self.summary), at_middle(self.clear_button), gap=Space.S),
            text_label(
                lambda: self.tr(
                    "What you confirmed six times in the same words is known without asking a model. The "
                    "card and your yes stay as they are; a no takes it back."
                ),
                "muted",
                wrap=True,
            ),
            self._rows,
            into=self,
            gap=Space.XS,
            margins=(Space.L, Space.M, Space.L, Space.L),
        )
        self.hide()

    def show_requests(
        self, requests: Sequence[FamiliarRequest], savings: FamiliarSavings, titles: Mapping[str, str]
    ) -> None:
        """Those that are active; `titles` are those of their abilities, by key."""
        active = [one for one in requests if one.active]
        held = holds_keyboard(self)
        self._savings = savings
        self.summary.setText(savings_words(savings))
        clear_layout(self._rows)
        self.forget_buttons.clear()
        for request in active[:_MOST_SHOWN]:
            self._rows.addWidget(self._row(request, titles.get(request.key, request.key)))
        self.setVisible(bool(active or savings.calls_saved))
        if held and self.isVisible():
            self.clear_button.setFocus(Qt.FocusReason.OtherFocusReason)

    def _row(self, request: FamiliarRequest, title: str) -> QWidget:
        row = QWidget()
        told = f"{request.words} → {title}"
        button = self.forget_buttons[request.id] = push_button(
            lambda: self.tr("Forget"),
            "quiet",
            name=lambda: self.tr("Forget the familiar request {words}").format(words=told),
            pressed=partial(self.forget_wanted.emit, request.id),
        )
        hbox(grow(text_label(told, wrap=True)), at_middle(button), into=row, gap=Space.S)
        return row


def savings_words(savings: FamiliarSavings) -> str:
    """How many are familiar, and what that saved."""
    seconds = f"{savings.saved_ms / 1000:,.1f}"
    words = tr("Familiar requests: {requests} · calls saved: {calls} · seconds saved: {seconds}")
    return words.format(requests=f"{savings.requests:,}", calls=f"{savings.calls_saved:,}", seconds=seconds)
