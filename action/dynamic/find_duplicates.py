# /// partner
# title.zh = "查找重复文件"
# description.en = "Find duplicate files in a folder: the same contents under any name"
# description.zh = "在一个文件夹里找重复的文件：内容相同，不管叫什么"
# aliases = { en = [
#   "which files do I have twice",
#   "find duplicates",
#   "identical files",
#   "do I have the same photo twice",
#   "files that are there more than once",
# ], zh = ["查找重复文件", "哪些文件是重复的", "重复的照片", "相同的文件"] }
# tags = ["disk", "clean up"]
# annotations = { readOnlyHint = true, destructiveHint = false, idempotentHint = true, openWorldHint = false }
# timeoutSeconds = 600
# [params.folder]
# type = "string"
# format = "path"
# access = "read"
# title.zh = "文件夹"
# description.en = "the folder to search, with all folders in it"
# description.zh = "要查找的文件夹，连同里面所有的文件夹"
# [params.min_size_bytes]
# type = "integer"
# minimum = 0
# default = 1
# title.zh = "最小字节数"
# description.en = "leave out files smaller than this, in bytes"
# description.zh = "比这更小的文件不算，单位是字节"
# [params.include_hidden]
# type = "boolean"
# default = false
# title.zh = "包括隐藏文件"
# description.en = "whether to look at hidden files and folders too"
# description.zh = "要不要也看隐藏的文件和文件夹"
# ///
"""Find identical files in a folder: by size, then by a hash of beginning and end, then by all contents.

Called as `find_duplicates.py --folder=PATH …`; the same comes as a JSON object on stdin. One JSON object on
stdout. A sample to copy from: standard library only; links are never followed, so that no loop can catch it;
two names of one file (hard links) are no duplicates, for they take no space twice.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

EDGE_BYTES = 16 * 1024
CHUNK_BYTES = 1024 * 1024
#: Groups and files of a group that are listed; the counts hold all.
MAX_GROUPS, MAX_FILES = 20, 50


CHINESE = os.environ.get("PARTNER_LANG", "").startswith("zh")


def told(english: str, chinese: str) -> str:
    """A sentence in the language that Partner speaks with the person."""
    return chinese if CHINESE else english


class CannotSearchError(Exception):
    """Why the folder cannot be searched, as a sentence."""


@dataclass(frozen=True)
class Found:
    """One regular file."""

    path: str
    size_bytes: int


@dataclass
class Search:
    """A walk through a folder and what it met."""

    min_size_bytes: int
    include_hidden: bool
    checked: int = 0
    unreadable: list[str] = field(default_factory=list)
    seen: set[tuple[int, int]] = field(default_factory=set)
    """Device and inode: a file of several names counts once."""

    def files(self, folder: str) -> Iterator[Found]:
        """Every file that counts, folder by folder; links are not followed."""
        waiting = [folder]
        while waiting:
            current = waiting.pop()
            try:
                with os.scandir(current) as entries:
                    listed = sorted(entries, key=lambda entry: os.fsencode(entry.name))
            except OSError:
                self.unreadable.append(current)
                continue
            for entry in listed:
                if entry.name.startswith(".") and not self.include_hidden:
                    continue
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(entry.path)
                yield from self._file(entry)

    def _file(self, entry: os.DirEntry[str]) -> Iterator[Found]:
        try:
            if not entry.is_file(follow_symlinks=False):
                return
            info = entry.stat(follow_symlinks=False)
        except OSError:
            self.unreadable.append(entry.path)
            return
        identity = (info.st_dev, info.st_ino)
        if info.st_size >= self.min_size_bytes and identity not in self.seen:
            self.seen.add(identity)
            self.checked += 1
            yield Found(entry.path, info.st_size)

    def alike(self, files: Iterable[Found], key: Callable[[Found], object]) -> list[list[Found]]:
        """Groups of two or more with the same key; files that cannot be read drop out."""
        groups: dict[object, list[Found]] = defaultdict(list)
        for file in files:
            try:
                groups[key(file)].append(file)
            except OSError:
                self.unreadable.append(file.path)
        return [group for group in groups.values() if len(group) > 1]


def duplicates(search: Search, folder: str) -> list[list[Found]]:
    """Groups of identical files, those that waste most first. Each step reads only what is still in doubt."""
    same: list[list[Found]] = []
    for sized in search.alike(search.files(folder), lambda file: file.size_bytes):
        for edged in search.alike(sized, edge_hash):
            whole = sized[0].size_bytes > 2 * EDGE_BYTES
            same.extend(search.alike(edged, full_hash) if whole else [edged])
    return sorted(same, key=lambda group: (-wasted(group), group[0].path))


def edge_hash(file: Found) -> bytes:
    """A hash of the beginning and the end: enough to tell most files apart."""
    with Path(file.path).open("rb") as stream:
        digest = hashlib.blake2b(stream.read(EDGE_BYTES))
        if file.size_bytes > EDGE_BYTES:
            stream.seek(max(EDGE_BYTES, file.size_bytes - EDGE_BYTES))
            digest.update(stream.read(EDGE_BYTES))
    return digest.digest()


def full_hash(file: Found) -> bytes:
    """A hash of everything."""
    digest = hashlib.blake2b()
    with Path(file.path).open("rb") as stream:
        while chunk := stream.read(CHUNK_BYTES):
            digest.update(chunk)
    return digest.digest()


def wasted(group: list[Found]) -> int:
    """Bytes that all copies but one take."""
    return group[0].size_bytes * (len(group) - 1)


def human(size_bytes: float) -> str:
    """`1234567` → `1.2 MB`."""
    for unit in ("bytes", "kB", "MB", "GB"):
        if size_bytes < 1000:
            whole = f"{size_bytes:.0f} {told('bytes', '字节')}"
            return whole if unit == "bytes" else f"{size_bytes:.1f} {unit}"
        size_bytes /= 1000
    return f"{size_bytes:.1f} TB"


def shown(path: str) -> str:
    """A path for people: valid text in one line, the home folder short."""
    text = path
    home = os.environ.get("HOME", "").rstrip(os.sep)
    if home and text.startswith(home + os.sep):
        text = "~" + text[len(home) :]
    return "".join(character if character.isprintable() else "\ufffd" for character in text)


def plural(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}"


def report(folder: str, search: Search, groups: list[list[Found]]) -> dict[str, object]:
    """What is printed: a sentence, the numbers, and the first groups."""
    copies = sum(len(group) - 1 for group in groups)
    waste = sum(wasted(group) for group in groups)
    if groups:
        what = plural(len(groups), "file is there", "files are there")
        needless = plural(copies, "needless copy takes", "needless copies take")
        summary = told(
            f"{what} more than once in {shown(folder)}: {needless} {human(waste)}.",
            f"{shown(folder)} 里有 {len(groups):,} 个文件重复：{copies:,} 个多余的副本占 {human(waste)}。",
        )
    else:
        summary = told(
            f"No file is twice in {shown(folder)} ({plural(search.checked, 'file', 'files')} compared).",
            f"{shown(folder)} 里没有重复的文件（比较了 {search.checked:,} 个文件）。",
        )
    if search.unreadable:
        count = len(search.unreadable)
        summary += told(
            f" {plural(count, 'place', 'places')} could not be read.", f"有 {count:,} 处无法读取。"
        )
    found: dict[str, object] = {
        "summary": summary,
        "files_compared": search.checked,
        "duplicate_groups": len(groups),
        "needless_copies": copies,
        "wasted_bytes": waste,
        "wasted": human(waste),
        "groups": [described(group) for group in groups[:MAX_GROUPS]],
    }
    if len(groups) > MAX_GROUPS:
        found["groups_not_listed"] = len(groups) - MAX_GROUPS
    if search.unreadable:
        found["unreadable"] = [shown(path) for path in search.unreadable[:MAX_GROUPS]]
    return found


def described(group: list[Found]) -> dict[str, object]:
    return {
        "size": human(group[0].size_bytes),
        "copies": len(group),
        "files": [shown(file.path) for file in group[:MAX_FILES]],
    }


def arguments() -> dict[str, object]:
    """The arguments from `--key=value`, and from stdin where the command line has none."""
    given: dict[str, object] = {}
    for part in sys.argv[1:]:
        name, equals, value = part.removeprefix("--").partition("=")
        if part.startswith("--") and equals:
            given[name] = value
    if given or sys.stdin is None or sys.stdin.isatty():
        return given
    try:
        payload = json.loads(sys.stdin.buffer.read() or b"{}")
    except ValueError:
        return {}
    return payload if isinstance(payload, dict) else {}


def whole_number(value: object, name: str) -> int:
    try:
        number = int(str(value))
    except ValueError:
        raise CannotSearchError(
            told(f"{name} must be a whole number, not {value!r}.", f"{name} 必须是整数，不能是 {value!r}。")
        ) from None
    if number < 0:
        raise CannotSearchError(told(f"{name} cannot be less than 0.", f"{name} 不能小于 0。"))
    return number


def yes_or_no(value: object, name: str) -> bool:
    known = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False, "": False}
    found = known.get(str(value).strip().lower())
    if found is None:
        raise CannotSearchError(
            told(
                f"{name} must be true or false, not {value!r}.",
                f"{name} 必须是 true 或 false，不能是 {value!r}。",
            )
        )
    return found


def run(given: dict[str, object]) -> dict[str, object]:
    """Search as asked.

    Raises:
        CannotSearchError: The arguments do not name a folder that can be searched.
    """
    if not given.get("folder"):
        raise CannotSearchError(
            told("Which folder? Give it as --folder=PATH.", "哪个文件夹？请用 --folder=PATH 给出。")
        )
    folder = str(Path(str(given["folder"])).expanduser())
    search = Search(
        min_size_bytes=whole_number(given.get("min_size_bytes", 1), "min_size_bytes"),
        include_hidden=yes_or_no(given.get("include_hidden", False), "include_hidden"),
    )
    if not os.path.lexists(folder):
        raise CannotSearchError(told(f"There is no folder {shown(folder)}.", f"没有文件夹 {shown(folder)}。"))
    if not Path(folder).is_dir():
        raise CannotSearchError(told(f"{shown(folder)} is not a folder.", f"{shown(folder)} 不是文件夹。"))
    groups = duplicates(search, folder)
    if folder in search.unreadable:
        raise CannotSearchError(told(f"{shown(folder)} cannot be read.", f"无法读取 {shown(folder)}。"))
    return report(folder, search, groups)


def main() -> int:
    try:
        print(json.dumps(run(arguments())))
    except (CannotSearchError, ValueError, OSError, RuntimeError) as problem:
        print(problem, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
