"""Requests in plain words and the arguments that they give, for abilities of every kind."""

from __future__ import annotations

from dataclasses import replace

import pytest

from partner_desktop.abilities.ability_file import read_ability
from partner_desktop.domain.json_value import Json
from partner_desktop.domain.meta_action import MetaActionInfo, Route
from tests.builtins import builtin_infos
from tests.mind.asking import ability, many, param, read
from tests.support import REPOSITORY
from tests.tables import all_rows

TIMER = ability(
    "set_timer",
    "Start a countdown timer",
    needs="minutes",
    minutes=param("integer", "How long, in minutes"),
    label=param("string", "What the timer is for"),
)
RESIZE = ability(
    "resize_image",
    "Resize a picture",
    needs="width height",
    width=param("integer", "New width in pixels"),
    height=param("integer", "New height in pixels"),
    keep_ratio=param("boolean", "Whether to keep the aspect ratio"),
)
REMIND = ability(
    "add_reminder",
    "Remind of something on a day",
    needs="title date",
    title=param("string", "What to remember"),
    date=param("string", "The day, in the format YYYY-MM-DD"),
    time=param("string", "The time, HH:MM"),
)
TABLE = ability(
    "book_table",
    "Book a table at a restaurant",
    needs="restaurant people",
    restaurant=param("string", "Name of the restaurant"),
    people=param("integer", "Number of guests"),
    date=param("string", "Date in MM/DD/YYYY format"),
    outdoor=param("boolean", "Whether to sit outdoors"),
)
LOAN = ability(
    "loan_payment",
    "Monthly payment of a loan",
    needs="principal annual_rate years",
    principal=param("number", "Loan amount in dollars"),
    annual_rate=param("number", "Annual interest rate as a decimal"),
    years=param("integer", "Term in years"),
)
TRIP = ability(
    "travel_time",
    "How long a trip takes",
    needs="start end",
    start=param("string", "Where the trip starts"),
    end=param("string", "Where it ends"),
    mode=param("string", "Means of travel", enum=["car", "train", "bicycle", "on_foot"]),
)
SONG = ability(
    "play_song",
    "Play music",
    needs="song",
    song=param("string", "Title of the song"),
    artist=param("string", "Who performs it"),
    volume=param("integer", "Loudness from 0 to 100"),
)
NOTES = ability(
    "search_notes",
    "Search in the notes",
    needs="query",
    query=param("string", "What to look for"),
    limit=param("integer", "Maximum number of results", default=10),
)
TRANSLATE = ability(
    "translate",
    "Translate a text",
    needs="text target_language",
    text=param("string", "The text"),
    target_language=param("string", "The language to translate into"),
)
CLEAN = ability(
    "clean_folder",
    "Delete old files in a folder",
    needs="folder",
    folder=param("string", "the folder", format="path"),
    older_than_days=param("integer", "Delete files older than this many days"),
    dry_run=param("boolean", "Only show what would be deleted"),
)
WEATHER = ability(
    "weather",
    "Weather forecast for a place",
    needs="city",
    city=param("string", "The city"),
    days=param("integer", "Number of days"),
    units=param("string", "Units", enum=["celsius", "fahrenheit"]),
)
EXPORT = ability(
    "export_report",
    "Export a report",
    needs="format",
    format=param("string", "Output format", enum=["pdf", "html", "markdown"]),
    include_charts=param("boolean", "Whether charts are included"),
    year=param("integer", "Year of the report"),
)
HOTEL = ability(
    "hotel_search",
    "Find hotels",
    needs="city",
    city=param("string", "The city"),
    stars=param("integer", "Stars of the hotel"),
    max_price=param("integer", "Highest price per night"),
    amenities=many("string", "What it offers", enum=["pool", "gym", "wifi", "parking"]),
)
MESSAGE = ability(
    "send_message",
    "Send a message to a contact",
    needs="recipient text",
    recipient=param("string", "Who gets it"),
    text=param("string", "The message"),
)
VOLUME = ability(
    "set_volume",
    "Set loudness",
    needs="percent",
    percent=param("integer", "Loudness in percent", minimum=0, maximum=100),
)
CASES = ability(
    "find_cases",
    "Find court cases",
    needs="case_type jurisdiction",
    case_type=param("string", "Type of the case"),
    jurisdiction=param("string", "Where the case was heard"),
    year=param("integer", "Year of the decision"),
)
SHOES = ability(
    "product_search",
    "Search products",
    needs="product",
    product=param("string", "Product"),
    brand=param("string", "Brand"),
    max_price=param("number", "Maximum price"),
    color=param("string", "Colour"),
)
KITCHEN = ability(
    "kitchen_convert",
    "Convert kitchen measures",
    needs="value from_unit to_unit",
    value=param("number", "How much"),
    from_unit=param("string", "Unit to convert from"),
    to_unit=param("string", "Unit to convert to"),
)
PASSWORD = ability(
    "make_password",
    "Make a password",
    needs="length",
    length=param("integer", "How many characters"),
    symbols=param("boolean", "Include symbols"),
    digits=param("boolean", "Include digits"),
)


