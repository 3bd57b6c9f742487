"""The Debian package on a Debian without Python: installed, used, upgraded with its home, removed, purged."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.long.packages.clean_root import CleanRoot, clean_root, needed_tools
from tests.long.packages.first_session import Installed, first_session
from tests.packaging.built import EPOCH, REPOSITORY, build_packages

pytestmark = pytest.mark.long

_HOME = Path("/home/person/.local/share/partner-desktop")
_OLD_HOME = REPOSITORY / "tests" / "features" / "home_before_plans.tar.gz"


#: A folder with both that were built before, for who runs this again and again.
_BUILT = "PARTNER_DEBIAN_PACKAGES"


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The package, and the next version of it."""
    if _BUILT in os.environ:
        old, new = sorted(Path(os.environ[_BUILT]).rglob("*.deb"))
        return old, new
    needed_tools("patchelf", "dh", "lintian", "appstreamcli")
    pytest.importorskip("shtab")
    folder = tmp_path_factory.mktemp("debian")
    (wheel,) = build_packages(REPOSITORY, folder / "built", "wheel")
    scripts = REPOSITORY / "packaging"
    frozen = folder / "frozen"
    subprocess.run([sys.executable, scripts / "frozen_folder.py", frozen, "--wheel", wheel], check=True)
    made: list[Path] = []
    for version in ("0.1.0", "0.1.1"):
        copy = folder / "copy"
        shutil.copytree(frozen, copy, symlinks=True, copy_function=os.link)
        make = (sys.executable, scripts / "debian_package.py", copy, folder / version, "--version", version)
        quick = {"DEB_COMPRESSION": "gzip", "DEB_COMPRESSION_LEVEL": "1", "SOURCE_DATE_EPOCH": EPOCH}
        subprocess.run(make, env=os.environ | quick, check=True)
        made += (folder / version).glob("*.deb")
    old, new = made
    return old, new


def test_lintian_finds_nothing_but_what_is_named(packages: tuple[Path, Path]) -> None:
    done = subprocess.run(
        ["lintian", "--tag-display-limit", "0", "--fail-on", "error,warning", packages[0]],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout


def test_software_centres_can_read_what_it_says_of_itself(
    packages: tuple[Path, Path], tmp_path: Path
) -> None:
    (tmp_path / "read").mkdir()
    with subprocess.Popen(("dpkg-deb", "--fsys-tarfile", packages[0]), stdout=subprocess.PIPE) as archive:
        subprocess.run(
            ("tar", "-x", "-C", tmp_path / "read", "./usr/share"), stdin=archive.stdout, check=True
        )
    share = tmp_path / "read" / "usr" / "share"
    (metainfo,) = share.glob("metainfo/*.xml")
    assert 'version="0.1.0"' in metainfo.read_text(encoding="utf-8")
    validate = ("appstreamcli", "validate", "--no-net", "--pedantic", metainfo)
    done = subprocess.run(validate, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    for file in (
        "applications/partner-desktop.desktop",
        "man/man1/partner-desktop.1.gz",
        "bash-completion/completions/partner-desktop",
        "zsh/vendor-completions/_partner-desktop",
        "fish/vendor_completions.d/partner-desktop.fish",
        "icons/hicolor/scalable/apps/partner-desktop.svg",
        "icons/hicolor/16x16/apps/partner-desktop.png",
        "icons/hicolor/512x512/apps/partner-desktop.png",
    ):
        assert (share / file).stat().st_size > 0, file


@pytest.mark.promise("packaging.deb")
def test_it_is_installed_used_upgraded_and_removed_and_leaves_the_persons_data(
    packages: tuple[Path, Path], tmp_path: Path
) -> None:
    old, new = packages
    with clean_root(tmp_path) as system:
        # What an earlier Partner wrote, with the schema that it had then.
        person = system.folder / "home" / "person"
        shutil.unpack_archive(_OLD_HOME, person / "older", "gztar")
        subprocess.run(["chown", "-R", "1000:1000", person], check=True)
        (person / "older").chmod(0o700)

        _install(system, old)
        assert not list(system.folder.glob("usr/bin/python*"))
        assert (system.folder / "usr/bin/bwrap").exists()  # as recommended
        installed = Installed(["partner-desktop"], _HOME, root=system.folder, prefix=system.entering())
        del installed.environment["PARTNER_HOME"]
        installed.environment["HOME"] = "/home/person"
        older = ("conversations", "list", "--home", "/home/person/older")
        before = installed.run(*older)
        assert before.strip()
        told = first_session(installed)
        assert told["python"].startswith("/usr/lib/partner-desktop/python/bin/python3")

        _install(system, new)
        assert "0.1.1" in system.as_root("dpkg-query", "--show", "partner-desktop")
        assert installed.run(*older) == before
        assert "local::greet_somebody" in installed.run("actions", "list")

        system.as_root("apt-get", "remove", "-qq", "-y", "partner-desktop")
        assert not (system.folder / "usr/bin/partner-desktop").exists()
        assert not (system.folder / "usr/lib/partner-desktop").exists()
        purged = system.as_root("apt-get", "purge", "-qq", "-y", "partner-desktop")
        assert "~/.local/share/partner-desktop" in purged
        assert (person / ".local/share/partner-desktop" / "partner.db").is_file()
        assert (
            person / ".local/share/partner-desktop" / "action" / "dynamic" / "greet_somebody.py"
        ).is_file()


def _install(system: CleanRoot, package: Path) -> None:
    shutil.copy(package, system.folder / "tmp" / package.name)
    system.as_root("apt-get", "install", "-qq", "-y", f"/tmp/{package.name}")
