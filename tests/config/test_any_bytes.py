"""Whatever stands in a settings file: nothing is raised, and the other files' settings are as they were."""

from __future__ import annotations

import tempfile
from pathlib import Path

import hypothesis.strategies as st
import pytest
from hypothesis import example, given, settings

from tests.config.rooms import CellarSettings, Room, StoveSettings

WORDS = (
    b"""heat_w name chimney shelves = 1 -inf nan true 1979-05-27 07:32:00 . , # [ ] [[ { } " ''' \xff \x00"""
)
PIECES = st.sampled_from([*WORDS.split(), b" ", b"\n", b"\r", b"\xef\xbb\xbf"])
FILES = st.binary(max_size=200) | st.lists(PIECES, max_size=30).map(b"".join)


@pytest.mark.integration
@given(FILES)
@example(b"chimney.height_m = nan\n")
@example(b"a." * 2_000 + b"a = 1\n")
@example(b"name = 1979-05-27T07:32:00Z\n")
@example(b"\xef\xbb\xbf")
@settings(deadline=None)
def test_any_bytes_are_settings_or_sentences(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        room = Room(Path(folder))
        room.put(data)
        problems = room.center.check()
        assert all(problem.message.strip() for problem in problems)
        assert all(problem.path == room.file for problem in problems)


@given(FILES)
@settings(deadline=None, max_examples=20)
@pytest.mark.integration
async def test_any_bytes_at_the_start_leave_the_others_alone(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        room = Room(Path(folder))
        room.put(data)
        room.put("bottles = 42\n", "cellar")
        await room.center.launch()
        await room.center.shutdown()
        assert room.cellar.value == CellarSettings(bottles=42)
        if room.center.check():
            assert room.stove.value == StoveSettings()
            assert len(room.center.start_notices()) == 1
        assert room.file.read_bytes() == data
