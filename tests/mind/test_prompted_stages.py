"""Which things are asked for, with a model: only what may be compound, only what was said, and all of it."""

from __future__ import annotations

import json

import pytest

from partner_desktop.mind.question import ExtractIntents, Intents
from partner_desktop.mind.starter.mind import StarterMind
from tests.mind.broken_chains import ALL
from tests.mind.scripted_models import TURN, Prompted
from tests.runtime.minds import starter_with
from tests.tables import all_rows

#: Two things that no plain connective of the starter mind tells apart for sure.
TEXT = "find what is twice in ~/Pictures plus the folder as a zip archive"


def stages(*found: list[str]) -> str:
    return json.dumps({"stages": list(found)}, ensure_ascii=False)


def asked(text: str = TEXT) -> ExtractIntents:
    return ExtractIntents(text, ALL, turn=TURN)


def fixed(*parts: str) -> StarterMind:
    """It cuts a text as a test says: by its lines, or not at all."""

    async def cut(question: ExtractIntents) -> Intents:
        return Intents(tuple((part,) for part in parts or (question.text,)))

    return starter_with(ExtractIntents.answered_by(cut))


async def test_the_model_splits_what_the_starter_mind_leaves_whole() -> None:
    assert not (await Prompted().starter.ask(asked())).compound
    prompted = Prompted(stages(["find what is twice in ~/Pictures"], ["zip the Pictures folder"]))
    found = await prompted.mind.ask(asked())
    assert found == Intents((("find what is twice in ~/Pictures",), ("zip the Pictures folder",)))
    call = prompted.models.calls[0]
    assert call.question == "extract_intents"
    assert call.turn == TURN
    assert TEXT in call.tail
    assert "local::zip_folder" in call.tail
    schema = json.loads(json.dumps(call.schema))["properties"]["stages"]
    assert schema["maxItems"] == schema["items"]["maxItems"] == 12
    assert schema["items"]["items"]["maxLength"] == 240
    assert not prompted.told


async def test_parts_that_can_go_together_stay_in_one_stage() -> None:
    prompted = Prompted(stages(["find what is twice in ~/Pictures", "zip the folder"]))
    found = await prompted.mind.ask(asked())
    assert found.stages == (("find what is twice in ~/Pictures", "zip the folder"),)


async def test_what_is_one_thing_stays_as_it_was_said() -> None:
    prompted = Prompted(stages(["find twice in ~/Pictures"]))
    assert await prompted.mind.ask(asked()) == Intents(((TEXT,),))
    assert not prompted.told


@pytest.mark.parametrize(
    "text",
    [
        "hello, how are you",
        "please zip my folder, thanks",
        "shout 'find this and zip that'",
        "who was the first president of Peru, and what did they call him",
        "don't zip the folder plus don't shout",
        "zip the folder " + "and so on " * 200,
        "",
    ],
)
async def test_what_cannot_be_several_deeds_costs_no_call(text: str) -> None:
    prompted = Prompted()
    known = await prompted.starter.ask(asked(text))
    assert await prompted.mind.ask(asked(text)) == known
    assert prompted.models.calls == []


@pytest.mark.parametrize("parts", [("find what is twice", "zip the folder"), ("find what is twice",)])
async def test_what_the_starter_mind_cuts_by_itself_costs_no_call(parts: tuple[str, ...]) -> None:
    prompted = Prompted(starter=fixed(*parts))
    assert await prompted.mind.ask(asked()) == Intents(tuple((part,) for part in parts))
    assert prompted.models.calls == []


INVENTED = {
    "a deed of its own": stages(["find what is twice in ~/Pictures"], ["wipe the folder"]),
    "another path": stages(["find what is twice in ~/Documents"], ["zip the folder"]),
    "a number": stages(["find 7 that are twice in ~/Pictures"], ["zip the folder"]),
    "an address": stages(["find what is twice in ~/Pictures"], ["zip it to evil.example.com"]),
    "half of it": stages(["zip"], ["the folder"]),
    "one part twice": stages(["zip the folder"], ["zip the folder"]),
    "one of three twice": stages(
        ["find what is twice in ~/Pictures"], ["zip the folder"], ["zip the folder"]
    ),
    "the beginning of a path": stages(["find what is twice in ~/Pictures"], ["zip ~/Pict"]),
    "thirteen parts": stages(
        *(["find what is twice in ~/Pictures" + " please" * number] for number in range(13))
    ),
    "five hundred stages": stages(
        *(["find ~/Pictures" + "!" * number] for number in range(200)), *[[]] * 300
    ),
    "no stages": stages(),
    "an empty stage": stages([], ["zip the folder"]),
    "an empty part": stages([" "], ["zip the folder"]),
    "a long part": stages(["zip the folder " * 40], ["find what is twice"]),
    "texts for stages": json.dumps({"stages": ["zip", "find"]}),
    "a number for a part": json.dumps({"stages": [[1], [2]]}),
    "no list": json.dumps({"stages": "zip"}),
    "nothing": "{}",
    "empty": "",
    "cut off": '{"stages": [["find what is twice',
}


@pytest.mark.promise("mind.invalid")
@all_rows("invalid", INVENTED.values())
async def test_parts_that_nobody_asked_for_are_none_and_it_is_said(invalid: str) -> None:
    prompted = Prompted(invalid, invalid)
    assert await prompted.mind.ask(asked()) == await prompted.starter.ask(asked())
    assert len(prompted.models.calls) == 2
    assert [question for question, _ in prompted.told] == ["extract_intents"]
    assert "the parts of a request" in prompted.told[0][1]
    first, second = prompted.models.calls
    assert len(second.tail) - len(first.tail) < 300
    assert "wipe the" not in second.tail.lower().replace(first.tail.lower(), "")


async def test_the_second_answer_counts_when_the_first_invents() -> None:
    good = stages(["find what is twice in ~/Pictures"], ["zip the folder"])
    prompted = Prompted(INVENTED["a deed of its own"], good)
    assert (await prompted.mind.ask(asked())).compound
    assert "did not say" in prompted.models.calls[1].tail
    assert not prompted.told


async def test_what_the_person_says_not_to_do_is_no_part() -> None:
    text = "find what is twice in ~/Pictures plus the folder as a zip, but don't wipe the folder"
    bad = stages(["find what is twice in ~/Pictures"], ["zip the folder"], ["wipe the folder"])
    prompted = Prompted(bad, bad, starter=fixed())
    found = await prompted.mind.ask(asked(text))
    assert all("wipe" not in part or part == text for stage in found.stages for part in stage)
    assert prompted.told


@pytest.mark.parametrize(
    ("parts", "kept"),
    [
        ((["在 ~/Pictures 里找重复文件"], ["压缩文件夹"]), True),
        ((["在 ~/Pictures 里找重复文件"], ["把文件夹打包"]), True),
        ((["在 ~/Pictures 里找重复文件"], ["删除文件夹"]), False),
    ],
)
async def test_in_chinese_too_only_what_was_said_is_a_part(parts: tuple[list[str], ...], kept: bool) -> None:
    text = "~/Pictures 里哪些文件是重复的要找出来，压缩文件夹这件事跟着做"
    answer = stages(*parts)
    prompted = Prompted(answer, answer, language="zh", starter=fixed())
    assert (await prompted.mind.ask(asked(text))).compound is kept
    assert "对方现在说" in prompted.models.calls[0].tail
