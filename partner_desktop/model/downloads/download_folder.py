"""Where downloads lie: each in a folder of its own while it comes, then beside others of its repository.

Everything here is blocking, and raises an `OSError` where the disk refuses.
"""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from partner_desktop.base.errors import ModelError
from partner_desktop.files.atomic import sync_path
from partner_desktop.model.downloads.fetch_messages import part_name
from partner_desktop.model.gguf_header import read_header

#: Begins with a dot, so that nobody looks for models in it.
_STAGES = ".downloads"
_MOST_FOLDERS = 1_000


def stage_of(folder: Path, download_id: str) -> Path:
    """Where a download lies while it comes."""
    return folder / _STAGES / download_id


def remove_stage(folder: Path, download_id: str) -> None:
    """Take away what came of it."""
    shutil.rmtree(stage_of(folder, download_id), ignore_errors=True)


def sync_files(path: Path, names: Sequence[str]) -> None:
    """Let what lies beside `path` under these names outlive a loss of power."""
    for name in names:
        sync_path(path.with_name(name))
    sync_path(path.parent)


def sweep(folder: Path, known: Collection[str]) -> None:
    """Take away what belongs to no download any more: a crash came between two steps of a cancellation."""
    stages = folder / _STAGES
    if stages.is_dir():
        for path in stages.iterdir():
            if path.name not in known and not path.is_symlink():
                shutil.rmtree(path, ignore_errors=True)


def staged_bytes(folder: Path, download_id: str) -> int:
    """How much of it is there."""
    stage = stage_of(folder, download_id)
    return sum(path.stat().st_size for path in stage.glob("*.part")) if stage.is_dir() else 0


def take_place_of(folder: Path, download_id: str, repository: str, names: Sequence[str]) -> Path:
    """Give what came its lasting names, `owner/name/file`; the path of the first.

    A name appears with the whole file or not at all, and none that is taken is replaced. The first of several
    parts comes last, so that nobody finds a model without its rest. Done again after a crash, it comes to the
    same.
    """
    stage = stage_of(folder, download_id)
    for target in _targets(folder, repository):
        if all(_is_free(stage / part_name(name), target / name) for name in names):
            break
    else:
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(folder / repository))
    target.mkdir(parents=True, exist_ok=True)
    for name in reversed(names):
        if not (target / name).exists():
            _give_name(stage / part_name(name), target / name)
    return target / names[0]


def given_names(folder: Path, download_id: str, repository: str, names: Sequence[str]) -> list[Path]:
    """The lasting names that a crash left to what still is on its way."""
    stage, found = stage_of(folder, download_id), []
    for target in _targets(folder, repository):
        if target.is_dir():
            found += [target / name for name in names if _is_same(stage / part_name(name), target / name)]
    return found


def _targets(folder: Path, repository: str) -> Iterator[Path]:
    """The folders that a repository's files may get, the one that is wanted first."""
    yield folder / repository
    for number in range(2, _MOST_FOLDERS):
        yield folder / f"{repository}({number})"


def is_model(path: Path) -> bool:
    """Whether the header can be read, and those of its other parts: a right hash says nothing of that."""
    try:
        read_header(path)
    except ModelError:
        return False
    return True


def _is_free(staged: Path, target: Path) -> bool:
    if not os.path.lexists(target):
        return True
    return _is_same(staged, target)


def _is_same(staged: Path, target: Path) -> bool:
    return staged.exists() and target.exists() and target.samefile(staged)


def _give_name(staged: Path, target: Path) -> None:
    """By a link, which never replaces anything; where there are none, by a rename after the look."""
    staged.chmod(0o644)
    try:
        os.link(staged, target, follow_symlinks=False)
    except FileExistsError:
        raise
    except OSError:
        sync_path(staged)  # nothing of it is left there to go on with
        staged.rename(target)
