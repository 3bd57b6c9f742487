"""A small checkout for the bootstrap's tests: real packaging/, a real venv and a real pip, no network.

Its packages come from files written here. Its engine is a source package that is "compiled" by talking to
the test: the build connects, and waits for the word on how to end.
"""

import base64
import hashlib
import io
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tarfile
import threading
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

ROOT = Path(__file__).resolve().parents[2]
PACKAGING = ROOT / "packaging"
PATIENCE_S = 60  # making a virtual environment takes seconds; nothing is meant to come near this

PYPROJECT = """
[build-system]
requires = []
build-backend = "backend"
backend-path = ["build_backend"]

[project]
name = "partner-desktop"
version = "1"
dependencies = [{dependencies}]

[project.optional-dependencies]
engine = [{engine}]
test = []

[project.scripts]
partner-desktop = "partner_desktop.__main__:main"
"""

# Makes the editable wheel; with PAUSE set, first tells the test its process group and waits for its word.
BACKEND = """
import os, socket, zipfile
from pathlib import Path

def pause():
    if "PAUSE" in os.environ:
        with socket.create_connection(("127.0.0.1", int(os.environ["PAUSE"]))) as test:
            test.sendall(str(os.getpgid(0)).encode())
            test.recv(1)

def write_wheel(folder, name, version, files):
    info = f"{name}-{version}.dist-info"
    files = {
        **files,
        f"{info}/METADATA": f"Metadata-Version: 2.1\\nName: {name}\\nVersion: {version}\\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n",
    }
    wheel = f"{name}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(Path(folder, wheel), "w") as archive:
        for path, text in files.items():
            archive.writestr(path, text)
        archive.writestr(f"{info}/RECORD", "".join(f"{path},,\\n" for path in [*files, f"{info}/RECORD"]))
    return wheel

def build_editable(folder, config_settings=None, metadata_directory=None):
    pause()
    scripts = "[console_scripts]\\npartner-desktop = partner_desktop.__main__:main\\n"
    files = {"partner_desktop.pth": os.getcwd(), "partner_desktop-1.dist-info/entry_points.txt": scripts}
    return write_wheel(folder, "partner_desktop", "1", files)

def build_wheel(folder, config_settings=None, metadata_directory=None):
    raise NotImplementedError
"""

ENGINE_BACKEND = (
    BACKEND.split("def build_editable", maxsplit=1)[0]
    + """
def build_wheel(folder, config_settings=None, metadata_directory=None):
    print("[1/2] compiling the first half", flush=True)
    with socket.create_connection(("127.0.0.1", int(os.environ["COMPILER"]))) as test:
        word = test.recv(10)
    if word != b"succeed":
        raise SystemExit("the compiler gave up")
    print("[2/2] compiling the second half", flush=True)
    return write_wheel(folder, "llama_cpp_python", "0.3.36", {"llama_cpp.py": ""})
"""
)

APP = """
import json, os, sys
from pathlib import Path

def main():
    status = Path(os.environ["PARTNER_ENGINE_STATUS"])
    engine = json.loads(status.read_text()) if status.exists() else None
    try:
        print(json.dumps({"arguments": sys.argv[1:], "engine": engine}), flush=True)
        if "--stay" in sys.argv:
            sys.stdin.readline()
    except KeyboardInterrupt:
        print("interrupted", flush=True)
    if "--fail" in sys.argv:
        sys.exit(7)

if __name__ == "__main__":
    main()
"""


