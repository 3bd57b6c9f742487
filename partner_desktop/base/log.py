"""Logging: one file in the home, the turn's id on every line, user text at debug only."""

from __future__ import annotations

import logging
from contextvars import ContextVar
from logging.handlers import RotatingFileHandler
from pathlib import Path

turn_id: ContextVar[str] = ContextVar("turn_id", default="-")

_MAX_BYTES = 2 * 1024 * 1024
_BACKUPS = 3


class _TurnFilter(logging.Filter):
    def filter(self, record: logging.LogRecord) -> bool:
        record.turn = turn_id.get()
        return True


def area(name: str) -> logging.Logger:
    """The logger of one area of the app."""
    return logging.getLogger(f"partner.{name}")


def log_to_file(path: Path) -> logging.Handler:
    """Send everything from `info` up to a rotating file; `stop_logging` undoes it."""
    handler = RotatingFileHandler(path, maxBytes=_MAX_BYTES, backupCount=_BACKUPS, encoding="utf-8")
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s [%(turn)s] %(message)s"))
    handler.addFilter(_TurnFilter())
    root = logging.getLogger("partner")
    root.setLevel(logging.INFO)
    root.addHandler(handler)
    return handler


def stop_logging(handler: logging.Handler) -> None:
    """Undo `log_to_file`."""
    logging.getLogger("partner").removeHandler(handler)
    handler.close()
