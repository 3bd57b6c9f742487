"""RunnerClient: the boundary between the executor and whatever runs a MetaAction.

Contract: `submit` runs only what is still WAITING and writes the result back exactly once, whatever
happens; a second submit of the same MetaAction does nothing. Whatever goes wrong is a response, a refusal
too; only a cancellation is raised on, after it was written back.

Permission, retry and time limit are wrappers: each is a RunnerClient around another one, changes one thing
about `run`, and passes everything else on.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import PurePath

from partner_desktop.base import log
from partner_desktop.base.clock import Clock
from partner_desktop.base.errors import PartnerError, PermissionDeniedError, TryAgainError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.messages import sentence_of
from partner_desktop.domain.meta_action import (
    MetaAction,
    MetaActionInfo,
    ResultStatus,
    Route,
    RunLeft,
    RunnerResponse,
)
from partner_desktop.domain.run_facts import Isolation, PathUse
from partner_desktop.permission.request import Decision
from partner_desktop.runner.call import Call, OnOutput, OnProgress, silent, unheard

_log = log.area("runner")


class RunnerClient(ABC):
    """Runs MetaActions; what is around the outermost `run` is `submit`."""

    def __init__(self) -> None:
        self._under_way: set[str] = set()

    @abstractmethod
    def isolation(self, info: MetaActionInfo) -> Isolation:
        """What would hold a run of this ability here and now."""

    @abstractmethod
    async def run(self, call: Call) -> RunnerResponse:
        """Run without writing anything back.

        Raises:
            PermissionDeniedError: The decision does not allow exactly this call. Nothing ran.
            ActionError: It could not be done; the message is for the person.
        """

    async def left_by(self, action_id: str) -> RunLeft:
        """What a run that Partner's end cut off left on the disk."""
        del action_id
        return RunLeft()

    async def submit(
        self,
        meta_action: MetaAction,
        decision: Decision,
        *,
        paths: tuple[PathUse, ...] = (),
        on_progress: OnProgress = silent,
        on_output: OnOutput = unheard,
    ) -> None:
        """Run and write the result back; returns when it is there."""
        if meta_action.status is not ResultStatus.WAITING or meta_action.id in self._under_way:
            return
        self._under_way.add(meta_action.id)
        call = Call(meta_action, decision, paths, on_progress, on_output=on_output)
        try:
            response = await self._guarded(call)
        except asyncio.CancelledError:
            cancelled = RunnerResponse(ok=False, cancelled=True, error=sentence_of("ending.cancelled"))
            meta_action.settle(_with_left(cancelled, meta_action))
            raise
        else:
            meta_action.settle(_with_left(response, meta_action))
        finally:
            self._under_way.discard(meta_action.id)

    async def _guarded(self, call: Call) -> RunnerResponse:
        try:
            return await self.run(call)
        except PartnerError as error:
            return RunnerResponse(ok=False, error=str(error))
        except Exception:  # noqa: BLE001 - the background task's boundary: a run always ends with a response
            _log.exception("%s failed inside Partner", call.meta_action.info.key)
            return RunnerResponse(ok=False, error=sentence_of("partner_failed"))


def _spoken_title(call: Call) -> str:
    return call.meta_action.info.spoken(call.meta_action.language).title


def _with_left(response: RunnerResponse, meta_action: MetaAction) -> RunnerResponse:
    left = meta_action.left
    return replace(response, files=left.files, files_until=left.files_until, undo=left.undo)


class WrappedRunner(RunnerClient):
    """A RunnerClient around another one; a subclass changes `run`."""

    def __init__(self, wrapped: RunnerClient) -> None:
        super().__init__()
        self._wrapped = wrapped

    def isolation(self, info: MetaActionInfo) -> Isolation:
        return self._wrapped.isolation(info)

    async def run(self, call: Call) -> RunnerResponse:
        return await self._wrapped.run(call)

    async def left_by(self, action_id: str) -> RunLeft:
        return await self._wrapped.left_by(action_id)


#: Seconds before each further try.
BACK_OFF_S = (0.25, 1.0)


class RetryingRunner(WrappedRunner):
    """At most two more tries, after a short pause each; the person is told."""

    def __init__(self, wrapped: RunnerClient, *, clock: Clock) -> None:
        super().__init__(wrapped)
        self._clock = clock

    async def run(self, call: Call) -> RunnerResponse:
        pauses = BACK_OFF_S if repeatable(call.meta_action.info, call.paths) else ()
        for tries, pause_s in enumerate(pauses, start=1):
            try:
                return await super().run(call)
            except TryAgainError as error:
                call.on_progress(tries, len(pauses) + 1, sentence_of("trying_again", error=error))
            await self._clock.sleep(pause_s)
        return await super().run(call)


