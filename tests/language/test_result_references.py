"""Words that mean what earlier turns left, as tables: what is said after a result, and what it says then."""

from __future__ import annotations

from dataclasses import replace

import pytest

from partner_desktop.domain.referent import Referent, ResultItem
from partner_desktop.domain.surroundings import Surroundings
from partner_desktop.language.home_references import resolve_references
from partner_desktop.language.result_references import (
    look_at_result,
    meant_last,
    without_kept,
)
from partner_desktop.language.spoken_words import ResolvedText
from tests.tables import all_rows

HOME = "/home/ann"


def item(
    name: str, size_bytes: int | None = None, modified_s: float | None = None, **told: object
) -> ResultItem:
    made, given, gone = (told.get(name) is True for name in ("made", "given", "gone"))
    group = told.get("group")
    assert group is None or isinstance(group, int)
    return ResultItem(
        f"{HOME}/{name.rstrip('/')}",
        name.endswith("/"),
        size_bytes,
        group or 0,
        made,
        given,
        gone,
        modified_s,
    )


def left(*items: ResultItem, place: str = "", searched: bool = False) -> Referent:
    return Referent(
        "1", "local::any", "Any", {}, items, f"{HOME}/{place}" if place else "", searched=searched
    )


LISTING = left(
    item("Downloads/a.pdf", 5, 30.0),
    item("Downloads/b.jpg", 50, 10.0),
    item("Downloads/c d.zip", 9, 90.0),
    item("Downloads/Old/"),
    item("Downloads/", given=True),
    place="Downloads",
)
COPIES = left(
    item("Pictures/sea copy.jpg", 7, 1.0, group=1),
    item("Pictures/sea.jpg", 7, 2.0, group=1),
    item("Pictures/hill.jpg", 8, 1.0, group=2),
    item("Pictures/old/hill.jpg", 8, 2.0, group=2),
    item("Pictures/", given=True),
    place="Pictures",
)
COPY = left(*COPIES.items[:2], COPIES.items[4], place="Pictures")
ARCHIVE = left(item("Backups/Notes.zip", 3, made=True), item("Notes/", given=True), place="Backups")
FOLDER = left(item("Desktop/Box/", made=True), place="Desktop/Box")
HIT = left(item("Notes/ulm.md"), item("Notes/", given=True), place="Notes", searched=True)
HITS = left(
    item("Notes/a.txt"), item("Notes/b.txt"), item("Notes/", given=True), place="Notes", searched=True
)
MEASURED = replace(LISTING, chief=f"{HOME}/Downloads/b.jpg")
PAIR = left(
    item("Downloads/cat (1).png", 7, 1.0, group=1),
    item("Downloads/cat.png", 7, 2.0, group=1),
    item("Downloads/", given=True),
    place="Downloads",
)
FOUND = left(item("Pictures/sea.jpg", 7), item("Pictures/trip/sea.jpg", 7), searched=True)
PDFS = replace(LISTING, items=(item("Downloads/e.pdf", 6), *LISTING.items))
CALLED = left(
    item("Notes/garden.md"), item("Notes/工作报告.txt"), item("Notes/report1.txt"), item("Notes/", given=True)
)
SMALL = left(
    item("Small/hill.jpg", 3, made=True),
    item("Small/"),
    replace(item("Pictures/hill.jpg", 9), source=True),
    item("Pictures/", given=True),
)
READ = left(item("Notes/a.txt", given=True), place="Notes")
THROWN = left(item("Downloads/old.deb", given=True, gone=True))


def said_after(referents: tuple[Referent, ...], text: str) -> ResolvedText:
    return resolve_references(text, Surroundings(HOME, HOME, (), referents))


