"""What a `/` at the start of a message offers, and what comes of choosing it; and what opens no list."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from partner_desktop.desktop.card.param_form import ParamForm
from partner_desktop.desktop.chat.completion_list import Completion

from .scene import Scene, played

pytestmark = pytest.mark.integration


async def write(scene: Scene, text: str) -> None:
    edit = scene.window.page.composer.edit
    edit.setFocus()
    await scene.do(lambda: QTest.keyClicks(edit, text))


def offered(scene: Scene) -> list[Completion]:
    composer = scene.window.page.composer
    return composer.completions.offered if composer.completions.isVisible() else []


async def compose(scene: Scene, preedit: str, commit: str = "") -> None:
    event = QInputMethodEvent(preedit, [])
    event.setCommitString(commit)
    await scene.do(lambda: QApplication.sendEvent(scene.window.page.composer.edit, event))


@played
async def test_a_slash_lists_abilities_with_their_parameters_and_then_commands(scene: Scene) -> None:
    await write(scene, "/")
    await scene.until(lambda: offered(scene))
    kinds = [each.key.partition(":")[0] for each in offered(scene)]
    assert kinds == sorted(kinds, key=lambda kind: kind == "command")
    await write(scene, "list folder")
    await scene.until(lambda: offered(scene) and offered(scene)[0].key == "ability:builtin::list_folder")
    assert offered(scene)[0].moment.startswith("folder")
    assert offered(scene)[0].text


@played
async def test_a_wrong_letter_finds_it_too(scene: Scene) -> None:
    await write(scene, "/remnder")
    await scene.until(lambda: offered(scene))
    assert any("reminder" in each.title.lower() for each in offered(scene))


@played
async def test_enter_shows_its_card_with_fields_to_fill_in(scene: Scene) -> None:
    await write(scene, "/list folder")
    await scene.until(lambda: offered(scene) and offered(scene)[0].key == "ability:builtin::list_folder")
    await scene.key(Qt.Key.Key_Return)
    await scene.until(lambda: scene.cards and scene.cards[0].findChildren(ParamForm))
    assert scene.window.page.composer.text == ""
    (record,) = scene.stage.session.store.actions.values()
    assert record.key == "builtin::list_folder"


@played
async def test_enter_waits_for_the_list_where_it_is_quicker(scene: Scene) -> None:
    composer = scene.window.page.composer
    sent: list[str] = []
    composer.submitted.connect(sent.append)

    def quicker(text: str) -> None:
        composer.edit.setFocus()
        composer.command_typed.disconnect()  # nobody has looked yet
        QTest.keyClicks(composer.edit, text)
        QTest.keyClick(composer.edit, Qt.Key.Key_Return)

    taken: list[str] = []
    await scene.do(lambda: quicker("/list"))
    assert (sent, composer.text) == ([], "/list")
    one = Completion("one", "List a folder", lambda: taken.append("one"))
    await scene.do(lambda: composer.completions.offer([one], name="What fits"))
    assert (taken, sent, composer.text) == (["one"], [], "")
    await scene.do(lambda: QTest.keyClicks(composer.edit, "/etc is what"))
    await scene.do(lambda: QTest.keyClick(composer.edit, Qt.Key.Key_Return))
    assert sent == []
    await scene.do(lambda: composer.completions.offer([], name="What fits"))
    assert (sent, composer.text) == (["/etc is what"], "")


@played
async def test_tab_writes_a_sentence_that_asks_for_it(scene: Scene) -> None:
    await write(scene, "/list folder")
    await scene.until(lambda: offered(scene) and offered(scene)[0].key == "ability:builtin::list_folder")
    await scene.key(Qt.Key.Key_Tab)
    text = scene.window.page.composer.text
    assert text
    assert "/list" not in text
    assert scene.cards == ()
    assert scene.window.page.composer.edit.hasFocus()


@played
async def test_what_was_written_stays_behind_the_sentence_and_is_had_back_as_it_was(scene: Scene) -> None:
    edit = scene.window.page.composer.edit
    await write(scene, "a long message")
    await scene.key(Qt.Key.Key_Home)
    await write(scene, "/list folder ")
    await scene.until(lambda: offered(scene) and offered(scene)[0].key == "ability:builtin::list_folder")
    await scene.key(Qt.Key.Key_Tab)
    sentence, _, rest = edit.toPlainText().partition("\n")
    assert sentence
    assert rest == "a long message"
    assert edit.textCursor().position() == len(sentence)
    await scene.do(edit.undo)
    await scene.do(edit.undo)
    assert edit.toPlainText() == "/list folder a long message"


@played
async def test_an_example_comes_behind_what_is_written_and_another_one_takes_its_place(scene: Scene) -> None:
    welcome, composer = scene.window.page.welcome, scene.window.page.composer
    await scene.do(lambda: welcome.example_chosen.emit("what is the time"))
    await scene.do(lambda: welcome.example_chosen.emit("how full is the disk"))
    assert composer.text == "how full is the disk"
    await write(scene, ", please")
    await scene.do(lambda: welcome.example_chosen.emit("what is the time"))
    assert composer.text == "how full is the disk, please\nwhat is the time"
    await scene.do(composer.edit.undo)
    assert composer.text == "how full is the disk, please"


@played
async def test_a_command_of_the_window_is_done_and_leaves_nothing_written(scene: Scene) -> None:
    await write(scene, "/theme dark")
    await scene.until(lambda: offered(scene) and offered(scene)[0].key == "command:theme-dark")
    await scene.key(Qt.Key.Key_Return)
    assert scene.window.theme.choice.value == "dark"
    assert scene.window.page.composer.text == ""
    await write(scene, "/theme as the system")
    await scene.until(lambda: offered(scene))
    await scene.key(Qt.Key.Key_Return)


@pytest.mark.parametrize(
    "text", ["/home/anna/notes.txt", "and/or", " /list", "/ list", "/qqqqqqqq", "a\n/list"]
)
@played
async def test_a_path_and_other_slashes_offer_nothing(scene: Scene, text: str) -> None:
    scene.window.page.composer.set_text(text)
    await scene.do(lambda: None)
    assert offered(scene) == []
    assert not scene.window.page.composer.completions.isVisible()


@played
async def test_escape_leaves_the_list_and_enter_then_sends_what_is_written(scene: Scene) -> None:
    await write(scene, "/list")
    await scene.until(lambda: offered(scene))
    await scene.key(Qt.Key.Key_Escape)
    assert offered(scene) == []
    assert scene.window.page.composer.text == "/list"
    await scene.key(Qt.Key.Key_Return)
    assert scene.window.page.composer.text == ""
    await scene.until(lambda: scene.stage.session.outbox.place.conversation_id)


@pytest.mark.parametrize("sign", ["/", "@"])
@played
async def test_no_list_stands_over_what_an_input_method_composes(scene: Scene, sign: str) -> None:
    (scene.home.root.parent / "notes.txt").write_text("x", encoding="utf-8")
    await compose(scene, sign)
    assert offered(scene) == []
    await compose(scene, "")
    await write(scene, "/")
    await scene.until(lambda: offered(scene))
    await compose(scene, "lie")
    assert offered(scene) == []
    await scene.key(Qt.Key.Key_Return)
    assert scene.window.page.composer.text == "/"
    await compose(scene, "", "list")
    await scene.until(lambda: offered(scene))
    assert scene.window.page.composer.text == "/list"
