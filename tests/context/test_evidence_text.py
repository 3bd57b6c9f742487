"""What happened, in words that a prompt and a person can read."""

from __future__ import annotations

from datetime import UTC, datetime

from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.evidence import (
    Asked,
    Choice,
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
from partner_desktop.domain.evidence_text import words_of
from partner_desktop.domain.json_value import Json
from partner_desktop.domain.meta_action import MetaActionInfo, Route
from tests.tables import all_rows


def record(*, stdout: str = "", error: str = "", data: Json = None) -> ActionRecord:
    return ActionRecord(
        id="1",
        conversation_id="c",
        exchange_id="e",
        key="local::tidy",
        title="Tidy",
        description="",
        params={"folder": "~/Downloads"},
        schema={},
        status=ActionStatus.SUCCEEDED,
        created_at=datetime.now(UTC),
        stdout=stdout,
        error=error,
        data=data,
    )


INFO = MetaActionInfo(key="local::tidy", route=Route.MCP, description="Tidy a folder")


@all_rows(
    "evidence, said",
    [
        (Proposed(record()), "Tidy waits for the person's decision. With folder = ~/Downloads."),
        (Started(record()), "Tidy was started"),
        (Withheld(record(), "the rules forbid it"), "Tidy was not run: the rules forbid it"),
        (Asked(record(), "folder", "which one", "it is gone"), "Tidy needs folder (which one)"),
        (Choice(record(), (INFO, INFO)), "which ability was meant: Tidy, Tidy"),
        (NoSuchTime("remind me", "long"), "“remind me”: what is to be told then is too long for a reminder"),
        (Dropped(record()), "Tidy was called off by the person"),
        (Unsettled((record(), record())), "which waiting action was meant: Tidy, Tidy"),
        (NoAbility((INFO,), near=True), "No ability does this; the nearest: Tidy"),
        (NoAbility((), near=False), "No ability does this"),
        (Finished(record(stdout="41 files moved\n")), "Tidy: succeeded\n41 files moved"),
        (Finished(record(data={"moved": 41})), 'Tidy: succeeded\n{"moved": 41}'),
        (Finished(record(error="no such folder")), "Tidy: succeeded\nno such folder"),
    ],
)
def test_every_kind_of_evidence_has_its_words(evidence: Evidence, said: str) -> None:
    words = words_of(evidence)
    assert said in words.full
    assert len(words.abstract) <= len(words.compact) <= len(words.full)


def test_a_long_output_is_cut() -> None:
    words = words_of(Finished(record(stdout="x" * 1_000_000)))
    assert len(words.full) < 4_100
    assert len(words.compact) < 300
    assert words.abstract == "Tidy: succeeded"
