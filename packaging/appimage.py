"""Make one file of the frozen folder: `appimage.py FROZEN TARGET.AppImage`.

An AppImage of type 2: a head that mounts and starts, and behind it the folder as squashfs. The head is
compiled here (`appimage_runtime.c`, with Debian's static libraries), or is one that the AppImage project
made: `--runtime FILE`. `mksquashfs` dates what it packs by SOURCE_DATE_EPOCH.
"""

import argparse
import shlex
import shutil
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

from partner_desktop.base.own_program import PROGRAM

ROOT = Path(__file__).resolve().parent.parent
SOURCE = Path(__file__).with_name("appimage_runtime.c")
#: In the order in which each asks for the next.
LIBRARIES = ("squashfuse_ll", "fuse3", "z", "lzma", "zstd", "lz4", "lzo2", "pthread")
LIBRARY_PACKAGES = "libsquashfuse-dev libfuse3-dev zlib1g-dev liblzma-dev libzstd-dev liblz4-dev liblzo2-dev"
#: What the specification wants at this byte of the head; ELF leaves them free.
MARK, MARK_OFFSET = b"AI\x02", 8
PACKING = (
    "-root-owned", "-noappend", "-no-xattrs", "-quiet", "-no-progress",
    "-comp", "zstd", "-Xcompression-level", "9",
)  # fmt: skip
ELF64 = b"\x7fELF\x02\x01"


def main() -> int:
    """Make it, and say how large it became."""
    parser = argparse.ArgumentParser(description="Make an AppImage of a frozen folder.")
    parser.add_argument("frozen", type=Path, help="what frozen_folder.py made")
    parser.add_argument("target", type=Path, help="the file to make")
    parser.add_argument("--runtime", type=Path, help="a head of the AppImage project's, in place of ours")
    options = parser.parse_args()
    make_appimage(options.frozen, options.target, options.runtime)
    print(f"{options.target.stat().st_size / 1e6:8.1f} MB  {options.target}")
    return 0


def make_appimage(frozen: Path, target: Path, runtime: Path | None = None) -> None:
    """Make it.

    Raises:
        SystemExit: A tool is missing or fails, or `runtime` is no head; the sentence says which.
    """
    if shutil.which("mksquashfs") is None:
        raise SystemExit("mksquashfs is missing: apt-get install squashfs-tools")
    with tempfile.TemporaryDirectory(dir=target.parent) as folder:
        head = marked_head(runtime or compile_runtime(Path(folder) / "runtime"))
        packed = Path(folder) / "packed"
        _run("mksquashfs", str(frozen), str(packed), *PACKING, *_additions())
        with target.open("wb") as file:
            file.write(head)
            with packed.open("rb") as rest:
                shutil.copyfileobj(rest, file)
    target.chmod(0o755)


def _additions() -> list[str]:
    """What an AppImage has beside the folder: where it starts, and how it looks in menus."""
    icon, entry = f"{PROGRAM}.svg", f"{PROGRAM}.desktop"
    lines = (
        f"AppRun s 777 0 0 {PROGRAM}",
        f".DirIcon s 777 0 0 {icon}",
        f"{icon} f 644 0 0 cat {shlex.quote(str(ROOT / 'resources' / 'icons' / 'partner.svg'))}",
        f"{entry} f 644 0 0 cat {shlex.quote(str(ROOT / 'packaging' / 'debian' / entry))}",
    )
    return [word for line in lines for word in ("-p", line)]


def compile_runtime(target: Path) -> Path:
    """Our own head."""
    compiler = shutil.which("cc")
    if compiler is None:
        raise SystemExit(f"a C compiler is missing: apt-get install gcc {LIBRARY_PACKAGES}")
    libraries = [f"-l{name}" for name in LIBRARIES]
    _run(compiler, "-static", "-Os", "-s", "-o", str(target), str(SOURCE), *libraries)
    return target


def marked_head(runtime: Path) -> bytes:
    """A head with its mark.

    Raises:
        SystemExit: It is none. The image is found by where the head's table of sections ends, so nothing
            may follow that.
    """
    head = runtime.read_bytes()
    if not head.startswith(ELF64) or len(head) < struct.calcsize("<64x"):
        raise SystemExit(f"{runtime} is no program of 64 bits")
    (table,) = struct.unpack_from("<Q", head, 40)
    size, count = struct.unpack_from("<HH", head, 58)
    if table + size * count != len(head):
        raise SystemExit(f"{runtime} is no head of an AppImage: it does not end with its table of sections")
    return head[:MARK_OFFSET] + MARK + head[MARK_OFFSET + len(MARK) :]


def _run(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        told = (done.stderr or done.stdout)[-2000:]
        raise SystemExit(
            f"{Path(command[0]).name} failed; it may need: apt-get install {LIBRARY_PACKAGES}\n{told}"
        )


if __name__ == "__main__":
    sys.exit(main())
