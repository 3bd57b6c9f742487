"""Times of the past in words: which days they are, what is none, and events that tell a time."""

from __future__ import annotations

from datetime import datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from partner_desktop.language.values.moments import zone_of
from partner_desktop.language.values.past_times import PastTime, event_times, past_times
from tests.tables import all_rows

#: A Wednesday.
NOW = datetime(2024, 6, 19, 14, 30)  # noqa: DTZ001 - the user's own clock


def _told(time: PastTime) -> str:
    """`2024-06-18`, `2024-06-10..2024-06-16` with the last day, `~` before what is vague."""
    last = time.until - timedelta(1)
    days = f"{time.since}" if last == time.since else f"{time.since}..{last}"
    return f"~{days}" if time.vague else days


def _found(text: str, now: datetime = NOW) -> str:
    return " ".join(_told(time) for time in past_times(text, now))


@all_rows(
    "text, days",
    [
        ("today", "2024-06-19"),
        ("I saw her yesterday", "2024-06-18"),
        ("the day before yesterday", "2024-06-17"),
        ("the night before last", "2024-06-17"),
        ("What did I tell you last night?", "2024-06-18"),
        ("this morning", "2024-06-19"),
        ("just now", "2024-06-19"),
        ("what did I say last Tuesday", "2024-06-18"),
        ("on Tuesday", "2024-06-18"),
        ("Wednesday was fine", "2024-06-12"),
        ("Tuesday last week", "2024-06-11"),
        ("last week's Tuesday", "2024-06-11"),
        ("last week on Friday", "2024-06-14"),
        ("this Friday", "2024-06-21"),
        ("the Friday before last", "2024-06-07"),
        ("two Fridays ago", "2024-06-07"),
        ("on Sat we met", "2024-06-15"),
        ("last week", "2024-06-10..2024-06-16"),
        ("last month", "2024-05-01..2024-05-31"),
        ("last year", "2023-01-01..2023-12-31"),
        ("last weekend", "2024-06-15..2024-06-16"),
        ("over the weekend", "2024-06-15..2024-06-16"),
        ("this week", "2024-06-17..2024-06-23"),
        ("this month", "2024-06-01..2024-06-30"),
        ("this year", "2024-01-01..2024-12-31"),
        ("the week before last", "2024-06-03..2024-06-09"),
        ("the past three days", "2024-06-16..2024-06-19"),
        ("the last two weeks", "2024-06-05..2024-06-19"),
        ("in the past month", "2024-05-20..2024-06-19"),
        ("over the last few months", "~2024-01-19..2024-06-19"),
        ("this past week", "2024-06-10..2024-06-16"),
        ("two days ago", "2024-06-17"),
        ("a couple of days ago", "~2024-06-16..2024-06-17"),
        ("a few weeks ago", "~2024-05-12..2024-06-08"),
        ("three weeks ago", "2024-05-26..2024-06-01"),
        ("two or three weeks ago", "~2024-05-26..2024-06-08"),
        ("a week or two ago", "~2024-06-02..2024-06-15"),
        ("two months ago", "2024-04-04..2024-05-04"),
        ("five years ago", "2019-01-01..2019-12-31"),
        ("half a year ago", "~2023-12-04..2024-01-03"),
        ("a year and a half ago", "~2022-12-04..2023-01-03"),
        ("an hour ago", "2024-06-19"),
        ("twenty minutes ago", "2024-06-19"),
        ("two weekends ago", "2024-06-08..2024-06-09"),
        ("a while back", "~2023-06-20..2024-06-12"),
        ("years ago", "~2014-01-01..2022-12-31"),
        ("the other day", "~2024-06-09..2024-06-18"),
        ("not too long ago", "~2024-05-20..2024-06-19"),
        ("What did she start recently?", "~2024-05-20..2024-06-19"),
        ("in the middle of last month", "~2024-05-11..2024-05-20"),
        ("during Pride Month 2023", "2023-06-01..2023-06-30"),
        ("in the last week of May", "2024-05-01..2024-05-31"),
        ("lately", "~2024-05-20..2024-06-19"),
        ("last spring", "~2024-03-01..2024-05-31"),
        ("in spring", "~2024-03-01..2024-05-31"),
        ("in the spring of 2022", "~2022-03-01..2022-05-31"),
        ("this summer", "~2024-06-01..2024-08-31"),
        ("last winter", "~2023-12-01..2024-02-29"),
        ("summer last year", "~2023-06-01..2023-08-31"),
        ("over Christmas", "~2023-12-20..2024-01-01"),
        ("on Christmas Day", "2023-12-25"),
        ("last Christmas", "~2023-12-25..2023-12-26"),
        ("Christmas 2021", "~2021-12-25..2021-12-26"),
        ("at New Year", "~2023-12-31..2024-01-03"),
        ("on New Year’s Eve", "2023-12-31"),
        ("on Valentine's Day", "2024-02-14"),
        ("the Spring Festival", "~2024-01-20..2024-02-22"),
        ("at Easter", "2024-03-29..2024-04-01"),
        ("at Thanksgiving", "~2023-11-23..2023-11-26"),
        ("on Mother's Day", "2024-05-12"),
        ("in May", "2024-05-01..2024-05-31"),
        ("in may", "2024-05-01..2024-05-31"),
        ("last May", "2024-05-01..2024-05-31"),
        ("last June", "2023-06-01..2023-06-30"),
        ("in August", "2023-08-01..2023-08-31"),
        ("early May", "~2024-05-01..2024-05-10"),
        ("mid-May", "~2024-05-11..2024-05-20"),
        ("at the end of May", "~2024-05-21..2024-05-31"),
        ("in early 2023", "~2023-01-01..2023-05-01"),
        ("late last year", "~2023-08-31..2023-12-31"),
        ("in May 2023", "2023-05-01..2023-05-31"),
        ("7 May 2023", "2023-05-07"),
        ("May 7th", "2024-05-07"),
        ("May 7, 2023", "2023-05-07"),
        ("on Sunday the 7th of May", "2024-05-07"),
        ("29 February", "2024-02-29"),
        ("on the 7th", "2024-06-07"),
        ("on the 25th", "2024-05-25"),
        ("on the 3rd of last month", "2024-05-03"),
        ("2023-05-07", "2023-05-07"),
        ("07/05/2023", "2023-07-05"),
        ("13/05/2023", "2023-05-13"),
        ("7.5.2023", "2023-05-07"),
        ("5/7/23", "2023-05-07"),
        ("2023-05", "2023-05-01..2023-05-31"),
        ("back in 2019", "2019-01-01..2019-12-31"),
        ("in the 90s", "1990-01-01..1999-12-31"),
        ("in the 1980s", "1980-01-01..1989-12-31"),
        ("between 3 and 10 May", "2024-05-03..2024-05-10"),
        ("May 3-10", "2024-05-03..2024-05-10"),
        ("from May 3 to May 10", "2024-05-03..2024-05-10"),
        ("from Monday to Wednesday", "2024-06-10..2024-06-12"),
        ("from Tuesday to Thursday", "2024-06-11..2024-06-13"),
        ("between March and May", "2024-03-01..2024-05-31"),
        ("from November to February", "2023-11-01..2024-02-29"),
        ("from 2019 to 2021", "2019-01-01..2021-12-31"),
        ("since March", "2024-03-01..2024-06-19"),
        ("since last Tuesday", "2024-06-18..2024-06-19"),
        ("since the 7th", "2024-06-07..2024-06-19"),
        ("before June", "0001-01-01..2024-05-31"),
        ("after 3 May", "2024-05-04..2024-06-19"),
        ("in May last year", "2023-05-01..2023-05-31"),
        ("last year in May", "2023-05-01..2023-05-31"),
        ("last year's Christmas", "~2023-12-25..2023-12-26"),
        ("two years ago in the summer", "~2022-06-01..2022-08-31"),
        ("the day before Christmas", "~2023-12-24"),
        ("two days after Christmas", "~2023-12-28"),
        ("the week before Easter", "2024-03-22..2024-03-28"),
        ("before Monday's meeting", "2024-06-17"),
        ("last week and in April", "2024-06-10..2024-06-16 2024-04-01..2024-04-30"),
        ("tomorrow", "2024-06-20"),
        ("the day after tomorrow", "2024-06-21"),
        ("next week", "2024-06-24..2024-06-30"),
        ("next Tuesday", "2024-06-25"),
        ("I saw her on Tuesday. I'll call her.", "2024-06-18"),
        ("What did I say I will do in May?", "2024-05-01..2024-05-31"),
        ("in June we will travel", "2025-06-01..2025-06-30"),
        ("I'll call you on Tuesday", "2024-06-25"),
        ("Ann's train arrives on Tuesday at 9:14", "2024-06-25"),
        ("the dentist is on Tuesday", "2024-06-25"),
        ("she said that the dentist is on Tuesday", "2024-06-18"),
        ("what was the name of the dentist who is closed on Tuesday?", "2024-06-18"),
        ("my exam is on 1 July", "2024-07-01"),
        ("the concert in June is my best memory", "2024-06-01..2024-06-30"),
        ("Tuesday, May 7th", "2024-05-07"),
        ("in the summer he will marry", "~2025-06-01..2025-08-31"),
    ],
)
def test_a_time_in_english_is_its_days(text: str, days: str) -> None:
    assert _found(text) == days


