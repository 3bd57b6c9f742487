"""What the app and the process that fetches say to each other: one JSON object a line.

The app writes one job and keeps the pipe open; the process answers with any number of `planned` and
`progress` and one last word: `looked`, `fetched` or `trouble`. When its stdin closes, it ends at once.

What the app says is our own; what the process says is held to its form by pydantic, which the process itself
does without: a tenth of a second of each download's start.
"""

from __future__ import annotations

import json
from dataclasses import asdict, field
from functools import cache
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal, TypeAlias

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.domain.decoder import decoded

if TYPE_CHECKING:
    from pydantic import TypeAdapter

#: A longer line is no word of ours.
MOST_LINE_BYTES = 4 * 1024 * 1024

TroubleKind = Literal[
    "offline",
    "refused",
    "silent",
    "unsafe",
    "gated",
    "denied",
    "no_repository",
    "no_revision",
    "no_file",
    "too_many",
    "hub_failed",
    "cut",
    "circle",
    "unsafe_redirect",
    "bad_answer",
    "wrong_size",
    "wrong_hash",
    "not_gguf",
    "unreadable",
    "disk_full",
    "disk",
    "ended",
]
#: What passes, or can be helped here: the download waits, with what it has, to be resumed.
PASSING: frozenset[TroubleKind] = frozenset(
    {"offline", "refused", "silent", "unsafe", "too_many", "hub_failed", "cut", "disk_full", "disk", "ended"}
)


@dataclass(frozen=True, kw_only=True)
class FetchMessage:
    """What all share."""

    __pydantic_config__: ClassVar[dict[str, str]] = {"extra": "forbid"}


@dataclass(frozen=True, kw_only=True)
class PartSpec(FetchMessage):
    """A file of a repository."""

    file: str
    size_bytes: int = 0
    """0: unknown."""
    sha256: str = ""
    """Empty: unknown."""


@dataclass(frozen=True, kw_only=True)
class LookJob(FetchMessage):
    """List the model files of a repository."""

    type: Literal["look"] = "look"
    repository: str
    revision: str = ""


@dataclass(frozen=True, kw_only=True)
class FetchJob(FetchMessage):
    """Bring files into a folder, each under its own last name, going on where an earlier process stopped."""

    type: Literal["fetch"] = "fetch"
    repository: str
    revision: str = ""
    """The commit, once it is known."""
    parts: tuple[PartSpec, ...]
    told: tuple[PartSpec, ...] = ()
    """What the hub said of them the last time: where all are here and right, it is not asked again."""
    names: tuple[str, ...] = ()
    """The paths of those that have their lasting names already: a part that is wrong goes with its name."""
    folder: str
    stall_s: float = 60.0
    """Nothing for so long: it is tried again, and given up after a few times."""


@dataclass(frozen=True, kw_only=True)
class Looked(FetchMessage):
    """What the repository holds."""

    type: Literal["looked"] = "looked"
    revision: str
    licence: str = ""
    files: tuple[PartSpec, ...]


@dataclass(frozen=True, kw_only=True)
class FetchPlan(FetchMessage):
    """What will be fetched, as the hub says."""

    type: Literal["planned"] = "planned"
    revision: str
    parts: tuple[PartSpec, ...]
    size_bytes: int
    """Of all parts."""
    done_bytes: int


@dataclass(frozen=True, kw_only=True)
class FetchProgress(FetchMessage):
    """How far it is; at most some four a second."""

    type: Literal["progress"] = "progress"
    done_bytes: int
    checking: bool = False
    """All is here, and its hash is reckoned."""


@dataclass(frozen=True, kw_only=True)
class Fetched(FetchMessage):
    """All files are in the folder, and checked."""

    type: Literal["fetched"] = "fetched"


@dataclass(frozen=True, kw_only=True)
class Trouble(FetchMessage):
    """It cannot be done; `values` fill the sentence."""

    type: Literal["trouble"] = "trouble"
    kind: TroubleKind
    values: dict[str, str | int | float] = field(default_factory=dict)


class HubTroubleError(Exception):
    """Carries a trouble to whoever deals with it."""

    def __init__(self, kind: TroubleKind, /, **values: str | float) -> None:
        super().__init__(kind)
        self.trouble = Trouble(kind=kind, values=dict(values))


HubJob: TypeAlias = LookJob | FetchJob
LastWord: TypeAlias = Looked | Fetched | Trouble
HubWord: TypeAlias = FetchPlan | FetchProgress | LastWord


@cache
def _words() -> TypeAdapter[HubWord]:
    from pydantic import Field, TypeAdapter  # noqa: PLC0415 - the process that fetches does without

    return TypeAdapter(Annotated[HubWord, Field(discriminator="type")])


def part_name(file: str) -> str:
    """What a file is called while it comes: no name of a model, so that nobody takes it for one."""
    return f"{file.rpartition('/')[2]}.part"


def message_line(message: FetchMessage) -> bytes:
    """The line of a message."""
    return json.dumps(asdict(message)).encode("ascii") + b"\n"


def read_job(line: bytes) -> HubJob:
    """What the app asks.

    Raises:
        ValueError: It is no job.
    """
    said = json.loads(line)
    jobs: dict[str, type[HubJob]] = {"look": LookJob, "fetch": FetchJob}
    try:
        return decoded(jobs[said["type"]], said)
    except (KeyError, TypeError) as error:
        raise ValueError("a line that asks for nothing") from error


def read_word(line: bytes) -> HubWord:
    """What the process says.

    Raises:
        ValueError: It is no word.
    """
    return _words().validate_json(line)
