"""Whether there is a newer Partner: asked where the settings say so, and only told.

Contract: nothing is asked unless `config/updates.toml` says so, or a person does. Whatever comes back,
nothing waits for it and nothing breaks: an answer that is none is a sentence for whoever asks (`check`,
`doctor`), and no word to anybody else. Each newer version is told once, a preview never.
"""

from __future__ import annotations

import asyncio
import re
import subprocess
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Literal

from pydantic import BaseModel, ValidationError

from partner_desktop import __version__
from partner_desktop.base import log
from partner_desktop.base.clock import Clock
from partner_desktop.base.errors import UsageError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.messages import sentence_of, sentences_joined
from partner_desktop.base.operation import Caller, operation
from partner_desktop.base.own_program import PACKAGE_PARENT, module_command
from partner_desktop.base.paths import Home
from partner_desktop.base.tasks import TaskSet
from partner_desktop.base.text import shown
from partner_desktop.config.handle import ConfigHandle
from partner_desktop.domain.events import Event, NoticeEvent
from partner_desktop.files.atomic import write_whole
from partner_desktop.runtime.settings import UpdateSettings

_log = log.area("updates")

#: A start has better things to do; and a server that is away should not be asked again and again.
FIRST_S = 60.0
EVERY = timedelta(days=1)
#: For the whole of a question.
LONGEST_S = 20.0
_NUMBERS = re.compile(r"[0-9]+(?:\.[0-9]+)*")


class UpdateAnswer(BaseModel):
    """What came of a question, as `update_request` prints it."""

    version: str = ""
    page: str = ""
    """Where a person can read about it; empty: nothing was said."""
    failure: Literal["", "unreached", "silent", "refused", "elsewhere", "too_large", "not_understood"] = ""
    detail: str = ""


class _Kept(UpdateAnswer):
    """What is remembered of the last question: `updates.json` in the home."""

    asked_at: datetime | None = None
    url: str = ""
    told: str = ""
    """The version that the person was told of."""


@dataclass(frozen=True, kw_only=True)
class UpdateReport:
    """What is known of newer versions."""

    installed: str
    newest: str
    """Empty: nobody knows."""
    page: str
    is_newer: bool
    asked_at: datetime | None
    sentence: str
    """All of it for a person."""


class UpdateCheck:
    """A part of the AgentContext. One that does not stay (`stays`) asks nothing by itself."""

    def __init__(
        self,
        home: Home,
        settings: ConfigHandle[UpdateSettings],
        publish: Callable[[Event], None],
        *,
        clock: Clock,
        stays: bool,
        installed: str = __version__,
        longest_s: float = LONGEST_S,
    ) -> None:
        self._home, self._settings, self._publish = home, settings, publish
        self._clock, self._stays, self._installed = clock, stays, installed
        self._longest_s = longest_s
        self._tasks = TaskSet("updates")
        self._task: asyncio.Task[None] | None = None
        self._asking = asyncio.Lock()

    async def launch(self) -> None:
        """Ask from time to time, where that is wanted."""
        self._settings.on_change(self._follow)
        await self._follow(self._settings.value)

    async def shutdown(self) -> None:
        """A question under way is broken off."""
        await self._tasks.close()

    @operation(Caller.ATTACHED)
    async def check(self) -> UpdateReport:
        """Ask now whether there is a newer version, at the address of the settings.

        Raises:
            UsageError: There is no address.
        """
        url = self._settings.value.url
        if not url:
            raise UsageError("updates.no_address")
        return _report(self._installed, await self._ask(url))

    @operation(Caller.ATTACHED)
    async def last(self) -> UpdateReport:
        """What is known of newer versions, without a question to anybody."""
        return await asyncio.to_thread(known_update, self._home, self._settings.value, self._installed)

    async def _follow(self, settings: UpdateSettings) -> None:
        if self._task is not None:
            self._task.cancel()
            self._task = None
        if self._stays and settings.enabled and settings.url:
            self._task = self._tasks.start("ask", self._ask_daily(settings.url))

    async def _ask_daily(self, url: str) -> None:
        await self._clock.sleep(FIRST_S)
        while True:
            kept = await asyncio.to_thread(_read, self._home)
            since = self._clock.now() - kept.asked_at if kept.asked_at and kept.url == url else EVERY
            if not timedelta(0) <= since < EVERY:
                await self._tell(await self._ask(url))
                since = timedelta(0)
            await self._clock.sleep((EVERY - since).total_seconds())

    async def _tell(self, kept: _Kept) -> None:
        if not is_newer(kept.version, self._installed) or kept.told == kept.version:
            return
        title = sentence_of("updates.is_there", version=kept.version)
        text = sentence_of("updates.have", installed=self._installed, page=kept.page).strip()
        self._publish(NoticeEvent(title=title, text=text, about="update"))
        await self._keep(kept.model_copy(update={"told": kept.version}))

    async def _ask(self, url: str) -> _Kept:
        async with self._asking:
            answer = await _answer_of(url, self._longest_s)
            before = await asyncio.to_thread(_read, self._home)
            if answer.failure and before.url == url:  # what it said earlier is as true as it was
                answer = answer.model_copy(update={"version": before.version, "page": before.page})
            kept = _Kept(asked_at=self._clock.now(), url=url, told=before.told, **answer.model_dump())
            await self._keep(kept)
            return kept

    async def _keep(self, kept: _Kept) -> None:
        data = kept.model_dump_json().encode()
        try:
            await asyncio.to_thread(write_whole, self._home.updates_file, data, private=True)
        except OSError as error:
            _log.info("%s cannot be written: %s", self._home.updates_file, error)


