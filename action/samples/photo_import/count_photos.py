# /// partner
# title = { en = "Count photos", zh = "数照片" }
# description.en = "Count the photos in a folder"
# description.zh = "数一数文件夹里的照片"
# owner = "photos"
# [annotations]
# readOnlyHint = true
# destructiveHint = false
# idempotentHint = true
# openWorldHint = false
# [params.folder]
# type = "string"
# title.zh = "文件夹"
# format = "path"
# x-partner-kind = "folder"
# access = "read"
# description.en = "where the photos are"
# description.zh = "照片在哪里"
# ///
"""Look at a folder; nothing is written."""

from __future__ import annotations

import json
import os
import sys
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
    count = len(photos(folder)) if folder.is_dir() else 0
    summary = told(f"There are {count} photos.", f"有 {count} 张照片。")
    print(json.dumps({"summary": summary, "folder": str(folder), "count": count}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
