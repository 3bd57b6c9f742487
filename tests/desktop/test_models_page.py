"""The page of models: who answers, what there is, what can be done with it, and the doors to more."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel, QLineEdit, QPushButton, QWidget

from partner_desktop.base.errors import PartnerError
from partner_desktop.config.center import ConfigCenter
from partner_desktop.desktop.chat.toasts import Toast
from partner_desktop.desktop.language import Language, LanguageChoice
from partner_desktop.desktop.models.models_page import ModelsPage
from partner_desktop.desktop.models.server_form import ServerForm
from partner_desktop.desktop.parts.banner import Banner
from partner_desktop.desktop.settings.settings_page import SettingsPage
from partner_desktop.desktop.tab_order import tab_stops
from partner_desktop.desktop.window import MainWindow
from partner_desktop.domain.events import TurnEvent
from partner_desktop.domain.model_status import (
    EndpointCheck,
    EndpointDraft,
    EndpointReport,
    ModelState,
    ModelStatus,
)
from partner_desktop.model.settings import ModelSettings

from .days import BROKEN, CLUSTER, LLAMA, QWEN
from .fake_partner import FakePartner
from .stage import Stage
from .test_fit import cut
from .test_language import left_in_english
from .test_names import controls

# Whole stories, with processes or windows of their own: for the whole gate.
pytestmark = pytest.mark.integration

TINY = ModelStatus("tiny", "file", "/home/user/models/tiny.gguf")
OLLAMA = "http://127.0.0.1:11434/v1"


@pytest.fixture
def language(stage: Stage) -> Iterator[Language]:
    """English at the start and again at the end."""
    app = QApplication.instance()
    assert app is not None
    one = Language(app)
    one.choose(LanguageChoice.ENGLISH)
    yield one
    one.choose(LanguageChoice.ENGLISH)


def open_page(stage: Stage, partner: FakePartner, *, size: tuple[int, int] = (1280, 800)) -> ModelsPage:
    """The page in view."""
    window = stage.open(partner, size=size)
    stage.do(window.sidebar.status.mind_button.click)
    return stage.session.models.page


def asked(partner: FakePartner) -> list[tuple[object, ...]]:
    """What was asked about models, in order."""
    return [one[1:] for one in partner.asked if one[0] == "model"]


def press(stage: Stage, button: QWidget, key: Qt.Key = Qt.Key.Key_Return) -> None:
    stage.do(lambda: QTest.keyClick(button, key))


def choice(banner: Banner, words: str) -> QPushButton:
    return next(one for one in banner.findChildren(QPushButton) if one.text() == words)


def open_form(stage: Stage, page: ModelsPage) -> ServerForm:
    stage.do(page.doors.server_button.click)
    stage.until(lambda: page.form is not None)
    assert page.form is not None
    return page.form


def type_into(stage: Stage, edit: QLineEdit, text: str) -> None:
    stage.do(lambda: QTest.keyClicks(edit, text))


# The ways to it.


def test_every_way_leads_to_the_page_and_back(stage: Stage, partner: FakePartner) -> None:
    window = stage.open(partner)

    def shown() -> bool:
        return isinstance(window.page.shown, ModelsPage)

    keys = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    ways: tuple[Callable[[], object], ...] = (
        lambda: QTest.keyClick(window, Qt.Key.Key_M, keys),
        window.sidebar.status.mind_button.click,
        window.page.welcome.models_button.click,
        window.appearance.models_button.click,
        stage.session.settings.page.models_wanted.emit,
    )
    for way in ways:
        stage.do(way)
        assert shown()
        stage.do(stage.session.models.page.close_button.click)
        assert not shown()
    stage.do(ways[0])
    stage.do(lambda: QTest.keyClick(window, Qt.Key.Key_Escape))
    assert not shown()


def test_the_settings_lead_here_in_place_of_lists_that_no_row_can_show(
    stage: Stage, partner: FakePartner, tmp_path: Path
) -> None:
    center = ConfigCenter(tmp_path, publish=partner.deliver)
    center.register("model", ModelSettings())
    partner.config = center
    window = stage.open(partner)
    stage.do(window.settings_wanted.emit)
    settings = stage.session.settings.page
    stage.until(lambda: settings.sections and not settings.building)
    section = settings.sections["model"]
    assert ("temperature",) in section.rows
    assert not {("use",), ("file",), ("endpoint",)} & set(section.rows)
    press(stage, section.models_button)
    assert isinstance(window.page.shown, ModelsPage)
    stage.do(stage.session.models.page.settings_button.click)
    assert isinstance(window.page.shown, SettingsPage)


def test_the_page_is_there_before_partner_is(stage: Stage) -> None:
    window = stage.open()
    stage.do(window.models_wanted.emit)
    page = stage.session.models.page
    assert page.starter.mark.isChecked()
    stage.do(page.doors.server_button.click)
    assert page.form is None, "nobody could take it yet"
    partner = FakePartner(known_models=[QWEN], mind_name="Qwen3 4B")
    stage.attach(partner)
    assert list(page.cards) == ["Qwen3 4B"]


def test_nothing_of_the_page_is_imported_before_it_is_opened() -> None:
    code = (
        "import sys, partner_desktop.desktop.session\n"
        "print([name for name in sys.modules if '.models.' in name or name.endswith('.reasoning')])"
    )
    said = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert said.stdout.strip() == str(["partner_desktop.desktop.models.desk"])


def test_the_welcome_tells_of_models_only_while_there_is_none(stage: Stage, partner: FakePartner) -> None:
    window = stage.open(partner)
    stage.do(lambda: stage.session.open(""))
    assert window.page.welcome.model_hint.isVisible()
    stage.do(lambda: partner.show_models(TINY))
    assert not window.page.welcome.model_hint.isVisible()
    assert not window.page.welcome.models_button.isVisible()


# Who answers, and what there is.


def test_an_empty_page_says_who_answers_and_how_to_get_a_model(stage: Stage, partner: FakePartner) -> None:
    page = open_page(stage, partner)
    assert page.cards == {}
    assert page.starter.mark.isChecked()
    assert page.starter.answers.text() == "answers"
    assert page.doors.file_button.property("look") == "primary"
    assert stage.window.focusWidget() is page.starter.mark


def test_each_card_says_what_its_model_is_and_how_it_fares(stage: Stage, partner: FakePartner) -> None:
    partner.known_models, partner.mind_name = [QWEN, LLAMA, CLUSTER, BROKEN, TINY], "Qwen3 4B"
    page = open_page(stage, partner)
    qwen, llama, cluster, broken, tiny = page.cards.values()
    assert qwen.facts.text().replace("\u00a0", " ") == (
        "qwen3 4B Q4_K_M · 2.5 GB · 8,192 tokens of context · 4 threads · 36 GPU layers · 38 tokens/s"
    )
    assert [card.state.text() for card in page.cards.values()] == [
        *("ready", "loading 40 %", "ready", "failed", "not loaded")
    ]
    assert [card.answers.text() for card in page.cards.values()] == ["answers", "", "", "", ""]
    assert [card.act_button.text() for card in page.cards.values()] == [
        *("Unload", "Cancel", "", "Try again", "Load")
    ]
    assert qwen.where.accessibleName().endswith("models/Qwen3-4B-Instruct-Q4_K_M.gguf")
    assert cluster.where.text() == CLUSTER.where
    assert cluster.key_button.isVisible()
    assert not qwen.key_button.isVisible()
    assert broken.fault.text() == BROKEN.reason
    assert llama.progress.isVisible()
    assert not tiny.facts.isVisible()
    assert page.doors.file_button.property("look") == "plain"


def test_a_model_is_chosen_by_its_mark_and_comes_up_at_once(stage: Stage, partner: FakePartner) -> None:
    partner.known_models = [TINY, replace(QWEN, in_use=False)]
    page = open_page(stage, partner)
    mark = page.cards["tiny"].mark
    assert mark.accessibleName() == "Let tiny answer"
    press(stage, mark)
    assert asked(partner) == [("use", "tiny"), ("load", "tiny")]
    assert mark.isChecked()
    assert mark.accessibleName() == "tiny answers"
    assert not page.starter.mark.isChecked()
    press(stage, mark)
    assert len(asked(partner)) == 2, "it answers already"
    press(stage, page.cards["Qwen3 4B"].mark, Qt.Key.Key_Space)
    assert asked(partner)[2:] == [("use", "Qwen3 4B")], "it is ready"
    stage.do(page.starter.mark.click)
    assert asked(partner)[3:] == [("use", "")]
    assert page.starter.answers.text() == "answers"


def test_a_choice_that_is_refused_changes_no_mark_and_says_why(stage: Stage, partner: FakePartner) -> None:
    partner.known_models = [TINY]
    page = open_page(stage, partner)
    partner.model_error = "The settings could not be written: the disk is full."
    stage.do(page.cards["tiny"].mark.click)
    assert page.starter.mark.isChecked()
    assert not page.cards["tiny"].mark.isChecked()
    card = page.cards["tiny"]
    assert card.fault.text() == partner.model_error
    stage.do(lambda: partner.show_models(replace(TINY, state="ready")))
    assert not card.fault.isVisible()
    stage.do(card.act_button.click)
    assert card.fault.isVisible()
    partner.model_error = ""
    stage.do(card.act_button.click)
    assert not card.fault.isVisible()


def test_a_chosen_model_that_failed_leaves_the_starter_answering_visibly(
    stage: Stage, partner: FakePartner
) -> None:
    partner.known_models = [replace(BROKEN, in_use=True)]
    page = open_page(stage, partner)
    assert page.cards["half-a-file"].mark.isChecked()
    assert page.starter.answers.text() == "answers meanwhile"


def test_cards_stay_and_keep_the_keyboard_while_their_models_change(
    stage: Stage, partner: FakePartner
) -> None:
    partner.known_models = [TINY, QWEN]
    page = open_page(stage, partner)
    card = page.cards["tiny"]
    stage.do(card.act_button.setFocus)
    for state, percent, words in (
        ("loading", 0.0, "Cancel"),
        ("loading", 0.5, "Cancel"),
        ("ready", 0, "Unload"),
    ):
        now = replace(TINY, state=cast("ModelState", state), progress=percent)
        stage.do(lambda now=now: partner.show_models(QWEN, now))  # type: ignore[misc] # bound early
        assert page.cards["tiny"] is card
        assert card.act_button.text() == words
        assert stage.window.focusWidget() is card.act_button
    assert list(page.cards) == ["tiny", "Qwen3 4B"]
    stage.do(lambda: partner.show_models(QWEN))
    assert list(page.cards) == ["Qwen3 4B"]
    assert stage.window.focusWidget() is page.starter.mark


@pytest.mark.parametrize(
    ("state", "wanted"),
    [("idle", "load"), ("failed", "load"), ("loading", "unload"), ("ready", "unload")],
)
def test_the_first_button_loads_gives_up_or_unloads(
    stage: Stage, partner: FakePartner, state: str, wanted: str
) -> None:
    partner.known_models = [replace(TINY, state=cast("ModelState", state))]
    page = open_page(stage, partner)
    press(stage, page.cards["tiny"].act_button)
    assert asked(partner) == [(wanted, "tiny")]


def test_a_load_that_was_given_up_is_no_fault(stage: Stage) -> None:
    given_up = asyncio.Event()

    class Loads(FakePartner):
        async def load_model(self, name: str) -> None:
            self.show_models(replace(TINY, state="loading"))
            await given_up.wait()
            self.show_models(TINY)
            raise PartnerError("tiny was unloaded while it was loading.")

        async def unload_model(self, name: str) -> None:
            given_up.set()

    loads = Loads(known_models=[TINY])
    page = open_page(stage, loads)
    card = page.cards["tiny"]
    stage.do(card.act_button.click)
    assert card.act_button.text() == "Cancel"
    stage.do(card.act_button.click)
    assert card.state.text() == "not loaded"
    assert not card.fault.isVisible()
    assert not stage.window.findChildren(Toast)


def test_removing_asks_first_and_says_that_the_file_stays(stage: Stage, partner: FakePartner) -> None:
    partner.known_models = [TINY]
    page = open_page(stage, partner)
    card = page.cards["tiny"]
    press(stage, card.remove_button)
    assert card.question is not None
    assert card.question.text.text() == f"The file stays where it is: {TINY.where}"
    focused = stage.window.focusWidget()
    assert isinstance(focused, QPushButton)
    assert focused.text() == "Cancel"
    press(stage, focused)
    assert asked(partner) == []
    assert stage.window.focusWidget() is card.remove_button
    press(stage, card.remove_button)
    stage.do(choice(card.question, "Remove").click)
    assert asked(partner) == [("remove", "tiny")]
    assert page.cards == {}


# Files.


def test_the_first_file_is_added_chosen_and_loaded(stage: Stage, partner: FakePartner) -> None:
    page = open_page(stage, partner)
    stage.do(page.doors.file_button.click)
    dialog = stage.window.findChild(QFileDialog)
    assert dialog is not None
    assert "*.gguf" in dialog.nameFilters()[0]
    path = Path("/home/user/models/tiny.gguf")
    stage.do(lambda: dialog.fileSelected.emit(str(path)))
    stage.do(dialog.close)
    assert asked(partner) == [("add", path), ("load", "tiny")]
    assert page.cards["tiny"].mark.isChecked()


def test_a_file_that_is_no_model_is_said_on_the_page(stage: Stage, partner: FakePartner) -> None:
    page = open_page(stage, partner)
    partner.model_error = "notes.gguf is no GGUF file."
    stage.do(lambda: stage.session.models.add_files([Path("/home/user/notes.gguf")]))
    assert page.fault == partner.model_error
    partner.model_error = ""
    stage.do(lambda: stage.session.models.add_files([TINY_PATH]))
    assert page.fault == ""


TINY_PATH = Path(TINY.where)


def test_a_dropped_model_is_offered_and_a_script_beside_it_too(stage: Stage, partner: FakePartner) -> None:
    window = stage.open(partner)
    stage.do(lambda: window.files_dropped.emit([TINY_PATH, Path("/home/user/resize.py")]))
    models, script = window.page.findChildren(Banner)
    assert models.accessibleName() == "Add tiny.gguf to the models?"
    assert "resize.py" in script.accessibleName()
    stage.do(choice(models, "Add").click)
    assert asked(partner) == [("add", TINY_PATH), ("load", "tiny")]


def test_a_further_model_only_offers_to_answer(stage: Stage, partner: FakePartner) -> None:
    partner.known_models, partner.mind_name = [QWEN], "Qwen3 4B"
    window = stage.open(partner)
    stage.do(lambda: stage.session.models.add_files([TINY_PATH]))
    assert asked(partner) == [("add", TINY_PATH)]
    toast = window.findChild(Toast)
    assert toast is not None
    stage.do(next(one for one in toast.findChildren(QPushButton) if one.text() == "Let it answer").click)
    assert asked(partner)[1:] == [("use", "tiny"), ("load", "tiny")]


def test_a_fault_is_said_over_the_composer_where_the_page_is_not_open(
    stage: Stage, partner: FakePartner
) -> None:
    window = stage.open(partner)
    partner.model_error = "notes.gguf is no GGUF file."
    stage.do(lambda: stage.session.models.add_files([Path("/home/user/notes.gguf")]))
    toast = window.findChild(Toast)
    assert toast is not None
    assert any(partner.model_error in label for label in _words(toast))


def _words(widget: QWidget) -> list[str]:
    return [label.text() for label in widget.findChildren(QLabel)]


# Servers.


def test_a_server_is_saved_with_its_key_which_is_never_shown(stage: Stage, partner: FakePartner) -> None:
    page = open_page(stage, partner)
    form = open_form(stage, page)
    assert stage.window.focusWidget() is form.address
    assert form.key.note.text() == f"It is never shown again, and kept {partner.keys_in}."
    assert form.key.edit.echoMode() is QLineEdit.EchoMode.Password
    type_into(stage, form.address, OLLAMA)
    type_into(stage, form.model, "org/llama3.1")
    type_into(stage, form.key.edit, "sk-secret")
    type_into(stage, form.room, "32,768")
    press(stage, form.room)
    draft = EndpointDraft("", OLLAMA, "org/llama3.1", 32_768)
    assert asked(partner) == [("add", draft, "sk-secret"), ("load", "server")]
    assert page.form is None
    assert page.doors.isVisible()
    assert page.cards["server"].mark.isChecked()


def test_a_server_that_is_refused_keeps_what_was_typed(stage: Stage, partner: FakePartner) -> None:
    page = open_page(stage, partner)
    form = open_form(stage, page)
    press(stage, form.save_button)
    assert "Type the server's address" in form.problem
    assert asked(partner) == []
    stage.do(form.known_buttons[0].click)
    assert form.address.text() == OLLAMA
    assert form.problem == ""
    partner.model_error = "The name 127.0.0.1:11434 is taken."
    press(stage, form.save_button)
    assert form.fault == partner.model_error
    assert form.address.text() == OLLAMA
    assert form.save_button.isEnabled()


def test_escape_leaves_the_form_and_not_the_page(stage: Stage, partner: FakePartner) -> None:
    page = open_page(stage, partner)
    form = open_form(stage, page)
    type_into(stage, form.key.edit, "sk-secret")
    press(stage, form.key.edit, Qt.Key.Key_Escape)
    assert page.form is None
    assert stage.window.page.shown is page
    assert stage.window.focusWidget() is page.doors.server_button


def test_a_test_says_line_by_line_what_works(stage: Stage, partner: FakePartner) -> None:
    partner.report = EndpointReport(
        (
            EndpointCheck("reachable", ok=True, sentence="The server answers."),
            EndpointCheck("key", ok=False, sentence="It does not accept this key."),
        ),
        models=("llama3.1:8b", "qwen3:4b"),
    )
    partner.report_ready = asyncio.Event()
    page = open_page(stage, partner)
    form = open_form(stage, page)
    stage.do(form.known_buttons[0].click)
    press(stage, form.test_button)
    assert asked(partner) == [("test", EndpointDraft("", OLLAMA), "")]
    assert form.checks.words[0] == "… The server is reached"
    assert form.checks.progress.isVisible()
    assert form.test_button.text() == "Stop the test"
    stage.do(partner.report_ready.set)
    assert form.checks.words == [
        "✓ The server answers.",
        "✗ It does not accept this key.",
        "– The model is there: not tried",
        "– Answers come word by word: not tried",
        "– Answers keep to a given form: not tried",
    ]
    assert not form.checks.progress.isVisible()
    assert form.test_button.text() == "Test"
    stage.do(form.checks.models[1].click)
    assert form.model.text() == "qwen3:4b"
    assert form.checks.isVisible()
    type_into(stage, form.key.edit, "x")
    assert not form.checks.isVisible(), "what was tested is not what stands there"


def test_a_test_can_be_stopped(stage: Stage) -> None:
    ended: list[str] = []
    never = asyncio.Event()

    class Hangs(FakePartner):
        async def test_endpoint(self, draft: EndpointDraft, key: str) -> EndpointReport:
            try:
                await never.wait()
            finally:
                ended.append(draft.base_url)
            return self.report

    page = open_page(stage, Hangs())
    form = open_form(stage, page)
    stage.do(form.known_buttons[0].click)
    stage.do(form.test_button.click)
    stage.do(form.test_button.click)
    assert ended == [OLLAMA]
    assert form.test_button.text() == "Test"
    assert not form.checks.isVisible()
    stage.do(form.test_button.click)
    stage.do(form.cancel_button.click)
    assert len(ended) == 2


def test_another_key_is_tried_at_once(stage: Stage, partner: FakePartner) -> None:
    partner.known_models = [replace(CLUSTER, state="failed", reason="It does not accept this key.")]
    page = open_page(stage, partner)
    card = page.cards[CLUSTER.name]
    press(stage, card.key_button)
    assert card.key_form is not None
    assert stage.window.focusWidget() is card.key_form.field.edit
    assert partner.keys_in in card.key_form.field.note.text()
    type_into(stage, card.key_form.field.edit, "sk-right")
    press(stage, card.key_form.field.edit)
    assert asked(partner) == [("key", CLUSTER.name, "sk-right"), ("load", CLUSTER.name)]
    assert stage.window.focusWidget() is card.key_button


# The foot and the busy line.


def test_a_server_that_takes_its_time_is_seen_to_be_asked(stage: Stage) -> None:
    answers = asyncio.Event()

    class Slow(FakePartner):
        async def load_model(self, name: str) -> None:
            self.known_models = [replace(CLUSTER, state="loading")]
            await answers.wait()
            self.known_models = [replace(CLUSTER, state="failed", reason="It does not answer.")]
            raise PartnerError("It does not answer.")

    page = open_page(stage, Slow(known_models=[replace(CLUSTER, state="idle")]))
    card = page.cards[CLUSTER.name]
    stage.do(card.act_button.click)
    assert card.state.text() == "connecting"
    assert card.progress.isVisible()
    stage.do(answers.set)
    assert (card.state.text(), card.fault.text()) == ("failed", "It does not answer.")


@pytest.mark.parametrize(
    ("model", "words", "color", "share"),
    [
        (QWEN, "Qwen3 4B · 38 tokens/s", "good", None),
        (replace(QWEN, tokens_per_s=0.0), "Qwen3 4B · ready", "good", None),
        (replace(QWEN, state="idle"), "Qwen3 4B · on demand", "muted", None),
        (replace(QWEN, state="idle", busy=True), "Qwen3 4B · at work", "good", None),
        (replace(QWEN, state="loading", progress=0.4), "Qwen3 4B · loading 40 %", "accent", 0.4),
        (replace(QWEN, state="failed", reason="It broke."), "Qwen3 4B · failed", "careful", None),
    ],
)
def test_the_foot_names_the_model_and_how_it_fares(
    stage: Stage, partner: FakePartner, model: ModelStatus, words: str, color: str, share: float | None
) -> None:
    window = stage.open(partner)
    stage.do(lambda: partner.show_models(TINY, model, mind=model.name))
    button = window.sidebar.status.mind_button
    assert window.sidebar.status.words.splitlines()[0] == words
    assert (button.color_name, button.share) == (color, share)
    assert button.accessibleName() == f"{words}. Show the models"
    assert model.reason in window.sidebar.status.hint
    stage.do(lambda: partner.show_models(TINY))
    assert window.sidebar.status.words.startswith("Starter mind")


def test_while_the_model_loads_one_can_go_on_and_is_told_how_far_it_is(
    stage: Stage, partner: FakePartner
) -> None:
    window = stage.open(partner)
    stage.do(lambda: partner.show_models(replace(QWEN, state="loading", progress=0.4)))
    stage.do(lambda: partner.deliver(TurnEvent(conversation_id="c1", turn_id="t1", state="started")))
    stage.until(lambda: window.page.feed.busy)
    assert window.page.feed.busy_words == "The model is loading… 40 %"
    assert window.page.composer.edit.isEnabled()
    type_into_composer = window.page.composer.edit
    stage.do(lambda: QTest.keyClicks(type_into_composer, "and this"))
    stage.do(lambda: QTest.keyClick(type_into_composer, Qt.Key.Key_Return))
    assert [message.text for message in partner.sent] == ["and this"]
    stage.do(lambda: partner.show_models(QWEN, mind=QWEN.name))
    assert window.page.feed.busy_words == "Thinking…"


# For everyone.


def fill(stage: Stage, partner: FakePartner, *, size: tuple[int, int] = (1280, 800)) -> ModelsPage:
    """A page with a card in every state, a question and a form for a key."""
    partner.known_models = [QWEN, LLAMA, CLUSTER, replace(BROKEN, note="Its template does not work.")]
    page = open_page(stage, partner, size=size)
    stage.do(page.cards[QWEN.name].ask_to_remove)
    stage.do(page.cards[CLUSTER.name].key_button.click)
    return page


def test_every_control_has_a_name_and_is_a_stop(stage: Stage, partner: FakePartner) -> None:
    page = fill(stage, partner)
    stops = tab_stops(page.regions)
    for card in (page.cards[LLAMA.name], page.cards[BROKEN.name]):
        assert {card.mark, card.act_button, card.remove_button} <= set(stops)
    open_form(stage, page)
    nameless = [repr(widget) for widget in controls(page) if not widget.accessibleName().strip()]
    assert not nameless


def test_the_page_follows_the_language(stage: Stage, partner: FakePartner, language: Language) -> None:
    partner.report = EndpointReport((EndpointCheck("reachable", ok=True, sentence=BROKEN.reason),), ("qwen",))
    page = fill(stage, partner)
    form = open_form(stage, page)
    stage.do(form.save_button.click)
    stage.do(form.known_buttons[0].click)
    stage.do(form.test_button.click)
    own = (
        *(one.name for one in (QWEN, LLAMA, CLUSTER, BROKEN)),
        *(str(one.description) for one in (QWEN, LLAMA, CLUSTER)),
        *(one.where.replace("/home/user", "~") for one in (QWEN, LLAMA, CLUSTER, BROKEN)),
        *(one.where for one in (QWEN, LLAMA, CLUSTER, BROKEN)),
        *(BROKEN.reason, "Its template does not work.", "Secret Service", OLLAMA, "qwen", "127.0.0.1"),
        *("Ollama", "LM Studio", "llama-server", "vLLM", "OpenAI", "http", "api.openai.com/v1", "GB", "GPU"),
    )
    stage.do(lambda: language.choose(LanguageChoice.CHINESE))
    left = [
        words
        for words in left_in_english(cast("MainWindow", page))
        if any(_is_english(part) for part in [_without(words.partition(": ")[2], own)])
    ]
    assert left == []


def _without(words: str, own: tuple[str, ...]) -> str:
    words = words.replace("\u00a0", " ")
    for one in sorted(own, key=len, reverse=True):
        words = words.replace(one, "")
    return words.replace("Partner", "")


def _is_english(words: str) -> bool:
    return any(part.isascii() and part.isalpha() and len(part) > 1 for part in words.split())


@pytest.mark.parametrize("zoom", [0.7, 1.0, 1.5, 2.0])
@pytest.mark.parametrize("size", [(1280, 800), (900, 600), (480, 600)])
@pytest.mark.parametrize("choice", [LanguageChoice.ENGLISH, LanguageChoice.CHINESE])
def test_nothing_of_it_is_cut(
    stage: Stage,
    partner: FakePartner,
    language: Language,
    zoom: float,
    size: tuple[int, int],
    choice: LanguageChoice,
) -> None:
    page = fill(stage, partner, size=size)
    stage.do(lambda: language.choose(choice))
    stage.do(lambda: stage.theme.set_zoom(zoom))
    stage.settle()
    assert cut(stage.window) == []
    assert _wider(page) == []
    form = open_form(stage, page)
    stage.do(form.known_buttons[0].click)
    stage.do(form.test_button.click)
    stage.settle()
    assert cut(stage.window) == []
    assert _wider(page) == []


def _wider(page: ModelsPage) -> list[str]:
    """Parts that stick out of the page."""
    most = page.area.viewport().width()
    parts = page.area.viewport().findChildren(QWidget)
    return [repr(one) for one in parts if one.isVisible() and one.width() > most]
