"""The log can be shown in a terminal: nothing that is written there can drive it."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from partner_desktop.base import log


@pytest.fixture
def written(tmp_path: Path) -> Iterator[Path]:
    handler = log.log_to_file(tmp_path / "partner.log")
    yield tmp_path / "partner.log"
    log.stop_logging(handler)


def test_control_characters_in_a_message_are_shown_and_not_sent(written: Path) -> None:
    log.area("test").warning("%s", "a\tb\nc\x1b]0;title\x07\x9b31m\x7f\x00\rd")
    line = written.read_bytes().decode()
    assert line.endswith("a\tb\nc\\x1b]0;title\\x07\\x9b31m\\x7f\\x00\\x0dd\n")


@pytest.mark.logs_errors
def test_a_traceback_is_held_to_the_same(written: Path) -> None:
    try:
        raise ValueError("\x1b[2J gone \u202e")
    except ValueError:
        log.area("test").exception("it failed")
    text = written.read_bytes().decode()
    assert "ValueError: \\x1b[2J gone \\u202e\n" in text
    assert "\n  File " in text, "the lines of the traceback are still lines"


def test_half_a_character_is_written_as_well_as_it_can_be(tmp_path: Path) -> None:
    handler = log.log_to_file(tmp_path / "partner.log")
    # Not through a logger: what pytest captures there it could not hand on from one process to another.
    handler.handle(logging.makeLogRecord({"name": "partner.test", "msg": "caf\udce9", "levelname": "INFO"}))
    log.stop_logging(handler)
    assert (tmp_path / "partner.log").read_text().endswith("caf\\udce9\n")
