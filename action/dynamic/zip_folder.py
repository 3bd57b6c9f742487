# /// partner
# title = { en = "Zip backup", zh = "打包备份" }
# description.en = "Zip a folder: back it up as a dated zip archive in another folder"
# description.zh = "把文件夹打包：备份成另一个文件夹里带日期的 zip 压缩包"
# aliases = { en = [
#   "zip up a folder",
#   "make a backup of my documents",
#   "compress a directory into an archive",
#   "pack this folder",
#   "back up my files",
# ], zh = ["打包文件夹", "压缩文件夹", "备份文件夹", "把文件夹压缩成zip", "做个备份", "备份我的文件"] }
# tags = ["backup", "archive"]
# timeoutSeconds = 7200
# [annotations]
# readOnlyHint = false
# destructiveHint = false
# idempotentHint = false
# openWorldHint = false
# [params.source]
# type = "string"
# format = "path"
# access = "read"
# title.zh = "来源"
# description.en = "the folder (or file) to zip or back up, with everything in it"
# description.zh = "要打包或备份的文件夹（或文件），连同里面的一切"
# [params.target]
# type = "string"
# format = "path"
# access = "write"
# default = "~/Backups"
# title.zh = "目标文件夹"
# description.en = "the folder where it goes, such as an external drive"
# description.zh = "压缩包放在哪个文件夹，例如移动硬盘"
# [params.include_hidden]
# type = "boolean"
# default = true
# title.zh = "包括隐藏文件"
# description.en = "whether hidden files and folders are packed too"
# description.zh = "隐藏的文件和文件夹要不要也打包"
# ///
"""Back a folder up as `<name> 2026-05-14.zip`.

Called as `zip_folder.py --source=PATH --target=PATH …`; the same comes as a JSON object on stdin. One JSON
object on stdout. It never overwrites; the archive has its name only once it is whole and was read back.
Links are kept as links and never followed. Where a file may not grow beyond a limit (a sandbox sets one),
the backup becomes several archives, each of which opens by itself.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import re
import resource
import stat
import sys
import time
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

CHUNK_BYTES = 1024 * 1024
#: Left free below the limit of one file; the room of one entry at the archive's end, without its name.
SPARE_BYTES, ENTRY_BYTES = 64 * 1024, 256
MAX_LISTED = 20
#: What is compressed already is only stored.
PACKED = re.compile(
    r"\.(jpe?g|png|gif|webp|heic|avif|mp[34]|m4[av]|aac|og[gv]|opus|flac|mov|mkv|webm|avi|zip|gz|tgz|bz2|t?xz"
    r"|zst|7z|rar|docx|xlsx|pptx|od[tsp]|epub|apk|jar|deb|rpm)$",
    re.IGNORECASE,
)


CHINESE = os.environ.get("PARTNER_LANG", "").startswith("zh")


def told(english: str, chinese: str) -> str:
    """A sentence in the language that Partner speaks with the person."""
    return chinese if CHINESE else english


class CannotZipError(Exception):
    """Why there is no backup, as a sentence."""


@dataclass
class Backup:
    """An archive, or several, being written under names that do not count yet."""

    target: str
    name: str
    limit_bytes: int
    parts: list[str] = field(default_factory=list)
    files: int = 0
    size_bytes: int = 0
    unreadable: list[str] = field(default_factory=list)
    too_large: list[str] = field(default_factory=list)
    special: int = 0
    _open: zipfile.ZipFile | None = None
    _table_bytes: int = 0
    _odd: int = 0

    def add(self, path: str, name: str, info: os.stat_result) -> None:
        """Pack a file, a link or an empty folder under `name`."""
        entry = zipfile.ZipInfo(self._clean(name), date_time=moment(info.st_mtime))
        entry.external_attr = (info.st_mode & 0xFFFF) << 16
        if stat.S_ISLNK(info.st_mode):
            self._room(0, entry).writestr(entry, os.fsencode(os.readlink(path)))
        elif stat.S_ISDIR(info.st_mode):
            entry.filename += "/"
            entry.external_attr |= 0x10
            self._room(0, entry).writestr(entry, b"")
        elif info.st_size > self.limit_bytes - 2 * SPARE_BYTES:
            self.too_large.append(path)
        elif stat.S_ISREG(info.st_mode):
            self._add_file(path, entry, info.st_size)
        else:
            self.special += 1

    def _add_file(self, path: str, entry: zipfile.ZipInfo, size_bytes: int) -> None:
        packed = PACKED.search(path)
        entry.compress_type = zipfile.ZIP_STORED if packed else zipfile.ZIP_DEFLATED
        try:
            source = os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb")
        except OSError:
            self.unreadable.append(path)
            return
        archive = self._room(size_bytes + size_bytes // 1000, entry)
        with source, archive.open(entry, "w", force_zip64=size_bytes > 2**31 - 1) as sink:
            left = size_bytes  # of a file that grows meanwhile, what was there
            while left > 0 and (chunk := source.read(min(CHUNK_BYTES, left))):
                sink.write(chunk)
                left -= len(chunk)
        self.files += 1
        self.size_bytes += size_bytes - left

    def _clean(self, name: str) -> str:
        """The name as text; bytes that are none are written out, with a number to be no other's name."""
        try:
            name.encode()
        except UnicodeEncodeError:
            self._odd += 1
            text = os.fsencode(name).decode("utf-8", "backslashreplace").replace("\\x", "%")
            stem, ending = os.path.splitext(text)
            return f"{stem} [odd name {self._odd}]{ending}"
        return name

    def _room(self, size_bytes: int, entry: zipfile.ZipInfo) -> zipfile.ZipFile:
        """The archive that has room for so much more; a new one when the last is full."""
        entry_bytes = ENTRY_BYTES + 2 * len(entry.filename.encode())
        if self._open is not None and self._open.fp is not None:
            expected = self._open.fp.tell() + self._table_bytes + size_bytes + entry_bytes + SPARE_BYTES
            if expected > self.limit_bytes and self._table_bytes:
                self._close()
        if self._open is None:
            path = os.path.join(self.target, f".{self.name} {os.getpid()}-{len(self.parts)}.part")
            stream = os.fdopen(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600), "w+b")
            self.parts.append(path)
            self._open, self._table_bytes = zipfile.ZipFile(stream, "w"), 0
        self._table_bytes += entry_bytes
        return self._open

    def _close(self) -> None:
        if self._open is not None:
            stream = self._open.fp
            self._open.close()
            if stream is not None:
                stream.close()
            self._open = None

    def finish(self) -> list[str]:
        """Read everything back and give the archives their names; their paths.

        Raises:
            CannotZipError: What was written cannot be read.
        """
        self._close()
        for part in self.parts:
            with zipfile.ZipFile(part) as archive:
                damaged = archive.testzip()
            if damaged is not None:
                raise CannotZipError(
                    told(
                        f"The backup was damaged while it was written ({shown(damaged)}); try again.",
                        f"备份在写入时损坏了（{shown(damaged)}），请再试一次。",
                    )
                )
        day, paths = time.strftime("%Y-%m-%d"), []
        for number, part in enumerate(self.parts, 1):
            mark = f" part {number} of {len(self.parts)}" if len(self.parts) > 1 else ""
            paths.append(give_name(part, os.path.join(self.target, f"{self.name} {day}{mark}")))
        self.parts = []
        return paths

    def abandon(self) -> None:
        """Leave nothing behind."""
        with contextlib.suppress(OSError, ValueError):
            self._close()
        for part in self.parts:
            with contextlib.suppress(OSError):
                os.unlink(part)


