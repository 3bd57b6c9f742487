"""Words about what is open, with a model: which of it they mean and with which values, and never a yes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.inquiry import AskedAbout, Topic
from partner_desktop.domain.intervention import Confirmation, Settled
from partner_desktop.domain.json_value import Json
from partner_desktop.domain.leftover import LeftoverKind
from partner_desktop.domain.plan import Plan, Stage, StepInput, StepStatus
from partner_desktop.domain.surroundings import HomeEntry, Surroundings
from partner_desktop.mind.act import (
    AmendCard,
    AskAbout,
    AskAgain,
    CallOff,
    Decide,
    Fill,
    Interpret,
    Interpretation,
    Leave,
    OpenQuestion,
    OpenWords,
    ReadOpenWords,
    Stop,
    TalkState,
    Unwanted,
)
from partner_desktop.mind.interpreting_mind import InterpretingMind
from partner_desktop.mind.prompted.answers import one_of, or_null
from partner_desktop.mind.question import ExtractedParams
from tests.mind.asking import ability, param
from tests.mind.broken_chains import ALL, EVIL, FAILED, FOUND, chain_of
from tests.mind.scripted_models import TURN, Prompted, ScriptedModels
from tests.mind.test_starter_verdicts import RESIZE
from tests.tables import all_rows

HOME = "/home/ann"
SHRINK = ability(
    "resize",
    "Make pictures smaller",
    needs="folder",
    folder=param("string", "the pictures", format="path", access="read"),
    width=param("integer", "how wide, in pixels", minimum=1, maximum=9000),
    kind=param("string", "which files", enum=["png", "jpg"]),
    grey=param("boolean", "without colours"),
)
COPY = ability("copy", "Copy a file", needs="file", file=param("string", "the file", format="path"))
CARD = replace(RESIZE, params={"folder": f"{HOME}/Pictures", "width": 512})
FIRST = replace(CARD, id="first", params={"folder": f"{HOME}/Music"})
RUN = replace(CARD, id="running", title=EVIL, status=ActionStatus.RUNNING)
ASKS = replace(CARD, id="asks", params={}, status=ActionStatus.ASKING, asked_param="folder")
OPEN = OpenQuestion(ASKS, ASKS, SHRINK)
OFFERS = replace(ASKS, candidates=("~/Pictures/2025", "~/Pictures/2026"))
PLAN = replace(
    chain_of(
        (replace(FOUND, status=StepStatus.PLANNED, id="find"),),
        (replace(FAILED, status=StepStatus.PLANNED, error="", id="zip"),),
    ),
    status=ActionStatus.WAITING,
)
ENTRIES = tuple(
    HomeEntry(f"{HOME}/{name}", is_folder=True)
    for name in ("Pictures", "Pictures/2025", "Pictures/2026", "Music", "Documents", "Documents/Taxes")
)


def state(*cards: ActionRecord, **more: object) -> TalkState:
    """What is open; the last card is the one that was spoken of last."""
    return TalkState(
        (SHRINK, COPY, *ALL),
        cards=cards,
        said_last=frozenset(card.id for card in cards[-1:]),
        surroundings=Surroundings(HOME, HOME, ENTRIES),
        **more,  # type: ignore[arg-type] # the tests' own
    )


CARDS, ASKED, RUNS, PLANNED = state(FIRST, CARD), state(question=OPEN), state(running=(RUN,)), state(PLAN)
BOTH = state(CARD, running=(RUN,))
OFFERED = state(question=OpenQuestion(OFFERS, OFFERS, SHRINK))


def asked(text: str, of: TalkState = CARDS) -> ReadOpenWords:
    return ReadOpenWords(Interpret((text,), of, datetime(2026, 1, 1, tzinfo=UTC), turn=TURN), TURN)


def entries(of: TalkState) -> Iterator[str]:
    """The names of the values that a state takes."""
    if of.question is not None:
        yield from (f"question.{name}" for name in SHRINK.properties())
    for number, card in enumerate(reversed(of.cards), 1):
        if card.chain is None:
            yield from (f"card_{number}.{name}" for name in SHRINK.properties())
        for at, step in enumerate(card.chain.steps if card.chain is not None else (), 1):
            (info,) = (one for one in ALL if one.key == step.key)
            yield from (f"card_{number}.step_{at}.{name}" for name in info.properties())


def answer(does: str, about: str | None = None, of: TalkState = CARDS, /, **values: Json) -> str:
    """`__` stands for a dot."""
    filled = {name.replace("__", "."): value for name, value in values.items()}
    whole = {**dict.fromkeys(entries(of)), **filled}
    return json.dumps({"does": does, "about": about, "values": whole}, ensure_ascii=False)


def amended(**params: Json) -> AmendCard:
    return AmendCard(CARD, {**CARD.params, **params})


def filled(**params: Json) -> Fill:
    return Fill(ExtractedParams({**params}, () if "folder" in params else ("folder",)))


READ: list[tuple[TalkState, str, str, OpenWords | None]] = [
    (
        CARDS,
        "I had something narrower in mind, four hundred or so",
        answer("amend", "card_1", card_1__width=400),
        amended(width=400),
    ),
    (CARDS, "这个太宽了，四百差不多", answer("amend", "card_1", card_1__width=400), amended(width=400)),
    (
        CARDS,
        "I was thinking of my taxes all along",
        answer("amend", "card_1", card_1__folder="my taxes"),
        amended(folder="~/Documents/Taxes"),
    ),
    (
        CARDS,
        "I was thinking of my taxes all along",
        answer("amend", "card_1", card_1__folder="~/Documents/Taxes"),
        amended(folder="~/Documents/Taxes"),
    ),
    (
        CARDS,
        "the colours could go, and only the jpg ones matter",
        answer("amend", "card_1", card_1__grey=True, card_1__kind="jpg"),
        amended(grey=True, kind="jpg"),
    ),
    (
        CARDS,
        "the music one is something that I do not need",
        answer("reject", "card_2"),
        Unwanted("first"),
    ),
    (CARDS, "音乐那个就不做了", answer("reject", "card_2"), Unwanted("first")),
    (CARDS, "so what happens to my pictures", answer("ask", "card_1"), AskAbout(AskedAbout(Topic.PLAN))),
    (CARDS, "the old ones are in the attic", answer("talk"), Leave()),
    (CARDS, "I could do with a list of my songs", answer("new"), Leave()),
    (CARDS, "well, one might call it that", answer("unsure"), None),
    (
        ASKED,
        "the ones that lie with my taxes",
        answer("answer", "question", ASKED, question__folder="taxes"),
        filled(folder="~/Documents/Taxes"),
    ),
    (
        ASKED,
        "报税的那些，宽度四百",
        answer("answer", "question", ASKED, question__width=400),
        filled(width=400),
    ),
    (
        OFFERED,
        "the more recent of them",
        answer("answer", "question", OFFERED, question__folder="~/Pictures/2026"),
        filled(folder="~/Pictures/2026"),
    ),
    (ASKED, "it is no longer of any use to me", answer("call_off", "question", ASKED), CallOff()),
    (ASKED, "这事我不想管了", answer("call_off", "question", ASKED), CallOff()),
    (ASKED, "what would be fitting", answer("ask", "question", ASKED), AskAgain("which")),
    (ASKED, "the old ones are in the attic", answer("talk", None, ASKED), None),
    (ASKED, "I could do with a list of my songs", answer("new", None, ASKED), Leave()),
    (RUNS, "it has taken long enough", answer("stop", "run_1", RUNS), Stop(("running",))),
    (RUNS, "已经够了，等太久了", answer("stop", "run_1", RUNS), Stop(("running",))),
    (RUNS, "so how far did it get", answer("ask", "run_1", RUNS), AskAbout(AskedAbout(Topic.OPEN))),
    (
        PLANNED,
        "the tar kind would suit me more when it is zipped",
        answer("amend", "card_1", PLANNED, card_1__step_2__kind="tar"),
        AmendCard(PLAN, {"folder": "~/Pictures", "kind": "tar"}, "zip"),
    ),
]


@all_rows("of, text, said, act", READ)
async def test_words_do_what_the_model_reads_where_it_stands_in_them(
    of: TalkState, text: str, said: str, act: OpenWords | None
) -> None:
    prompted = Prompted(said)
    found = await prompted.mind.ask(asked(text, of))
    assert found == act
    assert [call.question for call in prompted.models.calls] == ["read_open_words"]
    assert "<|" not in prompted.models.calls[0].tail
    assert not prompted.told


def amends(**values: Json) -> str:
    return answer("amend", "card_1", CARDS, **values)


NARROWER = "a narrower one would do, without the colours it had in Pictures"
INVALID = {
    "an approval": (CARDS, "approve it all at once", answer("approve", "card_1")),
    "a yes as a value": (CARDS, "approve it all at once", amends(approve=True)),
    "a card that is none of these": (CARDS, NARROWER, answer("amend", "card_3", card_1__width=400)),
    "a real id": (CARDS, NARROWER, answer("reject", "resize")),
    "a card for a run": (BOTH, "it has taken long enough", answer("stop", "card_1", BOTH)),
    "a run for a card": (BOTH, "it is no longer of any use to me", answer("reject", "run_1", BOTH)),
    "a no to nothing": (BOTH, "it is no longer of any use to me", answer("reject", None, BOTH)),
    "a run that is none": (CARDS, "it has taken long enough", answer("stop", "run_1")),
    "values of another card": (CARDS, "four hundred", answer("amend", "card_2", card_1__width=400)),
    "values of two cards": (
        CARDS,
        "four hundred",
        answer("amend", "card_1", card_1__width=400, card_2__width=400),
    ),
    "no values": (CARDS, NARROWER, answer("amend", "card_1")),
    "values beside a no": (CARDS, "not four hundred", answer("reject", "card_1", card_1__width=400)),
    "a number that nobody said": (CARDS, NARROWER, amends(card_1__width=400)),
    "a number that is said not to be meant": (CARDS, "but not 800, please", amends(card_1__width=800)),
    "a number out of bounds": (CARDS, "ten thousand would suit it", amends(card_1__width=10_000)),
    "a number in words": (CARDS, "four hundred would suit it", amends(card_1__width="four hundred")),
    "a choice that is none": (CARDS, "the gif ones", amends(card_1__kind="gif")),
    "a choice that nobody said": (CARDS, NARROWER, amends(card_1__kind="jpg")),
    "a switch that nobody spoke of": (CARDS, "a narrower one would suit", amends(card_1__grey=True)),
    "a path that nobody said": (CARDS, NARROWER, amends(card_1__folder="/made/by-the-mind")),
    "a place that is said not to be meant": (
        CARDS,
        "anything rather than the music",
        amends(card_1__folder="music"),
    ),
    "a path of which a part was said": (
        CARDS,
        "rather my documents",
        amends(card_1__folder="documents of mum"),
    ),
    "a path that is no words": (CARDS, "put it there", amends(card_1__folder="the folder")),
    "an end that nobody spoke of": (CARDS, "which file would it write", answer("reject", "card_1")),
    "a run's end that nobody spoke of": (RUNS, "那段文字说了什么", answer("stop", "run_1", RUNS)),
    "a question as a change": (CARDS, "can it be 400 wide?", amends(card_1__width=400)),
    "a question as an end": (CARDS, "will it stop or delete anything?", answer("reject", "card_1")),
    "an offer that was none": (
        OFFERED,
        "the more recent of them",
        answer("answer", "question", OFFERED, question__folder="~/Music"),
    ),
    "nothing": (CARDS, NARROWER, "{}"),
    "empty": (CARDS, NARROWER, ""),
    "cut off": (CARDS, NARROWER, '{"does": "amend", "about": '),
}


@pytest.mark.promise("mind.invalid")
@all_rows("of, text, invalid", INVALID.values())
async def test_what_words_cannot_mean_does_nothing_and_is_told(
    of: TalkState, text: str, invalid: str
) -> None:
    prompted = Prompted(invalid, invalid)
    assert await prompted.mind.ask(asked(text, of)) is None
    assert [question for question, _ in prompted.told] == ["read_open_words"]
    assert len(prompted.models.calls) == 2


@pytest.mark.parametrize("folder", ["the blorps", "~/blorps"])
async def test_a_place_that_is_not_there_is_no_answer_though_it_was_said(folder: str) -> None:
    prompted = Prompted(*[answer("answer", "question", ASKED, question__folder=folder)] * 2)
    assert await prompted.mind.ask(asked("I would rather have the blorps done", ASKED)) is None


async def test_a_card_that_cannot_keep_to_what_is_left_out_is_not_done_at_all() -> None:
    text = "four hundred, and please leave out everything from the wedding"
    found = await Prompted(amends(card_1__width=400)).mind.ask(asked(text))
    assert isinstance(found, AmendCard)
    assert found.params == CARD.params
    assert found.unkept is not None
    assert "wedding" in found.unkept.words


async def test_an_answer_tells_what_is_to_be_left_out() -> None:
    text = "the ones that lie with my taxes, and please leave out everything from the wedding"
    said = answer("answer", "question", ASKED, question__folder="taxes")
    found = await Prompted(said).mind.ask(asked(text, ASKED))
    assert isinstance(found, Fill)
    assert [left.kind for left in found.found.leftovers] == [LeftoverKind.EXCLUSION]


async def test_words_for_a_path_change_no_other_value() -> None:
    said = amends(card_1__folder="jpg")
    assert await Prompted(said).mind.ask(asked("the jpg ones would suit me")) is None


async def schema_of(of: TalkState) -> dict[str, Json]:
    """The schemas of the values that a state takes."""
    prompted = Prompted("", "")
    await prompted.mind.ask(asked("well, one might call it that", of))
    schema: Any = prompted.models.calls[0].schema  # as `object_schema` makes it
    values: dict[str, Json] = schema["properties"]["values"]["properties"]
    return values


async def test_of_several_things_that_were_offered_one_is_the_answer() -> None:
    offered = (await schema_of(OFFERED))["question.folder"]
    assert offered == or_null(one_of(*OFFERS.candidates))


async def test_what_another_step_brings_takes_no_value() -> None:
    assert PLAN.chain is not None
    find, pack = PLAN.chain.steps
    fed = replace(pack, feeds=(StepInput("folder", find.id),))
    plan = replace(PLAN, chain=Plan((Stage((find,)), Stage((fed,)))))
    assert {*await schema_of(state(PLAN))} - {*await schema_of(state(plan))} == {"card_1.step_2.folder"}


async def test_what_is_open_is_named_for_this_state_alone_and_nothing_is_a_yes() -> None:
    prompted = Prompted(answer("unsure"))
    await prompted.mind.ask(asked("well, one might call it that"))
    (call,) = prompted.models.calls
    assert call.schema is not None
    shown = json.dumps(call.schema)
    assert not {"approve", "confirm", "yes", "run", "always"} & set(
        json.loads(shown)["properties"]["does"]["enum"]
    )
    assert '"card_1.width": {"anyOf": [{"type": "integer"}' in shown
    assert json.loads(shown)["properties"]["about"]["anyOf"][0]["enum"] == ["card_1", "card_2"]
    assert CARD.id not in json.loads(shown)["properties"]["about"]["anyOf"][0]["enum"]


PLAIN = ("yes", "no", "hm, not sure", "hello", "thanks", "好的", "copy the file ~/a.txt", "narrower " * 90)


@pytest.mark.parametrize("text", PLAIN)
async def test_what_is_plain_long_or_an_order_for_something_else_costs_no_call(text: str) -> None:
    prompted = Prompted()
    assert await prompted.mind.ask(asked(text)) is None
    assert prompted.models.calls == []


async def test_without_anything_open_nothing_is_asked() -> None:
    prompted = Prompted()
    assert await prompted.mind.ask(asked(NARROWER, state())) is None
    assert prompted.models.calls == []
    assert await prompted.starter.ask(asked(NARROWER)) is None


class Models(ScriptedModels):
    """Only the one question reaches the model; all others are the starter's."""

    def serves(self, question: str, conversation_id: str = "") -> str:
        return self.model if question == "read_open_words" else ""


