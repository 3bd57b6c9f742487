"""What the app and the process that fetches say to each other: one JSON object a line.

The app writes one job and keeps the pipe open; the process answers with any number of `planned` and
`progress` and one last word: `looked`, `fetched` or `trouble`. When its stdin closes, it ends at once.
"""

from __future__ import annotations

from functools import cache
from typing import Annotated, Literal, TypeAlias, TypeVar

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

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
    "disk_full",
    "disk",
    "ended",
]
#: What passes, or can be helped here: the download waits, with what it has, to be resumed.
PASSING: frozenset[TroubleKind] = frozenset(
    {"offline", "refused", "silent", "unsafe", "too_many", "hub_failed", "cut", "disk_full", "disk", "ended"}
)


class FetchMessage(BaseModel):
    """What all share."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


class PartSpec(FetchMessage):
    """A file of a repository."""

    file: str
    size_bytes: int = 0
    """0: unknown."""
    sha256: str = ""
    """Empty: unknown."""


class LookJob(FetchMessage):
    """List the model files of a repository."""

    type: Literal["look"] = "look"
    repository: str
    revision: str = ""


class FetchJob(FetchMessage):
    """Bring files into a folder, each under its own last name, going on where an earlier process stopped."""

    type: Literal["fetch"] = "fetch"
    repository: str
    revision: str = ""
    """The commit, once it is known."""
    parts: tuple[PartSpec, ...]
    folder: str


class Looked(FetchMessage):
    """What the repository holds."""

    type: Literal["looked"] = "looked"
    revision: str
    licence: str = ""
    files: tuple[PartSpec, ...]


class FetchPlan(FetchMessage):
    """What will be fetched, as the hub says."""

    type: Literal["planned"] = "planned"
    revision: str
    size_bytes: int
    """Of all parts."""
    done_bytes: int


class FetchProgress(FetchMessage):
    """How far it is; at most some four a second."""

    type: Literal["progress"] = "progress"
    done_bytes: int
    checking: bool = False
    """All is here, and its hash is reckoned."""


class Fetched(FetchMessage):
    """All files are in the folder, and checked."""

    type: Literal["fetched"] = "fetched"


class Trouble(FetchMessage):
    """It cannot be done; `values` fill the sentence."""

    type: Literal["trouble"] = "trouble"
    kind: TroubleKind
    values: dict[str, str | int | float] = {}


class HubTroubleError(Exception):
    """Carries a trouble to whoever deals with it."""

    def __init__(self, kind: TroubleKind, /, **values: str | float) -> None:
        super().__init__(kind)
        self.trouble = Trouble(kind=kind, values=dict(values))


HubJob: TypeAlias = LookJob | FetchJob
LastWord: TypeAlias = Looked | Fetched | Trouble
HubWord: TypeAlias = FetchPlan | FetchProgress | LastWord

T = TypeVar("T")


@cache
def _jobs() -> TypeAdapter[HubJob]:
    return TypeAdapter(Annotated[HubJob, Field(discriminator="type")])


@cache
def _words() -> TypeAdapter[HubWord]:
    return TypeAdapter(Annotated[HubWord, Field(discriminator="type")])


def part_name(file: str) -> str:
    """What a file is called while it comes: no name of a model, so that nobody takes it for one."""
    return f"{file.rpartition('/')[2]}.part"


def message_line(message: FetchMessage) -> bytes:
    """The line of a message."""
    return message.model_dump_json().encode("utf-8") + b"\n"


def read_job(line: bytes) -> HubJob:
    """What the app asks.

    Raises:
        ValueError: It is no job.
    """
    return _checked_line(_jobs(), line)


def read_word(line: bytes) -> HubWord:
    """What the process says.

    Raises:
        ValueError: It is no word.
    """
    return _checked_line(_words(), line)


def _checked_line(adapter: TypeAdapter[T], line: bytes) -> T:
    try:
        return adapter.validate_json(line)
    except ValidationError as error:
        raise ValueError("a line that says nothing") from error
