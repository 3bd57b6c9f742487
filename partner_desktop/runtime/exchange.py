"""Exchange: one input from outside and everything that it sets off, to the end.

Contract: whoever keeps an exchange busy (a queued turn, a run) holds it; when the last hold is
released the exchange is over and says so once. A proposal that waits for the person does not keep it
busy: then it is over with the status `waiting`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from partner_desktop.base.ids import new_id
from partner_desktop.permission.request import StandingAnswer

ExchangeStatus = Literal["ok", "failed", "waiting"]
Release: TypeAlias = Callable[[], None]


@dataclass(eq=False)
class Exchange:
    """Shared by all turns and runs of one input."""

    conversation_id: str
    on_over: Callable[[Exchange], None]
    standing: StandingAnswer = StandingAnswer.ASK
    cwd: str = ""
    """What relative paths in the input are relative to; empty: unknown."""
    program: str = ""
    """The program that asks, as it calls itself; empty: a person does, or their script."""
    id: str = field(default_factory=new_id)
    status: ExchangeStatus = "ok"
    over: asyncio.Event = field(default_factory=asyncio.Event)
    _holds: int = 0

    @property
    def told(self) -> bool:
        """Whether turns tell what came of it; a program reads the result itself, and nobody the reply."""
        return self.standing is not StandingAnswer.GRANTED

    def hold(self) -> Release:
        """Keep the exchange busy until the returned function is called (further calls do nothing)."""
        self._holds += 1
        self.over.clear()
        released = False

        def release() -> None:
            nonlocal released
            if released:
                return
            released = True
            self._holds -= 1
            if self._holds == 0:
                self.over.set()
                self.on_over(self)

        return release
