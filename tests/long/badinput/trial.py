"""Gives inputs to the product, each watched: it has a time, and a refusal a sentence."""

from __future__ import annotations

import random
import signal
import tempfile
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from partner_desktop.base.errors import PartnerError
from tests.long.badinput.family import Family, check_error
from tests.long.run_record import RunRecord

#: What an input may cost of the processor; more is a hang to whoever waits.
MOST_S = 1.0
#: Of the processor, and by the clock of a busy machine, before it is cut off where it stands.
_CUT_S, _CUT_CLOCK_S = 5, 120
#: How many cases are one portion.
_PORTION = 100
#: Of what must not have happened; the rest is counted.
_MOST_TOLD = 40


class HangError(Exception):
    """It took too long."""


class Trial:
    """One family of inputs, from the first case to the last, or as long as there is time."""

    def __init__(self, family: type[Family], record: RunRecord, *, keep: Path | None = None) -> None:
        """`keep`: a folder for inputs that must not have done what they did."""
        self._family, self._record, self._keep = family, record, keep
        self._open: Family | None = None

    def run(self, times: int) -> None:
        """Try each case that is not done yet."""
        part = self._family.name
        with tempfile.TemporaryDirectory(prefix=f"partner-{part}-") as folder:
            number = self._record.place(part)
            try:
                while number < times and not self._record.time_is_up:
                    portion = range(number, min(times, number + _PORTION))
                    for each in portion:
                        self._try(each, Path(folder))
                    number = portion.stop
                    self._record.reached(number, part=part)
            finally:
                self._drop()

    def _try(self, number: int, folder: Path) -> None:
        name = self._family.name
        if self._open is None:
            self._open = self._family(Path(tempfile.mkdtemp(dir=folder)))
        given = self._open.make(random.Random(f"{self._record.seed}/{name}/{number}"))
        outcome, fault = attempt(self._open, given)
        self._record.count(outcome, part=name)
        if fault:
            if len(self._record.wrong) < _MOST_TOLD:
                self._record.wrong.append(f"{name} {number}: {fault}: {given[:300]!r}")
            if self._keep is not None:
                self._keep.mkdir(parents=True, exist_ok=True)
                (self._keep / f"{name}-{self._record.seed}-{number}").write_bytes(given)
        if outcome == "hang":
            self._drop()

    def _drop(self) -> None:
        if self._open is not None:
            self._open.close()
        self._open = None


def attempt(family: Family, given: bytes) -> tuple[str, str]:
    """What came of an input, and what is wrong with that; empty where nothing is."""
    begun_s = time.process_time()
    outcome, fault = _attempt(family, given)
    if time.process_time() - begun_s > MOST_S and not fault:  # the first of a kind may have loaded a library
        begun_s = time.process_time()
        outcome, fault = _attempt(family, given)
        spent_s = time.process_time() - begun_s
        if spent_s > MOST_S:
            return "slow", f"it took {spent_s:.1f} s"
    return outcome, fault


def _attempt(family: Family, given: bytes) -> tuple[str, str]:
    try:
        with _cut_off():
            return family.take(given), ""
    except HangError:
        return "hang", "it did not end: " + traceback.format_exc(limit=-4).replace("\n", " | ")
    except PartnerError as error:
        try:
            check_error(error)
        except AssertionError as wrong:
            return "refused", str(wrong)
        return "refused", ""
    except Exception as error:  # noqa: BLE001 - that is what is looked for
        where = traceback.extract_tb(error.__traceback__)[-3:]
        places = ", ".join(f"{Path(each.filename).name}:{each.lineno}" for each in where)
        return "broke", f"{type(error).__name__}: {str(error)[:300]} ({places})"


@contextmanager
def _cut_off() -> Iterator[None]:
    def end(_signal: int, _frame: FrameType | None) -> None:
        raise HangError

    timers = {
        signal.SIGPROF: (signal.ITIMER_PROF, _CUT_S),
        signal.SIGALRM: (signal.ITIMER_REAL, _CUT_CLOCK_S),
    }
    before = {number: signal.signal(number, end) for number in timers}
    for timer, limit_s in timers.values():
        signal.setitimer(timer, limit_s)
    try:
        yield
    finally:
        for timer, _ in timers.values():
            signal.setitimer(timer, 0)
        for number, handler in before.items():
            signal.signal(number, handler)
