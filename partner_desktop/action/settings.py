"""The settings of what acts: `config/action.toml`."""

from __future__ import annotations

from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, field_validator


class UndoSettings(BaseModel):
    """What is kept so that the work of an ability on your files can be taken back."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    enabled: bool = Field(
        default=True,
        description="Whether files are copied before an ability may change them.",
        examples=[True],
    )
    cap_mb: int = Field(
        default=512,
        ge=1,
        le=1_000_000,
        description="The copies made for one run stay below this; small files are copied first.",
        json_schema_extra={"unit": "MB"},
        examples=[512],
    )
    total_mb: int = Field(
        default=2_048,
        ge=1,
        le=10_000_000,
        description="All copies together stay below this; the oldest go first.",
        json_schema_extra={"unit": "MB"},
        examples=[2_048],
    )
    max_files: int = Field(
        default=50_000,
        ge=10,
        le=1_000_000,
        description="A folder that holds more than this is not watched: a run in it cannot be undone.",
        json_schema_extra={"unit": "files and folders"},
        examples=[50_000],
    )
    keep_days: int = Field(
        default=7,
        ge=1,
        le=3_650,
        description="For how long a run can be undone.",
        json_schema_extra={"unit": "days"},
        examples=[7],
    )


class ActionSettings(BaseModel):
    """What external servers are told of this computer, and what is kept of runs."""

    model_config = ConfigDict(frozen=True, extra="forbid")

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
        examples=[30],
    )
    undo: UndoSettings = UndoSettings()

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
