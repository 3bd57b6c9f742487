"""What nobody foresaw stands on one calm card with a report to copy; nothing typed or said is lost."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from partner_desktop.app import Partner
from partner_desktop.base.paths import Home
from partner_desktop.desktop.chat.crash_card import CrashCard
from partner_desktop.desktop.lifecycle import Lifecycle
from partner_desktop.desktop.window import MainWindow
from partner_desktop.domain.events import ErrorEvent
from partner_desktop.domain.message import Role
from partner_desktop.mind.question import ReplyRequest
from partner_desktop.mind.starter.matcher import WordMatcher
from partner_desktop.mind.starter.mind import StarterMind
from tests.support import REPOSITORY, WAIT_S, HastyClock

from .chat import Chat
from .scene import STORY_S, Scene, played
from .stage import Stage, rounds

pytestmark = [pytest.mark.logs_errors, pytest.mark.integration]

START_S = 30.0


class StumblingMind(StarterMind):
    """Breaks over its first reply, in a way that nobody foresaw."""

    def __init__(self) -> None:
        super().__init__(matcher=WordMatcher())
        self.stumbled = False

    async def reply(self, request: ReplyRequest) -> AsyncIterator[str]:
        if not self.stumbled:
            self.stumbled = True
            raise ZeroDivisionError("a reply by nobody")
        async for piece in super().reply(request):
            yield piece


class Life:
    """A whole life of a window behind which Partner never comes up."""

    def __init__(self, stage: Stage) -> None:
        self.stage, self._never = stage, asyncio.Event()
        self.window = MainWindow(stage.theme)
        self.window.show()
        self._life = stage.start(Lifecycle(self.window, self._build).run())

    async def _build(self) -> Partner:
        await self._never.wait()
        raise AssertionError

    def card(self) -> CrashCard:
        """The crash card, once it is there."""
        self.stage.until(lambda: self.window.page.crash_card)
        found = self.window.page.crash_card
        assert found is not None
        self.stage.settle()
        assert found.isVisible()
        return found

    def type(self, text: str) -> None:
        self.stage.do(lambda: QTest.keyClicks(self.window.page.composer.edit, text))

    def end(self) -> int:
        self.stage.do(self.window.close)
        self.stage.until(self._life.done)
        return self._life.result()


def breaks() -> None:
    raise LookupError("nowhere")


@pytest.mark.promise("desktop.crash")
def test_a_module_that_breaks_shows_a_report_and_loses_nothing(
    stage: Stage, home: Home, action_dir: Path
) -> None:
    partner = Partner(
        home, action_dir, kind="window", meaning=False, mind=StumblingMind(), quiet_clock=HastyClock()
    )

    async def build() -> Partner:
        return partner

    async def until(holds: Callable[[], object]) -> None:
        async with asyncio.timeout(WAIT_S):
            while not holds():  # noqa: ASYNC110 - a widget's state has no event to wait for
                await asyncio.sleep(0.005)

    async def said() -> list[tuple[Role, str]]:
        (conversation,) = await partner.conversations.list()
        return [(each.role, each.text) for each in await partner.messages.list(conversation.id)]

    async def story() -> None:
        window = MainWindow(stage.theme)
        window.show()
        life = asyncio.ensure_future(Lifecycle(window, build, home=home).run())
        edit = window.page.composer.edit
        QTest.keyClicks(edit, "hello")
        QTest.keyClick(edit, Qt.Key.Key_Return)
        await until(lambda: window.page.crash_card)
        QTest.keyClicks(edit, "half a thought")
        card = window.page.crash_card
        assert card is not None
        assert "Something went wrong inside Partner" in card.title.text()
        assert "ZeroDivisionError" not in card.title.text() + card.sentence.text()
        card.copy_button.click()
        report = QGuiApplication.clipboard().text()
        for part in ("ZeroDivisionError", "CommunicationProducer", "in reply", "turn: "):
            assert part in report
        assert "hello" not in report
        card.dismiss_button.click()
        assert window.page.crash_card is None
        assert window.page.composer.text == "half a thought"
        QTest.keyClick(edit, Qt.Key.Key_Return)
        await until(lambda: len(window.page.feed.entries) >= 3 and not window.page.composer.running)
        texts = await said()
        assert [text for role, text in texts if role is Role.USER] == ["hello", "half a thought"]
        assert texts[-1][0] is Role.PARTNER
        assert texts[-1][1]
        window.close()
        assert await life == 0
        window.deleteLater()

    stage.run(story(), patience_s=STORY_S)
    (kept,) = home.reports.iterdir()
    assert "ZeroDivisionError" in kept.read_text(encoding="utf-8")


@pytest.mark.promise("desktop.crash")
@pytest.mark.parametrize("kind", ["callback", "loop", "thread", "task"])
def test_whatever_breaks_in_the_window_is_shown_even_before_partner_is_there(stage: Stage, kind: str) -> None:
    life = Life(stage)
    life.type("half a thought")

    async def broken_task() -> None:
        breaks()

    async def happen() -> None:
        if kind == "callback":
            QTimer.singleShot(0, breaks)
        elif kind == "loop":
            asyncio.get_running_loop().call_soon(breaks)
        elif kind == "thread":
            threading.Thread(target=breaks, name="loft").start()
        else:
            forgotten = asyncio.get_running_loop().create_task(broken_task(), name="forgotten")
            await asyncio.wait([forgotten])
            del forgotten
        await rounds()

    stage.run(happen())
    card = life.card()
    assert "LookupError: nowhere" in card.report
    assert life.window.page.composer.text == "half a thought"
    assert life.end() == 0


def test_many_errors_are_counted_on_one_card(stage: Stage, chat: Chat) -> None:
    window = chat.open()
    reports = [ErrorEvent(message="x", report=f"report {number}") for number in range(7)]
    stage.do(lambda: chat.deliver(*reports))
    card = window.page.crash_card
    assert card is not None
    assert len(window.page.findChildren(CrashCard)) == 1
    assert card.title.text().endswith("(7 times)")
    assert card.report.splitlines()[::2] == [f"report {number}" for number in range(2, 7)]


def test_the_card_is_reached_and_worked_by_the_keyboard(stage: Stage, chat: Chat) -> None:
    window = chat.open(size=(900, 600))
    stage.do(lambda: chat.deliver(ErrorEvent(message="x", report="line one\nline two")))
    card = window.page.crash_card
    assert card is not None
    reached = []
    for _ in range(60):
        stage.do(lambda: QTest.keyClick(window.focusWidget(), Qt.Key.Key_Tab))
        reached.append(window.focusWidget())
    assert {card.copy_button, card.fold_button, card.dismiss_button} <= set(reached)
    assert not card.details.isVisible()
    stage.do(card.fold_button.setFocus)
    stage.do(lambda: QTest.keyClick(card.fold_button, Qt.Key.Key_Return))
    assert card.details.isVisible()
    assert card.details.toPlainText() == "line one\nline two"
    assert card.details.isReadOnly()
    assert card.fold_button.text() == "Hide details"
    stage.do(lambda: QTest.keyClick(card.fold_button, Qt.Key.Key_Return))
    assert not card.details.isVisible()


@pytest.mark.promise("desktop.crash")
@pytest.mark.usefixtures("crashed_home")
@played
async def test_the_last_words_of_a_crashed_process_are_offered_at_the_next_start(scene: Scene) -> None:
    await scene.until(lambda: scene.window.page.crash_card)
    card = scene.window.page.crash_card
    assert card is not None
    assert "Partner ended unexpectedly last time" in card.title.text()
    assert "is here again" in card.sentence.text()
    assert "Segmentation fault" in card.report


@pytest.fixture
def crashed_home(home: Home) -> Home:
    """A home whose host crashed: its marker is left, and the interpreter's last words."""
    home.prepare()
    (home.root / "running.json").write_text('{"begun_at": "2030-05-14T12:00:00+00:00"}', encoding="utf-8")
    home.fatal_file.write_text("Fatal Python error: Segmentation fault\n", encoding="utf-8")
    return home