@all_rows(
    "text, days",
    [
        ("今天早上", "2024-06-19"),
        ("我昨天说的", "2024-06-18"),
        ("前天", "2024-06-17"),
        ("大前天", "2024-06-16"),
        ("昨晚", "2024-06-18"),
        ("今早", "2024-06-19"),
        ("刚才", "2024-06-19"),
        ("我上周说的航班是几点？", "2024-06-10..2024-06-16"),
        ("上周二", "2024-06-11"),
        ("上上周", "2024-06-03..2024-06-09"),
        ("上上周五", "2024-06-07"),
        ("上星期天", "2024-06-16"),
        ("上个礼拜六", "2024-06-15"),
        ("这周", "2024-06-17..2024-06-23"),
        ("本周三", "2024-06-19"),
        ("周二", "2024-06-18"),
        ("星期天", "2024-06-16"),
        ("周末", "2024-06-15..2024-06-16"),
        ("上周末", "2024-06-15..2024-06-16"),
        ("上个周末", "2024-06-15..2024-06-16"),
        ("上个月", "2024-05-01..2024-05-31"),
        ("前个月", "2024-04-01..2024-04-30"),
        ("这个月", "2024-06-01..2024-06-30"),
        ("上个月底", "~2024-05-21..2024-05-31"),
        ("上个月7号", "2024-05-07"),
        ("五月", "2024-05-01..2024-05-31"),
        ("五月初", "~2024-05-01..2024-05-10"),
        ("五月中旬", "2024-05-11..2024-05-20"),
        ("五月下旬", "2024-05-21..2024-05-31"),
        ("五月底", "~2024-05-21..2024-05-31"),
        ("去年", "2023-01-01..2023-12-31"),
        ("前年", "2022-01-01..2022-12-31"),
        ("今年", "2024-01-01..2024-12-31"),
        ("去年夏天", "~2023-06-01..2023-08-31"),
        ("春天", "~2024-03-01..2024-05-31"),
        ("去年五月", "2023-05-01..2023-05-31"),
        ("今年五月初", "~2024-05-01..2024-05-10"),
        ("去年年底", "~2023-11-01..2023-12-31"),
        ("年初", "~2024-01-01..2024-02-29"),
        ("三天前", "2024-06-16"),
        ("两个星期前", "2024-06-02..2024-06-08"),
        ("六个月前", "2023-12-04..2024-01-03"),
        ("半年前", "~2023-12-04..2024-01-03"),
        ("半个月前", "~2024-05-20..2024-06-19"),
        ("一个半月前", "~2024-04-19..2024-05-19"),
        ("两三年前", "~2021-01-01..2022-12-31"),
        ("十几年前", "~2005-01-01..2013-12-31"),
        ("三小时前", "2024-06-19"),
        ("几天前", "~2024-06-13..2024-06-17"),
        ("前几天", "~2024-06-09..2024-06-18"),
        ("前几年", "~2018-01-01..2023-12-31"),
        ("前阵子", "~2024-03-19..2024-06-16"),
        ("最近", "~2024-05-20..2024-06-19"),
        ("这几天", "~2024-06-12..2024-06-19"),
        ("最近三天", "2024-06-16..2024-06-19"),
        ("过去两周", "2024-06-05..2024-06-19"),
        ("过去三个月", "2024-03-20..2024-06-19"),
        ("五月七号", "2024-05-07"),
        ("5月7日", "2024-05-07"),
        ("2023年5月", "2023-05-01..2023-05-31"),
        ("2023年5月7日", "2023-05-07"),
        ("二〇二三年五月", "2023-05-01..2023-05-31"),
        ("23年5月", "2023-05-01..2023-05-31"),
        ("在2023-05-07那天", "2023-05-07"),
        ("7号", "2024-06-07"),
        ("五月3号到8号", "2024-05-03..2024-05-08"),
        ("5月3-10日", "2024-05-03..2024-05-10"),
        ("五一", "~2024-05-01..2024-05-05"),
        ("国庆", "~2023-10-01..2023-10-07"),
        ("去年国庆", "~2023-10-01..2023-10-07"),
        ("春节", "~2024-01-20..2024-02-22"),
        ("前年春节", "~2022-01-20..2022-02-22"),
        ("中秋", "~2023-09-07..2023-10-08"),
        ("圣诞", "~2023-12-24..2023-12-26"),
        ("清明", "~2024-04-04..2024-04-06"),
        ("端午", "~2024-05-28..2024-06-25"),
        ("元旦", "~2023-12-31..2024-01-03"),
        ("情人节", "2024-02-14"),
        ("母亲节", "2024-05-12"),
        ("暑假", "~2023-07-01..2023-09-01"),
        ("两年前的夏天", "~2022-06-01..2022-08-31"),
        ("从三月到五月", "2024-03-01..2024-05-31"),
        ("三月和五月之间", "2024-03-01..2024-05-31"),
        ("从周一到周三", "2024-06-10..2024-06-12"),
        ("三月以来", "2024-03-01..2024-06-19"),
        ("自三月起", "2024-03-01..2024-06-19"),
        ("自从去年以来", "2023-01-01..2024-06-19"),
        ("六月之前", "0001-01-01..2024-05-31"),
        ("元旦之后", "~2024-01-04..2024-06-19"),
        ("春节前一天", "~2024-01-19"),
        ("国庆前三天", "~2023-09-28"),
        ("九十年代", "1990-01-01..1999-12-31"),
        ("后天", "2024-06-21"),
        ("大后天", "2024-06-22"),
        ("下周二", "2024-06-25"),
        ("下个月", "2024-07-01..2024-07-31"),
        ("明年春天", "~2025-03-01..2025-05-31"),
        ("我们三天后去", "2024-06-22"),
        ("我打算周五去", "2024-06-21"),
        ("5月7日星期二", "2024-05-07"),
    ],
)
def test_a_time_in_chinese_is_its_days(text: str, days: str) -> None:
    assert _found(text) == days


