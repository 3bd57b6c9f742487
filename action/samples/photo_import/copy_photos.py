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
# format = "path"
# x-partner-kind = "folder"
# access = "read"
# description.en = "where the photos are"
# description.zh = "照片在哪里"
# [params.folder]
# type = "string"
# format = "path"
# x-partner-kind = "folder"
# access = "write"
# description.en = "where they go"
# description.zh = "放到哪里"
# ///
"""Copy the pictures of `source` into `folder`; what has the name of one that is there stays away."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

ENDINGS = {".jpg", ".jpeg", ".png", ".gif", ".webp"}


def photos(folder: Path) -> list[Path]:
    """The pictures that lie in a folder, by name."""
    return sorted(path for path in folder.iterdir() if path.suffix.lower() in ENDINGS)


def main() -> int:
    given = json.load(sys.stdin)
    source, folder = Path(given["source"]), Path(given["folder"])
    folder.mkdir(parents=True, exist_ok=True)
    new = [path for path in photos(source) if not (folder / path.name).exists()]
    for path in new:
        shutil.copy2(path, folder / path.name)
    print(json.dumps({"summary": f"{len(new)} photos were copied.", "count": len(photos(folder))}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
