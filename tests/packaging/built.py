"""The wheel and the source archive, built by pyproject.toml's backend, without a network."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
TIMEOUT_S = 300
#: What files in archives are dated with; any moment will do, as long as it is the same.
EPOCH = "1700000000"


def copy_checkout(folder: Path) -> Path:
    """The tracked parts that packages are made from, as they lie here."""
    folder.mkdir()
    for name in ("partner_desktop", "resources", "action", "packaging"):
        ignore = shutil.ignore_patterns("__pycache__", "screenshots")
        shutil.copytree(REPOSITORY / name, folder / name, ignore=ignore)
    for name in ("pyproject.toml", "README.md", "LICENSE", ".gitignore"):
        shutil.copy(REPOSITORY / name, folder / name)
    return folder


def build_packages(checkout: Path, folder: Path, *targets: str) -> list[Path]:
    """Build `wheel`, `sdist` or both; the files in the order of the targets."""
    wanted = [word for target in targets for word in ("-t", target)]
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", *wanted, "-d", str(folder)],
        cwd=checkout,
        env=os.environ | {"SOURCE_DATE_EPOCH": EPOCH},
        check=True,
        capture_output=True,
        timeout=TIMEOUT_S,
    )
    ending = {"wheel": "*.whl", "sdist": "*.tar.gz"}
    return [path for target in targets for path in folder.glob(ending[target])]