@all_rows(
    "info, text, values",
    [
        (TIMER, "set a timer for half an hour", {"minutes": 30}),
        (TIMER, "start a timer for 2 hours", {"minutes": 120}),
        (TIMER, "timer, twenty-five minutes please", {"minutes": 25}),
        (TIMER, "15分钟的计时器", {"minutes": 15}),
        (TIMER, 'set a timer of 10 minutes called "tea"', {"minutes": 10, "label": "tea"}),
        (RESIZE, "make it 800 wide and 600 high", {"width": 800, "height": 600}),
        (RESIZE, "resize to 1920x1080", {"width": 1920, "height": 1080}),
        (
            RESIZE,
            "resize to a height of 300 and a width of 400 keeping the ratio",
            {"width": 400, "height": 300, "keep_ratio": True},
        ),
        (
            LOAN,
            "What do I pay monthly for a $200,000 loan at 4.5% over 30 years?",
            {"principal": 200_000, "annual_rate": 0.045, "years": 30},
        ),
        (
            LOAN,
            "loan of 1.5 million dollars, 20 years, 6 percent interest",
            {"principal": 1_500_000, "annual_rate": 0.06, "years": 20},
        ),
        (VOLUME, "set the volume to 40%", {"percent": 40}),
        (VOLUME, "音量设为50", {"percent": 50}),
        (
            WEATHER,
            "What will the weather be like in Cape Town for the next week?",
            {"city": "Cape Town", "days": 7},
        ),
        (
            KITCHEN,
            "convert 3 cups to tablespoons",
            {"value": 3, "from_unit": "cups", "to_unit": "tablespoons"},
        ),
    ],
)
async def test_numbers_come_with_their_units_scales_and_words(
    info: MetaActionInfo, text: str, values: dict[str, Json]
) -> None:
    assert (await read(text, info)).values == values


@all_rows(
    "info, text, values",
    [
        (
            TABLE,
            "book a table for four at Green Olive on April 3, 2026",
            {"restaurant": "Green Olive", "people": 4, "date": "04/03/2026"},
        ),
        (
            TABLE,
            "table for two people at Casa Verde tomorrow, outdoor please",
            {"restaurant": "Casa Verde", "people": 2, "date": "03/06/2025", "outdoor": True},
        ),
        (
            TRIP,
            "how long does it take from Vienna to Graz by train",
            {"start": "Vienna", "end": "Graz", "mode": "train"},
        ),
        (
            TRIP,
            "travel time between Oslo and Bergen on foot",
            {"start": "Oslo", "end": "Bergen", "mode": "on_foot"},
        ),
        (SONG, "play Yesterday by The Beatles", {"song": "Yesterday", "artist": "The Beatles"}),
        (SONG, "play 'Clair de lune' at volume 30", {"song": "Clair de lune", "volume": 30}),
        (NOTES, "search my notes for garden plan", {"query": "garden plan"}),
        (NOTES, "find notes about solar panels, at most 5 results", {"query": "solar panels", "limit": 5}),
        (NOTES, "在笔记里搜索“旅行计划”", {"query": "旅行计划"}),
        (
            TRANSLATE,
            "translate good morning into German",
            {"text": "good morning", "target_language": "German"},
        ),
        (MESSAGE, 'send Maria the message "I am late"', {"recipient": "Maria", "text": "I am late"}),
        (
            MESSAGE,
            "send a message to Jonas saying see you at noon",
            {"recipient": "Jonas", "text": "see you at noon"},
        ),
        (
            CASES,
            "Find patent cases in Texas from 2018",
            {"case_type": "patent", "jurisdiction": "Texas", "year": 2018},
        ),
        (CASES, "look up divorce cases heard in Ohio", {"case_type": "divorce", "jurisdiction": "Ohio"}),
        (
            SHOES,
            "find red running shoes by Adidas cheaper than $80",
            {"product": "running shoes", "brand": "Adidas", "max_price": 80, "color": "red"},
        ),
    ],
)
async def test_wordings_go_where_their_prepositions_and_neighbours_point(
    info: MetaActionInfo, text: str, values: dict[str, Json]
) -> None:
    assert (await read(text, info)).values == values


