"""ExecutionPolicy: what holds scripts, what a run may use, what all of them may read. And who keeps it.

Contract: the policy in force is replaced as a whole, never changed. The keeper probes at the launch, and
again when the settings name another provider; until it has probed, and wherever nothing can hold a script,
the policy says why, and then nothing that is not trusted runs without the person's own yes.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from partner_desktop.base.errors import ConfigError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.paths import Home, display_path
from partner_desktop.runner.sandbox import Limits, Sandbox
from partner_desktop.runner.sandbox_probe import SandboxProbe, probe_sandbox
from partner_desktop.runner.sandbox_settings import SandboxSettings

_MIB = 1024 * 1024
_NOT_PROBED = SandboxProbe("Whether scripts can be sandboxed here has not been looked at yet.")
_SWITCHED_OFF = SandboxProbe(
    'The sandbox is switched off (`provider = "none"` under [sandbox] in action.toml), so scripts run only'
    " after your own yes, and with your own rights."
)


_NO_SETTINGS = Limits()


@dataclass(frozen=True)
class ExecutionPolicy:
    """How scripts run, as of now."""

    probe: SandboxProbe = _NOT_PROBED
    limits: Limits = _NO_SETTINGS
    shared_paths: tuple[Path, ...] = ()
    """What every script may read besides its own: absolute, resolved, there."""
    faults: tuple[str, ...] = ()
    """What of the settings is not opened, and why: a sentence each."""

    @property
    def sandbox(self) -> Sandbox | None:
        return self.probe.sandbox


def own_places(home: Home, also: Sequence[Path] = ()) -> tuple[Path, ...]:
    """Partner's own: no script sees them, and no setting opens them."""
    return (home.root, home.socket.parent, *also)


class PolicySource(Protocol):
    """Who knows the policy. `current` is asked anew for each run."""

    @property
    def current(self) -> ExecutionPolicy: ...

    async def launch(self) -> None:
        """Look what this machine offers."""
        ...


class ExecutionPolicyKeeper:
    """The policy that follows the settings. `own`: Partner's own places, which no setting opens."""

    def __init__(self, settings: Callable[[], SandboxSettings], own: Sequence[Path]) -> None:
        self._settings = settings
        self._own = tuple(own)
        self._applied: SandboxSettings | None = None
        self.current = ExecutionPolicy()

    async def launch(self) -> None:
        """Probe; what the settings get wrong stays closed, and `current.faults` says so."""
        settings = self._settings()
        self.current = await make_policy(settings, self._own)
        self._applied = settings

    async def apply(self, new: SandboxSettings) -> None:
        """Bring changed settings into force.

        Raises:
            ConfigError: They open what is not to be opened; the policy from before holds.
        """
        before = self._applied
        if new == before:
            return
        known = self.current.probe if before is not None and before.provider == new.provider else None
        policy = await make_policy(new, self._own, known=known)
        if policy.faults and (before is None or new.read_paths != before.read_paths):
            raise ConfigError(policy.faults[0])
        self.current, self._applied = policy, new


async def make_policy(
    settings: SandboxSettings, own: Sequence[Path], *, known: SandboxProbe | None = None
) -> ExecutionPolicy:
    """The policy that these settings make on this machine. `known`: what a probe has found already."""
    probe = known or (_SWITCHED_OFF if settings.provider == "none" else await probe_sandbox())
    opened, faults = await asyncio.to_thread(_look, settings.shared_paths(), own)
    return ExecutionPolicy(probe, limits_of(settings), opened, faults)


def limits_of(settings: SandboxSettings) -> Limits:
    """The settings' limits as a run has them."""
    memory = settings.memory_mb * _MIB
    return replace(
        Limits(),
        processes=settings.processes,
        tasks=2 * settings.processes,
        memory_bytes=memory,
        data_bytes=2 * memory,
        file_bytes=settings.file_mb * _MIB,
        workspace_bytes=settings.workspace_mb * _MIB,
        tmp_bytes=settings.tmp_mb * _MIB,
        open_files=settings.open_files,
    )


def limits_words(limits: Limits) -> str:
    """The limits on one line."""
    return (
        f"{limits.memory_bytes // _MIB:,} MiB of memory, {limits.processes:,} processes,"
        f" {limits.workspace_bytes // _MIB:,} MiB of workspace, {limits.file_bytes // _MIB:,} MiB a file"
    )


def _look(paths: Sequence[Path], own: Sequence[Path]) -> tuple[tuple[Path, ...], tuple[str, ...]]:
    """Which of the paths can be opened, and why the others are not. Blocking."""
    closed = [Path(os.path.realpath(place)) for place in own]
    found = [(path, _fault(path, closed)) for path in paths]
    return (
        tuple(path for path, fault in found if not fault),
        tuple(f"sandbox.read_paths: {fault}." for _, fault in found if fault),
    )


def _fault(path: Path, closed: Sequence[Path]) -> str:
    shown, real = display_path(path), Path(os.path.realpath(path))
    if any(place in (real, *real.parents) for place in closed):
        return f"{shown} holds Partner's own data, which is never opened to scripts"
    if real != path:
        return f"{shown} is a link, or lies behind one; name the place itself, {display_path(real)}"
    if not path.exists():
        return f"{shown} is not there, so it is not opened to scripts"
    return ""