async def _answer_of(url: str, longest_s: float) -> UpdateAnswer:
    """Ask in a process that ends when nobody waits for it any more."""
    starting = asyncio.ensure_future(asyncio.to_thread(_started, url))
    try:
        async with asyncio.timeout(longest_s):
            process = await asyncio.shield(starting)
            told, _ = await asyncio.to_thread(process.communicate)
        return UpdateAnswer.model_validate_json(told)
    except TimeoutError:
        return UpdateAnswer(failure="silent")
    except (OSError, ValidationError):
        return UpdateAnswer(failure="unreached")
    finally:
        starting.add_done_callback(_end)  # also one that is only about to start


def _end(starting: asyncio.Future[subprocess.Popen[bytes]]) -> None:
    if not starting.cancelled() and starting.exception() is None:
        starting.result().kill()


def _started(url: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [*module_command("partner_desktop.runtime.update_request"), url],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=PACKAGE_PARENT,
        start_new_session=True,
    )


def known_update(home: Home, settings: UpdateSettings, installed: str = __version__) -> UpdateReport:
    """What is known without a question to anybody. Blocking."""
    report = _report(installed, _read(home))
    if report.asked_at is not None:
        return report
    unasked = "updates.not_yet" if settings.enabled and settings.url else "updates.off"
    return replace(report, sentence=sentence_of(unasked, installed=installed))


def is_newer(version: str, than: str) -> bool:
    """Whether a version is a later one, and no preview; what is no version never is."""
    one, other = _order(version), _order(than)
    return one is not None and other is not None and one[1] and one > other


def _order(version: str) -> tuple[tuple[int, ...], bool] | None:
    """Its numbers, without zeros at the end, and whether it is whole: a preview comes before that."""
    match = _NUMBERS.match(version)
    if match is None:
        return None
    numbers = [int(part) for part in match[0].split(".")]
    while numbers and not numbers[-1]:
        numbers.pop()
    return tuple(numbers), match.end() == len(version)


def _report(installed: str, kept: _Kept) -> UpdateReport:
    newer = is_newer(kept.version, installed)
    sentences = []
    if kept.failure:
        sentences.append(sentence_of(f"updates.{kept.failure}", url=shown(kept.url), detail=kept.detail))
    if newer:
        have = sentence_of("updates.have", installed=installed, page=kept.page).strip()
        sentences += [sentence_of("updates.is_there", version=kept.version), have]
    elif not kept.failure:
        sentences.append(sentence_of("updates.newest", installed=installed))
    return UpdateReport(
        installed=installed,
        newest=kept.version,
        page=kept.page,
        is_newer=newer,
        asked_at=kept.asked_at,
        sentence=sentences_joined(sentences),
    )


def _read(home: Home) -> _Kept:
    """What is remembered; what cannot be read is forgotten. Blocking."""
    try:
        return _Kept.model_validate_json(home.updates_file.read_bytes())
    except (OSError, ValidationError):
        return _Kept()
