"""People and things are known from what was said of them: told with evidence, corrected, parted, gone."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.errors import UsageError
from partner_desktop.base.paths import Home
from partner_desktop.domain.entity import SELF, Entity, EntityStatement, EntitySubject
from partner_desktop.domain.events import AbilitiesEvent, EntitiesEvent
from partner_desktop.domain.message import Role, place_address
from partner_desktop.domain.remembered import RememberedTurn
from partner_desktop.memory.entity_learning import said_right_before
from partner_desktop.mind.question import FindEntities, Mind
from tests.memory.chats import brought_in, turn, written
from tests.runtime.minds import ScriptedMind
from tests.support import FakeClock, HastyClock, Watcher

pytestmark = pytest.mark.integration

MONDAY = datetime(2026, 11, 23, 10, tzinfo=UTC)


class Talk:
    """One conversation with a Partner, and what it answers."""

    def __init__(self, partner: Partner, watcher: Watcher) -> None:
        self.partner = partner
        self._watcher = watcher
        self.conversation = ""
        self.message = ""

    async def say(self, text: str) -> str:
        """Say something; the answer to it."""
        self._watcher.events.clear()
        message = await self.partner.messages.send(text, conversation_id=self.conversation or None)
        self.conversation, self.message = message.conversation_id, message.id
        await self._watcher.done()
        said = await self.partner.messages.list(self.conversation, before=None, limit=10)
        return [one.text for one in said if one.role is Role.PARTNER][-1]

    async def say_all(self, *texts: str) -> str:
        """Say one thing after the other; the answer to the last."""
        answer = ""
        for text in texts:
            answer = await self.say(text)
        return answer

    async def anew(self, text: str) -> str:
        """In a conversation of its own."""
        self.conversation = ""
        return await self.say(text)

    @property
    def place(self) -> str:
        """The address of what was said last."""
        return place_address(self.message, self.conversation)


@pytest.fixture
def talk(partner: Partner, watcher: Watcher) -> Talk:
    return Talk(partner, watcher)


async def one_of(partner: Partner, query: str) -> Entity:
    (found,) = await partner.entities.list(query)
    return found


def facts(entity: Entity) -> list[tuple[str, str]]:
    """What holds."""
    return [(fact.attribute, fact.value) for fact in entity.facts if not fact.former]


@pytest.mark.promise("memory.entities")
async def test_correcting_a_name_updates_one_entity_and_keeps_the_alias(talk: Talk) -> None:
    await talk.say("my sister is called Ann")
    await talk.say("Ann's email is ann@example.org")
    answer = await talk.say("my sister is Anna, not Ann")
    assert "Anna" in answer
    assert "Ann." in answer
    sister = await one_of(talk.partner, "ann@example.org")
    assert (sister.name, sister.aliases, sister.relation) == ("Anna", ("Ann",), "sister")
    assert await talk.partner.entities.list("anna") == [sister]
    for name in ("Ann", "Anna"):
        assert "ann@example.org" in await talk.anew(f"what is {name}'s email?")


@pytest.mark.promise("memory.entities")
@pytest.mark.parametrize(
    ("said", "name", "aliases"),
    [
        (("my name is Mark", "call me Max"), "Max", ("Mark",)),
        (("my name is Mark", "my name is Max, not Mark", "call me Mark after all"), "Mark", ("Max",)),
        (("我叫李磊", "我叫李雷，不是李磊"), "李雷", ("李磊",)),
    ],
)
async def test_the_person_is_renamed_back_and_forth(
    talk: Talk, said: tuple[str, ...], name: str, aliases: tuple[str, ...]
) -> None:
    await talk.say_all(*said)
    person = (await talk.partner.entities.known()).person
    assert (person.id, person.name, person.aliases) == (SELF, name, aliases)
    assert name in await talk.anew("what is my name?")


@pytest.mark.promise("memory.entities")
async def test_what_is_known_is_told_with_its_day_and_the_place_where_it_was_said(talk: Talk) -> None:
    await talk.say("I'm allergic to nuts")
    nuts = talk.place
    await talk.say("my sister Ann lives in Ulm")
    ulm = talk.place
    answer = await talk.anew("what do you know about me?")
    (line,) = [line for line in answer.splitlines() if "nuts" in line]
    assert nuts in line
    assert str(datetime.now().astimezone().year) in line
    assert ulm in answer
    assert "your sister" in answer
    assert "your name" in answer, "what is not known is said, too"
    of_ann = await talk.say("who is Ann?")
    assert "Ulm" in of_ann
    assert ulm in of_ann
    assert ulm in await talk.say("where does my sister live?")


@pytest.mark.promise("memory.entities")
async def test_it_answers_in_chinese(talk: Talk) -> None:
    answer = await talk.say("我女儿叫小雨")
    assert "小雨" in answer
    taught = talk.place
    await talk.say("小雨的生日是3月12日")
    assert taught in await talk.anew("我女儿叫什么？")
    assert "3月12日" in await talk.say("小雨的生日是哪天？")
    everything = await talk.say("你知道我什么？")
    assert "小雨" in everything
    assert "你的女儿" in everything


@pytest.mark.parametrize(
    ("shown_by", "correction", "question", "right", "wrong"),
    [
        (
            "what is my sister's name?",
            "that's wrong, it's Hanna",
            "what is my sister's name?",
            "Hanna",
            "Ann",
        ),
        (
            "what is Ann's email?",
            "no, it's ann@new.example",
            "what is Ann's email?",
            "ann@new.example",
            "ann@old",
        ),
        ("我妹妹叫什么？", "不对，是汉娜", "我妹妹叫什么？", "汉娜", "Ann"),
    ],
)
async def test_what_was_just_shown_is_put_right(
    talk: Talk, shown_by: str, correction: str, question: str, right: str, wrong: str
) -> None:
    await talk.say_all("my sister is called Ann", "Ann's email is ann@old.example")
    assert wrong in await talk.anew(shown_by)
    assert right in await talk.say(correction)
    answer = await talk.anew(question)
    assert right in answer.split("Before")[0].split("在那之前")[0]
    assert wrong in answer, "what was said before is kept, and dated"


@pytest.mark.parametrize(
    ("told", "shown_by", "correction", "known"),
    [
        (
            ("my sister is called Ann", "Ann's email is ann@example.org"),
            "what is Ann's email?",
            "no, my sister is Anna",
            "ann@example.org",
        ),
        (
            ("I live in Ulm", "I work at Siemens"),
            "what do you know about me?",
            "that's wrong, I live in Bonn",
            "Bonn",
        ),
        (("my brother is Tom",), "who is my brother?", "no, my sister is Nora", "Tom"),
    ],
)
async def test_a_correction_that_says_what_it_is_about_changes_nothing_else(
    talk: Talk, told: tuple[str, ...], shown_by: str, correction: str, known: str
) -> None:
    await talk.say_all(*told, shown_by)
    answer = await talk.say(correction)
    assert "Which of it" not in answer
    assert known in await talk.say(shown_by)


async def test_two_of_whom_one_is_denied_are_one(talk: Talk) -> None:
    await talk.say_all("my sister is Ann", "my sister's name is Anna", "my sister is Ann, not Anna")
    await talk.say("Ann's birthday is 4 June")
    assert "4 June" in await talk.anew("when is Anna's birthday?")
    assert (await talk.anew("who is my sister?")).count("Your sister") == 1


async def test_who_tells_of_himself_answers_no_other_question(talk: Talk) -> None:
    await talk.say("count the words")
    assert "Max" in await talk.say("my name is Max")
    assert "Max" in await talk.say("what is my name?")


@pytest.mark.parametrize(("said", "day"), [("on 3 December", "3 December"), ("on 3 December at 10", "10:00")])
async def test_a_day_without_a_time_is_told_without_one(talk: Talk, said: str, day: str) -> None:
    await talk.say(f"my knee appointment is {said}")
    answer = await talk.say("when is my knee appointment?")
    assert day in answer
    assert ("10:00" in answer) == (day == "10:00")
    assert " 00:00" not in answer


async def test_what_was_just_shown_is_dropped_where_nothing_else_is_right(talk: Talk) -> None:
    await talk.say("I live in Ulm")
    await talk.say("where do I live?")
    assert "Ulm" in await talk.say("that's wrong")
    assert facts((await talk.partner.entities.known()).person) == []


async def test_a_correction_that_could_mean_several_is_asked_about_and_changes_nothing(talk: Talk) -> None:
    await talk.say_all("my sister is called Ann", "I have a dog called Rex", "what do you know about me?")
    await talk.say_all("I live in Ulm", "I work at Siemens", "what do you know about me?")
    before = await talk.partner.entities.known()
    assert "which" in (await talk.say("that's wrong, it's Berlin")).lower()
    assert (await talk.partner.entities.known()).person == before.person


async def test_words_that_correct_nothing_shown_are_something_else(talk: Talk) -> None:
    await talk.say("I live in Ulm")
    await talk.say("what time is it?")
    await talk.say("that's wrong, it's Berlin")
    assert ("home", "Ulm") in facts((await talk.partner.entities.known()).person)


async def test_contradictions_keep_both_dated_and_the_newer_first(home: Home, action_dir: Path) -> None:
    clock = FakeClock(MONDAY)
    async with launched(home, action_dir, clock) as talk:
        await talk.say("I live in Ulm")
        clock.move(timedelta(days=30))
        await talk.say("I moved to Berlin")
        person = (await talk.partner.entities.known()).person
        homes = [(fact.value, fact.at.date(), fact.former) for fact in person.facts]
        day = MONDAY.date()
        assert homes == [("Berlin", day + timedelta(30), False), ("Ulm", day, True)]
        answer = await talk.anew("where do I live?")
        assert answer.index("Berlin") < answer.index("Ulm")


async def test_two_people_of_one_name_are_two(talk: Talk) -> None:
    await talk.say_all("my sister Ann lives in Ulm", "my boss Ann lives in Bonn")
    found = await talk.partner.entities.list("ann")
    assert {(one.relation, *(value for name, value in facts(one) if name == "home")) for one in found} == {
        ("sister", "Ulm"),
        ("boss", "Bonn"),
    }
    answer = await talk.say("who is Ann?")
    assert "Ulm" in answer
    assert "Bonn" in answer
    # What could be either of them is not given to one.
    await talk.say("Ann is allergic to cats")
    assert all(("allergy", "cats") not in facts(one) for one in await talk.partner.entities.list("ann"))


async def test_a_merge_can_be_undone(talk: Talk) -> None:
    await talk.say_all("my sister Ann lives in Ulm", "my friend Annie works at Siemens")
    entities = talk.partner.entities
    ann, annie = await one_of(talk.partner, "ulm"), await one_of(talk.partner, "siemens")
    merged = await entities.merge(ann.id, annie.id)
    assert {("home", "Ulm"), ("work", "Siemens")} <= set(facts(merged))
    assert [one.name for one in merged.merged] == ["Annie"]
    assert await entities.list("ann") == [merged]
    # What is learnt now belongs to the one; parted again, each has what was said of it.
    await talk.say("Annie is allergic to cats")
    with pytest.raises(UsageError, match="was merged"):
        await entities.undo_merge("______")
    parted = await entities.undo_merge(merged.merged[0].id)
    assert parted == annie
    assert ("allergy", "cats") in facts(await entities.get(ann.id))
    with pytest.raises(UsageError, match="was merged"):
        await entities.undo_merge(annie.id)
    with pytest.raises(UsageError, match="one already"):
        await entities.merge(ann.id, ann.id)


async def test_facts_are_entered_corrected_and_removed_by_hand(partner: Partner, watcher: Watcher) -> None:
    entities = partner.entities
    await entities.add_fact(SELF, "birthday", "4 May")
    person = await entities.get(SELF)
    (birthday,) = person.facts
    assert (birthday.evidence, birthday.source) == ((), "person")
    corrected = await entities.correct_fact(birthday.id, "5 May")
    assert [(fact.value, fact.former) for fact in corrected.facts] == [("5 May", False), ("4 May", True)]
    assert await entities.remove_fact(corrected.facts[0].id)
    assert "5 May" not in [fact.value for fact in (await entities.get(SELF)).facts]
    assert any(isinstance(event, EntitiesEvent) for event in watcher.events)
    for wrong in (
        entities.rename(SELF, "  "),
        entities.rename("nobody", "X"),
        entities.correct_fact("no", "x"),
    ):
        with pytest.raises(UsageError):
            await wrong


async def test_what_was_removed_does_not_come_back_when_its_message_is_read_again(talk: Talk) -> None:
    await talk.say("I live in Ulm")
    conversation = talk.conversation
    (home,) = (await talk.partner.entities.known()).person.facts
    await talk.partner.entities.remove_fact(home.id)
    await talk.partner.conversations.delete(conversation)
    await talk.partner.conversations.restore(conversation)
    assert (await talk.partner.entities.known()).person.facts == ()


@pytest.mark.promise("memory.entities")
async def test_what_is_deleted_is_known_no_more_and_what_is_restored_is(talk: Talk) -> None:
    partner = talk.partner
    await talk.say("my sister Ann lives in Ulm")
    conversation = talk.conversation
    await partner.conversations.delete(conversation)
    assert await partner.entities.list("ann") == []
    await partner.conversations.restore(conversation)
    assert set(facts(await one_of(partner, "ann"))) == {("home", "Ulm"), ("relation", "sister")}


async def test_entities_go_with_the_message_that_taught_them(talk: Talk, home: Home) -> None:
    await talk.say("my sister Xanthippe lives in Ulm")
    await talk.partner.conversations.delete(talk.conversation)
    await talk.partner.close()  # which erases what was deleted
    for file in (home.database, home.database.with_name(home.database.name + "-wal")):
        assert not file.exists() or b"anthippe" not in file.read_bytes()


@pytest.mark.promise("memory.entities")
async def test_imported_chats_teach_what_the_person_said_and_nothing_else(
    partner: Partner, tmp_path: Path
) -> None:
    lines = [
        turn("My name is Max and my sister is Ann.", conversation="1", at="2026-03-01T10:00:00+00:00"),
        turn("My name is Robot.", "assistant", conversation="1", at="2026-03-01T10:01:00+00:00"),
        turn("My name is Caroline.", "Caroline", conversation="1", at="2026-03-01T10:02:00+00:00"),
    ]
    await brought_in(partner, written(tmp_path / "chats.jsonl", lines))
    known = await partner.entities.known()
    assert known.person.name == "Max"
    assert known.person.aliases == ()
    assert [one.name for one in known.others] == ["Ann"]
    assert known.others[0].at is not None
    assert known.others[0].at.date().isoformat() == "2026-03-01", "dated by when it was said"


async def test_old_messages_are_read_behind_a_start_and_reading_goes_on_where_it_ended(
    home: Home, action_dir: Path, tmp_path: Path
) -> None:
    names = [f"Name{chr(97 + n % 26)}{chr(97 + n // 26)}" for n in range(600)]
    lines = [turn(f"my friend {name} lives in Ulm", conversation=name[-1]) for name in names]
    async with launched(home, action_dir) as talk:
        await brought_in(talk.partner, written(tmp_path / "chats.jsonl", lines))
    async with launched(home, action_dir) as talk:
        watcher = Watcher()
        talk.partner.subscribe(watcher)
        known = await talk.partner.entities.known()
        while known.unread:
            await watcher.until(lambda event: isinstance(event, EntitiesEvent))
            watcher.events.clear()
            known = await talk.partner.entities.known()
        assert known.count == 600


def launched(
    home: Home, action_dir: Path, clock: FakeClock | None = None, *, mind: Mind | None = None
) -> Launched:
    return Launched(home, action_dir, clock, mind)


class Launched:
    """A Partner of its own for a while."""

    def __init__(self, home: Home, action_dir: Path, clock: FakeClock | None, mind: Mind | None) -> None:
        self._partner = Partner(
            home, action_dir, meaning=False, clock=clock, quiet_clock=HastyClock(), mind=mind
        )

    async def __aenter__(self) -> Talk:
        await self._partner.launch()
        watcher = Watcher()
        self._partner.subscribe(watcher)
        return Talk(self._partner, watcher)

    async def __aexit__(self, *_: object) -> None:
        await self._partner.close()


@pytest.mark.promise("memory.firstmeeting")
async def test_the_first_conversation_says_what_is_known_what_is_not_and_how_to_correct_it(
    talk: Talk,
) -> None:
    answer = await talk.say("hello")
    for part in (
        "just met",
        "your name",
        "where you live",
        "what do you know about me?",
        "that's wrong, it's",
    ):
        assert part in answer
    assert "just met" not in await talk.say("thanks")
    assert "just met" not in await talk.anew("hello")


@pytest.mark.promise("memory.firstmeeting")
async def test_the_first_meeting_tells_what_it_learnt_just_now(talk: Talk) -> None:
    answer = await talk.say("我叫小明")
    assert "刚刚认识" in answer
    assert "小明" in answer.split("刚刚认识")[1]
    assert "你的名字" not in answer.split("刚刚认识")[1]


async def test_the_first_meeting_is_said_once_however_often_partner_starts(
    home: Home, action_dir: Path
) -> None:
    async with launched(home, action_dir) as talk:
        assert "just met" in await talk.say("hello")
    async with launched(home, action_dir) as talk:
        assert "just met" not in await talk.say("hello")


async def test_what_is_known_stands_before_the_mind_while_it_is_spoken_of(talk: Talk) -> None:
    await talk.say_all("my name is Max", "my sister Ann lives in Ulm")
    await talk.anew("I met Ann yesterday")
    await talk.say("good")
    last = (await talk.partner.context.turns(talk.conversation))[-1]
    shot = await talk.partner.context.snapshot(last.turn_id)
    assert shot is not None
    told = " ".join(sorted(block.text for block in shot.blocks if block.name == "active_entity"))
    for part in ("Ann", "sister of the person", "home: Ulm", "The person (Max)"):
        assert part in told


MAIL = """\
# /// partner
# description = "Send a text by e-mail"
# aliases = ["send it to", "mail it to", "send an e-mail"]
# [params.to]
# type = "string"
# description = "the e-mail address of the recipient"
# [params.text]
# type = "string"
# description = "the text to send"
# default = "hello"
# ///
print("sent")
"""


@pytest.mark.promise("memory.entities")
async def test_an_address_told_earlier_is_taken_and_the_card_says_where_it_is_known_from(
    talk: Talk, watcher: Watcher, action_dir: Path
) -> None:
    (action_dir / "dynamic" / "send_mail.py").write_text(MAIL, encoding="utf-8")
    await watcher.until(lambda event: isinstance(event, AbilitiesEvent))
    assert any(ability.key == "local::send_mail" for ability in talk.partner.abilities.list())
    await talk.say("my sister Ann's email is ann@example.org")
    place = talk.place
    said = talk.message
    answer = await talk.anew("send an e-mail to Ann")
    (card,) = await talk.partner.actions.list()
    assert card.params["to"] == "ann@example.org"
    assert [(one.param, one.who, one.message_id) for one in card.known] == [("to", "Ann", said)]
    assert place in answer
    assert "Ann" in answer


class Seer(ScriptedMind):
    """Finds in rolled dialog what a test gives it, for the first line that it is shown."""

    def __init__(self, *found: EntityStatement) -> None:
        super().__init__()
        self.shown: list[str] = []
        self._found = found
        self.add(FindEntities.answered_by(self.find))

    async def find(self, question: FindEntities) -> tuple[tuple[EntityStatement, ...], ...]:
        self.shown += [turn.text for turn in question.turns]
        return (self._found, *(() for _ in question.turns[1:]))


async def test_a_mind_reads_rolled_dialog_for_what_the_rules_missed(home: Home, action_dir: Path) -> None:
    found = EntityStatement(EntitySubject("", "boss", "boss"), "name", "Ida", introduces=True, confidence=0.6)
    mind = Seer(found)
    async with launched(home, action_dir, mind=mind) as talk:
        await talk.say("the one who pays me is Ida, and I live in Ulm")
        watcher = Watcher()
        talk.partner.subscribe(watcher)
        await talk.partner.memory.roll(talk.conversation)
        await watcher.until(lambda event: isinstance(event, EntitiesEvent))
        ida = await one_of(talk.partner, "ida")
        assert (ida.relation, ida.names[0].source) == ("boss", "model")
        assert [said.message_id for said in ida.names[0].evidence] == [talk.message]
        assert mind.shown == ["the one who pays me is Ida, and I live in Ulm"], "only the person's own words"
        await talk.partner.conversations.delete(talk.conversation)
        assert await talk.partner.entities.list("ida") == []


async def test_of_whom_nothing_is_known_any_more_nothing_is_listed(talk: Talk) -> None:
    await talk.say("my sister lives in Ulm")
    sister = await one_of(talk.partner, "ulm")
    left: Entity | None = sister
    for fact in sister.facts:
        left = await talk.partner.entities.remove_fact(fact.id)
    assert left is None
    assert await talk.partner.entities.list() == []


async def test_entities_come_page_by_page_that_which_was_spoken_of_last_first(
    partner: Partner, tmp_path: Path
) -> None:
    names = [f"Pat{letter}" for letter in "abcdefghi"]
    lines = [
        turn(f"my friend {name} lives in Ulm", conversation=name, at=f"2026-03-0{n + 1}T10:00:00+00:00")
        for n, name in enumerate(names)
    ]
    await brought_in(partner, written(tmp_path / "chats.jsonl", lines))
    pages = [await partner.entities.list(limit=4, offset=offset) for offset in (0, 4, 8)]
    assert [one.name for page in pages for one in page] == names[::-1]
    assert [one.name for one in await partner.entities.list(kind="person", limit=2)] == names[:-3:-1]
    assert await partner.entities.list(kind="place") == []


@pytest.mark.parametrize("hostile", ["x' OR 1=1 --", "\x00", "%", "a" * 400, "\ud800"])
async def test_a_search_takes_its_words_as_words(partner: Partner, hostile: str) -> None:
    assert await partner.entities.list(hostile) == []


@pytest.mark.parametrize(("answer", "count"), [("yes", 1), ("no", 2)])
async def test_two_who_may_be_one_are_asked_about_once(talk: Talk, answer: str, count: int) -> None:
    await talk.say_all("my cousin is called Ann", "Ann lives in Ulm")
    assert "same" in await talk.say("my cousin Anna works at Siemens")
    await talk.say(answer)
    assert len(await talk.partner.entities.list("ann")) == count
    assert "same" not in await talk.anew("my cousin is called Anna")
    # Another pair waits for another day.
    await talk.say("my uncle is called Mark")
    assert "same" not in await talk.say("my uncle is called Marc")


async def test_what_is_known_no_more_leaves_the_prompt_with_the_next_turn(talk: Talk) -> None:
    await talk.say_all("my sister Ann lives in Ulm", "Ann works at Siemens")
    ann = await one_of(talk.partner, "ulm")
    (home,) = [fact for fact in ann.facts if fact.attribute == "home"]
    await talk.partner.entities.remove_fact(home.id)
    await talk.say_all("good", "fine")
    last = (await talk.partner.context.turns(talk.conversation))[-1]
    shot = await talk.partner.context.snapshot(last.turn_id)
    assert shot is not None
    (text,) = [block.text for block in shot.blocks if block.name == "active_entity" and "Ann" in block.text]
    assert "Siemens" in text
    assert "Ulm" not in text


def test_who_she_is_is_not_told_by_what_was_said_long_ago() -> None:
    now = datetime(2026, 11, 23, 10, tzinfo=UTC)
    she = RememberedTurn("2", "c", "", 2, "user", "her birthday is on 12 March", now)
    before = RememberedTurn("1", "c", "", 1, "user", "my sister is called Joanna", now - timedelta(minutes=2))
    assert said_right_before(she, [before]) == before.text
    assert said_right_before(she, [replace(before, at=now - timedelta(hours=2))]) == ""
    assert said_right_before(she, [None, replace(before, conversation_id="d")]) == ""
