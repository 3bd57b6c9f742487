"""`files::read`, `files::info`, `files::find`: what they tell, what they refuse, what they never wait for."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from partner_desktop.abilities.builtin.file_access import open_exactly, open_regular
from partner_desktop.base.errors import AskHumanError
from partner_desktop.base.paths import Home
from partner_desktop.domain.action import ActionStatus
from partner_desktop.permission.request import ApprovalMode
from tests.abilities.builtin.calling import Caller, items, summary

#: A Partner each: for the whole gate.
pytestmark = pytest.mark.integration


async def test_a_text_is_read_without_a_question(call: Caller, user_home: Path) -> None:
    (user_home / "note.txt").write_text("buy milk\nund Brötchen\n", encoding="utf-8")
    record = await call("files::read", {"file": "note.txt"}, standing=ApprovalMode.GRANTED)
    assert record.status is ActionStatus.SUCCEEDED
    assert record.stdout == "buy milk\nund Brötchen\n"


async def test_a_long_text_comes_in_pieces_that_say_where_the_next_begins(
    call: Caller, user_home: Path
) -> None:
    whole = "".join(f"line {number:06}\n" for number in range(12_000))
    (user_home / "long.log").write_text(whole)
    pieces, offset = [], 0
    for _ in range(10):
        record = await call("files::read", {"file": "long.log", "offset": offset})
        assert isinstance(record.data, dict)
        pieces.append(record.stdout)
        if "next_offset" not in record.data:
            break
        assert isinstance(record.data["next_offset"], int)
        offset = record.data["next_offset"]
    assert len(pieces) == 3
    assert "".join(pieces) == whole
    assert max(len(piece) for piece in pieces) <= 64 * 1024


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
async def test_a_byte_order_mark_says_how_a_text_is_written(
    call: Caller, user_home: Path, encoding: str
) -> None:
    (user_home / "note.txt").write_text("Grüße 你好", encoding=encoding)
    assert (await call("files::read", {"file": "note.txt"})).stdout == "Grüße 你好"


async def test_what_is_no_text_is_named_and_not_shown(call: Caller, user_home: Path) -> None:
    (user_home / "photo.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20)
    record = await call("files::read", {"file": "photo.png"})
    assert summary(record) == "~/photo.png is no text: it is of the type image/png, 5.1 kB."
    assert record.stdout == ""


async def test_a_hundred_megabytes_cost_no_more_than_a_piece(call: Caller, user_home: Path) -> None:
    with (user_home / "huge.txt").open("wb") as file:
        file.write(b"begin\n" * 20_000)
        file.truncate(100 * 1024 * 1024)
    record = await call("files::read", {"file": "huge.txt"})
    assert "which has 104,857,600" in summary(record)
    assert len(record.stdout) == 64 * 1024


async def test_a_pipe_is_refused_and_not_waited_for(call: Caller, user_home: Path) -> None:
    os.mkfifo(user_home / "pipe")
    assert summary(await call("files::read", {"file": "pipe"})) == "~/pipe is a pipe, not a file."


async def test_a_device_is_refused(call: Caller) -> None:
    assert summary(await call("files::read", {"file": "/dev/zero"})) == "/dev/zero is a device, not a file."


async def test_a_folder_is_no_file(call: Caller, user_home: Path) -> None:
    (user_home / "things").mkdir()
    assert summary(await call("files::read", {"file": "things"})) == "~/things is a folder, not a file."


@pytest.mark.parametrize(
    "name", ["x" * 300, "a\0b", "half \ud800 a character", "missing.txt", "no/such/place.txt"]
)
async def test_a_name_that_leads_nowhere_is_asked_for_again(call: Caller, name: str) -> None:
    record = await call("files::read", {"file": name})
    assert record.status is ActionStatus.ASKING
    assert record.asked_param == "file"


async def test_facts_of_a_file_are_told_without_opening_it(call: Caller, user_home: Path) -> None:
    (user_home / "a.pdf").write_bytes(b"x" * 1_500)
    os.utime(user_home / "a.pdf", (1_700_000_000, 1_700_000_000))
    os.mkfifo(user_home / "pipe")
    record = await call("files::info", {"path": "a.pdf"})
    assert summary(record).startswith("~/a.pdf is a file of 1.5 kB, last changed 2023-11-1")
    assert isinstance(record.data, dict)
    assert record.data["type"] == "application/pdf"
    assert summary(await call("files::info", {"path": "pipe"})).startswith("~/pipe is a pipe, last changed ")


async def test_files_are_found_by_a_part_of_their_name_and_by_a_pattern(
    call: Caller, user_home: Path
) -> None:
    for name in ("taxes/2024/Report.pdf", "report.txt", "other.txt", ".hidden/report.md", "wild[1].txt"):
        (user_home / name).parent.mkdir(parents=True, exist_ok=True)
        (user_home / name).touch()
    found = await call("files::find", {"pattern": "report"})
    assert items(found) == ["~/report.txt", "~/taxes/2024/Report.pdf"]
    assert summary(found) == "2 names in ~ fit “report”."
    assert items(await call("files::find", {"pattern": "*.TXT", "folder": "~"})) == [
        "~/other.txt",
        "~/report.txt",
        "~/wild[1].txt",
    ]


async def test_a_search_enters_neither_links_nor_secrets_nor_what_is_partners_own(
    call: Caller, user_home: Path, home: Home
) -> None:
    (user_home / "loop").symlink_to(user_home)
    (user_home / "keys.env").mkdir()
    (user_home / "keys.env" / "db.txt").touch()
    assert items(await call("files::find", {"pattern": "db.txt"})) == []
    above = str(home.root.parent)
    assert items(await call("files::find", {"pattern": "partner.db", "folder": above})) == []


async def test_a_search_in_ten_thousand_names_ends_and_says_so(call: Caller, user_home: Path) -> None:
    for number in range(10_050):
        os.close(os.open(user_home / f"n{number}", os.O_CREAT))
    record = await call("files::find", {"pattern": "n*"})
    assert summary(record).startswith("10,000 names in ~ fit “n*”. The search ended before")
    assert len(items(record)) == 200


def test_a_link_that_was_put_there_after_the_look_gives_nothing_away(user_home: Path) -> None:
    """What was looked at and allowed is a real file; a link in its place leads elsewhere."""
    (user_home / "secret").write_text("secret")
    (user_home / "shown.txt").symlink_to(user_home / "secret")
    with pytest.raises(AskHumanError, match="leads elsewhere"):
        open_regular(user_home / "shown.txt")


def test_a_folder_that_became_a_link_after_the_look_is_not_followed(user_home: Path) -> None:
    for folder in ("shown", "secret"):
        (user_home / folder).mkdir()
        (user_home / folder / "a.txt").write_text(folder)
    with os.fdopen(open_exactly(user_home / "shown" / "a.txt", os.O_RDONLY)) as file:
        assert file.read() == "shown"
    (user_home / "shown").rename(user_home / "gone")
    (user_home / "shown").symlink_to(user_home / "secret")
    with pytest.raises(NotADirectoryError):
        open_exactly(user_home / "shown" / "a.txt", os.O_RDONLY)


async def test_only_what_a_text_says_of_something_is_told(call: Caller, user_home: Path) -> None:
    (user_home / "lease.txt").write_text("The rent is 740 a month. The deposit is two months.")
    record = await call(
        "files::look_up", {"file": "lease.txt", "about": "deposit"}, standing=ApprovalMode.GRANTED
    )
    assert summary(record) == "This stands in ~/lease.txt:"
    assert items(record) == ["The deposit is two months."]
    nothing = await call("files::look_up", {"file": "lease.txt", "about": "pets"})
    assert summary(nothing).startswith("~/lease.txt says nothing of “pets”.")


async def test_what_stands_far_down_is_found_and_what_was_not_read_is_denied_by_nobody(
    call: Caller, user_home: Path
) -> None:
    filling = "It rained.\n" * 10_000
    (user_home / "diary.txt").write_text(f"{filling}The deposit is {'very ' * 100}high.\n")
    found = await call("files::look_up", {"file": "diary.txt", "about": "deposit"})
    (line,) = items(found)
    assert line.startswith("The deposit is very very")
    assert line.endswith("…"), "it goes on"
    (user_home / "diary.txt").write_text(filling * 12 + "The deposit is high.\n")
    nothing = summary(await call("files::look_up", {"file": "diary.txt", "about": "deposit"}))
    assert nothing == (
        "There is nothing of “deposit” in the first 1.0 MB of ~/diary.txt; I did not read the rest."
    )
