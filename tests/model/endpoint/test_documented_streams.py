"""Streams as six servers document them, played over a real socket: text, usage and errors arrive whole."""

from __future__ import annotations

import re

import pytest

from partner_desktop.model.chat import ChatPiece, ChatUsage
from tests.model.endpoint.badly import Behaviour, Line
from tests.model.endpoint.documented_streams import FAILURES, STREAMS, Failure, Stream
from tests.model.endpoint.room import events, served, text_of
from tests.model.endpoint.test_failures import until_it_fails
from tests.tables import all_rows

pytestmark = pytest.mark.integration


def played(raw: str, size: int) -> Behaviour:
    """The bytes in chunks of one size, wherever that cuts: within events, words and letters."""

    async def behave(line: Line) -> None:
        await line.head(Transfer_Encoding="chunked")
        data = raw.encode()
        for start in range(0, len(data), size):
            part = data[start : start + size]
            await line.send(b"%x\r\n%b\r\n" % (len(part), part))
        await line.send(b"0\r\n\r\n")

    return behave


@all_rows("stream, size", [(stream, size) for stream in STREAMS for size in (7, 4096)])
async def test_an_answer_arrives_as_its_server_documents_it(stream: Stream, size: int) -> None:
    async with served(played(stream.raw, size)) as (server, model):
        said = await events(model)
    assert text_of(said) == stream.text
    thought = "".join(one.text for one in said if isinstance(one, ChatPiece) and one.reasoning)
    assert thought == stream.thought
    usage = said[-1]
    assert isinstance(usage, ChatUsage)
    assert (usage.prompt_tokens, usage.reused_tokens, usage.output_tokens) == stream.usage
    assert usage.end == stream.end
    assert len(server.asked) == 1


@all_rows("failure, size", [(failure, size) for failure in FAILURES for size in (7, 4096)])
async def test_an_answer_that_fails_says_why_in_one_sentence(failure: Failure, size: int) -> None:
    async with served(played(failure.raw, size)) as (_, model):
        said, sentence = await until_it_fails(model)
    assert text_of(said) == failure.text
    assert failure.said in sentence
    assert not re.search(r"Traceback|[{}]|error\"", sentence)
