"""A person talks of files and of what was just done, in everyday words. No model anywhere."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.ids import new_id
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.events import ReplyEvent
from tests.support import REPOSITORY, Watcher

# Whole stories: they belong to the whole gate.
pytestmark = pytest.mark.integration

Say: TypeAlias = Callable[[str], Coroutine[Any, Any, str]]

FILES = {
    "Notes/shopping list.txt": "bread\n",
    "Notes/购物清单.txt": "面包\n",
    "Notes/lease.txt": "The rent is 740 a month. The deposit is two months.",
    "Downloads/setup-tool.exe": "",
    "Downloads/beach.jpg": "",
    "Downloads/Invoice March.pdf": "",
    "Downloads/invoice_0417.pdf": "",
    "Pictures/DSC_0001.jpg": "",
    "Pictures/holiday/DSC_0001.jpg": "",
}
SAMPLES = ("zip_folder.py", "rename_files", "recent_files.sh")


@pytest.fixture
async def say(partner: Partner, watcher: Watcher, action_dir: Path, user_home: Path) -> Say:
    """Says something in one conversation, and gives what is answered."""
    for name, text in FILES.items():
        (user_home / name).parent.mkdir(parents=True, exist_ok=True)
        (user_home / name).write_text(text, encoding="utf-8")
    (user_home / "Empty Box").mkdir()
    (user_home / "Desktop").mkdir()
    for name in SAMPLES:
        source, target = REPOSITORY / "action" / "dynamic" / name, action_dir / "dynamic" / name
        shutil.copytree(source, target) if source.is_dir() else shutil.copy(source, target)
    await watcher.until(
        lambda _: len([a for a in partner.abilities.list() if a.key.startswith("local::")]) == len(SAMPLES)
    )
    conversation = await partner.conversations.create()

    async def say(text: str) -> str:
        watcher.events.clear()
        exchange_id = new_id()
        await partner.messages.send(
            text,
            conversation_id=conversation.id,
            source="terminal",
            cwd=str(user_home),
            exchange_id=exchange_id,
        )
        await watcher.done(exchange_id)
        return "\n".join(e.text for e in watcher.events if isinstance(e, ReplyEvent) and e.done)

    return say


async def newest(partner: Partner) -> ActionRecord:
    return next(iter(await partner.actions.list()))


async def test_a_list_that_was_read_is_it_for_several_things_that_are_added(
    partner: Partner, say: Say, user_home: Path
) -> None:
    await say("what's in my shopping list")
    await say("add milk and eggs to it")
    card = await newest(partner)
    assert card.key == "builtin::files::append"
    assert card.params == {"file": str(user_home / "Notes/shopping list.txt"), "text": "milk\neggs"}


async def test_a_yes_is_no_text_and_what_is_added_needs_no_file(
    partner: Partner, say: Say, user_home: Path
) -> None:
    await say("购物清单里有什么")
    await say("加上苹果")
    assert (await newest(partner)).params == {"file": str(user_home / "Notes/购物清单.txt"), "text": "苹果"}
    await say("取消")
    await say("append a line to ~/Notes/new.txt")
    asked = await newest(partner)
    assert asked.status is ActionStatus.ASKING
    await say("ok")
    assert (await newest(partner)).params == asked.params, "`ok` was not written down"


async def test_a_folder_and_a_file_are_two_things_to_delete(
    partner: Partner, say: Say, user_home: Path
) -> None:
    await say("delete the empty box folder and the setup exe")
    chain = (await newest(partner)).chain
    assert chain is not None
    assert [step.params["path"] for step in chain.steps] == [
        str(user_home / "Empty Box"),
        str(user_home / "Downloads/setup-tool.exe"),
    ]


async def test_what_may_mean_two_files_is_never_left_out_in_silence(partner: Partner, say: Say) -> None:
    assert "I did not use “the invoice”" in await say("delete the invoice and the beach photo")


async def test_the_original_of_what_was_packed_is_not_the_place_it_went_to(
    partner: Partner, say: Say, user_home: Path
) -> None:
    await say("zip up ~/Notes and put the zip on my desktop")
    await say("yes")
    assert (await newest(partner)).status is ActionStatus.SUCCEEDED
    await say("delete the original folder")
    card = await newest(partner)
    assert (card.key, card.params) == ("builtin::files::trash", {"path": str(user_home / "Notes")})


async def test_where_files_may_be_meant_and_a_folder_is_wanted_their_folders_are_offered(
    partner: Partner, say: Say, user_home: Path
) -> None:
    told = await say("rename all the DSC photos to trip_1, trip_2 and so on")
    assert "1. `~/Pictures`\n2. `~/Pictures/holiday`" in told
    await say("2")
    assert (await newest(partner)).params["folder"] == str(user_home / "Pictures/holiday")


async def test_a_plan_for_later_is_dropped_as_a_card_and_a_reminder_tells_its_time(
    partner: Partner, say: Say
) -> None:
    await say("every friday at 5 zip ~/Notes")
    assert (await newest(partner)).status is ActionStatus.WAITING
    await say("delete that")
    assert (await newest(partner)).status is ActionStatus.REJECTED
    assert len(await partner.actions.list()) == 1, "nothing else was proposed"
    await say("remind me to call mum tomorrow at 9")
    assert "tomorrow at 09:00" in await say("when is that?")


#: What is said, one after the other; the ability that is proposed or run at last, and what of its arguments.
IN_CHINESE = {
    "the second biggest of a list": (
        ["找下载里的 pdf", "那第二大的呢", "把第二大的删了"],
        "builtin::files::trash",
        {"path": "~/Downloads/Invoice March.pdf"},
    ),
    "a copy of what was just spoken of": (
        ["购物清单里有什么", "发到桌面一份"],
        "builtin::files::copy",
        {"source": "~/Notes/购物清单.txt", "target": "~/Desktop/购物清单.txt"},
    ),
    "a look at what was just changed": (
        ["购物清单里加上牛奶", "好", "再看一遍"],
        "builtin::files::read",
        {"file": "~/Notes/购物清单.txt"},
    ),
    "a mistake, told before it is to be undone": (
        ["把 beach.jpg 删掉", "好", "哎呀删错了，恢复一下"],
        "builtin::files::undo",
        {"files": "~/Downloads/beach.jpg"},
    ),
    "an undoing that names the deed": (
        ["把 beach.jpg 改名叫 sea.jpg", "好", "撤销刚才的改名"],
        "builtin::files::undo",
        {"files": "~/Downloads/beach.jpg"},
    ),
    "the beginning of names": (
        ["把图片里 DSC 开头的改成 旅行 开头"],
        "local::rename_files",
        {"replace": "DSC", "new_text": "旅行"},
    ),
    "a name and a place for what is new": (
        ["新建一个文本，写上 今天要买菜", "就叫 今日.txt 放桌面"],
        "builtin::files::write",
        {"file": "~/Desktop/今日.txt", "text": "今天要买菜"},
    ),
    "another name for what stays where it is": (
        ["beach.jpg 改个名，叫 sea.jpg"],
        "builtin::files::move",
        {"target": "~/Downloads/sea.jpg"},
    ),
    "one of several that nobody named": (
        ["购物清单里有什么", "把旧的那个扔了"],
        "builtin::files::trash",
        {"path": "None"},
    ),
    "a look that deletes nothing": (
        ["下载里的东西一个都别删啊，我就想看看有哪些"],
        "builtin::list_folder",
        {"folder": "~/Downloads"},
    ),
    "a word doubled by chance": (["看下下载里的东西"], "builtin::list_folder", {"folder": "~/Downloads"}),
    "the only list": (["清单里有啥"], "builtin::files::read", {"file": "~/Notes/购物清单.txt"}),
    "text with blanks": (
        ["把 周五晚上聚餐 这句话复制到剪贴板"],
        "builtin::clipboard::write",
        {"text": "周五晚上聚餐"},
    ),
}


@pytest.mark.parametrize("case", IN_CHINESE)
async def test_what_chinese_leaves_out_or_says_in_passing_is_meant(
    partner: Partner, say: Say, user_home: Path, case: str
) -> None:
    lines, key, params = IN_CHINESE[case]
    (user_home / "Downloads/Invoice March.pdf").write_bytes(b"a" * 2000)
    (user_home / "Downloads/invoice_0417.pdf").write_bytes(b"a" * 4000)
    for line in lines:
        await say(line)
    card = await newest(partner)
    said = {name: str(card.params.get(name)).replace(str(user_home), "~") for name in params}
    assert (card.key, said) == (key, params)


#: What is said, one after the other, and what is answered at last.
ANSWERED_IN_CHINESE = {
    "how many": (["找下载里的 pdf", "有几份"], "2"),
    "other reminders": (["明天下午3点15提醒我去接孩子", "还有别的提醒吗"], "去接孩子"),
    "how long until it rings": (["10分钟后提醒我关火", "还剩几分钟"], "关火"),
    "no more of what was just set": (["10分钟后提醒我关火", "取消"], "已取消"),
    "another day than was just said": (["明天9点提醒我打电话", "不对，是后天"], "改到了"),
    "another day on a card": (["每周一早上提醒我交周报", "改成周二吧"], "每周二 09:00"),
    "what was noted": (["购物清单里加上牛奶", "好", "我刚才让你加了啥"], "追加到文件"),
    "no more of what was not open": (["不要了，取消"], "好的"),
    "what it sees": (["你能看到我的照片吗"], "没有摄像头"),
    "how it is used": (["我不知道怎么用你，能教教我吗"], "例如"),
    "what is only asked of a deed": (["要是我让你把桌面全删了你会删吗"], "请说“把 `~/Desktop` 全删了”"),
}


@pytest.mark.parametrize("case", ANSWERED_IN_CHINESE)
async def test_what_is_asked_of_the_talk_itself_is_answered_in_chinese(say: Say, case: str) -> None:
    lines, wanted = ANSWERED_IN_CHINESE[case]
    *_, told = [await say(line) for line in lines]
    assert wanted in told


async def test_all_of_a_kind_is_done_to_each_and_what_is_left_out_stays(
    partner: Partner, say: Say, user_home: Path
) -> None:
    downloads = user_home / "Downloads"
    answer = await say("delete everything in downloads except the pdfs")
    card = await newest(partner)
    assert card.chain is not None
    gone = {str(step.params["path"]) for step in card.chain.steps}
    assert gone == {str(downloads / "setup-tool.exe"), str(downloads / "beach.jpg")}
    assert "in 2 steps" in answer
    await say("no")
    await say("move all the pdfs in downloads to pictures")
    card = await newest(partner)
    assert card.chain is not None
    assert {step.params["source"] for step in card.chain.steps} == {
        str(downloads / "Invoice March.pdf"),
        str(downloads / "invoice_0417.pdf"),
    }
    assert {step.params["target"] for step in card.chain.steps} <= {
        "~/Pictures",
        str(user_home / "Pictures"),
        *(str(user_home / "Pictures" / name) for name in ("Invoice March.pdf", "invoice_0417.pdf")),
    }


async def test_what_takes_a_whole_folder_is_not_silent_about_a_kind(
    partner: Partner, say: Say, tmp_path: Path
) -> None:
    (tmp_path / "Archive").mkdir()
    (tmp_path / "Archive/a.txt").touch()
    for place in ("downloads", str(tmp_path / "Archive")):  # known, and not
        assert "I can't keep to “pdfs”" in await say(f"zip all the pdfs in {place}")
    assert await partner.actions.list() == []


async def test_several_files_are_meant_at_once_but_for_those_that_are_left_out(
    partner: Partner, say: Say, user_home: Path
) -> None:
    async def moved(text: str) -> set[str]:
        await say(text)
        card = await newest(partner)
        steps = card.chain.steps if card.chain is not None else (card,)
        assert card.status is ActionStatus.WAITING
        await say("no")
        return {Path(str(step.params.get("source", step.params.get("path")))).name for step in steps}

    invoices = {"Invoice March.pdf", "invoice_0417.pdf"}
    assert await moved("put both invoices in notes") == invoices
    assert await moved("move all the pdfs from downloads to the desktop") == invoices
    rest = {"setup-tool.exe", "beach.jpg"}
    assert await moved("move everything except the invoices from downloads to the desktop") == rest
    assert await moved("trash everything in downloads but the pdfs and the setup-tool.exe") == {"beach.jpg"}
    before = len(await partner.actions.list())
    for text in (
        "delete everything in downloads except the nice ones",
        "delete everything in downloads, keep the pdfs",
        "delete all the old pdfs in downloads",
    ):
        await say(text)
    cards = [one for one in await partner.actions.list() if one.status is ActionStatus.WAITING]
    assert not cards
    assert len(await partner.actions.list()) <= before + 1, "no more than a question came of them"


KEPT = {
    "wait, i need the manual": {"user manual.pdf"},
    "but keep the manual": {"user manual.pdf"},
    "the manual shouldn't be in there": {"user manual.pdf"},
    "i want to keep the manual": {"user manual.pdf"},
    "keep the manual and the march invoice": {"user manual.pdf", "Invoice March.pdf"},
    "体检报告我还要": {"体检报告.pdf"},
    "留着体检报告": {"体检报告.pdf"},
    "体检报告别删": {"体检报告.pdf"},
    "体检报告不要删": {"体检报告.pdf"},
    "keep the invoices": set(),
    "i need the shopping list": set(),
    "i want the manual deleted": set(),
    "yes, delete the manual": set(),
}


@pytest.mark.parametrize("text", KEPT)
async def test_what_is_needed_is_left_out_of_a_plan_that_takes_it_away(
    partner: Partner, say: Say, user_home: Path, text: str
) -> None:
    for name in ("user manual.pdf", "体检报告.pdf"):
        (user_home / "Downloads" / name).write_text("", encoding="utf-8")
    await say("delete all pdfs in downloads")
    before = await newest(partner)
    assert before.chain is not None
    await say(text)
    (card,) = await partner.actions.list()
    assert card.chain is not None
    assert card.status is ActionStatus.WAITING
    wanted = [
        one.params for one in before.chain.steps if Path(str(one.params["path"])).name not in KEPT[text]
    ]
    assert [step.params for step in card.chain.steps] == wanted


async def test_the_other_one_of_the_same_name_is_renamed_where_it_lies(
    partner: Partner, say: Say, user_home: Path
) -> None:
    await say("rename ~/Pictures/DSC_0001.jpg to grandma.jpg")
    await say("no, the other one")
    folder = user_home / "Pictures/holiday"
    wanted = {"source": str(folder / "DSC_0001.jpg"), "target": str(folder / "grandma.jpg")}
    assert (await newest(partner)).params == wanted


async def test_sums_the_time_elsewhere_and_two_files_are_asked_about(say: Say) -> None:
    assert "15% × 740 = 111" in await say("what's 15% of 740?")
    assert "= 629" in await say("and what's left of 740 then")
    assert "time zone of Tokyo" in await say("what time is it in tokyo")
    assert "time zone of New York" in await say("and in new york?")
    assert "25 December" in await say("how many days till christmas")
    told = await say("what's bigger, the shopping list or beach.jpg?")
    assert "shopping list.txt` (6 bytes) is bigger" in told


async def test_a_measure_goes_on_with_what_it_came_to(say: Say) -> None:
    assert "5 miles = 8.0467 km" in await say("what's 5 miles in km")
    assert "= 16.0934 km" in await say("times 2")
    assert "= 17.0934 km" in await say("plus 1")


@pytest.mark.parametrize("number", ["17*23", "1920x1080", "100加20"])
async def test_a_number_for_what_waits_is_no_sum(partner: Partner, say: Say, number: str) -> None:
    await say("what's 2 + 3")
    done = len(await partner.actions.list())
    await say("rename ~/Pictures/DSC_0001.jpg to grandma.jpg")
    await say(number)
    assert len(await partner.actions.list()) == done + 1, "the card alone came"
    assert "= 391" in await say("what's 17*23")
    assert "= 400" in await say("plus 9"), "the card is not the last thing said any more"


async def test_a_time_said_behind_a_reminder_is_no_sum(say: Say) -> None:
    await say("remind me to call mum tomorrow at 9")
    for text in ("and 3:30", "and 11/30", "and 2026-11-30"):
        assert " = " not in await say(text)


async def test_a_file_is_found_by_what_is_said_of_it(say: Say) -> None:
    assert "`~/Notes/shopping list.txt`" in await say("where did I put my weekly shopping list note")
    assert "`~/Downloads/Invoice March.pdf`" in await say("i'm looking for that march invoice thing")
    assert "2 names" in await say("how many pdfs have i got?")


async def test_a_reminder_that_was_told_last_is_moved_by_its_time_alone(say: Say) -> None:
    await say("remind me tomorrow at 6 to call mum")
    assert ":30" in await say("actually make it half past 6")


async def test_a_card_for_again_and_again_stays_where_another_time_makes_no_sense_of_it(
    partner: Partner, say: Say
) -> None:
    await say("zip ~/Notes every 2 hours")
    card = await newest(partner)
    assert "Say it whole" in await say("make it tuesday")
    assert (await newest(partner)) == card, "it waits as it was"
    assert "Tuesday" in await say("make it every tuesday at 9")
    assert (await newest(partner)).id != card.id


async def test_a_reminder_for_again_and_again_stays_where_another_time_makes_no_sense_of_it(
    say: Say,
) -> None:
    await say("every 2 hours remind me to stretch")
    assert "Say it whole" in await say("make it tuesday")
    await say("yes")
    assert "every 2 hours" in await say("what are my reminders?")


async def test_a_trial_is_no_second_request_and_a_made_up_order_is_said_back_alone(
    partner: Partner, say: Say
) -> None:
    await say("rename the DSC pictures in ~/Pictures/holiday to trip, just show me first")
    card = await newest(partner)
    assert (card.chain, card.params.get("preview")) == (None, True)
    told = await say("If I told you to delete my Pictures folder, would you do it?")
    assert "“delete my Pictures folder”" in told
    assert "nearest" not in await say('my wife said "delete all my pictures". can you believe it?')


async def test_what_is_done_every_day_is_not_done_to_the_files_of_today(partner: Partner, say: Say) -> None:
    await say("delete all pdfs in downloads every day at 9")
    card = await newest(partner)
    assert card.status is ActionStatus.ASKING
    assert card.chain is None
    await say("cancel")
    await say("delete all pdfs in downloads tomorrow at 9")
    assert (await newest(partner)).chain is not None


async def test_what_stands_in_a_file_is_asked_for_and_answered(say: Say) -> None:
    assert "lease.txt" in await say("wheres that lease")
    assert "The deposit is two months." in await say("whats the deposit in the lease")
    assert "says nothing of “pets”" in await say("does it say anything about pets")
    assert "The deposit is two months." in await say("lease里押金是多少")


async def test_a_file_whose_card_waits_is_spoken_of(partner: Partner, say: Say) -> None:
    await say("open the lease")
    assert (await newest(partner)).status is ActionStatus.WAITING
    assert "The rent is 740 a month." in await say("what does it say about the rent")
    await say("no")
    await say("open the lease")
    assert "says nothing of “pets”" in await say("does it say anything about pets")


async def test_a_thing_comes_off_a_list_after_a_yes_and_back(
    partner: Partner, say: Say, user_home: Path
) -> None:
    listed = user_home / "Notes/shopping list.txt"
    await say("bread, butter, jam on the shopping list pls")
    await say("yes")
    assert listed.read_text() == "bread\nbread\nbutter\njam\n"
    await say("take butter off my shopping list")
    assert (await newest(partner)).status is ActionStatus.WAITING
    assert "butter" in listed.read_text()
    await say("yes")
    assert listed.read_text() == "bread\nbread\njam\n"
    await say("undo")
    await say("yes")
    assert listed.read_text() == "bread\nbread\nbutter\njam\n"


@pytest.mark.parametrize("said", ["open all the pdfs in downloads", "把下载里的pdf都打开"])
async def test_all_of_a_kind_are_opened_by_a_step_each(
    partner: Partner, say: Say, user_home: Path, said: str
) -> None:
    await say(said)
    card = await newest(partner)
    assert card.status is ActionStatus.WAITING
    assert card.chain is not None
    assert [(step.key, step.params["target"]) for step in card.chain.steps] == [
        ("builtin::open", str(user_home / "Downloads" / name))
        for name in ("Invoice March.pdf", "invoice_0417.pdf")
    ]


@pytest.mark.parametrize("said", ["what did I change yesterday", "昨天改了哪些文件"])
async def test_a_question_of_files_at_large_looks_in_the_home_and_says_so(
    partner: Partner, say: Say, user_home: Path, said: str
) -> None:
    told = await say(said)
    card = await newest(partner)
    assert card.key == "local::recent_files"
    assert card.params == {"folder": str(user_home), "days": 2}
    assert "`~`" in told


async def test_a_place_that_was_said_and_is_not_there_is_asked_for(partner: Partner, say: Say) -> None:
    await say("which files did I change in that folder yesterday")
    assert (await newest(partner)).status is ActionStatus.ASKING


async def test_numbers_of_ones_own_are_kept_and_who_she_is_was_said_before(say: Say) -> None:
    await say("remeber my car reg is KX19 ABC")
    assert "KX19 ABC" in await say("whats my reg")
    await say("my sister is called Joanna")
    assert "Joanna’s birthday" in await say("and her birthday is on 12 march")
    assert "12 march" in await say("when is my sisters birthday again?")


@pytest.mark.parametrize("answer", ["yes", "sure", "好"])
async def test_a_yes_to_a_question_which_repeats_what_there_is(say: Say, answer: str) -> None:
    names = ("Invoice March.pdf", "invoice_0417.pdf")
    asked = await say("put the invoices in ~/Notes")
    assert all(name in asked for name in names)
    again = await say(answer)
    assert all(name in again for name in names)


@pytest.mark.parametrize(
    ("said", "key", "params"),
    [
        (
            ("trash beach.jpg", "no", "move it to the desktop"),
            "builtin::files::move",
            {"source": "Downloads/beach.jpg", "target": "Desktop/beach.jpg"},
        ),
        (
            ("打开 ~/Pictures/holiday/DSC_0001.jpg", "复制一份到桌面"),
            "builtin::files::copy",
            {"source": "Pictures/holiday/DSC_0001.jpg", "target": "Desktop/DSC_0001.jpg"},
        ),
        (
            ("open my shopping list", "add plums at the end"),
            "builtin::files::append",
            {"file": "Notes/shopping list.txt", "text": "plums"},
        ),
        (
            ("打开购物清单", "最后加一句 买花"),
            "builtin::files::append",
            {"file": "Notes/购物清单.txt", "text": "买花"},
        ),
    ],
)
async def test_what_a_card_is_about_need_not_be_named_again(
    partner: Partner, say: Say, user_home: Path, said: tuple[str, ...], key: str, params: dict[str, str]
) -> None:
    for text in said:
        await say(text)
    card = await newest(partner)
    told = {name: str(value).removeprefix(f"{user_home}/") for name, value in card.params.items()}
    assert (card.key, told) == (key, params)


async def test_what_a_script_made_is_deleted_and_not_the_script(
    partner: Partner, say: Say, user_home: Path
) -> None:
    await say("zip up ~/Notes and put the zip on my desktop")
    await say("yes")
    [archive] = (user_home / "Desktop").glob("*.zip")
    await say("delete it")
    card = await newest(partner)
    assert (card.key, card.params) == ("builtin::files::trash", {"path": str(archive)})


async def test_what_a_look_would_find_is_not_known_before_it_and_is_not_the_script(
    partner: Partner, watcher: Watcher, say: Say, action_dir: Path
) -> None:
    shutil.copy(REPOSITORY / "action" / "dynamic" / "disk_usage.py", action_dir / "dynamic")
    await watcher.until(lambda _: any(one.key == "local::disk_usage" for one in partner.abilities.list()))
    await say("show me the biggest file in ~/Downloads")
    assert (await newest(partner)).key == "local::disk_usage"
    await say("delete it")
    asked = await newest(partner)
    assert (asked.key, asked.status) == ("builtin::files::trash", ActionStatus.ASKING)


async def test_words_that_change_a_card_mean_the_card_by_it(
    partner: Partner, say: Say, user_home: Path
) -> None:
    await say("zip up ~/Notes")
    await say("put it on the desktop instead, I'll find it there")
    card = await newest(partner)
    assert card.params == {"source": str(user_home / "Notes"), "target": str(user_home / "Desktop")}
    await say("second thoughts, no, leave it as it is")
    assert (await newest(partner)).status is ActionStatus.REJECTED


async def test_an_answer_may_fill_in_more_than_was_asked_and_a_limit_is_no_refusal(
    partner: Partner, watcher: Watcher, say: Say, action_dir: Path, user_home: Path
) -> None:
    shutil.copytree(
        REPOSITORY / "action" / "dynamic" / "resize_images", action_dir / "dynamic" / "resize_images"
    )
    await watcher.until(lambda _: any(one.key == "local::resize_images" for one in partner.abilities.list()))
    for said in ("holiday里面的，最长边320", "holiday里面那几张，最长边别超过320"):
        await say("帮我把图缩小一点")
        await say(said)
        card = await newest(partner)
        told = (card.status, card.params["images"], card.params["longest_side"])
        assert told == (ActionStatus.WAITING, str(user_home / "Pictures/holiday"), 320)
        await say("取消")


async def test_a_folder_of_somebody_unknown_is_said_not_to_be_there(partner: Partner, say: Say) -> None:
    await say("zip up ~nobody9/papers")
    await say("~nobody9/papers")
    assert (await newest(partner)).status is not ActionStatus.RUNNING


@pytest.mark.parametrize("said", ["move beach.jpg next to the shopping list", "把beach.jpg放到购物清单旁边"])
async def test_next_to_a_file_is_in_its_folder(
    partner: Partner, say: Say, user_home: Path, said: str
) -> None:
    await say(said)
    assert (await newest(partner)).params["target"] == str(user_home / "Notes/beach.jpg")
