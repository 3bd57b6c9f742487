"""Blocks and workspaces for tests."""

from __future__ import annotations

from partner_desktop.config.handle import ConfigHandle
from partner_desktop.context.block import GLOBAL, ContextBlock, Domain, Urgency
from partner_desktop.context.block_settings import ContextSettings
from partner_desktop.context.score import Fades
from partner_desktop.context.workspace import ContextWorkspace
from tests.support import FakeClock

#: Makes ACTION secondary.
BESIDE = (Domain.MEMORY, Domain.ACTION)


def block(
    name: str = "b",
    *,
    source: str = "s",
    scope: str = GLOBAL,
    domain: Domain = Domain.ACTION,
    also: tuple[Domain, ...] = (),
    fades: Fades | None = None,
    texts: tuple[str, str, str] = ("full", "compact", "abstract"),
    urgency: Urgency = Urgency.NORMAL,
    turn_id: str = "",
    supply: bool = False,
    housekeeping: bool = False,
) -> ContextBlock:
    """A block whose words say which form they are."""
    return ContextBlock(
        name=name,
        source=source,
        domain=domain,
        also=also,
        full=texts[0],
        compact=texts[1],
        abstract=texts[2],
        scope=scope,
        fades=fades or Fades(),
        urgency=urgency,
        turn_id=turn_id,
        supply=supply,
        housekeeping=housekeeping,
    )


def workspace(clock: FakeClock | None = None, *, budget_tokens: int = 4_096) -> ContextWorkspace:
    """An empty workspace with a budget."""
    settings = ConfigHandle("context", ContextSettings(budget_tokens=budget_tokens))
    return ContextWorkspace(clock=clock or FakeClock(), settings=settings)
