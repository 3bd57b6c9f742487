"""Arguments come out of plain words, with the types that the schema asks for."""

from __future__ import annotations

import pytest

from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.meta_action import MetaActionInfo, Route
from partner_desktop.mind.question import ExtractedParams, ExtractParams
from partner_desktop.mind.starter.mind import StarterMind
from tests.tables import all_rows


def ability(
    name: str, description: str, aliases: tuple[str, ...] = (), **params: JsonObject
) -> MetaActionInfo:
    """A described script; a parameter is required unless it has a default or says otherwise."""
    required = [
        key for key, schema in params.items() if "default" not in schema and schema.pop("required", True)
    ]
    return MetaActionInfo(
        key=f"local::{name}",
        route=Route.MCP,
        description=description,
        aliases=aliases,
        params={"type": "object", "properties": dict(params), "required": list(required)},
    )


def path(description: str) -> JsonObject:
    return {"type": "string", "format": "path", "access": "read", "description": description}


COUNT = ability("count_words", "Count the words in a file", file=path("the text file to count"))
TWICE = ability(
    "find_duplicates",
    "Find duplicate files in a folder",
    folder=path("the folder to search"),
    min_size_bytes={
        "type": "integer",
        "minimum": 0,
        "default": 1,
        "description": "leave out smaller files, in bytes",
    },
    include_hidden={
        "type": "boolean",
        "default": False,
        "description": "whether to look at hidden files too",
    },
)
CONVERT = ability(
    "convert_image",
    "Convert an image",
    source=path("the image"),
    target=path("where to write it"),
    format={"type": "string", "enum": ["png", "jpeg", "webp"], "required": False},
    quality={"type": "integer", "minimum": 1, "maximum": 100, "required": False},
    title={"type": "string", "description": "a caption", "required": False},
)
MERGE = ability(
    "merge",
    "Join documents",
    files={"type": "array", "items": {"type": "string", "format": "path"}},
    target=path("result"),
)
OPEN = ability(
    "open", "Open a file or link", target={"type": "string", "description": "the file or link to open"}
)
RUN = ability(
    "execute",
    "Run a command in the terminal",
    ("run this command", "execute a program", "运行命令"),
    argv={"type": "array", "items": {"type": "string"}, "minItems": 1, "x-partner-rest": True},
)
NOTIFY = ability(
    "notify",
    "Show a notification on the desktop",
    ("notify me", "remind me with a notification", "通知我", "弹出提醒"),
    text={"type": "string", "minLength": 1, "x-partner-rest": True},
)
NOTE = MetaActionInfo(
    key="origin::note.sh",
    route=Route.ORIGIN,
    description="",
    free_args=True,
    params={"type": "object", "properties": {"args": {"type": "string", "default": ""}}, "required": []},
)


async def extract(
    text: str, info: MetaActionInfo, *, asked: str = "", known: JsonObject | None = None
) -> ExtractedParams:
    return await StarterMind().ask(ExtractParams(text, info, known=known or {}, asked=asked))


@all_rows(
    "text, file",
    [
        ("how many words are in README.md?", "README.md"),
        ('count the words in "my essay.txt" please', "my essay.txt"),
        ("count the words in “my essay.txt”", "my essay.txt"),
        ("统计「我的 文章.txt」的字数", "我的 文章.txt"),
        ("how many words has 'Kurz Text.md'", "Kurz Text.md"),
        ("count words in `a b.txt`", "a b.txt"),
        ("count words in /var/log/syslog.", "/var/log/syslog"),
        ("count the words of ./x, will you", "./x"),
        ("how many words are in ~/notes/today.md?", "~/notes/today.md"),
        ("how many words has the file .bashrc", ".bashrc"),
        ("count words in docs/readme.md and tell me", "docs/readme.md"),
        (r"count words in C:\Users\me\a.txt", r"C:\Users\me\a.txt"),
        ("count words file=notes.txt", "notes.txt"),
        ("count words, file: notes", "notes"),
        ("count words --file=notes", "notes"),
        ("统计README.md的字数", "README.md"),
        ("帮我统计一下 ~/文档/报告.txt 的字数", "~/文档/报告.txt"),
    ],
)
async def test_a_path_is_taken_as_it_is_written(text: str, file: str) -> None:
    assert (await extract(text, COUNT)).values == {"file": file}


