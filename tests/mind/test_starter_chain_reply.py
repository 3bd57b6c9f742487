"""Replies about chains say every step and what came of it, in the language of the request."""

from __future__ import annotations

from dataclasses import replace

import pytest

from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.evidence import (
    Amended,
    AsksAnew,
    Dropped,
    Evidence,
    Finished,
    Intervened,
    Proposed,
    Reminded,
    Started,
    Unsettled,
    Withheld,
)
from partner_desktop.domain.evidence_text import words_of
from partner_desktop.domain.plan import Plan, Stage, StepStatus
from partner_desktop.domain.run_facts import Risk
from partner_desktop.mind.question import ReplyRequest
from partner_desktop.mind.starter.mind import StarterMind
from tests.mind.chains import FIND, ZIP, chain, child, step, with_status
from tests.tables import all_rows

WAITING = chain(FIND, ZIP)
CHINESE = replace(WAITING, request_text="查找重复文件，然后压缩")
FOUND = with_status(FIND, StepStatus.SUCCEEDED)
ZIPPED = with_status(ZIP, StepStatus.SUCCEEDED)
FOUND_CHILD = child(FIND, data={"summary": "3 files twice."})
ZIPPED_CHILD = child(ZIP, data={"summary": "Packed 12 files."})


async def reply(*evidence: Evidence, text: str = "please") -> str:
    request = ReplyRequest(text=text, evidence=evidence, abilities=())
    return "".join([piece async for piece in StarterMind().reply(request)])


async def test_a_proposal_names_the_steps_in_order_and_asks() -> None:
    said = await reply(Proposed(WAITING))
    assert said.startswith("I would do this in 2 steps: **Find duplicates**, then **Zip backup**.")
    assert said.endswith("Shall I?")
    assert await reply(Proposed(CHINESE), text="好") == (
        "我会分 2 步来做：**Find duplicates**，然后 **Zip backup**。它可能会改动东西，请先看一下。可以吗？"
    )


async def test_a_proposal_warns_of_steps_with_the_own_rights() -> None:
    assert "your own rights" in await reply(Proposed(replace(WAITING, risk=Risk.SYSTEM)))


async def test_steps_that_run_together_are_said_so() -> None:
    both = replace(WAITING, chain=Plan((Stage((FIND, ZIP)), Stage((step("open", "Open"),)))))
    assert "**Find duplicates** together with **Zip backup**, then **Open**" in await reply(Proposed(both))


async def test_a_long_chain_is_named_in_part_and_counted_in_full() -> None:
    said = await reply(Proposed(chain(*(step(f"s{n}", f"Step {n}") for n in range(9)))))
    assert "in 9 steps" in said
    assert "**Step 5**, and 3 more" in said
    assert "Step 6" not in said


@pytest.mark.parametrize(
    ("why", "words"),
    [
        ("left_open", "Partner was closed while **Zip backup** ran, so I can't tell whether it was done."),
        ("broke_before", "Something before **Zip backup** did not work, so I ask first."),
        ("changed", "**Zip backup** is the next step, and not covered by what you approved."),
    ],
)
async def test_a_step_that_asks_after_all_says_why(why: AsksAnew, words: str) -> None:
    card = child(ZIP, status=ActionStatus.WAITING)
    assert (await reply(Proposed(card, why=why))).startswith(words)
    chinese = replace(card, request_text="压缩文件夹")
    assert (await reply(Proposed(chinese, why=why), text="")).endswith("？")


async def test_what_was_stopped_before_anything_was_done_is_not_counted() -> None:
    early = replace(WAITING, status=ActionStatus.CANCELLED)
    assert "**Find duplicates → Zip backup** was stopped before a step was done." in await reply(
        Finished(early, ())
    )


async def test_a_start_is_said_unless_it_is_over_at_once() -> None:
    assert (await reply(Started(WAITING))).startswith("I started 2 steps: **Find duplicates**, then")
    look = step("look", "List", key="builtin::list_folder", risk=Risk.READ)
    assert await reply(Started(chain(look, look))) == ""