def give_name(part: str, wanted: str) -> str:
    """Rename to `wanted.zip`, or with ` (2)`, ` (3)` … where that is taken; the path."""
    path, number = f"{wanted}.zip", 1
    while True:
        try:  # a rename would overwrite: an empty file of our own takes the name first
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
            break
        except FileExistsError:
            number += 1
            path = f"{wanted} ({number}).zip"
    os.replace(part, path)
    return path


def moment(seconds: float) -> tuple[int, int, int, int, int, int]:
    """Local time as far as a zip can say it: 1980 to 2107."""
    try:
        found = time.localtime(seconds)[:6]
    except (ValueError, OSError, OverflowError):
        return (1980, 1, 1, 0, 0, 0)
    if found[0] < 1980:
        return (1980, 1, 1, 0, 0, 0)
    return (2107, 12, 31, 23, 59, 58) if found[0] > 2107 else found


def walk(top: str, backup: Backup, *, include_hidden: bool) -> Iterator[tuple[str, os.stat_result]]:
    """Every file, link and empty folder, but neither the place of the backups nor earlier ones."""
    earlier = re.compile(rf"\.?{re.escape(backup.name)} (\d{{4}}-\d\d-\d\d.*\.zip|\d+-\d+\.part)")
    waiting = [top]
    while waiting:
        folder = waiting.pop()
        try:
            with os.scandir(folder) as entries:
                listed = sorted(entries, key=lambda entry: os.fsencode(entry.name))
        except OSError:
            backup.unreadable.append(folder)
            continue
        if not listed and folder != top:
            yield folder, os.stat(folder)
        for entry in listed:
            if entry.name.startswith(".") and not include_hidden:
                continue
            ours = folder == backup.target and earlier.fullmatch(entry.name)
            if ours or entry.path == backup.target:
                continue
            try:
                info = entry.stat(follow_symlinks=False)
            except OSError:
                backup.unreadable.append(entry.path)
                continue
            if stat.S_ISDIR(info.st_mode):
                waiting.append(entry.path)
            else:
                yield entry.path, info


