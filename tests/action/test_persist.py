"""A temporary ability is kept: atomically, under a free name, and it runs again after a restart."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from partner_desktop.abilities.folders import LiveFolders
from partner_desktop.abilities.persistence import AbilityPersister
from partner_desktop.app import Partner
from partner_desktop.base.errors import UsageError
from partner_desktop.base.paths import Home
from partner_desktop.domain.ability import AbilityDraft
from partner_desktop.domain.action import ActionStatus
from partner_desktop.domain.events import DecisionEvent, Event, ProposalEvent, ResultEvent
from partner_desktop.permission.request import ApprovalMode
from partner_desktop.runner.ability_content import checked_name, free_ability_name, hash_of, suggested_name
from tests.support import REPOSITORY, UPPER_SCRIPT, Watcher

from .listing import by_key, keys, put, restarted

#: Real windows, processes and folders: for the whole gate.
pytestmark = pytest.mark.integration

PLAIN = '"""Greet the whole world."""\nimport sys\nprint("hello", *sys.argv[1:])\n'


def is_proposal(event: Event) -> bool:
    return isinstance(event, ProposalEvent)


def is_result(event: Event) -> bool:
    return isinstance(event, ResultEvent)


async def run_once(partner: Partner, key: str, **params: str) -> str:
    """Run an ability by its key; what it wrote."""
    watcher = Watcher()
    undo = partner.subscribe(watcher)
    await partner.abilities.run(key, {**params}, cwd="", standing=ApprovalMode.ALL, exchange_id="")
    result = await watcher.until(is_result)
    await watcher.done()
    undo()
    assert isinstance(result, ResultEvent)
    assert result.action.status is ActionStatus.SUCCEEDED, result.action.error
    return result.action.stdout.strip()


def left_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if path.name != ".made-by-partner.json")


@pytest.mark.promise("actions.persist")
async def test_a_kept_ability_runs_again_after_a_restart(
    home: Home, partner: Partner, watcher: Watcher, action_dir: Path
) -> None:
    await put(watcher, action_dir / "tmp" / "upper.py", UPPER_SCRIPT, "origin::upper.py")
    assert await run_once(partner, "origin::upper.py", text="now") == "NOW"
    key = await partner.abilities.persist(
        "origin::upper.py", await partner.abilities.draft("origin::upper.py")
    )
    assert key == "local::upper"
    assert keys(partner) == {"local::upper"}, "it is one ability, not two"
    await partner.close()
    again = await restarted(home, action_dir)
    assert keys(again) == {"local::upper"}
    assert await run_once(again, "local::upper", text="later") == "LATER"
    await again.close()


async def test_a_script_that_describes_itself_stays_one_file(
    partner: Partner, watcher: Watcher, action_dir: Path
) -> None:
    await put(
        watcher, action_dir / "tmp" / "1712345678901-upper.py", UPPER_SCRIPT, "origin::1712345678901-upper.py"
    )
    draft = await partner.abilities.draft("origin::1712345678901-upper.py")
    assert draft.name == "upper", "the moment it was made is no part of its name"
    assert draft.params == {"text": "the text to shout"}
    await partner.abilities.persist("origin::1712345678901-upper.py", draft)
    assert (action_dir / "dynamic" / "upper.py").read_text() == UPPER_SCRIPT
    assert left_in(action_dir / "dynamic") == ["upper.py"]


@pytest.mark.promise("actions.persist")
async def test_name_and_description_can_be_edited_while_keeping(
    partner: Partner, watcher: Watcher, action_dir: Path
) -> None:
    await put(watcher, action_dir / "tmp" / "upper.py", UPPER_SCRIPT, "origin::upper.py")
    draft = replace(
        await partner.abilities.draft("origin::upper.py"),
        name="shout out",
        title="Shout it out",
        description="Say it loudly",
        aliases=("louder", "大声"),
        params={"text": "what to say loudly"},
    )
    assert await partner.abilities.persist("origin::upper.py", draft) == "local::shout out"
    info = by_key(partner, "local::shout out").info
    assert info is not None
    assert (info.title, info.description) == ("Shout it out", "Say it loudly")
    assert info.aliases == ("louder", "大声")
    assert info.properties()["text"] == {"type": "string", "description": "what to say loudly"}
    assert (action_dir / "dynamic" / "shout out" / "run.py").read_text() == UPPER_SCRIPT
    assert "not read" in " ".join(by_key(partner, "local::shout out").hints)
    assert await run_once(partner, "local::shout out", text="hey") == "HEY"


async def test_an_undescribed_script_gets_a_descriptor_and_keeps_its_free_arguments(
    partner: Partner, watcher: Watcher, action_dir: Path
) -> None:
    await put(watcher, action_dir / "tmp" / "hello.py", PLAIN, "origin::hello.py")
    draft = replace(await partner.abilities.draft("origin::hello.py"), description="Greet everybody")
    key = await partner.abilities.persist("origin::hello.py", draft)
    folder = action_dir / "dynamic" / "hello"
    assert sorted(path.name for path in folder.iterdir()) == ["desc.json", "run.py"]
    assert json.loads((folder / "desc.json").read_text())["description"] == "Greet everybody"
    assert await run_once(partner, key, args="'two words' three") == "hello two words three"


async def test_a_script_without_an_ending_is_kept_by_its_first_line(
    partner: Partner, watcher: Watcher, action_dir: Path
) -> None:
    await put(watcher, action_dir / "tmp" / "greet", "#!/bin/sh\necho hello\n", "origin::greet")
    key = await partner.abilities.persist("origin::greet", await partner.abilities.draft("origin::greet"))
    assert await run_once(partner, key) == "hello"


async def test_a_temporary_folder_is_kept_with_all_its_files(
    partner: Partner, watcher: Watcher, action_dir: Path
) -> None:
    folder = action_dir / "tmp" / "loud"
    (folder / "words").mkdir(parents=True)
    (folder / "words" / "one.txt").write_text("boo")
    (folder / "desc.json").write_text('{"description": "Be loud", "params": {}, "cost": 3}')
    await put(
        watcher,
        folder / "run.py",
        "import pathlib\nprint((pathlib.Path(__file__).parent / 'words/one.txt').read_text())\n",
        "origin::loud",
    )
    key = await partner.abilities.persist("origin::loud", await partner.abilities.draft("origin::loud"))
    assert key == "local::loud"
    assert (action_dir / "dynamic" / "loud" / "desc.json").read_text() == (folder / "desc.json").read_text()
    assert await run_once(partner, key) == "boo"


@pytest.mark.promise("actions.persist")
@pytest.mark.parametrize("there", ["upper.sh", "UPPER.py", "Upper/run.py"])
async def test_a_taken_name_gets_a_new_one_whatever_its_case_or_form(
    partner: Partner, watcher: Watcher, action_dir: Path, there: str
) -> None:
    taken = action_dir / "dynamic" / there
    taken.parent.mkdir(exist_ok=True)
    taken.write_text("print('the first')\n")
    await put(watcher, action_dir / "tmp" / "upper.py", UPPER_SCRIPT, "origin::upper.py")
    draft = await partner.abilities.draft("origin::upper.py")
    assert await partner.abilities.persist("origin::upper.py", draft) == "local::upper_2"
    assert taken.read_text() == "print('the first')\n"
    await put(watcher, action_dir / "tmp" / "other.py", UPPER_SCRIPT, "origin::other.py")
    assert await partner.abilities.persist("origin::other.py", draft) == "local::upper_3"


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("", "needs a name"),
        ("  ", "needs a name"),
        ("../escape", "begin with a letter"),
        ("a/b", "begin with a letter"),
        ("a::b", "begin with a letter"),
        (".hidden", "begin with a letter"),
        ("-rf", "begin with a letter"),
        ("line\nbreak", "begin with a letter"),
        ("ends.", "begin with a letter"),
        ("NUL", "keep it for a device"),
        ("com1.x", "keep it for a device"),
        ("old.bak", "passed over"),
        ("x" * 61, "too long"),
    ],
)
async def test_a_name_that_does_not_do_is_refused_with_a_sentence_and_nothing_changes(
    partner: Partner, watcher: Watcher, action_dir: Path, name: str, says: str
) -> None:
    await put(watcher, action_dir / "tmp" / "upper.py", UPPER_SCRIPT, "origin::upper.py")
    with pytest.raises(UsageError, match=says):
        await partner.abilities.persist("origin::upper.py", AbilityDraft(name))
    assert keys(partner) == {"origin::upper.py"}
    assert left_in(action_dir / "dynamic") == []


@pytest.mark.parametrize("name", ["x", "整理下载", "two words", "a.b-c_d", "ß"])
def test_names_in_any_script_do(name: str) -> None:
    assert checked_name(name) == name


def test_names_are_compared_without_regard_to_case_and_form() -> None:
    assert free_ability_name("Caf\u00e9", ["cafe\u0301", "CAF\u00c9_2"]) == "Caf\u00e9_3"
    assert len(free_ability_name("x" * 60, ["x" * 60])) == 60


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("1712345678901-tidy up.py", "tidy_up"),
        ("???.sh", "ability"),
        ("con.py", "ability"),
        ("整理.py", "整理"),
    ],
)
def test_a_name_is_suggested_from_the_files(tmp_path: Path, file: str, name: str) -> None:
    assert suggested_name(tmp_path / file) == name


async def test_what_is_no_temporary_ability_cannot_be_kept(
    partner: Partner, watcher: Watcher, action_dir: Path
) -> None:
    await put(watcher, action_dir / "dynamic" / "upper.py", UPPER_SCRIPT, "local::upper")
    with pytest.raises(UsageError, match="kept already"):
        await partner.abilities.persist("local::upper", AbilityDraft("x"))
    with pytest.raises(UsageError, match="built in"):
        await partner.abilities.persist("builtin::open", AbilityDraft("x"))
    with pytest.raises(UsageError, match="not there"):
        await partner.abilities.persist("origin::nothing.py", AbilityDraft("x"))


async def test_a_file_that_is_broken_now_is_not_kept_although_its_last_good_version_runs(
    partner: Partner, watcher: Watcher, action_dir: Path
) -> None:
    path = action_dir / "tmp" / "upper.py"
    await put(watcher, path, UPPER_SCRIPT, "origin::upper.py")
    draft = await partner.abilities.draft("origin::upper.py")
    path.write_text("# /// partner\n# description = ?\n# ///\n")
    with pytest.raises(UsageError, match="not valid TOML"):
        await partner.abilities.persist("origin::upper.py", draft)
    assert left_in(action_dir / "dynamic") == []


async def test_always_allow_does_not_go_over_to_the_kept_ability(
    partner: Partner, watcher: Watcher, action_dir: Path
) -> None:
    await put(watcher, action_dir / "tmp" / "upper.py", UPPER_SCRIPT, "origin::upper.py")
    await partner.messages.send('shout "one" in capital letters', conversation_id=None)
    first = await watcher.until(is_proposal)
    assert isinstance(first, ProposalEvent)
    await partner.actions.approve(first.action.id, scope="always")
    await watcher.until(is_result)
    key = await partner.abilities.persist(
        "origin::upper.py", await partner.abilities.draft("origin::upper.py")
    )
    watcher.events.clear()
    await partner.messages.send('shout "two" in capital letters', conversation_id=None)
    second = await watcher.until(is_proposal)
    assert isinstance(second, ProposalEvent)
    await watcher.done(second.exchange_id)
    assert second.action.key == key
    assert not [event for event in watcher.events if isinstance(event, DecisionEvent)], "it asks"


async def test_a_card_that_waits_goes_over_to_the_kept_ability(
    partner: Partner, watcher: Watcher, action_dir: Path
) -> None:
    await put(watcher, action_dir / "tmp" / "upper.py", UPPER_SCRIPT, "origin::upper.py")
    await partner.messages.send('shout "early" in capital letters', conversation_id=None)
    card = await watcher.until(is_proposal)
    assert isinstance(card, ProposalEvent)
    await watcher.done(card.exchange_id)
    key = await partner.abilities.persist(
        "origin::upper.py", await partner.abilities.draft("origin::upper.py")
    )
    waiting = await partner.actions.get(card.action.id)
    assert (waiting.key, waiting.status, waiting.params) == (key, ActionStatus.WAITING, {"text": "early"})
    await partner.actions.approve(waiting.id, scope="once")
    await watcher.until(is_result)
    assert (await partner.actions.get(waiting.id)).stdout.strip() == "EARLY"


async def test_what_ran_as_temporary_runs_again_as_what_it_was_kept_as(
    partner: Partner, watcher: Watcher, action_dir: Path
) -> None:
    await put(watcher, action_dir / "tmp" / "upper.py", UPPER_SCRIPT, "origin::upper.py")
    assert await run_once(partner, "origin::upper.py", text="one") == "ONE"
    (ran,) = await partner.actions.list()
    key = await partner.abilities.persist(
        "origin::upper.py", await partner.abilities.draft("origin::upper.py")
    )
    watcher.events.clear()
    await partner.actions.run_again(ran.id)
    card = await watcher.until(is_proposal)
    assert isinstance(card, ProposalEvent)
    assert (card.action.key, card.action.params) == (key, {"text": "one"})


async def test_a_kept_ability_appears_at_once_and_never_in_part(
    partner: Partner, watcher: Watcher, action_dir: Path
) -> None:
    await put(watcher, action_dir / "tmp" / "hello.py", PLAIN, "origin::hello.py")
    await partner.abilities.persist("origin::hello.py", await partner.abilities.draft("origin::hello.py"))
    await put(watcher, action_dir / "dynamic" / "after.py", PLAIN, "local::after")
    assert keys(partner) == {"local::hello", "local::after"}
    assert not [ability for ability in partner.abilities.list() if ability.fault]
    assert left_in(action_dir / "dynamic") == ["after.py", "hello"]


# What a crash leaves.

CRASHER = """
import json, os, sys
from pathlib import Path
from partner_desktop.abilities.folders import LiveFolders
from partner_desktop.domain.ability import AbilityDraft

