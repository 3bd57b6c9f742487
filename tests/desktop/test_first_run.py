"""The first run: a model that lies here, a server, a download, or just start; and nothing waits for it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from partner_desktop.desktop.chat.toasts import Toast
from partner_desktop.desktop.language import Language, LanguageChoice
from partner_desktop.desktop.models.first_run import FirstRun
from partner_desktop.desktop.models.models_page import ModelsPage
from partner_desktop.desktop.window import tab_stops
from partner_desktop.desktop.window_memory import WindowMemory
from partner_desktop.domain.events import DownloadsEvent, ModelCheckEvent, ModelsEvent
from partner_desktop.domain.model_file import FoundModels
from tests.model.engine import needs_engine, until
from tests.model.tiny import make_tiny_model
from tests.support import WAIT_S

from .model_samples import QWEN
from .moments import Moments
from .offer_samples import CATALOG, CHECKED, FOUND, LOADING, SERVERS, SUGGESTED
from .stage import Stage
from .test_fit import cut
from .test_model_offers import heard, press
from .test_names import controls

pytestmark = pytest.mark.integration


@pytest.fixture
def empty(moments: Moments) -> Moments:
    """Nothing was said yet, and no model is set."""
    moments.write("DELETE FROM conversations")
    return moments


@pytest.fixture
def language(stage: Stage) -> Iterator[Language]:
    """English at the start and again at the end."""
    app = QApplication.instance()
    assert app is not None
    one = Language(app)
    one.choose(LanguageChoice.ENGLISH)
    yield one
    one.choose(LanguageChoice.ENGLISH)


def lay_out_ollama(home: Path) -> None:
    """A folder as Ollama keeps it, with one model that is real and tiny."""
    models = home / ".ollama" / "models"
    blobs, manifests = models / "blobs", models / "manifests" / "registry.ollama.ai" / "library" / "tiny"
    blobs.mkdir(parents=True)
    manifests.mkdir(parents=True)
    made = make_tiny_model(blobs / "made")
    digest = hashlib.sha256(made.read_bytes()).hexdigest()
    blob = made.rename(blobs / f"sha256-{digest}")
    layer = {
        "mediaType": "application/vnd.ollama.image.model",
        "digest": f"sha256:{digest}",
        "size": blob.stat().st_size,
    }
    (manifests / "latest").write_text(json.dumps({"schemaVersion": 2, "layers": [layer]}))


def offers(stage: Stage) -> FirstRun:
    """What the welcome offers, once it does."""
    welcome = stage.window.page.welcome
    stage.until(lambda: welcome.offers is not None)
    assert isinstance(welcome.offers, FirstRun)
    return welcome.offers


def looked(stage: Stage) -> FirstRun:
    """The same, when the disk was looked at."""
    first = offers(stage)
    stage.until(lambda: first.here.looked)
    return first


@needs_engine
@pytest.mark.promise("desktop.firstrun")
def test_a_model_of_another_program_is_offered_and_answers_after_one_press(
    stage: Stage, empty: Moments, user_home: Path
) -> None:
    empty.mind = None
    lay_out_ollama(user_home)
    few = "".join(f'[[role]]\nquestion = "{one}"\nmax_tokens = 24\n' for one in ("reply", "evaluate_intent"))
    (empty.home.config / "model.toml").write_text(few, encoding="utf-8")  # it would babble on
    window = stage.open(empty)
    first = looked(stage)
    row = first.here.row
    assert row is not None
    assert (row.title.text(), row.word.text()) == ("tiny:latest", "on this computer")
    assert row.fit.words.startswith("Fits: needs ")
    assert row.act_button.property("look") == "small-primary"
    assert first.server.look_button.isVisible()
    assert first.start_button.isVisible()
    press(stage, row.act_button)
    stage.until(lambda: [one.state for one in empty.partner.models.list()] == ["ready"])
    assert window.page.welcome.offers is None
    assert empty.partner.models.mind() == "tiny:latest"
    edit = window.page.composer.edit
    stage.do(lambda: QTest.keyClicks(edit, "hello there"))
    stage.do(lambda: QTest.keyClick(edit, Qt.Key.Key_Return))
    said = "SELECT text FROM messages WHERE role = 'partner' AND state IN ('done', 'cut') AND text != ''"
    stage.run(until(lambda: bool(empty.read(said))), patience_s=WAIT_S)
    stage.until(lambda: "tokens/s" in window.sidebar.status.words)
    assert " MB" in window.sidebar.status.words
    assert (user_home / ".ollama").is_dir()


def test_what_was_found_is_told_to_be_in_the_list_while_it_is_whoever_brought_it_there(
    stage: Stage, empty: Moments, user_home: Path
) -> None:
    lay_out_ollama(user_home)
    window = stage.open(empty)
    looked(stage)
    stage.do(window.models_wanted.emit)
    found = stage.session.models.page.found
    (model,) = empty.ask(empty.partner.finds.models()).models
    name = empty.ask(empty.partner.finds.use(Path(model.path)))
    stage.until(lambda: [row.word.text() for row in found.list.rows.values()] == ["in the list"])
    empty.ask(empty.partner.models.remove(name))
    stage.until(lambda: [row.word.text() for row in found.list.rows.values()] == [""])


def test_the_end_of_a_test_of_a_model_that_was_removed_is_no_fault(stage: Stage, empty: Moments) -> None:
    window = stage.open(empty)
    looked(stage)
    stage.do(lambda: empty.deliver(ModelCheckEvent(check=replace(CHECKED, model="long gone"))))
    stage.settle()
    assert window.findChildren(Toast) == []


def test_a_look_that_fails_is_over(stage: Stage, empty: Moments) -> None:
    stage.open(empty)
    first = looked(stage)
    stage.do(first.show_looking)
    assert first.here.words.startswith("Looking")
    stage.do(lambda: first.show_found(None))
    assert not first.here.words.startswith("Looking")


@pytest.mark.promise("desktop.firstrun")
def test_one_can_just_start_and_is_not_asked_again(stage: Stage, empty: Moments, tmp_path: Path) -> None:
    window = stage.open(empty, memory=WindowMemory(tmp_path))
    first = looked(stage)
    assert first.here.words == "No model lies on this computer where other programs keep theirs."
    press(stage, first.start_button)
    assert window.page.welcome.offers is None
    assert window.page.welcome.model_hint.isVisible(), "how to come by a model stays said"
    assert stage.window.focusWidget() is window.page.composer.edit
    stage.do(window.close)
    assert WindowMemory(tmp_path).first_run_over()
    again = stage.open(empty, memory=WindowMemory(tmp_path))
    assert again.page.welcome.isVisible()
    assert again.page.welcome.offers is None


@pytest.mark.promise("desktop.firstrun")
def test_a_download_that_fits_is_offered_and_goes_on_in_its_place(stage: Stage, empty: Moments) -> None:
    stage.open(empty)
    first = looked(stage)
    catalog = empty.ask(empty.partner.downloads.catalog())
    suggested = [one.title for one in catalog if one.suggested]
    stage.until(lambda: first.load.offer is not None or not suggested)
    if first.load.offer is not None:
        assert [first.load.offer.title.text()] == suggested
        assert first.load.offer.act_button.property("look") == "small-primary", "nothing lies here"
    stage.do(lambda: empty.deliver(DownloadsEvent(downloads=(LOADING,))))
    row = first.load.row
    assert row is not None
    assert (row.title.text(), row.state.text()) == (SUGGESTED.title, "loads 48 %")
    assert first.load.offer is None or first.load.offer.isHidden()
    stage.do(lambda: empty.deliver(DownloadsEvent(downloads=())))
    assert first.load.row is None


@pytest.mark.promise("desktop.firstrun")
def test_a_server_that_runs_here_is_used_by_one_press(stage: Stage, empty: Moments) -> None:
    window = stage.open(empty)
    first = looked(stage)
    stage.do(lambda: first.show_servers(SERVERS))
    assert [row.title.text() for row in first.server.rows] == ["llama3.2:3b", "qwen3:4b", "LM Studio"]
    told = heard(first.server.used)
    press(stage, first.server.rows[1].act_button)
    assert told == [("http://127.0.0.1:11434/v1", "qwen3:4b")]
    stage.until(lambda: [one.name for one in empty.partner.models.list()] == ["qwen3:4b"])
    assert window.page.welcome.offers is None


def test_a_server_elsewhere_is_given_by_its_address(stage: Stage, empty: Moments) -> None:
    window = stage.open(empty)
    first = looked(stage)
    stage.do(lambda: first.show_servers(()))
    assert first.server.words.startswith("None runs on this computer now.")
    press(stage, first.server.address_button)
    assert isinstance(window.page.shown, ModelsPage)
    page = window.page.shown
    stage.until(lambda: page.form is not None)


def test_the_composer_is_live_all_the_while(stage: Stage, empty: Moments) -> None:
    window = stage.open(empty)
    first = offers(stage)
    stage.do(first.show_looking)
    edit = window.page.composer.edit
    assert stage.window.focusWidget() is edit
    stage.do(lambda: QTest.keyClicks(edit, "what time is it"))
    stage.do(lambda: QTest.keyClick(edit, Qt.Key.Key_Return))
    stage.until(lambda: empty.said() == ["what time is it"])
    assert window.page.shown is window.page.feed


def test_it_goes_by_itself_once_there_is_a_model_and_says_how_that_comes_up(
    stage: Stage, empty: Moments
) -> None:
    window = stage.open(empty)
    offers(stage)
    loading = replace(QWEN, state="loading", progress=0.4)
    stage.do(lambda: empty.deliver(ModelsEvent(models=(loading,), mind="starter")))
    welcome = window.page.welcome
    assert welcome.offers is None
    assert welcome.model_hint.text() == "Qwen3 4B is loading… 40 %"
    failed = replace(QWEN, state="failed", reason="It needs 20 GB; a smaller one would fit.")
    stage.do(lambda: empty.deliver(ModelsEvent(models=(failed,), mind="starter")))
    assert welcome.model_hint.text() == "Qwen3 4B: It needs 20 GB; a smaller one would fit."
    stage.do(lambda: empty.deliver(ModelsEvent(models=(QWEN,), mind=QWEN.name)))
    assert not welcome.model_hint.isVisible()


def test_nothing_is_looked_for_where_a_model_is_set(stage: Stage, empty: Moments, tmp_path: Path) -> None:
    file = tmp_path / "one.gguf"
    file.write_bytes(b"GGUF")
    text = f'use = "one"\n[[file]]\nname = "one"\npath = "{file}"\n'
    (empty.home.config / "model.toml").write_text(text, encoding="utf-8")
    window = stage.open(empty)
    assert window.page.welcome.isVisible()
    assert window.page.welcome.offers is None


def test_one_button_leads_the_eye(stage: Stage, empty: Moments) -> None:
    stage.open(empty)
    first = looked(stage)

    def leading() -> list[str]:
        rows = (first.here.row, first.load.offer)
        buttons = [row.act_button for row in rows if row is not None and row.isVisible()]
        looks = [*buttons, first.start_button]
        return [one.text() for one in looks if str(one.property("look")).endswith("primary")]

    stage.do(lambda: first.show_found(FoundModels()))
    stage.do(lambda: first.show_suggested(None))
    assert leading() == ["Just start"]
    stage.do(lambda: first.show_suggested(SUGGESTED))
    assert leading() == ["Download"]
    stage.do(lambda: first.show_found(FOUND))
    assert leading() == ["Use"]
    assert first.more_button.text() == "5 more on this computer…"


def test_three_things_to_try_stand_below_about_the_persons_own_folders(
    stage: Stage, empty: Moments, user_home: Path
) -> None:
    for name in ("Documents", "Downloads"):
        folder = user_home / name
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "notes.txt").write_text("words")
    window = stage.open(empty)
    looked(stage)
    welcome = window.page.welcome
    stage.until(lambda: [one for one in welcome.buttons if "~/D" in one.text()])
    shown = [one.text() for one in welcome.buttons if one.isVisible()]
    assert len(shown) == 3


def test_an_example_with_a_long_name_pushes_nothing_out_of_the_window(stage: Stage, empty: Moments) -> None:
    window = stage.open(empty, size=(480, 600))
    first, welcome = looked(stage), window.page.welcome
    long = f"how many words are in ~/Documents/{'a rather long name & more of it ' * 6}.md"
    stage.do(lambda: welcome.show_examples((long, "what is on my clipboard")))
    stage.settle()
    assert first.width() <= welcome.viewport().width()
    assert [button.toolTip() for button in welcome.buttons] == [long, ""]
    chosen = heard(welcome.example_chosen)
    press(stage, welcome.buttons[0])
    assert chosen == [(long,)]


@pytest.mark.parametrize("size", [(1280, 800), (900, 600), (480, 600)])
@pytest.mark.parametrize("choice", [LanguageChoice.ENGLISH, LanguageChoice.CHINESE])
def test_nothing_of_it_is_cut_and_all_of_it_is_named(
    stage: Stage, empty: Moments, language: Language, size: tuple[int, int], choice: LanguageChoice
) -> None:
    window = stage.open(empty, size=size)
    first = looked(stage)

    def fill() -> None:
        first.show_found(FOUND)
        first.show_suggested(CATALOG[2])
        first.show_servers(SERVERS)

    stage.do(fill)
    stage.do(lambda: language.choose(choice))
    assert [repr(one) for one in controls(first) if not one.accessibleName().strip()] == []
    assert first.start_button in tab_stops((window.page.welcome,))
    for zoom in (0.7, 1.0, 1.5, 2.0):
        stage.do(lambda zoom=zoom: stage.theme.set_zoom(zoom))  # type: ignore[misc] # bound now
        stage.settle()
        most = window.page.welcome.viewport().width()
        assert [*cut(first), *(["wide"] if first.minimumSizeHint().width() > most else [])] == [], zoom
