"""Sentences for people, and what the script was called with."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

CHINESE = os.environ.get("PARTNER_LANG", "").startswith("zh")


def told(english: str, chinese: str) -> str:
    """A sentence in the language that Partner speaks with the person."""
    return chinese if CHINESE else english


class CannotError(Exception):
    """Why it cannot be done, as a sentence."""


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


def yes_or_no(given: dict[str, object], name: str) -> bool:
    known = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False, "": False}
    found = known.get(text(given, name).strip().lower())
    if found is None:
        raise CannotError(
            told(
                f"{name} must be true or false, not {given[name]!r}.",
                f"{name} 必须是 true 或 false，不能是 {given[name]!r}。",
            )
        )
    return found


def folder_to_change(given: dict[str, object]) -> str:
    """The folder, if it can be looked through.

    Raises:
        CannotError: It cannot.
    """
    if not given.get("folder"):
        raise CannotError(
            told("Which folder? Give it as --folder=PATH.", "哪个文件夹？请用 --folder=PATH 给出。")
        )
    folder = str(Path(str(given["folder"])).expanduser())
    if not os.path.lexists(folder):
        raise CannotError(told(f"There is no folder {shown(folder)}.", f"没有文件夹 {shown(folder)}。"))
    if not os.path.isdir(folder):
        raise CannotError(told(f"{shown(folder)} is not a folder.", f"{shown(folder)} 不是文件夹。"))
    if not os.access(folder, os.R_OK | os.X_OK):
        raise CannotError(told(f"{shown(folder)} cannot be read.", f"无法读取 {shown(folder)}。"))
    return folder


def text(given: dict[str, object], name: str) -> str:
    value = given.get(name)
    return "" if value is None else str(value)
