"""Make the Debian package of a frozen folder: `debian_package.py FROZEN TARGET`.

It holds the folder of `frozen_folder.py`, not an environment of Debian's Python: that one would be another
in each release, and gone with the next. debhelper does what it does everywhere (dependencies from the
libraries that are linked, checksums, rights, the manual page); `debian/` says the rest. The version, its
date and the first lines of the changelog come from where they stand already.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path

from command_reference import COMPLETIONS, write_reference
from PySide6.QtCore import QByteArray, QSize, Qt
from PySide6.QtGui import QGuiApplication, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

from partner_desktop import __version__
from partner_desktop.base.own_program import PROGRAM

ROOT = Path(__file__).resolve().parent.parent
ICON = ROOT / "resources" / "icons" / "partner.svg"
ICON_SIZES = (16, 22, 24, 32, 48, 64, 96, 128, 256, 512)
#: Where each shell of Debian looks below /usr/share.
SHELLS = {
    "bash": "bash-completion/completions",
    "zsh": "zsh/vendor-completions",
    "fish": "fish/vendor_completions.d",
}


def main() -> int:
    """Make it."""
    parser = argparse.ArgumentParser(description="Make the Debian package of a frozen folder.")
    parser.add_argument("frozen", type=Path, help="what frozen_folder.py made; it is moved into the package")
    parser.add_argument("target", type=Path, help="where the .deb is to lie")
    parser.add_argument("--version", default=__version__, help="not Partner's own, for trials")
    options = parser.parse_args()
    print(make_debian_package(options.frozen, options.target, options.version))
    return 0


def make_debian_package(frozen: Path, target: Path, version: str = __version__) -> Path:
    """Make it; where it lies.

    Raises:
        SystemExit: debhelper is missing, or fails.
    """
    if shutil.which("dh") is None:
        raise SystemExit("debhelper is missing: apt-get install debhelper")
    target.mkdir(parents=True, exist_ok=True)
    epoch = int(os.environ.get("SOURCE_DATE_EPOCH", "0")) or int(time.time())
    moment = datetime.fromtimestamp(epoch, UTC)
    with tempfile.TemporaryDirectory(dir=target) as folder:
        work = Path(folder) / PROGRAM
        share = work / "tree" / "usr" / "share"
        shutil.copytree(ROOT / "packaging" / "debian", work / "debian")
        (work / "debian" / "changelog").write_text(_changelog(version, moment), encoding="utf-8")
        (work / "tree" / "usr" / "lib").mkdir(parents=True)
        shutil.move(frozen, work / "tree" / "usr" / "lib" / PROGRAM)
        write_reference(work / "reference")
        for shell, place in SHELLS.items():
            _put(work / "reference" / COMPLETIONS[shell], share / place / COMPLETIONS[shell])
        _put(work / "debian" / f"{PROGRAM}.desktop", share / "applications" / f"{PROGRAM}.desktop")
        metainfo = share / "metainfo" / f"{PROGRAM}.metainfo.xml"
        metainfo.parent.mkdir()
        metainfo.write_text(metainfo_text(version, moment), encoding="utf-8")
        write_icons(share / "icons" / "hicolor")
        done = subprocess.run(
            ["dpkg-buildpackage", "--build=binary", "--no-sign", "--no-check-builddeps"],
            cwd=work,
            env=os.environ | {"SOURCE_DATE_EPOCH": str(epoch)},
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode != 0:
            raise SystemExit(f"debhelper failed:\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}")
        (made,) = Path(folder).glob("*.deb")
        return Path(shutil.move(made, target / made.name))


def metainfo_text(version: str, moment: datetime) -> str:
    """AppStream's description, for software centres."""
    text = (ROOT / "packaging" / "debian" / f"{PROGRAM}.metainfo.xml").read_text(encoding="utf-8")
    return text.replace("@VERSION@", version).replace("@DATE@", f"{moment:%Y-%m-%d}")


def write_icons(folder: Path) -> None:
    """Every size of the theme `hicolor`, drawn from the one drawing, and that itself."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    app = QGuiApplication.instance() or QGuiApplication([])
    drawing = QSvgRenderer(QByteArray(ICON.read_bytes()))
    for size in ICON_SIZES:
        picture = QImage(QSize(size, size), QImage.Format.Format_ARGB32)
        picture.fill(Qt.GlobalColor.transparent)
        painter = QPainter(picture)
        drawing.render(painter)
        painter.end()
        place = folder / f"{size}x{size}" / "apps" / f"{PROGRAM}.png"
        place.parent.mkdir(parents=True)
        if not picture.save(str(place)):
            raise SystemExit(f"{place} cannot be written")
    _put(ICON, folder / "scalable" / "apps" / f"{PROGRAM}.svg")
    del app


def _put(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)


def _changelog(version: str, moment: datetime) -> str:
    """Debian's form of it: this version alone; the whole of ours is Markdown."""
    control = (ROOT / "packaging" / "debian" / "control").read_text(encoding="utf-8")
    maintainer = re.search(r"^Maintainer: (.+)$", control, re.MULTILINE)
    assert maintainer is not None
    return (
        f"{PROGRAM} ({version}) unstable; urgency=medium\n\n"
        f"  * Partner Desktop {version}; what is new stands in packaging/CHANGELOG.md.\n\n"
        f" -- {maintainer[1]}  {moment:%a, %d %b %Y %H:%M:%S +0000}\n"
    )


if __name__ == "__main__":
    sys.exit(main())
