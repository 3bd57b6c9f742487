"""When something is to be done is told from what was planned, in English and Chinese."""

from __future__ import annotations

import time as clock
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path

import pytest

from partner_desktop.base.messages import speaking
from partner_desktop.base.time_zone import machine_zone
from partner_desktop.domain.schedule import ActionEnds, Cycle, FileLands, Once, Terms, Threshold
from partner_desktop.domain.schedule_text import due_in_words, time_in_words, when_in_words
from tests.tables import all_rows

#: A Wednesday.
NOW = datetime(2026, 5, 13, 10, tzinfo=UTC)
WALL = NOW.replace(tzinfo=None)
NINE, SIX = time(9), time(18)


def by(rule: str, *times: time, until: date | None = None) -> Terms:
    return Terms(cycle=Cycle(WALL, rule, times, until=until))


def crosses(of: str, limit: float, path: str = "", *, over: bool = True) -> Terms:
    return Terms(crosses=Threshold(of, limit, over, path))  # type: ignore[arg-type] # a word of a table


def below_home(terms: Terms) -> Terms:
    """The same with its folder where the test's home is."""
    if terms.lands is not None:
        return Terms(lands=replace(terms.lands, folder=str(Path(terms.lands.folder).expanduser())))
    if terms.crosses is not None and terms.crosses.path:
        return Terms(crosses=replace(terms.crosses, path=str(Path(terms.crosses.path).expanduser())))
    return terms


WHEN = [
    (
        Terms(once=Once(WALL + timedelta(hours=23))),
        "Thu 14 May 2026 at 09:00",
        "2026年5月14日周四 09:00",
    ),
    (by("FREQ=DAILY", NINE), "every day at 09:00", "每天 09:00"),
    (
        by("FREQ=DAILY", time(8), time(12, 30), SIX),
        "every day at 08:00, 12:30 and 18:00",
        "每天 08:00、12:30和18:00",
    ),
    (
        by("FREQ=MONTHLY;INTERVAL=3;BYMONTHDAY=28,29,30;BYSETPOS=-1", NINE),
        "on the 30th of every 3 months at 09:00",
        "每 3 个月的30日 09:00",
    ),
    (by("FREQ=DAILY;INTERVAL=2", NINE), "every second day at 09:00", "每两天 09:00"),
    (by("FREQ=DAILY;INTERVAL=3", NINE), "every 3 days at 09:00", "每 3 天 09:00"),
    (
        by("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", SIX),
        "every weekday at 18:00",
        "每个工作日 18:00",
    ),
    (
        by("FREQ=WEEKLY;BYDAY=SA,SU", NINE),
        "every Saturday and Sunday at 09:00",
        "每周六和周日 09:00",
    ),
    (
        by("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA", NINE),
        "every day except Sunday at 09:00",
        "除了周日，每天 09:00",
    ),
    (
        by("FREQ=WEEKLY;BYDAY=MO,WE,FR", NINE),
        "every Monday, Wednesday and Friday at 09:00",
        "每周一、周三和周五 09:00",
    ),
    (
        by("FREQ=WEEKLY;INTERVAL=2;BYDAY=FR", time(15)),
        "every second Friday at 15:00",
        "每隔一周的周五 15:00",
    ),
    (
        by("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR", NINE),
        "every second week on Monday and Friday at 09:00",
        "每隔一周的周一和周五 09:00",
    ),
    (
        by("FREQ=WEEKLY;INTERVAL=3;BYDAY=FR", NINE),
        "every 3 weeks on Friday at 09:00",
        "每 3 周的周五 09:00",
    ),
    (by("FREQ=WEEKLY;INTERVAL=1", NINE), "every Wednesday at 09:00", "每周三 09:00"),
    (
        by("FREQ=MONTHLY;BYMONTHDAY=-1", NINE),
        "on the last day of every month at 09:00",
        "每月最后一天 09:00",
    ),
    (
        by("FREQ=MONTHLY;BYMONTHDAY=15", NINE),
        "on the 15th of every month at 09:00",
        "每月15日 09:00",
    ),
    (
        by("FREQ=MONTHLY;INTERVAL=2;BYMONTHDAY=1", NINE),
        "on the 1st of every second month at 09:00",
        "每两个月的1日 09:00",
    ),
    (
        by("FREQ=MONTHLY;BYDAY=1MO", NINE),
        "on the first Monday of every month at 09:00",
        "每月第一个周一 09:00",
    ),
    (
        by("FREQ=MONTHLY;BYDAY=-1FR", NINE),
        "on the last Friday of every month at 09:00",
        "每月最后一个周五 09:00",
    ),
    (
        by("FREQ=MONTHLY;BYMONTH=1,7;BYMONTHDAY=1", NINE),
        "on the 1st of January and July at 09:00",
        "每年1月和7月的1日 09:00",
    ),
    (
        by("FREQ=YEARLY;BYMONTH=7;BYMONTHDAY=3", time(8)),
        "every year on 3 July at 08:00",
        "每年7月3日 08:00",
    ),
    (
        by("FREQ=HOURLY;BYSETPOS=2", NINE),
        "by the rule `FREQ=HOURLY;BYSETPOS=2` at 09:00",
        "按规则 `FREQ=HOURLY;BYSETPOS=2` 09:00",
    ),
    (
        by("FREQ=DAILY", NINE, until=date(2026, 6, 1)),
        "every day at 09:00, until 1 June 2026",
        "每天 09:00，到2026年6月1日为止",
    ),
    (Terms(cycle=Cycle(WALL, every_s=3600)), "every hour", "每小时"),
    (Terms(cycle=Cycle(WALL, every_s=5400)), "every 90 minutes", "每 90 分钟"),
    (Terms(cycle=Cycle(WALL, every_s=45)), "every 45 seconds", "每 45 秒"),
    (
        Terms(cycle=Cycle(WALL, every_s=1200, between=(NINE, time(17)))),
        "every 20 minutes between 09:00 and 17:00",
        "09:00 到 17:00 之间每 20 分钟",
    ),
    (
        Terms(cycle=Cycle(WALL, cron="0 9 * * 1")),
        "by the cron line `0 9 * * 1`",
        "按 cron 行 `0 9 * * 1`",
    ),
    (
        Terms(lands=FileLands("~/Downloads", "*.pdf")),
        "when a new PDF file lands in ~/Downloads",
        "~/Downloads 里有新的 PDF 文件时",
    ),
    (
        Terms(lands=FileLands("/srv/in")),
        "when a new file lands in /srv/in",
        "/srv/in 里有新文件时",
    ),
    (
        Terms(lands=FileLands("/srv/in", "bill*.pdf")),
        "when a new file named `bill*.pdf` lands in /srv/in",
        "/srv/in 里有名为 `bill*.pdf` 的新文件时",
    ),
    (
        crosses("folder", 5e9, "~/Downloads"),
        "when ~/Downloads gets over 5 GB",
        "~/Downloads 超过 5 GB 时",
    ),
    (
        crosses("free_space", 10e9, over=False),
        "when less than 10 GB is free",
        "可用空间少于 10 GB 时",
    ),
    (
        crosses("free_space", 1.5e8, "/srv", over=False),
        "when less than 150 MB is free where /srv is",
        "/srv 所在磁盘的可用空间少于 150 MB 时",
    ),
    (
        crosses("memory", 90),
        "when more than 90 % of the memory is in use",
        "内存占用超过 90 % 时",
    ),
    (
        crosses("processor", 12.5, over=False),
        "when less than 12.5 % of the processor is in use",
        "处理器占用低于 12.5 % 时",
    ),
    (Terms(ends=ActionEnds("Backup")), "when “Backup” ends", "“Backup”结束时"),
    (
        Terms(ends=ActionEnds("Backup", how="done")),
        "when “Backup” is done",
        "“Backup”完成时",
    ),
    (
        Terms(ends=ActionEnds("Backup", how="failed", again=True)),
        "whenever “Backup” fails",
        "每当“Backup”失败时",
    ),
]


