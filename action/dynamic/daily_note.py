# /// partner
# title = "Daily note"
# description = "Add a note to today's Markdown file, with the time"
# aliases = { en = [
#   "take a note",
#   "note down",
#   "make a note of something",
#   "add to my journal",
#   "add to my diary",
#   "jot down",
# ], zh = ["记笔记", "记一下", "记录一下", "写日记", "写进日志", "添加笔记", "记下来"] }
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
# description = "what to note down"
# [params.folder]
# type = "string"
# format = "path"
# access = "write"
# default = "~/Notes"
# description = "the folder of the daily notes"
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
                f"{shown(path)} is a link, and notes are not written through links."
            ) from None
        if problem.errno in (errno.EISDIR, errno.ENXIO):
            raise CannotNoteError(f"{shown(path)} is no file that a note could go into.") from None
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
        raise CannotNoteError("What shall I note? Give it as --text=TEXT.")
    if len(text) > MAX_CHARACTERS:
        raise CannotNoteError(f"A note may have {MAX_CHARACTERS:,} characters; this one has {len(text):,}.")
    try:
        os.makedirs(folder, exist_ok=True)
    except FileExistsError:
        raise CannotNoteError(f"{shown(folder)} is not a folder.") from None
    if not os.access(folder, os.W_OK | os.X_OK):
        raise CannotNoteError(f"Nothing can be written into {shown(folder)}.")
    path = append(folder, text, time.localtime())
    excerpt = text.split("\n")[0]
    excerpt = excerpt if len(excerpt) <= 80 and excerpt == text else f"{excerpt[:80].rstrip(' .')}…"
    return {"summary": f"Noted in {shown(path)}: {shown(excerpt)}", "file": shown(path)}


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
        print(f"{shown(str(problem.filename or 'The note'))}: {problem.strerror}.", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