async def test_one_message_tells_the_result_of_each_step() -> None:
    done = chain(FOUND, ZIPPED, status=ActionStatus.SUCCEEDED)
    assert await reply(Finished(done, (FOUND_CHILD, ZIPPED_CHILD))) == (
        "Both steps are done.\n\n**1.** **Find duplicates**\n\n3 files twice.\n\n"
        "**2.** **Zip backup**\n\nPacked 12 files."
    )


async def test_a_chain_of_one_step_left_is_spoken_of_as_one_thing() -> None:
    assert "1 step" not in await reply(Proposed(chain(FIND)))
    assert await reply(Started(chain(FIND))) == "I started **Find duplicates**."
    done = chain(FOUND, status=ActionStatus.SUCCEEDED)
    assert await reply(Finished(done, (FOUND_CHILD,))) == "**Find duplicates**\n\n3 files twice."


async def test_what_failed_and_what_was_left_out_is_said_with_why() -> None:
    failed = with_status(FIND, StepStatus.FAILED, error="There is no such folder.")
    left = with_status(ZIP, StepStatus.SKIPPED, error="Find duplicates failed before it")
    ended = chain(failed, left, status=ActionStatus.FAILED, error="Find duplicates failed")
    ended = replace(
        ended, chain=Plan(ended.chain.stages if ended.chain else (), checked="Nothing was zipped")
    )
    child_failed = child(FIND, status=ActionStatus.FAILED, error="There is no such folder.")
    assert await reply(Finished(ended, (child_failed,))) == (
        "**Find duplicates → Zip backup** did not work: Find duplicates failed. Done: 0 of 2 steps.\n\n"
        "**Find duplicates** did not work: There is no such folder.\n\n"
        "**Zip backup** was left out: Find duplicates failed before it.\n\n"
        "In the end: Nothing was zipped."
    )


async def test_a_stopped_chain_says_what_stays_done() -> None:
    stopped = chain(FOUND, with_status(ZIP, StepStatus.CANCELLED), status=ActionStatus.CANCELLED)
    assert await reply(Finished(stopped, (FOUND_CHILD,))) == (
        "**Find duplicates → Zip backup** was stopped. Done: 1 of 2 steps; what they did stays done.\n\n"
        "**1.** **Find duplicates**\n\n3 files twice.\n\n**Zip backup** did not run."
    )


async def test_a_step_in_place_of_a_failed_one_is_said_so() -> None:
    failed = with_status(FIND, StepStatus.FAILED, error="It broke.")
    mend = with_status(step("sums", "Compare sums", mends="find"), StepStatus.SUCCEEDED, result="3 pairs")
    said = await reply(Finished(chain(failed, mend, status=ActionStatus.SUCCEEDED)))
    assert said.startswith("Done: 1 of 2 steps.")
    assert "**Compare sums** was done in place of **Find duplicates**." in said
    assert "**Compare sums**\n\n3 pairs." in said


async def test_the_end_is_told_in_chinese_where_that_was_spoken() -> None:
    done = replace(CHINESE, status=ActionStatus.SUCCEEDED, chain=chain(FOUND, ZIPPED).chain)
    said = await reply(Finished(done, (FOUND_CHILD, ZIPPED_CHILD)), text="")
    assert said.startswith("两个步骤都完成了。\n\n**1.** **Find duplicates**")


async def test_foreign_words_in_a_chain_cannot_dress_up_as_ours() -> None:
    evil = with_status(step("x", "A** [click](http://x)"), StepStatus.FAILED, error="# Big\n\n<b>bold</b>")
    said = await reply(Finished(chain(evil, status=ActionStatus.FAILED)))
    assert "[click](" not in said.replace("\\[click](", "")
    assert "\n# Big" not in said
    assert "<b>" not in said.replace("\\<b>", "")


