"""`preActions`: what must be done before an ability becomes a step before it, where that is strict."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from partner_desktop.abilities.ability_file import (
    AbilityFile,
    draft_of_description,
    read_ability,
    redescribed,
    written_description,
)
from partner_desktop.abilities.script_writer import toml_lines, with_block
from partner_desktop.base.errors import DescriptorError
from partner_desktop.base.paths import Home
from partner_desktop.domain.action import ActionStatus
from partner_desktop.domain.meta_action import Route
from partner_desktop.runner.descriptor import from_toml
from tests.action.plans.asking import SCRIPTS, Desk, desk_of, script, stages

STRICT = "# strictDependencies = true\n"
CLEAN = (
    'description = "Clean the mess up in a folder"\n# preActions = ["{before}"]\n{more}'
    + SCRIPTS["zip_folder"].partition("\n")[2]
)


@pytest.fixture
async def desk(home: Home, action_dir: Path, user_home: Path) -> AsyncIterator[Desk]:
    (user_home / "Pictures").mkdir()
    one = desk_of(home, action_dir)
    await one.partner.launch()
    try:
        yield one
    finally:
        await one.partner.close()


def clean(before: str, *, strict: bool = True) -> str:
    return CLEAN.format(before=before, more=STRICT if strict else "")


async def test_a_single_request_gets_what_must_come_before_it_as_a_step_of_its_own(
    desk: Desk, user_home: Path
) -> None:
    await desk.drop("clean_up", clean("local::zip_folder"))
    await desk.say("clean the mess up in ~/Pictures")
    chain = await desk.chain()
    assert [[(step.key, step.origin) for step in stage.steps] for stage in chain.stages] == [
        [("local::zip_folder", "dependency")],
        [("local::clean_up", "request")],
    ]
    assert {step.params["folder"] for step in chain.steps} == {str(user_home / "Pictures")}


async def test_what_is_not_strict_adds_nothing(desk: Desk) -> None:
    await desk.drop("clean_up", clean("local::zip_folder", strict=False))
    await desk.say("clean the mess up in ~/Pictures")
    action = await desk.only()
    assert (action.key, action.chain) == ("local::clean_up", None)


async def test_what_was_asked_for_anyway_is_not_done_twice(desk: Desk) -> None:
    await desk.drop("clean_up", clean("zip_folder"))
    desk.mind.cut = stages("zip ~/Pictures", "clean the mess up in ~/Pictures")
    await desk.say("zip ~/Pictures and then clean the mess up in ~/Pictures")
    assert [step.key for step in (await desk.chain()).steps] == ["local::zip_folder", "local::clean_up"]


async def test_what_must_come_before_what_must_come_before_comes_first(desk: Desk) -> None:
    await desk.drop(
        "zip_folder",
        f"{SCRIPTS['zip_folder']}".replace(
            'archive"\n', 'archive"\n# preActions = ["find_duplicates"]\n' + STRICT, 1
        ),
    )
    await desk.drop("clean_up", clean("zip_folder"))
    await desk.say("clean the mess up in ~/Pictures")
    keys = [step.key for step in (await desk.chain()).steps]
    assert keys == ["local::find_duplicates", "local::zip_folder", "local::clean_up"]


@pytest.mark.logs_errors
async def test_a_circle_is_said_in_words_and_nothing_is_begun(desk: Desk) -> None:
    await desk.drop(
        "zip_folder",
        f"{SCRIPTS['zip_folder']}".replace(
            'archive"\n', 'archive"\n# preActions = ["clean_up"]\n' + STRICT, 1
        ),
    )
    await desk.drop("clean_up", clean("zip_folder"))
    await desk.say("clean the mess up in ~/Pictures")
    assert await desk.partner.actions.list() == []
    (error,) = desk.errors()
    assert "Clean up can never begin: it must come after itself (Clean up ← Zip folder ← Clean up)." in error


@pytest.mark.logs_errors
async def test_an_unknown_one_is_said_with_the_nearest(desk: Desk) -> None:
    await desk.drop("clean_up", clean("zip_foldr"))
    await desk.say("clean the mess up in ~/Pictures")
    assert await desk.partner.actions.list() == []
    (error,) = desk.errors()
    assert "Clean up must come after `local::zip_foldr`, which is not there." in error
    assert "Was `local::zip_folder` or" in error


async def test_both_go_together_a_chain_waits_for_one_yes(desk: Desk) -> None:
    await desk.drop("clean_up", clean("zip_folder"))
    await desk.say("clean the mess up in ~/Pictures")
    action = await desk.only()
    assert (action.status, action.title) == (ActionStatus.WAITING, "Zip folder → Clean up")


# In writing.


def read(folder: Path, text: str, *, described: object = None) -> AbilityFile:
    if described is None:
        path = folder / "clean.py"
        path.write_text(text)
    else:
        path = folder / "clean"
        path.mkdir()
        (path / "run.py").write_text(text)
        (path / "desc.json").write_text(json.dumps(described))
    return read_ability(path, location="local", route=Route.MCP)


WRITTEN = {
    "description": "Clean up",
    "preActions": ["zip_folder", "builtin::time"],
    "postActions": "list_folder",
    "strictDependencies": True,
}


def test_a_file_and_a_block_say_the_same(tmp_path: Path) -> None:
    block = (
        'description = "Clean up"\n# preActions = ["zip_folder", "builtin::time"]\n'
        '# postActions = "list_folder"\n# strictDependencies = true'
    )
    for found in (read(tmp_path, script(block)), read(tmp_path, "print()", described=WRITTEN)):
        assert found.info.pre_actions == ("local::zip_folder", "builtin::time")
        assert found.info.post_actions == ("local::list_folder",)
        assert found.info.strict_dependencies
        assert found.hints == ()


def test_a_change_of_what_comes_before_asks_again(tmp_path: Path) -> None:
    strict, loose = tmp_path / "a", tmp_path / "b"
    strict.mkdir()
    loose.mkdir()
    first = read(strict, "print()", described=WRITTEN).info
    second = read(loose, "print()", described={**WRITTEN, "strictDependencies": False}).info
    assert first.content_hash != second.content_hash, "grants are bound to it"


def test_the_form_and_a_single_file_keep_it(tmp_path: Path) -> None:
    found = read(tmp_path, "print()", described=WRITTEN)
    raw = written_description(found)
    assert redescribed(raw, draft_of_description(found.info, name="clean")) == WRITTEN
    again = from_toml("\n".join(toml_lines(raw)), first_line=1)
    assert (again.preActions, again.strictDependencies) == (["zip_folder", "builtin::time"], True)
    assert 'preActions = ["zip_folder", "builtin::time"]' in with_block("print()", raw, sign="#")


@pytest.mark.parametrize(
    "wrong",
    [
        {"preActions": [1]},
        {"preActions": [""]},
        {"preActions": ["x"] * 21},
        {"strictDependencies": "perhaps"},
    ],
)
def test_what_is_no_list_of_keys_is_told_with_its_name(tmp_path: Path, wrong: dict[str, object]) -> None:
    with pytest.raises(DescriptorError, match=next(iter(wrong))):
        read(tmp_path, "print()", described={**WRITTEN, **wrong})