@pytest.mark.parametrize(
    ("info", "text", "values"),
    [
        (
            CLEAN,
            "clean ~/Downloads of files older than two weeks",
            {"folder": "~/Downloads", "older_than_days": 14},
        ),
        (
            CLEAN,
            "clean my downloads folder, older than 30 days, dry run",
            {"folder": "~/Downloads", "older_than_days": 30, "dry_run": True},
        ),
        (CLEAN, "清理下载文件夹里超过三十天的文件", {"folder": "~/Downloads", "older_than_days": 30}),
        (
            WEATHER,
            "weather in Salzburg for the next 3 days in °C",
            {"city": "Salzburg", "days": 3, "units": "celsius"},
        ),
        (
            EXPORT,
            "export the 2023 report as PDF without charts",
            {"format": "pdf", "include_charts": False, "year": 2023},
        ),
        (
            EXPORT,
            "export the report to markdown including charts",
            {"format": "markdown", "include_charts": True},
        ),
        (
            HOTEL,
            "find a four star hotel in Salzburg with pool and gym under 150 euros",
            {"city": "Salzburg", "stars": 4, "max_price": 150, "amenities": ["pool", "gym"]},
        ),
        (
            PASSWORD,
            "make a password of 16 characters with symbols but without digits",
            {"length": 16, "symbols": True, "digits": False},
        ),
    ],
)
async def test_choices_and_switches_are_meant_or_left_alone(
    info: MetaActionInfo, text: str, values: dict[str, Json]
) -> None:
    assert (await read(text, info)).values == values


@pytest.mark.parametrize(
    ("text", "values"),
    [
        (
            'remind me of "call mum" tomorrow at 5 pm',
            {"title": "call mum", "date": "2025-03-06", "time": "17:00"},
        ),
        ("提醒我下周一“交报告”", {"title": "交报告", "date": "2025-03-10"}),
        ("提醒我明天下午三点“开会”", {"title": "开会", "date": "2025-03-06", "time": "15:00"}),
        ('reminder "dentist" on 12 May 2025', {"title": "dentist", "date": "2025-05-12"}),
        ('remind me of "rent" on the 1st of April', {"title": "rent", "date": "2025-04-01"}),
        ('remind me of "gym" on Friday at 7:30', {"title": "gym", "date": "2025-03-07", "time": "07:30"}),
    ],
)
async def test_dates_are_written_as_they_are_asked_for(text: str, values: dict[str, Json]) -> None:
    assert (await read(text, REMIND)).values == values


STATISTICS = ability("mean", "Mean of numbers", needs="numbers", numbers=many("number", "The numbers"))
CITIES = ability(
    "compare_cities", "Compare cities", needs="cities", cities=many("string", "Names of the cities")
)
POINTS = ability(
    "distance",
    "Distance between two points",
    needs="point_a point_b",
    point_a=many("number", "First point as x, y"),
    point_b=many("number", "Second point as x, y"),
)
MATRICES = ability(
    "multiply",
    "Multiply two matrices",
    needs="first second",
    first={"type": "array", "items": {"type": "array", "items": {"type": "integer"}}},
    second={"type": "array", "items": {"type": "array", "items": {"type": "integer"}}},
)
USER = ability(
    "create_user",
    "Create a user account",
    needs="user",
    user={
        "type": "object",
        "properties": {
            "name": param("string", "Full name"),
            "age": param("integer", "Age in years"),
            "email": param("string", "Mail address", format="email"),
        },
        "required": ["name", "age"],
    },
)
SLOPE = ability(
    "derivative",
    "Differentiate a function",
    needs="function at",
    function=param("string", "The function in Python syntax"),
    at=param("number", "Where to evaluate"),
)