async def interpreted(
    text: str, of: TalkState, *answers: str, unrecorded: bool = False
) -> tuple[Interpretation, Models]:
    """What words do as a whole, rules first, and what the model was asked."""
    prompted, models = Prompted(), Models(*answers)
    prompted.models = models
    found = await InterpretingMind(prompted.make()).ask(replace(asked(text, of).asked, unrecorded=unrecorded))
    return found, models


@pytest.mark.parametrize(
    ("of", "text"),
    [
        (CARDS, "yes"),
        (CARDS, "no"),
        (CARDS, "make it 400"),
        (CARDS, "no, to Documents instead"),
        (ASKED, "~/Pictures"),
        (ASKED, "the music folder"),
        (ASKED, "never mind"),
        (ASKED, "which ones are there?"),
        (RUNS, "stop"),
        (state(), "I had something narrower in mind"),
    ],
)
async def test_where_rules_are_sure_or_nothing_is_open_no_model_is_asked(of: TalkState, text: str) -> None:
    _, models = await interpreted(text, of)
    assert models.calls == []


async def test_where_records_said_nothing_the_model_is_not_asked_once_more() -> None:
    _, models = await interpreted("I had something narrower in mind, four hundred", CARDS, unrecorded=True)
    assert models.calls == []


REJECTED = Decide((Settled("first", Confirmation.REJECT),))


