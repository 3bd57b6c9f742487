"""Drafts: what is typed in each conversation and not sent, over switches, crashes, restarts and deletions."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest

from partner_desktop.desktop.chat.composer import Composer
from partner_desktop.domain.forgetting import ForgetSelection

from .moments import Moments
from .stage import Stage

pytestmark = pytest.mark.integration


@pytest.fixture
def composer(stage: Stage, moments: Moments) -> Composer:
    moments.add_conversation("Trip to Ulm", id="c2", days_ago=3)
    return stage.open(moments).page.composer


def write(stage: Stage, text: str) -> None:
    stage.do(lambda: QTest.keyClicks(stage.window.page.composer.edit, text))


def on_disk(moments: Moments) -> dict[str, str]:
    return {place: text for place, text in moments.read("SELECT conversation_id, text FROM drafts")}  # noqa: C416


def kept(stage: Stage, moments: Moments, drafts: dict[str, str]) -> None:
    """Wait until these are on the disk, and no others."""
    stage.until(lambda: on_disk(moments) == drafts)


def open_again(stage: Stage, moments: Moments) -> Composer:
    """Another window, as after a start."""
    return stage.open(moments).page.composer


def test_every_conversation_has_its_own_and_so_has_the_new_chat(
    stage: Stage, moments: Moments, composer: Composer
) -> None:
    write(stage, "move the rest")
    stage.do(lambda: stage.session.open("c2"))
    assert composer.text == ""
    write(stage, "which train")
    stage.do(lambda: stage.session.open(""))
    write(stage, "a poem")
    for place, text in (("c1", "move the rest"), ("c2", "which train"), ("", "a poem"), ("", "a poem")):
        stage.do(partial(stage.session.open, place))
        assert composer.text == text
    kept(stage, moments, {"c1": "move the rest", "c2": "which train", "": "a poem"})


def test_it_is_on_the_disk_while_one_still_types(stage: Stage, moments: Moments, composer: Composer) -> None:
    write(stage, "half a sen")
    kept(stage, moments, {"c1": "half a sen"})
    write(stage, "tence")
    kept(stage, moments, {"c1": "half a sentence"})


def test_after_a_restart_the_window_is_where_one_was_writing(
    stage: Stage, moments: Moments, composer: Composer
) -> None:
    moments.write("UPDATE conversations SET updated_at = '2026-01-01T12:00:00+00:00'")
    stage.do(lambda: stage.session.open("c2"))
    write(stage, "which train")
    kept(stage, moments, {"c2": "which train"})
    again = open_again(stage, moments)
    assert stage.session.outbox.place.conversation_id == "c2"
    assert again.text == "which train"


def test_a_new_chat_that_was_begun_is_there_again_and_what_is_typed_at_once_comes_behind_it(
    stage: Stage, moments: Moments, composer: Composer
) -> None:
    stage.do(lambda: stage.session.open(""))
    write(stage, "dear Anna,")
    kept(stage, moments, {"": "dear Anna,"})
    stage.open()
    write(stage, "hello")
    stage.attach(moments)
    assert stage.window.page.composer.text == "dear Anna,\nhello"
    kept(stage, moments, {"": "dear Anna,\nhello"})


def test_what_is_sent_or_emptied_is_gone(stage: Stage, moments: Moments, composer: Composer) -> None:
    write(stage, "hello")
    kept(stage, moments, {"c1": "hello"})
    stage.do(lambda: QTest.keyClick(composer.edit, Qt.Key.Key_Return))
    kept(stage, moments, {})
    assert moments.said() == ["hello"]
    write(stage, "hm")
    kept(stage, moments, {"c1": "hm"})
    stage.do(composer.edit.clear)
    kept(stage, moments, {})


def test_a_new_chat_that_becomes_a_conversation_leaves_no_draft_and_none_of_the_next(
    stage: Stage, moments: Moments, composer: Composer
) -> None:
    stage.do(lambda: stage.session.open(""))
    write(stage, "hello")
    kept(stage, moments, {"": "hello"})
    stage.do(lambda: QTest.keyClick(composer.edit, Qt.Key.Key_Return))
    place = stage.session.outbox.place.conversation_id
    kept(stage, moments, {})
    stage.do(lambda: stage.session.open(""))
    assert composer.text == ""
    write(stage, "another")
    kept(stage, moments, {"": "another"})
    stage.do(lambda: stage.session.open(place))
    assert composer.text == ""


def test_a_deleted_conversation_takes_it_along_and_brings_it_back(
    stage: Stage, moments: Moments, composer: Composer
) -> None:
    write(stage, "half a sentence")
    kept(stage, moments, {"c1": "half a sentence"})
    moments.ask(moments.partner.conversations.delete("c1"))
    assert moments.ask(moments.partner.drafts.list()) == []
    moments.ask(moments.partner.conversations.restore("c1"))
    (back,) = moments.ask(moments.partner.drafts.list())
    assert back.text == "half a sentence"
    moments.ask(moments.partner.conversations.delete("c1"))
    moments.ask(moments.partner.conversations.deletion.erase(["c1"]))
    moments.ask(moments.partner.drafts.keep("c1", "too late"))
    assert on_disk(moments) == {}


def test_what_goes_with_it_is_there_again(
    stage: Stage, moments: Moments, composer: Composer, tmp_path: Path
) -> None:
    notes, picture = tmp_path / "notes.md", QImage(40, 30, QImage.Format.Format_RGB32)
    notes.write_text("buy milk", encoding="utf-8")
    picture.fill(Qt.GlobalColor.red)
    stage.do(lambda: stage.session.attachments.attach([notes]))
    stage.do(lambda: composer.edit.image_pasted.emit(picture))
    stage.until(lambda: len(composer.tray.items) == 2)
    stage.until(lambda: moments.read("SELECT 1 FROM drafts WHERE items LIKE '%.png%'"))
    again = open_again(stage, moments).tray.items
    assert [item.name for item in again] == ["notes.md", "Pasted picture"]
    assert again[0].attachment is not None
    assert again[0].attachment.path == str(notes)
    file = again[1].picture
    assert file is not None
    assert file.parent == moments.home.pictures
    assert QImage(str(file)).size() == picture.size()
    assert again[1].small is not None
    assert not again[1].small.isNull()
    stage.do(lambda: stage.window.page.composer.tray.put(()))
    stage.until(lambda: not file.exists())


def test_what_was_forgotten_is_in_no_draft(stage: Stage, moments: Moments, composer: Composer) -> None:
    write(stage, "the code of the safe is 4711")
    stage.do(lambda: QTest.keyClick(composer.edit, Qt.Key.Key_Return))
    write(stage, "is the code of the safe 4711")
    kept(stage, moments, {"c1": "is the code of the safe 4711"})
    ((said,),) = moments.read("SELECT id FROM messages WHERE text = 'the code of the safe is 4711'")
    forgetting = moments.partner.forgetting
    preview = moments.ask(forgetting.preview(ForgetSelection(message_ids=(said,))))
    assert preview.held_counts["draft"] == 1
    moments.ask(forgetting.forget(preview.id))
    assert on_disk(moments) == {}


def test_a_new_chat_that_became_a_conversation_without_a_message_keeps_it(
    stage: Stage, moments: Moments, composer: Composer
) -> None:
    stage.do(lambda: stage.session.open(""))
    write(stage, "foo")
    kept(stage, moments, {"": "foo"})
    begun = stage.run(stage.session.places.conversation(moments.partner))
    stage.do(lambda: stage.session.open(""))
    write(stage, "bar")
    kept(stage, moments, {begun: "foo", "": "bar"})


def refuse(moments: Moments, table: str, when: str = "1") -> None:
    """The disk takes no such row."""
    moments.write(
        f"CREATE TRIGGER refused BEFORE INSERT ON {table} WHEN {when} BEGIN SELECT RAISE(ABORT, 'no'); END"
    )


def test_what_could_not_be_written_holds_up_no_other_and_is_written_at_the_end_of_the_window(
    stage: Stage, moments: Moments, composer: Composer
) -> None:
    refuse(moments, "drafts", "NEW.conversation_id = 'c1'")

    def type_in_both() -> None:
        QTest.keyClicks(composer.edit, "move the rest")
        stage.session.open("c2")
        QTest.keyClicks(composer.edit, "which train")

    stage.do(type_in_both)
    kept(stage, moments, {"c2": "which train"})
    moments.write("DROP TRIGGER refused")
    stage.run(stage.session.close())
    assert on_disk(moments) == {"c1": "move the rest", "c2": "which train"}


def send_and_move_on(stage: Stage, composer: Composer) -> None:
    """From a new chat to the next one, before the message is accepted."""
    stage.do(lambda: stage.session.open(""))

    def act() -> None:
        QTest.keyClicks(composer.edit, "hello")
        QTest.keyClick(composer.edit, Qt.Key.Key_Return)
        QTest.keyClicks(composer.edit, "and more words")
        stage.session.open("")
        assert composer.text == ""

    stage.do(act)
    stage.until(lambda: not stage.session.outbox.letters)


@pytest.mark.parametrize(
    ("refused", "there"), [("", "and more words"), ("messages", "hello\nand more words")]
)
def test_what_is_typed_behind_a_first_message_is_in_the_conversation_that_begins_with_it(
    stage: Stage, moments: Moments, composer: Composer, refused: str, there: str
) -> None:
    if refused:
        refuse(moments, refused)
    send_and_move_on(stage, composer)
    assert composer.text == ""
    ((begun,),) = moments.read("SELECT id FROM conversations WHERE id NOT IN ('c1', 'c2')")
    stage.do(lambda: stage.session.open(begun))
    assert composer.text == there
    kept(stage, moments, {begun: there})


def test_a_conversation_that_could_not_begin_is_the_new_chat_again(
    stage: Stage, moments: Moments, composer: Composer
) -> None:
    refuse(moments, "conversations")
    send_and_move_on(stage, composer)
    assert composer.text == "hello\nand more words"
    kept(stage, moments, {"": "hello\nand more words"})


def test_a_picture_that_was_pasted_before_partner_was_there_stays_in_view(
    stage: Stage, moments: Moments, composer: Composer
) -> None:
    stage.open()
    tray = stage.window.page.composer.tray
    picture = QImage(40, 30, QImage.Format.Format_RGB32)
    stage.do(lambda: stage.window.page.composer.edit.image_pasted.emit(picture))
    stage.until(lambda: tray.items)
    stage.attach(moments)
    assert stage.session.outbox.place.conversation_id == ""
    assert [item.name for item in tray.items] == ["Pasted picture"]
