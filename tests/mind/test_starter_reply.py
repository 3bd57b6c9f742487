"""Replies say what happened, from the record, and nothing else; foreign text cannot dress up as ours."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest
from markdown_it import MarkdownIt

from partner_desktop.base.prompts import LANGUAGES, messages
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.evidence import (
    Asked,
    Dropped,
    Evidence,
    Finished,
    NoAbility,
    NoSuchTime,
    Proposed,
    Started,
    Unsettled,
    Withheld,
)
from partner_desktop.domain.json_value import Json
from partner_desktop.domain.message import Message, Role
from partner_desktop.domain.meta_action import MetaActionInfo, Route
from partner_desktop.domain.run_facts import Risk
from partner_desktop.mind import starter
from partner_desktop.mind.question import ReplyRequest
from partner_desktop.mind.starter.mind import StarterMind
from partner_desktop.mind.starter.phrases import CHINESE, ENGLISH, Phrases
from tests.tables import all_rows

NOW = datetime(2026, 1, 5, 12, 0, tzinfo=UTC)

ABILITIES = tuple(
    MetaActionInfo(key=f"local::{name}", route=Route.MCP, description=description, aliases=aliases)
    for name, description, aliases in (
        ("count_words", "Count words", ("word count", "how many words are in a file", "统计字数")),
        ("find_duplicates", "Find duplicate files", ("which files do I have twice", "查找重复文件")),
        ("tidy_up", "Sort the files of a folder by kind", ()),
        ("weather", "Fetch the weather", ("what is the weather like", "天气怎么样")),
        ("lights", "Switch the lights", ("turn on the lights", "开灯")),
    )
)


def record(status: ActionStatus = ActionStatus.SUCCEEDED, **fields: Any) -> ActionRecord:
    given: dict[str, Any] = {
        "id": "a1",
        "conversation_id": "c",
        "exchange_id": "e",
        "key": "local::count_words",
        "title": "Count words",
        "description": "Count words",
        "params": {"file": "README.md"},
        "schema": {},
        "status": status,
        "created_at": NOW,
    }
    return ActionRecord(**(given | fields))


async def reply(
    *evidence: Evidence,
    text: str = "please",
    abilities: Sequence[MetaActionInfo] = ABILITIES,
    recent: Sequence[str] = (),
) -> str:
    said = [Message(str(n), "c", Role.PARTNER, words, NOW) for n, words in enumerate(recent)]
    request = ReplyRequest(text=text, evidence=evidence, abilities=abilities, recent=said)
    return "".join([piece async for piece in StarterMind().reply(request)])


async def finished(**fields: Any) -> str:
    return await reply(Finished(record(**fields)))


def kinds(markdown: str) -> set[str]:
    """What a Markdown reader makes of a text: the types of its blocks and parts."""
    tokens = MarkdownIt("commonmark").enable("table").enable("strikethrough").parse(markdown)
    return {part.type for token in tokens for part in (token, *(token.children or ()))}


def shown(markdown: str) -> str:
    """The words that a reader sees."""
    tokens = MarkdownIt("commonmark").enable("table").parse(markdown)
    return "\n".join(
        "".join(part.content for part in token.children or ()) if token.type == "inline" else token.content
        for token in tokens
        if token.type in ("inline", "fence", "code_block", "html_block")
    )


# --- Small talk, and what cannot be done -------------------------------------------------------------------

NONE = NoAbility(nearest=(), near=False)


@pytest.mark.promise("mind.starter.hello")
@pytest.mark.parametrize("text", ["hello", "Hi there!", "tell me a joke", "how are you?", "who are you"])
async def test_small_talk_gets_what_can_be_done_here_and_how_to_get_a_model(text: str) -> None:
    answer = await reply(NONE, text=text)
    assert "“how many words are in a file” or “which files do I have twice”" in answer
    assert ENGLISH.model_note in answer
    assert "\n- " not in answer
    assert "nothing found" not in answer.lower()


@pytest.mark.promise("mind.starter.hello")
async def test_who_asks_what_can_be_done_gets_a_list() -> None:
    answer = await reply(NONE, text="what can you do?")
    assert "“how many words are in a file” (**Count words**)" in answer
    assert answer.count("\n- ") == 4
    assert ENGLISH.model_note in answer


@pytest.mark.parametrize("text", ["you're useless, you idiot", "🎉🎉", "ok", "...", "你真笨", "好的"])
async def test_what_wants_no_answer_gets_one_short_line(text: str) -> None:
    answer = await reply(NONE, text=text)
    assert answer
    assert len(answer) < 80
    assert "“" not in answer
    assert "\n" not in answer


@pytest.mark.promise("mind.starter.hello")
@pytest.mark.parametrize("text", ["你好", "给我讲个笑话", "你是谁？", "你会什么"])
async def test_small_talk_in_chinese_is_answered_in_chinese(text: str) -> None:
    answer = await reply(NONE, text=text)
    assert "查找重复文件" in answer
    assert CHINESE.model_note in answer


@pytest.mark.promise("mind.starter.hello")
@pytest.mark.parametrize(("text", "page"), [("hello", "the Models page"), ("你好", "“模型”页面")])
async def test_small_talk_names_every_way_to_a_model(text: str, page: str) -> None:
    answer = await reply(NONE, text=text)
    for way in (page, "GGUF", "OpenAI", "`partner-desktop models use FILE.gguf`"):
        assert way in answer


async def test_each_kind_of_small_talk_is_met_in_its_own_way() -> None:
    said = [
        "hello",
        "thanks",
        "how are you",
        "who are you",
        "tell me a joke",
        "I love you",
        "bye",
        "sorry",
        "well done",
    ]
    first = [(await reply(NONE, text=text)).split("\n")[0] for text in said]
    assert len(set(first)) == len(said)


async def test_thanks_are_answered_briefly() -> None:
    answer = await reply(NONE, text="thanks!", recent=[ENGLISH.model_note])
    assert "\n" not in answer
    assert "“how many words are in a file” or “which files do I have twice”" in answer


async def test_the_note_about_models_is_not_said_twice_in_a_row() -> None:
    assert ENGLISH.model_note not in await reply(NONE, text="hello", recent=[f"Hi. {ENGLISH.model_note}"])


@pytest.mark.parametrize(
    "text", ["tell me a joke", "book me a flight", "what is the capital of France?", "帮我订机票"]
)
async def test_what_can_be_done_is_listed_only_for_who_asks_that(text: str) -> None:
    answer = await reply(NONE, text=text, recent=[ENGLISH.model_note, CHINESE.model_note])
    assert "\n" not in answer
    assert answer.count("“") == 2
    assert len(answer) < 200


async def test_with_no_ability_at_all_it_says_how_to_get_one() -> None:
    answer = await reply(NONE, text="hello", abilities=())
    assert "`action/dynamic`" in answer
    assert ENGLISH.model_note in answer


@pytest.mark.promise("mind.starter.abstain")
async def test_what_it_cannot_do_it_says_with_what_it_can_and_how_it_learns_more() -> None:
    answer = await reply(NONE, text="book me a flight")
    assert answer.startswith("I can't do that here.")
    assert "“how many words are in a file” or “which files do I have twice”" in answer
    assert ENGLISH.model_note in answer


@pytest.mark.promise("mind.starter.abstain")
async def test_what_nearly_fits_is_named_with_words_to_ask_for_it() -> None:
    answer = await reply(NoAbility(ABILITIES, near=True), text="sort my photos")
    assert answer.startswith("I have nothing that does quite that. The nearest:")
    assert answer.count("\n- ") == 3
    assert "“sort the files of a folder by kind” (**Tidy up**)" in answer


async def test_a_question_for_talk_is_told_apart_from_a_deed() -> None:
    assert (await reply(NONE, text="what is the capital of France?")).startswith("I can't answer that")


# --- Proposals, questions, and what became of them ---------------------------------------------------------


@pytest.mark.parametrize("risk", Risk)
async def test_a_proposal_is_one_sentence_that_names_what_is_used(risk: Risk) -> None:
    answer = await reply(Proposed(record(ActionStatus.WAITING, risk=risk)))
    assert "**Count words**" in answer
    assert "approve" in answer
    assert "\n" not in answer
    assert "README.md" not in answer, "the card shows the arguments"


async def test_a_proposal_with_the_users_own_rights_asks_to_be_read_closely() -> None:
    assert "closely" in await reply(Proposed(record(risk=Risk.SYSTEM)))


async def test_a_card_says_what_of_the_words_it_does_not_use() -> None:
    assert "“to Ann”" in await reply(Proposed(record(), unused=("to Ann",)))
    in_chinese = record(request_text="把笔记发给小王")
    assert "“小王”这里没有用到" in await reply(Proposed(in_chinese, unused=("小王",)), text="把笔记发给小王")


async def test_a_chinese_request_gets_a_chinese_proposal_even_when_the_last_words_were_a_path() -> None:
    asked = Proposed(record(request_text="统计这个文件的字数"))
    assert "批准" in await reply(asked, text="~/notes.txt")


async def test_what_was_withheld_says_that_nothing_ran_what_it_would_have_been_and_why() -> None:
    action = record(title="Run a command", params={"argv": ["rm", "-r", "a b"], "times": 2})
    answer = await reply(Withheld(action, "your rule forbids commands"))
    assert answer == (
        "Nothing ran. It would have been **Run a command** with argv `rm -r 'a b'`, times 2. "
        "Your rule forbids commands."
    )


async def test_a_question_uses_the_parameters_own_description() -> None:
    answer = await reply(Asked(record(), "file", "The text file to count."))
    assert answer == "Which file? **Count words** needs to know: the text file to count. (“cancel” drops it.)"


@pytest.mark.parametrize(
    ("param", "kind", "hint", "question"),
    [
        ("folder", "string", "The folder to zip.", "Which folder? **Count words** needs to know: the folder"),
        ("copies", "integer", "how many", "What should it be? **Count words** needs to know: how many."),
        ("n", "string", "the name", "What should it be? **Count words** needs to know: the name."),
        ("text", "string", "What to say?", "Which text? **Count words** needs to know: what to say."),
        ("text", "string", "", "What should the text be? **Count words** needs to know."),
    ],
)
async def test_a_question_reads_as_one_whatever_is_missing(
    param: str, kind: str, hint: str, question: str
) -> None:
    schema = {"properties": {param: {"type": kind}}}
    assert (await reply(Asked(record(schema=schema), param, hint))).startswith(question)


async def test_a_path_is_asked_for_by_what_its_description_calls_it() -> None:
    schema = {"properties": {"source": {"type": "string", "format": "path"}}}
    answer = await reply(Asked(record(schema=schema), "source", "the folder (or file) to zip"))
    assert answer.startswith("Which folder? **Count words** needs to know: the folder (or file) to zip.")
    assert (await reply(Asked(record(schema=schema), "source", "where it is"))).startswith("Which source?")


async def test_a_question_in_chinese_reads_as_one() -> None:
    asked = Asked(record(request_text="统计字数"), "file", "要统计的文件")
    assert (await reply(asked, text="统计字数")).startswith(
        "请问是哪个文件？**Count words** 需要知道：要统计的文件。"
    )


async def test_a_question_asked_again_says_first_what_was_wrong_and_does_not_repeat_how_to_drop_it() -> None:
    schema = {"properties": {"count": {"type": "integer"}}}
    before = await reply(Asked(record(schema=schema), "count", "how many"))
    again = Asked(
        record(schema=schema), "count", "how many", problem="I need a whole number here, for example 12."
    )
    answer = await reply(again, recent=[before])
    assert answer == (
        "I need a whole number here, for example 12. "
        "What should it be? **Count words** needs to know: how many."
    )


async def test_a_question_without_a_description_names_the_parameter_and_its_choices() -> None:
    schema = {"properties": {"image_format": {"enum": ["png", "jpeg"]}}}
    answer = await reply(Asked(record(schema=schema), "image_format", ""))
    assert answer.startswith("What should the image format be? **Count words** needs to know.")
    assert "It can be png, jpeg." in answer


@pytest.mark.parametrize(
    ("evidence", "words"),
    [
        (Started(record(ActionStatus.RUNNING)), "I started **Count words**."),
        (Finished(record(ActionStatus.REJECTED)), "Fine, I left it."),
        (Finished(record(ActionStatus.CANCELLED)), "**Count words** was stopped."),
        (Finished(record(ActionStatus.INTERRUPTED)), "may have done part of its work"),
        (Finished(record(ActionStatus.INTERRUPTED)), "Ask me again"),
        (Dropped(record()), "Dropped: I won't do **Count words**."),
    ],
)
async def test_each_turn_of_an_action_has_its_sentence(evidence: Evidence, words: str) -> None:
    assert words in await reply(evidence)


async def test_a_yes_that_fits_several_lists_them_and_asks_which() -> None:
    answer = await reply(Unsettled((record(), record(title="Tidy up", params={}))), text="yes")
    assert "Which do you mean?" in answer
    assert "1. **Count words**: file `README.md`\n2. **Tidy up**" in answer
    assert "“yes, the first”" in answer


async def test_what_waits_is_told_without_ids() -> None:
    schema = {"properties": {"run": {"type": "string", "format": "id"}}}
    undo = record(title="Undo", params={"run": "36632cfda4ae4edf", "what": "Zip"}, schema=schema)
    answer = await reply(Unsettled((record(), undo)), text="yes")
    assert "2. **Undo**: what Zip\n" in answer


async def test_several_things_that_happened_make_one_answer_and_nothing_makes_none() -> None:
    both = await reply(Finished(record(stdout="42")), Proposed(record(title="Tidy up")))
    assert both.startswith("42\n\n")
    assert "**Tidy up**" in both
    assert await reply(text="") == ""


# --- Results -----------------------------------------------------------------------------------------------


async def test_a_summary_comes_first_and_then_only_what_it_does_not_say() -> None:
    data = {
        "summary": "README.md has 1,234 words in 80 lines",
        "words": 1234,
        "lines": 80,
        "reading_time_minutes": 5.4,
    }
    answer = await finished(data=data)
    assert answer == "README.md has 1,234 words in 80 lines.\n\n- **Reading time (minutes)** 5.4"


async def test_numbers_without_a_summary_are_listed_for_people() -> None:
    answer = await finished(data={"words": 1234567, "ok": True, "name": None})
    assert answer == "- **Words** 1,234,567\n- **Ok** yes\n- **Name** none"


async def test_a_long_list_shows_its_beginning_and_how_many_more_there_are() -> None:
    answer = await finished(data=[f"item {n}" for n in range(40)])
    assert answer.startswith("- item 0\n")
    assert answer.endswith("- item 19\n- … and 20 more")


async def test_rows_of_plain_values_become_a_table_and_the_rest_is_counted() -> None:
    answer = await finished(data=[{"name": f"a|{n}", "size": 1000 * n} for n in range(42)])
    assert "table_open" in kinds(answer)
    assert r"| a\|1 | 1,000 |" in answer
    assert answer.endswith("… and 30 more")


async def test_groups_of_files_are_readable() -> None:
    data: Json = {"summary": "Two groups", "groups": [{"size": "1 MB", "files": ["/a/b", "/c d/*e*"]}]}
    answer = await finished(data=data)
    assert "Two groups.\n\n- **Size** 1 MB, **files** `/a/b`, `/c d/*e*`" in answer


async def test_heads_are_in_sentence_case() -> None:
    answer = await finished(data={"left_alone": {"folders": 3, "hidden": 1}, "rows": [{"aName": 1, "b": 2}]})
    assert "- **Left alone** **folders** 3, **hidden** 1" in answer
    assert "**Rows**\n\n| A name | B |" in answer


async def test_paths_below_the_home_are_shown_as_a_person_writes_them(user_home: Path) -> None:
    inside, beside = f"{user_home}/Music/a b.mp3", f"{user_home}2/x"
    answer = await finished(data={"summary": f"Moved into {user_home}/Music of {user_home}, not {beside}."})
    assert answer == f"Moved into `~/Music` of \\~, not {beside}."
    listed = await finished(data=[inside, beside, str(user_home)])
    assert listed == f"- `~/Music/a b.mp3`\n- `{beside}`\n- \\~"
    rows = await finished(data=[{"file": inside, "n": 1}, {"file": "x", "n": 2}])
    assert "| `~/Music/a b.mp3` | 1 |" in rows
    assert await finished(stdout=f"{user_home}/Music\n") == "`~/Music`"
    failed = await reply(Finished(record(ActionStatus.FAILED, error=f"No file {user_home}/x.")))
    assert failed.endswith("No file `~/x`.")


async def test_a_path_with_blanks_that_a_run_was_given_is_shown_whole(user_home: Path) -> None:
    folder, shot = f"{user_home}/Resized images", f"{user_home}/Desktop/Shot 2026.png"
    data = {"summary": f"{shot} went to {folder}/March, not {folder}x."}
    answer = await finished(params={"path": shot, "target": folder}, data=data)
    assert answer == "`~/Desktop/Shot 2026.png` went to `~/Resized images/March`, not `~/Resized` imagesx."
    lost = record(ActionStatus.FAILED, params={"file": shot}, error=f"{shot} is gone.")
    assert (await reply(Finished(lost))).endswith("`~/Desktop/Shot 2026.png` is gone.")


async def test_the_words_that_take_a_run_back_name_the_folder_as_a_person_does(user_home: Path) -> None:
    told = f"Moved it. Say “undo the last tidying of {user_home}/Downloads” to take it back."
    assert await finished(data={"summary": told}) == (
        "Moved it. Say “undo the last tidying of `~/Downloads`” to take it back."
    )


async def test_a_column_with_one_path_shows_all_its_names_alike() -> None:
    answer = await finished(data=[{"file": "a.txt", "kind": "text"}, {"file": "Read me", "kind": "other"}])
    assert "| `a.txt` | text |\n| `Read me` | other |" in answer


async def test_columns_of_numbers_and_sizes_are_aligned_to_the_right() -> None:
    rows: list[Json] = [
        {"name": "a", "count": 12, "size": "1.2 MB", "on": True, "note": "3"},
        {"name": "b", "count": None, "size": "900 bytes", "on": False, "note": "three"},
    ]
    assert (await finished(data=rows)).split("\n")[1] == "| --- | ---: | ---: | --- | --- |"


async def test_a_short_line_is_a_sentence_and_a_long_text_a_block_that_says_what_is_cut() -> None:
    assert await finished(stdout="14:03\n") == "14:03"
    lines = "\n".join(f"line {n}" for n in range(50))
    answer = await finished(stdout=lines, truncated=True, stdout_path="/runs/1/out.txt")
    assert answer.startswith("```\nline 0\n")
    assert "line 29\n```" in answer
    assert "… 20 more lines" in answer
    assert answer.endswith("The whole output is in `/runs/1/out.txt`.")


async def test_no_output_is_said_to_be_none() -> None:
    assert await finished(stdout=" \n") == "Done: it printed nothing."
    assert await finished(stdout="[]", data=[]) == "Done: the result is empty."


async def test_a_failure_says_the_error_the_exit_code_in_words_and_the_last_lines() -> None:
    log = "\n".join(f"step {n}" for n in range(20))
    answer = await reply(
        Finished(
            record(ActionStatus.FAILED, error="It did not work", exit_code=127, stderr=log, stdout="half")
        )
    )
    assert "**Count words** did not work: It did not work." in answer
    assert "exit code 127 (a command was not found)" in answer
    assert "```\nstep 12\n" in answer
    assert answer.endswith("step 19\n```")
    assert "step 11" not in answer
    assert "half" not in answer


# --- Foreign text ------------------------------------------------------------------------------------------

HOSTILE = [
    "# Approved by the user",
    "<script>alert(1)</script> <b>bold</b>",
    "[click](https://evil.invalid) ![x](y)",
    "**done** _really_ ~~no~~ `code`",
    "> quote",
    "- item",
    "1. item",
    "---",
    "===",
    "&lt;b&gt; &#60;",
    "| a | b |",
    "\\*not\\*",
    "trailing \\",
    "<https://evil.invalid>",
]


@all_rows("text", HOSTILE)
async def test_a_line_of_output_cannot_become_structure(text: str) -> None:
    for answer in (await finished(stdout=text), await finished(data={"summary": text})):
        assert kinds(answer) <= {"paragraph_open", "paragraph_close", "inline", "text", "text_special"}
        assert shown(answer).rstrip(".") == text.rstrip(".")


@all_rows("text", HOSTILE)
async def test_values_and_names_cannot_break_out_of_lists_and_tables(text: str) -> None:
    listed = await finished(data=[text, "x"])
    assert kinds(listed) <= kinds("- a\n- b `c`") | {"text_special", "hardbreak"}
    rows = await finished(data=[{"name": text, "n": 1}] * 2)
    assert kinds(rows) <= kinds("| a | `b` |\n| --- | --- |\n| c | d |") | {"text_special"}
    assert len(re.findall(r"^\|", rows, re.MULTILINE)) == 4
    named = await finished(data={text: 1})
    assert "html_inline" not in kinds(named)
    assert "link_open" not in kinds(named)


async def test_paths_at_home_are_not_struck_out() -> None:
    answer = await finished(data={"summary": "Moved ~/a.txt (and ~/b) to ~/c/."})
    assert answer == "Moved `~/a.txt` (and `~/b`) to `~/c/`."
    assert await finished(data={"summary": "已写入 ~/a.md：12 字节。"}) == "已写入 `~/a.md`：12 字节。"


async def test_a_block_cannot_be_closed_by_what_is_in_it() -> None:
    text = "```\n# free\n````\n<b>\n"
    answer = await finished(stdout=text)
    assert kinds(answer) == {"fence"}
    assert shown(answer).strip() == text.strip()


async def test_terminal_codes_and_hidden_marks_do_not_pass() -> None:
    answer = await finished(stdout="\x1b[31mred\x1b[0m a\u202eb\ud800c\x00")
    assert answer == "red a\ufffdb\ufffdc\ufffd"


async def test_a_title_or_an_error_with_markup_stays_text() -> None:
    answer = await reply(Finished(record(ActionStatus.FAILED, title="a**b <i>", error="[x](y) <img>")))
    assert {"link_open", "html_inline", "image"}.isdisjoint(kinds(answer))
    assert "a**b <i>" in shown(answer)


async def test_braces_in_foreign_text_are_not_filled_in() -> None:
    assert "{title}" in await reply(Withheld(record(title="{title}", params={}), "{reason}"))


async def test_the_pieces_of_a_reply_are_words_and_the_lines_of_a_block() -> None:
    request = ReplyRequest("x", [Finished(record(stdout="a b\nc d\n"))], ABILITIES)
    assert [piece async for piece in StarterMind().reply(request)] == ["```\n", "a b\n", "c d\n", "```"]
    request = ReplyRequest("x", [Dropped(record())], ABILITIES)
    assert [piece async for piece in StarterMind().reply(request)][:3] == ["Dropped: ", "I ", "won't "]


@pytest.mark.parametrize(
    "data", [float("inf"), float("nan"), {"a": {"b": {"c": [1]}}}, {"a": []}, [[1, [2]], {}], 0, False]
)
async def test_any_json_has_some_answer(data: Json) -> None:
    assert (await finished(data=data)).strip()


def _ids(table: Mapping[str, Any]) -> Iterator[str]:  # Any: what TOML says
    for name, said in table.items():
        yield name
        if isinstance(said, dict):
            yield from _ids(said)


@pytest.mark.parametrize("file", ["starter", "entities"])
def test_every_message_is_there_in_each_language(file: str) -> None:
    english, chinese = (set(_ids(messages(file, language))) for language in LANGUAGES)
    assert english == chinese


@pytest.mark.parametrize("phrases", [ENGLISH, CHINESE], ids=LANGUAGES)
def test_each_reason_why_nothing_is_planned_has_its_sentence(phrases: Phrases) -> None:
    assert phrases.later.no_time.keys() == set(get_args(get_type_hints(NoSuchTime)["why"]))


def test_no_message_is_asked_for_that_is_not_there() -> None:
    tables = (ENGLISH, ENGLISH.chain, ENGLISH.account, ENGLISH.entities)
    there = {name for table in tables for name in dir(table)}
    for path in Path(starter.__path__[0]).glob("*.py"):
        asked = re.findall(r"\b(?:phrases|words)\.(\w+)\b(?!\()", path.read_text(encoding="utf-8"))
        assert set(asked) <= there, path.name