STEPS = ("os.mkdir", "os.rename", "os.link", "os.remove", "os.rmdir")

def dies_at(step, root):
    seen = 0
    def hook(event, arguments):
        nonlocal seen
        writes = event == "open" and isinstance(arguments[2], int) and arguments[2] & os.O_WRONLY
        if (writes or event in STEPS) and any(str(root) in str(argument) for argument in arguments):
            seen += 1
            if seen == step:
                os._exit(7)
    sys.addaudithook(hook)

place, script, ours = Path(sys.argv[1]), sys.argv[2], sys.argv[3] == "ours"
for step in range(1, 200):
    root = place / f"{step}-"
    (root / "tmp").mkdir(parents=True)
    (root / "dynamic").mkdir()
    (root / "tmp" / "hello.py").write_text(script)
    folders = LiveFolders(root, snapshots=place / "cache")
    if ours:
        folders.temporary.made("hello.py")
    child = os.fork()
    if not child:
        dies_at(step, root)
        folders.persister.keep(root / "tmp" / "hello.py", AbilityDraft("hello", description="Greet"))
        os._exit(0)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    folders.persister.recover()
    found = [ability.key for ability in folders.scan(now_s=0)]
    left = (root / "tmp" / "hello.py").exists()
    scraps = set(os.listdir(root)) - {"tmp", "dynamic"}
    print(json.dumps([code, found, sorted([*os.listdir(root / "dynamic"), *scraps]), left]))
    if code == 0:
        break
