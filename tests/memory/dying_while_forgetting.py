"""A real Partner in a process of its own that dies by SIGKILL while it forgets.

    python -m tests.memory.dying_while_forgetting HOME ACTION_DIR WORDS COMMITS

It dies with so many transactions committed since it was told to forget what says these words; with more than
there are, when all is done.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading
from pathlib import Path
from types import FrameType

from partner_desktop.app import Partner
from partner_desktop.base.paths import Home
from partner_desktop.domain.forgetting import ForgetSelection
from partner_desktop.storage import database
from tests.support import HastyClock

_left: list[int] = []
"""How many commits are left, while that counts."""


def _die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _watch(frame: FrameType, event: str, _what: object) -> None:
    """On the database's thread: every transaction that has come to its end."""
    code = frame.f_code
    if (
        event == "return"
        and _left
        and code.co_name == "_transaction"
        and code.co_filename == database.__file__
    ):
        _left[0] -= 1
        if _left[0] <= 0:
            _die()


async def live(home: Path, action_dir: Path, words: str, commits: int) -> None:
    """Until it dies."""
    threading.setprofile(_watch)
    partner = Partner(Home(home), action_dir, meaning=False, quiet_clock=HastyClock())
    await partner.launch()
    preview = await partner.forgetting.preview(ForgetSelection(words=words))
    assert preview.count
    if not commits:
        _die()
    _left.append(commits)
    await partner.forgetting.forget(preview.id)
    await partner.forgetting.settled()
    _die()


if __name__ == "__main__":
    asyncio.run(live(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3], int(sys.argv[4])))
