# /// partner
# title = { en = "Name photos", zh = "照片改名" }
# description.en = "Name the photos in a folder by day and number"
# description.zh = "按日期和编号给文件夹里的照片改名"
# owner = "photos"
# [annotations]
# readOnlyHint = false
# destructiveHint = false
# idempotentHint = true
# openWorldHint = false
# [params.folder]
# type = "string"
# title.zh = "文件夹"
# format = "path"
# x-partner-kind = "folder"
# access = "write"
# description.en = "where the photos are"
# description.zh = "照片在哪里"
# ///
"""Name pictures `2026-05-14 001.jpg`, by the day when they were taken."""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path

ENDINGS = {".jpg", ".jpeg", ".png", ".gif", ".webp"}


def photos(folder: Path) -> list[Path]:
    """The pictures that lie in a folder, by name."""
    return sorted(path for path in folder.iterdir() if path.suffix.lower() in ENDINGS)


def told(english: str, chinese: str) -> str:
    """A sentence in the language that Partner speaks with the person."""
    return chinese if os.environ.get("PARTNER_LANG", "").startswith("zh") else english


def main() -> int:
    folder = Path(json.load(sys.stdin)["folder"])
    found = sorted(photos(folder), key=lambda path: (path.stat().st_mtime, path.name))
    names = [
        f"{time.strftime('%Y-%m-%d', time.localtime(path.stat().st_mtime))} {number:03}{path.suffix.lower()}"
        for number, path in enumerate(found, 1)
    ]
    # By a name of nobody's first: a new name may be the old one of another.
    passing = [path.rename(path.with_name(f".{number}.passing")) for number, path in enumerate(found, 1)]
    for path, name in zip(passing, names, strict=True):
        path.rename(path.with_name(name))
    summary = told(f"{len(names)} photos have names by day.", f"{len(names)} 张照片已按日期命名。")
    print(json.dumps({"summary": summary, "count": len(names)}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
