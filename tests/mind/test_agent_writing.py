"""What a step of an agent writes: nothing without a model, and with one what fits its schema."""

from __future__ import annotations

import json

import pytest

from partner_desktop.domain.json_value import JsonObject
from partner_desktop.mind.question import WriteForAgent
from partner_desktop.mind.starter.mind import StarterMind
from tests.mind.scripted_models import Prompted

STORY: JsonObject = {
    "type": "object",
    "properties": {"title": {"type": "string"}, "words": {"type": "integer"}},
    "required": ["title", "words"],
}


async def test_the_starter_mind_has_no_words_of_its_own() -> None:
    assert await StarterMind().ask(WriteForAgent("Write a story.")) is None


async def test_a_text_is_the_models_and_the_prompt_says_who_writes() -> None:
    mind = Prompted(json.dumps({"text": " The sea was calm. "}))
    assert await mind.mind.ask(WriteForAgent("Write a story.", "You are a sailor.")) == "The sea was calm."
    prompt = mind.models.calls[0].tail
    assert "You are a sailor." in prompt
    assert "Write a story." in prompt


async def test_an_object_keeps_its_schema_or_is_asked_for_once_more() -> None:
    mind = Prompted('{"title": "Sea", "words": "few"}', '{"title": "Sea", "words": 3}')
    assert await mind.mind.ask(WriteForAgent("Write a story.", schema=STORY)) == {"title": "Sea", "words": 3}
    assert len(mind.models.calls) == 2


@pytest.mark.parametrize("said", ['{"text": " "}', "no JSON at all", '{"words": 3}'])
async def test_what_cannot_be_used_is_nothing_and_the_person_is_told(said: str) -> None:
    mind = Prompted(said, said)
    assert await mind.mind.ask(WriteForAgent("Write a story.")) is None
    assert mind.told
