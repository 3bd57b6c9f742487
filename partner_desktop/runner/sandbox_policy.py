"""ExecutionPolicy: what holds scripts, what a run may use, what all of them may read. And who keeps it.

Contract: the policy in force is replaced as a whole, never changed. The keeper probes at the launch, and
again when the settings name another provider; until it has probed, and wherever nothing can hold a script,
the policy says why, and then nothing that is not trusted runs without the person's own yes. The settings are
the `sandbox` table of `config/action.toml`.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal, Protocol

from pydantic import ConfigDict, Field, field_validator

from partner_desktop.base.errors import ConfigError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.messages import LazySentence, sentence_of
from partner_desktop.base.paths import Home, display_path, expanded_path
from partner_desktop.config.handle import SettingsModel
from partner_desktop.runner.sandbox import Limits, Sandbox
from partner_desktop.runner.sandbox_probe import SandboxProbe, probe_sandbox

#: What no setting opens to scripts, nor anything in it.
_KERNELS = ("/proc", "/sys", "/dev")


class SandboxSettings(SettingsModel):
    """What holds the scripts, and what each run of one may use."""

    model_config = ConfigDict(json_schema_extra={"section": "abilities", "place": 10})

    provider: Literal["bwrap", "none"] = Field(
        default="bwrap",
        description='What holds scripts: bubblewrap, or nothing. With "none", and wherever bubblewrap does '
        "not work, a script runs only after your own yes to that run.",
    )
    memory_mb: int = Field(
        default=2048,
        ge=64,
        le=1_048_576,
        description="Memory, all processes of a run together.",
        json_schema_extra={"unit": "MiB"},
        examples=[4096],
    )
    processes: int = Field(
        default=256, ge=4, le=8192, description="Processes of a run at one time.", examples=[512]
    )
    workspace_mb: int = Field(
        default=1024,
        ge=1,
        le=1_048_576,
        description="On disk, in the workspace of a run.",
        json_schema_extra={"unit": "MiB"},
        examples=[4096],
    )
    file_mb: int = Field(
        default=512,
        ge=1,
        le=1_048_576,
        description="One file that a run writes.",
        json_schema_extra={"unit": "MiB"},
        examples=[2048],
    )
    tmp_mb: int = Field(
        default=64,
        ge=1,
        le=16_384,
        description="Its own temporary folder, which is kept in memory.",
        json_schema_extra={"unit": "MiB"},
        examples=[256],
    )
    open_files: int = Field(
        default=1024, ge=32, le=65_536, description="Open files of one process.", examples=[4096]
    )
    read_paths: tuple[str, ...] = Field(
        default=(),
        max_length=100,
        description="Folders and files that every script may read, such as a toolchain. Not your home "
        "folder, what lies above it, or a link.",
        examples=[["/opt/toolchain"]],
    )

    @field_validator("read_paths")
    @classmethod
    def _narrow(cls, paths: tuple[str, ...]) -> tuple[str, ...]:
        for path in paths:
            fault = _too_wide(path)
            if fault:
                raise ValueError(fault)
        return paths

    def shared_paths(self) -> tuple[Path, ...]:
        """`read_paths` as absolute paths, not yet looked at."""
        return tuple(Path(os.path.normpath(expanded_path(path))) for path in self.read_paths)


def _too_wide(text: str) -> str:
    """Why a path is never opened to every script, by its spelling alone; empty when it may be."""
    if not text.startswith(("/", "~")) or "\0" in text:
        return sentence_of("runner.policy.not_whole", path=text)
    path = Path(os.path.normpath(expanded_path(text)))
    home = expanded_path("~")
    if path == Path(path.anchor):
        return sentence_of("runner.policy.whole_disk", path=text)
    if path == home or path in home.parents:
        return sentence_of("runner.policy.whole_home", path=text)
    if any(path.is_relative_to(kernels) for kernels in _KERNELS):
        return sentence_of("runner.policy.kernel", path=text)
    return ""


_MIB = 1024 * 1024
_NOT_PROBED = SandboxProbe(LazySentence("runner.sandbox.not_probed"))
_SWITCHED_OFF = SandboxProbe(LazySentence("runner.sandbox.off"))


_NO_SETTINGS = Limits()


@dataclass(frozen=True)
class ExecutionPolicy:
    """How scripts run, as of now."""

    probe: SandboxProbe = _NOT_PROBED
    limits: Limits = _NO_SETTINGS
    shared_paths: tuple[Path, ...] = ()
    """What every script may read besides its own: absolute, resolved, there."""
    faults: tuple[LazySentence, ...] = ()
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
            raise ConfigError("common.told", text=policy.faults[0])
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
    return sentence_of(
        "runner.policy.limits",
        memory=limits.memory_bytes // _MIB,
        processes=limits.processes,
        workspace=limits.workspace_bytes // _MIB,
        file=limits.file_bytes // _MIB,
    )


def _look(paths: Sequence[Path], own: Sequence[Path]) -> tuple[tuple[Path, ...], tuple[LazySentence, ...]]:
    """Which of the paths can be opened, and why the others are not. Blocking."""
    closed = [Path(os.path.realpath(place)) for place in own]
    found = [(path, _fault(path, closed)) for path in paths]
    return (
        tuple(path for path, fault in found if fault is None),
        tuple(LazySentence("runner.policy.of_setting", fault=fault) for _, fault in found if fault),
    )


def _fault(path: Path, closed: Sequence[Path]) -> LazySentence | None:
    shown, real = display_path(path), Path(os.path.realpath(path))
    if any(place in (real, *real.parents) for place in closed):
        return LazySentence("runner.policy.own", path=shown)
    if real != path:
        return LazySentence("runner.policy.link", path=shown, real=display_path(real))
    if not path.exists():
        return LazySentence("runner.policy.gone", path=shown)
    return None
