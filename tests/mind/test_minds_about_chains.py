"""A whole Partner with a model: what it splits is one card, what it changes asks again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.events import AbilitiesEvent, ResultEvent
from tests.mind.test_minds_of_a_partner import Talk, talk

__all__ = ["talk"]  # the fixture

# A whole story of its own: it belongs to the whole gate.
pytestmark = pytest.mark.integration

COUNT_SCRIPT = """\
# /// partner
# description = "Count the letters of a text"
# [params.text]
# type = "string"
# description = "the text"
# ///
import sys
text = next(a.split("=", 1)[1] for a in sys.argv[1:] if a.startswith("--text="))
print(len(text))
"""
#: No connective that the starter mind knows joins the two.
TEXT = 'the text "good morning" in capital letters plus its letters counted'
PARTS = ['the text "good morning" in capital letters', 'count letters of "good morning"']


async def prepare(talk: Talk, action_dir: Path) -> None:
    (action_dir / "dynamic" / "count_letters.py").write_text(COUNT_SCRIPT, encoding="utf-8")
    await talk.watcher.until(
        lambda event: (
            isinstance(event, AbilitiesEvent)
            and any(one.key == "local::count_letters" for one in event.changed)
        )
    )
    talk.models.script |= {
        "extract_intents": json.dumps({"stages": [[part] for part in PARTS]}),
        "evaluate_intent": json.dumps({"do": "reply", "ability": None}),
        "extract_params": json.dumps({"text": "good morning"}),
        "judge_confirmation": json.dumps({"means": "other"}),
        "judge_chain": json.dumps({"ok": True, "reason": ""}),
        "correct_chain": json.dumps({"changes": []}),
    }
    talk.models.chooses = {PARTS[0]: "local::upper", PARTS[1]: "local::count_letters"}


def change(kind: str, stage: int, *steps: tuple[str, str]) -> str:
    wishes = [{"ability": name, "words": words} for name, words in steps]
    changes = [{"kind": kind, "stage": stage, "steps": wishes, "reason": ""}]
    return json.dumps({"chain": 1, "changes": changes})


async def chain_of(talk: Talk) -> ActionRecord:
    [record] = await talk.partner.actions.list()
    return record


def keys(record: ActionRecord) -> list[str]:
    return [step.key for step in record.chain.steps] if record.chain is not None else []


async def test_what_a_model_splits_and_changes_is_one_card_that_only_a_plain_yes_lets_run(
    talk: Talk, action_dir: Path
) -> None:
    await prepare(talk, action_dir)
    await talk.say(TEXT)
    record = await chain_of(talk)
    assert (keys(record), record.status) == (["local::upper", "local::count_letters"], ActionStatus.WAITING)

    talk.models.script["read_intervention"] = change("approve", 1)
    await talk.say("I suppose the counting might as well be done")
    assert (await chain_of(talk)).status is ActionStatus.WAITING
    assert "read_intervention" in {question for question, _ in talk.told}

    talk.models.script["read_intervention"] = change("delete", 2)
    await talk.say("hm, I would feel better if the counting came out of it")
    record = await chain_of(talk)
    assert (keys(record), record.status) == (["local::upper"], ActionStatus.WAITING)

    await talk.say("yes")
    await talk.watcher.until(lambda event: isinstance(event, ResultEvent) and event.action.id == record.id)
    assert (await chain_of(talk)).status is ActionStatus.SUCCEEDED


async def test_a_model_that_splits_into_what_nobody_said_is_told_and_nothing_of_it_is_proposed(
    talk: Talk, action_dir: Path
) -> None:
    await prepare(talk, action_dir)
    invented = [[PARTS[0]], [PARTS[1]], ["wipe the folder ~/Documents"]]
    talk.models.script["extract_intents"] = json.dumps({"stages": invented})
    await talk.say(TEXT)
    assert all(record.chain is None for record in await talk.partner.actions.list())
    assert "extract_intents" in {question for question, _ in talk.told}