def test_an_error_of_ours_stays_a_sentence(stage: Stage, chat: Chat) -> None:
    window = chat.open()
    stage.do(lambda: chat.deliver(ErrorEvent(message="The disk is full.")))
    assert window.page.crash_card is None
    assert [toast.notice.text for toast in window.page.toasts.toasts] == ["The disk is full."]


def window_program(home: Path) -> subprocess.Popen[bytes]:
    """The real window in a process of its own, once Partner is up."""
    report = home.parent / "up.json"
    report.unlink(missing_ok=True)
    up = {
        "QT_QPA_PLATFORM": "offscreen",
        "PARTNER_STARTUP_REPORT": str(report),
        "PYTHONPATH": str(REPOSITORY),
    }
    process = subprocess.Popen(
        [sys.executable, "-m", "partner_desktop", "--home", str(home)], env=os.environ | up
    )
    deadline = time.monotonic() + START_S
    while not Home(home).socket.exists() or not (home / "running.json").exists():
        assert process.poll() is None, "it ended too early"
        assert time.monotonic() < deadline
        os.sched_yield()
    return process


@pytest.mark.promise("framework.shutdown.order")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_closes_the_real_window_and_everything_behind_it(
    tmp_path: Path, number: signal.Signals
) -> None:
    home = tmp_path / "home"
    process = window_program(home)
    try:
        process.send_signal(number)
        assert process.wait(START_S) == 0
    finally:
        process.kill()
        process.wait(WAIT_S)
    assert not (home / "running.json").exists()
    assert not Home(home).socket.parent.exists()


