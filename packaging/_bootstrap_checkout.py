"""The checkout that is bootstrapped: where its files are, what it asks for, and how it fails."""

import errno
import fcntl
import hashlib
import json
import os
import re
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import IO, Any

ENGINE = "llama-cpp-python"
PYTHON_TAG = f"{sys.version_info.major}.{sys.version_info.minor}"


class BootstrapError(Exception):
    """One sentence for the terminal, and the exit code: 1 for a failure, 2 for misuse."""

    def __init__(self, sentence: str, *, exit_code: int = 1) -> None:
        super().__init__(sentence)
        self.exit_code = exit_code


def say(sentence: str) -> None:
    """Print a line to stderr; stdout belongs to the app (`chat --json`) and to pytest."""
    print(sentence, file=sys.stderr, flush=True)


def sentence_about(error: OSError) -> str:
    """Turn an operating system error into one sentence that says what to do."""
    where = error.filename or "the checkout"
    if error.errno == errno.ENOSPC:
        return "The disk is full; free some space and start again, it goes on from here."
    if error.errno in {errno.EACCES, errno.EPERM, errno.EROFS}:
        return f"{where} cannot be written ({error.strerror}); use a checkout that you may write to."
    return f"{where}: {error.strerror or error}; put this right and start again."


def write_atomically(path: Path, text: str) -> None:
    """Replace a file in one step, so that a reader never sees half of it."""
    scratch = path.with_name(f"{path.name}.{os.getpid()}")
    scratch.write_text(text, encoding="utf-8")
    scratch.replace(path)


def read_or_empty(path: Path) -> str:
    """Return a file's text, or nothing when there is no such file."""
    return path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""


@contextmanager
def hold(lock_path: Path, *, sentence_while_waiting: str) -> Iterator[IO[str]]:
    """Hold a lock file; wait for it, with a sentence, while another process has it.

    The lock ends when its last open descriptor does. A child that inherits it (`pass_fds`) therefore keeps
    it, even when the bootstrap itself is killed: no two installers ever work in the same place.
    """
    with lock_path.open("a", encoding="utf-8") as lock:
        if not try_to_hold(lock):
            say(sentence_while_waiting)
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield lock


def try_to_hold(lock: IO[str]) -> bool:
    """Take an open lock file if it is free."""
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


@dataclass(frozen=True)
class Checkout:
    """Where things are. Everything that is made lies in `.venv`, so deleting it starts afresh."""

    root: Path

    @cached_property
    def venv(self) -> Path:
        return self.root / ".venv"

    @cached_property
    def python(self) -> Path:
        return self.venv / "bin" / "python"

    @cached_property
    def site_packages(self) -> Path:
        return self.venv / "lib" / f"python{PYTHON_TAG}" / "site-packages"

    @cached_property
    def install_lock(self) -> Path:
        return self.venv / "install.lock"

    @cached_property
    def install_log(self) -> Path:
        return self.venv / "install.log"

    @cached_property
    def engine_lock(self) -> Path:
        return self.venv / "engine.lock"

    @cached_property
    def engine_log(self) -> Path:
        return self.venv / "engine-build.log"

    @cached_property
    def engine_status(self) -> Path:
        return self.venv / "engine-build.json"

    def relative(self, path: Path) -> str:
        """Name a file the way a person in the checkout would."""
        return str(path.relative_to(self.root))


@dataclass(frozen=True)
class Project:
    """What pyproject.toml and the constraints ask for; requirement strings as they are written there."""

    small: tuple[str, ...]
    engine: str | None
    test: tuple[str, ...]
    scripts: tuple[str, ...]
    editable_source: str
    constraints: str
    engine_recipe: str
    """How the engine is built, where that differs from its own way."""

    def install_stamp(self, *, with_tests: bool) -> str:
        """Hash what an installation depends on."""
        return _digest(PYTHON_TAG, self.editable_source, self.constraints, *(self.test if with_tests else ()))

    @cached_property
    def engine_stamp(self) -> str:
        """Hash what the engine's build depends on."""
        return _digest(PYTHON_TAG, self.engine or "", self.constraints, self.engine_recipe)


def read_project(checkout: Checkout) -> Project:
    """Read what is to be installed. Raises: BootstrapError when pyproject.toml cannot be read as TOML."""
    try:
        document = tomllib.loads((checkout.root / "pyproject.toml").read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise BootstrapError(f"pyproject.toml is not valid TOML: {error}.") from error
    table: dict[str, Any] = document.get("project", {})  # Any: TOML, read field by field below
    extras = table.get("optional-dependencies", {})
    return Project(
        small=tuple(table.get("dependencies", [])),
        engine=next((each for each in extras.get("engine", []) if _name_of(each) == ENGINE), None),
        test=tuple(extras.get("test", [])),
        scripts=tuple(table.get("scripts", {})),
        editable_source=_editable_source(document),
        constraints=(checkout.root / "packaging" / "constraints.txt").read_text(encoding="utf-8"),
        engine_recipe=read_or_empty(checkout.root / "packaging" / "engine.cmake"),
    )


def _editable_source(document: dict[str, Any]) -> str:
    """Return the parts of pyproject.toml that an editable installation is made from, as one text."""
    project = {
        key: value for key, value in document.get("project", {}).items() if key != "optional-dependencies"
    }
    parts = [document.get("build-system"), project, document.get("tool", {}).get("hatch")]
    return json.dumps(parts, sort_keys=True)


def _name_of(requirement: str) -> str:
    """Return a requirement's name, normalised as in PEP 503."""
    return re.sub(r"[-_.]+", "-", re.split(r"[^A-Za-z0-9._-]", requirement.strip(), maxsplit=1)[0]).lower()


def _digest(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()
