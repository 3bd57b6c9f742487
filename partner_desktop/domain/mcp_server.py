"""An external MCP server as the person sees it: where it stands, what it offers, and why it does not run."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from pathlib import Path

from partner_desktop.base.late_dataclass import dataclass


class ServerPhase(StrEnum):
    """configured → starting → ready; failed or backing off in between; stopped by the person."""

    CONFIGURED = "configured"
    STARTING = "starting"
    READY = "ready"
    FAILED = "failed"
    """It ended, and is not tried again by itself: its configuration must change, or somebody restarts it."""
    BACKING_OFF = "backing off"
    """It ended, and is tried again at `retry_at`."""
    WAITING = "waiting"
    """For the person: `question` says what it would start or get, to which they have not said yes; else
    `sign_in` says that they must sign in."""
    STOPPED = "stopped"
    """The person switched it off."""


class ServerStep(StrEnum):
    """How far a start came."""

    RESOLVE = "resolve"
    """Finding its command, its secrets."""
    SPAWN = "spawn"
    """Starting its process, or reaching its address."""
    HANDSHAKE = "handshake"
    LIST = "list"
    """Asking what it offers."""
    RUN = "run"
    """It was ready, and ended."""


@dataclass(frozen=True)
class ServerResource:
    """Something a server lets others read. A template's `uri` has `{parts}` to fill in."""

    uri: str
    name: str
    description: str = ""
    mime: str = ""
    template: bool = False


@dataclass(frozen=True)
class PromptArgument:
    """One blank of a prompt."""

    name: str
    description: str = ""
    required: bool = False


@dataclass(frozen=True)
class ServerPrompt:
    """A text that a server has ready, with blanks."""

    name: str
    title: str = ""
    description: str = ""
    arguments: tuple[PromptArgument, ...] = ()


@dataclass(frozen=True)
class ServerFailure:
    """Why a start or a run came to an end."""

    step: ServerStep
    message: str
    """One sentence for the person."""
    exit_code: int | None = None
    stderr: tuple[str, ...] = ()
    """The last lines that it wrote, oldest first."""
    needs: tuple[str, ...] = ()
    """Names of the keyring entries that its configuration refers to and that are not there."""
    final: bool = False
    """Trying the same again cannot help: a program that is not there, a key that is not accepted."""
    signs_in: bool = False
    """It says where one signs in (OAuth): that comes first."""


class SignInState(StrEnum):
    """needed → running → done; refused or needed again in between."""

    NEEDED = "needed"
    RUNNING = "running"
    """The browser shows the page, or is about to."""
    DONE = "done"
    REFUSED = "refused"


@dataclass(frozen=True)
class SignIn:
    """Where the sign-in (OAuth) to one server stands. Never with a token or the page's address."""

    state: SignInState
    reason: str = ""
    """A sentence: why it is needed (again), or was refused; or what is odd about one that is done."""
    until: datetime | None = None
    """When it is over; `None` where it renews itself, or the server does not say."""


@dataclass(frozen=True)
class StartQuestion:
    """What a server would start, and the secrets that it would get, for the person's yes or no."""

    sentence: str
    shown_hash: str
    """Of all that the sentence is about: a yes to it is a yes to nothing else."""
    secrets: tuple[str, ...] = ()
    """Names of keyring entries and variables of the environment that it names."""


@dataclass(frozen=True)
class ServerStatus:
    """One server now. Its tools are abilities whose key begins with `id::`."""

    id: str
    phase: ServerPhase
    transport: str
    """`stdio`, `http` or `sse`."""
    shown: str = ""
    """The command line as resolved, or the address; secrets never."""
    path: Path | None = None
    """The file that configures it."""
    line: int | None = None
    failure: ServerFailure | None = None
    """Of the last start or run that failed; `None` once it is ready again."""
    question: StartQuestion | None = None
    """While it waits for the person's yes."""
    sign_in: SignIn | None = None
    """`None` while nothing is known of one: the server never asked."""
    attempts: int = 0
    """Starts in a row that failed."""
    retry_at: datetime | None = None
    since: datetime | None = None
    """When the phase was entered."""
    name: str = ""
    """What the server calls itself, with its version."""
    instructions: str = ""
    tools: int = 0
    resources: tuple[ServerResource, ...] = ()
    prompts: tuple[ServerPrompt, ...] = ()
    hints: tuple[str, ...] = ()
    """Harmless oddities of its configuration."""
    plain: tuple[str, ...] = ()
    """What stands in its file as plain text and seems to be a secret: variables, headers, options by name."""
    can_switch: bool = True


SERVER_KEYS = "server::"
"""Begins the key of a server itself (its start, its switch); no ability's, for no server may be called so."""
