"""Chats that other programs exported, as they are read from files that are really there."""

from __future__ import annotations

import gzip
import json
import os
import struct
import zipfile
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path

import pytest

from partner_desktop.base.errors import UsageError
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.message import LONGEST_TEXT, Role
from partner_desktop.memory.chat_exports.chat_export import ChatExport
from partner_desktop.memory.chat_exports.exported_chat import ExportedChat, moment_of
from tests.tables import all_rows

USER, PARTNER = Role.USER, Role.PARTNER
MARCH = datetime(2026, 3, 1, 17, 20, tzinfo=UTC)
ROOT = "00000000-0000-4000-8000-000000000000"


def said(role: str, text: str, parent: str | None = None, **more: Json) -> JsonObject:
    """A node of ChatGPT's tree."""
    message: JsonObject = {
        "author": {"role": role},
        "content": {"content_type": "text", "parts": [text]},
        "create_time": MARCH.timestamp(),
        "metadata": {},
    }
    return {"parent": parent, "message": message | more}


def gpt(nodes: Mapping[str, Json], current: Json, **more: Json) -> JsonObject:
    chat: JsonObject = {"title": "Ulm", "conversation_id": "c1", "current_node": current}
    return chat | {"mapping": dict(nodes)} | more


HIDDEN: JsonObject = {"is_visually_hidden_from_conversation": True}
TREE: dict[str, Json] = {
    "root": {"parent": None, "message": None},
    "system": said("system", "You are helpful.", "root"),
    "profile": said("user", "I am a cook.", "system", metadata=HIDDEN),
    "q": said("user", "Where to?", "profile"),
    "old": said("assistant", "To Bonn.", "q"),
    "thoughts": said("assistant", "Hm.", "q", content={"content_type": "thoughts", "thoughts": []}),
    "call": said("assistant", "search('Ulm')", "thoughts", recipient="web"),
    "tool": said("tool", "Ulm: a town", "call"),
    "a": said("assistant", "To Ulm\ue200cite\ue202turn0search0\ue201.", "tool"),
}


def claude(*messages: Json, **more: Json) -> JsonObject:
    chat: JsonObject = {"uuid": "u1", "name": "Taxes", "chat_messages": list(messages)}
    return chat | more


def wrote(sender: str, text: str, **more: Json) -> JsonObject:
    return {"sender": sender, "text": text, "created_at": "2026-03-01T17:20:00.000000Z"} | more


def jan_message(role: str, text: str) -> JsonObject:
    content: Json = [{"type": "text", "text": {"value": text, "annotations": []}}]
    return {"id": text, "role": role, "content": content, "created_at": 1772385600000}


def lines(*values: Mapping[str, object]) -> str:
    return "".join(json.dumps(value) + "\n" for value in values)


