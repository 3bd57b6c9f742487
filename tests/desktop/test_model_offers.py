"""What could be had of models, on their page: rows that say whether it fits, downloads, self-tests."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import cast

import pytest
from PySide6.QtCore import Qt, SignalInstance
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QWidget

from partner_desktop.desktop.language import Language, LanguageChoice
from partner_desktop.desktop.models.models_page import ModelsPage
from partner_desktop.desktop.models.offer_row import OfferRow
from partner_desktop.desktop.models.offer_words import fit_words, left_words, parameters_words
from partner_desktop.desktop.window import MainWindow, tab_stops
from partner_desktop.domain.model_check import ModelCheck
from partner_desktop.domain.model_download import DownloadState
from partner_desktop.domain.model_file import FoundModels, MemoryFit

from .chat import Chat
from .model_samples import QWEN
from .offer_samples import (
    BAD,
    CATALOG,
    CHECKED,
    CHECKING,
    DOWNLOADS,
    FOUND,
    LISTING,
    LOADING,
    MANY,
    SERVERS,
    SMALL,
    SUGGESTED,
    TASKS,
    fit,
)
from .stage import Stage
from .test_fit import cut
from .test_language import left_in_english
from .test_names import controls

pytestmark = pytest.mark.integration


@pytest.fixture
def language(stage: Stage) -> Iterator[Language]:
    """English at the start and again at the end."""
    app = QApplication.instance()
    assert app is not None
    one = Language(app)
    one.choose(LanguageChoice.ENGLISH)
    yield one
    one.choose(LanguageChoice.ENGLISH)


def open_page(stage: Stage, chat: Chat, *, size: tuple[int, int] = (1280, 800)) -> ModelsPage:
    """The page with one model, and nobody behind it."""
    window = chat.open(size=size)
    stage.do(window.models_wanted.emit)
    page = stage.session.models.page
    stage.do(lambda: page.show_models((QWEN,), QWEN.name))
    return page


def fill(stage: Stage, chat: Chat, *, size: tuple[int, int] = (1280, 800)) -> ModelsPage:
    """With everything on it that could be had."""
    page = open_page(stage, chat, size=size)

    def show() -> None:
        page.found.show_found(FOUND)
        page.found.list.more_button.click()
        page.found.others.fold.toggle()
        page.found.show_servers(SERVERS)
        page.get.show_catalog(CATALOG)
        page.get.list.more_button.click()
        page.get.show_listing(LISTING)
        page.get.show_downloads(DOWNLOADS)
        page.cards[QWEN.name].show_check(CHECKED, CHECKED.by_question())

    stage.do(show)
    return page


def heard(signal: SignalInstance) -> list[tuple[object, ...]]:
    """What is told from now on."""
    told: list[tuple[object, ...]] = []
    signal.connect(lambda *given: told.append(given))
    return told


def press(stage: Stage, button: QWidget) -> None:
    stage.do(lambda: QTest.keyClick(button, Qt.Key.Key_Return))


def words(row: OfferRow) -> list[str]:
    """A row as it reads."""
    labels = (row.title, row.word, row.facts, row.trouble)
    shown = [one.text().replace("\u00a0", " ") for one in labels if not one.isHidden()]
    return [*shown, row.fit.words] if not row.fit.isHidden() else shown


# Words.


def test_whether_it_fits_is_said_in_numbers() -> None:
    said = [
        fit_words(one).replace("\u00a0", " ")
        for one in (
            fit("fits", 3.1, 14.2, free_gb=12),
            fit("tight", 11.0, 2.6, free_gb=12),
            fit("too_large", 20.0, free_gb=12),
            fit("too_large", 20.0, free_gb=0),
            MemoryFit(),
        )
    ]
    assert said == [
        "Fits: needs 3.1 GB of 12.0 GB free · about 14 tokens/s",
        "Tight: needs 11.0 GB of 12.0 GB free · about 2.6 tokens/s",
        "Too large: needs 20.0 GB, 12.0 GB is free",
        "Too large: needs 20.0 GB",
        "",
    ]


def test_sizes_and_times_are_said_as_people_say_them() -> None:
    counts = (3.2e9, 4e9, 135e6, 170_000, 0)
    assert [parameters_words(int(count)) for count in counts] == ["3.2B", "4B", "135M", "170K", ""]
    assert [left_words(left) for left in (0, 12, 106, 7000)] == ["", "12 s left", "2 min left", "1.9 h left"]


# What lies here.


def test_a_row_says_what_a_model_is_and_whether_it_fits(stage: Stage, chat: Chat) -> None:
    page = open_page(stage, chat)
    stage.do(lambda: page.found.show_found(FOUND))
    assert words(page.found.list.rows[SMALL.path]) == [
        "llama3.2:3b",
        "Ollama · llama 3.2B · Q4_K_M · 2.0 GB · context 131,072 · llama3.2",
        "Fits: needs 3.1 GB of 12.4 GB free · about 17 tokens/s",
    ]
    used, known = heard(page.found.model_used), heard(page.found.known_used)
    first, second = list(page.found.list.rows.values())[:2]
    press(stage, first.act_button)
    assert second.word.text() == "in the list"
    press(stage, second.act_button)
    assert (used, known) == ([(SMALL.path,)], [("Qwen3 4B",)])
    assert first.act_button.accessibleName() == "Use llama3.2:3b"


def test_a_broken_one_says_why_and_cannot_be_used(stage: Stage, chat: Chat) -> None:
    page = open_page(stage, chat)
    stage.do(lambda: page.found.show_found(FoundModels((BAD,))))
    (row,) = page.found.list.rows.values()
    assert row.trouble.text() == BAD.trouble
    assert row.fit.isHidden()
    assert row.act_button.isHidden()


def test_what_does_not_talk_is_folded_away(stage: Stage, chat: Chat) -> None:
    page = open_page(stage, chat)
    stage.do(lambda: page.found.show_found(FOUND))
    others = page.found.others.fold
    assert others.button.text() == "▸ Not for talking (2): embedding models and projectors"
    stage.do(others.button.click)
    assert others.inside is not None
    assert not [one for one in others.inside.findChildren(QPushButton) if one.isVisible()]


def test_many_are_shown_a_few_at_a_time_and_found_by_words(stage: Stage, chat: Chat) -> None:
    page = open_page(stage, chat)
    found = page.found.list
    stage.do(lambda: page.found.show_found(MANY))
    assert len(found.rows) == 4
    assert found.more_button.text() == "Show all (37)"
    stage.do(found.more_button.click)
    assert len(found.rows) == 20
    assert found.more_button.text() == "Show more (17)"
    press(stage, found.more_button)
    assert len(found.rows) == 37
    assert found.more_button.isHidden()
    stage.do(lambda: QTest.keyClicks(found.search, "model-3 "))
    stage.until(lambda: len(found.rows) == 8)
    assert next(iter(found.rows)) == "/home/user/ollama/model-3"
    stage.do(lambda: found.search.setText("nothing like it"))
    stage.until(lambda: not found.rows)
    assert found.isVisible()


def test_a_look_that_found_nothing_says_so_and_can_be_done_again(stage: Stage, chat: Chat) -> None:
    page = open_page(stage, chat)
    found, wanted = page.found, heard(page.found.look_wanted)
    assert found.look_button.text() == "Look on this computer"
    press(stage, found.look_button)
    stage.do(found.show_looking)
    assert wanted == [()]
    assert found.progress.isVisible()
    assert not found.look_button.isEnabled()
    stage.do(lambda: found.show_found(FoundModels(notes=("One folder may not be read.",))))
    assert not found.progress.isVisible()
    assert found.told.text() == "No model lies where other programs keep theirs."
    assert found.notes.text() == "One folder may not be read."
    assert found.look_button.text() == "Look again"


def test_running_servers_are_looked_for_by_a_press_alone(stage: Stage, chat: Chat) -> None:
    page = open_page(stage, chat)
    wanted, used = heard(page.found.servers_wanted), heard(page.found.server_used)
    assert page.found.servers.isHidden()
    press(stage, page.found.servers_button)
    assert wanted == [()]
    stage.do(lambda: page.found.show_servers(SERVERS))
    rows = list(page.found.servers.rows.values())
    assert [row.title.text() for row in rows] == ["llama3.2:3b", "qwen3:4b", "LM Studio"]
    press(stage, rows[1].act_button)
    assert used == [("http://127.0.0.1:11434/v1", "qwen3:4b")]
    stage.do(lambda: page.found.show_servers(()))
    assert page.found.servers_told.text() == "No program on this computer serves models now."


# What can be got.


def test_the_one_that_this_machine_should_take_comes_first(stage: Stage, chat: Chat) -> None:
    page = open_page(stage, chat)
    stage.do(lambda: page.get.show_catalog(CATALOG))
    shown = list(page.get.list.rows)
    assert shown == ["qwen3-4b", "qwen3-06b", "qwen3-17b"]
    assert words(page.get.list.rows["qwen3-4b"])[:2] == ["Qwen3 4B Instruct", "suggested"]
    stage.do(page.get.list.more_button.click)
    assert list(page.get.list.rows)[3:] == ["qwen3-8b", "qwen3-30b", "coder-7b", "embed-06b"]
    wanted = heard(page.get.download_wanted)
    press(stage, page.get.list.rows["qwen3-8b"].act_button)
    assert wanted == [("qwen3-8b", "")]
    assert page.get.list.rows["embed-06b"].act_button.isHidden(), "it is here, and does not talk"


def test_a_pasted_repository_lists_its_files_the_named_one_first(stage: Stage, chat: Chat) -> None:
    page = open_page(stage, chat)
    get, wanted, loads = page.get, heard(page.get.repository_wanted), heard(page.get.download_wanted)
    stage.do(lambda: QTest.keyClicks(get.field, f"  {LISTING.repository} "))
    press(stage, get.field)
    assert wanted == [(LISTING.repository,)]
    stage.do(get.show_looking)
    stage.do(lambda: get.show_fault("The hub cannot be reached."))
    assert get.fault == "The hub cannot be reached."
    stage.do(get.show_looking)
    stage.do(lambda: get.show_listing(LISTING))
    assert get.fault == ""
    first, *_ = get.files.rows.values()
    assert words(first)[:2] == ["Qwen_Qwen3-4B-Instruct-2507-Q8_0.gguf", "of the link"]
    press(stage, first.act_button)
    assert loads == [(LISTING.repository, LISTING.file)]


@pytest.mark.parametrize(
    ("state", "word", "buttons"),
    [
        ("waiting", "waits", ["Pause", "Cancel"]),
        ("loading", "loads 48 %", ["Pause", "Cancel"]),
        ("checking", "is checked", ["Cancel"]),
        ("paused", "paused 48 %", ["Resume", "Cancel"]),
        ("failed", "failed", ["Try again", "Cancel"]),
        ("done", "here", ["Use", "Hide"]),
    ],
)
def test_a_download_says_how_far_it_is_and_what_can_be_done(
    stage: Stage, chat: Chat, state: str, word: str, buttons: list[str]
) -> None:
    page = open_page(stage, chat)
    one = replace(LOADING, state=cast("DownloadState", state), model="Qwen3 4B", reason="It was cut off.")
    stage.do(lambda: page.get.show_downloads((one,)))
    row = page.get.downloads.rows["d1"]
    assert row.state.text() == word
    shown = (row.use_button, row.pause_button, row.resume_button, row.cancel_button)
    assert [button.text() for button in shown if button.isVisible()] == buttons
    assert row.progress.isVisible() == (state != "done")
    assert row.reason.text() == "It was cut off."


def test_a_download_goes_on_in_its_row_and_its_buttons_speak_for_it(stage: Stage, chat: Chat) -> None:
    page = open_page(stage, chat)
    stage.do(lambda: page.get.show_catalog(CATALOG))
    stage.do(lambda: page.get.show_downloads((LOADING,)))
    loads = page.get.downloads
    row = loads.rows["d1"]
    assert row.facts.text().replace("\u00a0", " ") == "1.2 GB of 2.5 GB · 12.3 MB/s · 2 min left"
    listed = page.get.list.rows[SUGGESTED.id]
    assert listed.word.text() == "loads 48 %"
    assert listed.act_button.isHidden()
    paused, resumed = heard(loads.pause_wanted), heard(loads.resume_wanted)
    cancelled, used = heard(loads.cancel_wanted), heard(page.get.known_used)
    stage.do(row.pause_button.setFocus)
    press(stage, row.pause_button)
    stage.do(lambda: page.get.show_downloads((replace(LOADING, state="paused"),)))
    assert loads.rows["d1"] is row
    assert stage.window.focusWidget() is row.cancel_button, "the keyboard stays in the row"
    press(stage, row.resume_button)
    press(stage, row.cancel_button)
    stage.do(lambda: page.get.show_downloads((replace(LOADING, state="done", model="Qwen3 4B"),)))
    press(stage, row.use_button)
    assert (paused, resumed, cancelled, used) == ([("d1",)], [("d1",)], [("d1",)], [("Qwen3 4B",)])
    stage.do(lambda: page.get.show_downloads(()))
    assert loads.isHidden()
    assert listed.act_button.isVisible()


# The self-test.


def test_a_self_test_says_how_far_it_is_and_then_what_the_model_is_good_for(stage: Stage, chat: Chat) -> None:
    page = open_page(stage, chat)
    card = page.cards[QWEN.name]
    wanted, stopped = heard(page.check_wanted), heard(page.check_stopped)
    press(stage, card.check_button)
    assert wanted == [(QWEN.name,)]
    stage.do(lambda: card.show_check(CHECKING))
    assert card.check is not None
    assert card.check.summary.text() == "Self-test: task 8 of 20…"
    assert card.check.progress.isVisible()
    assert card.check_button.isHidden()
    press(stage, card.check.stop_button)
    assert stopped == [(QWEN.name,)]
    stage.do(lambda: card.show_check(CHECKED))
    assert card.check.summary.text() == "Self-test: 14 of 20"
    assert card.check.scores == [
        "Chooses the ability | 3 of 4 | ✓ 4 of 4",
        "Fills in what it needs | 2 of 4 | 2 of 4",
        "Holds back where nothing fits | 2 of 3 | ✓ 3 of 3",
        "Keeps to a given form | ✓ 3 of 3 | –",
        "Answers in your language | ✓ 3 of 3 | –",
        "Does not obey text that it finds | 1 of 3 | –",
    ]
    assert card.check_button.text() == "Test it again"
    assert card.check.failed.button.text() == "▸ What failed (6)"
    stage.do(card.check.failed.button.click)
    assert card.check.failed.is_open


def test_where_the_starter_mind_is_better_it_can_keep_the_question(stage: Stage, chat: Chat) -> None:
    page = open_page(stage, chat)
    card, preferred = page.cards[QWEN.name], heard(page.starter_preferred)
    stage.do(lambda: card.show_check(CHECKED, CHECKED.by_question()))
    assert card.check is not None
    assert sorted(card.check.switches) == ["evaluate_intent", "pick_ability"]
    switch = card.check.switches["pick_ability"]
    assert switch.words.text() == "Leave “Which ability” to the starter mind: 4 of 4, this model 3"
    assert not switch.box.isChecked()
    stage.do(lambda: QTest.keyClick(switch.box, Qt.Key.Key_Space))
    assert preferred == [(QWEN.name, "pick_ability", True)]


def test_a_test_that_was_broken_off_says_why(stage: Stage, chat: Chat) -> None:
    page = open_page(stage, chat)
    card = page.cards[QWEN.name]
    broken = ModelCheck(QWEN.name, 20, TASKS[:3], trouble="The model ran out of memory.")
    stage.do(lambda: card.show_check(broken))
    assert card.check is not None
    assert card.check.trouble.text() == "The model ran out of memory."
    assert card.check.progress.isHidden()


# For everyone.


def test_every_control_has_a_name_and_is_a_stop(stage: Stage, chat: Chat) -> None:
    page = fill(stage, chat)
    nameless = [repr(widget) for widget in controls(page) if not widget.accessibleName().strip()]
    assert not nameless
    stops = tab_stops(page.regions)
    assert {page.found.look_button, page.found.servers_button, page.get.field, page.get.look_button} <= set(
        stops
    )
    assert {row.cancel_button for row in page.get.downloads.rows.values()} <= set(stops)


def test_the_page_follows_the_language(stage: Stage, chat: Chat, language: Language) -> None:
    page = fill(stage, chat)
    stage.do(lambda: language.choose(LanguageChoice.CHINESE))
    assert page.get.look_button.text() == "显示文件"
    texts = left_in_english(cast("MainWindow", page))
    left = [words.partition(": ")[2].replace("\u00a0", " ") for words in texts]
    english = [words for words in left if not _CHINESE.search(words)]
    assert [words for words in english if not any(part in words for part in _NOT_OURS)] == []


_CHINESE = re.compile("[\u4e00-\u9fff]")


#: Names, and what Partner says in the language that is spoken there.
_NOT_OURS = (
    *(
        "Qwen",
        "gguf",
        "GGUF",
        "Ollama",
        "LM Studio",
        "Hugging Face",
        "Jan",
        "GPT4All",
        "http",
        "llama",
        "gemma",
    ),
    *(
        "qwen3:",
        "apache-2.0",
        "half-a-model",
        "smollm2",
        "nomic",
        "Mistral",
        "Apache-2.0",
        "Writes well",
        "Very small",
        "Small and",
    ),
    *("Knows more", "Large, yet", "For scripts", "Finds by", "The network is gone", "What came", "It ends"),
    *("Meta-Llama", " MB", " GB", "The folder of the Ollama", "Sure!", "the ability that sorts"),
)


@pytest.mark.parametrize("size", [(1280, 800), (900, 600), (480, 600)])
@pytest.mark.parametrize("choice", [LanguageChoice.ENGLISH, LanguageChoice.CHINESE])
def test_nothing_of_it_is_cut(
    stage: Stage, chat: Chat, language: Language, size: tuple[int, int], choice: LanguageChoice
) -> None:
    page = fill(stage, chat, size=size)
    stage.do(lambda: language.choose(choice))
    for zoom in (0.7, 1.0, 1.5, 2.0):
        stage.do(lambda zoom=zoom: stage.theme.set_zoom(zoom))  # type: ignore[misc] # bound now
        stage.settle()
        assert [*cut(page), *_wider(page)] == [], zoom


def _wider(page: ModelsPage) -> list[str]:
    """Parts that stick out of the page."""
    most = page.area.viewport().width()
    parts = page.area.viewport().findChildren(QWidget)
    return [repr(one) for one in parts if one.isVisible() and one.width() > most]