@all_rows(
    "referent, text, meant",
    [
        # By place.
        (LISTING, "read the second one", "read ~/Downloads/b.jpg"),
        (LISTING, "thanks! now open the first", "thanks! now open ~/Downloads/a.pdf"),
        (LISTING, "open the last one", "open ~/Downloads/Old"),
        (LISTING, "delete the first two", "delete ~/Downloads/a.pdf and ~/Downloads/b.jpg"),
        (LISTING, "read number 3", "read '~/Downloads/c d.zip'"),
        (LISTING, "打开第二个", "打开 ~/Downloads/b.jpg"),
        (LISTING, "把前两个复制到 ~/Desktop", "把 ~/Downloads/a.pdf、~/Downloads/b.jpg 复制到 ~/Desktop"),
        (LISTING, "最后一个打开看看", "~/Downloads/Old 打开看看"),
        (HITS, "how many words has the second one?", "how many words has ~/Notes/b.txt?"),
        (HITS, "read the first one and then delete it", "read ~/Notes/a.txt and then delete it"),
        (COPY, "delete the second one", "delete ~/Pictures/sea.jpg"),
        (LISTING, "copy the first of those to ~/Desktop", "copy ~/Downloads/a.pdf to ~/Desktop"),
        (LISTING, "open the second to last one", "open '~/Downloads/c d.zip'"),
        (LISTING, "打开倒数第二个", "打开 '~/Downloads/c d.zip'"),
        # All of a kind.
        (PDFS, "delete the two pdfs", "delete ~/Downloads/e.pdf and ~/Downloads/a.pdf"),
        (
            PDFS,
            "copy all of the pdfs to ~/Desktop",
            "copy ~/Downloads/e.pdf and ~/Downloads/a.pdf to ~/Desktop",
        ),
        # What lies in a folder, and what is called so.
        (FOUND, "copy the one in trip to ~/Desktop", "copy ~/Pictures/trip/sea.jpg to ~/Desktop"),
        (FOUND, "trip里的那张发我看看", "~/Pictures/trip/sea.jpg 发我看看"),
        (FOUND, "把trip文件夹里的那张删掉", "把trip文件夹里的 ~/Pictures/trip/sea.jpg 删掉"),
        (CALLED, "打开那个报告", "打开 '~/Notes/工作报告.txt'"),
        (CALLED, "read that report", "read ~/Notes/report1.txt"),
        # What the things were made of.
        (SMALL, "delete the originals", "delete ~/Pictures/hill.jpg"),
        (SMALL, "原图删掉", "~/Pictures/hill.jpg 删掉"),
        (SMALL, "open it", "open ~/Small/hill.jpg"),
        # By size and time.
        (LISTING, "delete the biggest one", "delete ~/Downloads/b.jpg"),
        (LISTING, "move the biggest of those to ~/Desktop", "move ~/Downloads/b.jpg to ~/Desktop"),
        (LISTING, "delete the second biggest", "delete '~/Downloads/c d.zip'"),
        (LISTING, "open the newest", "open '~/Downloads/c d.zip'"),
        (LISTING, "delete the two oldest", "delete ~/Downloads/b.jpg and ~/Downloads/a.pdf"),
        (LISTING, "删掉最大的那个", "删掉 ~/Downloads/b.jpg"),
        (LISTING, "打开最新的文件", "打开 '~/Downloads/c d.zip'"),
        # By kind.
        (LISTING, "open the pdf", "open ~/Downloads/a.pdf"),
        (LISTING, "how big is that zip", "how big is '~/Downloads/c d.zip'"),
        (LISTING, "那个pdf删了吧", "~/Downloads/a.pdf 删了吧"),
        (LISTING, "delete that folder", "delete ~/Downloads"),
        (LISTING, "copy the pictures to ~/Desktop", "copy ~/Downloads/b.jpg to ~/Desktop"),
        # Copies: all but one of each, and that one looks least like a copy.
        (COPIES, "delete those duplicates", "delete '~/Pictures/sea copy.jpg' and ~/Pictures/old/hill.jpg"),
        (COPIES, "delete the copies", "delete '~/Pictures/sea copy.jpg' and ~/Pictures/old/hill.jpg"),
        (COPIES, "delete them", "delete '~/Pictures/sea copy.jpg' and ~/Pictures/old/hill.jpg"),
        (COPIES, "把重复的文件删了", "把 '~/Pictures/sea copy.jpg'、~/Pictures/old/hill.jpg 删了"),
        (COPY, "delete the copy", "delete '~/Pictures/sea copy.jpg'"),
        (COPY, "把副本删了", "把 '~/Pictures/sea copy.jpg' 删了"),
        # What was made, found or given.
        (ARCHIVE, "how big is it", "how big is ~/Backups/Notes.zip"),
        (ARCHIVE, "move the archive to ~/Desktop", "move ~/Backups/Notes.zip to ~/Desktop"),
        (ARCHIVE, "delete the zip you made", "delete ~/Backups/Notes.zip"),
        (ARCHIVE, "把它移到 ~/Desktop", "把 ~/Backups/Notes.zip 移到 ~/Desktop"),
        (ARCHIVE, "把压缩包移到 ~/Desktop", "把 ~/Backups/Notes.zip 移到 ~/Desktop"),
        (ARCHIVE, "刚才打包的那个压缩包删掉", "~/Backups/Notes.zip 删掉"),
        (FOLDER, "rename it to Things", "rename ~/Desktop/Box to ~/Desktop/Things"),
        (HIT, "copy it to ~/Desktop", "copy ~/Notes/ulm.md to ~/Desktop"),
        (HIT, "read that file", "read ~/Notes/ulm.md"),
        (HIT, "那把它删了吧", "那把 ~/Notes/ulm.md 删了吧"),
        (READ, "move it to ~/Documents", "move ~/Notes/a.txt to ~/Documents"),
        (READ, "count the words in it", "count the words in ~/Notes/a.txt"),
        (LISTING, "zip it", "zip ~/Downloads"),
        (READ, "add milk to that list", "add milk to ~/Notes/a.txt"),
        (READ, "那个清单里加上牛奶", "~/Notes/a.txt 里加上牛奶"),
        # What a result's own sentence names, before the folder that was looked into; but a folder is zipped.
        (MEASURED, "trash it", "trash ~/Downloads/b.jpg"),
        (MEASURED, "delete that one", "delete ~/Downloads/b.jpg"),
        (MEASURED, "这个我看过了，删了吧", "~/Downloads/b.jpg 我看过了，删了吧"),
        (MEASURED, "zip it", "zip ~/Downloads"),
        # What is left of a pair; what is called by a part of its name.
        (PAIR, "get rid of the other, cat.png stays", "get rid of '~/Downloads/cat (1).png', cat.png stays"),
        (PAIR, "那多出来的那个删掉吧", "那 '~/Downloads/cat (1).png' 删掉吧"),
        (PAIR, "带(1)的那个删了", "'~/Downloads/cat (1).png' 删了"),
        (HITS, "read the first one", "read ~/Notes/a.txt"),
        # Several.
        (HITS, "delete both", "delete ~/Notes/a.txt and ~/Notes/b.txt"),
        (HITS, "how big are they?", "how big are ~/Notes/a.txt and ~/Notes/b.txt?"),
        (HITS, "把它们移到 ~/Desktop", "把 ~/Notes/a.txt、~/Notes/b.txt 移到 ~/Desktop"),
        # Where it was.
        (LISTING, "which are the biggest files there", "which are the biggest files in ~/Downloads"),
        (LISTING, "what else is in there", "what else is in ~/Downloads"),
        (LISTING, "里面有几个文件？", "~/Downloads 有几个文件？"),
        (FOLDER, "move ~/a.pdf there", "move ~/a.pdf to ~/Desktop/Box"),
        (FOLDER, "put ~/a.pdf in it", "put ~/a.pdf in ~/Desktop/Box"),
        (FOLDER, "把 ~/a.pdf 放进去", "把 ~/a.pdf 放到 ~/Desktop/Box"),
    ],
)
def test_words_mean_what_the_last_result_left(referent: Referent, text: str, meant: str) -> None:
    found = said_after((referent,), text)
    assert found.text == meant
    assert found.restored(found.text) == text


