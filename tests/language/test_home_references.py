"""What words mean on the disk: folders, files by their names, and more often nothing at all."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from partner_desktop.domain.referent import Referent, ResultItem
from partner_desktop.domain.surroundings import HomeEntry, Surroundings
from partner_desktop.files.home_index import HomeIndex
from partner_desktop.language.disk_names import known_folder
from partner_desktop.language.home_references import WantedPath, folders_of_most, resolve_references
from tests.tables import all_rows

NAMES = """
Desktop/groceries.txt
Desktop/Holiday Plans/itinerary.md
Desktop/Screenshot from 2026-09-30.png
Desktop/明天要做.txt
Documents/tax 2025.pdf
Documents/letter to ann.txt
Documents/Rent Agreement.pdf
Documents/Taxes/receipts.csv
Documents/budget.xlsx
Documents/cover_letter.odt
Documents/简历.docx
Documents/会议记录.txt
Documents/保险/汽车保单.pdf
Downloads/song.mp3
Downloads/setup.deb
Downloads/report.pdf
Downloads/report (1).pdf
Downloads/kitten photo.jpg
Downloads/user manual.pdf
Downloads/体检报告.pdf
Notes/ideas.md
Notes/clean.txt
Notes/work log.md
Notes/old ideas.md
Notes/菜谱.md
Notes/读书笔记.md
Music/Road Trip/drive.mp3
Music/Road Trip/stop.mp3
Pictures/sea.png
Pictures/hill.png
Pictures/party.jpg
Pictures/2026/hill.png
Projects/chess/main.py
Projects/blog/index.html
Empty Box/
"""
HOME = "/home/me"


def entries(names: str) -> tuple[HomeEntry, ...]:
    known: dict[str, bool] = {}
    for name in names.split("\n"):
        parts = name.rstrip("/").split("/")
        for depth in range(1, len(parts)):
            known["/".join(parts[:depth])] = True
        if name:
            known[name.rstrip("/")] = name.endswith("/")
    by_depth = sorted(known, key=lambda name: (name.count("/"), name))
    return tuple(HomeEntry(f"{HOME}/{name}", is_folder=known[name]) for name in by_depth)


AT_HOME = Surroundings(home=HOME, cwd=HOME, entries=entries(NAMES))

FOLDERS = [
    ("tidy my downloads", "tidy ~/Downloads"),
    ("could you sort out my downloads folder please", "could you sort out ~/Downloads please"),
    ("my downloads are a mess, sort them out", "~/Downloads are a mess, sort them out"),
    ("what is in documents?", "what is in ~/Documents?"),
    ("move setup.deb to the desktop", "move ~/Downloads/setup.deb to ~/Desktop"),
    ("whats on my desktop", "whats on ~/Desktop"),
    ("list the download folder", "list ~/Downloads"),
    ("zip my notes folder", "zip ~/Notes"),
    ("zip the folder Notes and tidy Downloads", "zip ~/Notes and tidy ~/Downloads"),
    ("in my notes, search for tea", "in ~/Notes, search for tea"),
    ("search in my notes for tea", "search in ~/Notes for tea"),
    ("and Pictures?", "and ~/Pictures?"),
    ("same for Music", "same for ~/Music"),
    ("compare my documents and my notes", "compare ~/Documents and ~/Notes"),
    ("how much space does my pictures folder take", "how much space does ~/Pictures take"),
    ("is there anything in my photos that i have twice", "is there anything in ~/Pictures that i have twice"),
    ("what is eating the space in my donwloads folder", "what is eating the space in ~/Downloads"),
    ("find the biggest files in my whole home directory", "find the biggest files in ~"),
    ("put the sea picture in the empty box", "put ~/Pictures/sea.png in '~/Empty Box'"),
    ("zip Empty Box", "zip '~/Empty Box'"),
    ("open the holiday plans folder", "open '~/Desktop/Holiday Plans'"),
    ("the taxes folder in documents is full", "~/Documents/Taxes is full"),
    ("how big is the Road Trip folder inside my music", "how big is '~/Music/Road Trip'"),
    ("shrink the photos in Pictures/2026", "shrink the photos in ~/Pictures/2026"),
    ("back up Projects/chess to Backups", "back up ~/Projects/chess to Backups"),
    ("zip the chess project", "zip ~/Projects/chess"),
    ("tidy my desktop and my downloads", "tidy ~/Desktop and ~/Downloads"),
    ("把下载文件夹整理一下", "把 ~/Downloads 整理一下"),
    ("整理下载", "整理 ~/Downloads"),
    ("我的照片里有没有重复的", "~/Pictures 里有没有重复的"),
    ("看看桌面上有什么", "看看 ~/Desktop 上有什么"),
    ("文档里最近三天改了哪些文件", "~/Documents 里最近三天改了哪些文件"),
    ("把 song.mp3 移到音乐", "把 ~/Downloads/song.mp3 移到 ~/Music"),
    ("那音乐呢？", "那 ~/Music 呢？"),
    ("桌面太乱了", "~/Desktop 太乱了"),
    ("下栽文件夹多大", "~/Downloads 多大"),
    ("把 chess 打包", "把 ~/Projects/chess 打包"),
    ("看看 empty box 里有没有东西", "看看 '~/Empty Box' 里有没有东西"),
    ("家目录里什么最大", "~ 里什么最大"),
    ("等下 先告诉我桌面有啥", "等下 先告诉我 ~/Desktop 有啥"),
]
FILES = [
    ("read budget.xlsx", "read ~/Documents/budget.xlsx"),
    ("rename budget.xlsx to plan.xlsx", "rename ~/Documents/budget.xlsx to ~/Documents/plan.xlsx"),
    ("rename budget.xlsx to plan", "rename ~/Documents/budget.xlsx to ~/Documents/plan.xlsx"),
    ("count the words in Rent Agreement.pdf", "count the words in '~/Documents/Rent Agreement.pdf'"),
    ("delete old ideas.md", "delete '~/Notes/old ideas.md'"),
    ("delete ideas.md", "delete ~/Notes/ideas.md"),
    ("delete report (1).pdf", "delete '~/Downloads/report (1).pdf'"),
    ("read the letter to ann", "read '~/Documents/letter to ann.txt'"),
    ("where did i put the letter to ann?", "where did i put '~/Documents/letter to ann.txt'?"),
    ("how many words has my cover letter got", "how many words has ~/Documents/cover_letter.odt got"),
    ("open the ideas note", "open ~/Notes/ideas.md"),
    ("add milk to the groceries list", "add milk to ~/Desktop/groceries.txt"),
    ("add milk to the groceries", "add milk to ~/Desktop/groceries.txt"),
    ("read me the groceries", "read me ~/Desktop/groceries.txt"),
    ("read the groceries list on my desktop", "read ~/Desktop/groceries.txt"),
    ("move the song from downloads to my music folder", "move ~/Downloads/song.mp3 to ~/Music"),
    ("get rid of setup.deb in downloads", "get rid of ~/Downloads/setup.deb"),
    ("open that screenshot on my desktop", "open '~/Desktop/Screenshot from 2026-09-30.png'"),
    ("copy the kitten photo to Pictures", "copy '~/Downloads/kitten photo.jpg' to ~/Pictures"),
    ("show me the rent agreement", "show me '~/Documents/Rent Agreement.pdf'"),
    ("email the rent agreement to my landlord", "email '~/Documents/Rent Agreement.pdf' to my landlord"),
    (
        "zip the budget and the rent agreement",
        "zip ~/Documents/budget.xlsx and '~/Documents/Rent Agreement.pdf'",
    ),
    ("read the file called work log", "read '~/Notes/work log.md'"),
    ("the one in Documents called taxes", "~/Documents/Taxes"),
    ("delete the cleann note", "delete ~/Notes/clean.txt"),
    ("read the rent agrement", "read '~/Documents/Rent Agreement.pdf'"),
    ("what does the work log say about tea", "what does '~/Notes/work log.md' say about tea"),
    ("search the work log for tea", "search '~/Notes/work log.md' for tea"),
    ("打开简历", "打开 '~/Documents/简历.docx'"),
    ("会议记录写了什么", "'~/Documents/会议记录.txt' 写了什么"),
    ("菜谱里加一条 红烧肉", "'~/Notes/菜谱.md' 加一条 红烧肉"),
    ("把汽车保单复制到桌面", "把 '~/Documents/保险/汽车保单.pdf' 复制到 ~/Desktop"),
    ("删掉下载里的体检报告", "删掉 '~/Downloads/体检报告.pdf'"),
    ("体检报告放哪儿了", "'~/Downloads/体检报告.pdf' 放哪儿了"),
    ("cover letter 多少词", "~/Documents/cover_letter.odt 多少词"),
    ("把 work log 删了", "把 '~/Notes/work log.md' 删了"),
    ("打开读书笔记", "打开 '~/Notes/读书笔记.md'"),
    ("看看桌面上的明天要做", "看看 '~/Desktop/明天要做.txt'"),
]
FILES += [
    ("read ~/Notes/work log.md please", "read '~/Notes/work log.md' please"),
    (
        "move /home/me/Desktop/Holiday Plans to ~/Music/Road Trip",
        "move '~/Desktop/Holiday Plans' to '~/Music/Road Trip'",
    ),
    ("zip ~/Notes and ~/Music", "zip ~/Notes and ~/Music"),
    ("zip ~/Music/Road\\ Trip", "zip '~/Music/Road Trip'"),
]
NEW = [
    ("make a folder called Old Stuff on my desktop", "make a folder called '~/Desktop/Old Stuff'"),
    ("a folder called Old Stuff on my desktop please", "a folder called '~/Desktop/Old Stuff' please"),
    ("make a new folder in documents called Receipts", "make a new folder called ~/Documents/Receipts"),
    ("create a folder Bills in Documents and move tax 2025.pdf there",
     "create a folder ~/Documents/Bills and move '~/Documents/tax 2025.pdf' there"),
    ("write hello into a file called a.txt on the desktop", "write hello into a file called ~/Desktop/a.txt"),
    ('a folder called "Trips" in Documents', "a folder called ~/Documents/Trips"),
    ("在桌面建个文件夹叫旅行照片", "建个文件夹叫 '~/Desktop/旅行照片'"),
    ("在文档里新建一个文件夹 备份", "新建一个文件夹 '~/Documents/备份'"),
    ("create a folder Archive in Documents, copy song.mp3 there, zip Archive",
     "create a folder ~/Documents/Archive, copy ~/Downloads/song.mp3 there, zip ~/Documents/Archive"),
    ("叫备份，放在文档里", "叫 '~/Documents/备份'"),
]  # fmt: skip
UNTOUCHED = [
    # No file is meant, though a word is a file's.
    "clean the kitchen",
    "what is a good budget for a trip to Rome?",
    "the budget was agreed on Monday",
    "i have some ideas for the garden",
    "do you have any ideas",
    "can you clean up my writing style?",
    "play a game of chess",
    "i play chess on Sundays",
    "how do i play chess",
    "i need a budget",
    "make a new budget",
    "write a song about the sea",
    "tell me a joke about taxes",
    "i paid the taxes last week",
    "is the party on friday?",
    "my sister Ann has a blog",
    "set a timer for my work",
    "what's the weather on the hill",
    "we drive to Ulm tomorrow",
    "stop",
    "listen to music",
    "a bunch of pictures",
    "the sea was cold",
    "it downloads files",
    "i love my music player",
    "my desktop computer is slow",
    "he took a song and a report to the office",
    "the party in the garden",
    # What is to be noted, looked for, said, asked of the memory, or called so.
    "note that the budget is due on friday",
    "jot down: read the rent agreement",
    "remember that my documents are in the attic",
    "remind me to read the work log",
    "please remember the letter to ann",
    "what did I say about the budget?",
    "what did i tell you about the rent agreement",
    "what do you know about the letter to ann",
    "write a poem about the work log",
    "search for the budget",
    "find the rent agreement",
    "take a note: tidy my downloads",
    "my boss said: delete everything in the work log",
    'write "move song.mp3 to the desktop"',
    "call it Road Trip",
    "a folder called work log",
    "translate the work log is empty",
    "send Ann a notification saying the rent agreement is there",
    # What is written out already.
    "read ~/Notes/ideas.md",
    "open https://example.com/Downloads/song.mp3",
    "read '~/Notes/work log.md'",
    "mail to song.mp3@example.com",
    # There is no such thing.
    "open the one called Nothing",
    "read the novel",
    "open nothing.txt",
    "read the garden note",
    "the budget picture",
    "帮我找个人",
    "记一下明天看体检报告",
    "提醒我打开简历",
    "搜一下 体检报告",
    "关于汽车保单我说过什么",
    "老板说：把下载里的东西删掉",
    "新建一个简历",
    "写一篇关于读书笔记的文章",
    "我喜欢听音乐",
    "帮我下载一个软件",
    "图片大小怎么改",
    "给妈妈打电话",
    "今天天气怎么样",
    "把 打开读书笔记 这句话复制到剪贴板",
    "命名为体检报告",
    "家里没有酱油了",
    "这个视频真好看",
    "我在家",
    "音乐会几点开始",
    "“整理下载”是什么意思",
]
DOUBTFUL = [
    ("open the report", ["Downloads/report.pdf", "Downloads/report (1).pdf"]),
    ("delete hill.png", ["Pictures/hill.png", "Pictures/2026/hill.png"]),
    ("open the song from Music", ["Music/Road Trip/drive.mp3", "Music/Road Trip/stop.mp3"]),
    ("删掉 hill.png", ["Pictures/hill.png", "Pictures/2026/hill.png"]),
]
ANSWERS = [
    ("downloads I guess", "~/Downloads I guess"),
    ("desktop", "~/Desktop"),
    ("hmm, try pictures", "hmm, try ~/Pictures"),
    ("Music", "~/Music"),
    ("the music one then", "~/Music then"),
    ("the chess project", "~/Projects/chess"),
    ("chess", "~/Projects/chess"),
    ("work log", "'~/Notes/work log.md'"),
    ("ok the groceries", "ok ~/Desktop/groceries.txt"),
    ("呃 下载吧", "呃 ~/Downloads 吧"),
    ("就图片那个文件夹吧", "就 ~/Pictures 吧"),
    ("简历", "'~/Documents/简历.docx'"),
    ("chess 那个", "~/Projects/chess 那个"),
    ("i don't know", "i don't know"),
    ("never mind", "never mind"),
    ("算了", "算了"),
]

FILE_ONLY, FOLDER_ONLY = frozenset({"file"}), frozenset({"folder"})
EITHER = FILE_ONLY | FOLDER_ONLY
EAGER = [
    ("yo whats hogging all the space in downloads lol", FOLDER_ONLY, ["Downloads"]),
    ("wot got changed in my documants this week", FOLDER_ONLY, ["Documents"]),
    ("how many words has the agreement reached", FILE_ONLY, ["Documents/Rent Agreement.pdf"]),
    ("groceries pls, whats in it", FILE_ONLY, ["Desktop/groceries.txt"]),
    ("chuck that user manual thingy", EITHER, ["Downloads/user manual.pdf"]),
    ("manual. the user one. its in downloads", EITHER, ["Downloads/user manual.pdf"]),
    ("make the pics in my 2026 folder smaller", EITHER, ["Pictures/2026"]),
    ("check pictures for doubles", FOLDER_ONLY, ["Pictures"]),
    ("the hill.png in pictures 2026", FILE_ONLY, ["Pictures/2026/hill.png"]),
    (
        "copy the rent thing, the agreement, to my desktop",
        EITHER,
        ["Documents/Rent Agreement.pdf", "Desktop"],
    ),
    ("count Notes/work log.md", FILE_ONLY, ["Notes/work log.md"]),
    ("keep the groceries and bin the kitten photo", FILE_ONLY, ["Downloads/kitten photo.jpg"]),
    ("not the downloads, the desktop", FOLDER_ONLY, ["Desktop"]),
    ("resize a picture", EITHER, []),
    ("what a lovely morning", EITHER, []),
    ("读书那个写的什么", FILE_ONLY, ["Notes/读书笔记.md"]),
    ("就是那个 setup 安装包", FILE_ONLY, ["Downloads/setup.deb"]),
    ("帮我把汽车的移到文档", EITHER, ["Documents/保险/汽车保单.pdf", "Documents"]),
    ("那也先不删", EITHER, []),
]


@all_rows("said, kinds, names", EAGER)
def test_where_a_path_is_missing_every_word_may_be_of_a_name(
    said: str, kinds: frozenset[str], names: Iterable[str]
) -> None:
    found = resolve_references(said, AT_HOME, wanted=WantedPath(kinds)).references
    assert [path for each in found for path in each.paths] == [f"{HOME}/{name}" for name in names]


@pytest.mark.parametrize(
    ("said", "path"),
    [
        ("please to make one folder with the name Taxes inside of my Documents", "Documents/Taxes"),
        ("on the desktop a folder, call it Sorted", "Desktop/Sorted"),
        ("a folder in documents", None),
        ("在文档那里建个文件夹叫食谱", "Documents/食谱"),
    ],
)
def test_what_is_to_be_made_has_its_name_and_its_place_in_any_order(said: str, path: str | None) -> None:
    found = resolve_references(said, AT_HOME, wanted=WantedPath(made=True)).references
    assert [each.paths[0] for each in found if each.new] == ([f"{HOME}/{path}"] if path else [])


def test_a_folder_that_everybody_has_only_says_where_that_lies_which_goes() -> None:
    wanted = WantedPath(taken_away=True)
    assert not resolve_references("anything in downloads can go", AT_HOME, wanted=wanted).references
    [found] = resolve_references("setup in downloads can go", AT_HOME, wanted=wanted).references
    assert found.paths == (f"{HOME}/Downloads/setup.deb",)


def test_what_other_arguments_hold_names_no_file() -> None:
    wanted = WantedPath(FOLDER_ONLY, known=("chess",))
    assert not resolve_references("look for chess somewhere", AT_HOME, wanted=wanted).references


@all_rows("said, written", [*FOLDERS, *FILES, *NEW])
def test_what_is_meant_is_written_out_and_given_back(said: str, written: str) -> None:
    resolved = resolve_references(said, AT_HOME)
    assert resolved.text == written
    assert not resolved.doubtful
    for reference in resolved.references:
        assert said[reference.start : reference.end] == reference.words


@all_rows("said, written", [*FOLDERS, *FILES])
def test_a_free_text_gets_the_persons_own_words_back(said: str, written: str) -> None:
    resolved = resolve_references(said, AT_HOME)
    assert resolved.restored(resolved.text) == said
    assert resolved.restored("nothing of it") == "nothing of it"


@all_rows("said", UNTOUCHED)
def test_what_means_nothing_on_the_disk_stays_as_it_was_said(said: str) -> None:
    resolved = resolve_references(said, AT_HOME)
    assert (resolved.text, resolved.doubtful) == (said, ())


@pytest.mark.parametrize(
    ("said", "written"),
    [
        ("the DSC_0001 inside holiday can go", "~/Pictures/holiday/DSC_0001.jpg inside holiday can go"),
        (
            "move DSC_0001 from holiday to the desktop",
            "move ~/Pictures/holiday/DSC_0001.jpg from holiday to ~/Desktop",
        ),
        ("holiday 里头那张 DSC_0001 扔了吧", "holiday 里头 ~/Pictures/holiday/DSC_0001.jpg 扔了吧"),
        ("copy DSC_0001 into holiday", "copy DSC_0001 into holiday"),
        ("put DSC_0001 in holiday", "put DSC_0001 in ~/Pictures/holiday"),
    ],
)
def test_of_one_name_in_two_folders_the_one_is_meant_whose_folder_is_said_to_hold_it(
    said: str, written: str
) -> None:
    names = "Desktop/\nPictures/DSC_0001.jpg\nPictures/holiday/DSC_0001.jpg\nPictures/holiday/sea.jpg"
    assert resolve_references(said, Surroundings(home=HOME, cwd=HOME, entries=entries(names))).text == written


@pytest.mark.parametrize(("said", "names"), DOUBTFUL)
def test_several_that_may_be_meant_are_told_and_none_is_taken(said: str, names: Iterable[str]) -> None:
    resolved = resolve_references(said, AT_HOME)
    [doubtful] = resolved.doubtful
    assert sorted(doubtful.paths) == sorted(f"{HOME}/{name}" for name in names)
    assert doubtful.words in resolved.text


@all_rows("said, written", ANSWERS)
def test_asked_for_a_file_or_a_folder_a_bare_name_means_one(said: str, written: str) -> None:
    assert resolve_references(said, AT_HOME, asked=True).text == written


LIST = Referent("a1", "builtin::files::read", "Read a file", {}, (ResultItem(f"{HOME}/Desktop/todo.txt"),))


@pytest.mark.parametrize(
    "said", ["add milk to that list", "add milk to the list", "copy that photo to the desktop"]
)
def test_a_kind_that_points_back_is_no_part_of_a_name(said: str) -> None:
    names = entries("Notes/shopping list.txt\nPictures/kitten photo.jpg")
    resolved = resolve_references(said, Surroundings(HOME, HOME, names, (LIST,)))
    assert not [
        path for each in resolved.references for path in each.paths if "Notes" in path or "kitten" in path
    ]


def test_the_only_list_is_meant_where_nothing_was_spoken_of_before() -> None:
    resolved = resolve_references(
        "add milk to the list", Surroundings(HOME, HOME, entries("Notes/shopping list.txt"))
    )
    assert resolved.text == "add milk to '~/Notes/shopping list.txt'"


def test_the_working_folder_comes_first_among_several() -> None:
    here = Surroundings(HOME, f"{HOME}/Pictures/2026", entries(NAMES))
    assert resolve_references("delete hill.png", here).text == "delete ~/Pictures/2026/hill.png"


def test_a_folder_that_everybody_has_is_known_with_a_slip_before_the_disk_is() -> None:
    assert resolve_references("tidy my downlods", Surroundings(HOME, HOME)).text == "tidy ~/Downloads"
    assert known_folder("downlods") == "~/Downloads"
    assert known_folder("desks") is None


def test_folders_of_another_language_on_the_disk_are_the_ones_that_are_meant() -> None:
    names = entries("下载/歌.mp3\n桌面/")
    assert resolve_references("tidy my downloads", Surroundings(HOME, HOME, names)).text == "tidy '~/下载'"


def test_where_nothing_is_known_of_a_disk_nothing_is_read() -> None:
    assert resolve_references("tidy my downloads", Surroundings()).text == "tidy my downloads"


def test_a_real_home_is_indexed_and_read(tmp_path: Path) -> None:
    home = tmp_path / "home"
    (home / "Notes").mkdir(parents=True)
    (home / "Notes" / "shopping list.txt").touch()
    index = HomeIndex(home)
    surroundings = Surroundings(index.home, "", index.entries())
    [reference] = resolve_references("read me the shopping list", surroundings).references
    assert reference.paths == (f"{index.home}/Notes/shopping list.txt",)


@pytest.mark.parametrize(
    ("said", "names"),
    [
        ("读一下文档里的预算", ["budget.xlsx"]),
        ("把下载里的报告挪到桌面", ["体检报告.pdf"]),
        ("打开下载里的发票", ["Invoice March.pdf", "invoice_0417.pdf"]),
        ("open the insurance folder in documents", ["保险"]),
    ],
)
def test_a_word_finds_the_names_that_say_it_in_the_other_language(said: str, names: list[str]) -> None:
    more = entries("Downloads/Invoice March.pdf\nDownloads/invoice_0417.pdf")
    resolved = resolve_references(said, replace(AT_HOME, entries=(*AT_HOME.entries, *more)))
    found = (*resolved.references, *resolved.doubtful)
    assert names in [[Path(path).name for path in each.paths] for each in found]


#: Size and age of what lies in the downloads.
MEASURED = tuple(
    ResultItem(f"{HOME}/Downloads/{name}", size_bytes=size, modified_s=time)
    for name, size, time in (
        ("song.mp3", 900, 30.0),
        ("setup.deb", 500, 40.0),
        ("report.pdf", 70, 20.0),
        ("report (1).pdf", 70, 25.0),
        ("kitten photo.jpg", 60, 10.0),
    )
)


@all_rows(
    "said, written",
    [
        ("move the biggest file in downloads to the desktop", "move ~/Downloads/song.mp3 to ~/Desktop"),
        (
            "move the second biggest file in downloads to documents",
            "move ~/Downloads/setup.deb to ~/Documents",
        ),
        ("delete the newest picture in Downloads", "delete '~/Downloads/kitten photo.jpg'"),
        ("copy the oldest pdf from my downloads to notes", "copy ~/Downloads/report.pdf to ~/Notes"),
        ("把下载里最大的那个挪到桌面", "把 ~/Downloads/song.mp3 挪到 ~/Desktop"),
        ("打开下载文件夹里最新的文件", "打开 ~/Downloads/setup.deb"),
        ("whats the biggest file in downloads", "whats the biggest file in ~/Downloads"),
        ("list the three newest files in downloads", "list the three newest files in ~/Downloads"),
        ("下载里最新的文件", "~/Downloads 里最新的文件"),
        ("下载里最大的文件是哪个", "~/Downloads 里最大的文件是哪个"),
        ("put the biggest one in Downloads", "put the biggest one in ~/Downloads"),
        ("delete the biggest folder in Downloads", "delete the biggest folder in ~/Downloads"),
        ("delete the smallest pdf in downloads", "delete the smallest pdf in downloads"),
    ],
)
def test_the_most_of_a_folder_is_told_by_what_lies_there(said: str, written: str) -> None:
    resolved = resolve_references(said, replace(AT_HOME, measured=MEASURED))
    assert resolved.text == written


def test_of_those_that_are_alike_none_is_the_smallest() -> None:
    resolved = resolve_references("delete the smallest pdf in downloads", replace(AT_HOME, measured=MEASURED))
    assert [Path(path).name for each in resolved.doubtful for path in each.paths] == [
        "report.pdf",
        "report (1).pdf",
    ]


def test_a_real_folder_is_measured_where_a_message_says_the_biggest(tmp_path: Path) -> None:
    (tmp_path / "Downloads").mkdir()
    for name, size in (("small.txt", 1), ("big.txt", 9)):
        (tmp_path / "Downloads" / name).write_text("x" * size)
    index = HomeIndex(tmp_path)
    known, said = Surroundings(index.home, "", index.entries()), "delete the biggest file in downloads"
    folders = folders_of_most(said, known)
    assert folders_of_most("delete big.txt in downloads", known) == frozenset()
    [reference] = resolve_references(said, replace(known, measured=index.measured(folders))).references
    assert reference.paths == (f"{index.home}/Downloads/big.txt",)


def test_what_many_names_share_names_none_of_them() -> None:
    many = entries("\n".join(f"Documents/report number {number}.txt" for number in range(400)))
    resolved = resolve_references("delete the report", Surroundings(HOME, HOME, many))
    assert (resolved.references, resolved.doubtful) == ((), ())


def test_a_document_is_no_request() -> None:
    said = "read the work log. " * 200
    assert resolve_references(said, AT_HOME).text == said


def test_what_is_said_to_be_there_and_is_not_is_nothing_new() -> None:
    resolved = resolve_references("zip the one in Documents called nothing", AT_HOME)
    assert resolved.text == "zip the one in ~/Documents called nothing"


MANY = [
    (
        "move all the pdfs in downloads to documents",
        {"report.pdf", "report (1).pdf", "user manual.pdf", "体检报告.pdf"},
    ),
    ("copy the pictures from pictures to the desktop", {"sea.png", "hill.png", "party.jpg"}),
    ("delete every mp3 in downloads", {"song.mp3"}),
    ("delete all pdfs in downloads except the user manual", {"report.pdf", "report (1).pdf", "体检报告.pdf"}),
    ("delete everything in downloads except the pdfs", {"song.mp3", "setup.deb", "kitten photo.jpg"}),
    ("trash the files in downloads but keep the pdfs and the song", {"setup.deb", "kitten photo.jpg"}),
    ("delete all files in downloads except pdfs/songs", {"setup.deb", "kitten photo.jpg"}),
    ("delete every report in downloads", {"report.pdf", "report (1).pdf"}),
    (
        "can you move all the pictures in pictures to my desktop and then zip the notes",
        {"sea.png", "hill.png", "party.jpg"},
    ),
    ("请帮我把图片里的图片都移到桌面吧", {"sea.png", "hill.png", "party.jpg"}),
    ("把图片里的图片都移到桌面", {"sea.png", "hill.png", "party.jpg"}),
    ("把下载里所有的pdf移到文档", {"report.pdf", "report (1).pdf", "user manual.pdf", "体检报告.pdf"}),
]
#: What is not of many things, or of some that are told by more than their kind.
NOT_MANY = [
    "find all the pdfs in downloads",
    "how many pictures are in pictures",
    "resize the pictures in pictures",
    "move the pdfs in downloads that are older than a year to documents",
    "delete all pdfs in downloads except the good ones",
    "delete all pdfs in downloads except the newest",
    "delete everything in downloads except the pdfs and the secret plan",
    "delete everything in downloads",
    "put the pdfs in documents",
    "把图片里的图片都缩小",
    "把下载里的pdf都删掉，除了报告",
    *(
        f"delete all pdfs in downloads, {more}"
        for more in (
            "preserve the manual",
            "hang on to the manual",
            "exempting the manual",
            "yet keep the manual",
            "I'm keeping the manual.",
            "the manual I keep.",
            "the chinese ones",
        )
    ),
    *(
        f"delete all the files in downloads, {more}"
        for more in (
            "i need the pdfs",
            "the pdfs i still need",
            "sparing the pdfs",
            "pdfs excluded",
            "hands off the pdfs",
            "mind the pdfs",
        )
    ),
    *(
        f"delete all pdfs in downloads {more}"
        for more in (
            "in chinese",
            "from ann",
            "for work",
            "i read",
            "any doubles",
            "until 1 gb is free",
            "when i say go",
            "every day at 9",
            "and documents",
            'and keep the manual"',
            "and then keep the manual",
            "and zip the rest but not the manual",
        )
    ),
    *(
        f"{before} delete all pdfs in downloads"
        for before in (
            "keep the manual and",
            "skip the manual and",
            "i need the manual,",
            "hands off the manual,",
            "the manual is important.",
            "save the manual,",
        )
    ),
    "delete all files in downloads except the song! and the manual!",
    "delete all files in downloads except the song. and the manual",
    "delete all files in downloads except the song in downloads and the manual",
    "delete all files in downloads except the pdfs/songs and then some",
    "delete all files in downloads except pdfs letter",
    "delete all files in downloads except .pdf letter",
    "delete everything in documents except the pdfs",
    "delete everything in music except the mp3s",
    "delete the letters in documents",
    "throw away the drafts in documents",
    "delete all taxes",
    "put all the tax in documents",
    "keep the old ideas and delete all ideas",
    *(
        f"把下载里所有的pdf都删掉{more}"
        for more in ("。报告不删", "，体检报告不算", "，体检报告例外", "，留一个", "一半", "，中文的那几个")
    ),
    "把下载里所有的文件都删掉，只留pdf",
    "把下载里所有的文件都删掉，pdf不能丢",
    "体检报告我还要，把下载里所有的pdf都删掉",
]


@all_rows("text, names", MANY)
def test_all_of_a_kind_in_a_folder_is_each_of_them(text: str, names: set[str]) -> None:
    found = [each for each in resolve_references(text, AT_HOME).references if len(each.paths) == len(names)]
    assert names in [{Path(path).name for path in each.paths} for each in found]


@all_rows("text", NOT_MANY)
def test_what_says_more_than_a_kind_is_not_all_of_it(text: str) -> None:
    assert [each for each in resolve_references(text, AT_HOME).references if len(each.paths) > 1] == []