@pytest.mark.parametrize(
    ("text", "folder"),
    [
        ("find duplicates in my downloads folder", "~/Downloads"),
        ("find duplicates in the Downloads folder", "~/Downloads"),
        ("find duplicates in Documents", "~/Documents"),
        ("are there duplicates on my desktop?", "~/Desktop"),
        ("how many of my pictures are duplicates", "~/Pictures"),
        ("find duplicates in my home folder", "~"),
        ("下载文件夹里有没有重复文件", "~/Downloads"),
        ("桌面上有没有重复文件", "~/Desktop"),
        ("are there duplicates in this folder", "."),
    ],
)
async def test_a_folder_that_everybody_has_is_known_by_its_name(text: str, folder: str) -> None:
    assert (await extract(text, TWICE)).values == {"folder": folder}


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("find duplicates larger than 5 MB in ~/a", {"folder": "~/a", "min_size_bytes": 5_000_000}),
        ("duplicates in ~/a of at least 1,000 bytes", {"folder": "~/a", "min_size_bytes": 1000}),
        ("duplicates in ~/a, min_size_bytes=20", {"folder": "~/a", "min_size_bytes": 20}),
        ("duplicates in ~/a including hidden files", {"folder": "~/a", "include_hidden": True}),
        ("duplicates in ~/a without hidden files", {"folder": "~/a", "include_hidden": False}),
        ("duplicates in ~/a include_hidden=true", {"folder": "~/a", "include_hidden": True}),
        ("the 3 of us look for duplicates in ~/a", {"folder": "~/a"}),
        ("duplicates in ~/a, min_size_bytes=many", {"folder": "~/a"}),
        ("duplicates in ~/a, min_size_bytes=-4", {"folder": "~/a"}),
    ],
)
async def test_numbers_and_switches_have_their_types_and_what_does_not_fit_is_left_out(
    text: str, values: dict[str, Json]
) -> None:
    found = await extract(text, TWICE)
    assert found.values == values
    assert found.missing == ()


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("convert a.png to b.jpeg with quality 80", {"source": "a.png", "target": "b.jpeg", "quality": 80}),
        ("convert to out.webp from in.png", {"source": "in.png", "target": "out.webp"}),
        (
            'convert a.png into b.webp as webp, title "Sea at night"',
            {"source": "a.png", "target": "b.webp", "format": "webp", "title": "Sea at night"},
        ),
        ("target=b.png source=a.gif", {"source": "a.gif", "target": "b.png"}),
    ],
)
async def test_several_parts_go_to_their_parameters_and_each_is_used_once(
    text: str, values: dict[str, Json]
) -> None:
    assert (await extract(text, CONVERT)).values == values


async def test_a_list_takes_all_parts_that_are_left_in_their_order() -> None:
    found = await extract("join a.pdf, b.pdf and 'salt and pepper.pdf' into target=all.pdf", MERGE)
    assert found.values == {"files": ["a.pdf", "b.pdf", "salt and pepper.pdf"], "target": "all.pdf"}


async def test_what_is_required_and_not_given_is_missing_in_declared_order() -> None:
    found = await extract("convert something", CONVERT)
    assert found.values == {}
    assert found.missing == ("source", "target")
    assert found.problem == ""


async def test_what_was_found_before_stays_unless_it_is_said_anew() -> None:
    known: JsonObject = {"source": "old.png", "quality": 5}
    found = await extract("convert it to new.png with quality 9", CONVERT, known=known)
    assert found.values == {"source": "old.png", "target": "new.png", "quality": 9}
    assert found.missing == ()


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("open https://example.org", "https://example.org"),
        ("open example.org/a?b=1.", "https://example.org/a?b=1"),
        ("打开 https://example.org。", "https://example.org"),
        ("please open ~/report.pdf", "~/report.pdf"),
        ("open the file notes.txt", "notes.txt"),
    ],
)
async def test_a_target_is_a_link_or_a_file(text: str, target: str) -> None:
    assert (await extract(text, OPEN)).values == {"target": target}


@pytest.mark.parametrize(
    ("text", "argv"),
    [
        ("run ls -la /tmp", ["ls", "-la", "/tmp"]),
        ("please run the command df -h", ["df", "-h"]),
        ("run ls -la /tmp.", ["ls", "-la", "/tmp"]),
        ("run git add .", ["git", "add", "."]),
        ("could you execute `git status` for me", ["git", "status"]),
        ("run: echo 'hello world'", ["echo", "hello world"]),
        ("run find . -name '*.py'", ["find", ".", "-name", "*.py"]),
        ('run python3 -c "print(1)" please', ["python3", "-c", "print(1)"]),
        ("运行命令 ls -la", ["ls", "-la"]),
    ],
)
async def test_a_command_line_is_what_stands_behind_the_verb(text: str, argv: list[str]) -> None:
    assert (await extract(text, RUN)).values == {"argv": argv}


@pytest.mark.parametrize("text", ["run a command", "run echo 'open end"])
async def test_without_a_readable_command_line_it_is_missing(text: str) -> None:
    found = await extract(text, RUN)
    assert (found.values, found.missing) == ({}, ("argv",))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("remind me with a notification saying tea is ready", "tea is ready"),
        ("notify me that the build is done", "the build is done"),
        ("show a notification: lunch", "lunch"),
        ('show a notification "lunch time"', "lunch time"),
        ("pop up a notification that says hello, world", "hello, world"),
        ("通知我茶好了", "茶好了"),
    ],
)
async def test_a_free_text_is_what_stands_behind_the_request(text: str, said: str) -> None:
    assert (await extract(text, NOTIFY)).values == {"text": said}


