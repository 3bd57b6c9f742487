"""What a run left in its workspace and the next step of its chain may read: how it must lie there.

It is read where it lies and not copied: nothing that was held reaches an ended run's workspace any more (its
processes ended with their namespace, and what it saw beside lay on other mounts, over which no hard link
reaches), a copy would cost the time and the disk of up to a gigabyte, and the card names the file as it is.
So what is left to look at is what the run itself put there. Links, pipes and sockets are handed to nobody,
inside of folders neither: a builtin, or a script that nothing holds, would follow them with the person's own
rights.

Blocking.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from pathlib import Path

from partner_desktop.base.errors import AskHumanError
from partner_desktop.base.text import shown
from partner_desktop.domain.run_facts import PathUse
from partner_desktop.runner.run_folders import WORKSPACE

#: What a folder may hold that is handed on: each thing in it is looked at.
_MOST_THINGS = 20_000


def left_by(path: Path, runs: Path) -> str:
    """The id of the run in whose workspace a path lies by its name alone; empty: in none."""
    if not path.is_relative_to(runs):
        return ""
    parts = path.relative_to(runs).parts
    inside = len(parts) >= 2 and parts[1] == WORKSPACE and ".." not in parts
    return parts[0] if inside else ""


def fault(path: Path) -> str:
    """Why a thing in a workspace is not handed on, as the end of a sentence; empty where nothing is wrong."""
    try:
        if os.path.realpath(path) != str(path):
            return "is a link, or lies behind one"
        return _fault_of(path)
    except FileNotFoundError:
        return "is not there any more"
    except (OSError, ValueError) as error:
        return f"cannot be looked at: {getattr(error, 'strerror', None) or error}"


def check_step_outputs(uses: Iterable[PathUse], runs: Path) -> None:
    """Look once more, as the run begins, at what it reads of the workspaces of others. `runs`: resolved.

    Raises:
        AskHumanError: Something there is no longer what was decided on.
    """
    for use in uses:
        path = Path(use.path)
        why = fault(path) if left_by(path, runs) else ""
        if why:
            raise AskHumanError(f"{not_readable(path, why)}.")


def not_readable(path: Path, why: str) -> str:
    """The sentence, without its full stop."""
    return f"“{shown(path.name)}”, which an earlier step left, {why}, so it is not handed on"


def _fault_of(path: Path) -> str:
    mode = path.lstat().st_mode
    if stat.S_ISREG(mode):
        return ""
    if not stat.S_ISDIR(mode):
        return "is no file and no folder"
    seen = 0
    for place, folders, names in os.walk(path, onerror=_raise):
        for name in (*folders, *names):
            seen += 1
            inner = os.lstat(os.path.join(place, name)).st_mode  # noqa: PTH118 - strings throughout, for speed
            if not stat.S_ISREG(inner) and not stat.S_ISDIR(inner):
                return "holds a link, a pipe or the like"
        if seen > _MOST_THINGS:
            return f"holds more than {_MOST_THINGS:,} things"
    return ""


def _raise(error: OSError) -> None:
    raise error
