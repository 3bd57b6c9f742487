"""What a command printed, read by the offset of a byte, whatever it is and however much."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from partner_desktop.runner.live_output import PlainStream, readable
from partner_desktop.runner.sessions.running_session import MOST_CHARACTERS, StreamLog, output_excerpt

KIB = 1024

#: What programs print when they mean well, and when they do not.
PIECES = st.sampled_from(
    [
        b"line\n",
        "€".encode(),
        "\U0001f600".encode(),
        b"\x1b[1;31mred\x1b[0m",
        b"\r\n",
        b"\r",
        b"\xff\x80",
        b"\0\x07",
    ]
)
PRINTED = st.lists(PIECES, max_size=60).map(b"".join)


@pytest.fixture
def log(tmp_path: Path) -> Iterator[StreamLog]:
    one = StreamLog(tmp_path / "run", "stdout", most_bytes=64 * KIB)
    yield one
    one.close()


def whole(log: StreamLog, limit: int) -> str:
    """Everything, piece by piece."""
    text, offset = "", 0
    while True:
        piece = log.read(offset, limit, ended=True)
        assert piece.lost_bytes == 0
        text, offset = text + piece.text, piece.next_offset
        if piece.eof:
            return text


@given(printed=PRINTED, limit=st.integers(1, 100))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_pieces_of_a_stream_are_its_text_whatever_it_holds(
    tmp_path: Path, printed: bytes, limit: int
) -> None:
    log = StreamLog(tmp_path / "run", "stdout")
    log.write(printed)
    try:
        assert whole(log, limit) == readable(printed)[0]
    finally:
        log.erase()


@given(printed=PRINTED, cuts=st.lists(st.integers(0, 300), max_size=8))
def test_a_stream_that_comes_in_any_pieces_is_the_same_text(printed: bytes, cuts: list[int]) -> None:
    stream, text, begin = PlainStream(), "", 0
    for end in [*sorted(min(cut, len(printed)) for cut in cuts), len(printed)]:
        text += stream.feed(printed[begin:end])
        begin = end
    assert text + stream.feed(b"", last=True) == readable(printed)[0]


def test_while_it_runs_half_a_character_waits_for_the_other_half(log: StreamLog) -> None:
    log.write("abc€".encode()[:-1])
    piece = log.read(0, 4096, ended=False)
    assert (piece.text, piece.next_offset, piece.eof) == ("abc", 3, False)
    log.write("€".encode()[-1:])
    piece = log.read(3, 4096, ended=True)
    assert (piece.text, piece.next_offset, piece.eof) == ("€", 6, True)


def test_of_a_long_stream_the_newest_is_kept_and_what_is_lost_is_said(log: StreamLog, tmp_path: Path) -> None:
    whole_text = b"".join(b"line %06d\n" % number for number in range(20_000))
    for begin in range(0, len(whole_text), 7_000):
        log.write(whole_text[begin : begin + 7_000])
    assert log.total == len(whole_text)
    kept = sum(path.stat().st_size for path in (tmp_path / "run").iterdir())
    assert 32 * KIB < kept <= 64 * KIB
    piece = log.read(0, 4096, ended=True)
    assert piece.lost_bytes == len(whole_text) - kept
    begin = piece.lost_bytes
    assert (piece.text, piece.next_offset) == (whole_text[begin : begin + 4096].decode(), begin + 4096)
    end = log.read(-12, 4096, ended=True)
    assert (end.text, end.eof, end.lost_bytes) == ("line 019999\n", True, 0)


def test_what_a_full_disk_did_not_keep_is_said_as_lost(tmp_path: Path) -> None:
    (tmp_path / "run").write_text("a file is in the way of the folder")
    log = StreamLog(tmp_path / "run", "stdout")
    log.write(b"nowhere to go")
    piece = log.read(0, 4096, ended=True)
    assert (piece.text, piece.next_offset, piece.eof, piece.lost_bytes) == ("", 13, True, 13)


def test_a_log_is_found_again_as_it_was_left(log: StreamLog, tmp_path: Path) -> None:
    log.write(b"x" * 50 * KIB + b"end")
    log.close()
    found = StreamLog(tmp_path / "run", "stdout", most_bytes=64 * KIB)
    found.find()
    assert found.total == 50 * KIB + 3
    assert found.read(-3, 10, ended=True).text == "end"


def test_an_excerpt_has_the_first_and_last_lines_and_stays_short(log: StreamLog) -> None:
    log.write(b"".join(b"line %d\n" % number for number in range(1, 101)))
    assert output_excerpt(log, ended=True).splitlines() == [
        *(f"line {number}" for number in range(1, 6)),
        "…",
        *(f"line {number}" for number in range(96, 101)),
    ]
    log.write(b"y" * 30 * KIB)
    assert len(output_excerpt(log, ended=False)) <= MOST_CHARACTERS
