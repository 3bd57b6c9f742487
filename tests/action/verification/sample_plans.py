"""The two sample plans that lie in `action/samples/`, as a person puts them into a live folder."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

from partner_desktop.domain.json_value import JsonObject
from tests.support import REPOSITORY

SAMPLES = REPOSITORY / "action" / "samples"
ONBOARDING, PHOTO_IMPORT = "local::onboard_employee", "local::import_photos"


def install(sample: str, dynamic: Path) -> None:
    """Copy a sample's scripts and its plan."""
    shutil.copytree(SAMPLES / sample, dynamic, dirs_exist_ok=True)


def arguments(folder: Path, employee_id: str = "E7") -> JsonObject:
    """Who comes."""
    return {
        "employee_id": employee_id,
        "employee_name": "Ann Lee",
        "email": "ann@example.org",
        "department": "Sales",
        "folder": str(folder),
    }


def rows(folder: Path, table: str) -> list[tuple[object, ...]]:
    """What stands in a table of the sample's database."""
    with closing(sqlite3.connect(folder / "company.db")) as database:
        return [tuple(row) for row in database.execute(f"SELECT * FROM {table}")]


def remove_row(folder: Path, table: str) -> None:
    """Behind everyone's back."""
    with closing(sqlite3.connect(folder / "company.db")) as database, database:
        database.execute(f"DELETE FROM {table}")


def write_photos(folder: Path, count: int) -> None:
    """Pictures as far as their first and last bytes tell."""
    folder.mkdir(parents=True)
    for number in range(count):
        (folder / f"IMG_{number}.jpg").write_bytes(b"\xff\xd8\xff\xe0" + bytes([number]) * 40 + b"\xff\xd9")