@pytest.mark.parametrize(
    ("text", "args"),
    [
        ("run note.sh buy milk", "buy milk"),
        ('note.sh "buy milk" -x', '"buy milk" -x'),
        ("please run the note with buy milk", "buy milk"),
    ],
)
async def test_an_undescribed_script_gets_what_follows_its_name(text: str, args: str) -> None:
    assert (await extract(text, NOTE)).values == {"args": args}


@pytest.mark.parametrize(
    ("text", "folder"),
    [
        ("My Documents/report one", "My Documents/report one"),
        ("it's in ~/Music please", "~/Music"),
        ("downloads", "~/Downloads"),
        ("in my music folder", "~/Music"),
        ("下载文件夹", "~/Downloads"),
        ('"/srv/a b"', "/srv/a b"),
        ("~/My Music/Old Stuff", "~/My Music/Old Stuff"),
        ("the folder is photos-2024", "photos-2024"),
        ("用户手册", "用户手册"),
        ("~", "~"),
    ],
)
async def test_an_answer_for_a_path_is_taken_whole_and_may_hold_blanks(text: str, folder: str) -> None:
    found = await extract(text, TWICE, asked="folder")
    assert found.values == {"folder": folder}
    assert (found.missing, found.problem) == ((), "")


@pytest.mark.parametrize(
    ("asked", "text", "value"),
    [
        ("quality", "about 80", 80),
        ("quality", "twelve", 12),
        ("format", "as JPEG please", "jpeg"),
        ("title", "“The sea, at night!”", "The sea, at night!"),
    ],
)
async def test_an_answer_becomes_a_value_of_the_asked_type(asked: str, text: str, value: Json) -> None:
    found = await extract(text, CONVERT, asked=asked, known={"source": "a.png", "target": "b.png"})
    assert found.values == {"source": "a.png", "target": "b.png", asked: value}


@pytest.mark.parametrize(
    ("asked", "text", "problem"),
    [
        ("quality", "lots", "I need a whole number here, for example 12."),
        ("quality", "2.5", "I need a whole number here, for example 12."),
        ("quality", "300", "That is too large: 100 is the most."),
        ("format", "gif", "I need one of these here: png, jpeg, webp."),
        ("quality", "很多", "这里需要一个整数，例如 12。"),
    ],
)
async def test_an_answer_that_does_not_do_says_what_is_needed(asked: str, text: str, problem: str) -> None:
    found = await extract(text, CONVERT, asked=asked, known={"source": "a.png"})
    assert found.problem == problem
    assert found.values == {"source": "a.png"}
    assert found.missing == ("target",)


async def test_an_answer_with_an_open_quotation_is_no_command_line() -> None:
    found = await extract("echo 'x", RUN, asked="argv")
    assert "quotation mark" in found.problem
    assert found.missing == ("argv",)


async def test_a_schema_that_refers_elsewhere_fetches_nothing_and_keeps_the_value() -> None:
    info = ability(
        "far", "Do", file={"type": "string", "format": "path", "$ref": "https://schemas.invalid/a.json"}
    )
    assert (await extract("do it with a.txt", info)).values == {"file": "a.txt"}


@pytest.mark.parametrize(
    "text", ["", " \n", "\0", "\ud800 x", "'" * 5000, "a.b" * 4000, "-" * 9000, "“" * 6000]
)
async def test_any_text_at_all_is_read_without_an_error(text: str) -> None:
    for info in (COUNT, TWICE, CONVERT, RUN, NOTIFY, NOTE):
        await extract(text, info)
        for name in info.properties():
            await extract(text, info, asked=name)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("count slowly to 15", {"to": 15}),
        ("count slowly to fifteen", {"to": 15}),
        ("count slowly from 3 to 15", {"to": 15}),
        ("count slowly", {}),
        ("count slowly 15 times", {}),
    ],
)
async def test_a_number_right_behind_the_small_word_that_a_parameter_is_called_is_its_value(
    text: str, found: dict[str, object]
) -> None:
    properties: JsonObject = {"to": {"type": "integer", "description": "how far to count", "default": 10}}
    schema: JsonObject = {"type": "object", "properties": properties}
    info = MetaActionInfo("local::count", Route.MCP, "Count slowly", params=schema)
    assert (await StarterMind().ask(ExtractParams(text, info))).values == found


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("shout hello world", "hello world"),
        ("shout hello, world", "hello, world"),
        ("please shout hello world please", "hello world"),
        ("can you shout hey jude", "hey jude"),
        ("shout ok google", "ok google"),
        ("shout no smoking, thanks", "no smoking"),
        ("ok, shout the text hello world", "hello world"),
        ("hello, shout a nice text", "nice text"),
    ],
)
async def test_small_talk_behind_the_request_is_what_is_asked_for(said: str, value: str) -> None:
    shout = ability("upper", "Shout a text in capital letters", text={"type": "string"})
    assert (await extract(said, shout)).values == {"text": value}
