"""Questions that records answer are told from requests, in both languages; none is taken for the other."""

from __future__ import annotations

from datetime import UTC, date, datetime

from partner_desktop.domain.inquiry import AskedAbout, Topic
from partner_desktop.language.speech_acts.asked_about import asked_about
from tests.tables import all_rows

#: A Wednesday.
NOW = datetime(2025, 3, 5, 10, tzinfo=UTC)

QUESTIONS = {
    Topic.OPEN: """
        what are you doing?
        What are you doing right now
        what's running?
        what are you waiting for?
        is anything still waiting for me?
        你在做什么？
        你在等什么
        sorry, phone rang. what is still waiting for my answer?
        do u need anything from me still
        anything i still have to decide on?
        现在还有什么等我点头的吗
    """,
    Topic.PLAN: """
        what exactly will happen?
        and what would happen if I said yes?
        what happens when i approve it
        what will step 2 do?
        which folder?
        show me the plan again
        what are you going to do
        到底会发生什么？
        如果我说好，会怎么样？
        第二步是做什么的？
    """,
    Topic.RISK: """
        is it safe?
        ok and is it dangerous
        will it delete anything?
        is the tidy thing dangerous?
        会删除文件吗？
        有危险吗
    """,
    Topic.DEEDS: """
        what did you just do?
        what have you done today
        can you tell me what you did?
        what files did you change
        Which of my documents have you moved?
        did you delete anything?
        have you touched any of my photos today?
        did you rename it
        was anything deleted this week?
        hello! what just happened?
        你刚才做了什么？
        你改了哪些文件？
        你今天有没有删过东西
        你今天删除了什么吗？
        which files have you messed with today
        tell me everything you did so far please
        你刚刚都动了我哪些东西
    """,
    Topic.CONSENT: """
        do you ever delete stuff without asking me first??
        will you change anything behind my back
        why do you ask me every single time
        你会不会不问我就把东西删了
        咋每次都要问我一遍，烦不烦
    """,
    Topic.OUTCOME: """
        did it work?
        did the backup finish ok
        are you done yet?
        is it ready?
        how did that go
        any errors?
        what was the result?
        成功了吗
        做完了吗
        结果怎么样？
    """,
    Topic.FAILURE: """
        why did it fail?
        why didn't that work
        what went wrong?
        why
        what was the problem with the backup?
        为什么失败了
        出了什么问题？
    """,
    Topic.PLACE: """
        where is it now?
        where did you put the backup?
        where can i find them
        and where's the archive now
        它现在在哪里？
        放到哪里了
    """,
    Topic.COUNT: """
        how many are there?
        how many files did you move
        how many duplicates were found?
        how many of them
        有多少个？
        移动了多少个文件
    """,
    Topic.TIME: """
        how long did it take?
        when did you do that
        用了多长时间
    """,
    Topic.REVERSAL: """
        can i get it back?
        how do i undo something you did
        can that be undone?
        is it gone for good?
        能恢复吗
        怎么撤销你做的事情？
        and if i change my mind, can it be undone
        删了以后还找得回来不
    """,
    Topic.ABILITY: """
        what does the tidy thing do
        what is the backup script for?
        how does the resize tool work
        那个整理的东西是做什么的？
    """,
    Topic.SKILL: """
        can you read pdfs?
        can you send emails
        are you able to rename files
        do you know how to make backups
        is there a way to count words?
        how do i rename files
        你能读PDF吗？
        你会发邮件吗
        怎么重命名文件？
    """,
    Topic.SKILLS: """
        what can you do with pictures?
        anything with pictures?
        which scripts do you have for music
        你能对图片做什么？
    """,
    Topic.PRIVACY: """
        do you send my data anywhere
        do you send my files to anyone on the internet?
        does anything leave my computer?
        is my data safe?
        who can read what I write?
        你会把我的数据发给别人吗？
        我的数据安全吗
        And whatever I type here, does somebody on the internet get to read it?
        does any of this get uploaded anywhere?
        does what i tell you leave this room
        我闺女让我当心点。你会不会把我的文件偷偷传到网上去？
        我在这儿打的字别人看得到不
    """,
    Topic.NETWORK: """
        do you need the internet?
        does this work offline?
        没网的时候还能用吗
        需要联网吗
    """,
    Topic.KEEPING: """
        where do you keep our chats?
        where is my data stored
        我们的聊天记录存在哪里？
    """,
    Topic.NATURE: """
        are you a real person
        who are you? is there a big AI model behind this?
        which model do you use
        who made you?
        你是真人吗？
        你用什么模型？
    """,
}