@pytest.mark.promise("framework.shutdown.order")
def test_a_second_signal_ends_a_window_that_does_not_close(tmp_path: Path) -> None:
    program = (
        "import asyncio, os, signal, sys\n"
        "from pathlib import Path\n"
        "from partner_desktop.app import Partner\n"
        "from partner_desktop.base.paths import Home\n"
        "from partner_desktop.desktop.launch import main\n"
        "class Hangs(Partner):\n"
        "    async def launch(self):\n"
        "        await super().launch()\n"
        "        os.kill(os.getpid(), signal.SIGTERM)\n"
        "    async def close(self):\n"
        "        os.kill(os.getpid(), signal.SIGINT)\n"
        "        await asyncio.sleep(600)\n"
        "async def build():\n"
        "    return Hangs(Home(Path('home')), Path('action'), meaning=False)\n"
        "main(None, None, build=build)\n"
    )
    environment = os.environ | {"PYTHONPATH": str(REPOSITORY), "QT_QPA_PLATFORM": "offscreen"}
    ended = subprocess.run(
        [sys.executable, "-c", program],
        env=environment,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=START_S,
        check=False,
    )
    assert ended.returncode == 130
    assert "SIGINT while closing: ended at once, without closing" in ended.stderr


@pytest.mark.promise("framework.shutdown.order")
def test_an_application_that_is_told_to_quit_closes_in_good_order_first(tmp_path: Path) -> None:
    program = (
        "import sys\n"
        "from PySide6.QtCore import QTimer, QCoreApplication\n"
        "from pathlib import Path\n"
        "from partner_desktop.app import Partner\n"
        "from partner_desktop.base.paths import Home\n"
        "from partner_desktop.desktop.launch import main\n"
        "class Quits(Partner):\n"
        "    async def close(self):\n"
        "        await super().close()\n"
        "        print('closed', flush=True)\n"
        "async def build():\n"
        "    QTimer.singleShot(0, QCoreApplication.quit)\n"
        "    return Quits(Home(Path('home')), Path('action'), meaning=False)\n"
        "code = main(None, None, build=build)\n"
        "print('code', code)\n"
    )
    environment = os.environ | {"PYTHONPATH": str(REPOSITORY), "QT_QPA_PLATFORM": "offscreen"}
    ended = subprocess.run(
        [sys.executable, "-c", program],
        env=environment,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=START_S,
        check=False,
    )
    assert ended.stdout.split() == ["closed", "code", "0"], ended.stderr
