"""ServerConfig: one external MCP server as its file configures it; free of `mcp`, which loads slowly."""

from __future__ import annotations

from dataclasses import field
from pathlib import Path
from typing import Literal

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.runner.mcp.secret_masks import KnownSecrets

Transport = Literal["stdio", "http", "sse"]

#: Seconds that a call may take, and a start, where the configuration does not say.
CALL_TIMEOUT_S = 120.0
START_TIMEOUT_S = 30.0


@dataclass(frozen=True)
class ServerConfig:
    """As written: `${env:NAME}` and `${keyring:NAME}` still stand in it. Two that are equal run the same."""

    id: str
    transport: Transport
    command: str = ""
    args: tuple[str, ...] = field(default=(), repr=False)
    env: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    cwd: str = ""
    folder: str = ""
    """Where its file lies: relative paths are relative to it, and without `cwd` the process begins here."""
    url: str = field(default="", repr=False)
    headers: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    timeout_s: float = CALL_TIMEOUT_S
    start_timeout_s: float = START_TIMEOUT_S
    disabled: bool = False
    """Switched off in the file itself, or by the file's name."""
    insecure: bool = False
    """Whether its secrets may go over the net unencrypted, to an address that begins with http://."""


@dataclass(frozen=True)
class ConfiguredServer:
    """A configuration and where it stands."""

    config: ServerConfig
    path: Path
    line: int | None = None
    hints: tuple[str, ...] = ()


@dataclass(frozen=True)
class ResolvedServer:
    """A configuration with everything filled in, ready to be started. Never logged, never shown."""

    id: str
    transport: Transport
    shown: str
    """The command line as resolved, or the address, without secrets."""
    program: Path | None = None
    args: tuple[str, ...] = field(default=(), repr=False)
    env: dict[str, str] = field(default_factory=dict, repr=False)
    """The whole environment of the process."""
    cwd: Path | None = None
    held: tuple[str, ...] = field(default=(), repr=False)
    """What the program and the files named in the arguments hold; looked at for an outline alone."""
    url: str = field(default="", repr=False)
    headers: dict[str, str] = field(default_factory=dict, repr=False)
    timeout_s: float = CALL_TIMEOUT_S
    start_timeout_s: float = START_TIMEOUT_S
    secrets: KnownSecrets = field(default_factory=KnownSecrets, repr=False)
    """What must stand in nothing that is kept or shown."""