@pytest.mark.parametrize(
    ("info", "text", "values"),
    [
        (STATISTICS, "mean of 3, 5, 8 and 12.5", {"numbers": [3, 5, 8, 12.5]}),
        (STATISTICS, "what is the average of [1, 2, 3]?", {"numbers": [1, 2, 3]}),
        (CITIES, "compare Lisbon, Porto and Madrid", {"cities": ["Lisbon", "Porto", "Madrid"]}),
        (POINTS, "distance between (1, 2) and (4, 6)", {"point_a": [1, 2], "point_b": [4, 6]}),
        (POINTS, "point_a=(1,2), point_b=(4,6)", {"point_a": [1, 2], "point_b": [4, 6]}),
        (
            MATRICES,
            "multiply [[1, 2], [3, 4]] by [[5], [6]]",
            {"first": [[1, 2], [3, 4]], "second": [[5], [6]]},
        ),
        (
            USER,
            "create a user named Ada Brook, 34 years old, ada@brook.example",
            {"user": {"name": "Ada Brook", "age": 34, "email": "ada@brook.example"}},
        ),
        (SLOPE, "derivative of f(x) = x^2 + 1 at 3", {"function": "x**2 + 1", "at": 3}),
    ],
)
async def test_lists_points_objects_and_formulas_are_put_together(
    info: MetaActionInfo, text: str, values: dict[str, Json]
) -> None:
    assert (await read(text, info)).values == values


PLACE = ability(
    "find_salon",
    "Find a hair salon",
    needs="place",
    place=param("string", "The city, in the format 'City, State' (e.g. 'Austin, TX')"),
)
DICE = ability(
    "roll",
    "Roll dice",
    needs="count sides",
    count=param("integer", "Number of dice"),
    sides=param("integer", "Sides of each die. Default is 6."),
)


@pytest.mark.parametrize("place", ["Boston", "Paris", "Tampa, Florida", "Smallville"])
async def test_a_place_is_as_it_was_said(place: str) -> None:
    assert (await read(f"a hair salon in {place}", PLACE)).values == {"place": place}


async def test_what_is_required_and_unsaid_is_as_the_description_states() -> None:
    assert (await read("roll 2 dice", DICE)).values == {"count": 2, "sides": 6}
    assert (await read("roll three dice with 20 sides", DICE)).values == {"count": 3, "sides": 20}


@pytest.mark.parametrize(
    ("info", "text"),
    [
        (SONG, "play something"),
        (SHOES, "search a product please"),
        (TRIP, "how long does the trip take"),
        (VOLUME, "louder"),
    ],
)
async def test_words_that_only_ask_are_no_values(info: MetaActionInfo, text: str) -> None:
    found = await read(text, info)
    assert found.values == {}
    assert found.missing == info.required()


async def test_optional_parameters_stay_empty_without_plain_evidence() -> None:
    found = await read("weather in Lyon", WEATHER)
    assert found.values == {"city": "Lyon"}


ROOM = ability(
    "find_room",
    "Find a hotel room",
    smoking_allowed=param("boolean", "Select true for smoking rooms, false for non-smoking rooms"),
    visible=param("boolean", "Whether others see it: shared (true) or private (false)"),
)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("find a non-smoking room", {"smoking_allowed": False}),
        ("find a smoking room", {"smoking_allowed": True}),
        ("find a room and keep it private", {"visible": False}),
        ("find a room, it is not private", {"visible": True}),
        ("find a room", {}),
    ],
)
async def test_a_switch_is_set_by_what_its_description_says_of_true_and_false(
    text: str, values: dict[str, Json]
) -> None:
    assert (await read(text, ROOM)).values == values


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("add buy milk to my daily note", "buy milk"),
        ("add the result to my daily note", "the result"),
        ("add a note that I left my keys in the car", "I left my keys in the car"),
    ],
)
async def test_where_a_text_is_added_is_no_part_of_it(text: str, note: str) -> None:
    text_ = param("string", "what to note down", **{"x-partner-rest": True})
    daily = replace(
        ability("daily_note", "Add a note to today's file", needs="text", text=text_), label="Daily note"
    )
    assert (await read(text, daily)).values == {"text": note}


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("zip ~/Documents to ~/Desktop", "~/Desktop"),
        ("zip ~/Documents ~/Desktop", "~/Desktop"),
        ("zip ~/Documents and put it in ~/Desktop", "~/Desktop"),
        ("zip ~/Documents and also ~/Music", None),
        ("zip ~/Documents, ~/Music and ~/Pictures", None),
        ("压缩 ~/Documents 和 ~/Music", None),
    ],
)
async def test_one_more_path_to_work_on_is_not_where_the_first_goes(text: str, target: str | None) -> None:
    source = param("string", "the folder to zip", format="path", access="read")
    where = param("string", "the folder where it goes", format="path", access="write")
    pack = ability("zip_folder", "Zip a folder", needs="source", source=source, target=where)
    values = (await read(text, pack)).values
    assert values.get("target") == target
    assert values["source"] == "~/Documents"