"""


@pytest.mark.promise("actions.persist")
@pytest.mark.parametrize("ours", ["ours", "theirs"])
def test_a_crash_at_any_step_leaves_the_old_or_the_new_and_no_scrap(tmp_path: Path, ours: str) -> None:
    command = [sys.executable, "-c", CRASHER, str(tmp_path), PLAIN, ours]
    done = subprocess.run(command, cwd=REPOSITORY, timeout=60, check=True, capture_output=True, text=True)
    rounds = [json.loads(line) for line in done.stdout.splitlines()]
    assert [code for code, *_ in rounds] == [7] * (len(rounds) - 1) + [0]
    for number, (_code, found, dynamic, still_in_tmp) in enumerate(rounds, start=1):
        is_new = found == ["local::hello"]
        assert is_new or found == ["origin::hello.py"], f"after a crash at step {number}: {found}"
        assert dynamic == (["hello"] if is_new else []), f"after a crash at step {number}"
        assert still_in_tmp == (ours == "theirs" or not is_new), f"after a crash at step {number}"
    outcomes = [found[0] for _code, found, *_ in rounds]
    assert outcomes == sorted(outcomes, reverse=True), "the old one until the new one is there"
    assert len(set(outcomes)) == 2


def test_what_is_kept_has_the_rights_that_it_had(tmp_path: Path) -> None:
    script = tmp_path / "tmp" / "hello.py"
    script.parent.mkdir()
    script.write_text(PLAIN)
    script.chmod(0o4755)
    folders = LiveFolders(tmp_path, snapshots=tmp_path / "cache")
    folders.persister.keep(script, AbilityDraft("hello", description="Greet"))
    kept = tmp_path / "dynamic" / "hello" / "run.py"
    assert kept.stat().st_mode & 0o7777 == 0o755, "but for those that lend out its owner's"


@pytest.mark.parametrize(("source", "target"), [(True, True), (True, False), (False, True)])
def test_what_a_journal_says_is_done_only_with_the_bytes_of_then(
    tmp_path: Path, home: Home, *, source: bool, target: bool
) -> None:
    kept, made = tmp_path / "dynamic" / "hello.py", tmp_path / "tmp" / "hello.py"
    place = tmp_path / "dynamic" / ".keeping-abc"
    for path in (kept, made, place / "journal.json"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(PLAIN)
    folders = LiveFolders(tmp_path, snapshots=home.root / "cache")
    folders.temporary.made("hello.py")
    hashes = {
        "source_hash": hash_of(made) if source else "0",
        "target_hash": hash_of(kept) if target else "0",
    }
    names = {"source": "hello.py", "target": "hello.py", "key": "local::hello"}
    (place / "journal.json").write_text(json.dumps({**names, **hashes}))
    folders.persister.recover()
    assert made.exists() is not (source and target)
    assert not place.exists()


def test_a_journal_that_is_not_ours_does_no_harm(tmp_path: Path, home: Home) -> None:
    (tmp_path / "tmp").mkdir()
    precious = tmp_path / "precious.txt"
    precious.write_text("mine")
    place = tmp_path / "dynamic" / ".keeping-abc"
    place.mkdir(parents=True)
    (place / "journal.json").write_text(
        json.dumps(
            {
                "source": "../precious.txt",
                "source_hash": "",
                "target": "../precious.txt",
                "target_hash": "",
                "key": "x",
            }
        )
    )
    folders = LiveFolders(tmp_path, snapshots=home.root / "cache")
    AbilityPersister(tmp_path, folders.temporary).recover()
    assert precious.read_text() == "mine"
    assert not place.exists()
