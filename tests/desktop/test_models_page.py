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
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel, QLineEdit, QPushButton, QWidget

from partner_desktop.base.errors import ModelError
from partner_desktop.config.secrets import SecretStore
from partner_desktop.desktop.chat.busy import BusyRow
from partner_desktop.desktop.chat.toasts import Toast
from partner_desktop.desktop.language import Language, LanguageChoice
from partner_desktop.desktop.models.models_page import ModelsPage
from partner_desktop.desktop.models.server_form import ServerForm
from partner_desktop.desktop.parts.banner import Banner
from partner_desktop.desktop.settings.settings_page import SettingsPage
from partner_desktop.desktop.sidebar.status import StatusState
from partner_desktop.desktop.window import MainWindow, tab_stops
from partner_desktop.domain.events import ModelCheckEvent, ModelsEvent, TurnEvent
from partner_desktop.domain.model_check import CheckResult, ModelCheck
from partner_desktop.domain.model_status import EndpointCheck, EndpointReport, ModelState, ModelStatus
from tests.config.keyrings import FileKeyring, system_keyring
from tests.model.endpoint.badly import BadServer, Behaviour, Line, listing, refusing, saying
from tests.model.engine import needs_engine

from .chat import Chat
from .model_samples import BROKEN, CLUSTER, LLAMA, QWEN
from .moments import Moments
from .stage import Stage, rounds
from .test_fit import cut
from .test_language import left_in_english
from .test_names import controls

# Whole stories, with processes or windows of their own: for the whole gate.
pytestmark = pytest.mark.integration

TINY = ModelStatus("tiny", "file", "/home/user/models/tiny.gguf")
OLLAMA = "http://127.0.0.1:11434/v1"
KEYS_IN = "in the system keyring (Secret Service)"


@pytest.fixture(autouse=True)
def own_keyring(tmp_path: Path) -> Iterator[FileKeyring]:
    """A keyring of this test."""
    with system_keyring(tmp_path / "keyring.json") as one:
        yield one


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    """A model file, by its first letters."""
    path = tmp_path / "tiny.gguf"
    path.write_bytes(b"GGUF")
    return path


@pytest.fixture
def language(stage: Stage) -> Iterator[Language]:
    """English at the start and again at the end."""
    app = QApplication.instance()
    assert app is not None
    one = Language(app)
    one.choose(LanguageChoice.ENGLISH)
    yield one
    one.choose(LanguageChoice.ENGLISH)


def open_page(stage: Stage, moments: Moments) -> ModelsPage:
    """The page in view."""
    window = stage.open(moments)
    stage.do(window.sidebar.status.mind_button.click)
    return stage.session.models.page


def tell(stage: Stage, moments: Moments, *models: ModelStatus, mind: str = "starter") -> None:
    """The models are these now, and everyone hears."""
    stage.do(lambda: moments.deliver(ModelsEvent(models=models, mind=mind)))


def configure(moments: Moments, *files: Path, use: str = "", **servers: BadServer) -> None:
    """These are in the settings from the launch on, by their names."""
    text = f'use = "{use}"\n'
    for file in files:
        text += f'[[file]]\nname = "{file.stem}"\npath = "{file}"\n'
    for name, server in servers.items():
        text += f'[[endpoint]]\nname = "{name}"\nbase_url = "{server.address}"\nmodel = "parrot"\n'
    settings_of(moments).write_text(text, encoding="utf-8")


def settings_of(moments: Moments) -> Path:
    return moments.home.config / "model.toml"


def chosen(moments: Moments) -> list[str]:
    """Who is to answer."""
    return [one.name for one in moments.partner.models.list() if one.in_use]


def serve(stage: Stage, *script: Behaviour, lists: Behaviour = listing) -> BadServer:
    """A server of models; it goes when the window and Partner have gone."""
    server = BadServer(*(script or (saying("hello"),)), lists=lists)
    stage.run(server.__aenter__())
    stage.closes(server.__aexit__)
    return server


def once(gate: asyncio.Event, behave: Behaviour = listing) -> Behaviour:
    """As `behave`, but only once somebody opens the gate."""

    async def late(line: Line) -> None:
        await gate.wait()
        await behave(line)

    return late


def press(stage: Stage, button: QWidget, key: Qt.Key = Qt.Key.Key_Return) -> None:
    stage.do(lambda: QTest.keyClick(button, key))