@pytest.mark.parametrize(
    ("zone", "told"),
    [
        ("Europe/Berlin", "today at 18:00 (Europe/Berlin)"),
        ("", "today at 16:00"),
        ("Gone/Zone", "today at 16:00"),
    ],
)
def test_what_is_due_is_told_on_the_wall_of_its_zone(
    zone: str, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TZ", "UTC")
    clock.tzset()
    try:
        with speaking("en"):
            six_in_berlin = datetime(2026, 5, 13, 16, tzinfo=UTC)
            assert due_in_words(Terms(zone=zone), six_in_berlin, NOW) == told
    finally:
        monkeypatch.undo()
        clock.tzset()


@all_rows("terms, english, chinese", WHEN)
def test_when_something_is_to_be_is_said_in_both_languages(terms: Terms, english: str, chinese: str) -> None:
    terms = below_home(terms)
    with speaking("en"):
        assert when_in_words(terms) == english
    with speaking("zh"):
        assert when_in_words(terms) == chinese


TIMES = [
    (timedelta(seconds=30), "in 30 seconds (10:00:30)", "30 秒后（10:00:30）"),
    (timedelta(minutes=1), "in 1 minute (10:01)", "1 分钟后（10:01）"),
    (timedelta(minutes=2), "in 2 minutes (10:02)", "2 分钟后（10:02）"),
    (timedelta(hours=4), "today at 14:00", "今天 14:00"),
    (timedelta(hours=-1), "today at 09:00", "今天 09:00"),
    (timedelta(hours=23), "tomorrow at 09:00", "明天 09:00"),
    (timedelta(hours=-13), "yesterday at 21:00", "昨天 21:00"),
    (timedelta(days=2, hours=8), "Fri 15 May at 18:00", "5月15日周五 18:00"),
    (timedelta(days=300), "Tue 9 Mar 2027 at 10:00", "2027年3月9日周二 10:00"),
]


@pytest.mark.parametrize(("ahead", "english", "chinese"), TIMES)
def test_a_time_is_said_as_it_is_from_now(ahead: timedelta, english: str, chinese: str) -> None:
    with speaking("en"):
        assert time_in_words(NOW + ahead, NOW) == english
        assert when_in_words(Terms(once=Once(WALL + ahead)), now=NOW) == english
    with speaking("zh"):
        assert time_in_words(NOW + ahead, NOW) == chinese


def test_the_zone_is_said_where_it_is_another_than_the_machines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Europe/Berlin")
    daily = by("FREQ=DAILY", NINE).cycle
    with speaking("en"):
        assert when_in_words(Terms(cycle=daily, zone="Europe/Berlin")) == "every day at 09:00"
        assert when_in_words(Terms(cycle=daily, zone="Asia/Tokyo")) == "every day at 09:00 (Asia/Tokyo)"


@pytest.mark.parametrize(
    ("said", "zone"), [("Asia/Tokyo", "Asia/Tokyo"), (":UTC", "UTC"), ("CET-9X", ""), ("../x", "")]
)
def test_the_machine_tells_its_zone_or_nothing(said: str, zone: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", said)
    assert machine_zone() == zone