@dataclass
class SmallCheckout:
    """A checkout with the real packaging/ and next to nothing else; `home` is as empty as a new user's."""

    root: Path
    home: Path
    environment: dict[str, str] = field(default_factory=dict)

    @property
    def venv(self) -> Path:
        return self.root / ".venv"

    @property
    def site_packages(self) -> Path:
        return next(self.venv.glob("lib/python*/site-packages"))

    def engine(self) -> dict[str, object]:
        """Return the engine's build status as the window would read it."""
        status: dict[str, object] = json.loads((self.venv / "engine-build.json").read_text())
        return status

    @contextmanager
    def start(self, *arguments: str, **variables: str) -> Iterator[subprocess.Popen[str]]:
        """Start the bootstrap in a process group of its own, as a terminal would; it ends with the block.

        When `PATIENCE_S` are over it is killed, so that whoever reads from it gets an end instead of nothing.
        """
        command = [sys.executable, str(self.root / "packaging" / "bootstrap.py"), *arguments]
        with subprocess.Popen(
            command,
            env=self.environment | variables,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            process_group=0,
            # A suite that runs in the background inherits "ignore Ctrl-C", and would hand it on.
            preexec_fn=take_interrupts,  # noqa: PLW1509 - no other thread of the suite holds a lock here
        ) as process:
            limit = threading.Timer(PATIENCE_S, kill_group, (process,))
            limit.start()
            try:
                yield process
            finally:
                limit.cancel()
                kill_group(process)

    def run(self, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
        """Run the bootstrap to its end."""
        with self.start(*arguments, **variables) as process:
            output, errors = process.communicate(timeout=PATIENCE_S)
        return subprocess.CompletedProcess(arguments, process.returncode, output, errors)

    def wait_for_builder(self) -> None:
        """Wait until no build holds the engine lock."""
        waiting = "import fcntl, sys; fcntl.flock(open(sys.argv[1], 'a'), fcntl.LOCK_EX)"
        command = [sys.executable, "-W", "ignore", "-c", waiting, str(self.venv / "engine.lock")]
        subprocess.run(command, timeout=PATIENCE_S, check=True)

    def forget_engine(self) -> None:
        """Put the checkout back to where no engine was ever built."""
        for path in [*self.venv.glob("engine*"), *self.site_packages.glob("llama_cpp*")]:
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        shutil.rmtree(self.home / ".cache", ignore_errors=True)


#: Makes a checkout with these dependencies, whose environment is made and has nothing installed.
Prepare = Callable[..., SmallCheckout]


def make_checkout(folder: Path, *dependencies: str) -> SmallCheckout:
    """Write a checkout whose packages are found in files, and a PATH without any program."""
    root, home, programs, packages = (folder / name for name in ("checkout", "home", "programs", "packages"))
    temporary = folder / "temporary"  # a pip that is killed leaves its files there
    for each in (root / "build_backend", root / "partner_desktop", home, programs, packages, temporary):
        each.mkdir(parents=True)
    shutil.copytree(PACKAGING, root / "packaging", ignore=shutil.ignore_patterns("__pycache__"))
    (root / "packaging" / "constraints.txt").write_text("llama-cpp-python==0.3.36\nsmall-package==1\n")
    small = ", ".join(f'"{each}"' for each in dependencies if not each.startswith("llama"))
    engine = ", ".join(f'"{each}"' for each in dependencies if each.startswith("llama"))
    (root / "pyproject.toml").write_text(PYPROJECT.format(dependencies=small, engine=engine))
    (root / "build_backend" / "backend.py").write_text(BACKEND)
    (root / "partner_desktop" / "__main__.py").write_text(APP)
    write_engine_source(packages)
    write_small_wheel(packages)
    settings = {"PIP_CONFIG_FILE": os.devnull, "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(packages)}
    places = {"PATH": str(programs), "HOME": str(home), "TMPDIR": str(temporary)}
    return SmallCheckout(root, home, places | settings)


def write_engine_source(folder: Path) -> None:
    """Write llama_cpp_python's source package, with the backend that talks to the test."""
    top = "llama_cpp_python-0.3.36"
    pyproject = '[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n'
    project = '[project]\nname = "llama_cpp_python"\nversion = "0.3.36"\n'
    about = "Metadata-Version: 2.1\nName: llama_cpp_python\nVersion: 0.3.36\n"
    with tarfile.open(folder / f"{top}.tar.gz", "w:gz") as archive:
        for name, text in (
            ("pyproject.toml", pyproject + project),
            ("PKG-INFO", about),
            ("backend.py", ENGINE_BACKEND),
        ):
            member = tarfile.TarInfo(f"{top}/{name}")
            member.size = len(text.encode())
            archive.addfile(member, io.BytesIO(text.encode()))


def write_small_wheel(folder: Path) -> None:
    """Write a wheel of one module, `small_package`."""
    info = "small_package-1.dist-info"
    files = {
        "small_package.py": "",
        f"{info}/METADATA": "Metadata-Version: 2.1\nName: small-package\nVersion: 1\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    rows = [f"{path},{record_hash(text)},{len(text)}" for path, text in files.items()]
    with zipfile.ZipFile(folder / "small_package-1-py3-none-any.whl", "w") as archive:
        for path, text in files.items():
            archive.writestr(path, text)
        archive.writestr(f"{info}/RECORD", "\n".join([*rows, f"{info}/RECORD,,", ""]))


def record_hash(text: str) -> str:
    """Return a file's hash as a wheel's RECORD has it."""
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()


def add_programs(checkout: SmallCheckout, *names: str) -> None:
    """Put programs that do nothing on the checkout's PATH."""
    for name in names:
        program = Path(checkout.environment["PATH"], name)
        if not program.exists():
            program.write_text("#!/bin/sh\n")
            program.chmod(0o755)


def take_interrupts() -> None:
    """In a new process: let SIGINT end it, as a terminal's foreground does."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def kill_group(process: subprocess.Popen[str]) -> None:
    """Kill a bootstrap that still runs, with what it has started."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)


@contextmanager
def listening() -> Iterator[tuple[socket.socket, str]]:
    """Yield a server on this machine, and its port, for a build that reports to the test."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(PATIENCE_S)
        yield server, str(server.getsockname()[1])


def read_until(stream: IO[str], text: str) -> str:
    """Return the first line with a text; the stream's end is a failure."""
    lines: list[str] = []
    for line in stream:
        if text in line:
            return line
        lines.append(line)
    raise AssertionError(f"{text!r} was never said, only: {lines}")


def assert_one_sentence(result: subprocess.CompletedProcess[str], code: int) -> str:
    """Check how a failure ends, and return its sentence: the last line, and never a traceback."""
    assert result.returncode == code, result.stderr
    assert "Traceback" not in result.stderr
    assert result.stdout == ""
    return result.stderr.strip().splitlines()[-1]
