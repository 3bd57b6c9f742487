"""Login shells of every kind, as real programs."""

from __future__ import annotations

from pathlib import Path

#: What a shell is called with: `SHELL -lic COMMAND`.
ANSWER = 'eval "$2"'


def make_shell(folder: Path, *lines: str, name: str = "shell") -> str:
    """A program that is called like a shell and does what it is told."""
    path = folder / name
    path.write_text("\n".join(["#!/bin/sh", *lines, ""]), encoding="utf-8")
    path.chmod(0o755)
    return str(path)


def make_program(path: Path, *, mode: int = 0o755) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n", encoding="utf-8")
    path.chmod(mode)
    return path
