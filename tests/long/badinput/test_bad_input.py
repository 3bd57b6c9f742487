"""A little of each kind of bad input, and what once went wrong (`python -m tests.long.badinput`)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.long.badinput.families import FAMILIES
from tests.long.badinput.trial import Trial, attempt
from tests.long.run_record import RunRecord
from tests.model.engine import needs_engine

pytestmark = [pytest.mark.integration, pytest.mark.logs_errors]

_SEED = 5
_FOUND = sorted((Path(__file__).parent / "corpus").iterdir())
#: How many of each; those that need a Partner or a worker are slower.
_TIMES = {"models": 300, "gguf_headers": 300, "markdown": 40, "times": 60, "backups": 60, "settings": 60}
_MARKS = {
    "models": [needs_engine, pytest.mark.promise("model.badfile")],
    "gguf_headers": [pytest.mark.promise("model.badfile")],
}


@pytest.mark.parametrize("name", [pytest.param(name, marks=_MARKS.get(name, ())) for name in FAMILIES])
def test_bad_input_is_read_or_refused_with_a_sentence(name: str) -> None:
    record = RunRecord(seed=_SEED)
    times = _TIMES.get(name, 150)
    Trial(FAMILIES[name], record).run(times)
    assert record.wrong == []
    counts = record.counts[name]
    assert sum(counts.values()) == times
    assert len(counts) > 1 or name == "markdown", f"some of it is to be read, some refused: {counts}"


@pytest.mark.parametrize("path", _FOUND, ids=lambda path: path.name)
def test_what_once_went_wrong_goes_right(path: Path, tmp_path: Path) -> None:
    family = FAMILIES[path.name.partition("-")[0]](tmp_path)
    try:
        assert attempt(family, path.read_bytes())[1] == ""
    finally:
        family.close()
