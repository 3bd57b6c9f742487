"""Requests of many trades and the arguments that they give, from the table `requests.jsonl` beside this file.

One line per ability: its name, description and schema, and its requests with the arguments expected of each.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from partner_desktop.domain.json_value import Json
from partner_desktop.domain.meta_action import MetaActionInfo, Route
from tests.mind.asking import read
from tests.tables import all_rows

TABLE = Path(__file__).with_name("requests.jsonl")


def cases() -> Iterator[Any]:
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        info = MetaActionInfo(
            key=f"local::{row['name']}",
            route=Route.MCP,
            description=row["description"],
            params=row["params"],
        )
        for text, values in row["requests"].items():
            yield info, text, values


@all_rows("info, text, values", list(cases()))
async def test_a_request_gives_its_arguments_and_no_others(
    info: MetaActionInfo, text: str, values: dict[str, Json]
) -> None:
    assert (await read(text, info)).values == values
