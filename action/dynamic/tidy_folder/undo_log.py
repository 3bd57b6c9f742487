"""The log in the folder: what was moved, so that it can be taken back."""

from __future__ import annotations

import contextlib
import json
import os
import time

from plan import Move
from words import CannotError, shown, told

LOG = ".tidy_folder.json"
#: Tidyings that can be taken back.
MAX_RUNS = 10


def as_run(moves: list[Move], made: list[str]) -> dict[str, object]:
    written = [{"from": step.name, "to": step.target} for step in moves]
    return {"at": time.strftime("%Y-%m-%d %H:%M:%S"), "moves": written, "made": made}


def steps_of(run: dict[str, object]) -> list[Move]:
    """The moves of a run in the log; a log from elsewhere cannot lead out of the folder."""
    steps, moves = [], run.get("moves")
    for entry in moves if isinstance(moves, list) else []:
        name, target = (entry.get("from"), entry.get("to")) if isinstance(entry, dict) else (None, None)
        subfolder, _, new_name = str(target).partition("/")
        if is_name(name) and is_name(subfolder) and is_name(new_name):
            steps.append(Move(str(name), subfolder, new_name))
    return steps


def is_name(value: object) -> bool:
    """Whether it names something in a folder and nothing else."""
    return isinstance(value, str) and value not in ("", ".", "..") and not set(value) & {"/", "\0", os.sep}


def read_log(folder: str) -> list[dict[str, object]]:
    """The tidyings that can be taken back, oldest first.

    Raises:
        CannotError: There is a log, but it cannot be read.
    """
    try:
        with os.fdopen(
            os.open(os.path.join(folder, LOG), os.O_RDONLY | os.O_NOFOLLOW), encoding="utf-8"
        ) as stream:
            found = json.load(stream)
        return [run for run in found["tidied"] if isinstance(run, dict)]
    except FileNotFoundError:
        return []
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        raise CannotError(
            told(
                f"The log {LOG} in {shown(folder)} cannot be read; move it away first.",
                f"无法读取 {shown(folder)} 里的记录 {LOG}，请先把它移走。",
            )
        ) from None


def write_log(folder: str, runs: list[dict[str, object]]) -> None:
    """Replace the log in one go; without runs it goes."""
    path = os.path.join(folder, LOG)
    if not runs:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(path)
        return
    new = f"{path}.new"
    with contextlib.suppress(FileNotFoundError):
        os.unlink(new)
    with os.fdopen(
        os.open(new, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w", encoding="utf-8"
    ) as stream:
        json.dump({"about": "what tidy_folder moved, for its undo", "tidied": runs[-MAX_RUNS:]}, stream)
    os.replace(new, path)