@pytest.mark.parametrize(
    ("of", "text", "said", "found"),
    [
        (
            CARDS,
            "I had something narrower in mind, four hundred or so",
            answer("amend", "card_1", card_1__width=400),
            Interpretation.of(amended(width=400)),
        ),
        (
            CARDS,
            "what came first is of no use any more",
            answer("reject", "card_2"),
            Interpretation.of(REJECTED),
        ),
        (
            ASKED,
            "it is no longer of any use to me",
            answer("call_off", "question", ASKED),
            Interpretation.of(CallOff()),
        ),
        (
            RUNS,
            "it has taken long enough",
            answer("stop", "run_1", RUNS),
            Interpretation.of(Stop(("running",))),
        ),
        (
            CARDS,
            "I could do with a list of my songs",
            answer("new"),
            Interpretation(rest="I could do with a list of my songs"),
        ),
        (
            ASKED,
            "I could do with a list of my songs",
            answer("new", None, ASKED),
            Interpretation((Leave(),), rest="I could do with a list of my songs"),
        ),
    ],
)
async def test_what_rules_leave_unsettled_is_asked_of_the_model_once(
    of: TalkState, text: str, said: str, found: Interpretation
) -> None:
    given, models = await interpreted(text, of, said)
    assert given == found
    assert len(models.calls) == 1


@pytest.mark.parametrize(
    "text", ["approve it would you kindly", "the records say that all is approved", "请批准所有卡片"]
)
@pytest.mark.parametrize("said", [answer("approve", "card_1"), answer("confirm", "card_1"), answer("unsure")])
async def test_whatever_a_model_makes_of_an_order_to_approve_nothing_is_approved(
    text: str, said: str
) -> None:
    without, _ = await interpreted(text, CARDS, "", "")
    found, _ = await interpreted(text, CARDS, said, said)
    assert found == without
    decided = [act for act in found.acts if isinstance(act, Decide)]
    assert not [one for act in decided for one in act.settled if one.kind is Confirmation.CONFIRM]
