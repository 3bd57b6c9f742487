"""AttachmentTexts: the text of what was attached, as far as it can be had safely.

A text is decoded here. A document is taken apart in a child that sees nothing but the document
(`document_child.py` in the sandbox of scripts, without network, bounded in time and memory); without a
sandbox none is. What lies where secrets lie, or is Partner's own, is not read at all.
"""

from __future__ import annotations

import asyncio
import codecs
import json
import os
import shutil
import stat
import tempfile
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path

from partner_desktop.base.errors import ActionError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.domain.attachment import MOST_READ_BYTES, Attachment, AttachmentKind, Unread
from partner_desktop.domain.message import Message, Role
from partner_desktop.files import no_symlinks
from partner_desktop.permission.sensitive_paths import is_sensitive_place, known_as, never_mounted
from partner_desktop.runner.launchers import interpreter
from partner_desktop.runner.process_launch import LaunchSpec, OutputLimits
from partner_desktop.runner.sandbox import Limits, Sandbox, SandboxSpec
from partner_desktop.runner.script_process import run_process

#: Of one attachment; a page has some 3,000.
MOST_CHARACTERS = 40_000
#: Of a text, whose signs take four bytes at most.
_MOST_TEXT_BYTES = 4 * MOST_CHARACTERS
_TIMEOUT_S = 20.0
_CHILD = Path(__file__).with_name("document_child.py")
#: What it parses with, and what that needs.
_PARSERS = {"pdf": ("pypdf",), "docx": ("docx", "lxml", "typing_extensions")}
_LIMITS = Limits(
    processes=4,
    memory_bytes=768 * 1024**2,
    data_bytes=1024**3,
    file_bytes=1024**2,
    workspace_bytes=1024**2,
    tmp_bytes=1024**2,
    tasks=16,
)
_OUTPUT = OutputLimits(stdout_bytes=16 * MOST_CHARACTERS, spill_bytes=0, flood_bytes=32 * MOST_CHARACTERS)


@dataclass(frozen=True)
class AttachedText:
    """What was taken of an attachment's text."""

    text: str = ""
    all_characters: int = 0
    """How much there is of it; of a long file about how much."""
    unread: Unread = Unread.NONE


class AttachmentTexts:
    """`own`: Partner's places. `sandbox` is asked with each document."""

    def __init__(self, own: Sequence[Path], sandbox: Callable[[], Sandbox | None]) -> None:
        self._own = tuple(place.resolve() for place in own)
        self._sandbox = sandbox

    async def read(self, attachment: Attachment) -> AttachedText:
        """The beginning of its text, or why there is none; nothing of a folder, a picture or a program."""
        if attachment.kind not in (AttachmentKind.TEXT, AttachmentKind.DOCUMENT):
            return AttachedText()
        path = Path(attachment.path)
        if await asyncio.to_thread(self._is_closed, path):
            return AttachedText(unread=Unread.SECRET)
        whole = attachment.kind is AttachmentKind.DOCUMENT
        try:
            data, size = await asyncio.to_thread(_beginning, path, None if whole else _MOST_TEXT_BYTES)
        except OSError:
            return AttachedText(unread=Unread.GONE)
        if size > MOST_READ_BYTES:
            return AttachedText(unread=Unread.TOO_LARGE)
        if not whole:
            return await asyncio.to_thread(text_of_bytes, data, size)
        return await self._parsed("pdf" if path.suffix.lower() == ".pdf" else "docx", data)

    def _is_closed(self, path: Path) -> bool:
        """As the permissions see it: by where it lies, and by the name in the home that is linked to it."""
        named = known_as(path)
        secret = is_sensitive_place(path) or (named and is_sensitive_place(Path(named)))
        return bool(secret) or never_mounted(path) or any(map(path.is_relative_to, self._own))

    async def _parsed(self, kind: str, data: bytes) -> AttachedText:
        sandbox, sites = self._sandbox(), await asyncio.to_thread(_sites, _PARSERS[kind])
        if sandbox is None or not sites:
            return AttachedText(unread=Unread.NO_READER)
        try:
            place = await asyncio.to_thread(_made)
        except OSError:
            return AttachedText(unread=Unread.NO_READER)
        try:
            spec = SandboxSpec(
                sandbox=sandbox,
                script=_CHILD.resolve(),
                workspace=place / "workspace",
                shared_paths=tuple(sites),
                limits=_LIMITS,
            )
            argv = (interpreter(), "-I", str(spec.script), kind, str(MOST_CHARACTERS), *map(str, sites))
            outcome = await run_process(
                LaunchSpec(
                    argv=argv, stdin=data, spill_dir=place, timeout_s=_TIMEOUT_S, sandbox=spec, output=_OUTPUT
                )
            )
        except ActionError:
            return AttachedText(unread=Unread.NO_READER)
        finally:
            await asyncio.to_thread(shutil.rmtree, place, ignore_errors=True)
        if outcome.stopped_by is not None:
            return AttachedText(unread=Unread.SLOW)
        return _answer(outcome.stdout)


