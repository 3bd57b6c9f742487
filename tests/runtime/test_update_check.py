"""A newer version is told where somebody asked for that, and whatever a server says, nothing else happens."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path

import pytest

from partner_desktop import __version__
from partner_desktop.app import Partner
from partner_desktop.base.errors import ConfigError, UsageError
from partner_desktop.base.messages import set_process_language
from partner_desktop.base.paths import Home
from partner_desktop.config.center import ConfigCenter
from partner_desktop.domain.events import NoticeEvent
from partner_desktop.runtime.settings import UpdateSettings
from partner_desktop.runtime.update_check import EVERY, FIRST_S, UpdateCheck, UpdateReport, is_newer
from partner_desktop.runtime.update_request import MOST_BYTES
from tests.support import WAIT_S, FakeClock, Watcher, run_cli_arguments

pytestmark = [pytest.mark.integration, pytest.mark.promise("packaging.updates")]

Behaviour = Callable[[asyncio.StreamWriter], Awaitable[None]]


class SmallServer:
    """Says on every connection what it was told to say, and keeps what it was asked."""

    def __init__(self, behaviour: Behaviour) -> None:
        self.behaviour = behaviour
        self.asked: list[str] = []
        self.heard = asyncio.Event()
        self.left = asyncio.Event()
        """Somebody hung up before the answer was whole."""

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.asked.append((await reader.readuntil(b"\r\n\r\n")).decode())
        self.heard.set()
        try:
            await self.behaviour(writer)
            await writer.drain()
        except ConnectionError:
            self.left.set()
        finally:
            writer.close()


@asynccontextmanager
async def serving(behaviour: Behaviour) -> AsyncIterator[tuple[SmallServer, str]]:
    """The server and its address."""
    small = SmallServer(behaviour)
    server = await asyncio.start_server(small.serve, "127.0.0.1", 0)
    async with server:
        yield small, f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/newest.json"
        server.close()


def saying(body: bytes, status: str = "200 OK", headers: str = "") -> Behaviour:
    async def say(writer: asyncio.StreamWriter) -> None:
        head = f"HTTP/1.1 {status}\r\nContent-Length: {len(body)}\r\n{headers}Connection: close\r\n\r\n"
        writer.write(head.encode() + body)

    return say


def telling(**told: object) -> Behaviour:
    return saying(json.dumps(told).encode())


async def _endless(writer: asyncio.StreamWriter) -> None:
    """A letter now and then, for ever."""
    writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
    while True:
        writer.write(b" ")
        await writer.drain()
        await asyncio.sleep(0.05)


async def _hang_up(writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n{")


async def _no_http(writer: asyncio.StreamWriter) -> None:
    writer.write(b"SSH-2.0-dropbear\r\n" * 3)


def write_settings(home: Home, url: str, *, enabled: bool = True) -> None:
    home.config.mkdir(parents=True, exist_ok=True)
    text = f"enabled = {str(enabled).lower()}\nurl = {json.dumps(url)}\n"
    (home.config / "updates.toml").write_text(text, encoding="utf-8")


@asynccontextmanager
async def checking(
    home: Home, clock: FakeClock | None = None, *, longest_s: float = WAIT_S
) -> AsyncIterator[tuple[UpdateCheck, list[NoticeEvent]]]:
    """The check of a Partner 0.9.1 and what it tells everybody; nothing else sleeps by this clock."""
    told: list[NoticeEvent] = []
    center = ConfigCenter(home.config, publish=lambda _event: None)
    settings = center.register("updates", UpdateSettings())
    await center.launch()
    check = UpdateCheck(
        home,
        settings,
        lambda event: told.append(event) if isinstance(event, NoticeEvent) else None,
        clock=clock or FakeClock(),
        stays=True,
        installed="0.9.1",
        longest_s=longest_s,
    )
    await check.launch()
    try:
        yield check, told
    finally:
        await check.shutdown()
        await center.shutdown()


async def report_of(home: Home, url: str, *, longest_s: float = WAIT_S) -> UpdateReport:
    """What is told where somebody asks now."""
    write_settings(home, url, enabled=False)
    async with checking(home, longest_s=longest_s) as (check, told):
        report = await check.check()
        assert (await check.last()).sentence == report.sentence
        assert not told
        return report


_PAGE = "https://example.org/partner/1.2"
_NEWER = f"Partner 1.2.0 is there. You have 0.9.1. {_PAGE}"
_NEWEST = "Partner 0.9.1 is the newest version that is known."
_UNREAD = "answered, but with no version that could be read."


@pytest.mark.parametrize(
    ("behaviour", "sentence"),
    [
        pytest.param(telling(version="1.2.0", page=_PAGE), _NEWER, id="our own form"),
        pytest.param(telling(tag_name="v1.2.0", html_url=_PAGE, assets=[]), _NEWER, id="GitHub"),
        pytest.param(telling(info={"version": "1.2.0", "release_url": _PAGE}), _NEWER, id="PyPI"),
        pytest.param(telling(version="0.9.1"), _NEWEST, id="the same"),
        pytest.param(telling(version="0.9.1.0"), _NEWEST, id="the same, longer"),
        pytest.param(telling(version="0.2"), _NEWEST, id="older"),
        pytest.param(telling(version="1.2.0rc1"), _NEWEST, id="a preview"),
        pytest.param(
            telling(version="1.2.0", page="file:///etc/passwd"),
            "Partner 1.2.0 is there. You have 0.9.1.",
            id="no page of the web",
        ),
        pytest.param(telling(version="1.2.0\n; rm -rf ~"), _UNREAD, id="more than a version"),
        pytest.param(telling(version="9" * 5000), _UNREAD, id="a number without end"),
        pytest.param(telling(version=12), _UNREAD, id="no text"),
        pytest.param(telling(), _UNREAD, id="nothing in it"),
        pytest.param(saying(b"[1, 2]"), _UNREAD, id="a list"),
        pytest.param(saying(b"[" * 100_000), _UNREAD, id="deep"),
        pytest.param(saying(b"<!doctype html><title>Log in</title>"), _UNREAD, id="html"),
        pytest.param(saying(b"\xff\xfe\x00"), _UNREAD, id="bytes"),
        pytest.param(saying(b""), _UNREAD, id="empty"),
        pytest.param(saying(b" " * (MOST_BYTES + 1)), "nothing of it was used.", id="huge"),
        pytest.param(saying(b"no", "404 Not Found"), "answered with status 404.", id="missing"),
        pytest.param(saying(b"x" * 2_000_000, "500 Oops"), "answered with status 500.", id="broken"),
        pytest.param(
            saying(b"", "302 Found", "Location: http://127.0.0.1:1/\r\n"), "(status 302)", id="elsewhere"
        ),
        pytest.param(_hang_up, _UNREAD, id="hangs up"),
        pytest.param(_no_http, "it was not reached.", id="no http"),
    ],
)
async def test_every_answer_is_one_sentence(home: Home, behaviour: Behaviour, sentence: str) -> None:
    async with serving(behaviour) as (_, url):
        report = await report_of(home, url)
    assert sentence in report.sentence
    assert report.is_newer == report.sentence.startswith("Partner 1.2.0 is there.")
    assert "\n" not in report.sentence


async def test_nobody_there_is_one_sentence_too(home: Home) -> None:
    async with serving(telling()) as (_, url):
        pass
    assert "it was not reached." in (await report_of(home, url)).sentence


async def test_whoever_answers_for_ever_is_left(home: Home) -> None:
    async with serving(_endless) as (server, url):
        report = await report_of(home, url, longest_s=1.5)
        await asyncio.wait_for(server.left.wait(), WAIT_S)
    assert report.sentence.endswith("it did not answer in time.")


async def test_the_question_says_nothing_of_the_person_or_the_machine(home: Home) -> None:
    async with serving(telling(version="1.2.0")) as (server, url):
        await report_of(home, url)
    (asked,) = server.asked
    lines = asked.strip().splitlines()
    assert lines[0] == "GET /newest.json HTTP/1.1"
    names = {line.partition(":")[0].lower() for line in lines[1:]}
    assert names <= {"accept-encoding", "host", "user-agent", "accept", "connection"}
    assert "User-Agent: partner-desktop" in lines


async def _waits(clock: FakeClock, delay: timedelta) -> None:
    """Until that is slept for."""

    async def waits() -> None:
        while not clock.naps():  # noqa: ASYNC110 - the clock tells nobody
            await asyncio.sleep(0.01)

    await asyncio.wait_for(waits(), WAIT_S)
    assert clock.naps() == [pytest.approx(delay.total_seconds(), abs=5)]


async def _passes(clock: FakeClock, delay: timedelta) -> None:
    """Time, once somebody waits for that."""
    await _waits(clock, delay)
    clock.move(delay + timedelta(seconds=1))


async def test_where_it_is_wanted_a_newer_version_is_told_once(home: Home) -> None:
    clock, first = FakeClock(), timedelta(seconds=FIRST_S)
    async with serving(telling(version="1.2", page=_PAGE)) as (server, url):
        write_settings(home, url)
        async with checking(home, clock) as (_, told):
            await _passes(clock, first)
            await _passes(clock, EVERY)
            await _waits(clock, EVERY)
            assert len(server.asked) == 2
        assert [(notice.title, notice.text, notice.level) for notice in told] == [
            ("Partner 1.2 is there.", f"You have 0.9.1. {_PAGE}", "info")
        ]
        # The next start knows when it asked, and what it told.
        async with checking(home, clock) as (check, told):
            await _passes(clock, first)
            await _waits(clock, EVERY - first)
            assert len(server.asked) == 2
            server.behaviour = telling(version="1.3")
            await _passes(clock, EVERY - first)
            await _waits(clock, EVERY)
            assert [notice.title for notice in told] == ["Partner 1.3 is there."]
            assert (await check.last()).is_newer


async def test_what_goes_wrong_by_itself_is_told_only_to_who_asks(home: Home) -> None:
    clock = FakeClock()
    async with serving(saying(b"<html>")) as (server, url):
        write_settings(home, url)
        async with checking(home, clock) as (check, told):
            await _passes(clock, timedelta(seconds=FIRST_S))
            await _waits(clock, EVERY)
            assert server.asked
            assert not told
            assert _UNREAD in (await check.last()).sentence


async def test_nothing_is_asked_unless_the_settings_say_so_and_they_can_at_any_time(
    home: Home, action_dir: Path
) -> None:
    clock, watcher = FakeClock(), Watcher()
    partner = Partner(home, action_dir, meaning=False, clock=clock)
    partner.subscribe(watcher)
    await partner.launch()
    try:
        async with serving(telling(version="99.1")) as (server, url):
            clock.move(timedelta(seconds=FIRST_S))
            with pytest.raises(UsageError, match="no address"):
                await partner.updates.check()
            await partner.config.set("updates", ("url",), url)
            await partner.config.set("updates", ("enabled",), True)
            assert not server.asked
            clock.move(timedelta(seconds=FIRST_S))
            notice = await watcher.until(lambda event: isinstance(event, NoticeEvent))
            assert isinstance(notice, NoticeEvent)
            assert (notice.title, notice.about) == ("Partner 99.1 is there.", "update")
        for elsewhere in ("http://example.org/newest.json", "file:///etc/passwd", "somewhere"):
            with pytest.raises(ConfigError):
                await partner.config.set("updates", ("url",), elsewhere)
    finally:
        await partner.close()


async def test_closing_waits_for_no_server(home: Home) -> None:
    clock = FakeClock()
    async with serving(_endless) as (server, url):
        write_settings(home, url)
        async with checking(home, clock) as (_, told):
            await _passes(clock, timedelta(seconds=FIRST_S))
            await asyncio.wait_for(server.heard.wait(), WAIT_S)
        await asyncio.wait_for(server.left.wait(), WAIT_S)
    assert not told


async def test_a_failed_question_takes_nothing_from_what_the_same_address_said(home: Home) -> None:
    async with serving(telling(version="1.2", page=_PAGE)) as (server, url):
        await report_of(home, url)
        server.behaviour = _hang_up
        report = await report_of(home, url)
        assert (report.newest, report.page, report.is_newer) == ("1.2", _PAGE, True)
        assert report.sentence.endswith(f"{_UNREAD} Partner 1.2 is there. You have 0.9.1. {_PAGE}")
        other = await report_of(home, f"{url}?other")
        assert (other.newest, other.page, other.is_newer) == ("", "", False)


async def _printed(*words: str, home: Home) -> str:
    command = run_cli_arguments(*words, "--home", str(home.root))
    process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
    return (await process.communicate())[0].decode()


async def test_the_terminal_asks_and_doctor_only_tells(home: Home) -> None:
    async with serving(telling(version="99.1", page=_PAGE)) as (server, url):
        write_settings(home, url, enabled=False)
        told = f"Partner 99.1 is there. You have {__version__}. {_PAGE}"
        before = await _printed("doctor", home=home)
        assert "Nobody is asked for newer versions" in before
        assert not server.asked
        asked = await _printed("updates", "check", home=home)
        assert asked.strip() == told
        after = await _printed("doctor", home=home)
        assert told in after
        assert len(server.asked) == 1


async def test_it_is_told_in_chinese_too(home: Home) -> None:
    set_process_language("zh")
    try:
        async with serving(telling(version="1.2.0")) as (_, url):
            assert (await report_of(home, url)).sentence == "Partner 1.2.0 已发布。你使用的是 0.9.1。"
    finally:
        set_process_language("en")


@pytest.mark.parametrize(
    ("version", "than", "newer"),
    [
        ("0.2", "0.1.9", True),
        ("0.10", "0.9", True),
        ("1", "1.0.0", False),
        ("1.0", "1.0rc2", True),
        ("1.1rc1", "1.0", False),
        ("1.0.post", "1.0", False),
        ("", "1.0", False),
        ("newest", "1.0", False),
    ],
)
def test_versions_are_compared_by_their_numbers(version: str, than: str, *, newer: bool) -> None:
    assert is_newer(version, than) == newer