@all_rows(
    "referent, text",
    [
        (LISTING, "what time is it"),
        (LISTING, "is it raining"),
        (LISTING, "do it again"),
        (LISTING, "undo that"),
        (LISTING, "that's great"),
        (LISTING, "how many are there"),
        (LISTING, "note that it is late"),
        (LISTING, "what changed in the last 3 days"),
        (LISTING, "find the pdfs in ~/Documents"),
        (LISTING, "show me the biggest files in ~/Pictures"),
        (LISTING, "note “buy the second one”"),
        (LISTING, "open the ninth one"),
        (LISTING, "哪个文件最大？"),
        (LISTING, "那个，我想问一下"),
        (COPIES, "find duplicates in ~/Music"),
        (COPIES, "有没有重复文件"),
        (COPIES, "open the second one"),
        (ARCHIVE, "zip ~/Music and move the archive to ~/Desktop"),
        (READ, "bring it back"),
        (READ, "还是放回去吧"),
        (THROWN, "delete it"),
        (THROWN, "open that file"),
    ],
)
def test_other_words_stay(referent: Referent, text: str) -> None:
    found = said_after((referent,), text)
    assert (found.text, found.doubtful) == (text, ())


def test_a_path_into_a_folder_does_not_say_that_the_folder_holds_it() -> None:
    assert said_after((FOUND,), "convert the picture in Pictures/holiday to png").references == ()


