"""The Partner of this process: loaded, become the host of its home, and closed in good order."""

from __future__ import annotations

import asyncio
import gc
import shutil
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from partner_desktop.base import log
from partner_desktop.base.errors import HostError
from partner_desktop.base.messages import sentence_of
from partner_desktop.base.paths import Home, shipped
from partner_desktop.base.processes import limit_arenas
from partner_desktop.domain.command_session import SessionState
from partner_desktop.domain.events import ErrorEvent, NoticeEvent
from partner_desktop.gateways.partner_client import LocalClient, PartnerClient
from partner_desktop.gateways.remote import answers
from partner_desktop.runtime.unhandled_errors import UnhandledErrors

if TYPE_CHECKING:
    from partner_desktop.app import Partner

#: Seconds to wait for a host that is starting or ending.
_PATIENCE_S = 15.0
_LOOK_S = 0.1


def load_partner(home: Home, action_dir: Path | None, *, stays: bool = False) -> Partner:
    """A Partner of this home, not launched; unless it `stays` it does nothing that is due.

    What is loaded stays for good, so no round of the garbage collector looks at it.
    """
    if stays:
        limit_arenas()
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        from partner_desktop.app import Partner  # noqa: PLC0415 - see above
    finally:
        gc.freeze()
        if was_enabled:
            gc.enable()
    return Partner(home, action_dir or home.action_dir, stays=stays)


async def became_host(partner: Partner) -> bool:
    """Take the lock, or find that the host answers. A host that is just ending is waited for."""
    loop = asyncio.get_running_loop()
    deadline = loop.time() + _PATIENCE_S
    while not partner.lock.acquire():
        if await answers(partner.home):
            return False
        if loop.time() > deadline:
            raise HostError("terminal.partner_does_not_answer")
        await asyncio.sleep(_LOOK_S)
    return True


@asynccontextmanager
async def hosted(partner: Partner, *, seeds: bool) -> AsyncIterator[PartnerClient]:
    """A client of a Partner that holds the lock: launched, and closed when nobody needs it any more.

    `seeds`: with the shipped samples, where its home has no abilities yet.
    """
    handler = log.log_to_file(partner.home.log_file)
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(partner.exceptions.report_of_loop)
    try:
        with UnhandledErrors(_on_loop(loop, partner)) as net:
            net.watch_for_crashes(partner.home.fatal_file)
            if seeds:
                seed_samples(partner.home)
            await partner.launch()
            _say_first(partner)
            yield LocalClient(partner)
            _say_what_stays(partner)
            await partner.idle()
    finally:
        await partner.close()
        await partner.lock.shutdown()
        loop.set_exception_handler(None)
        log.stop_logging(handler)


def _say_first(partner: Partner) -> None:
    """What the start has to say, before anything else is printed."""
    for notice in partner.start_notices():
        if isinstance(notice, NoticeEvent):
            title = f"{notice.title} " if notice == partner.crash_notice else ""
            print(f"{title}{notice.text}", file=sys.stderr)
        elif isinstance(notice, ErrorEvent):
            told = sentence_of("terminal.ended_last_time", message=notice.message)
            print(told, notice.report, sep="\n", file=sys.stderr)


def _say_what_stays(partner: Partner) -> None:
    """Why this does not end yet: what runs in the background would end with it."""
    running = sum(one.state is SessionState.RUNNING for one in partner.commands.list())
    if running:
        told = "terminal.one_still_runs" if running == 1 else "terminal.some_still_run"
        print(sentence_of(told, count=running), file=sys.stderr)


def _on_loop(loop: asyncio.AbstractEventLoop, partner: Partner) -> Callable[[BaseException, str], None]:
    """An error may come from any thread; the door is on the loop."""

    def report(error: BaseException, where: str) -> None:
        loop.call_soon_threadsafe(lambda: partner.exceptions.report(error, where=where))

    return report


def seed_samples(home: Home) -> None:
    """Copy the shipped samples into a new `action/` folder of the home; an existing one is left alone."""
    source = shipped("action")
    if home.action_dir.exists() or not source.is_dir():
        return
    keep = shutil.ignore_patterns("__pycache__", ".gitkeep", "*.pyc")
    shutil.copytree(source / "dynamic", home.action_dir / "dynamic", ignore=keep)
