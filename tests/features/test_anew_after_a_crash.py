"""After kill -9 while something is begun anew: the new line stands with its answer, the old one is kept."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.paths import Home
from partner_desktop.domain.message import Message, MessageState, Role
from tests.support import REPOSITORY, WAIT_S, HastyClock

#: Real processes that die.
pytestmark = [pytest.mark.integration, pytest.mark.promise("desktop.edit")]

_DEATH_S = 30

HELLO = """\
# /// partner
# description = "hello there"
# aliases = ["hello there"]
# ///
print("hello")
"""


async def die(home: Home, action_dir: Path, verb: str, moment: str) -> None:
    died = await asyncio.to_thread(
        subprocess.run,
        [sys.executable, "-m", "tests.features.dying_anew", str(home.root), str(action_dir), verb, moment],
        cwd=REPOSITORY,
        env=os.environ | {"PYTHONPATH": str(REPOSITORY)},
        timeout=_DEATH_S,
        check=False,
        capture_output=True,
        text=True,
    )
    assert died.returncode == -signal.SIGKILL, died.stderr


def words(messages: Sequence[Message]) -> list[str]:
    return [one.text for one in messages if one.role is Role.USER]


@pytest.mark.parametrize("moment", ["kept", "reply"])
@pytest.mark.parametrize(("verb", "said"), [("regenerate", "hello there"), ("edit", "good morning")])
async def test_what_was_begun_anew_is_answered_by_the_next_start_and_the_old_way_is_kept(
    home: Home, action_dir: Path, verb: str, said: str, moment: str
) -> None:
    await die(home, action_dir, verb, moment)
    if verb == "regenerate":  # an ability that would fit by now: the answer is had anew, and nothing else
        (action_dir / "dynamic" / "hello.py").write_text(HELLO)
    partner = Partner(home, action_dir, meaning=False, quiet_clock=HastyClock())
    await partner.launch()
    try:
        async with asyncio.timeout(WAIT_S):
            await partner.idle()
        (conversation,) = await partner.conversations.list()
        shown = await partner.messages.list(conversation.id)
        assert words(shown) == [said]
        whole = [one for one in shown if one.role is Role.PARTNER and one.state is MessageState.DONE]
        assert len(whole) == 1
        assert await partner.actions.list() == []
        (fork,) = (await partner.messages.line(conversation.id)).forks
        assert (fork.active, len(fork.takes)) == (1, 2)
        await partner.messages.choose(fork.takes[0])
        old = await partner.messages.list(conversation.id)
        assert words(old) == ["hello there"]
        assert [one.state for one in old] == [MessageState.DONE, MessageState.DONE]
    finally:
        await partner.close()
