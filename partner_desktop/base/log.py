"""Logging: one file in the home, the turn's id on every line, user text at debug only."""

from __future__ import annotations

import io
import logging
from contextvars import ContextVar
from logging.handlers import RotatingFileHandler
from pathlib import Path

from partner_desktop.base import private

turn_id: ContextVar[str] = ContextVar("turn_id", default="-")

_MAX_BYTES = 2 * 1024 * 1024
_BACKUPS = 3

#: Control characters but the tab and the end of a line, marks that turn a line around, half characters.
_UNSHOWN = (
    *range(0x20),
    *range(0x7F, 0xA0),
    0x061C,
    0x200E,
    0x200F,
    *range(0x2028, 0x202F),
    *range(0x2066, 0x206A),
    *range(0xD800, 0xE000),
)


class _TurnFilter(logging.Filter):
    def filter(self, record: logging.LogRecord) -> bool:
        record.turn = turn_id.get()
        return True


def _escape(code: int) -> str:
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


_SHOWN = {code: _escape(code) for code in _UNSHOWN if chr(code) not in "\n\t"}


class _PlainFormatter(logging.Formatter):
    """Foreign text is shown; it never drives a terminal that shows the log."""

    def format(self, record: logging.LogRecord) -> str:
        return harmless(super().format(record))


class _PrivateFile(RotatingFileHandler):
    """Closed to others, each new file of a rotation too, and what an older Partner left open."""

    def __init__(self, path: Path) -> None:
        for number in range(1, _BACKUPS + 1):
            private.close(path.with_name(f"{path.name}.{number}"))
        super().__init__(path, maxBytes=_MAX_BYTES, backupCount=_BACKUPS, encoding="utf-8")

    def _open(self) -> io.TextIOWrapper:
        private.claim(Path(self.baseFilename))
        return super()._open()


def harmless(text: str) -> str:
    """The text with its control characters spelled out, so that it drives no terminal."""
    return text.translate(_SHOWN)


def area(name: str) -> logging.Logger:
    """The logger of one area of the app."""
    return logging.getLogger(f"partner.{name}")


def log_to_file(path: Path) -> logging.Handler:
    """Send everything from `info` up to a rotating file; `stop_logging` undoes it."""
    handler = _PrivateFile(path)
    handler.setFormatter(_PlainFormatter("%(asctime)s %(levelname)s %(name)s [%(turn)s] %(message)s"))
    handler.addFilter(_TurnFilter())
    root = logging.getLogger("partner")
    root.setLevel(logging.INFO)
    root.addHandler(handler)
    return handler


def stop_logging(handler: logging.Handler) -> None:
    """Undo `log_to_file`."""
    logging.getLogger("partner").removeHandler(handler)
    handler.close()