def choice(banner: Banner, words: str) -> QPushButton:
    return next(one for one in banner.findChildren(QPushButton) if one.text() == words)


def open_form(stage: Stage, page: ModelsPage, address: str = "") -> ServerForm:
    stage.do(page.doors.server_button.click)
    stage.until(lambda: page.form is not None)
    assert page.form is not None
    page.form.address.setText(address)
    return page.form


def type_into(stage: Stage, edit: QLineEdit, text: str) -> None:
    stage.do(lambda: QTest.keyClicks(edit, text))


# The ways to it.


def test_every_way_leads_to_the_page_and_back(stage: Stage, moments: Moments) -> None:
    window = stage.open(moments)

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
    stage: Stage, moments: Moments
) -> None:
    window = stage.open(moments)
    stage.do(window.settings_wanted.emit)
    settings = stage.session.settings.page
    stage.do(lambda: settings.show_section("models"))
    stage.until(lambda: "models" in settings.sections and not settings.building)
    stage.until(lambda: settings.row("model", ("role",)))  # and so all before
    assert settings.row("model", ("temperature",))
    assert not any(settings.row("model", (key,)) for key in ("use", "file", "endpoint"))
    press(stage, settings.models_button)
    assert isinstance(window.page.shown, ModelsPage)
    stage.do(stage.session.models.page.settings_button.click)
    assert isinstance(window.page.shown, SettingsPage)


def test_the_page_is_there_before_partner_is(stage: Stage, moments: Moments, tiny: Path) -> None:
    window = stage.open()
    stage.do(window.models_wanted.emit)
    page = stage.session.models.page
    assert page.starter.mark.isChecked()
    stage.do(page.doors.server_button.click)
    assert page.form is None, "nobody could take it yet"
    configure(moments, tiny)
    stage.attach(moments)
    assert list(page.cards) == ["tiny"]


def test_nothing_of_the_pages_is_imported_before_one_is_opened() -> None:
    # pydantic: what settings and forms are made of comes in a thread, with the app.
    code = (
        "import sys, partner_desktop.desktop.session.session\n"
        "late = lambda name: '.models.' in name or name.endswith('.reasoning') or name == 'pydantic'\n"
        "print([name for name in sys.modules if late(name)])"
    )
    said = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    controllers = ("model_controller", "source_controller")
    assert said.stdout.strip() == str([f"partner_desktop.desktop.models.{one}" for one in controllers])


def test_the_welcome_tells_of_models_only_while_there_is_none(stage: Stage, moments: Moments) -> None:
    window = stage.open(moments)
    stage.do(lambda: stage.session.open(""))
    assert window.page.welcome.model_hint.isVisible()
    tell(stage, moments, TINY)
    assert not window.page.welcome.model_hint.isVisible()
    assert not window.page.welcome.models_button.isVisible()


# Who answers, and what there is.


def test_an_empty_page_says_who_answers_and_how_to_get_a_model(stage: Stage, moments: Moments) -> None:
    page = open_page(stage, moments)
    assert page.cards == {}
    assert page.starter.mark.isChecked()
    assert page.starter.answers.text() == "answers"
    assert page.doors.file_button.property("look") == "primary"
    assert stage.window.focusWidget() is page.starter.mark


def test_each_card_says_what_its_model_is_and_how_it_fares(stage: Stage, chat: Chat) -> None:
    page = show_page(stage, chat, QWEN, LLAMA, CLUSTER, BROKEN, TINY, mind="Qwen3 4B")
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


def test_a_model_is_chosen_by_its_mark_and_comes_up_at_once(stage: Stage, moments: Moments) -> None:
    first, second = serve(stage), serve(stage)
    configure(moments, first=first, second=second)
    moments.ask(moments.partner.models.load("second"))
    page = open_page(stage, moments)
    mark = page.cards["first"].mark
    assert mark.accessibleName() == "Let first answer"
    press(stage, mark)
    stage.until(lambda: page.cards["first"].state.text() == "ready")
    assert moments.partner.models.mind() == "first"
    assert mark.isChecked()
    assert mark.accessibleName() == "first answers"
    assert not page.starter.mark.isChecked()
    changed = settings_of(moments).stat().st_mtime_ns
    press(stage, mark)
    assert len(first.seen) == 1, "it answers already"
    assert settings_of(moments).stat().st_mtime_ns == changed
    press(stage, page.cards["second"].mark, Qt.Key.Key_Space)
    stage.until(lambda: moments.partner.models.mind() == "second")
    assert len(second.seen) == 1, "it is ready"
    stage.do(page.starter.mark.click)
    stage.until(lambda: moments.partner.models.mind() == "starter")
    assert page.starter.answers.text() == "answers"


