"""Small packages, as `pip` would have installed them, in a folder that a subprocess finds."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path


def install(folder: Path, package: str, code: str, points: Mapping[str, Mapping[str, str]]) -> None:
    """Put a package of one file there; `points` has `{group: {name: attribute}}`."""
    module = package.replace("-", "_")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{module}.py").write_text(code, encoding="utf-8")
    info = folder / f"{module}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n", encoding="utf-8"
    )
    lines = []
    for group, names in points.items():
        lines.append(f"[partner_desktop.{group}]")
        lines.extend(f"{name} = {module}:{attribute}" for name, attribute in names.items())
    (info / "entry_points.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


def allow(home: Path, place: Path, *packages: str) -> None:
    """Say in the settings that these packages may be loaded from there, as a person would."""
    folder = home / "config"
    folder.mkdir(parents=True, mode=0o700, exist_ok=True)
    home.chmod(0o700)
    lines = [f'[[allowed]]\npackage = "{package}"\nplace = "{place}"\n' for package in packages]
    (folder / "extensions.toml").write_text("\n".join(lines), encoding="utf-8")
