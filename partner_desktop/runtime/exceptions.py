"""ExceptionDoor: the one door for what went wrong.

Contract: `report` never raises and never blocks, and is called on the loop. An error of ours is told in its
own sentence. Anything else is logged with its traceback, kept as a report, told to the person in one plain
sentence with the report to copy, traced, handed to every reporter, and put before Partner as a block. Each
of these is contained: one that fails never keeps the others from it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeAlias

from partner_desktop.base import log
from partner_desktop.base.clock import Clock
from partner_desktop.base.errors import PartnerError
from partner_desktop.base.messages import LazySentence
from partner_desktop.base.trace import NullTracer, Tracer, current_turn
from partner_desktop.context import block_settings
from partner_desktop.context.block import ContextBlock, Domain
from partner_desktop.context.workspace import ContextWorkspace
from partner_desktop.domain.events import ErrorEvent
from partner_desktop.runtime.channel import ChannelRegistry
from partner_desktop.runtime.reports import ExceptionReport, ReportStore, make_report

_log = log.area("exceptions")

#: What the person reads of an error that nobody foresaw.
UNEXPECTED = LazySentence("runtime.unexpected")


class ExceptionReporter(Protocol):
    """Somebody else who wants to know; may raise."""

    def __call__(self, report: ExceptionReport, /) -> None: ...


LoopContext: TypeAlias = dict[str, Any]  # Any: asyncio's own


class ExceptionDoor:
    """Takes every error that ends in nobody's hands."""

    def __init__(
        self,
        channels: ChannelRegistry,
        *,
        clock: Clock,
        store: ReportStore | None = None,
        workspace: ContextWorkspace | None = None,
        tracer: Tracer | None = None,
        reporters: Sequence[ExceptionReporter] = (),
    ) -> None:
        self._channels = channels
        self._store = store
        self._clock = clock
        self._workspace = workspace
        self._tracer = tracer or NullTracer()
        self._reporters = list(reporters)

    def add_reporter(self, reporter: ExceptionReporter) -> Callable[[], None]:
        """Tell somebody else too; returns the undo."""
        self._reporters.append(reporter)
        return lambda: self._reporters.remove(reporter)

    def report(
        self,
        error: BaseException,
        *,
        where: str = "",
        conversation_id: str = "",
        exchange_id: str = "",
        private: Sequence[str] = (),
    ) -> None:
        """Take an error; `private` are the person's own words, which the report must not hold."""
        if isinstance(error, PartnerError):
            _contain("the trace", lambda: self._trace(where, error))
            self._say(str(error), "", where, conversation_id, exchange_id)
            return
        report = make_report(
            error, where=where, now=self._clock.now(), turn_id=current_turn.get(), private=private
        )
        # The report and not the bare traceback: an error's own words may quote what the person said.
        _log.error("an unexpected error in %s\n%s", where or "Partner", report.text)
        _contain("the shelf", lambda: self._keep(report))
        _contain("the trace", lambda: self._trace(where, error))
        _contain("the context", lambda: self._put_before_partner(report, conversation_id))
        for reporter in tuple(self._reporters):
            _contain("a reporter", lambda told=reporter: told(report))  # type: ignore[misc] # bound now
        self._say(str(UNEXPECTED), report.text, where, conversation_id, exchange_id)

    def report_of_task(self, error: BaseException, name: str) -> None:
        """For `tasks.take_errors`."""
        self.report(error, where=name)

    def report_of_loop(self, _loop: object, context: LoopContext) -> None:
        """An exception handler for asyncio's loops."""
        error = context.get("exception")
        if isinstance(error, BaseException):
            self.report(error, where=str(context.get("message", "the loop")))
        else:
            _log.error("%s", context.get("message"))

    def _say(self, message: str, report: str, where: str, conversation_id: str, exchange_id: str) -> None:
        self._channels.publish(
            ErrorEvent(
                conversation_id=conversation_id,
                exchange_id=exchange_id,
                message=message,
                where=where,
                report=report,
            )
        )

    def _keep(self, report: ExceptionReport) -> None:
        if self._store is not None:
            self._store.keep(report.text, kind=report.kind)

    def _trace(self, where: str, error: BaseException) -> None:
        self._tracer.record("error", where=where, error=type(error).__name__)

    def _put_before_partner(self, report: ExceptionReport, conversation_id: str) -> None:
        if self._workspace is None:
            return
        kind = type(report.error).__name__
        self._workspace.register(
            ContextBlock(
                name="unexpected_error",
                source=report.where or "partner",
                domain=Domain.COGNITION,
                scope=conversation_id,
                full=f"An unexpected error ({kind}) in {report.where or 'Partner'}; its part was not done.",
                abstract=f"{kind} in {report.where or 'Partner'}",
                fades=block_settings.EXCEPTION,
            )
        )


def _contain(name: str, act: Callable[[], object]) -> None:
    try:
        act()
    except Exception:  # noqa: BLE001 - the door itself: nothing may fail on the way out
        _log.exception("%s could not take the report", name)