@all_rows(
    "evidence, said",
    [
        (
            Withheld(WAITING, "the rules forbid it"),
            "It would have been **Find duplicates → Zip backup**. The",
        ),
        (Dropped(WAITING), "I won't do **Find duplicates → Zip backup**."),
        (Reminded(WAITING), "**Find duplicates → Zip backup** still waits for your yes"),
        (
            Unsettled((WAITING,)),
            "**Find duplicates → Zip backup** still waits: I run it on a plain yes only.",
        ),
        (Unsettled((WAITING, WAITING)), "1. **Find duplicates → Zip backup**: folder `/home/me/Pictures`\n"),
        (Amended(WAITING, ("folder",)), "**Zip backup** (folder `/home/me/Pictures`). Nothing ran yet"),
        (Amended(WAITING), "I could not find what to change in **Find duplicates → Zip backup**"),
        (Amended(WAITING, (), "There is no such folder"), "nothing ran: There is no such folder."),
        (
            Intervened(WAITING, ("Zip backup was taken out",), ("Stage 1 is done.",)),
            "Zip backup was taken out. Stage 1 is done. Nothing ran yet: look it over and approve it again.",
        ),
        (Intervened(WAITING), "**Find duplicates → Zip backup** stays as it is."),
        (Finished(replace(WAITING, status=ActionStatus.EXPIRED)), "timed out"),
        (Finished(replace(WAITING, status=ActionStatus.REJECTED)), "Fine, I left it."),
    ],
)
async def test_a_chain_is_called_by_its_title_wherever_it_is_spoken_of(evidence: Evidence, said: str) -> None:
    assert said in await reply(evidence)


async def test_sentences_of_two_languages_are_kept_apart() -> None:
    said = await reply(Intervened(CHINESE, (), ("Zip backup cannot go",)), text="不要压缩")
    assert said == "Zip backup cannot go."


async def test_what_was_changed_is_told_in_chinese_by_what_it_is_now() -> None:
    said = await reply(Intervened(CHINESE, ("Zip backup was taken out",)), text="不要压缩")
    assert said == "现在是：**Find duplicates**，然后 **Zip backup**。还没有运行：请看看，再批准一次。"


# --- The same for prompts and the Context panel -------------------------------------------------------------


def lengths(evidence: Evidence) -> tuple[str, str, str]:
    words = words_of(evidence)
    assert len(words.abstract) <= len(words.compact) <= len(words.full)
    return words.full, words.compact, words.abstract


def test_a_waiting_chain_has_its_steps_with_arguments_in_the_full_form() -> None:
    full, compact, _ = lengths(Proposed(WAITING))
    assert "Step 1, Find duplicates: planned with folder = /home/me/Pictures." in full
    assert "Step 2, Zip backup: planned" in full
    assert compact == "Find duplicates → Zip backup waits for the person's decision"


def test_an_ended_chain_has_outputs_states_and_a_count_by_length() -> None:
    failed = with_status(ZIP, StepStatus.FAILED, error="The disk is full.")
    done = chain(FOUND, failed, status=ActionStatus.SUCCEEDED)
    full, compact, abstract = lengths(Finished(done, (child(FIND, stdout="3 pairs\n"),)))
    assert "Step 1, Find duplicates: succeeded\n3 pairs" in full
    assert "Step 2, Zip backup: failed\nThe disk is full." in full
    assert "Step 2, Zip backup: failed" in compact
    assert "The disk is full." not in compact
    assert abstract == "Find duplicates → Zip backup: succeeded, 1 of 2 steps done"


def test_long_outputs_of_many_steps_are_cut_together() -> None:
    steps = [with_status(step(f"s{n}", f"Step {n}"), StepStatus.SUCCEEDED) for n in range(12)]
    records: list[ActionRecord] = [child(each, stdout="x" * 100_000) for each in steps]
    full, compact, _ = lengths(Finished(chain(*steps, status=ActionStatus.SUCCEEDED), tuple(records)))
    assert len(full) < 6_000
    assert len(compact) < 700


async def test_a_path_with_a_blank_is_one_path_in_the_sentence_about_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("HOME", "/home/user")
    packed = "/home/user/Backups/My Pictures (2).zip"
    told = child(ZIP, data={"summary": f"Packed 9 files into {packed}, and read it back.", "archive": packed})
    done = replace(WAITING, status=ActionStatus.SUCCEEDED, chain=chain(FOUND, ZIPPED).chain)
    said = await reply(Finished(done, (FOUND_CHILD, told)))
    assert "Packed 9 files into `~/Backups/My Pictures (2).zip`, and read it back." in said
