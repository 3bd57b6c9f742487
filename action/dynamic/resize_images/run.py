"""Make pictures smaller, or turn them into another format; the new ones go into a folder of their own.

Called as `run.py --images=PATH …`; the same comes as a JSON object on stdin. One JSON object on stdout. A
sample in folder form to copy from: `desc.json` describes it, `run.py` runs, `images.py` lies beside it.
Originals are only read, and nothing is overwritten. Of a moving picture the first frame is taken; folders
are left out.
"""

from __future__ import annotations

import errno
import json
import os
import stat
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from images import NotAnImageError, Program, Wanted, find_program, format_of, told

ENDINGS = (
    ".jpg",
    ".jpeg",
    ".jpe",
    ".png",
    ".webp",
    ".gif",
    ".bmp",
    ".tif",
    ".tiff",
    ".heic",
    ".heif",
    ".avif",
)
#: Taken when neither a size nor a format is given.
USUAL_SIDE = 1600
MAX_PICTURE_BYTES = 256 * 1024 * 1024
MAX_LISTED, MAX_NAME = 30, 255


class CannotResizeError(Exception):
    """Why no picture can be made, as a sentence."""


@dataclass
class Made:
    """What came of it."""

    folder: str
    pictures: list[dict[str, object]] = field(default_factory=list)
    count: int = 0
    bytes_before: int = 0
    bytes_after: int = 0
    failed: list[str] = field(default_factory=list)

    def add(self, source: str, program: Program, wanted: Wanted) -> None:
        """Make one picture, or note why not."""
        name = os.path.basename(source)
        try:
            data = read(source)
            now = format_of(data)
            if not now:
                raise NotAnImageError(told("it is no picture", "不是图片"))
            new = program.changed(data, now, wanted)
        except NotAnImageError as problem:
            self.failed.append(f"{shown(name)}: {' '.join(str(problem).split())[:120]}")
            return
        kind = wanted.format_for(now)
        ending = os.path.splitext(name)[1] if kind == now else f".{kind}"
        path = written(self.folder, os.path.splitext(name)[0], ending, new)
        self.count += 1
        self.bytes_before += len(data)
        self.bytes_after += len(new)
        if len(self.pictures) < MAX_LISTED:
            row = {
                "picture": shown(os.path.basename(path)),
                "before": human(len(data)),
                "after": human(len(new)),
            }
            self.pictures.append(row)


def read(path: str) -> bytes:
    """The picture's bytes.

    Raises:
        NotAnImageError: It cannot be read, or is beyond reason.
    """
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        with os.fdopen(handle, "rb") as stream:
            info = os.fstat(handle)
            if not stat.S_ISREG(info.st_mode) or info.st_size > MAX_PICTURE_BYTES:
                raise NotAnImageError(
                    told(
                        f"it is no file of at most {human(MAX_PICTURE_BYTES)}",
                        f"不是 {human(MAX_PICTURE_BYTES)} 以内的文件",
                    )
                )
            return stream.read()
    except OSError as problem:
        raise NotAnImageError(problem.strerror or told("it cannot be read", "无法读取")) from problem


def written(folder: str, stem: str, ending: str, data: bytes) -> str:
    """Write a new file: under its name, or with ` (2)`, ` (3)` … where that is taken; its path."""
    number = 1
    while True:
        mark = ending if number == 1 else f" ({number}){ending}"
        room = MAX_NAME - len(os.fsencode(mark))
        path = os.path.join(os.fsencode(folder), os.fsencode(stem)[:room] + os.fsencode(mark))
        try:
            handle = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
            break
        except FileExistsError:
            number += 1
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
    except OSError:
        os.unlink(path)
        raise
    return os.fsdecode(path)


def pictures_in(source: str) -> Iterator[str]:
    """The picture itself, or those in the folder."""
    if not os.path.isdir(source):
        yield source
        return
    with os.scandir(source) as entries:
        listed = sorted(entries, key=lambda entry: os.fsencode(entry.name))
    for entry in listed:
        plain = not entry.name.startswith(".") and entry.is_file(follow_symlinks=False)
        if plain and entry.name.lower().endswith(ENDINGS):
            yield entry.path


def report(source: str, made: Made) -> dict[str, object]:
    """What is printed: a sentence, and the first pictures."""
    if made.count:
        place, before, after = shown(made.folder), human(made.bytes_before), human(made.bytes_after)
        summary = told(
            f"Made {plural(made.count, 'picture', 'pictures')} in {place}: "
            f"{before} became {after}. The originals are as they were.",
            f"已在 {place} 生成 {made.count:,} 张图片：{before} 变成 {after}。原图没有改动。",
        )
    else:
        summary = told(
            f"There is no picture in {shown(source)} that could be changed.",
            f"{shown(source)} 里没有可以调整的图片。",
        )
    if made.failed:
        count = len(made.failed)
        summary += told(
            f" {plural(count, 'file', 'files')} could not be used.", f"有 {count:,} 个文件用不了。"
        )
    found: dict[str, object] = {"summary": summary}
    if made.pictures:
        found["pictures"] = made.pictures
    if made.count > len(made.pictures):
        found["pictures_not_listed"] = made.count - len(made.pictures)
    if made.failed:
        found["could_not_be_used"] = made.failed[:MAX_LISTED]
    return found


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


