# /// partner
# title = { en = "Contact sheet", zh = "照片一览" }
# description.en = "Make a page with all photos of a folder"
# description.zh = "把文件夹里的照片做成一页"
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
"""Write `<folder>/contact-sheet.html`."""

from __future__ import annotations

import hashlib
import json
import os
import sys
from html import escape
from pathlib import Path
from urllib.parse import quote

ENDINGS = {".jpg", ".jpeg", ".png", ".gif", ".webp"}


def photos(folder: Path) -> list[Path]:
    """The pictures that lie in a folder, by name."""
    return sorted(path for path in folder.iterdir() if path.suffix.lower() in ENDINGS)


def told(english: str, chinese: str) -> str:
    """A sentence in the language that Partner speaks with the person."""
    return chinese if os.environ.get("PARTNER_LANG", "").startswith("zh") else english


def main() -> int:
    folder = Path(json.load(sys.stdin)["folder"])
    found = photos(folder)
    rows = [
        f'<figure><img src="{quote(path.name)}" width="240" alt="">'
        f"<figcaption>{escape(path.name)}</figcaption></figure>"
        for path in found
    ]
    page = ["<!doctype html>", '<meta charset="utf-8">', "<title>Contact sheet</title>", *rows, ""]
    path, content = folder / "contact-sheet.html", "\n".join(page).encode()
    path.write_bytes(content)
    made = {"path": str(path), "size_bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
    summary = told(f"{len(found)} photos are on the sheet.", f"一览页上有 {len(found)} 张照片。")
    print(json.dumps({"summary": summary, "count": len(found), **made}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
