"""Steps, each from one name to another: their order, doing them, and the log that lets them be taken back."""

from __future__ import annotations

import contextlib
import json
import os
import time

from words import CannotError, shown, told

Step = tuple[str, str]
LOG = ".rename_files.json"
#: Renamings that can be taken back.
MAX_RUNS = 10


def in_order(steps: list[Step]) -> list[Step]:
    """The steps so that each new name is free in time; a circle is opened by a name in between."""
    after = dict(steps)
    ordered: list[Step] = []
    while after:
        old = next(iter(after))
        chain = [old]
        while after[chain[-1]] in after and after[chain[-1]] != old:
            chain.append(after[chain[-1]])
        if after[chain[-1]] == old:
            between = f".rename_files between {len(ordered)}"
            ordered.append((chain[-1], between))
            ordered += [(name, after[name]) for name in reversed(chain[:-1])]
            ordered.append((between, after[chain[-1]]))
        else:
            ordered += [(name, after[name]) for name in reversed(chain)]
        for name in chain:
            del after[name]
    return ordered


def rename(folder: str, old: str, new: str) -> None:
    """Rename a file; never onto another one.

    Raises:
        FileExistsError: Something has that name.
    """
    source, target = os.path.join(folder, old), os.path.join(folder, new)
    if old.casefold() == new.casefold() and os.path.lexists(target) and os.path.samefile(source, target):
        os.rename(source, target)  # the same file to a file system without upper and lower case
        return
    os.stat(source, follow_symlinks=False)
    # A rename would overwrite: an empty file of our own takes the name first.
    os.close(os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    try:
        os.rename(source, target)
    except OSError:
        os.unlink(target)
        raise


def carried_out(folder: str, steps: list[Step]) -> tuple[list[Step], list[str]]:
    """Do the steps, after writing them down; what was done, and what was not and why."""
    if not steps:
        return [], []
    runs, ordered = read_log(folder), in_order(steps)
    write_log(folder, [*runs, as_run(ordered)])
    done, problems = follow(folder, ordered)
    write_log(folder, [*runs, as_run(done)] if done else runs)
    return done, problems


def follow(folder: str, steps: list[Step]) -> tuple[list[Step], list[str]]:
    """Rename one after another; what was done, and what was not and why."""
    done, problems = [], []
    for old, new in steps:
        try:
            rename(folder, old, new)
            done.append((old, new))
        except OSError as problem:
            problems.append(f"{shown(old)}: {problem.strerror}")
    return done, problems


def without_between(steps: list[Step]) -> list[Step]:
    """The steps as a person sees them: a circle's name in between left out."""
    between = {new: old for old, new in steps if is_between(new)}
    return [(between.get(old, old), new) for old, new in steps if not is_between(new)]


def is_between(name: str) -> bool:
    return name.startswith(".rename_files between ")


def as_run(steps: list[Step]) -> dict[str, object]:
    return {
        "at": time.strftime("%Y-%m-%d %H:%M:%S"),
        "steps": [{"from": old, "to": new} for old, new in steps],
    }


def steps_of(run: dict[str, object]) -> list[Step]:
    """The steps of a run in the log; a log from elsewhere cannot lead out of the folder."""
    entries = run.get("steps")
    pairs = [(entry.get("from"), entry.get("to")) for entry in entries or [] if isinstance(entry, dict)]
    return [(str(old), str(new)) for old, new in pairs if is_name(old) and is_name(new)]


def is_name(value: object) -> bool:
    """Whether it names something in a folder and nothing else."""
    return isinstance(value, str) and value not in ("", ".", "..") and not set(value) & {"/", "\0", os.sep}


def read_log(folder: str) -> list[dict[str, object]]:
    """The renamings that can be taken back, oldest first.

    Raises:
        CannotError: There is a log, but it cannot be read.
    """
    try:
        with os.fdopen(
            os.open(os.path.join(folder, LOG), os.O_RDONLY | os.O_NOFOLLOW), encoding="utf-8"
        ) as stream:
            found = json.load(stream)
        return [run for run in found["renamed"] if isinstance(run, dict)]
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
        json.dump({"about": "what rename_files renamed, for its undo", "renamed": runs[-MAX_RUNS:]}, stream)
    os.replace(new, path)