def put(path: Path, content: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def zipped(path: Path, members: Mapping[str, str]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return path


def jan_folder(path: Path) -> Path:
    put(path / "threads" / "t1" / "thread.json", json.dumps({"id": "t1", "title": "Soup"}, indent=2))
    put(
        path / "threads" / "t1" / "messages.jsonl",
        lines(
            jan_message("system", "Be brief."),
            jan_message("user", "Which soup?"),
            jan_message("assistant", "<think>Tomato or leek?</think>\n\nLeek."),
        ),
    )
    put(path / "threads" / "t2" / "thread.json", "no json")
    return path


def read(path: Path, **options: str) -> tuple[list[ExportedChat], list[str]]:
    """The chats, and what is told beside them."""
    items = list(ChatExport(path, **options).chats())
    return [i for i in items if isinstance(i, ExportedChat)], [i for i in items if isinstance(i, str)]


def one(path: Path, **options: str) -> ExportedChat:
    chats, told = read(path, **options)
    assert not told
    (chat,) = chats
    return chat


def turns(chat: ExportedChat) -> list[tuple[Role, str]]:
    return [(turn.role, turn.text) for turn in chat.turns]


def test_of_chatgpt_the_line_that_is_shown_is_taken(tmp_path: Path) -> None:
    chat = one(put(tmp_path / "conversations.json", json.dumps([gpt(TREE, "a")])))
    assert (chat.title, chat.origin, chat.key) == ("Ulm", "chatgpt", "c1")
    assert turns(chat) == [(USER, "Where to?"), (PARTNER, "To Ulm.")]
    assert {turn.at for turn in chat.turns} == {MARCH}
    assert chat.problems == ("Versions that are not shown were left out; messages in them: 1.",)


@pytest.mark.parametrize(
    ("value", "texts", "problem"),
    [
        (gpt({"q": said("user", "Hm?")}, "gone"), ["Hm?"], "which version"),
        (gpt({"q": said("user", "Hm?")}, ["q"]), ["Hm?"], "which version"),
        (gpt({"q": said("user", "Hm?", "a"), "a": said("assistant", "So.", "q")}, "a"), ["Hm?", "So."], ""),
        (gpt({"q": said("user", "Hm?", create_time="soon")}, "q"), ["Hm?"], "Message 1 has a time"),
        (gpt({"q": said("user", "Hm?", create_time=None)}, "q"), ["Hm?"], ""),
        (gpt({"q": 7, "a": None}, "q"), [], ""),
        ({"title": 3, "id": "x", "mapping": 5, "current_node": "q"}, [], "It holds no messages."),
        (
            gpt(
                {
                    "q": said(
                        "user",
                        "",
                        content={
                            "content_type": "multimodal_text",
                            "parts": [
                                {"content_type": "image_asset_pointer", "asset_pointer": "file-service://x"},
                                {"content_type": "audio_transcription", "text": "What is this?"},
                                "Look.",
                            ],
                        },
                    )
                },
                "q",
            ),
            ["What is this?\n\nLook."],
            "Message 1 has pictures or files",
        ),
    ],
)
def test_odd_conversations_of_chatgpt(tmp_path: Path, value: Json, texts: list[str], problem: str) -> None:
    chat = one(put(tmp_path / "c.json", json.dumps([value])))
    assert [turn.text for turn in chat.turns] == texts
    assert any(problem in told for told in chat.problems) if problem else not chat.problems


@pytest.mark.parametrize(
    ("value", "texts", "problem"),
    [
        (claude(wrote("human", "Hm?"), wrote("assistant", "So.")), ["Hm?", "So."], ""),
        (
            claude(
                wrote(
                    "assistant",
                    "So.\n```\nThis block is not supported.\n```",
                    content=[{"type": "thinking", "thinking": "Hm."}, {"type": "text", "text": "So."}],
                )
            ),
            ["So."],
            "",
        ),
        (
            claude(wrote("human", "See.", attachments=[{"file_name": "a.pdf", "extracted_content": "Tax"}])),
            ["See."],
            "Message 1 has pictures or files",
        ),
        (claude(wrote("human", "", content=[])), [], ""),
        (claude(wrote("robot", "Hm?"), 7), [], "Message 1 is neither"),
        (claude(wrote("human", "Hm?", created_at="yesterday")), ["Hm?"], "(yesterday)"),
        (
            claude(wrote("human", "Hm?", uuid="1"), wrote("human", "Hm?", uuid="1")),
            ["Hm?"],
            "Message 2 repeats an earlier one",
        ),
        (claude(wrote("human", "A", uuid="1"), wrote("human", "B", uuid="1")), ["A", "B"], ""),
        (
            claude(
                wrote("human", "Hm?", uuid="1", parent_message_uuid=ROOT),
                wrote("assistant", "Old.", uuid="2", parent_message_uuid="1"),
                wrote("assistant", "New.", uuid="3", parent_message_uuid="1"),
            ),
            ["Hm?", "New."],
            "messages in them: 1.",
        ),
        (
            claude(
                wrote("human", "Hm?", uuid="1", parent_message_uuid=ROOT),
                wrote("assistant", "So.", uuid="2", parent_message_uuid="lost"),
            ),
            ["Hm?", "So."],
            "",
        ),
        ({"uuid": "u", "chat_messages": 3}, [], "no message"),
    ],
)
def test_conversations_of_claude(tmp_path: Path, value: Json, texts: list[str], problem: str) -> None:
    chat = one(put(tmp_path / "c.json", json.dumps([value])))
    assert chat.origin == "claude"
    assert [turn.text for turn in chat.turns] == texts
    assert any(problem in told for told in chat.problems) if problem else not chat.problems


@pytest.mark.parametrize("packed", [False, True])
def test_jans_threads_are_read_from_its_folder_or_a_zip_of_it(tmp_path: Path, packed: bool) -> None:
    path = jan_folder(tmp_path / "jan")
    if packed:
        members = {str(p.relative_to(path)): p.read_text() for p in path.rglob("*") if p.is_file()}
        path = zipped(tmp_path / "jan.zip", members)
    chats, told = read(path)
    assert [(chat.key, chat.title, chat.origin) for chat in chats] == [
        ("t1", "Soup", "jan"),
        ("t2", "", "jan"),
    ]
    assert turns(chats[0]) == [(USER, "Which soup?"), (PARTNER, "Leek.")]
    assert chats[0].turns[0].at == datetime(2026, 3, 1, 17, 20, tzinfo=UTC)
    assert (told, chats[0].problems) == ([], ())


def test_no_link_is_followed_out_of_jans_folder(tmp_path: Path) -> None:
    path = jan_folder(tmp_path / "jan")
    secret = put(tmp_path / "secret.jsonl", lines(jan_message("user", "my secret")))
    (path / "threads" / "t2" / "messages.jsonl").symlink_to(secret)
    (path / "threads" / "t3").symlink_to(path / "threads" / "t1")
    os.mkfifo(path / "threads" / "t4")
    (path / "threads" / "t5").symlink_to(path / "threads" / "t5")
    chats, told = read(path)
    assert [(chat.key, len(chat.turns)) for chat in chats] == [("t1", 2), ("t2", 0), ("t3", 2)]
    outside, *circles = told
    assert outside == "threads/t2/messages.jsonl lies outside of the folder; it was left out."
    assert [problem.split()[0] for problem in circles] == [
        "threads/t5/thread.json",
        "threads/t5/messages.jsonl",
    ]


@pytest.mark.parametrize(
    ("line", "turn", "problem"),
    [
        ('{"text": "Hi", "role": "user"}', (USER, "", "Hi", None), ""),
        ('{"text": " Hi ", "role": "assistant", "at": 1772385600}', (PARTNER, "", "Hi", MARCH), ""),
        ('{"text": "Hi", "speaker": " Ann\\n B", "at": ""}', (PARTNER, "Ann B", "Hi", None), ""),
        ('{"text": "Hi", "speaker": "Caroline"}', (USER, "Caroline", "Hi", None), ""),
        ('{"text": "a\\u0000b \\ud83d", "role": "user"}', (USER, "", "ab ?", None), ""),
        ('{"text": "אהלן 👋", "role": "user", "at": 9e15}', (USER, "", "אהלן 👋", None), "Line 2 has a time"),
        ('{"text": "Hi", "role": "user", "at": [[1]]}', (USER, "", "Hi", None), "no text or number"),
        ('{"text": "Hi"}', None, "Line 2 has no `role`"),
        ('{"text": "Hi", "role": "system"}', None, "Line 2 has no `role`"),
        ('{"text": " ", "role": "user"}', None, "Line 2 has no `text`"),
        ('{"text": 3, "role": "user"}', None, "Line 2 has no `text`"),
        ('{"text": "Hi", "role": "user", "conversation": {}}', None, "no name or number"),
        ("", None, ""),
        ("oops", None, "Line 2 is no JSON"),
        ("[" * 100_000, None, "Line 2 is no JSON"),
        ('{"text": "Hi", "role": "user", "at": ' + "9" * 5000 + "}", None, "Line 2 is no JSON"),
        ("[1]", None, "Line 2 is no JSON object"),
    ],
)
def test_a_line_costs_itself_at_most(
    tmp_path: Path, line: str, turn: tuple[Role, str, str, datetime | None] | None, problem: str
) -> None:
    first, last = '{"text": "first", "speaker": "Caroline"}', '{"text": "last", "role": "assistant"}'
    chats, told = read(put(tmp_path / "diary.jsonl", f"{first}\n{line}\n{last}"))
    (chat,) = chats
    assert (chat.key, chat.title, chat.origin) == ("diary", "diary", "jsonl")
    between = [(each.role, each.speaker, each.text, each.at) for each in chat.turns[1:-1]]
    assert between == ([turn] if turn else [])
    problems = [*told, *chat.problems]
    assert len(problems) == bool(problem)
    assert problem in "".join(problems)


def test_a_text_that_is_too_long_is_cut(tmp_path: Path) -> None:
    chat = one(put(tmp_path / "a.jsonl", lines({"text": "x" * (LONGEST_TEXT + 1), "role": "user"})))
    assert len(chat.turns[0].text) == LONGEST_TEXT
    assert chat.problems == ("Line 1 is longer than 200,000 characters; the rest of it was left out.",)


def test_a_line_without_an_end_is_passed_over(tmp_path: Path) -> None:
    texts = ("a", "x" * 9_000_000, "b")
    chats, told = read(put(tmp_path / "a.jsonl", lines(*({"text": text, "role": "user"} for text in texts))))
    assert [turn.text for turn in chats[0].turns] == ["a", "b"]
    assert told == ["Line 2 is longer than 4 MB; it was left out."]


def test_conversations_of_lines_are_told_apart(tmp_path: Path) -> None:
    path = put(
        tmp_path / "all.jsonl",
        lines(
            {"text": "1", "speaker": "Ann", "conversation": "trip", "id": 1},
            {"text": "2", "role": "user", "conversation": 7},
            {"text": "3", "speaker": "Bo", "conversation": "trip", "title": "A trip", "id": 2},
            {"text": "4", "role": "user"},
            {"text": "3", "speaker": "Bo", "conversation": "trip", "id": 2},
        ),
    )
    chats, _ = read(path)
    assert [(c.key, c.title, turns(c)) for c in chats] == [
        ("7", "7", [(USER, "2")]),
        ("all", "all", [(USER, "4")]),
        ("trip", "A trip", [(USER, "1"), (PARTNER, "3")]),
    ]
    assert chats[2].problems == ("Line 5 repeats an earlier one; it was left out.",)


@pytest.mark.slow
def test_many_lines_come_in_parts_that_stay_in_order(tmp_path: Path) -> None:
    def line(number: int) -> JsonObject:
        # The second part of `b` begins with Cy, who is not the first that it names.
        names, key = (["Ann", "Bo"], "a") if number < 15_000 else (["Di", "Cy"], "b")
        return {"text": str(number), "speaker": names[number % 2], "conversation": key}

    path = put(tmp_path / "all.jsonl", lines(*map(line, range(40_000))))
    chats, _ = read(path)
    assert [(chat.key, len(chat.turns)) for chat in chats] == [("a", 15_000), ("b", 20_001), ("b", 4_999)]
    assert list(ChatExport(path).chats(after=2)) == chats[2:]
    texts = [turn.text for chat in chats for turn in chat.turns]
    assert texts == [str(number) for number in range(40_000)]
    roles = {(turn.speaker, turn.role) for chat in chats for turn in chat.turns}
    assert roles == {("Ann", USER), ("Bo", PARTNER), ("Di", USER), ("Cy", PARTNER)}


MANY: dict[str, Callable[[Path], Path]] = {
    "chatgpt": lambda folder: zipped(
        folder / "x.zip",
        {
            "chat/conversations-001.json": json.dumps([gpt(TREE, "a", title="3"), gpt(TREE, "a", title="4")]),
            "chat/conversations-000.json": json.dumps(
                [gpt(TREE, "a", title="1"), 5, gpt(TREE, "a", title="2")]
            ),
            "chat/user.json": "[]",
            "other.zip": "PK",
        },
    ),
    "claude": lambda folder: put(
        folder / "x", json.dumps([{"x": 1}, claude(wrote("human", "A")), claude(name="B", uuid=None)])
    ),
    "jan": lambda folder: jan_folder(folder / "x"),
    "jsonl": lambda folder: put(
        folder / "conversations.json",
        lines(*({"text": str(n), "role": "user", "conversation": n % 3} for n in range(12))) + "oops\n",
    ),
}


@pytest.mark.parametrize("kind", MANY)
def test_reading_goes_on_where_it_stopped(tmp_path: Path, kind: str) -> None:
    export = ChatExport(MANY[kind](tmp_path))
    assert export.kind == kind
    assert export.progress() == 0
    chats = [item for item in export.chats() if isinstance(item, ExportedChat)]
    assert export.progress() == 1
    assert len(chats) > 1
    for after in range(len(chats) + 2):
        again = [item for item in export.chats(after=after) if isinstance(item, ExportedChat)]
        assert again == chats[after:]
    assert list(export.chats(after=len(chats))) == []


def test_an_id_that_stands_twice_stands_for_two_chats(tmp_path: Path) -> None:
    chats, told = read(MANY["chatgpt"](tmp_path))
    assert [(c.key, c.title) for c in chats] == [("c1", "1"), ("c1#2", "2"), ("c1#3", "3"), ("c1#4", "4")]
    assert told == ["chat/conversations-000.json: What is no chat in the list was left out."]


GOOD = json.dumps(claude(wrote("human", "Hm?")))


@pytest.mark.parametrize(
    ("text", "count", "told"),
    [
        (f"{GOOD}, {GOOD}", 2, "What follows chat 2 is missing: the file breaks off there."),
        (f"{GOOD}, {GOOD[:40]}", 1, "What follows chat 1 is missing: the file breaks off there."),
        (f"{GOOD}, oops, {GOOD}]", 1, "What follows chat 1 is no JSON; it was left out."),
        (f"{GOOD}] more", 1, "What follows chat 1 is no JSON; it was left out."),
        (f"{GOOD}, {'9' * 5000}]", 1, "What follows chat 1 is no JSON; it was left out."),
        (
            f"{GOOD}, {'[' * 100_000}{']' * 100_000}, {GOOD}]",
            2,
            "Chat 2 is nested too deeply; it was left out.",
        ),
        (f'{GOOD}, {{"a": "\xff"}}]', 1, "What follows chat 1 is no JSON; it was left out."),
    ],
)
def test_a_chat_that_cannot_be_read_costs_no_other(tmp_path: Path, text: str, count: int, told: str) -> None:
    # Further from the beginning than is looked at to see what it is.
    chats, problems = read(put(tmp_path / "c.json", b"[" + b" " * 70_000 + text.encode("latin-1")))
    assert (len(chats), problems) == (count, [told])


def test_a_text_that_does_not_end_is_not_waited_for(tmp_path: Path) -> None:
    chats, problems = read(put(tmp_path / "c.json", f'[{GOOD}, "{"x" * 9_000_000}'))
    assert [chat.key for chat in chats] == ["u1"]
    assert problems == ["What follows chat 1 begins with a text of more than 8 MB; it was left out."]


def test_a_chat_larger_than_any_is_passed_over(tmp_path: Path) -> None:
    huge = json.dumps({"uuid": "x", "chat_messages": ["x" * 1_000_000] * 34})
    chats, problems = read(put(tmp_path / "c.json", f"[{huge}, {GOOD}]"))
    assert [chat.key for chat in chats] == ["u1"]
    assert problems == ["Chat 1 is larger than 32 MB; it was left out."]


@pytest.mark.parametrize("form", ["list", "lines"])
@pytest.mark.parametrize(
    ("encoded_in", "named"),
    [("utf-8", None), ("utf-8-sig", None), ("utf-16", None), ("utf-16", "utf-16"), ("gb18030", "gb18030")],
)
def test_text_is_read_in_the_encoding_that_it_is_in(
    tmp_path: Path, form: str, encoded_in: str, named: str | None
) -> None:
    text = {
        "list": f"[{GOOD}]".replace("Hm?", "航班几点？"),
        "lines": '{"text": "航班几点？", "role": "user"}',
    }[form]
    path = put(tmp_path / "x", text.encode(encoded_in))
    assert one(path, **({"encoding": named} if named else {})).turns[0].text == "航班几点？"


def bomb(folder: Path) -> Path:
    return zipped(folder / "x", {"conversations.json": "[" + " " * 20_000_000})


def table_of_millions(folder: Path) -> Path:
    end = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 1, 1, 9_000_000, 0, 0)
    return put(folder / "x", b"PK\x03\x04" + bytes(8_999_996) + end)


def damaged(folder: Path) -> Path:
    path = zipped(folder / "x", {"conversations.json": GOOD})
    return put(path, path.read_bytes()[:-30])


def damaged_inside(folder: Path) -> Path:
    path = zipped(folder / "x", {"conversations.json": f"[{GOOD}]"})
    content = bytearray(path.read_bytes())
    content[60] ^= 255
    return put(path, bytes(content))


def encrypted(folder: Path) -> Path:
    path = zipped(folder / "x", {"conversations.json": GOOD})
    content = bytearray(path.read_bytes())
    content[content.index(b"PK\x01\x02") + 8] |= 1
    return put(path, bytes(content))


def pipe(folder: Path) -> Path:
    os.mkfifo(folder / "x")
    return folder / "x"


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda folder: folder / "x", "x cannot be read (No such file or directory)."),
        (lambda folder: folder, "holds no chats that are known here"),
        (lambda _: Path("a\0b"), "is no name of a file"),
        (lambda _: Path("/dev/null"), "/dev/null is no file"),
        (pipe, "x is no file; name the file that the other program exported."),
        (lambda folder: put(folder / "x", ""), "holds no chats that are known here"),
        (lambda folder: put(folder / "x", "[]"), "holds no chats that are known here"),
        (lambda folder: put(folder / "x.jsonl", '{"name": "x"}\n'), "holds no chats that are known here"),
        (lambda folder: put(folder / "x", f"[{GOOD}]".encode("utf-16-le")), "x is no UTF-8 text; save it as"),
        (lambda folder: put(folder / "x", '["Ä"]'.encode("latin-1")), "x is no UTF-8 text; save it as"),
        (lambda folder: put(folder / "x", gzip.compress(b"[]")), "x is packed with gzip; unpack it"),
        (lambda folder: zipped(folder / "x", {"a.zip": "PK"}), "holds no chats that are known here"),
        (
            lambda folder: zipped(folder / "x", {"conversations.json": '{"text": "a", "role": "user"}'}),
            "holds no chats that are known here",
        ),
        (bomb, "conversations.json in"),
        (table_of_millions, "x lists more files than an export of chats holds."),
        (damaged, "x is a damaged zip file"),
        (damaged_inside, "x cannot be read (the zip file is damaged"),
        (encrypted, "is encrypted; unpack the zip file"),
    ],
)
def test_what_is_no_export_is_told_in_a_sentence(
    tmp_path: Path, make: Callable[[Path], Path], sentence: str
) -> None:
    with pytest.raises(UsageError) as error:
        ChatExport(make(tmp_path))
    assert sentence in str(error.value)