def repeatable(info: MetaActionInfo, paths: Sequence[PathUse]) -> bool:
    """Whether doing it twice changes no more than doing it once, as its author says.

    The claim to only read is not believed of what was given something to write to.
    """
    if info.annotations.idempotent:
        return True
    writes = any(use.access == "write" for use in paths)
    return bool(info.annotations.read_only) and not writes


#: Seconds beyond the ability's own limit: what ending a process tree and closing a call may take.
GRACE_S = 10.0


class LimitedRunner(WrappedRunner):
    """Cancels a run that is `grace_s` over its ability's limit; clean-up in the route is waited for."""

    def __init__(self, wrapped: RunnerClient, *, grace_s: float = GRACE_S) -> None:
        super().__init__(wrapped)
        self._grace_s = grace_s

    async def run(self, call: Call) -> RunnerResponse:
        info = call.meta_action.info
        timer = RunTimer(info.timeout_s + self._grace_s)
        try:
            async with timer.limit:
                return await super().run(replace(call, asking=timer.asking))
        except TimeoutError:
            if not timer.limit.expired():
                raise
            told = sentence_of("ability_limit", title=_spoken_title(call), seconds=f"{info.timeout_s:g}")
            return RunnerResponse(ok=False, error=told)
        finally:
            timer.over = True


class RunTimer:
    """The time of one run. `limit` is entered once."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._questions = 0
        self.limit = asyncio.timeout(seconds)
        self.over = False
        """What asked for it may come to its end after it."""

    @contextmanager
    def asking(self) -> Iterator[None]:
        """Around a question to the person; there may be several at once."""
        self._questions += 1
        self._due(None)
        try:
            yield
        finally:
            self._questions -= 1
            if not self._questions:
                self._due(asyncio.get_running_loop().time() + self._seconds)

    def _due(self, when: float | None) -> None:
        if not self.over and not self.limit.expired():
            self.limit.reschedule(when)


class PermittedRunner(WrappedRunner):
    """Refuses every call that its decision does not cover: script, arguments, and how well it is held."""

    async def run(self, call: Call) -> RunnerResponse:
        info = call.meta_action.info
        covered = call.decision.covers(
            action_id=call.meta_action.id,
            content_hash=info.content_hash,
            params=call.meta_action.params,
            sandboxed=self.isolation(info).sandboxed,
        )
        if not covered:
            _log.warning("%s was submitted without a decision that covers it", info.key)
            raise PermissionDeniedError("runner.not_decided", title=info.title)
        return await super().run(call)


@dataclass(frozen=True)
class _Turn:
    title: str
    places: tuple[str, ...]
    """Of its paths, and of a program that is not the system's."""
    written: tuple[str, ...]
    """The folders among them in which it may put something in the place of something else."""


class WritersRunner(WrappedRunner):
    """In order: who comes later waits until nobody before it writes at its places or above them, and until
    nobody before it works in a folder that it may write to itself.

    Outside of the undo journal, so that what is noted before a run is how the one before it left things.
    """

    def __init__(self, wrapped: RunnerClient) -> None:
        super().__init__(wrapped)
        self._turns: list[_Turn] = []
        self._ended = asyncio.Event()

    async def run(self, call: Call) -> RunnerResponse:
        info = call.meta_action.info
        if info.route is Route.BUILTIN or not (call.paths or info.opens):
            return await super().run(call)
        program = info.launcher[:1] if info.opens else ()
        read = (*(use.path for use in call.paths), *info.opens, *program)
        written = [use.path for use in call.paths if use.access == "write" and _is_folder(use)]
        mine = _Turn(_spoken_title(call), read, tuple(written))
        self._turns.append(mine)
        try:
            while title := self._in_the_way(mine):
                call.on_progress(0, None, sentence_of("waits_for", title=title))
                await self._ended.wait()
            return await super().run(call)
        finally:
            self._turns = [turn for turn in self._turns if turn is not mine]
            self._ended.set()
            self._ended = asyncio.Event()

    def _in_the_way(self, mine: _Turn) -> str:
        """What somebody is called who is to come first; empty: nobody is."""
        for turn in self._turns:
            if turn is mine:
                break
            if _meet(turn.written, mine.places) or _meet(mine.written, turn.places):
                return turn.title
        return ""


def _is_folder(use: PathUse) -> bool:
    """Also one that the run makes. A file that is mounted alone cannot be replaced from inside."""
    return len(use.seen) != len(("device", "inode")) or not PurePath(use.path).suffix


def _meet(folders: Sequence[str], places: Sequence[str]) -> bool:
    return any(f"{place}/".startswith(folder.rstrip("/") + "/") for folder in folders for place in places)
