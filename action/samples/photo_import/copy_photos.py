# /// partner
# title = { en = "Copy photos", zh = "复制照片" }
# description.en = "Copy the photos of a card or a folder into another folder"
# description.zh = "把存储卡或文件夹里的照片复制到另一个文件夹"
# owner = "photos"
# [annotations]
# readOnlyHint = false
# destructiveHint = false
# idempotentHint = true
# openWorldHint = false
# [params.source]
# type = "string"
# title.zh = "来源"
# format = "path"
# x-partner-kind = "folder"
# access = "read"
# description.en = "where the photos are"
# description.zh = "照片在哪里"
# [params.folder]
# type = "string"
# title.zh = "文件夹"
# format = "path"
# x-partner-kind = "folder"
# access = "write"
# description.en = "where they go"
# description.zh = "放到哪里"
# ///
"""Copy the pictures of `source` into `folder`; what has the name of one that is there stays away."""

from __future__ import annotations

import json
import os
import shutil
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
    given = json.load(sys.stdin)
    source, folder = Path(given["source"]), Path(given["folder"])
    folder.mkdir(parents=True, exist_ok=True)
    new = [path for path in photos(source) if not (folder / path.name).exists()]
    for path in new:
        shutil.copy2(path, folder / path.name)
    summary = told(f"{len(new)} photos were copied.", f"复制了 {len(new)} 张照片。")
    print(json.dumps({"summary": summary, "count": len(photos(folder))}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