@pytest.mark.parametrize(
    ("text", "words"), [("read it", "it"), ("open that file", "that file"), ("把那个文件删了", "那个文件")]
)
def test_of_several_that_one_word_may_mean_none_is_taken(text: str, words: str) -> None:
    found = said_after((HITS,), text)
    assert found.text == text
    [doubtful] = found.doubtful
    assert (doubtful.words, doubtful.paths) == (words, (f"{HOME}/Notes/a.txt", f"{HOME}/Notes/b.txt"))


def test_more_than_anybody_was_shown_is_not_meant_by_a_word() -> None:
    many = left(*(item(f"Downloads/{number}.txt") for number in range(40)))
    found = said_after((many,), "delete them all")
    assert found.text == "delete them all"
    assert [len(doubtful.paths) for doubtful in found.doubtful] == [40]


def test_the_newest_result_that_fits_is_meant() -> None:
    said = said_after((THROWN, READ, LISTING), "delete the biggest one")
    assert said.text == "delete ~/Downloads/b.jpg"
    assert said_after((THROWN, READ, LISTING), "delete it").text == "delete ~/Notes/a.txt"


def test_of_a_folder_and_what_is_in_it_none_is_taken_away_by_a_word() -> None:
    found = said_after((LISTING,), "delete it")
    assert found.text == "delete it"
    assert len(found.doubtful[0].paths) == len(LISTING.items)


@pytest.mark.parametrize(
    "said", ["keep the plain cat.png and get rid of the other", "cat.png留着，另一个删掉"]
)
def test_of_a_pair_the_one_that_is_kept_is_no_part_of_what_is_asked(said: str) -> None:
    assert "cat.png" not in without_kept(said_after((PAIR,), said))


@pytest.mark.parametrize(
    ("referent", "text", "kind", "meant"),
    [
        (ARCHIVE, "how big did it come out", "file", "Backups/Notes.zip"),
        (READ, "内容给我看看", "file", "Notes/a.txt"),
        (MEASURED, "and in the last 90 days?", "folder", "Downloads"),
        (READ, "delete a file", "file", ""),
        (READ, "新建一个文件", "file", ""),
        (HITS, "read it out", "file", ""),
    ],
)
def test_words_that_name_nothing_are_about_the_one_thing_of_the_last_result(
    referent: Referent, text: str, kind: str, meant: str
) -> None:
    found = meant_last(text, said_after((referent,), text), {kind})
    assert [path for each in found.references for path in each.paths] == (
        [f"{HOME}/{meant}"] if meant else []
    )


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("read the next one", "read '~/Downloads/c d.zip'"),
        ("and the one after that?", "and '~/Downloads/c d.zip'?"),
        ("the one before it, open that", "~/Downloads/a.pdf, open that"),
        ("下一个呢", "'~/Downloads/c d.zip' 呢"),
        ("打开最后一个", "打开 ~/Downloads/Old"),
    ],
)
def test_the_next_is_counted_from_the_one_that_was_spoken_of_last(text: str, meant: str) -> None:
    spoken = left(item("Downloads/b.jpg", 50, given=True))
    assert said_after((spoken, LISTING), text).text == meant


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("open the zip you made", "open ~/Backups/Notes.zip"),
        # The archive was made of a folder: it has no originals, and those of the pictures are not meant.
        ("trash the originals", "trash the originals"),
    ],
)
def test_what_was_made_is_what_was_made_last_whatever_was_listed_since(text: str, meant: str) -> None:
    assert said_after((LISTING, ARCHIVE, SMALL), text).text == meant


def one(name: str, size_bytes: int) -> Referent:
    return left(item(name, size_bytes, given=True))


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("delete the shorter one", "delete ~/Notes/b.txt"),
        ("copy the bigger file to ~/Desktop", "copy ~/Notes/a.txt to ~/Desktop"),
        ("删掉小一点的那个", "删掉 ~/Notes/b.txt"),
    ],
)
def test_of_two_that_were_spoken_of_one_after_the_other_one_is_the_bigger(text: str, meant: str) -> None:
    assert said_after((one("Notes/b.txt", 3), one("Notes/a.txt", 9)), text).text == meant


def test_what_is_bigger_is_of_the_kind_that_was_said() -> None:
    after = (one("Downloads/b.jpg", 50), one("Notes/a.txt", 9))
    assert "a.txt" not in said_after(after, "delete the bigger picture").text
    assert "a.txt" not in said_after(after, "compress the bigger folder").text


