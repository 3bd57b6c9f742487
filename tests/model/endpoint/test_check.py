"""The Test button says what of an endpoint works, and stops where going on is pointless."""

from __future__ import annotations

import pytest

from partner_desktop.domain.model_status import EndpointDraft, EndpointReport
from partner_desktop.model.endpoint.check import check
from tests.model.endpoint.badly import BadServer, Behaviour, Line, hang, listing, raw, refusing, saying
from tests.support import HastyClock


async def report_of(
    *script: Behaviour, key: str = "", model: str = "parrot", lists: Behaviour = listing, step_s: float = 10.0
) -> EndpointReport:
    async with BadServer(*script, lists=lists) as server:
        draft = EndpointDraft("cluster", server.address, model)
        return await check(draft, key, clock=HastyClock(), step_s=step_s)


def found(report: EndpointReport) -> list[tuple[str, bool]]:
    return [(one.what, one.ok) for one in report.checks]


async def good(line: Line) -> None:
    await line.say('{"ready": true}')


async def test_everything_works() -> None:
    report = await report_of(good, key="sk-1", model="")
    assert report.ok
    assert report.models == ("parrot", "owl")
    assert [one.sentence for one in report.checks][1:] == [
        "The key is taken.",
        "The model parrot is used.",
        "Answers come.",
        "Structured answers are held to a schema.",
    ]


async def test_an_address_that_is_none() -> None:
    report = await check(EndpointDraft("", "not an address"), "")
    assert found(report) == [("reachable", False)]
    assert "is no address of a server" in report.checks[0].sentence


async def test_a_name_that_is_not_typed_yet_does_not_matter() -> None:
    async with BadServer(good) as server:
        assert (await check(EndpointDraft("", server.address), "")).ok


async def test_a_server_that_hangs_ends_it_in_time() -> None:
    report = await report_of(good, lists=hang, step_s=0.2)
    assert found(report) == [("reachable", False)]


async def test_a_page_instead_of_a_server_ends_it() -> None:
    report = await report_of(good, lists=raw(b"<html>", "text/html"))
    assert found(report) == [("reachable", False)]
    assert "web page" in report.checks[0].sentence


@pytest.mark.parametrize("status", [401, 403])
async def test_a_wrong_key_ends_it_whether_the_list_needs_one_or_not(status: int) -> None:
    expected = [("reachable", True), ("key", False)]
    assert found(await report_of(good, key="sk-1", lists=refusing(status))) == expected
    assert found(await report_of(refusing(status), key="sk-1")) == expected


async def test_a_server_without_models_ends_it() -> None:
    async def empty(line: Line) -> None:
        await line.json({"data": []})

    report = await report_of(good, model="", lists=empty)
    assert found(report) == [("reachable", True), ("model", False)]


async def test_a_model_that_is_not_there_ends_it_and_the_nearest_are_named() -> None:
    unknown = refusing(404, {"error": {"code": "model_not_found", "message": "none"}})
    report = await report_of(unknown, model="parott")
    assert found(report) == [("reachable", True), ("key", True), ("model", False)]
    assert "It lists parrot" in report.checks[-1].sentence


async def test_a_model_that_is_taken_though_not_listed_is_said_to_be() -> None:
    report = await report_of(good, model="ghost")
    assert report.ok
    assert "The model ghost is used. The server does not list ghost." in [
        one.sentence for one in report.checks
    ]


async def test_a_server_that_fails_to_answer() -> None:
    report = await report_of(refusing(500))
    assert found(report)[-1] == ("stream", False)


async def test_a_model_that_cannot_keep_a_schema_is_said_to() -> None:
    report = await report_of(saying("Hello!"))
    assert found(report)[-1] == ("structured", False)
    assert len(report.checks) == 5


async def test_a_server_that_can_only_be_asked_in_words() -> None:
    async def wordy(line: Line) -> None:
        if "response_format" in line.seen.body:
            await line.json({"error": {"message": "unknown field"}}, 400)
        else:
            await line.say('Yes: {"ready": true}')

    report = await report_of(wordy)
    assert report.ok
    assert report.checks[-1].sentence == "Structured answers are asked for in words, and checked here."
