# /// partner
# title = { en = "Disk usage", zh = "磁盘占用" }
# description.en = "Show what takes up the disk space in a folder: the biggest subfolders and files"
# description.zh = "看看一个文件夹里什么占空间：最大的子文件夹和文件"
# aliases = { en = [
#   "what eats my disk space",
#   "where did all the space go",
#   "which folders are the largest",
#   "find big files",
#   "why is my disk full",
#   "how big is this folder",
# ], zh = ["什么占用了磁盘空间", "磁盘占用", "哪些文件夹最大", "找出大文件", "磁盘为什么满了", "空间去哪了"] }
# tags = ["disk space", "storage"]
# annotations = { readOnlyHint = true, destructiveHint = false, idempotentHint = true, openWorldHint = false }
# timeoutSeconds = 900
# [params.folder]
# type = "string"
# format = "path"
# access = "read"
# title.zh = "文件夹"
# description.en = "the folder to measure, with everything in it"
# description.zh = "要测量的文件夹，连同里面的一切"
# [params.top]
# type = "integer"
# minimum = 1
# maximum = 50
# default = 10
# title.zh = "数量"
# description.en = "how many subfolders and files are named"
# description.zh = "列出多少个子文件夹和文件"
# ///
"""Measure a folder: how much each of its subfolders takes, and which files are the biggest.

Called as `disk_usage.py --folder=PATH …`; the same comes as a JSON object on stdin. One JSON object on
stdout. What counts is the space on the disk, hidden files included; a file of several names counts once;
links are not followed. Any number of files: only the biggest are remembered.
"""

from __future__ import annotations

import heapq
import json
import os
import stat
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

MAX_TOP, MAX_LISTED = 50, 10


CHINESE = os.environ.get("PARTNER_LANG", "").startswith("zh")


def told(english: str, chinese: str) -> str:
    """A sentence in the language that Partner speaks with the person."""
    return chinese if CHINESE else english


class CannotMeasureError(Exception):
    """Why the folder cannot be measured, as a sentence."""


@dataclass
class Total:
    """What one subfolder comes to."""

    size_bytes: int = 0
    files: int = 0


@dataclass
class Measure:
    """A walk through a folder and what it met."""

    top: int
    whole: Total = field(default_factory=Total)
    loose: Total = field(default_factory=Total)
    """Files that lie directly in the folder."""
    subfolders: dict[str, Total] = field(default_factory=dict)
    biggest: list[tuple[int, str]] = field(default_factory=list)
    """A heap of size and path."""
    unreadable: list[str] = field(default_factory=list)
    seen: set[tuple[int, int]] = field(default_factory=set)
    """Device and inode of files with several names."""

    def walk(self, folder: str) -> None:
        """Measure everything below the folder."""
        for name in self._measured(folder, self.loose):
            total = self.subfolders[os.path.basename(name)] = Total()
            waiting = [name]
            while waiting:
                waiting.extend(self._measured(waiting.pop(), total))
        for total in (self.loose, *self.subfolders.values()):
            self.whole.size_bytes += total.size_bytes
            self.whole.files += total.files

    def _measured(self, folder: str, total: Total) -> list[str]:
        """Count the files of one folder; the folders in it."""
        inner = []
        try:
            for entry, info in self._entries(folder):
                if stat.S_ISDIR(info.st_mode):
                    inner.append(entry.path)
                    total.size_bytes += on_disk(info)
                elif info.st_nlink < 2 or self._first(info):
                    total.files += 1
                    total.size_bytes += on_disk(info)
                    self._remember(on_disk(info), entry.path)
        except OSError:
            self.unreadable.append(folder)
        return inner

    def _entries(self, folder: str) -> Iterator[tuple[os.DirEntry[str], os.stat_result]]:
        with os.scandir(folder) as entries:
            for entry in entries:
                try:
                    info = entry.stat(follow_symlinks=False)
                except OSError:
                    self.unreadable.append(entry.path)
                    continue
                yield entry, info

    def _first(self, info: os.stat_result) -> bool:
        identity = (info.st_dev, info.st_ino)
        if identity in self.seen:
            return False
        self.seen.add(identity)
        return True

    def _remember(self, size_bytes: int, path: str) -> None:
        if len(self.biggest) < self.top:
            heapq.heappush(self.biggest, (size_bytes, path))
        else:
            heapq.heappushpop(self.biggest, (size_bytes, path))


def on_disk(info: os.stat_result) -> int:
    """What it takes on the disk, in bytes; its length where that is not known."""
    blocks = getattr(info, "st_blocks", None)
    return info.st_size if blocks is None else blocks * 512