@all_rows(
    "text",
    [
        "May I ask you something?",
        "you may be right",
        "the top 10 may be enough",
        "march to the beat",
        "they marched on",
        "the sun was shining",
        "she sat down",
        "wait a second",
        "one day I will",
        "some day",
        "every Tuesday",
        "on Tuesdays",
        "spring onions",
        "a hot spring",
        "fall down",
        "June said hello",
        "August is my cousin",
        "in 2000 steps",
        "on the 7th floor",
        "version 1.2.3 at 10.0.0.1",
        "call 555-01-02",
        "7/8 of it",
        "the 31st of June",
        "30 February 2023",
        "2023-13-45",
        "0000-01-01",
        "99999-01-01",
        "the last two weeks of school",
        "有一天",
        "一周三次",
        "每周三",
        "三个月",
        "三天",
        "3号线",
        "二号楼",
        "十三月五号",
        "2023年2月30日",
        "婚礼前两天",
        "搬家三天后",
        "一周年",
    ],
)
def test_what_only_looks_like_a_time_is_none(text: str) -> None:
    assert _found(text) == ""


@all_rows(
    "text, now, days",
    [
        ("last weekend", "2024-06-23", "2024-06-15..2024-06-16"),  # said on a Sunday
        ("this weekend", "2024-06-20", "2024-06-22..2024-06-23"),
        ("We hiked this weekend", "2024-06-24", "2024-06-22..2024-06-23"),  # said on the Monday after it
        ("on the 31st", "2024-07-02", "2024-05-31"),
        ("last winter", "2024-01-10", "~2022-12-01..2023-02-28"),
        ("this winter", "2024-01-10", "~2023-12-01..2024-02-29"),
        ("this winter", "2024-03-10", "~2023-12-01..2024-02-29"),
        ("this May", "2024-03-10", "2024-05-01..2024-05-31"),
        ("this winter", "2024-11-10", "~2024-12-01..2025-02-28"),
        ("at New Year", "2024-01-02", "~2023-12-31..2024-01-03"),
        ("29 February", "2023-06-01", "2020-02-29"),
        ("last month", "2024-01-31", "2023-12-01..2023-12-31"),
        ("yesterday", "0001-01-01", ""),
        ("last year, 三年前, last spring", "0001-01-01", ""),
        ("before today", "0001-01-01", ""),
        ("tomorrow and next year and 后年", "9999-12-31", ""),
    ],
)
def test_a_time_counts_from_the_day_on_which_it_is_said(text: str, now: str, days: str) -> None:
    assert _found(text, datetime.fromisoformat(now)) == days


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("What did I say last Tuesday?", ["last Tuesday"]),
        ("İstanbul'da last week 🎉", ["last week"]),
        ("ירושלים yesterday שלום", ["yesterday"]),
        ("我上周二说的，不是昨天", ["上周二", "昨天"]),
        ("from Monday to Wednesday or in May", ["from Monday to Wednesday", "May"]),
        ("the day before Christmas", ["the day before Christmas"]),
        ("since early May", ["since early May"]),
    ],
)
def test_a_time_says_where_it_stands(text: str, said: list[str]) -> None:
    assert [text[time.start : time.end] for time in past_times(text, NOW)] == said


