"""Sentences for people, and what the script was called with."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path


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
        raise CannotError(f"{name} must be true or false, not {given[name]!r}.")
    return found


def folder_to_change(given: dict[str, object]) -> str:
    """The folder, if it can be looked through.

    Raises:
        CannotError: It cannot.
    """
    if not given.get("folder"):
        raise CannotError("Which folder? Give it as --folder=PATH.")
    folder = str(Path(str(given["folder"])).expanduser())
    if not os.path.lexists(folder):
        raise CannotError(f"There is no folder {shown(folder)}.")
    if not os.path.isdir(folder):
        raise CannotError(f"{shown(folder)} is not a folder.")
    if not os.access(folder, os.R_OK | os.X_OK):
        raise CannotError(f"{shown(folder)} cannot be read.")
    return folder


def text(given: dict[str, object], name: str) -> str:
    value = given.get(name)
    return "" if value is None else str(value)