@pytest.mark.parametrize("text", ["检查更新的时间", "更新的内容写到 ~/a.txt", "把大一点的字写上"])
def test_an_update_and_larger_letters_are_nothing_that_was_spoken_of(text: str) -> None:
    said = said_after((one("Notes/b.txt", 3), one("Notes/a.txt", 9)), text)
    assert (said.text, said.doubtful) == (text, ())


def test_of_three_that_were_given_none_is_the_bigger() -> None:
    given = left(*(item(f"{name}.txt", size, given=True) for name, size in (("a", 9), ("b", 3), ("c", 99))))
    said = said_after((given,), "delete the bigger one")
    assert said.text == "delete the bigger one"
    assert said.doubtful


@pytest.mark.parametrize("referents", [(one("Notes/a.txt", 9),), (LISTING,)])
def test_of_one_or_of_many_none_is_the_bigger(referents: tuple[Referent, ...]) -> None:
    said = said_after(referents, "delete the bigger one")
    assert said.text == "delete the bigger one"
    assert said.doubtful


@all_rows(
    "text, path, pattern",
    [
        ("which one's the heaviest?", "b.jpg", ""),
        ("so what's the newest of those", "c d.zip", ""),
        ("which is bigger?", "b.jpg", ""),
        ("哪个最大？", "b.jpg", ""),
        ("最旧的是哪个", "b.jpg", ""),
        ("which of those are pdfs?", "", "*.pdf"),
        ("only the zips please", "", "*.zip"),
        ("how many pdfs are there", "", "*.pdf"),
        ("里面有几个pdf", "", "*.pdf"),
        ("and pdfs?", "", ""),
        ("which are the biggest files there", "", ""),
        ("delete the biggest", "", ""),
        ("what's the biggest file in my music", "", ""),
    ],
)
def test_a_question_about_what_was_shown_is_a_look_at_it(text: str, path: str, pattern: str) -> None:
    folder = f"{HOME}/Downloads"
    wanted = {"pattern": pattern, "folder": folder} if pattern else {"path": f"{folder}/{path}"}
    assert look_at_result(text, (LISTING,)) == (wanted if path or pattern else {})


@pytest.mark.parametrize(("text", "pattern"), [("and zips?", "*.zip"), ("pdf呢", "*.pdf")])
def test_after_a_look_by_kind_another_kind_is_enough(text: str, pattern: str) -> None:
    look = look_at_result(text, (replace(LISTING, params={"pattern": "*.jpg"}),))
    assert look == {"pattern": pattern, "folder": f"{HOME}/Downloads"}


@pytest.mark.parametrize("text", ["trash the duplicate", "delete the originals", "多余的删了"])
def test_what_a_result_has_not_is_not_its_only_thing(text: str) -> None:
    only = left(item("Notes/a.txt", searched=True), item("Notes/", given=True))
    assert not meant_last(text, said_after((only,), text), frozenset({"file"}), looks=False).references


CARD = replace(left(item("Notes/lease.txt", 5, given=True)), proposed=True)
LOOK_CARD = replace(left(item("Downloads/", given=True), place="Downloads"), proposed=True)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("move it to the desktop", "move '~/Notes/lease.txt' to ~/Desktop"),
        ("把它删掉", "把 ~/Notes/lease.txt 删掉"),
        ("delete the second one", "delete ~/Downloads/b.jpg"),  # of what was listed: a card is no list
    ],
)
def test_it_is_what_the_newest_card_is_about_and_a_list_is_what_was_shown(text: str, meant: str) -> None:
    assert said_after((CARD, LISTING), text).text.replace("'", "") == meant.replace("'", "")


def test_what_lies_in_a_folder_that_a_card_would_look_into_is_not_the_folder() -> None:
    resolved = said_after((LOOK_CARD,), "delete it")
    assert [each.paths for each in resolved.doubtful] == [(f"{HOME}/Downloads",)]
    assert said_after((LOOK_CARD,), "open it").references


@pytest.mark.parametrize(
    ("text", "path"), [("how big is it", "Notes/lease.txt"), ("which is the biggest", "")]
)
def test_a_card_is_asked_about_for_its_thing_and_for_no_list(text: str, path: str) -> None:
    assert look_at_result(text, (CARD,)) == ({"path": f"{HOME}/{path}"} if path else {})


def test_all_that_is_ones_own_is_meant_by_no_word_left_out() -> None:
    surroundings = Surroundings(HOME, HOME, (), (left(ResultItem(HOME, is_folder=True, given=True)),))
    said = ResolvedText("copy a copy to the desktop", "", home=HOME, surroundings=surroundings)
    assert not meant_last("复制一份到桌面", said, ("",)).references
