"""Days on which runs print, leave files, are tried, and go on in the background."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import cast

from PySide6.QtCore import QTimer

from partner_desktop.desktop.card.words import SandboxSeen
from partner_desktop.desktop.panel.actions.session_page import SessionPage
from partner_desktop.desktop.window import MainWindow
from partner_desktop.domain.action import ActionStatus, Undo, UndoState
from partner_desktop.domain.command_session import CommandSession, SessionState, Stream
from partner_desktop.domain.events import OutputEvent, ProgressEvent, SessionEvent
from partner_desktop.domain.message import Role
from partner_desktop.domain.meta_action import RunnerResponse
from partner_desktop.domain.run_facts import Risk

from .day import NOW, Day
from .run_samples import born, command, left_behind
from .samples import OPEN, count_action

BUILD_LOG = "".join(
    f"[{number:>2}/40] compiling src/module_{number:02}.c → build/module_{number:02}.o\n"
    for number in range(1, 34)
)
_LONG_PATH = "/home/user/Projects/一个很长的文件夹名字/" + "a-rather-long-folder-name/" * 5 + "output.txt"


def live(day: Day) -> None:
    """A build in full swing, on its card and in the panel."""
    day.add_message("c1", Role.USER, "build the project, please")
    running = count_action(
        "a1",
        title="Build the project",
        key="local::build",
        status=ActionStatus.RUNNING,
        started_at=NOW - timedelta(seconds=41),
        params={"folder": "/home/user/Projects/kettle"},
        paths=(),
    )
    day.put(running)
    warning = "module_33.c:12: warning: unused variable ‘i’\n"
    for stream, text in (("stdout", BUILD_LOG), ("stderr", warning)):
        event = OutputEvent(conversation_id="c1", action_id="a1", stream=cast("Stream", stream), text=text)
        day.told.append(event)
    _ended(day)


def _ended(day: Day) -> None:
    for number, (title, status) in enumerate(
        (
            ("Resize 12 photos", ActionStatus.SUCCEEDED),
            ("Fetch weather", ActionStatus.FAILED),
            ("Zip backup of ~/Notes", ActionStatus.SUCCEEDED),
            ("List what is in a folder", ActionStatus.SUCCEEDED),
            ("统计文件类型", ActionStatus.SUCCEEDED),
            ("Sort the downloads", ActionStatus.INTERRUPTED),
        )
    ):
        now = NOW - timedelta(minutes=3 * number)
        record = count_action(
            f"z{number}",
            conversation_id="c2",
            title=title,
            status=status,
            created_at=now,
            finished_at=now,
            duration_ms=3100,
            error="The network is not granted to this script." if status is ActionStatus.FAILED else "",
        )
        day.put(record)


SERVES = command("s1", started_at=NOW - timedelta(minutes=4), stdout_bytes=2_140)
SERVED = "".join(f'127.0.0.1 - - "GET /note-{number}.html HTTP/1.1" 200 -\n' for number in range(40))
FAILS = command(
    "s2",
    description="",
    argv=("rsync", "-a", "--delete", _LONG_PATH, "/mnt/backup/" + "x" * 60),
    started_at=NOW - timedelta(minutes=12),
    ended_at=NOW - timedelta(minutes=9),
    state=SessionState.FAILED,
    exit_code=23,
    stdout_bytes=1_200_000,
    stderr_bytes=420,
    error="It ended with exit code 23.",
)
ENDS = command(
    "s3",
    description="下载字幕",
    started_at=NOW - timedelta(minutes=22),
    ended_at=NOW - timedelta(minutes=20),
    state=SessionState.ENDED,
    exit_code=0,
)


def commands(day: Day) -> None:
    """Some commands in the background, one of each end."""
    live(day)
    day.told += [SessionEvent(conversation_id="c1", session=one) for one in (SERVES, FAILS, ENDS)]


def after(day: Day) -> None:
    """What runs left: files, and changes in each state of undoing."""
    day.add_message("c1", Role.USER, "sort my downloads, and make a report")
    many = left_behind().files * 4
    day.put(
        left_behind("a1"),
        left_behind("a2", files=(), undo=Undo(UndoState.DONE, 1)),
        left_behind(
            "a3", files=many, undo=Undo(UndoState.GONE, 3, "~/Downloads/a.txt was changed again since.")
        ),
    )


def proposed(day: Day) -> None:
    """A new ability, with its source."""
    day.add_message("c1", Role.USER, "make an ability that counts the words of a file")
    day.put(born())


def why_open(day: Day) -> None:
    """A script that nothing holds, and why."""
    day.add_message("c1", Role.USER, "run my cleanup script")
    facts = {"isolation": OPEN, "risk": Risk.SYSTEM, "grantable": False, "key": "origin::a.py"}
    day.put(count_action("a1", title="Clean up", **facts))


def tryable(day: Day) -> None:
    """A script that waits, and was tried."""
    day.add_message("c1", Role.USER, "count the types in my downloads")
    day.put(count_action("a1"))


BAD = RunnerResponse(
    ok=False,
    stderr="Traceback (most recent call last):\n  File \"run.py\", line 16\nKeyError: 'file'\n",
    exit_code=1,
    duration_ms=120,
    error="It ended with exit code 1.",
    sandboxed=True,
)
GOOD = RunnerResponse(ok=True, stdout="png 19\npdf 17\nzip 9\n", exit_code=0, duration_ms=310)
NOWHERE = SandboxSeen(
    available=False,
    reason="bubblewrap is not installed, so scripts cannot be sandboxed; install `bubblewrap`.",
)


def act(window: MainWindow, day: Day, scene: str) -> None:
    """What the person does on such a day."""
    card = window.page.feed.card("a1")
    if scene in ("run-born-open", "run-open") and card is not None:
        card.know_sandbox(NOWHERE)
    if scene.startswith("run-tried") and card is not None:
        card.begin_try().show_response(GOOD if scene == "run-tried-well" else BAD)
        card.end_try()
        QTimer.singleShot(200, window, window.page.feed.follow.follow)
    if scene == "run-scopes" and card is not None and card.foot is not None:
        card.foot.buttons["allow"].setFocus()
    if scene == "run-page":
        _show_page(window, SERVES, SERVED)
    if scene == "run-page-failed":
        page = _show_page(window, FAILS, "")
        page.stream_buttons["stderr"].click()
        page.add(f"rsync: cannot open {_LONG_PATH}: no space left\n")
    if scene in ("run-live", "run-commands"):
        day.deliver(
            ProgressEvent(conversation_id="c1", action_id="a1", progress=33, total=40, message="Compiling")
        )
    if scene == "run-top":
        QTimer.singleShot(100, window, lambda: window.page.feed.column.verticalScrollBar().setValue(0))
    if scene.endswith("-narrow") or window.width() < 1000:
        window.columns.show_panel()
        if "page" not in scene and "commands" not in scene:
            window.columns.uncover()


def _show_page(window: MainWindow, session: CommandSession, printed: str) -> SessionPage:
    page = SessionPage(session, window.theme)
    page.add(printed)
    window.panel.actions_tab.show_page(page)
    return page


SCENES: dict[str, Callable[[Day], None]] = {
    "run-live": live,
    "run-commands": commands,
    "run-page": commands,
    "run-page-failed": commands,
    "run-after": after,
    "run-top": after,
    "run-born": proposed,
    "run-tried": proposed,
    "run-tried-well": tryable,
    "run-scopes": tryable,
    "run-born-open": proposed,
    "run-open": why_open,
}