@all_rows(
    "topic, text",
    [(topic, line.strip()) for topic, texts in QUESTIONS.items() for line in texts.strip().splitlines()],
)
def test_a_question_about_records_is_read_to_its_last_word(topic: Topic, text: str) -> None:
    asked = asked_about(text, NOW)
    assert asked is not None
    assert asked.topic is topic


TODAY, TOMORROW, YESTERDAY = date(2025, 3, 5), date(2025, 3, 6), date(2025, 3, 4)


@all_rows(
    "text, asked",
    [
        (
            "did you delete anything today?",
            AskedAbout(Topic.DEEDS, deed="removed", since=TODAY, until=TOMORROW, yes_or_no=True),
        ),
        ("did you move it?", AskedAbout(Topic.DEEDS, deed="moved", yes_or_no=True, last=True)),
        ("did you trash my notes?", AskedAbout(Topic.DEEDS, "notes", "removed", yes_or_no=True)),
        ("what did you do yesterday?", AskedAbout(Topic.DEEDS, since=YESTERDAY, until=TODAY)),
        ("what did you do just now?", AskedAbout(Topic.DEEDS)),
        ("你昨天做了什么？", AskedAbout(Topic.DEEDS, since=YESTERDAY, until=TODAY)),
        ("你刚才做了什么？", AskedAbout(Topic.DEEDS)),
        ("and what does the last step do?", AskedAbout(Topic.PLAN, step=-1, only_if_there=True)),
        ("what does the zip thing do", AskedAbout(Topic.ABILITY, "zip")),
        ("can you convert videos for me please?", AskedAbout(Topic.SKILL, "convert videos", yes_or_no=True)),
        ("how many files did you copy?", AskedAbout(Topic.COUNT, deed="made")),
        ("where did you put the report?", AskedAbout(Topic.PLACE, "report")),
        ("那个整理的工具是做什么的？", AskedAbout(Topic.ABILITY, "整理")),
    ],
)
def test_what_it_is_about_is_read_with_it(text: str, asked: AskedAbout) -> None:
    assert asked_about(text, NOW) == asked


@all_rows(
    "text",
    [
        "what time is it?",
        "what is in ~/Documents?",
        "what's in my downloads",
        "which files are big and old in ~/Downloads",
        "which files did I change last week",
        "what did i change in documents in the last seven days",
        "will you delete the duplicates in ~/Pictures?",
        "can you remove step 2?",
        "can you zip my notes?",
        "could you make a folder called Trips",
        "can you find the duplicates in here",
        "can you tidy up downloads",
        "can you send this to Ann",
        "could you count words",
        "can you look for invoices in documents",
        "could you make backups every day",
        "show me what you found",
        "what does my to do list say",
        "which files did I change",
        "can i have a list of my songs",
        "is there a file called notes.txt?",
        "how big is ~/Downloads",
        "how many words are in recipes.txt",
        "how many words has the second one",
        "what can you do?",
        "how are you?",
        "what did I tell you about the wifi?",
        "do you remember what we said about Ulm?",
        "do you think i should quit my job",
        "what is the capital of france",
        "show me the steps of the stairs in stairs.txt",
        "delete it",
        "did I pay the rent? remind me tomorrow",
        "删除重复文件",
        "哪些文件是重复的？",
        "你能帮我压缩笔记吗",
        "可以把下载整理一下吗",
        "我昨天写了什么",
        "关于wifi我跟你说过什么？",
        "天气怎么样",
        "可以删除重复文件吗",
        "昨天改了哪些文件",
        "下载里有几个文件",
        "do it",
        "zip the notes without asking me first",
        "what is waiting in my downloads folder",
        "look up the weather online",
        "get it back please",
        "zip my notes. what is still to do?",
        "你能帮我把照片传到网上吗",
        "名字都改回去吧",
        "",
    ],
)
def test_a_request_and_a_question_to_memory_are_none_about_records(text: str) -> None:
    assert asked_about(text, NOW) is None
