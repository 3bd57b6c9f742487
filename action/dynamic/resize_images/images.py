"""Two ways to change a picture: Pillow if it is there, else ImageMagick. Both get bytes and give bytes.

Names of files never reach ImageMagick, for it reads meaning into them; and what a picture is, its first bytes
say, not its name.
"""

from __future__ import annotations

import io
import os
import shutil
import subprocess
from dataclasses import dataclass
from typing import Protocol

TIMEOUT_S = 120
#: What a picture becomes when it shall keep a format that only some programs write.
STANDS_FOR = {"bmp": "png", "gif": "png", "tiff": "png", "heic": "jpg", "avif": "jpg"}


CHINESE = os.environ.get("PARTNER_LANG", "").startswith("zh")


def told(english: str, chinese: str) -> str:
    """A sentence in the language that Partner speaks with the person."""
    return chinese if CHINESE else english


class NotAnImageError(Exception):
    """Why a picture cannot be read, in a few words."""


@dataclass(frozen=True)
class Wanted:
    """What a picture shall become."""

    longest_side: int | None
    """In pixels; `None` leaves the size."""
    format: str
    """`same`, `jpg`, `png` or `webp`."""
    quality: int

    def format_for(self, now: str) -> str:
        return STANDS_FOR.get(now, now) if self.format == "same" else self.format


class Program(Protocol):
    """Something that changes pictures."""

    name: str

    def changed(self, data: bytes, now: str, wanted: Wanted) -> bytes:
        """The new picture; the same bytes where nothing is to be done.

        Raises:
            NotAnImageError: It cannot be read or written.
        """
        ...


def format_of(data: bytes) -> str:
    """What a picture is by its first bytes; empty when it is none that we know."""
    if data[4:8] == b"ftyp":
        return {b"avif": "avif", b"avis": "avif"}.get(
            data[8:12], "heic" if data[8:10] in (b"he", b"mi") else ""
        )
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "webp"
    starts = {
        b"\xff\xd8\xff": "jpg",
        b"\x89PNG": "png",
        b"GIF8": "gif",
        b"BM": "bmp",
        b"II*\0": "tiff",
        b"MM\0*": "tiff",
    }
    return next((kind for start, kind in starts.items() if data.startswith(start)), "")


class Pillow:
    """The Python library."""

    name = "Pillow"

    def __init__(self) -> None:
        """Raises ImportError where it is not there."""
        from PIL import Image, ImageOps  # noqa: PLC0415 - it may not be there

        self._image, self._ops = Image, ImageOps

    def changed(self, data: bytes, now: str, wanted: Wanted) -> bytes:
        try:
            with self._image.open(io.BytesIO(data)) as opened:
                fits = wanted.longest_side is None or max(opened.size) <= wanted.longest_side
                if fits and wanted.format_for(now) == now:
                    return data
                picture = self._ops.exif_transpose(opened)
            if wanted.longest_side is not None:
                picture.thumbnail((wanted.longest_side, wanted.longest_side), self._image.Resampling.LANCZOS)
            return self._written(picture, wanted.format_for(now), wanted.quality)
        except (OSError, ValueError, SyntaxError, MemoryError, self._image.DecompressionBombError) as problem:
            raise NotAnImageError(str(problem) or type(problem).__name__) from problem

    def _written(self, picture, kind: str, quality: int) -> bytes:
        sink, kept = io.BytesIO(), {}
        if exif := picture.getexif():  # when and where it was taken
            kept["exif"] = exif.tobytes()
        if picture.info.get("icc_profile") and picture.mode in ("RGB", "L", "RGBA"):
            kept["icc_profile"] = picture.info["icc_profile"]
        if kind == "jpg":
            if picture.mode not in ("RGB", "L", "CMYK"):
                picture = picture.convert("RGBA")
                ground = self._image.new("RGB", picture.size, "white")
                ground.paste(picture, mask=picture.getchannel("A"))
                picture = ground
            picture.save(sink, "JPEG", quality=quality, optimize=True, **kept)
        elif kind == "webp":
            picture.save(sink, "WEBP", quality=quality, **kept)
        else:
            picture.save(sink, "PNG", optimize=True, **kept)
        return sink.getvalue()


class ImageMagick:
    """The program `magick`, or `convert` of its older versions."""

    name = "ImageMagick"

    def __init__(self, program: str) -> None:
        self._program = program

    def changed(self, data: bytes, now: str, wanted: Wanted) -> bytes:
        kind = wanted.format_for(now)
        if kind == now and (wanted.longest_side is None or self._longest(data, now) <= wanted.longest_side):
            return data
        side = wanted.longest_side
        size = ["-resize", f"{side}x{side}>"] if side is not None else []
        ground = ["-background", "white", "-flatten"] if kind == "jpg" else []
        changes = ["-auto-orient", *size, *ground, "-quality", str(wanted.quality if kind != "png" else 95)]
        return self._run(data, now, [*changes, f"{kind}:-"])

    def _longest(self, data: bytes, now: str) -> int:
        said = self._run(data, now, ["-format", "%w %h\n", "info:-"], first=("-ping",))
        try:
            return max(int(number) for number in said.split()[:2])
        except ValueError:
            raise NotAnImageError(told("its size is not known", "不知道它有多大")) from None

    def _run(self, data: bytes, now: str, words: list[str], *, first: tuple[str, ...] = ()) -> bytes:
        limits = ("-limit", "memory", "1GiB", "-limit", "map", "1GiB")
        try:
            done = subprocess.run(
                [self._program, *limits, *first, f"{now}:-[0]", *words],
                input=data,
                capture_output=True,
                timeout=TIMEOUT_S,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as problem:
            raise NotAnImageError(
                told("it took too long, or ImageMagick does not start", "太久了，或者 ImageMagick 无法启动")
            ) from problem
        if done.returncode or not done.stdout:
            raise NotAnImageError(
                told(
                    "it is damaged, or ImageMagick does not know its format",
                    "文件已损坏，或者 ImageMagick 不认识它的格式",
                )
            )
        return done.stdout


def find_program() -> Program | None:
    """What is here to change pictures with."""
    try:
        return Pillow()
    except ImportError:
        found = shutil.which("magick") or shutil.which("convert")
        return ImageMagick(found) if found else None
