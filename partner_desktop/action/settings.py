"""The settings of what acts: `config/action.toml`."""

from __future__ import annotations

from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, field_validator


class ActionSettings(BaseModel):
    """What external servers are told of this computer."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    roots: tuple[str, ...] = Field(
        default=(),
        max_length=100,
        description="Folders that external MCP servers are told they may work in: a word, not a wall.",
        examples=[["~/Documents"]],
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
