"""Abilities made by words: what is asked, what is refused, how long they stay, and how they come back."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest

from partner_desktop.abilities.builtin.own_abilities import PERSIST, RESTORE
from partner_desktop.abilities.folders import TMP_LISTED_S
from partner_desktop.app import Partner
from partner_desktop.base.errors import UsageError
from partner_desktop.base.paths import Home
from partner_desktop.domain.action import ActionStatus
from partner_desktop.domain.events import ProposalEvent
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.run_facts import Risk
from partner_desktop.mind.question import GenerateAction, GeneratedAction
from partner_desktop.permission.request import ApprovalMode
from tests.action.listing import by_key, gone, keys, put, trash_of
from tests.runtime.minds import starter_with
from tests.support import UPPER_SCRIPT, FakeClock, HastyClock

from .talking import Person

pytestmark = pytest.mark.integration

ECHO = "make this an ability called echo back\n```sh\n# Say it back.\necho $1\n```"


async def test_without_a_model_and_without_code_it_says_so_and_takes_a_paste(partner: Partner) -> None:
    person = await Person.of(partner)
    assert "no code in your last messages" in await person.say("make this an ability")
    assert "Dropped" in await person.say("cancel")
    answer = await person.say("write an ability that counts words")
    assert "takes a model, and none is set up" in answer
    assert "Which code?" in answer
    await person.say("```python\nprint('counted')\n```")
    assert person.card.params["code"] == "print('counted')\n"
    assert person.card.risk is Risk.WRITE
    await person.say("no")
    assert keys(partner) == set()


async def test_code_that_is_wrong_is_told_before_there_is_a_card(partner: Partner) -> None:
    person = await Person.of(partner)
    answer = await person.say("make this an ability\n```python\nimport sys\nprint(sys.argv[1]\n```")
    assert "not valid Python: line 2" in answer
    assert not [event for event in person.watcher.events if isinstance(event, ProposalEvent)]
    answer = await person.say("```\nsome words that are no code\n```")
    assert "cannot tell which language" in answer
    await person.say("```python\nprint(1)\n```")
    assert person.card.key == "builtin::dynamic::generate"


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("```python\ndef f(:\n```", "not valid Python: line 1: "),
        ("```python\nx = 1\nreturn x\n```", "not valid Python: line 2: 'return' outside function"),
        ("```sh\nif x\n```", "not valid shell: line 2: "),
        ("```js\nlet x = 1\nlet y = )\n```", "not valid JavaScript: line 2: Unexpected token ')'"),
        ("```python\n" + "for x in y:\n" * 200 + "```", "not valid Python"),
    ],
)
async def test_what_is_wrong_with_code_is_told_with_its_line(partner: Partner, code: str, told: str) -> None:
    person = await Person.of(partner)
    assert told in await person.say(f"make this an ability\n{code}")


def another_program(tools: Path, name: str, canary: Path) -> None:
    """On the PATH, before the real one: it runs its file whatever it is told, and tells that it ran."""
    (tools / name).write_text(f'#!/bin/sh\necho "$@" >> {canary}.started\nfor last; do :; done\n. "$last"\n')
    (tools / name).chmod(0o755)


@pytest.mark.parametrize("program", ["bun", "node"])
@pytest.mark.parametrize("held", [True, False], ids=["held", "no sandbox"])
async def test_code_that_is_only_looked_at_is_not_run(
    home: Home, action_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: str, *, held: bool
) -> None:
    tools, canary = tmp_path / "tools", tmp_path / "canary"
    tools.mkdir()
    another_program(tools, program, canary)
    if program != "node":  # as bun puts itself in node's place
        (tools / "node").symlink_to(tools / program)
    (tools / "sh").symlink_to("/bin/sh")
    monkeypatch.setenv("PATH", f"{tools}:{os.environ['PATH']}" if held else str(tools))
    partner = Partner(home, action_dir, meaning=False, quiet_clock=HastyClock())
    await partner.launch()
    try:
        person = await Person.of(partner)
        await person.say(f"make this an ability called weather\n```js\n: > {canary}\n```")
        assert person.card.key == "builtin::dynamic::generate"
        assert partner.sandbox.available is held
    finally:
        await partner.close()
    assert [path.name for path in (canary, Path(f"{canary}.started")) if path.exists()] == []


async def test_a_name_that_does_not_do_is_asked_for_again(partner: Partner) -> None:
    person = await Person.of(partner)
    answer = await person.say('make this an ability called "a/b"\n```sh\necho 1\n```')
    assert "cannot be a name" in answer
    await person.say("one two")
    assert person.card.params["name"] == "one two"
    assert person.card.params["code"] == "echo 1\n"


async def test_a_model_writes_what_is_asked_for(home: Home, action_dir: Path) -> None:
    async def write(_: GenerateAction) -> GeneratedAction:
        """As a mind with a model behind it does."""
        params: JsonObject = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
        return GeneratedAction("count_up", "Count up", "python", params, "print('1 2 3')\n")

    mind = starter_with(GenerateAction.answered_by(write))
    partner = Partner(home, action_dir, meaning=False, mind=mind, quiet_clock=HastyClock())
    await partner.launch()
    try:
        person = await Person.of(partner)
        made = await person.say_and_approve("please write an ability that counts up")
        assert made.status is ActionStatus.SUCCEEDED, made.error
        (ability,) = [one for one in partner.abilities.list() if one.temporary]
        assert ability.info is not None
        assert (ability.info.title, ability.info.description) == ("Count up", "Count up")
        assert ability.info.required() == ("n",)
    finally:
        await partner.close()


async def test_bad_code_given_by_key_writes_nothing_even_when_it_was_approved(
    partner: Partner, action_dir: Path
) -> None:
    person = await Person.of(partner)
    await person.say(ECHO)
    ended = await person.approve({**person.card.params, "code": "if x"})
    assert ended.status is ActionStatus.FAILED
    assert "not valid shell: line 2" in ended.error
    assert list((action_dir / "tmp").iterdir()) == []


async def test_a_program_that_may_not_ask_makes_nothing(partner: Partner, action_dir: Path) -> None:
    person = await Person.of(partner)
    given = {"desc": "x", "code": "echo", "codeType": "sh"}
    await partner.abilities.run(
        "builtin::dynamic::generate", {**given}, cwd="", standing=ApprovalMode.GRANTED, exchange_id=""
    )
    await person.watcher.done()
    assert list((action_dir / "tmp").iterdir()) == []


@pytest.fixture
async def timed(home: Home, action_dir: Path, clock: FakeClock) -> AsyncIterator[Partner]:
    """A Partner whose time the test moves."""
    one = Partner(home, action_dir, clock=clock, meaning=False, quiet_clock=HastyClock())
    await one.launch()
    yield one
    await one.close()


@pytest.mark.promise("actions.folder.tmp")
async def test_what_was_made_goes_to_the_trash_after_half_an_hour_unless_it_is_kept(
    timed: Partner, action_dir: Path, clock: FakeClock
) -> None:
    person = await Person.of(timed)
    await person.say_and_approve(ECHO)
    await person.say_and_approve("keep it")
    await person.say_and_approve(ECHO.replace("echo back", "echo twice"))
    (short,) = [ability for ability in timed.abilities.list() if ability.temporary]
    assert short.path is not None
    text = short.path.read_text()
    clock.move(timedelta(seconds=TMP_LISTED_S + 60))
    (action_dir / "dynamic" / "other.py").write_text("print(1)\n")
    await person.watcher.until(gone(short.key))
    assert keys(timed) >= {"local::echo_back"}
    assert not short.path.exists()
    assert text in [path.read_text() for path in trash_of().glob("*echo_twice*.sh")]


async def test_a_removed_ability_comes_back_under_a_new_name_where_its_own_is_taken(
    partner: Partner, action_dir: Path
) -> None:
    person = await Person.of(partner)
    path = action_dir / "dynamic" / "upper.py"
    await put(person.watcher, path, UPPER_SCRIPT, "local::upper")
    await partner.abilities.remove("local::upper")
    await put(person.watcher, path, "print('another')\n", "local::upper")
    assert await partner.abilities.restore("local::upper") == "local::upper_2"
    assert (action_dir / "dynamic" / "upper_2.py").read_text() == UPPER_SCRIPT
    assert path.read_text() == "print('another')\n"
    with pytest.raises(UsageError, match="was not removed since Partner started"):
        await partner.abilities.restore("local::upper")


async def test_a_folder_comes_back_whole_and_a_grant_does_not(partner: Partner, action_dir: Path) -> None:
    person = await Person.of(partner)
    folder = action_dir / "dynamic" / "loud"
    (folder / "words").mkdir(parents=True)
    (folder / "words" / "one.txt").write_text("boo")
    await put(person.watcher, folder / "run.py", UPPER_SCRIPT, "local::loud")
    await person.say('shout "one" in capital letters')
    await person.approve(scope="always")
    await partner.abilities.remove("local::loud")
    assert not folder.exists()
    assert await partner.abilities.restore("local::loud") == "local::loud"
    assert (folder / "words" / "one.txt").read_text() == "boo"
    await person.say('shout "two" in capital letters')
    asked = await partner.actions.get(person.card.id)
    assert (asked.key, asked.status) == ("local::loud", ActionStatus.WAITING), "it asks again"


async def test_what_left_the_trash_cannot_be_brought_back(partner: Partner, action_dir: Path) -> None:
    person = await Person.of(partner)
    await put(person.watcher, action_dir / "dynamic" / "gonesoon.py", UPPER_SCRIPT, "local::gonesoon")
    await partner.abilities.remove("local::gonesoon")
    for path in trash_of().glob("gonesoon*"):
        path.unlink()
    with pytest.raises(UsageError, match="is in the trash no more"):
        await partner.abilities.restore("local::gonesoon")
    assert keys(partner) == set()


async def test_what_failed_or_was_refused_is_still_the_one_that_is_kept(partner: Partner) -> None:
    person = await Person.of(partner)
    await person.say_and_approve("make this an ability called stumble\n```sh\nexit 3\n```")
    (key,) = keys(partner)
    made = await person.answer()
    assert "“Stumble” is an ability now" in made
    assert "origin" not in made, "a person has no use for its key"
    failed = await person.say_and_approve("run it")
    assert failed.status is ActionStatus.FAILED
    for answer in ("no", "yes, keep it"):
        await person.say("keep it")
        assert (person.card.key, person.card.params["actionKey"]) == (PERSIST, key)
        await person.say(answer)
    assert keys(partner) == {"local::stumble"}


async def test_undo_means_the_removal_only_right_after_it(partner: Partner, action_dir: Path) -> None:
    person = await Person.of(partner)
    await put(person.watcher, action_dir / "dynamic" / "upper.py", UPPER_SCRIPT, "local::upper")
    await person.say_and_approve("remove the ability upper")
    await person.say("what time is it?")
    await person.watcher.done()
    assert "Nothing was done to files" in await person.say("undo")
    asked = [event.action.key for event in person.watcher.events if isinstance(event, ProposalEvent)]
    assert RESTORE not in asked
    await person.say("cancel")
    await person.say_and_approve("restore the ability that I removed")
    assert by_key(partner, "local::upper").usable


async def test_approve_all_makes_no_ability_of_code_that_nobody_read(partner: Partner) -> None:
    params: JsonObject = {"desc": "Say hello", "code": "echo hello\n", "codeType": "shell"}
    await partner.abilities.run(
        "builtin::dynamic::generate", params, cwd="", standing=ApprovalMode.ALL, exchange_id=""
    )
    (record,) = await partner.actions.list()
    assert record.status is ActionStatus.REJECTED
    assert keys(partner) == set()
    (decision,) = [row for row in await partner.audit.newest() if row.kind == "decision"]
    assert "needs your own yes on its card" in decision.reason
