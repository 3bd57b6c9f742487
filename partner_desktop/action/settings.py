"""The settings of what acts: `config/action.toml`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Literal

from pydantic import Field, field_validator

from partner_desktop.config.handle import SettingsModel

#: What no setting opens to scripts, nor anything in it.
_KERNELS = ("/proc", "/sys", "/dev")


class SandboxSettings(SettingsModel):
    """What holds the scripts, and what each run of one may use."""

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
        return tuple(Path(os.path.normpath(_expanded(path))) for path in self.read_paths)


def _too_wide(text: str) -> str:
    """Why a path is never opened to every script, by its spelling alone; empty when it may be."""
    if not text.startswith(("/", "~")) or "\0" in text:
        return f"{text} is not a whole path; write it from / or from ~ on"
    path = Path(os.path.normpath(_expanded(text)))
    home = _expanded("~")
    if path == Path(path.anchor):
        return f"{text} is the whole disk, which no script is given; name the folder that they need"
    if path == home or path in home.parents:
        return f"{text} holds your whole home folder, which no script is given; name a folder in it"
    if any(path.is_relative_to(kernels) for kernels in _KERNELS):
        return f"{text} belongs to the kernel and is never opened to scripts"
    return ""


class UndoSettings(SettingsModel):
    """What is kept so that the work of an ability on your files can be taken back."""

    enabled: bool = Field(
        default=True,
        description="Whether files are copied before an ability may change them.",
    )
    cap_mb: int = Field(
        default=512,
        ge=1,
        le=1_000_000,
        description="The copies made for one run stay below this; small files are copied first.",
        json_schema_extra={"unit": "MB"},
    )
    total_mb: int = Field(
        default=2_048,
        ge=1,
        le=10_000_000,
        description="All copies together stay below this; the oldest go first.",
        json_schema_extra={"unit": "MB"},
    )
    max_files: int = Field(
        default=50_000,
        ge=10,
        le=1_000_000,
        description="A folder that holds more than this is not watched: a run in it cannot be undone.",
        json_schema_extra={"unit": "files and folders"},
    )
    keep_days: int = Field(
        default=7,
        ge=1,
        le=3_650,
        description="For how long a run can be undone.",
        json_schema_extra={"unit": "days"},
    )


class ChainSettings(SettingsModel):
    """How far a chain of steps may go."""

    together: int = Field(
        default=4, ge=1, le=64, description="Steps of one stage that run at the same time.", examples=[2]
    )
    most_steps: int = Field(
        default=30,
        ge=1,
        le=200,
        description="Steps of one chain, those that corrections add included.",
        examples=[50],
    )
    most_minutes: int = Field(
        default=60,
        ge=1,
        le=10_080,
        description="A chain ends after working for so long; waiting for you does not count.",
        json_schema_extra={"unit": "minutes"},
        examples=[240],
    )
    most_tokens: int = Field(
        default=200_000,
        ge=1_000,
        le=100_000_000,
        description="A chain ends when the model has read and written so much for it.",
        json_schema_extra={"unit": "tokens"},
        examples=[1_000_000],
    )
    corrections: int = Field(
        default=3,
        ge=0,
        le=20,
        description="How often a chain that goes wrong is mended.",
        examples=[1],
    )


class ActionSettings(SettingsModel):
    """What external servers are told of this computer, what holds the scripts, and what is kept of runs."""

    roots: tuple[str, ...] = Field(
        default=(),
        max_length=100,
        description="Folders that external MCP servers are told they may work in: a word, not a wall.",
        examples=[["~/Documents"]],
    )
    files_keep_days: int = Field(
        default=30,
        ge=1,
        le=3_650,
        description="For how long the files that a run made for itself wait to be kept.",
        json_schema_extra={"unit": "days"},
    )
    undo: UndoSettings = UndoSettings()

    chain: ChainSettings = Field(default=ChainSettings(), description="How far a chain of steps may go.")

    sandbox: SandboxSettings = Field(
        default=SandboxSettings(), description="What holds the scripts, and what each run of one may use."
    )

    @field_validator("roots")
    @classmethod
    def _whole_paths(cls, roots: tuple[str, ...]) -> tuple[str, ...]:
        for root in roots:
            if not root.startswith(("/", "~")) or "\0" in root:
                raise ValueError(f"{root} is not a whole path; write it from / or from ~ on")
        return roots

    def root_folders(self) -> tuple[Path, ...]:
        """The folders as absolute paths."""
        # A user that nobody knows (`~nobody/x`) stays as it is written, and no folder is there.
        return tuple(_expanded(root) for root in self.roots)


def _expanded(root: str) -> Path:
    try:
        return Path(root).expanduser()
    except RuntimeError:
        return Path(root)