def pack(source: str, backup: Backup, *, include_hidden: bool) -> list[str]:
    """Pack everything; the paths of the archives.

    Raises:
        CannotZipError: There is nothing to pack, or no place for it.
    """
    above = os.path.dirname(source)
    if not os.path.isdir(source):
        backup.add(source, os.path.basename(source), os.stat(source))
    else:
        for path, info in walk(source, backup, include_hidden=include_hidden):
            backup.add(path, os.path.relpath(path, above), info)
    if source in backup.unreadable:
        raise CannotZipError(told(f"{shown(source)} cannot be read.", f"无法读取 {shown(source)}。"))
    if not backup.parts:
        raise CannotZipError(
            told(
                f"There is nothing in {shown(source)} that could be packed.",
                f"{shown(source)} 里没有可以打包的东西。",
            )
        )
    return backup.finish()


def report(source: str, backup: Backup, paths: list[str]) -> dict[str, object]:
    """What is printed: a sentence, the archives, and what is not in them."""
    packed_bytes = sum(os.path.getsize(path) for path in paths)
    what = f"{plural(backup.files, 'file', 'files')} ({human(backup.size_bytes)}) of {shown(source)}"
    into = shown(paths[0])
    if len(paths) > 1:
        place = shown(backup.target)
        into = told(f"{len(paths)} archives in {place}", f"{place} 里的 {len(paths)} 个压缩包")
    summary = told(
        f"Packed {what} into {into} ({human(packed_bytes)}), and read it back to check it.",
        f"已把 {shown(source)} 的 {backup.files:,} 个文件（{human(backup.size_bytes)}）打包成 {into}"
        f"（{human(packed_bytes)}），并读回检查过。",
    )
    if backup.unreadable:
        count = len(backup.unreadable)
        summary += told(
            f" {plural(count, 'place', 'places')} could not be read and is not in it.",
            f"有 {count:,} 处无法读取，没有打包进去。",
        )
    if backup.too_large:
        left = plural(len(backup.too_large), "file is", "files are")
        limit = human(backup.limit_bytes)
        summary += told(
            f" {left} not in it: larger than the {limit} that one file may have here.",
            f"有 {len(backup.too_large):,} 个文件没有打包进去：超过这里单个文件的上限 {limit}。",
        )
    found: dict[str, object] = {"summary": summary, "archives": [short(path) for path in paths[:MAX_LISTED]]}
    for key, left in (("could_not_be_read", backup.unreadable), ("too_large", backup.too_large)):
        if left:
            found[key] = [short(path) for path in left[:MAX_LISTED]]
    if backup.special:
        found["left_out_devices_and_pipes"] = backup.special
    return found


