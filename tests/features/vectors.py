"""The vectors of the abilities that ship, made once and kept from run to run.

Each new home would make them with its first message, a second or two of work in every test that talks. A home
keeps them by the hash of their text, so what changes meanwhile is made anew.

    python -m tests.features.vectors FILE
"""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from partner_desktop.app import Partner
from partner_desktop.base.paths import Home
from tests.support import REPOSITORY

_KEPT = REPOSITORY / ".pytest_cache" / "embeddings.db"
_TIMEOUT_S = 120


def give_vectors(home: Path) -> None:
    """Put them into a home that is not there yet; one that is there stays as it is."""
    if home.exists():
        return
    if not _KEPT.exists():
        _KEPT.parent.mkdir(exist_ok=True)
        making = [sys.executable, "-m", "tests.features.vectors", str(_KEPT)]
        subprocess.run(making, cwd=REPOSITORY, check=True, timeout=_TIMEOUT_S)
    home.mkdir(mode=0o700, parents=True)
    (home / "cache").mkdir(mode=0o700)
    target = home / "cache" / "embeddings.db"
    shutil.copyfile(_KEPT, target)
    target.chmod(0o600)


async def _make(kept: Path, place: Path) -> None:
    partner = Partner(Home(place), REPOSITORY / "action")
    await partner.launch()
    meaning = partner._parts.models.meaning
    await meaning.prepare(partner._parts.actions.catalog.usable())
    await meaning.settled()
    await partner.close()
    building = kept.with_suffix(f".{os.getpid()}")  # another process may be at it too
    shutil.copyfile(place / "cache" / "embeddings.db", building)
    building.replace(kept)


if __name__ == "__main__":
    with TemporaryDirectory(prefix="partner-vectors-") as folder:
        asyncio.run(_make(Path(sys.argv[1]), Path(folder)))
