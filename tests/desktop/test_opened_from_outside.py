"""What another program hands to the window: files, links, and words that nobody sends but the person."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote

import pytest

from partner_desktop.base.errors import UsageError
from partner_desktop.commands.running_window import window_request
from partner_desktop.desktop.lifecycle import Lifecycle
from partner_desktop.desktop.window import MainWindow
from partner_desktop.domain.window_request import MOST_OPENED, WindowRequest
from partner_desktop.gateways.remote import RemoteClient

from .moments import Moments
from .stage import Stage

pytestmark = [pytest.mark.integration, pytest.mark.qt_log_ignore("does not support raise", extend=True)]


def opened(stage: Stage, *opens: str) -> None:
    stage.do(lambda: stage.session.show_request(WindowRequest(opens)))


def told(stage: Stage) -> str:
    return " ".join(toast.accessibleName() for toast in stage.window.page.toasts.toasts)


def test_files_named_on_a_command_line_are_found_where_it_was_called(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a b.txt").write_text("x", encoding="utf-8")
    absolute = str(tmp_path / "a b.txt")
    for word in ("a b.txt", absolute, f"file://{quote(absolute)}", f"file://localhost{quote(absolute)}"):
        assert window_request([word], quick=False) == WindowRequest((absolute,))


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["nowhere.txt"], "nowhere.txt is not there"),
        (["x" * 300], "is not there"),
        (["a\0b"], "is not there"),
        (["partner:approve/1"], "no link of Partner"),
        (["."] * (MOST_OPENED + 1), "At most 100"),
    ],
)
def test_what_cannot_be_opened_is_refused_in_a_sentence(words: list[str], says: str) -> None:
    with pytest.raises(UsageError, match=says):
        window_request(words, quick=False)


def test_a_second_start_hands_its_files_to_the_window_that_is_there(
    stage: Stage, moments: Moments, tmp_path: Path
) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("some words", encoding="utf-8")
    window = MainWindow(stage.theme)
    window.show()
    life = stage.start(Lifecycle(window, moments.build).run())
    stage.until(lambda: window.page.feed.entries)
    client = RemoteClient(moments.home)
    assert stage.run(client.call("client.raise_window", opens=[str(file)])) is True
    stage.until(lambda: [item.name for item in window.page.composer.tray.items] == ["notes.txt"])
    stage.do(window.close)
    stage.until(life.done)


def test_what_the_first_start_was_given_is_shown_when_partner_is_there(
    stage: Stage, moments: Moments
) -> None:
    window = MainWindow(stage.theme)
    window.show()
    request = WindowRequest(("partner:new?text=hello",))
    life = stage.start(Lifecycle(window, moments.build, request=request).run())
    stage.until(lambda: window.page.composer.text == "hello")
    stage.do(window.close)
    stage.until(life.done)


def test_words_of_a_link_are_laid_into_a_new_chat_and_sent_by_nobody(stage: Stage, moments: Moments) -> None:
    stage.open(moments)
    opened(stage, "partner://new?text=delete%20everything")
    assert stage.session.places.conversation_id == ""
    assert stage.window.page.composer.text == "delete everything"
    assert "A link put these words here" in told(stage)
    stage.settle()
    assert len(moments.messages("c1")) == 1
    assert stage.session.outbox.letters == ()


def test_words_of_a_link_take_nothing_away_that_was_typed(stage: Stage, moments: Moments) -> None:
    stage.open(moments)
    stage.do(lambda: stage.session.open(""))
    stage.do(lambda: stage.window.page.composer.set_text("half a thought"))
    opened(stage, "partner:new?text=more")
    assert stage.window.page.composer.text == "half a thought\nmore"


@pytest.mark.parametrize("address", ["partner:approve/1", "partner:conversation/" + "0" * 32])
def test_a_link_that_leads_nowhere_says_so(stage: Stage, moments: Moments, address: str) -> None:
    stage.open(moments)
    opened(stage, address)
    assert "leads to no message" in told(stage)


def test_what_is_asked_for_while_partner_starts_is_shown_when_it_is_there(
    stage: Stage, moments: Moments
) -> None:
    stage.open()
    opened(stage, "partner:conversation/" + "1" * 32)
    assert not told(stage)
    stage.attach(moments)
    assert "leads to no message" in told(stage), "the conversations are known by now"


def test_a_window_that_closes_shows_nothing_any_more_and_says_so(stage: Stage, moments: Moments) -> None:
    window = MainWindow(stage.theme)
    window.show()
    life = stage.start(Lifecycle(window, moments.build).run())
    stage.until(lambda: window.page.feed.entries)
    raised: list[bool] = []

    def quit_and_ask() -> None:
        window.quit()
        raised.append(moments.partner.raise_window())

    stage.do(quit_and_ask)
    stage.until(life.done)
    assert raised == [False]
    assert not window.isVisible()