def test_a_choice_that_is_refused_changes_no_mark_and_says_why(stage: Stage, moments: Moments) -> None:
    configure(moments, there=serve(stage))
    page = open_page(stage, moments)
    card, right = page.cards["there"], settings_of(moments).read_text()
    settings_of(moments).write_text(f"{right}use = [")
    stage.do(card.mark.click)
    stage.until(card.fault.isVisible)
    assert "model.toml" in card.fault.text()
    assert page.starter.mark.isChecked()
    assert not card.mark.isChecked()
    (there,) = moments.partner.models.list()
    tell(stage, moments, replace(there, state="ready"))
    assert not card.fault.isVisible()
    stage.do(card.mark.click)
    stage.until(card.fault.isVisible)
    settings_of(moments).write_text(right)
    stage.do(card.mark.click)
    stage.until(lambda: chosen(moments) == ["there"])
    stage.settle()
    assert not card.fault.isVisible()


def test_a_chosen_model_that_failed_leaves_the_starter_answering_visibly(
    stage: Stage, moments: Moments, tiny: Path
) -> None:
    configure(moments, tiny, use="tiny")
    tiny.unlink()
    page = open_page(stage, moments)
    assert page.cards["tiny"].mark.isChecked()
    assert page.starter.answers.text() == "answers meanwhile"


def test_cards_stay_and_keep_the_keyboard_while_their_models_change(stage: Stage, moments: Moments) -> None:
    page = open_page(stage, moments)
    tell(stage, moments, TINY, QWEN)
    card = page.cards["tiny"]
    stage.do(card.act_button.setFocus)
    for state, percent, words in (
        ("loading", 0.0, "Cancel"),
        ("loading", 0.5, "Cancel"),
        ("ready", 0, "Unload"),
    ):
        tell(stage, moments, QWEN, replace(TINY, state=cast("ModelState", state), progress=percent))
        assert page.cards["tiny"] is card
        assert card.act_button.text() == words
        assert stage.window.focusWidget() is card.act_button
    assert list(page.cards) == ["tiny", "Qwen3 4B"]
    tell(stage, moments, QWEN)
    assert list(page.cards) == ["Qwen3 4B"]
    assert stage.window.focusWidget() is page.starter.mark


def test_the_first_button_loads_gives_up_or_unloads(stage: Stage, chat: Chat) -> None:
    page = show_page(stage, chat, TINY)
    wanted: list[tuple[str, str]] = []
    page.load_wanted.connect(lambda name: wanted.append(("load", name)))
    page.unload_wanted.connect(lambda name: wanted.append(("unload", name)))
    for state, verb in (("idle", "load"), ("failed", "load"), ("loading", "unload"), ("ready", "unload")):
        model = replace(TINY, state=cast("ModelState", state))
        stage.do(lambda model=model: page.show_models((model,), "starter"))  # type: ignore[misc] # bound early
        press(stage, page.cards["tiny"].act_button)
        assert wanted.pop() == (verb, "tiny"), state
    assert wanted == []


class Shown(QObject):
    """Counts how often what it watches came into view."""

    count = 0

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.count += event.type() is QEvent.Type.ShowToParent
        return False


@needs_engine
def test_a_load_that_was_given_up_is_no_fault(stage: Stage, moments: Moments, tiny: Path) -> None:
    async def click() -> None:
        """Without waiting for what comes of it."""
        card.act_button.click()
        await rounds()

    configure(moments, tiny)
    page = open_page(stage, moments)
    card, faults = page.cards["tiny"], Shown()
    card.fault.installEventFilter(faults)
    stage.run(click())
    stage.until(lambda: card.act_button.text() == "Cancel")
    stage.run(click())
    stage.until(lambda: card.state.text() == "not loaded")
    stage.until(lambda: "window:load tiny" not in {task.get_name() for task in asyncio.all_tasks()})
    stage.settle()
    assert faults.count == 0
    assert not stage.window.findChildren(Toast)


