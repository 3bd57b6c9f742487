"""The account of what was said: what came into no value is told, by what it is, and nothing else is."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.leftover import LeftoverKind
from partner_desktop.domain.meta_action import MetaActionInfo, Route
from partner_desktop.language.arguments.account import unaccounted
from tests.tables import all_rows


def ability(key: str, description: str, *aliases: str, **params: JsonObject) -> MetaActionInfo:
    schema: JsonObject = {"type": "object", "properties": dict(params)}
    return MetaActionInfo(key, Route.MCP, description, aliases=aliases, params=schema)


def param(kind: str, description: str, **more: Json) -> JsonObject:
    return {"type": kind, "description": description, **more}


TRASH = ability(
    "builtin::trash",
    "Move files or folders to the trash.",
    "delete a file",
    "删除文件",
    paths={"type": "array", "items": {"type": "string"}, "description": "what to move to the trash"},
)
MOVE = ability(
    "builtin::move",
    "Move or rename a file.",
    source=param("string", "the file"),
    target=param("string", "where to"),
)
ZIP = ability(
    "local::zip",
    "Pack a folder into a zip archive.",
    "zip a folder",
    "打包文件夹",
    folder=param("string", "the folder"),
    exclude=param("string", "names to leave out"),
)
TEA = ability(
    "local::tea",
    "Prepare a hot drink.",
    "make tea",
    drink=param("string", "what to prepare"),
    cups=param("integer", "how many", default=1),
    decaf=param("boolean", "without caffeine", default=False),
)
RENAME = ability(
    "local::rename",
    "Give files new names.",
    "rename files",
    folder=param("string", "the folder"),
    old_text=param("string", "what to replace"),
    new_text=param("string", "what comes there"),
)
NOTE = ability("local::note", "Write something down.", "take a note", text=param("string", "what to note"))
TIMER = ability(
    "local::timer",
    "Start a countdown.",
    "start a timer",
    minutes=param("number", "how long, in minutes"),
    label=param("string", "what for"),
)
DAYS = ability("local::days", "Count the days.", day=param("string", "until when", format="date"))

DOWNLOADS: JsonObject = {"paths": ["~/Downloads"]}
NOTES: JsonObject = {"folder": "~/Notes"}

LEFT: list[tuple[str, MetaActionInfo, JsonObject, list[tuple[str, str]]]] = [
    # Another deed beside it, and what is none.
    ("zip ~/Notes and delete the beach photo", ZIP, NOTES, [("place", "delete the beach photo")]),
    ("zip ~/Notes and tell me when it is done", ZIP, NOTES, []),
    ("note: buy milk and delete the photo", NOTE, {"text": "buy milk and delete the photo"}, []),
    ("delete all files in ~/Downloads except the pdfs", TRASH, DOWNLOADS, [("exclusion", "except the pdfs")]),
    (
        "clear ~/Downloads but leave the list alone",
        TRASH,
        DOWNLOADS,
        [("exclusion", "but leave the list alone")],
    ),
    ("empty ~/Downloads, keep the songs", TRASH, DOWNLOADS, [("exclusion", "keep the songs")]),
    ("empty ~/Downloads. don't touch the songs", TRASH, DOWNLOADS, [("exclusion", "don't touch the songs")]),
    ("delete ~/Downloads, the songs must stay", TRASH, DOWNLOADS, [("exclusion", "the songs must stay")]),
    ("把下载里的东西都删了，pdf留着", TRASH, DOWNLOADS, [("exclusion", "pdf留着")]),
    ("除了PDF，把下载都删掉", TRASH, DOWNLOADS, [("exclusion", "除了PDF")]),
    ("删掉下载，别动照片", TRASH, DOWNLOADS, [("exclusion", "别动照片")]),
    # Another deed that is not wanted is looked past where nothing could be lost by it.
    ("zip ~/Notes, don't move", ZIP, NOTES, []),
    ("zip ~/Notes but do not delete anything", ZIP, NOTES, [("exclusion", "but do not delete anything")]),
    ("zip ~/Notes, don't delete", ZIP, NOTES, [("exclusion", "don't delete")]),
    ("zip ~/Notes, don't overwrite them", ZIP, NOTES, [("exclusion", "don't overwrite them")]),
    ("打包 ~/Notes，别删除", ZIP, NOTES, [("exclusion", "别删除")]),
    ("zip ~/Notes without the mp3s", ZIP, NOTES, [("exclusion", "without the mp3s")]),
    ("zip ~/Notes without the mp3s", ZIP, {**NOTES, "exclude": "mp3"}, []),
    ("zip only the pdfs in ~/Notes", ZIP, NOTES, [("only", "only the pdfs")]),
    ("zip ~/Notes if there are any", ZIP, NOTES, [("condition", "if there are any")]),
    ("zip ~/Notes and email it to Ann", ZIP, NOTES, [("name", "Ann")]),
    ("just zip ~/Notes please", ZIP, NOTES, []),
    ("can't find my notes, zip ~/Notes, no rush", ZIP, NOTES, []),
    ("make me three cups of tea without caffeine", TEA, {"drink": "tea", "cups": 3, "decaf": True}, []),
    (
        "make me three cups of tea without caffeine",
        TEA,
        {"drink": "tea", "cups": 1, "decaf": False},
        [("number", "three cups"), ("exclusion", "without caffeine")],
    ),
    (
        "replace IMG with holiday in ~/Pictures",
        RENAME,
        {"folder": "~/Pictures", "old_text": "IMG"},
        [("with", "with holiday")],
    ),
    (
        "replace IMG with holiday in ~/Pictures",
        RENAME,
        {"folder": "~/Pictures", "old_text": "IMG", "new_text": "holiday"},
        [],
    ),
    (
        "move ~/a.txt into a folder called Old Stuff",
        MOVE,
        {"source": "~/a.txt"},
        [("name", "called Old Stuff")],
    ),
    (
        "move ~/a.txt into a folder called Old Stuff",
        MOVE,
        {"source": "~/a.txt", "target": "~/Old Stuff/a.txt"},
        [],
    ),
    ("桌面上新建个文件夹 叫旅行照片", MOVE, {"target": "~/Desktop"}, [("name", "叫旅行照片")]),
    ("桌面上新建个文件夹 叫旅行照片", MOVE, {"target": "~/Desktop/旅行照片"}, []),
    ('note "buy milk" and "call Ann"', NOTE, {"text": "buy milk"}, [("quote", '"call Ann"')]),
    ("note that I never liked it, if you ask me", NOTE, {"text": "I never liked it, if you ask me"}, []),
    ("start a timer of 1.5 hours", TIMER, {"minutes": 90}, []),
    ("start a timer of 20 minutes", TIMER, {"minutes": 2}, [("number", "20 minutes")]),
    ("倒计时5分钟", TIMER, {"minutes": 5}, []),
    ("倒计时25分钟", TIMER, {"minutes": 5}, [("number", "25分钟")]),
    ("how many days until 24 December 2031", DAYS, {"day": "2031-12-24"}, []),
]


@all_rows("text, info, values, left", LEFT)
def test_what_came_into_no_value_is_told(
    text: str, info: MetaActionInfo, values: JsonObject, left: list[tuple[str, str]]
) -> None:
    assert [(one.kind.value, one.words) for one in unaccounted(text, info, values)] == left


def test_words_that_were_resolved_are_accounted_for() -> None:
    text = "zip the 2019 folder without date"
    assert [one.kind for one in unaccounted(text, ZIP, {"folder": "~/Old"})] != []
    assert unaccounted(text, ZIP, {"folder": "~/Old"}, references=["the 2019 folder without date"]) == ()


EXCLUDING = [
    "{} except {}",
    "{}, except for {}",
    "{} but not {}",
    "{} apart from {}",
    "{} other than {}",
    "{} without {}",
    "{}, but leave {} alone",
    "{} but keep {}",
    "{}, don't touch {}",
    "{} and leave {} alone",
    "{}; {} must stay",
    "{}, but {} should stay",
    "{} excluding {}",
    "{} with the exception of {}",
    "except {}, {}",
]
ZH_EXCLUDING = [
    "{}，除了{}",
    "{}，别动{}",
    "{}，不要动{}",
    "{}，{}留着",
    "{}，{}不要删",
    "{}，{}除外",
    "{}，但不要删{}",
    "{}，不包括{}",
]
WHOLES = st.sampled_from(
    [
        "delete everything in ~/Downloads",
        "trash all files in ~/Downloads",
        "empty ~/Downloads",
        "clear ~/Downloads",
    ]
)
PARTS = st.sampled_from(
    ["the pdfs", "my songs", "cat.png", "the letter to Ann", "anything from 2019", "pdf files"]
)
ZH_PARTS = st.sampled_from(["照片", "PDF", "cat.png", "合同", "我的歌"])
BOUND = st.sampled_from(
    [DOWNLOADS, {}, {"paths": ["~/Downloads", "pdfs"]}, {"paths": ["cat.png"]}, {"paths": ["照片", "PDF"]}]
)


@settings(max_examples=200, deadline=None)
@given(
    st.one_of(
        st.builds(str.format, st.sampled_from(EXCLUDING), WHOLES, PARTS),
        st.builds(str.format, st.sampled_from(ZH_EXCLUDING), st.just("把下载里的东西都删掉"), ZH_PARTS),
    ),
    BOUND,
)
def test_no_exclusion_is_ever_dropped(text: str, values: JsonObject) -> None:
    assert LeftoverKind.EXCLUSION in {one.kind for one in unaccounted(text, TRASH, values)}