def whole_number(given: dict[str, object], name: str, *, low: int, high: int) -> int | None:
    value = given.get(name)
    if value is None or value == "":
        return None
    try:
        number = int(str(value))
    except ValueError:
        raise CannotResizeError(
            told(f"{name} must be a whole number, not {value!r}.", f"{name} 必须是整数，不能是 {value!r}。")
        ) from None
    if not low <= number <= high:
        raise CannotResizeError(
            told(f"{name} must be between {low} and {high}.", f"{name} 必须在 {low} 和 {high} 之间。")
        )
    return number


def wanted_of(given: dict[str, object]) -> Wanted:
    """What the pictures shall become.

    Raises:
        CannotResizeError: It cannot be had.
    """
    side = whole_number(given, "longest_side", low=16, high=20_000)
    kind = str(given.get("format") or "same").lower().removeprefix(".").replace("jpeg", "jpg")
    if kind not in ("same", "jpg", "png", "webp"):
        raise CannotResizeError(
            told(
                f"format must be same, jpg, png or webp, not {kind!r}.",
                f"format 必须是 same、jpg、png 或 webp，不能是 {kind!r}。",
            )
        )
    quality = whole_number(given, "quality", low=1, high=100) or 85
    return Wanted(USUAL_SIDE if side is None and kind == "same" else side, kind, quality)


def places(given: dict[str, object]) -> tuple[str, str]:
    """The pictures, and the folder for the new ones, not made yet.

    Raises:
        CannotResizeError: One of them does not do.
    """
    if not given.get("images"):
        raise CannotResizeError(
            told(
                "Which pictures? Give a file or a folder as --images=PATH.",
                "哪些图片？请用 --images=PATH 给出文件或文件夹。",
            )
        )
    source = os.path.abspath(Path(str(given["images"])).expanduser())
    target = os.path.abspath(Path(str(given.get("target") or "~/Resized images")).expanduser())
    if not os.path.lexists(source):
        raise CannotResizeError(
            told(f"There is no file or folder {shown(source)}.", f"没有文件或文件夹 {shown(source)}。")
        )
    if not os.access(source, os.R_OK):
        raise CannotResizeError(told(f"{shown(source)} cannot be read.", f"无法读取 {shown(source)}。"))
    if os.path.lexists(target) and not os.path.isdir(target):
        raise CannotResizeError(told(f"{shown(target)} is not a folder.", f"{shown(target)} 不是文件夹。"))
    if os.path.isdir(source):
        target = os.path.join(target, os.path.basename(source) or "pictures")
    return source, target


def run(given: dict[str, object]) -> dict[str, object]:
    """Make the pictures.

    Raises:
        CannotResizeError: None can be made.
    """
    source, target = places(given)
    wanted = wanted_of(given)
    program = find_program()
    if program is None:
        raise CannotResizeError(
            told(
                "This needs Pillow or ImageMagick: install the package python3-pil or imagemagick.",
                "这需要 Pillow 或 ImageMagick：请安装 python3-pil 或 imagemagick。",
            )
        )
    made = Made(target)
    sources = list(pictures_in(source))
    if sources:
        os.makedirs(target, exist_ok=True)
        if not os.access(target, os.W_OK | os.X_OK):
            raise CannotResizeError(
                told(f"Nothing can be written into {shown(target)}.", f"无法写入 {shown(target)}。")
            )
    for path in sources:
        made.add(path, program, wanted)
    if not made.count and not os.path.isdir(source):
        raise CannotResizeError(told(f"{made.failed[0]}.", f"{made.failed[0]}。"))
    return report(source, made)


def say(found: dict[str, object]) -> None:
    """Print the result: as UTF-8, whatever the surroundings prefer."""
    sys.stdout.buffer.write(json.dumps(found, ensure_ascii=False).encode("utf-8", "replace") + b"\n")


def main() -> int:
    try:
        say(run(arguments()))
    except (CannotResizeError, ValueError, RuntimeError) as problem:
        print(problem, file=sys.stderr)
        return 1
    except OSError as problem:
        full = problem.errno in (errno.ENOSPC, errno.EDQUOT)
        place = shown(os.fsdecode(problem.filename or told("The new picture", "新图片")))
        print(
            f"{place}: {told('there is no room left', '没有空间了') if full else problem.strerror}.",
            file=sys.stderr,
        )
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
