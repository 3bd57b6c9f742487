# /// partner
# title = { en = "Daily note", zh = "每日笔记" }
# description.en = "Add a note to today's Markdown file, with the time"
# description.zh = "在今天的 Markdown 文件里加一条带时间的笔记"
# aliases = { en = [
#   "take a note",
#   "note down",
#   "make a note of something",
#   "add to my journal",
#   "add to my diary",
#   "jot down",
# ], zh = [
#   "记笔记",
#   "记个笔记",
#   "帮我记个笔记",
#   "记一下",
#   "记录一下",
#   "写日记",
#   "写进日志",
#   "添加笔记",
#   "记下来",
# ] }
# tags = ["notes", "journal"]
# timeoutSeconds = 30
# [annotations]
# readOnlyHint = false
# destructiveHint = false
# idempotentHint = false
# openWorldHint = false
# [params.text]
# type = "string"
# x-partner-rest = true
# title.zh = "内容"
# description.en = "what to note down"
# description.zh = "要记下的内容"
# [params.folder]
# type = "string"
# format = "path"
# access = "write"
# default = "~/Notes"
# title.zh = "文件夹"
# description.en = "the folder of the daily notes"
# description.zh = "每日笔记放在哪个文件夹"
# ///
"""Add a note to `<folder>/2026-05-14.md`: a line with the time; the file begins with the date as its heading.

Called as `daily_note.py --text=… --folder=PATH`; the same comes as a JSON object on stdin. One JSON object
on stdout. What stands in the file is never changed: notes are only added at its end.
"""

from __future__ import annotations

import errno
import json
import os
import sys
import time
from pathlib import Path

MAX_CHARACTERS = 100_000


CHINESE = os.environ.get("PARTNER_LANG", "").startswith("zh")


def told(english: str, chinese: str) -> str:
    """A sentence in the language that Partner speaks with the person."""
    return chinese if CHINESE else english


class CannotNoteError(Exception):
    """Why the note was not written, as a sentence."""


def as_item(text: str, now: time.struct_time) -> str:
    """The note as one Markdown list item; further lines stay inside it."""
    first, *more = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    lines = [f"- {time.strftime('%H:%M', now)} {first.strip()}"]
    return "\n".join([*lines, *(f"  {line.rstrip()}" if line.strip() else "" for line in more)]) + "\n"


def append(folder: str, text: str, now: time.struct_time) -> str:
    """Add the note; the file. One write, so that two notes never mix.

    Raises:
        CannotNoteError: The file of the day is no plain file.
    """
    day = time.strftime("%Y-%m-%d", now)
    path = os.path.join(folder, f"{day}.md")
    try:
        handle = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK, 0o600)
    except OSError as problem:
        if problem.errno == errno.ELOOP:
            raise CannotNoteError(
                told(
                    f"{shown(path)} is a link, and notes are not written through links.",
                    f"{shown(path)} 是链接，笔记不通过链接写入。",
                )
            ) from None
        if problem.errno in (errno.EISDIR, errno.ENXIO):
            raise CannotNoteError(
                told(
                    f"{shown(path)} is no file that a note could go into.",
                    f"{shown(path)} 不是能写笔记的文件。",
                )
            ) from None
        raise
    with os.fdopen(handle, "r+b", buffering=0) as file:
        size_bytes = file.seek(0, os.SEEK_END)
        item = as_item(text, now)
        if size_bytes == 0:
            item = f"# {day}\n\n{item}"
        else:
            file.seek(-1, os.SEEK_END)
            item = item if file.read(1) == b"\n" else f"\n{item}"
        file.write(item.encode("utf-8", "replace"))
    return path


def shown(path: str) -> str:
    """A path for people: valid text in one line, the home folder short."""
    home = os.environ.get("HOME", "").rstrip(os.sep)
    text = "~" + path[len(home) :] if home and path.startswith(home + os.sep) else path
    return "".join(sign if sign.isprintable() or sign == "\u200d" else "\ufffd" for sign in text)


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


def run(given: dict[str, object]) -> dict[str, object]:
    """Write the note.

    Raises:
        CannotNoteError: There is nothing to write, or no place for it.
    """
    value = given.get("text")
    text = "" if value is None else str(value).strip()
    folder = str(Path(str(given.get("folder") or "~/Notes")).expanduser())
    if not text:
        raise CannotNoteError(
            told("What shall I note? Give it as --text=TEXT.", "要记什么？请用 --text=TEXT 给出。")
        )
    if len(text) > MAX_CHARACTERS:
        raise CannotNoteError(
            told(
                f"A note may have {MAX_CHARACTERS:,} characters; this one has {len(text):,}.",
                f"一条笔记最多 {MAX_CHARACTERS:,} 个字符，这条有 {len(text):,} 个。",
            )
        )
    try:
        os.makedirs(folder, exist_ok=True)
    except FileExistsError:
        raise CannotNoteError(
            told(f"{shown(folder)} is not a folder.", f"{shown(folder)} 不是文件夹。")
        ) from None
    if not os.access(folder, os.W_OK | os.X_OK):
        raise CannotNoteError(
            told(f"Nothing can be written into {shown(folder)}.", f"无法写入 {shown(folder)}。")
        )
    path = append(folder, text, time.localtime())
    excerpt = text.split("\n")[0]
    excerpt = excerpt if len(excerpt) <= 80 and excerpt == text else f"{excerpt[:80].rstrip(' .')}…"
    return {
        "summary": told(
            f"Noted in {shown(path)}: {shown(excerpt)}", f"已记在 {shown(path)}：{shown(excerpt)}"
        ),
        "file": shown(path),
    }


def say(found: dict[str, object]) -> None:
    """Print the result: as UTF-8, whatever the surroundings prefer."""
    sys.stdout.buffer.write(json.dumps(found, ensure_ascii=False).encode("utf-8", "replace") + b"\n")


def main() -> int:
    try:
        say(run(arguments()))
    except (CannotNoteError, ValueError, RuntimeError) as problem:
        print(problem, file=sys.stderr)
        return 1
    except OSError as problem:
        print(
            f"{shown(str(problem.filename or told('The note', '笔记')))}: {problem.strerror}.",
            file=sys.stderr,
        )
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
