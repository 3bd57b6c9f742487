"""What lies in a home, what of it is different, and what a story wants to find there."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

#: Larger files are compared by their size.
_HASHED_BYTES = 2_000_000


def snapshot(home: Path) -> dict[str, str]:
    """Path below the home → what is in it, without its hidden folders: they are Partner's and the trash's."""
    found: dict[str, str] = {}
    for at, folders, files in os.walk(home):
        root = Path(at)
        if root == home:
            folders[:] = [name for name in folders if not name.startswith(".")]
        found |= {f"{(root / name).relative_to(home)}/": "folder" for name in folders}
        found |= {str((root / name).relative_to(home)): _content(root / name) for name in files}
    return found


def _content(file: Path) -> str:
    size_bytes = file.lstat().st_size
    if file.is_symlink() or not file.is_file() or size_bytes >= _HASHED_BYTES:
        return str(size_bytes)
    return hashlib.sha256(file.read_bytes()).hexdigest()


def changes(before: Mapping[str, str], after: Mapping[str, str]) -> list[str]:
    """The paths that came, went or are different; of folders, with a slash at the end."""
    return sorted(path for path in before.keys() | after.keys() if before.get(path) != after.get(path))


def outside(paths: Iterable[str], allowed: Iterable[str]) -> list[str]:
    """Those that lie in none of the `allowed`."""
    folders = [f"{name.rstrip('/')}/" for name in allowed]
    return [path for path in paths if not any(f"{path}/".startswith(folder) for folder in folders)]


def holds(wanted: str, home: Path) -> bool:
    """`+~/PATTERN`: there is such a file; `-~/PATTERN`: there is none; `~PATTERN::REGEX`: one holds that."""
    sign = wanted[0] if wanted[0] in "+-" else ""
    pattern, _, text = wanted.removeprefix(sign).removeprefix("~").removeprefix("/").partition("::")
    if sign:
        return any(home.glob(pattern)) == (sign == "+")
    files = (path for path in home.glob(pattern) if path.is_file())
    return any(re.search(text, path.read_text(encoding="utf-8", errors="replace")) for path in files)