def test_removing_asks_first_and_says_that_the_file_stays(stage: Stage, moments: Moments, tiny: Path) -> None:
    configure(moments, tiny)
    page = open_page(stage, moments)
    card = page.cards["tiny"]
    press(stage, card.remove_button)
    assert card.question is not None
    assert card.question.text.text() == f"The file stays where it is: {tiny}"
    focused = stage.window.focusWidget()
    assert isinstance(focused, QPushButton)
    assert focused.text() == "Cancel"
    press(stage, focused)
    assert len(moments.partner.models.list()) == 1
    assert stage.window.focusWidget() is card.remove_button
    press(stage, card.remove_button)
    stage.do(choice(card.question, "Remove").click)
    stage.until(lambda: page.cards == {})
    assert moments.partner.models.list() == ()
    assert tiny.exists()


# Files.


def test_the_first_file_is_added_chosen_and_loaded(stage: Stage, moments: Moments, tiny: Path) -> None:
    page = open_page(stage, moments)
    stage.do(page.doors.file_button.click)
    dialog = stage.window.findChild(QFileDialog)
    assert dialog is not None
    assert "*.gguf" in dialog.nameFilters()[0]
    stage.do(lambda: dialog.fileSelected.emit(str(tiny)))
    stage.do(dialog.close)
    stage.until(lambda: page.cards["tiny"].state.text() == "failed")  # it was tried, and is no whole model
    assert page.cards["tiny"].where.accessibleName().endswith("tiny.gguf")
    assert page.cards["tiny"].mark.isChecked()
    assert chosen(moments) == ["tiny"]


def test_a_file_that_is_no_model_is_said_on_the_page(stage: Stage, moments: Moments, tiny: Path) -> None:
    configure(moments, another=serve(stage), use="another")
    page = open_page(stage, moments)
    notes = tiny.with_name("notes.gguf")
    notes.write_text("no model")
    stage.do(lambda: stage.session.models.add_files([notes]))
    stage.until(lambda: "notes.gguf is not a model in the GGUF format" in page.fault)
    stage.do(lambda: stage.session.models.add_files([tiny]))
    stage.until(lambda: "tiny" in page.cards)
    assert page.fault == ""


def test_a_dropped_model_is_offered_and_a_script_beside_it_too(
    stage: Stage, moments: Moments, tiny: Path
) -> None:
    window = stage.open(moments)
    stage.do(lambda: window.files_dropped.emit([tiny, Path("/home/user/resize.py")]))
    models, script = window.page.findChildren(Banner)
    assert models.accessibleName() == "Add tiny.gguf to the models?"
    assert "resize.py" in script.accessibleName()
    stage.do(choice(models, "Add").click)
    stage.until(lambda: chosen(moments) == ["tiny"])
    stage.until(lambda: moments.partner.models.list()[0].state == "failed")  # it was tried


def test_a_further_model_only_offers_to_answer(stage: Stage, moments: Moments, tiny: Path) -> None:
    configure(moments, first=serve(stage), use="first")
    window = stage.open(moments)
    stage.do(lambda: stage.session.models.add_files([tiny]))
    stage.until(lambda: window.findChild(Toast))
    assert [one.name for one in moments.partner.models.list()] == ["tiny", "first"]
    assert chosen(moments) == ["first"]
    (toast,) = window.findChildren(Toast)
    stage.do(next(one for one in toast.findChildren(QPushButton) if one.text() == "Let it answer").click)
    stage.until(lambda: chosen(moments) == ["tiny"])
    stage.until(lambda: moments.partner.models.list()[0].state == "failed")  # it was tried


def test_a_fault_is_said_over_the_composer_where_the_page_is_not_open(
    stage: Stage, moments: Moments, tmp_path: Path
) -> None:
    window = stage.open(moments)
    stage.do(lambda: stage.session.models.add_files([tmp_path / "notes.gguf"]))
    stage.until(lambda: window.findChild(Toast))
    (toast,) = window.findChildren(Toast)
    assert any("notes.gguf is not there" in label for label in _words(toast))


def _words(widget: QWidget) -> list[str]:
    return [label.text() for label in widget.findChildren(QLabel)]


# Servers.


