"""A third language is files only: four small tables beside the others, and German is understood."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from partner_desktop.base.paths import shipped

REPOSITORY = Path(__file__).parents[2]
LIST, TIDY, DOUBLES = "builtin::list_folder", "local::tidy_folder", "local::find_duplicates"
TRASH = "builtin::files::trash"
#: What is said, the newest action then, and how far it is; a piece of an argument or of the reply.
TURNS = [
    ("was liegt im Ordner Downloads", LIST, "succeeded", "Downloads"),
    ("Zeig mir die Dokumente", LIST, "succeeded", "Documents"),
    ("Kannst du mir mal den Schreibtisch zeigen? Zeig den Schreibtisch", LIST, "succeeded", "Desktop"),
    ("räum den Schreibtisch auf", TIDY, "waiting", "Desktop"),
    ("nein danke", TIDY, "rejected", "won't"),
    ("räum bitte die Dokumente auf", TIDY, "waiting", "Documents"),
    ("lieber nicht", TIDY, "rejected", "won't"),
    ("sortiere den Schreibtisch", TIDY, "waiting", "Desktop"),
    ("ja bitte", TIDY, "succeeded", "Moved"),
    ("sind Fotos doppelt?", DOUBLES, "waiting", "Pictures"),
    ("abbrechen", DOUBLES, "rejected", "won't"),
    ("sind unter den Bildern Duplikate?", DOUBLES, "waiting", "Pictures"),
    ("einverstanden", DOUBLES, "succeeded", "Pictures"),
    ("lösche den Brief", TRASH, "asking", "Which file"),
    ("keine Ahnung", TRASH, "asking", "Take your time"),
    ("äh, weiß nicht", TRASH, "asking", "Take your time"),
    ("warum fragst du?", TRASH, "asking", "can't begin without"),
    ("welche denn?", TRASH, "asking", "Which file"),
    ("Mahnung März", TRASH, "waiting", "Mahnung März.txt"),
    ("jawohl", TRASH, "succeeded", "in the trash"),
]


@pytest.mark.slow
@pytest.mark.promise("framework.extend")
def test_a_third_language_is_files_only(tmp_path: Path) -> None:
    house, user_home = tmp_path / "house", tmp_path / "home"
    shutil.copytree(
        REPOSITORY / "partner_desktop",
        house / "partner_desktop",
        ignore=shutil.ignore_patterns("__pycache__", "desktop"),
    )
    shutil.copytree(shipped("resources"), house / "resources")
    shutil.copytree(Path(__file__).parent / "german", house / "resources" / "language" / "de")
    for name in ("Desktop/Einkauf.txt", "Documents/Mahnung März.txt", "Downloads/a.pdf", "Pictures/b.txt"):
        (user_home / name).parent.mkdir(parents=True, exist_ok=True)
        (user_home / name).write_text("Brot und Milch", encoding="utf-8")
    said = subprocess.run(
        [
            sys.executable,
            "-m",
            "tests.features.spoken_turns",
            str(tmp_path / "partner"),
            str(shipped("action")),
        ]
        + [line for line, *_ in TURNS],
        env={**os.environ, "HOME": str(user_home), "PYTHONPATH": f"{house}{os.pathsep}{REPOSITORY}"},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert said.returncode == 0, said.stderr
    rows = [json.loads(row) for row in said.stdout.splitlines()]
    wrong = [
        row
        for row, (line, key, status, piece) in zip(rows, TURNS, strict=True)
        if row["line"] != line
        or row["action"][:2] != [key, status]
        or piece not in json.dumps(row, ensure_ascii=False)
    ]
    assert not wrong, "\n".join(map(str, wrong))