def report(folder: str, measure: Measure) -> dict[str, object]:
    """What is printed: a sentence, the biggest subfolders, and the biggest files."""
    whole = measure.whole
    ranked = sorted(measure.subfolders.items(), key=lambda item: (-item[1].size_bytes, item[0]))
    files = sorted(measure.biggest, key=lambda item: (-item[0], item[1]))
    summary = told(
        f"{shown(folder)} takes {human(whole.size_bytes)} in {plural(whole.files, 'file', 'files')}.",
        f"{shown(folder)} 占 {human(whole.size_bytes)}，共 {whole.files:,} 个文件。",
    )
    if ranked and ranked[0][1].size_bytes > measure.loose.size_bytes:
        name, total = ranked[0]
        size = f"{human(total.size_bytes)}, {share(total, whole)}"
        summary += told(f" Most of it is in {shown(name)}: {size}.", f"大部分在 {shown(name)} 里：{size}。")
    elif files and files[0][0]:
        biggest, size = shown(os.path.basename(files[0][1])), human(files[0][0])
        summary += told(f" The biggest file is {biggest}: {size}.", f"最大的文件是 {biggest}：{size}。")
    if measure.unreadable:
        count = len(measure.unreadable)
        summary += told(
            f" {plural(count, 'place', 'places')} could not be read.", f"有 {count:,} 处无法读取。"
        )
    rows = [(shown(name), total) for name, total in ranked[: measure.top]]
    if measure.loose.files:
        rows.append((told("(files directly in it)", "（直接放在里面的文件）"), measure.loose))
        rows.sort(key=lambda item: -item[1].size_bytes)
    found: dict[str, object] = {"summary": summary, "_total_bytes": whole.size_bytes}
    if ranked:
        found["subfolders"] = [
            {
                "subfolder": name,
                "size": human(total.size_bytes),
                "share": share(total, whole),
                "files": total.files,
            }
            for name, total in rows
        ]
    if len(ranked) > measure.top:
        found["subfolders_not_listed"] = len(ranked) - measure.top
    if files:
        found["biggest_files"] = [
            {"file": short(os.path.relpath(path, folder)), "size": human(size_bytes)}
            for size_bytes, path in files
        ]
    if measure.unreadable:
        found["unreadable"] = [short(path) for path in measure.unreadable[:MAX_LISTED]]
    return found


def share(part: Total, whole: Total) -> str:
    percent = 100 * part.size_bytes / whole.size_bytes if whole.size_bytes else 0
    return told("under 1 %", "不到 1 %") if 0 < percent < 1 else f"{percent:.0f} %"


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
    home = os.environ.get("HOME", "").rstrip(os.sep)
    text = "~" + path[len(home) :] if home and path.startswith(home + os.sep) else path
    return "".join(sign if sign.isprintable() or sign == "\u200d" else "\ufffd" for sign in text)


def short(path: str) -> str:
    """A path for a list: what is very long is cut in the middle."""
    return shown(path) if len(path) <= 200 else f"{shown(path[:120])}…{shown(path[-79:])}"


def plural(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}"


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


def whole_number(value: object, name: str, *, low: int, high: int) -> int:
    try:
        number = int(str(value))
    except ValueError:
        raise CannotMeasureError(
            told(f"{name} must be a whole number, not {value!r}.", f"{name} 必须是整数，不能是 {value!r}。")
        ) from None
    if not low <= number <= high:
        raise CannotMeasureError(
            told(f"{name} must be between {low} and {high}.", f"{name} 必须在 {low} 和 {high} 之间。")
        )
    return number


def run(given: dict[str, object]) -> dict[str, object]:
    """Measure as asked.

    Raises:
        CannotMeasureError: The arguments do not name a folder that can be measured.
    """
    if not given.get("folder"):
        raise CannotMeasureError(
            told("Which folder? Give it as --folder=PATH.", "哪个文件夹？请用 --folder=PATH 给出。")
        )
    folder = str(Path(str(given["folder"])).expanduser())
    top = given.get("top")
    measure = Measure(top=whole_number(10 if top is None else top, "top", low=1, high=MAX_TOP))
    if not os.path.lexists(folder):
        raise CannotMeasureError(
            told(f"There is no folder {shown(folder)}.", f"没有文件夹 {shown(folder)}。")
        )
    if not os.path.isdir(folder):
        raise CannotMeasureError(told(f"{shown(folder)} is not a folder.", f"{shown(folder)} 不是文件夹。"))
    measure.walk(folder)
    if folder in measure.unreadable:
        raise CannotMeasureError(told(f"{shown(folder)} cannot be read.", f"无法读取 {shown(folder)}。"))
    return report(folder, measure)


def say(found: dict[str, object]) -> None:
    """Print the result: as UTF-8, whatever the surroundings prefer."""
    sys.stdout.buffer.write(json.dumps(found, ensure_ascii=False).encode("utf-8", "replace") + b"\n")


def main() -> int:
    try:
        say(run(arguments()))
    except (CannotMeasureError, ValueError, OSError, RuntimeError) as problem:
        print(problem, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