def test_a_server_is_saved_with_its_key_which_is_never_shown(stage: Stage, moments: Moments) -> None:
    server = serve(stage)
    page = open_page(stage, moments)
    form = open_form(stage, page)
    assert stage.window.focusWidget() is form.address
    kept = "It is never shown again, and kept in the system keyring (test keyring)."
    assert kept in {label.text() for label in form.findChildren(QLabel)}
    assert form.key.line.echoMode() is QLineEdit.EchoMode.Password
    type_into(stage, form.address, server.address)
    type_into(stage, form.model, "parrot")
    type_into(stage, form.key.line, "sk-secret")
    type_into(stage, form.room, "32,768")
    press(stage, form.room)
    stage.until(lambda: page.form is None)
    card = page.cards["127.0.0.1"]
    stage.until(lambda: card.state.text() == "ready")
    assert page.doors.isVisible()
    assert card.mark.isChecked()
    (there,) = moments.partner.models.list()
    assert (there.where, there.description, there.context_tokens) == (server.address, "parrot", 32_768)
    assert [one.headers.get("authorization") for one in server.seen] == ["Bearer sk-secret"]
    assert moments.ask(SecretStore(moments.home).get("127.0.0.1")) == "sk-secret"
    assert "sk-secret" not in settings_of(moments).read_text()


def test_a_server_that_is_refused_keeps_what_was_typed(stage: Stage, moments: Moments) -> None:
    page = open_page(stage, moments)
    form = open_form(stage, page)
    press(stage, form.save_button)
    assert "Type the server's address" in form.problem
    assert moments.partner.models.list() == ()
    stage.do(form.known_buttons[0].click)
    assert form.address.text() == OLLAMA
    assert form.problem == ""
    settings_of(moments).write_text("use = [")
    press(stage, form.save_button)
    stage.until(lambda: "model.toml" in form.fault)
    assert form.address.text() == OLLAMA
    assert form.save_button.isEnabled()


def test_escape_leaves_the_form_and_not_the_page(stage: Stage, moments: Moments) -> None:
    page = open_page(stage, moments)
    form = open_form(stage, page)
    type_into(stage, form.key.line, "sk-secret")
    press(stage, form.key.line, Qt.Key.Key_Escape)
    assert page.form is None
    assert stage.window.page.shown is page
    assert stage.window.focusWidget() is page.doors.server_button


def test_a_test_says_line_by_line_what_works(stage: Stage, moments: Moments) -> None:
    ready = asyncio.Event()
    server = serve(stage, refusing(401), lists=once(ready))
    page = open_page(stage, moments)
    form = open_form(stage, page, server.address)
    press(stage, form.test_button)
    assert form.checks.words[0] == "… The server is reached"
    assert form.checks.progress.isVisible()
    assert form.test_button.text() == "Stop the test"
    stage.do(ready.set)
    stage.until(lambda: not form.checks.progress.isVisible())
    assert form.checks.words[0] == f"✓ {server.address} answers."
    assert form.checks.words[1].startswith("✗ ")
    assert "key" in form.checks.words[1]
    assert form.checks.words[2:] == [
        "– The model is there: not tried",
        "– Answers come word by word: not tried",
        "– Answers keep to a given form: not tried",
    ]
    assert form.test_button.text() == "Test"
    stage.do(form.checks.models[1].click)
    assert form.model.text() == "owl"
    assert form.checks.isVisible()
    type_into(stage, form.key.line, "x")
    assert not form.checks.isVisible(), "what was tested is not what stands there"


def test_a_test_can_be_stopped(stage: Stage, moments: Moments) -> None:
    ended: list[str] = []

    async def hangs(line: Line) -> None:
        await line.left()
        ended.append(line.seen.path)

    page = open_page(stage, moments)
    form = open_form(stage, page, serve(stage, lists=hangs).address)
    stage.do(form.test_button.click)
    stage.do(form.test_button.click)
    stage.until(lambda: len(ended) == 1)
    assert form.test_button.text() == "Test"
    assert not form.checks.isVisible()
    stage.do(form.test_button.click)
    stage.do(form.cancel_button.click)
    stage.until(lambda: len(ended) == 2)


