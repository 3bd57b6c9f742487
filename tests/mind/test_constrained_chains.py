"""A model with random weights is asked about chains: every answer ends, and is one or falls back."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from partner_desktop.domain.message import TurnRef
from partner_desktop.mind.question import CorrectChain, ExtractIntents, JudgeChain, ReadIntervention
from tests.mind.broken_chains import ALL, BROKEN, DONE, FOUND, RAN, ran
from tests.mind.test_constrained import Asked, Babbling, models
from tests.mind.test_prompted_interventions import CHAIN, WORDS
from tests.mind.test_prompted_open_words import PLANNED
from tests.mind.test_prompted_open_words import asked as open_words
from tests.mind.test_prompted_stages import TEXT
from tests.model.engine import needs_engine

__all__ = ["models"]  # the fixture

pytestmark = needs_engine

QUESTIONS = {"extract_intents", "correct_chain", "judge_chain", "read_intervention", "read_open_words"}


@pytest.mark.promise("mind.constrained")
@pytest.mark.slow
async def test_with_random_weights_every_question_about_a_chain_ends(models: Babbling) -> None:
    asked = Asked(models)
    keys = {info.key for info in ALL}
    for number in range(2):
        turn = TurnRef("chat", f"turn {number}")
        asked.told.clear()
        parts = await asked.mind.ask(ExtractIntents(TEXT, ALL, turn=turn))
        assert parts.stages == ((TEXT,),), "nobody said what it babbles"
        changed = await asked.mind.ask(CorrectChain(BROKEN, RAN, "It is locked.", ALL, turn))
        verdict = await asked.mind.ask(JudgeChain(DONE, (ran(FOUND, stdout="two"),), True, turn))
        assert verdict.ok or verdict.reason
        worded = await asked.mind.ask(ReadIntervention(WORDS, (CHAIN,), ALL, turn))
        await asked.mind.ask(replace(open_words(WORDS, PLANNED), turn=turn))
        for one in (*changed, *(worded.interventions if worded is not None else ())):
            assert {step.key for step in one.steps} <= keys
            assert 0 <= one.stage <= 3
        assert set(asked.told) <= QUESTIONS
        assert max(Counter(asked.told).values(), default=1) == 1, "what is told is told once"
    assert set(models.questions) == QUESTIONS
    assert max(models.questions.values()) <= 2 * 2, "each is asked once more at most"
    assert models.valid[True]
