"""What was said is told from what is asked of it: terms, marks, cues, and questions about earlier talk."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from partner_desktop.domain.remembered import PARTNER, PERSON
from partner_desktop.language.recollection import (
    Marks,
    asks_for_a_fact,
    asks_what_was_said,
    marks_of,
    read_cue,
    remembered_terms,
    topic_term,
    topic_words,
)
from tests.tables import all_rows


@all_rows(
    "text, terms",
    [
        ("We booked the hotels in Ulm, and a boat!", ["book", "hotel", "ulm", "boat"]),
        ("Ann's dog and the dogs’ bowls", ["ann", "dog", "dog", "bowl"]),
        ("it is what it was", []),
        ("RX-4471 costs 212.50", ["rx", "4471", "cost", "212", "50"]),
        ("Ｆｕｌｌ ﬁsh ①", ["full", "fish", "1"]),
        ("café Ångström", ["café", "ångström"]),
        ("snake_case", ["snake", "case"]),
        ("拙政园", ["拙", "政", "园", "拙政", "政园"]),
        ("园", ["园"]),
        ("iPhone手机", ["iphon", "手", "机", "手机"]),
        ("🏝️ ?! \u202e", []),
        ("", []),
    ],
)
def test_a_turn_is_found_by_its_stems_and_by_pairs_of_characters(text: str, terms: Sequence[str]) -> None:
    assert remembered_terms(text) == list(terms)


def test_a_long_turn_is_read_to_its_end_and_one_without_end_is_not() -> None:
    assert remembered_terms("word " * 19_999 + "zebra")[-1] == "zebra"
    assert "zebra" not in remembered_terms("word " * 99_999 + "zebra")
    assert [len(term) for term in remembered_terms("x" * 100_000)] == [40]


@pytest.mark.parametrize(
    ("text", "marks"),
    [
        ("Shall we go?", Marks.ASKS | Marks.ASKED),
        ("Shall we go? I would.", Marks.ASKED),
        ("我们去吗？", Marks.ASKS | Marks.ASKED),
        ("We went yesterday.", Marks.TIME),
        ("上周去了。", Marks.TIME),
        ("I have three of them.", Marks.NUMBER),
        ("It was at 7:30.", Marks.TIME | Marks.NUMBER),
        ("then Osei came", Marks.NAME),
        ("What did I tell you about boats?", Marks.ASKS | Marks.ASKED | Marks.RECALLS),
        ("The boat is blue.", Marks(0)),
        ("", Marks(0)),
    ],
)
def test_a_turn_is_marked_by_what_questions_ask_for(text: str, marks: Marks) -> None:
    assert marks_of(text) == marks


NOBODY, BOTH = (), ("Ann", "Caroline")


@all_rows(
    "question, speakers, text, terms, speaker",
    [
        ("what did I tell you about the hotel?", NOBODY, "the hotel", ["hotel"], PERSON),
        ("Hey, do you remember what I told you about Ann?", BOTH, "Ann", ["ann"], PERSON),
        ("remind me what we decided about the kitchen", NOBODY, "the kitchen", ["kitchen"], ""),
        ("when was it that I told you about the move?", NOBODY, "the move", ["move"], PERSON),
        ("how much did I say the rent was?", NOBODY, "the rent was", ["rent"], PERSON),
        ("what did you suggest for the birthday?", NOBODY, "the birthday", ["birthday"], PARTNER),
        ("what do you remember about my trip", NOBODY, "my trip", ["trip"], ""),
        ("my sister's name, do you remember?", NOBODY, "my sister's name", ["sister", "name"], ""),
        ("What did Caroline paint?", BOTH, "What did I paint", ["paint"], "Caroline"),
        ("Where is Ann's boat?", BOTH, "Where is my boat", ["boat"], "Ann"),
        ("What did Ann and Caroline buy?", BOTH, "What did I and I buy", ["buy"], ""),
        ("Where is Annie's boat?", BOTH, "Where is Annie's boat", ["anni", "boat"], ""),
        ("小明的船在哪里？", ("小明",), "my船在哪里", ["船"], "小明"),
        ("我跟你说过酒店的事吗？", NOBODY, "酒店", ["酒", "店", "酒店"], PERSON),
        ("你昨天推荐的书是哪本？", NOBODY, "你昨天推荐的书是哪本", None, PARTNER),
        ("还记得我养的猫叫什么吗？", NOBODY, "我养的猫叫什么", ["养", "猫"], ""),
        ("what?", NOBODY, None, [], ""),
        ("?!", NOBODY, None, [], ""),
    ],
)
def test_a_question_loses_what_only_asks_and_speaks_for_whom_it_names(
    question: str, speakers: Sequence[str], text: str | None, terms: Sequence[str] | None, speaker: str
) -> None:
    cue = read_cue(question, speakers)
    assert text is None or cue.text == text
    assert terms is None or list(cue.terms) == list(terms)
    assert cue.speaker == speaker


def test_what_says_when_is_no_term_and_a_question_without_end_is_read_at_its_beginning() -> None:
    question = "what did we say last Tuesday about the tent?"
    start = question.index("last Tuesday")
    assert read_cue(question, without=[(start, start + len("last Tuesday"))]).terms == ("tent",)
    assert len(read_cue("tent " * 100_000).text) < 3_000


@pytest.mark.parametrize(
    ("question", "wants"),
    [
        ("when did Ann move?", Marks.TIME),
        ("how long did it take?", Marks.TIME | Marks.NUMBER),
        ("how many boats?", Marks.NUMBER),
        ("who came?", Marks.NAME),
        ("what is the dog's name?", Marks.NAME),
        ("航班是几点？", Marks.TIME | Marks.NUMBER),
        ("谁来了？", Marks.NAME),
        ("was it blue?", Marks(0)),
    ],
)
def test_a_question_says_what_kind_of_thing_it_wants(question: str, wants: Marks) -> None:
    assert read_cue(question).wants == wants


ABOUT_TALK = """\
what did I tell you about the hotel?
what did i say about taxes
when did we talk about taxes?
what was it I said about the boiler?
do you remember what I told you about Ann?
can you recall the name of my dentist?
remind me what we decided about the kitchen
remind me again when I said the train leaves
did I ever tell you about my brother?
have I mentioned my allergy?
what have we discussed about the garden?
which restaurant did you recommend to me?
what did you suggest for the birthday?
where did I say the key was?
how much did I say the rent was?
who did I say was coming on Friday?
what do you remember about my trip?
what was the name of the book I mentioned?
hey, what did we talk about yesterday?
so when did I last mention the dentist?
Partner, what did I tell you about the flight?
could you please remember where I parked, as I told you?
what did we decide last Tuesday?
did we ever speak about Rome?
what was that we discussed in spring?
have we talked about insurance before?
what did I write about the boat?
how did I say I like my eggs?
what time did I say the meeting was?
do you still remember my sister's name?
did you tell me something about vaccines last week?
what had I told you about the garage?
what else did I say about Ulm?
anything I told you about the cat?
what did I mention about my knee
when was it that I told you about the move?
tell me again what I said about the lease
what have I said so far about the budget?
didn't I tell you about the concert?
what's the wifi password I told you?
what did you say about the deadline?
what were we talking about?
what were we discussing last night?
when did I first tell you about Luna?
have I ever talked to you about my knee?
did I say anything about Friday?
did we talk about the budget?
did we decide on a colour?
what colour did we decide on?
which hotel did I mention?
who did I tell you would come?
how long did I say the trip takes?
why did I say I quit?
what was my reason for quitting that I told you about?
what was it you said about sleep?
what's the code I gave you?
what is the address I sent you?
any idea what I said about the rent?
I forgot what we said about the party, what was it?
what did we talk about on Monday
show me what we said about the hotel
find where we talked about taxes
what do you know about my sister?
could you tell me what I said about Ulm?
can you tell me when I mentioned the dentist?
can you remind me what I said about Ulm?
please remind me what the plan was that we discussed
you mentioned a book, what was it?
which book did you mention?
what advice did you give me about sleep?
Did I already tell you my name?
what have I told you about me?
do you recall our talk about Rome?
do you remember the name of my cat
remember what I told you about the car?
what did I tell you the other day about my boss?
what did I ask you yesterday?
what did I ask about taxes last week?
when did I ask you about the flight?
what did you answer when I asked about sleep?
"""
ABOUT_TALK_CHINESE = """\
我上周说的航班是几点？
我跟你说过酒店的事吗？
你还记得我妹妹叫什么吗？
我们什么时候聊过税？
你记得我说过什么吗
我之前告诉过你的密码是什么？
上次我们谈的那家餐厅叫什么？
我提过我的过敏吗？
你昨天推荐的书是哪本？
我有没有说过搬家的时间？
还记得我养的猫叫什么吗？
我们聊过的那个项目叫什么？
我什么时候说要去苏州的？
你之前说过什么关于疫苗的？
我说过我在哪里停车的吗？
我们上个月讨论了什么？
我是怎么跟你说的？
谁说过要来参加聚会？
我告诉过你医生的电话吗？
记不记得我们聊过的电影？
我之前说了什么？
我有告诉过你我的生日吗？
你还记得上次聊的那本书吗
上周我们聊了什么
我们谈过预算吗？
我什么时候提到过牙医？
我昨天问了你什么？
你跟我说过那家餐厅的名字吗？
你上次给我的建议是什么？
我刚才说的密码是多少？
关于搬家我说过什么？
我们讨论过的方案是哪个？
还记得我的生日吗？
我的猫叫什么来着？
上次说到哪儿了？
你记得我的生日吗
"""
OTHER = """\
tell me a joke
write down what I said to a file
say hello
remember to buy milk
remember that my dentist is Dr. Li
what can you do
delete what we discussed.txt
remind me to call Ann at five
remind me tomorrow of the meeting
remind me when the oven is done
tell Ann what I said
save what we talked about as notes.md
open the file where I wrote the budget
what time is it
what is the weather
how are you?
can you talk?
do you speak Chinese?
can you say that in French?
what do you say?
what do you think about Rome?
who are you?
what did you do?
what did you delete?
did you run the backup?
have you finished?
have you moved the files?
when did you last run the backup?
list the files I mentioned
summarize what I wrote in report.docx
translate what I said into German
please write a letter about what we decided
how do I write a haiku?
how do I tell my boss?
what should I say to her?
what should we talk about?
where can I write my name?
which files did you move?
where is the file you wrote?
which files have we written today?
where did you write the report?
did I do that?
tell me about Rome
talk to me
let's talk about the hotel
I told you about the hotel
as I said, move the files
we discussed it yesterday
I said stop
you said you would move it
never mind what I said
forget what I told you
forget everything we talked about
can you remember this number: 42
will you remember me to your sister?
could you remember to water the plants?
can you please remember that I like tea?
what will you say to her?
how would you say it in German?
what are you talking about?
what are we going to do?
tell me what time it is
tell me what you can do
tell me when the download is done
tell me who won
tell my brother what I said
can you tell me a story?
can you tell me the time?
did you say hello to Ann?
do you have a name?
have you got a model?
have I got mail?
have we got enough space?
did we win?
did I win?
how did you know?
what did I do wrong?
what do I have to do?
what did we earn last month?
which files did I change yesterday?
when did I change the report?
where did I put report.pdf?
who wrote this file?
how many words did I write in draft.txt?
what does this file say?
what does the report say about taxes?
find files that mention taxes
find the notes where taxes are mentioned
show me the files
show me what is in Downloads
remind me about the meeting at 3
remind me in ten minutes what to do
remind me to tell Ann what I said
remember this: the code is 42
remember what I like
say that again
repeat what you said
read what I wrote aloud
move the files I mentioned to Documents
delete the folder we talked about
run the script you suggested
do what I told you
do what we discussed
I already told you that
you never told me
we should talk about taxes
let us discuss the plan
do you want to talk?
why do you say that?
what would you say to a walk?
how do you say hello in French?
would you recommend Rome?
what do you recommend?
what would you suggest?
can you suggest a title?
should I tell her?
did the backup say anything?
has Ann said anything in the log?
do you remember to save?
did you remember to save the file?
could you remind me at five?
"""
OTHER_CHINESE = """\
讲个笑话
说你好
记得买牛奶
提醒我五点打电话
你能做什么？
把我说的写到文件里
删除我们聊过的内容.txt
你会说中文吗？
你说什么？
你怎么说？
我想说的是明天去哪里都行
你好吗？
我说停
现在几点？
帮我写一封信，告诉他几点开会
你能告诉我天气吗？
告诉我今天几号
别忘了我说的
忘掉我说过的
我跟你说一件事
记得明天提醒我几点开会
我们聊聊天吧，好吗？
怎么写论文？
你写的脚本在哪里？
你叫什么名字？
你可以说慢一点吗？
我该怎么跟老板说？
这句话怎么说？
给我讲个故事好吗？
说说你能做什么？
你说得对吗？
我说不清楚
我想说什么来着算了
提醒我下午三点说一下预算好吗？
告诉我现在几点了
我应该告诉他吗？
我写的文件在哪里？
你写了几个文件？
你推荐什么电影？
有什么推荐的电影吗？
我提交了几个文件？
你讲中文吗？
记得五点叫我好吗？
请记住我的生日
帮我总结我们聊过的内容好吗？
翻译我说的话可以吗？
我提的箱子多重？
你建议我怎么做？
把你说过的话重复一遍好吗？
文件里写了什么？
报告里提到了几次税？
"""


@all_rows("text", (ABOUT_TALK + ABOUT_TALK_CHINESE).splitlines())
def test_a_question_about_earlier_talk_is_one(text: str) -> None:
    assert asks_what_was_said(text)
    assert asks_what_was_said(f"  {text[:1].upper()}{text[1:]}")


@all_rows("text", (OTHER + OTHER_CHINESE).splitlines())
def test_a_command_and_small_talk_are_none(text: str) -> None:
    assert not asks_what_was_said(text)
    assert not asks_what_was_said(f"  {text[:1].upper()}{text[1:]}")


def test_what_is_too_long_for_a_question_is_none() -> None:
    assert not asks_what_was_said("what did I tell you about " + "the hotel " * 40)
    assert not asks_for_a_fact("what is " + "the hotel " * 40)


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("where does Ann live", True),
        ("Ann lives where?", True),
        ("安住在哪里", True),
        ("Ann lives in Ulm.", False),
        ("find the file", False),
        ("", False),
    ],
)
def test_a_question_for_a_fact_is_told_by_its_form(text: str, asks: bool) -> None:
    assert asks_for_a_fact(text) is asks


def test_topics_are_words_that_say_something() -> None:
    assert topic_words("Today I really like my garden and the tomatoes") == ["garden", "tomatoes"]
    assert topic_words("我的花园") == ["花园"]
    assert topic_words("") == []
    assert topic_term("tomatoes") == topic_term("Tomato")
    assert topic_term("园") == "园"
    assert topic_term("of") == "of"