@all_rows(
    "text, event, offset, span",
    [
        ("What did I say the day before Ann came?", "Ann came", -1, 1),
        ("what did we talk about a week after the concert", "the concert", 7, 1),
        ("When we moved, what did I say about the sofa?", "we moved", 0, 1),
        ("When we moved what did I say?", "we moved", 0, 1),
        ("What did I say when we moved?", "we moved", 0, 1),
        ("two days before the wedding", "the wedding", -2, 1),
        ("the day we moved", "we moved", 0, 1),
        ("on the day of my interview", "my interview", 0, 1),
        ("the night of the party", "the party", 0, 1),
        ("the week before my exam", "my exam", -7, 7),
        ("The week after we got back from Rome", "we got back from Rome", 1, 7),
        ("the day after the funeral what did he say", "the funeral", 1, 1),
        ("a month after Bob left", "Bob left", 30, 1),
        ("the weekend before the marathon", "the marathon", -7, 7),
        ("安来的前一天我说了什么", "安来", -1, 1),
        ("音乐会之后一周我们聊了什么", "音乐会", 1, 7),
        ("搬家那天我说了什么", "搬家", 0, 1),
        ("我们搬家的时候", "搬家", 0, 1),
        ("婚礼前两天", "婚礼", -2, 1),
        ("我在音乐会的前一天说了什么", "音乐会", -1, 1),
        ("安来的第二天", "安来", 1, 1),
        ("搬家三天后我说了什么", "搬家", 3, 1),
        ("你还记得搬家那天吗", "搬家", 0, 1),
        ("面试的前一周", "面试", -7, 7),
        ("爸爸生日当天", "爸爸生日", 0, 1),
        ("毕业那年", "毕业", 0, 365),
    ],
)
def test_an_event_tells_a_time(text: str, event: str, offset: int, span: int) -> None:
    (time,) = event_times(text)

    assert (time.event, time.offset_days, time.span_days) == (event, offset, span)
    assert text[: time.end].find(event) >= time.start


