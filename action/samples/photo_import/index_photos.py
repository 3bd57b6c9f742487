# /// partner
# title = { en = "Index photos", zh = "照片索引" }
# description.en = "List the photos of a folder in a table, with size and day"
# description.zh = "把文件夹里的照片列成表，带大小和日期"
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
"""Write `<folder>/index.csv`."""

from __future__ import annotations

import csv
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
    rows = [(path.name, path.stat()) for path in photos(folder)]
    path = folder / "index.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        table = csv.writer(file)
        table.writerow(["name", "size_bytes", "day"])
        for name, facts in rows:
            table.writerow([name, facts.st_size, time.strftime("%Y-%m-%d", time.localtime(facts.st_mtime))])
    made = {"path": str(path), "size_bytes": path.stat().st_size}
    summary = told(f"{len(rows)} photos are in the table.", f"表格里有 {len(rows)} 张照片。")
    print(json.dumps({"summary": summary, "count": len(rows), **made}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
