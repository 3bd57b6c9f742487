"""The source of an ability as it is read before a yes: each file that could run, each sign seen. Blocking."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from partner_desktop.base.text import shown

#: Of each file, and of all of them together.
_FILE_BYTES, _ALL_BYTES = 64 * 1024, 512 * 1024
#: Files that are only named.
_MOST_NAMED = 40
#: What is read and not run; unless it says otherwise in its first bytes.
_DATA = (
    *(".bmp", ".csv", ".gif", ".ico", ".jpeg", ".jpg", ".json", ".jsonl", ".md", ".png", ".rst", ".svg"),
    *(".toml", ".tsv", ".txt", ".webp", ".xml", ".yaml", ".yml"),
)
_PROGRAMS = (b"#!", b"\x7fELF", b"MZ", b"\xca\xfe\xba\xbe", b"\xcf\xfa\xed\xfe")


def source_text(script: Path, content_hash: str) -> str:
    """Of a script that stands alone its text; of a folder, first its script and then what lies beside it.

    `script`: in the snapshot, whose folder is named by the hash.
    """
    files = _files(script, content_hash)
    if len(files) == 1:
        return _text(script)
    parts, left, unread = [], _ALL_BYTES, []
    for path, name, size in files:
        if path != script and (left <= 0 or _is_data(path)):
            unread.append(f"{name} ({_size(size)})")
            continue
        left -= min(size, _FILE_BYTES)
        parts.append(f"── {name} ({_size(size)}) ──\n{_text(path)}")
    if unread:
        more = len(unread) - _MOST_NAMED
        said = unread[:_MOST_NAMED] + ([f"{more} more files"] if more > 0 else [])
        parts.append("── Beside it ──\n" + "\n".join(said))
    return "\n\n".join(parts)


def _files(script: Path, content_hash: str) -> list[tuple[Path, str, int]]:
    """With names and sizes, the script first; links are nothing that was taken over."""
    root = next((folder for folder in script.parents if folder.name == content_hash), None)
    found = [(script, script.name, _size_of(script))]
    if root is None:
        return found
    for place, folders, names in os.walk(root):
        folders.sort()
        for name in sorted(names):
            path = Path(place) / name
            if path != script and stat.S_ISREG(path.lstat().st_mode):
                found.append((path, shown(str(path.relative_to(root))), _size_of(path)))
    return found


def _size_of(path: Path) -> int:
    try:
        return path.lstat().st_size
    except OSError:
        return 0


def _is_data(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            begins = file.read(4)
    except OSError:
        return False
    return path.suffix.casefold() in _DATA and not begins.startswith(_PROGRAMS)


def _text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            data = file.read(_FILE_BYTES)
            size = os.fstat(file.fileno()).st_size
    except OSError:
        return ""
    if b"\0" in data:
        return "(no text: this is for the machine)"
    text = shown(data.decode("utf-8", "replace"), lines=True)
    return text if size <= len(data) else f"{text}\n… {_size(size - len(data))} more of it are not shown here"


def _size(size_bytes: int) -> str:
    return f"{size_bytes} B" if size_bytes < 1024 else f"{size_bytes / 1024:.1f} KiB"
