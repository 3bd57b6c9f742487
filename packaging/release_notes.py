"""What a release says about itself: its version, what is new, and the checksums of its files."""

import hashlib
import re
from pathlib import Path

_UNRELEASED = "Unreleased"
_HEADING = re.compile(r"^## (\S+).*$", re.MULTILINE)
_VERSION = re.compile(r'^__version__ = "([^"]+)"$', re.MULTILINE)

SUMS = "SHA256SUMS"


def product_version(root: Path) -> str:
    """The one place where it stands, read without importing anything."""
    match = _VERSION.search((root / "partner_desktop" / "__init__.py").read_text(encoding="utf-8"))
    if match is None:
        raise SystemExit("partner_desktop/__init__.py has no __version__")
    return match[1]


def changelog_section(text: str, version: str) -> tuple[str, bool]:
    """The section of a version, else of what is not released; whether it was that of the version.

    Raises:
        SystemExit: There is neither, or it is empty.
    """
    headings = list(_HEADING.finditer(text))
    ends = [*(match.start() for match in headings[1:]), len(text)]
    sections = {
        match[1].strip("[]"): text[match.end() : end].strip()
        for match, end in zip(headings, ends, strict=True)
    }
    found = sections.get(version) or sections.get(_UNRELEASED)
    if not found:
        raise SystemExit(f"packaging/CHANGELOG.md says nothing under ## {version} or ## {_UNRELEASED}")
    return f"# Partner Desktop {version}\n\n{found}\n", bool(sections.get(version))


def write_checksums(folder: Path) -> list[str]:
    """Write SHA256SUMS of the files of a folder; their names."""
    names = sorted(path.name for path in folder.iterdir() if path.is_file() and path.name != SUMS)
    lines = []
    for name in names:
        with (folder / name).open("rb") as file:
            lines.append(f"{hashlib.file_digest(file, 'sha256').hexdigest()}  {name}\n")
    (folder / SUMS).write_text("".join(lines), encoding="ascii")
    return names