#: What a request says plainly, for the shipped samples and what is built in.
SAID_PLAINLY: dict[str, dict[str, dict[str, Json]]] = {
    "local::resize_images": {
        "resize the photos in ~/Pictures to 1000": {"images": "~/Pictures", "longest_side": 1000},
        "~/Pictures 里的照片都缩到400宽": {"images": "~/Pictures", "longest_side": 400},
        "~/Pictures 里的照片最长边改成六百五": {"images": "~/Pictures", "longest_side": 650},
        "make jpgs out of the pngs in ~/Pictures": {"images": "~/Pictures", "format": "jpg"},
        "save the photos in ~/Pictures as webp": {"images": "~/Pictures", "format": "webp"},
        "convert ~/Pictures to png and put them in ~/Desktop": {
            "images": "~/Pictures", "format": "png", "target": "~/Desktop",
        },
    },
    "local::disk_usage": {
        "the five biggest things in ~/Documents": {"folder": "~/Documents", "top": 5},
        "~/Documents 里最大的三个文件": {"folder": "~/Documents", "top": 3},
    },
    "local::recent_files": {
        "what's new in ~/Notes since a fortnight": {"folder": "~/Notes", "days": 14},
        "过去一周 ~/Notes 里哪些文件动过": {"folder": "~/Notes", "days": 7},
    },
    "local::zip_folder": {"zip ~/Notes": {"source": "~/Notes"}},
    "builtin::clipboard::write": {
        "copy the text see you at eight to the clipboard": {"text": "see you at eight"},
        "把周五晚上七点聚餐放到剪贴板": {"text": "周五晚上七点聚餐"},
    },
    "local::rename_files": {
        "replace IMG with holiday in the names of ~/Pictures": {
            "folder": "~/Pictures", "replace": "IMG", "new_text": "holiday",
        },
        "in ~/Pictures swap DSC for Trip": {"folder": "~/Pictures", "replace": "DSC", "new_text": "Trip"},
        "I want that DSC is replaced with Sea in ~/Pictures": {
            "folder": "~/Pictures", "replace": "DSC", "new_text": "Sea",
        },
        "nmber the pictures in ~/Pictures": {"folder": "~/Pictures", "add": "number"},
        "给 ~/Pictures 里的照片按顺序编号": {"folder": "~/Pictures", "add": "number"},
        "~/Pictures 里的文件名前面加上日期": {"folder": "~/Pictures", "add": "date"},
    },
    "local::search_text": {
        "search for a word in ~/Documents": {"folder": "~/Documents"},
        "在 ~/Notes 里搜 hotel": {"folder": "~/Notes", "text": "hotel"},
        "grep -ri budget ~/Notes": {"folder": "~/Notes", "text": "budget"},
        "where it says deposit, somewhere in ~/Notes": {"folder": "~/Notes", "text": "deposit"},
        "WHICH FILES HAVE THE WORD BUDGET IN THEM, ~/Notes": {"folder": "~/Notes", "text": "BUDGET"},
    },
    "local::daily_note": {
        "jot something down": {},
        "make a note: buy eggs": {"text": "buy eggs"},
        "pop into today's note that Lou owes me 20": {"text": "Lou owes me 20"},
        "make a note for today I called the bank": {"text": "I called the bank"},
        "remember that the locker code is 4711": {"text": "the locker code is 4711"},
        "日记里添一句今天跑了五公里": {"text": "今天跑了五公里"},
        "记着车锁密码是2290": {"text": "车锁密码是2290"},
        "写日记": {},
    },
    "builtin::files::append": {
        "put eggs and butter on '/home/ann/shopping list.txt'": {
            "file": "/home/ann/shopping list.txt", "text": "eggs and butter",
        },
        "~/Notes/清单.txt 里加一个酱油": {"file": "~/Notes/清单.txt", "text": "酱油"},
        "往 ~/Notes/清单.txt 里添点醋": {"file": "~/Notes/清单.txt", "text": "醋"},
        "把修车写进 ~/Notes/清单.txt": {"file": "~/Notes/清单.txt", "text": "修车"},
        "~/Notes/list.txt still needs oat milk and honey": {
            "file": "~/Notes/list.txt", "text": "oat milk and honey",
        },
    },
    "builtin::files::write": {
        "write hello world into a new file called ~/Desktop/hi.txt": {
            "file": "~/Desktop/hi.txt", "text": "hello world",
        },
    },
    "builtin::files::find": {
        "find the pdfs in ~/Downloads": {"pattern": "*.pdf", "folder": "~/Downloads"},
    },
}  # fmt: skip