def test_a_line_in_another_encoding_costs_itself_or_is_read_in_a_named_one(tmp_path: Path) -> None:
    path = put(
        tmp_path / "a", '{"text": "a", "role": "user"}\n{"text": "ä", "role": "user"}'.encode("latin-1")
    )
    chats, told = read(path)
    assert [turn.text for turn in chats[0].turns] == ["a"]
    assert told == ["Line 2 is no UTF-8 text; it was left out."]
    assert [turn.text for turn in one(path, encoding="latin-1").turns] == ["a", "ä"]
    assert [turn.text for turn in one(path, encoding="utf-8").turns] == ["a", "\ufffd"]


def test_an_encoding_that_is_none_is_told(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="There is no encoding of text named rot13"):
        ChatExport(put(tmp_path / "x", "[]"), encoding="rot13")


def test_problems_are_told_within_bounds(tmp_path: Path) -> None:
    good = lines({"text": "Hi", "role": "user"})
    _, told = read(put(tmp_path / "a.jsonl", good + "oops\n" * 1000))
    assert (len(told), told[-1]) == (201, "Further problems, not listed: 800.")
    chat = one(put(tmp_path / "b.jsonl", good + lines(*[{"text": ""}] * 1000)))
    assert (len(chat.problems), chat.problems[-1]) == (51, "Further problems, not listed: 950.")


NO_TIMES: list[Json] = [None, "", 0, True, "yesterday", "2026-02-30", 1e400, float("nan"), -1e10, 10**400]
NO_TIMES += ["0001-01-01", "9999-12-31T23:59", [], {}, "1" * 5000]
LOCAL = datetime(2026, 3, 1, 18, 20).astimezone(UTC)


@all_rows(
    "given, moment",
    [
        (1772385600, MARCH),
        (1772385600.0, MARCH),
        (1772385600000, MARCH),
        ("1772385600", MARCH),
        ("1772385600000", MARCH),
        ("2026-03-01T17:20:00Z", MARCH),
        ("2026-03-01T18:20:00+01:00", MARCH),
        (" 2026-03-01 18:20 ", LOCAL),
        ("2999-01-01T00:00:00Z", datetime(2999, 1, 1, tzinfo=UTC)),
        *((nothing, None) for nothing in NO_TIMES),
    ],
)
def test_times_are_read_in_the_forms_that_exports_have(given: Json, moment: datetime | None) -> None:
    assert moment_of(given) == moment
