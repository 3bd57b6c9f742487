"""Days on which runs print, leave files, are tried, and go on in the background."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

from PySide6.QtCore import QTimer

from partner_desktop.desktop.panel.session_page import SessionPage
from partner_desktop.desktop.window import MainWindow
from partner_desktop.domain.action import ActionRecord, ActionStatus, Undo, UndoState
from partner_desktop.domain.command_session import SessionState
from partner_desktop.domain.events import ProgressEvent
from partner_desktop.domain.message import Role
from partner_desktop.domain.meta_action import RunnerResponse
from partner_desktop.domain.run_facts import Risk

from .fake_partner import FakePartner, FakeSandbox
from .run_samples import born, command, left_behind
from .samples import OPEN, count_action

BUILD_LOG = "".join(
    f"[{number:>2}/40] compiling src/module_{number:02}.c → build/module_{number:02}.o\n"
    for number in range(1, 34)
)
_LONG_PATH = "/home/user/Projects/一个很长的文件夹名字/" + "a-rather-long-folder-name/" * 5 + "output.txt"


def _put(partner: FakePartner, *records: ActionRecord) -> None:
    for record in records:
        partner.known_actions[record.id] = record
        if record.conversation_id == "c1":
            partner.add_message("c1", Role.ACTION, "", action_id=record.id)


def live(partner: FakePartner) -> None:
    """A build in full swing, on its card and in the panel."""
    now = partner.known_conversations["c1"].updated_at
    partner.add_message("c1", Role.USER, "build the project, please")
    running = count_action(
        "a1",
        title="Build the project",
        key="local::build",
        status=ActionStatus.RUNNING,
        started_at=now - timedelta(seconds=41),
        params={"folder": "/home/user/Projects/kettle"},
        paths=(),
    )
    _put(partner, running)
    partner.printed["a1"] = {"stdout": BUILD_LOG, "stderr": "module_33.c:12: warning: unused variable ‘i’\n"}
    _ended(partner)


def _ended(partner: FakePartner) -> None:
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
        now = partner.known_conversations["c1"].updated_at - timedelta(minutes=3 * number)
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
        _put(partner, record)


def commands(partner: FakePartner) -> None:
    """Some commands in the background, one of each end."""
    live(partner)
    now = partner.known_conversations["c1"].updated_at
    for session in (
        command("s1", started_at=now - timedelta(minutes=4), stdout_bytes=2_140),
        command(
            "s2",
            description="",
            argv=("rsync", "-a", "--delete", _LONG_PATH, "/mnt/backup/" + "x" * 60),
            started_at=now - timedelta(minutes=12),
            ended_at=now - timedelta(minutes=9),
            state=SessionState.FAILED,
            exit_code=23,
            stdout_bytes=1_200_000,
            stderr_bytes=420,
            error="It ended with exit code 23.",
        ),
        command(
            "s3",
            description="下载字幕",
            started_at=now - timedelta(minutes=22),
            ended_at=now - timedelta(minutes=20),
            state=SessionState.ENDED,
            exit_code=0,
        ),
    ):
        partner.known_sessions[session.id] = session
    partner.session_texts["s1", "stdout"] = "".join(
        f'127.0.0.1 - - "GET /note-{number}.html HTTP/1.1" 200 -\n' for number in range(40)
    ).encode()
    partner.known_sessions["s1"] = replace(
        partner.known_sessions["s1"], stdout_bytes=len(partner.session_texts["s1", "stdout"])
    )
    partner.session_texts["s2", "stderr"] = f"rsync: cannot open {_LONG_PATH}: no space left\n".encode()


def after(partner: FakePartner) -> None:
    """What runs left: files, and changes in each state of undoing."""
    partner.add_message("c1", Role.USER, "sort my downloads, and make a report")
    many = left_behind().files * 4
    _put(
        partner,
        left_behind("a1"),
        left_behind("a2", files=(), undo=Undo(UndoState.DONE, 1)),
        left_behind(
            "a3", files=many, undo=Undo(UndoState.GONE, 3, "~/Downloads/a.txt was changed again since.")
        ),
    )


def proposed(partner: FakePartner) -> None:
    """A new ability, with its source."""
    partner.add_message("c1", Role.USER, "make an ability that counts the words of a file")
    partner.tried = RunnerResponse(
        ok=False,
        stderr="Traceback (most recent call last):\n  File \"run.py\", line 16\nKeyError: 'file'\n",
        exit_code=1,
        duration_ms=120,
        error="It ended with exit code 1.",
        sandboxed=True,
    )
    _put(partner, born())


def proposed_in_the_open(partner: FakePartner) -> None:
    """The same where nothing could hold it."""
    proposed(partner)
    partner.sandbox = FakeSandbox(
        available=False,
        reason="bubblewrap is not installed, so scripts cannot be sandboxed; install `bubblewrap`.",
    )


def why_open(partner: FakePartner) -> None:
    """A script that nothing holds, and why."""
    proposed_in_the_open(partner)
    partner.known_actions.clear()
    _put(
        partner,
        count_action(
            "a1", isolation=OPEN, risk=Risk.SYSTEM, grantable=False, title="Clean up", key="origin::a.py"
        ),
    )


def tryable(partner: FakePartner) -> None:
    """A script that waits, and was tried."""
    partner.add_message("c1", Role.USER, "count the types in my downloads")
    partner.tried = RunnerResponse(ok=True, stdout="png 19\npdf 17\nzip 9\n", exit_code=0, duration_ms=310)
    _put(partner, count_action("a1"))


def act(window: MainWindow, partner: FakePartner, scene: str) -> None:
    """What the person does on such a day."""
    card = window.page.feed.card("a1")
    if scene.startswith("run-tried") and card is not None:
        card.try_pressed.emit("a1", None)
        QTimer.singleShot(200, window, window.page.feed.follow.follow)
    if scene == "run-scopes" and card is not None and card.foot is not None:
        card.foot.buttons["allow"].setFocus()
    if scene == "run-page":
        window.panel.actions_tab.session_chosen.emit(partner.known_sessions["s1"])
    if scene == "run-page-failed":
        window.panel.actions_tab.session_chosen.emit(partner.known_sessions["s2"])
        page = window.panel.actions_tab.page
        if isinstance(page, SessionPage):
            QTimer.singleShot(50, page, page.stream_buttons["stderr"].click)
    if scene in ("run-live", "run-commands"):
        partner.deliver(
            ProgressEvent(conversation_id="c1", action_id="a1", progress=33, total=40, message="Compiling")
        )
    if scene == "run-top":
        QTimer.singleShot(100, window, lambda: window.page.feed.column.verticalScrollBar().setValue(0))
    if scene.endswith("-narrow") or window.width() < 1000:
        window.columns.show_panel()
        if "page" not in scene and "commands" not in scene:
            window.columns.uncover()


SCENES: dict[str, Callable[[FakePartner], None]] = {
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
    "run-born-open": proposed_in_the_open,
    "run-open": why_open,
}