def test_another_key_is_tried_at_once(stage: Stage, moments: Moments) -> None:
    async def locked(line: Line) -> None:
        right = line.seen.headers.get("authorization") == "Bearer sk-right"
        await (listing if right else refusing(401))(line)

    configure(moments, cellar=serve(stage, lists=locked))
    with pytest.raises(ModelError, match="key"):
        moments.ask(moments.partner.models.load("cellar"))
    page = open_page(stage, moments)
    card = page.cards["cellar"]
    assert card.state.text() == "failed"
    press(stage, card.key_button)
    stage.until(lambda: card.key_form is not None)
    assert card.key_form is not None
    assert stage.window.focusWidget() is card.key_form.field.line
    said = " ".join(label.text() for label in card.key_form.findChildren(QLabel))
    assert "in the system keyring (test keyring)" in said
    type_into(stage, card.key_form.field.line, "sk-right")
    press(stage, card.key_form.field.line)
    stage.until(lambda: card.state.text() == "ready")
    assert moments.ask(SecretStore(moments.home).get("cellar")) == "sk-right"
    assert stage.window.focusWidget() is card.key_button


# The foot and the busy line.


def test_a_server_that_takes_its_time_is_seen_to_be_asked(stage: Stage, moments: Moments) -> None:
    answers = asyncio.Event()
    configure(moments, cellar=serve(stage, lists=once(answers, refusing(401))))
    page = open_page(stage, moments)
    card = page.cards["cellar"]
    stage.do(card.act_button.click)
    assert card.state.text() == "connecting"
    assert card.progress.isVisible()
    stage.do(answers.set)
    stage.until(lambda: card.state.text() == "failed")
    (there,) = moments.partner.models.list()
    assert "key" in there.reason
    assert card.fault.text() == there.reason


def test_the_foot_names_the_model_and_how_it_fares(stage: Stage, moments: Moments) -> None:
    foot = stage.open(moments).sidebar.status
    for model, words, color, share in (
        (QWEN, "Qwen3 4B · 38 tokens/s", "good", None),
        (replace(QWEN, tokens_per_s=0.0), "Qwen3 4B · ready", "good", None),
        (replace(QWEN, state="idle"), "Qwen3 4B · on demand", "muted", None),
        (replace(QWEN, state="idle", busy=True), "Qwen3 4B · at work", "good", None),
        (replace(QWEN, state="loading", progress=0.4), "Qwen3 4B · loading 40 %", "accent", 0.4),
        (replace(QWEN, state="failed", reason="It broke."), "Qwen3 4B · failed", "careful", None),
    ):
        tell(stage, moments, TINY, model, mind=model.name)
        assert foot.words.splitlines()[0] == words
        assert (foot.mind_button.color_name, foot.mind_button.share) == (color, share)
        assert foot.mind_button.accessibleName() == f"{words}. Show the models"
        assert model.reason in foot.hint
        tell(stage, moments, TINY)
        assert foot.words.startswith("Starter mind")


def test_what_an_open_model_holds_of_memory_has_a_line_of_its_own(stage: Stage, moments: Moments) -> None:
    foot = stage.open(moments).sidebar.status
    held = replace(QWEN, name="a model with a name that is long", memory_bytes=3_100_000_000)
    tell(stage, moments, held, mind=held.name)
    assert foot.words.splitlines()[1] == "3.1 GB of memory"
    tell(stage, moments, replace(held, state="idle"), mind=held.name)
    assert "of memory" not in foot.words


def test_while_the_model_loads_one_can_go_on_and_is_told_how_far_it_is(
    stage: Stage, moments: Moments
) -> None:
    loading = replace(QWEN, state="loading", progress=0.4)
    window = stage.open(moments)
    tell(stage, moments, loading)
    stage.do(lambda: moments.deliver(TurnEvent(conversation_id="c1", turn_id="t1", state="started")))
    stage.until(lambda: window.page.feed.busy)
    for model, words in (
        (loading, "The model is loading… 40 %"),
        (QWEN, "Thinking…"),
        (loading, "The model is loading… 40 %"),
    ):
        tell(stage, moments, model)
        assert window.page.feed.findChildren(BusyRow)[0].words == words
    edit = window.page.composer.edit
    assert edit.isEnabled()
    stage.do(lambda: QTest.keyClicks(edit, "and this"))
    stage.do(lambda: QTest.keyClick(edit, Qt.Key.Key_Return))
    stage.until(lambda: moments.said() == ["and this"])


# For everyone.


