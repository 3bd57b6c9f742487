"""Chats that come in from other programs: the window takes the file, shows how far it is, and stops it."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog, QPushButton

from partner_desktop.desktop.chat.toasts import Toast
from partner_desktop.desktop.parts.banner import Banner
from partner_desktop.desktop.window import MainWindow
from partner_desktop.desktop.wording import resolve_text
from partner_desktop.domain.events import ChatImportEvent, NoticeEvent
from partner_desktop.domain.remembered import ChatImport

from .moments import Moments
from .stage import Stage

pytestmark = pytest.mark.integration


def sentences(window: MainWindow) -> list[str]:
    return [resolve_text(toast.notice.text) for toast in window.page.toasts.toasts]


def toast(window: MainWindow) -> Toast:
    """The one notice there is."""
    (one,) = window.page.toasts.toasts
    return one


def write_lines(path: Path, chats: int) -> Path:
    lines = [
        json.dumps({"text": f"{word} {number}", "speaker": who, "conversation": f"c{number}"})
        for number in range(chats)
        for who, word in (("Caroline", "Do you paint"), ("Melanie", "Now and then"))
    ]
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def claude_list() -> str:
    said = [
        {"uuid": "1", "sender": "human", "text": "Where is Ulm?", "created_at": "2026-03-01T18:20:00Z"},
        {"uuid": "2", "sender": "assistant", "text": "At the Danube.", "created_at": "2026-03-01T18:20:09Z"},
    ]
    chat = {"uuid": "u", "name": "Ulm", "created_at": "2026-03-01T18:20:00Z", "chat_messages": said}
    return json.dumps([chat])


def write_claude(path: Path) -> Path:
    path.write_text(claude_list(), encoding="utf-8")
    return path


def write_zip(path: Path) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("conversations.json", claude_list())
    return path


def choose_file(stage: Stage, path: Path) -> None:
    """By the menu of the conversations; files of this kind are offered there."""
    stage.do(stage.window.sidebar.import_wanted.emit)
    (dialog,) = [each for each in stage.window.findChildren(QFileDialog) if each.isVisible()]
    stage.do(lambda: dialog.setDirectory(str(path.parent)))
    stage.do(lambda: dialog.selectFile(str(path)))
    assert f"*{path.suffix}" in dialog.nameFilters()[0]
    stage.do(dialog.accept)


@pytest.mark.parametrize("name", ["chats.jsonl", "conversations.json", "export.zip"])
def test_a_file_of_another_program_is_brought_in_by_the_same_door(
    stage: Stage, moments: Moments, tmp_path: Path, name: str
) -> None:
    path = tmp_path / name
    if name.endswith("jsonl"):
        write_lines(path, 1)
    else:
        (write_zip if name.endswith("zip") else write_claude)(path)
    window = stage.open(moments)
    choose_file(stage, path)
    told = f"1 chats with 2 messages were brought in from {name}."
    stage.until(lambda: sentences(window) == [told])
    assert len(moments.titles()) == 2
    listed = [row.title for row in window.sidebar.list.rows.rows if row.kind != "head"]
    assert sorted(listed) == sorted(moments.titles().values())


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("own.json", '{"format": "partner-desktop.conversation", "version": 1, "messages": ['),
        ("list.json", '{"shopping": ["milk"]}'),
        ("broken.zip", "PK\x03\x04 and no more"),
        ("empty.jsonl", ""),
        ("gone.json", None),
    ],
)
def test_what_cannot_be_taken_in_is_refused_in_one_sentence(
    stage: Stage, moments: Moments, tmp_path: Path, name: str, content: str | None
) -> None:
    path = tmp_path / name
    if content is not None:
        path.write_text(content, encoding="utf-8")
    window = stage.open(moments)
    stage.do(lambda: stage.session.imports.take_in(path))
    stage.until(lambda: sentences(window))
    (sentence,) = sentences(window)
    assert name in sentence
    assert list(moments.titles()) == ["c1"]


@pytest.mark.parametrize(
    ("name", "offered"),
    [
        ("conversations.json", ["Add its servers", "Keep it as an ability", "Try it for now"]),
        ("chats.jsonl", []),
        ("export.zip", []),
    ],
)
def test_a_dropped_file_may_hold_chats(
    stage: Stage, moments: Moments, tmp_path: Path, name: str, offered: list[str]
) -> None:
    path = write_zip(tmp_path / name) if name.endswith("zip") else write_lines(tmp_path / name, 1)
    window = stage.open(moments)
    stage.do(lambda: window.files_dropped.emit([path]))
    (banner,) = window.page.findChildren(Banner)
    choices = {button.text(): button for button in banner.findChildren(QPushButton)}
    assert list(choices) == [*offered, "Import its conversations", "Cancel"]
    stage.do(choices["Import its conversations"].click)
    stage.until(lambda: len(moments.titles()) == 2 and sentences(window))


def far(share: float, state: str = "running") -> ChatImportEvent:
    return ChatImportEvent(progress=ChatImport("i1", "/chats.jsonl", state, share=share))  # type: ignore[arg-type] # one of them


def test_how_far_an_import_is_stands_in_one_notice_until_the_end_takes_its_place(
    stage: Stage, moments: Moments
) -> None:
    window = stage.open(moments)
    stage.do(lambda: moments.deliver(far(0.0)))
    first = toast(window)
    assert sentences(window) == ["Bringing in chats: 0 %"]
    for share in (0.431, 0.432, 0.99):
        stage.do(lambda share=share: moments.deliver(far(share)))  # type: ignore[misc] # one a round
        assert toast(window) is first, "it changes its words, and does not come anew"
    assert (sentences(window), first.accessibleName()) == (
        ["Bringing in chats: 99 %"],
        "Bringing in chats: 99 %",
    )
    assert first.action_button is not None
    assert first.action_button.accessibleName().startswith("Stop: Bringing in chats")
    end = NoticeEvent(title="Memory", text="2 chats were brought in.", about="memory:i1")
    stage.do(lambda: moments.deliver(far(1.0, "done"), end))
    assert sentences(window) == ["2 chats were brought in."]


def test_other_notices_do_not_push_it_out_and_one_that_was_closed_stays_away(
    stage: Stage, moments: Moments
) -> None:
    window = stage.open(moments)
    stage.do(lambda: moments.deliver(far(0.1)))
    first = toast(window)
    for number in range(6):
        notice = NoticeEvent(title="", text=f"Note {number}.")
        stage.do(lambda notice=notice: moments.deliver(notice))  # type: ignore[misc] # one a round
    assert first in window.page.toasts.toasts
    stage.do(first.leave)
    stage.do(lambda: moments.deliver(far(0.5)))
    assert not any("Bringing in" in sentence for sentence in sentences(window))


def test_stop_ends_an_import_and_the_same_file_goes_on(
    stage: Stage, moments: Moments, tmp_path: Path
) -> None:
    path = write_lines(tmp_path / "chats.jsonl", 1_500)
    window = stage.open(moments)

    def stop_at_once() -> None:
        button = toast(window).action_button
        assert button is not None
        button.click()

    stage.do(lambda: stage.session.imports.take_in(path))
    stage.do(stop_at_once)
    stage.until(lambda: sentences(window) and sentences(window)[0].startswith("Stopped bringing in chats at"))
    (one,) = moments.ask(moments.partner.memory.imports())
    assert one.state == "stopped"
    assert one.chats == len(moments.titles()) - 1 < 1_500
    assert toast(window).action_button is None
    stage.do(lambda: stage.session.imports.take_in(path))
    stage.until(lambda: len(moments.titles()) - 1 > one.chats)
    stage.until(lambda: sentences(window)[0].startswith("Bringing in chats:"))