def file_limit() -> int:
    """How large a file may become here, in bytes."""
    limit = resource.getrlimit(resource.RLIMIT_FSIZE)[0]
    return sys.maxsize if limit == resource.RLIM_INFINITY else limit


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


def yes_or_no(given: dict[str, object], name: str, *, default: bool) -> bool:
    known = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False, "": default}
    value = given.get(name)
    found = known.get("" if value is None else str(value).strip().lower())
    if found is None:
        raise CannotZipError(
            told(
                f"{name} must be true or false, not {value!r}.",
                f"{name} 必须是 true 或 false，不能是 {value!r}。",
            )
        )
    return found


def places(given: dict[str, object]) -> tuple[str, str]:
    """What to pack, and the folder where it goes.

    Raises:
        CannotZipError: One of them does not do.
    """
    if not given.get("source"):
        raise CannotZipError(
            told("Which folder? Give it as --source=PATH.", "哪个文件夹？请用 --source=PATH 给出。")
        )
    source = os.path.abspath(Path(str(given["source"])).expanduser())
    target = os.path.abspath(Path(str(given.get("target") or "~/Backups")).expanduser())
    if not os.path.exists(source):
        raise CannotZipError(told(f"There is no folder {shown(source)}.", f"没有文件夹 {shown(source)}。"))
    if not os.path.isdir(source) and not os.path.isfile(source):
        raise CannotZipError(
            told(
                f"{shown(source)} is neither a folder nor a file.",
                f"{shown(source)} 既不是文件夹也不是文件。",
            )
        )
    if not os.access(source, os.R_OK):
        raise CannotZipError(told(f"{shown(source)} cannot be read.", f"无法读取 {shown(source)}。"))
    try:
        os.makedirs(target, exist_ok=True)
    except FileExistsError:
        raise CannotZipError(
            told(
                f"{shown(target)} is not a folder, so the zip cannot go there.",
                f"{shown(target)} 不是文件夹，压缩包放不进去。",
            )
        ) from None
    if not os.access(target, os.W_OK | os.X_OK):
        raise CannotZipError(
            told(f"Nothing can be written into {shown(target)}.", f"无法写入 {shown(target)}。")
        )
    return source, target


def run(given: dict[str, object]) -> dict[str, object]:
    """Make the backup.

    Raises:
        CannotZipError: There is none.
    """
    hidden = yes_or_no(given, "include_hidden", default=True)
    source, target = places(given)
    name = os.fsencode(shown(os.path.basename(source) or "everything"))[:200].decode("utf-8", "ignore")
    backup = Backup(target, name, file_limit())
    try:
        return report(source, backup, pack(source, backup, include_hidden=hidden))
    except OSError as problem:
        if problem.errno in (errno.ENOSPC, errno.EDQUOT):
            raise CannotZipError(
                told(
                    f"There is not enough room in {shown(target)}; nothing was kept.",
                    f"{shown(target)} 空间不够，什么都没有留下。",
                )
            ) from None
        raise
    finally:
        backup.abandon()


def say(found: dict[str, object]) -> None:
    """Print the result: as UTF-8, whatever the surroundings prefer."""
    sys.stdout.buffer.write(json.dumps(found, ensure_ascii=False).encode("utf-8", "replace") + b"\n")


def main() -> int:
    try:
        say(run(arguments()))
    except (CannotZipError, ValueError, RuntimeError, zipfile.BadZipFile) as problem:
        print(problem, file=sys.stderr)
        return 1
    except OSError as problem:
        print(
            f"{shown(str(problem.filename or told('The backup', '备份')))}: {problem.strerror}.",
            file=sys.stderr,
        )
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
