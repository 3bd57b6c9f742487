"""Frames: what goes into the pipe comes out of it, however it is cut; anything else is refused."""

from __future__ import annotations

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from partner_desktop.model.worker.frames import (
    MAX_FRAME_BYTES,
    Cancel,
    Embed,
    Failure,
    Frame,
    FrameError,
    Hello,
    Load,
    Loaded,
    Ping,
    Unpacker,
    packed,
    read_reply,
    read_request,
)

texts = st.text(st.characters(codec="utf-8"))
requests = st.one_of(
    st.builds(Embed, id=st.integers(), texts=st.lists(texts).map(tuple), urgent=st.booleans()),
    st.builds(
        Load,
        id=st.integers(),
        path=texts,
        kind=st.sampled_from(["embed", "chat"]),
        context_tokens=st.integers(1, 9999),
        threads=st.integers(1, 64),
    ),
    st.builds(Ping, id=st.integers()),
    st.builds(Cancel, id=st.integers()),
)


@given(sent=st.lists(requests, max_size=4), cuts=st.lists(st.integers(1, 50), min_size=1))
@pytest.mark.integration
def test_what_is_sent_arrives_however_the_pipe_cuts_it(sent: list[Frame], cuts: list[int]) -> None:
    data = b"".join(packed(frame) for frame in sent)
    unpacker, got, position = Unpacker(), [], 0
    while position < len(data):
        step = cuts[position % len(cuts)]
        got += [read_request(body) for body in unpacker.feed(data[position : position + step])]
        position += step
    assert got == sent


@given(st.binary(max_size=200))
def test_any_bytes_are_frames_or_a_frame_error(data: bytes) -> None:
    try:
        for body in Unpacker().feed(data):
            read_request(body)
    except FrameError:
        pass


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"null",
        b"[]",
        b"{}",
        b'{"type":"eval","id":1}',
        b'{"type":"ping"}',
        b'{"type":"ping","id":1,"x":2}',
        b"\xff",
    ],
)
def test_a_body_that_is_no_request_is_refused_in_a_sentence(body: bytes) -> None:
    with pytest.raises(FrameError, match=r"^A garbled frame: .*\.$"):
        read_request(body)


def test_a_length_above_the_limit_is_refused_before_anything_is_held() -> None:
    with pytest.raises(FrameError, match="above the limit"):
        list(Unpacker().feed(struct.pack(">I", MAX_FRAME_BYTES + 1)))
    with pytest.raises(FrameError, match="above the limit"):
        packed(Embed(id=1, texts=("x" * MAX_FRAME_BYTES,)))


def test_a_newer_hello_can_be_read_so_that_the_versions_can_be_compared() -> None:
    hello = read_reply(b'{"type":"hello","protocol":7,"pid":1,"something":"new"}')
    assert hello == Hello(protocol=7, pid=1)
    assert read_reply(packed(Failure(kind="model", message="no"))[4:]) == Failure(kind="model", message="no")
    assert isinstance(read_reply(b'{"type":"loaded","id":0,"dimensions":3,"context_tokens":4}'), Loaded)