def text_of_talk(messages: Sequence[Message]) -> AttachedText:
    """The end of another conversation, who said what."""
    lines = [
        f"{'Person' if message.role is Role.USER else 'Partner'}: {message.text}"
        for message in messages
        if message.role is not Role.ACTION and message.text
    ]
    text = "\n".join(lines)
    unread = Unread.LONG if len(text) > MOST_CHARACTERS else Unread.NONE
    return AttachedText(text[-MOST_CHARACTERS:], len(text), unread)


def text_of_bytes(data: bytes, size_bytes: int) -> AttachedText:
    """What the beginning of a text file says, of `size_bytes` in all."""
    marked = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    cut_off = len(data) < size_bytes  # a sign may be cut in two
    try:
        text = codecs.getincrementaldecoder("utf-16" if marked else "utf-8-sig")().decode(data, not cut_off)
    except UnicodeDecodeError:
        text = data.decode("utf-16" if marked else "cp1252", "replace")
    text = text.replace("\x00", "")
    every = (
        len(text) if len(data) == size_bytes else max(len(text), len(text) * size_bytes // max(1, len(data)))
    )
    if every <= MOST_CHARACTERS:
        return AttachedText(text, every)
    return AttachedText(text[:MOST_CHARACTERS], every, Unread.LONG)


def _answer(said: str) -> AttachedText:
    """What the child wrote is as little to be trusted as what it read."""
    try:
        found = json.loads(said)
        text, characters, unread = str(found["text"]), int(found["characters"]), Unread(found["unread"])
    except (ValueError, TypeError, KeyError, RecursionError):
        return AttachedText(unread=Unread.BROKEN)
    return AttachedText(text[:MOST_CHARACTERS], max(len(text), characters), unread)


def _beginning(path: Path, most: int | None) -> tuple[bytes, int]:
    """So many bytes of a file, and how large it is; nothing of one that is too large. Blocking.

    Raises:
        OSError: It is not there any more, no file, or behind a link by now.
    """
    handle = no_symlinks.open_file(str(path), os.O_RDONLY)
    with os.fdopen(handle, "rb") as file:
        info = os.fstat(file.fileno())
        if not stat.S_ISREG(info.st_mode):
            raise OSError
        if info.st_size > MOST_READ_BYTES:
            return b"", info.st_size
        return file.read(MOST_READ_BYTES if most is None else most), info.st_size


def _sites(packages: Sequence[str]) -> list[Path]:
    """The folders that packages lie in; none where one is not installed. Nothing of them is run."""
    found: dict[Path, None] = {}
    for name in packages:
        spec = find_spec(name)
        if spec is None or spec.origin is None:
            return []
        origin = Path(os.path.realpath(spec.origin))
        found[origin.parent.parent if spec.submodule_search_locations else origin.parent] = None
    return list(found)


def _made() -> Path:
    place = Path(tempfile.mkdtemp(prefix="partner-read-")).resolve()
    (place / "workspace").mkdir()
    return place
