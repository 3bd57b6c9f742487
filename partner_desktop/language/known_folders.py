"""Folders that everybody has, as people name them: `my downloads folder` → `~/Downloads`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from partner_desktop.base.patterns import late

_ENGLISH = {
    "desktop": "~/Desktop",
    "documents": "~/Documents",
    "document": "~/Documents",
    "downloads": "~/Downloads",
    "download": "~/Downloads",
    "music": "~/Music",
    "pictures": "~/Pictures",
    "photos": "~/Pictures",
    "videos": "~/Videos",
    "movies": "~/Videos",
    "home": "~",
}
_CHINESE = {
    "桌面": "~/Desktop",
    "文档": "~/Documents",
    "下载": "~/Downloads",
    "音乐": "~/Music",
    "图片": "~/Pictures",
    "照片": "~/Pictures",
    "视频": "~/Videos",
    "主": "~",
    "家": "~",
}
_NAMES = "|".join(_ENGLISH)
_MENTIONS = late(
    rf"(?<![\w/~.\-])(?:(?:my|the|our|your)\s{{1,9}})?(?P<folder>{_NAMES})\s{{1,9}}(?:folder|directory|dir)\b"
    rf"|(?<![\w/~.\-])(?:my|our)\s{{1,9}}(?P<mine>{_NAMES})\b(?!\s{{1,9}}(?:file|app|player|settings?)s?\b)"
    r"|\bon\s{1,9}(?:the\s{1,9})?(?P<top>desktop)\b"
    r"|\b(?:in|under|from|to|into|inside|of)\s{1,9}(?:the\s{1,9})?"
    r"(?P<bare>(?-i:Desktop|Documents|Downloads|Music|Pictures|Videos|Home))\b(?!\s{1,9}[A-Z])",
    re.IGNORECASE,
)
_HERE = late(r"\b(?:this|the current|the working|the same) (?:folder|directory)\b", re.IGNORECASE)
_CHINESE_MENTIONS = late(
    rf"(?:我的)?(?P<folder>{'|'.join(_CHINESE)})(?:文件夹|目录)|我的(?P<mine>{'|'.join(list(_CHINESE)[:-2])})"
    r"|(?P<top>桌面)(?=上|里|的)|(?P<downloads>下载)(?=里)"
)


def mentions(text: str) -> Iterator[tuple[int, int, str]]:
    """Start, end and path of each folder that the text names."""
    for match in _MENTIONS.finditer(text):
        group = match.lastgroup or ""
        start = match.start() if group in {"folder", "mine"} else match.start(group)
        yield start, match.end(), _ENGLISH[match[group].lower()]
    for match in _CHINESE_MENTIONS.finditer(text):
        yield match.start(), match.end(), _CHINESE[match[match.lastgroup or 0]]
    for match in _HERE.finditer(text):
        yield match.start(), match.end(), "."


def by_name(text: str) -> str | None:
    """The path when the whole text names such a folder (`downloads`, `the Desktop`), else `None`."""
    name = re.sub(
        r"^(?:my|the|our)\s{1,9}|\s{1,9}(?:folder|directory)$", "", text.strip(), flags=re.IGNORECASE
    ).lower()
    if name in {"here", "this", "current", "this one"}:
        return "."
    chinese = re.sub(r"^我的|(?:文件夹|目录)$", "", text.strip())
    return _ENGLISH.get(name) or _CHINESE.get(chinese)
