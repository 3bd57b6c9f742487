"""Requests of several things, from the table `compound_requests.jsonl` beside this file.

One line per request: its text, and the stages that it asks for. Without stages it is one, as it was said.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from partner_desktop.domain.meta_action import MetaActionInfo, Route
from partner_desktop.mind.question import EvaluateIntent, ExtractIntents, Intents
from partner_desktop.mind.starter.mind import StarterMind
from tests.builtins import builtin_infos
from tests.samples.stage import read_samples

TABLE = Path(__file__).with_name("compound_requests.jsonl")
#: One for all requests, as it is in a Partner: it analyses the abilities once.
MIND = StarterMind()
#: An ability that is called by a whole request.
WHOLE = MetaActionInfo(
    key="local::whole",
    route=Route.MCP,
    label="Find duplicates and zip them",
    description="Look for what is there twice and pack it",
    aliases=("tidy downloads, then zip documents", "先整理下载，再压缩文档"),
)


@pytest.fixture(scope="session")
def abilities(tmp_path_factory: pytest.TempPathFactory) -> list[MetaActionInfo]:
    samples = read_samples(tmp_path_factory.mktemp("snapshots"))
    return [*builtin_infos(), *samples.values(), WHOLE]


def cases() -> Iterator[Any]:
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        stages = row.get("stages", [[row["text"]]])
        yield pytest.param(row["text"], tuple(map(tuple, stages)), id=row["text"][:60])


async def intents(text: str, abilities: list[MetaActionInfo]) -> Intents:
    return await MIND.ask(ExtractIntents(text, abilities))


@pytest.mark.parametrize(("text", "stages"), list(cases()))
async def test_a_request_is_cut_only_where_each_part_chooses(
    text: str, stages: tuple[tuple[str, ...], ...], abilities: list[MetaActionInfo]
) -> None:
    assert (await intents(text, abilities)).stages == stages


async def test_at_least_half_of_the_table_must_stay_whole() -> None:
    rows = [json.loads(line) for line in TABLE.read_text(encoding="utf-8").splitlines()]
    whole = [row for row in rows if "stages" not in row]
    assert len(rows) >= 80
    assert len(whole) * 2 >= len(rows)


async def test_each_part_chooses_the_ability_that_it_would_choose_alone(
    abilities: list[MetaActionInfo],
) -> None:
    found = await intents("find duplicates in ~/Pictures and then zip the folder", abilities)
    chosen = []
    for (part,) in found.stages:
        evaluation = await MIND.ask(EvaluateIntent(part, abilities))
        chosen.append(evaluation.chosen.key if evaluation.chosen is not None else "")
    assert chosen == ["local::find_duplicates", "local::zip_folder"]


async def test_a_request_of_many_things_loses_none(abilities: list[MetaActionInfo]) -> None:
    text = "\n".join(f"{number}. zip ~/folder{number}" for number in range(1, 31))
    found = await intents(text, abilities)
    assert found.stages == tuple((f"zip ~/folder{number}",) for number in range(1, 31))


@pytest.mark.parametrize("joint", [" and then ", ", ", "; ", "\n", ". ", "，然后", "再", " " * 50, "then, "])
async def test_a_long_text_is_one_part(joint: str, abilities: list[MetaActionInfo]) -> None:
    text = joint.join(["zip ~/Documents"] * (20_000 // len(joint)))
    assert (await intents(text, abilities)).stages == ((text,),)


async def test_a_document_with_few_joints_is_one_part_too(abilities: list[MetaActionInfo]) -> None:
    text = f"zip ~/Documents and then count the words in a.txt {'of my story ' * 300}"
    assert (await intents(text, abilities)).stages == ((text,),)
