"""The routing benchmark judges arguments as its rows say, and refuses data that it cannot read."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from partner_desktop.domain.json_value import JsonObject
from tests.benchmarks.calls import Accepted, MeaningError, Row, verdicts
from tests.benchmarks.routing import Outcome, measure, refusals

ACCEPTED: Accepted = {"city": ["Graz", "Graz, Austria"], "days": [3], "unit": ["celsius", ""]}


@pytest.mark.parametrize(
    ("given", "wrong"),
    [
        ({"city": "Graz", "days": 3}, set()),
        ({"city": "Graz, Austria", "days": 3.0, "unit": "celsius"}, set()),
        ({"city": "graz", "days": 3}, {"city"}),
        ({"city": "Graz"}, {"days"}),
        ({"city": "Graz", "days": 3, "unit": "kelvin"}, {"unit"}),
        ({"city": "Graz", "days": 3, "more": 1}, {"more"}),
        ({"city": "Graz", "days": True}, {"days"}),
    ],
)
def test_arguments_are_right_when_each_equals_an_accepted_one_and_none_is_extra(
    given: JsonObject, wrong: set[str]
) -> None:
    assert {name for name, right in verdicts(given, ACCEPTED).items() if not right} == wrong


def test_objects_inside_hold_accepted_values_of_their_own() -> None:
    accepted: Accepted = {"who": [{"name": ["Ada"], "age": [34, ""]}], "at": [[1, 2]]}
    assert all(verdicts({"who": {"name": "Ada"}, "at": [1, 2]}, accepted).values())
    assert verdicts({"who": {"name": "Ada", "age": 35}, "at": [2, 1]}, accepted) == {
        "who": False,
        "at": False,
    }


ROW = {
    "id": "own_1",
    "set": "simple_python",
    "text": "weather in Graz for 3 days",
    "functions": [
        {
            "name": "weather",
            "description": "Weather forecast",
            "parameters": {
                "type": "object",
                "properties": {"city": {"type": "string"}, "days": {"type": "integer"}},
                "required": ["city", "days"],
            },
        }
    ],
    "expected": {"name": "weather", "arguments": {"city": ["Graz"], "days": [3]}},
}


def test_no_row_sets_the_score_by_which_it_is_refused() -> None:
    served = [
        Outcome(Row(f"row {number}", "multiple", "", (), wanted="x"), 0.9, True) for number in range(40)
    ]
    low = Outcome(Row("low", "multiple", "", (), wanted="x"), 0.3, chosen=True)
    assert refusals([*served, low]) == [False] * 40 + [True]


def measured(data: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tests.benchmarks", "routing", "--json", "--data", str(data)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


@pytest.mark.integration
def test_one_object_says_the_shares_of_the_sets_that_are_there(tmp_path: Path) -> None:
    data = tmp_path / "rows.jsonl"
    data.write_text(json.dumps(ROW) + "\n")
    found = json.loads(measured(data).stdout)
    assert found["simple_python"] == {
        "chosen": 1.0,
        "arguments": 1.0,
        "count": 1,
        "by_type": {"integer": 1.0, "string": 1.0},
    }
    assert set(found) == {"mind", "simple_python", "refused_answerable"}
    assert found["mind"] in {"words", "words and meaning"}


@pytest.mark.integration
def test_meaning_that_fails_gives_no_figures_of_words_alone(tmp_path: Path) -> None:
    pytest.importorskip("llama_cpp")
    data, broken = tmp_path / "rows.jsonl", tmp_path / "broken.gguf"
    data.write_text(json.dumps(ROW) + "\n")
    broken.write_bytes(b"no model")
    with pytest.raises(MeaningError, match="1 of 1 rows"):
        measure(data, model=broken)


@pytest.mark.integration
def test_a_line_that_is_no_row_ends_it_with_its_number(tmp_path: Path) -> None:
    data = tmp_path / "rows.jsonl"
    data.write_text(json.dumps(ROW) + "\n" + json.dumps({**ROW, "set": "dreams"}) + "\n")
    ended = measured(data)
    assert ended.returncode == 2
    assert "line 2" in ended.stderr
    assert "dreams" in ended.stderr
