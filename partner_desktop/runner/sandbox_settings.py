"""What holds scripts: the `sandbox` table of `config/action.toml`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Literal

from pydantic import Field, field_validator

from partner_desktop.config.settings_model import SettingsModel

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
        return tuple(Path(os.path.normpath(expanded_root(path))) for path in self.read_paths)


def _too_wide(text: str) -> str:
    """Why a path is never opened to every script, by its spelling alone; empty when it may be."""
    if not text.startswith(("/", "~")) or "\0" in text:
        return f"{text} is not a whole path; write it from / or from ~ on"
    path = Path(os.path.normpath(expanded_root(text)))
    home = expanded_root("~")
    if path == Path(path.anchor):
        return f"{text} is the whole disk, which no script is given; name the folder that they need"
    if path == home or path in home.parents:
        return f"{text} holds your whole home folder, which no script is given; name a folder in it"
    if any(path.is_relative_to(kernels) for kernels in _KERNELS):
        return f"{text} belongs to the kernel and is never opened to scripts"
    return ""


def expanded_root(root: str) -> Path:
    """The folder of a setting; one of a user that nobody knows stays as it is written."""
    try:
        return Path(root).expanduser()
    except RuntimeError:
        return Path(root)