@all_rows(
    "text",
    [
        "When did we move?",
        "tell me when we moved",
        "the day before Christmas",
        "the day before yesterday",
        "the week before last",
        "the day after that",
        "How does she feel when doing yoga?",
        "be brief when asked",
        "春节前一天",
        "三天前",
        "我们三天前聊过",
        "那天",
    ],
)
def test_what_tells_no_event_has_none(text: str) -> None:
    assert event_times(text) == ()


_PARTS = st.sampled_from(
    [
        *(
            "last",
            "this",
            "next",
            "the",
            "past",
            "two",
            "31",
            "29",
            "2023",
            "0",
            "99999",
            "weeks",
            "ago",
            "May",
            "30",
        ),
        *(
            "february",
            "/",
            "-",
            ".",
            "to",
            "from",
            "between",
            "and",
            "since",
            "before",
            "after",
            "day",
            "of",
            "'s",
        ),
        *(
            "early",
            "Monday",
            "night",
            "spring",
            "Christmas",
            "in",
            "on",
            "7th",
            "Ann came",
            "when",
            "İ",
            "🎉",
            "\u202e",
        ),
        *(
            "上",
            "周",
            "三",
            "月",
            "年",
            "前",
            "五",
            "号",
            "季度",
            "去年",
            "到",
            "天",
            "后",
            "春节",
            "之前",
            "半",
            "个",
            "的",
        ),
    ]
)
_TEXTS = (
    st.text(max_size=60)
    | st.lists(_PARTS, max_size=14).map(" ".join)
    | st.lists(_PARTS, max_size=14).map("".join)
)


@pytest.mark.slow
@settings(max_examples=300)
@given(_TEXTS, st.datetimes())
def test_whatever_is_said_gives_ranges_in_order_and_apart(text: str, now: datetime) -> None:
    times = past_times(text, now)

    assert all(time.since < time.until and 0 <= time.start < time.end <= len(text) for time in times)
    assert all(before.end <= after.start for before, after in pairwise(times))
    assert all(0 <= time.start < time.end <= len(text) and time.event for time in event_times(text))


@pytest.mark.parametrize(
    "text", ["last " * 20_000, "1 " * 50_000, "a few " * 20_000, "几" * 100_000, "in" + " " * 100_000 + "May"]
)
def test_a_huge_text_is_read_in_part(text: str) -> None:
    assert past_times(text + "yesterday", NOW) == ()
    assert len(event_times("the day before Ann came " + text)) <= 1


@pytest.mark.parametrize("said", ["İstanbul", "istanbul", "ISTANBUL"])
def test_a_place_has_its_zone_however_its_letters_are_written(said: str) -> None:
    assert zone_of(said) == "Europe/Istanbul"