def show_page(
    stage: Stage,
    chat: Chat,
    *models: ModelStatus,
    mind: str = "starter",
    size: tuple[int, int] = (1280, 800),
) -> ModelsPage:
    """The page with these on it, and nobody behind it."""
    window = chat.open(size=size)
    stage.do(window.models_wanted.emit)
    stage.do(lambda: stage.session.models.page.show_models(models, mind))
    return stage.session.models.page


def fill(stage: Stage, chat: Chat, *, size: tuple[int, int] = (1280, 800)) -> ModelsPage:
    """A page with a card in every state, a question and a form for a key."""
    broken = replace(BROKEN, note="Its template does not work.")
    page = show_page(stage, chat, QWEN, LLAMA, CLUSTER, broken, size=size)
    stage.window.sidebar.status.show_state(StatusState(started=True))
    stage.window.sidebar.status.show_model(QWEN)
    stage.do(page.cards[QWEN.name].ask_to_remove)
    stage.do(lambda: page.cards[CLUSTER.name].show_key_form(KEYS_IN))
    return page


def test_every_control_has_a_name_and_is_a_stop(stage: Stage, chat: Chat) -> None:
    page = fill(stage, chat)
    stops = tab_stops(page.regions)
    for card in (page.cards[LLAMA.name], page.cards[BROKEN.name]):
        assert {card.mark, card.act_button, card.remove_button} <= set(stops)
    stage.do(lambda: page.show_form(KEYS_IN))
    nameless = [repr(widget) for widget in controls(page) if not widget.accessibleName().strip()]
    assert not nameless


def show_tested(stage: Stage, page: ModelsPage, report: EndpointReport) -> None:
    """The form, with a server that was tested."""
    form = page.show_form(KEYS_IN)
    stage.do(form.known_buttons[0].click)
    stage.do(form.test_button.click)
    stage.do(lambda: page.show_report(report))


def test_the_page_follows_the_language(stage: Stage, chat: Chat, language: Language) -> None:
    page = fill(stage, chat)
    stage.do(page.show_form(KEYS_IN).save_button.click)
    check = EndpointCheck("reachable", ok=True, sentence=BROKEN.reason)
    show_tested(stage, page, EndpointReport((check,), ("qwen",)))
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


@pytest.mark.parametrize("size", [(1280, 800), (900, 600), (480, 600)])
@pytest.mark.parametrize("choice", [LanguageChoice.ENGLISH, LanguageChoice.CHINESE])
def test_nothing_of_it_is_cut(
    stage: Stage, chat: Chat, language: Language, size: tuple[int, int], choice: LanguageChoice
) -> None:
    page = fill(stage, chat, size=size)
    stage.do(lambda: language.choose(choice))
    assert _too_large(stage, page, 0.7, 1.0, 1.5, 2.0) == []
    show_tested(stage, page, EndpointReport(()))
    assert _too_large(stage, page, 2.0, 1.5, 1.0, 0.7) == []


def _too_large(stage: Stage, page: ModelsPage, *zooms: float) -> list[tuple[float, list[str]]]:
    """At which zooms something is cut or sticks out, and what."""
    found = []
    for zoom in zooms:
        stage.do(lambda zoom=zoom: stage.theme.set_zoom(zoom))  # type: ignore[misc] # bound now
        stage.settle()
        found.append((zoom, [*cut(stage.window), *_wider(page)]))
    return [one for one in found if one[1]]


def _wider(page: ModelsPage) -> list[str]:
    """Parts that stick out of the page."""
    most = page.area.viewport().width()
    parts = page.area.viewport().findChildren(QWidget)
    return [repr(one) for one in parts if one.isVisible() and one.width() > most]


def test_a_self_test_that_goes_on_is_shown_on_the_card_of_its_model_alone(stage: Stage, chat: Chat) -> None:
    page = show_page(stage, chat, QWEN, LLAMA)
    done = CheckResult("choose1", "choose", passed=True, answer="tidy", wanted="tidy")
    check = ModelCheck(QWEN.name, total=20, results=(done,))
    stage.do(lambda: chat.deliver(ModelCheckEvent(check=check)))
    view = page.cards[QWEN.name].check
    assert view is not None
    assert view.summary.text() == "Self-test: task 2 of 20…"
    assert page.cards[LLAMA.name].check is None