@pytest.mark.parametrize("key", SAID_PLAINLY)
async def test_what_is_said_plainly_is_bound_and_a_placeholder_is_not(key: str) -> None:
    files = (path for path in (REPOSITORY / "action" / "dynamic").iterdir() if path.name[0] not in "._")
    shipped = [read_ability(path, location="local", route=Route.MCP).info for path in files]
    info = next(info for info in (*builtin_infos(), *shipped) if info.key == key)
    wanted = SAID_PLAINLY[key]
    assert {text: (await read(text, info)).values for text in wanted} == wanted


NUMBERED = ability(
    "gcd", "Greatest common divisor", needs="number1 number2",
    number1=param("integer", "The first integer"), number2=param("integer", "The second integer"),
)  # fmt: skip
ORDER = ability("status", "Status of an order", needs="order_id", order_id=param("string", "The order's id"))
MOVIE = ability(
    "movies", "Find movies", directed_by=param("string", "Name of the director"),
    cast=param("string", "Name of the lead actor"),
)  # fmt: skip


@pytest.mark.parametrize(
    ("info", "text", "values"),
    [
        (NUMBERED, "the divisor of two numbers, say 36 and 48", {"number1": 36, "number2": 48}),
        (ORDER, "status of my order? the order ID is #123", {"order_id": "#123"}),
        (ORDER, "where is my order of a pair of shoes", {}),
        (MOVIE, "I want to see a movie with Ving Rhames", {"cast": "Ving Rhames"}),
        (MOVIE, "movies directed by Jordan Peele", {"directed_by": "Jordan Peele"}),
    ],
)
async def test_numbers_identifiers_and_names_go_where_their_kind_belongs(
    info: MetaActionInfo, text: str, values: dict[str, Json]
) -> None:
    assert (await read(text, info)).values == values


TEA = ability(
    "tea",
    "泡茶计时",
    needs="kind",
    kind=param("string", "茶的种类", enum=["绿茶", "红茶", "乌龙"]),
    milk=param("boolean", "是否加奶"),
    degrees=param("integer", "水温，摄氏度"),
)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("泡红茶，加奶", {"kind": "红茶", "milk": True}),
        ("来杯乌龙，不加奶", {"kind": "乌龙", "milk": False}),
        ("绿茶 零下5度", {"kind": "绿茶", "degrees": -5}),
        ("再问一遍：绿茶 零下5度，别加奶", {"kind": "绿茶", "degrees": -5, "milk": False}),
        ("a pot of oolong without milk", {"milk": False}),
    ],
)
async def test_choices_and_flags_are_said_in_chinese_and_of_it(text: str, values: dict[str, Json]) -> None:
    assert (await read(text, TEA)).values == values


PIZZA = ability(
    "pizza",
    "Price of a pizza",
    needs="size",
    size=param("string", "How big it is", enum=["small", "medium", "large"]),
    extra=param("boolean", "with extra cheese"),
    plain=param("boolean", "without salt"),
    day=param("string", "The day it is needed", format="date"),
    people=param("integer", "Number of guests"),
)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("a large pizza with extra cheese", {"size": "large", "extra": True}),
        ("一个大号披萨，多加芝士，不要盐", {"size": "large", "extra": True, "plain": True}),
        ("小号披萨，三个人，圣诞节那天", {"size": "small", "people": 3, "day": "2025-12-25"}),
        ("a medium pizza on christmas eve", {"size": "medium", "day": "2025-12-24"}),
        ("一个中号披萨，一月三号", {"size": "medium", "day": "2026-01-03"}),
    ],
)
async def test_what_is_told_in_english_is_said_in_chinese_and_days_have_names(
    text: str, values: dict[str, Json]
) -> None:
    assert (await read(text, PIZZA)).values == values
