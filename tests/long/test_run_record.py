"""A long run goes on where it was ended; a fault of a mutant stands where it says."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.long.mutants.mutation import mutants_of
from tests.long.run_record import RunRecord

_SOURCE = b'''"""A docstring is no place for a fault."""
import os

def is_near(a: int, b: int = 3) -> bool:
    """Nor is this."""
    log.warning("%s", a)
    counts.update(["x"])
    if a < b and not a == 7:
        return a in (1, 2)
    return False
'''


def test_a_run_goes_on_where_it_was_ended(tmp_path: Path) -> None:
    file = tmp_path / "record.json"
    first = RunRecord(seed=5, file=file)
    first.count("refused", part="plans", times=3)
    first.wrong.append("it broke")
    first.reached(200, part="plans")
    again = RunRecord(seed=5, file=file)
    assert (again.place("plans"), again.place("times")) == (200, 0)
    assert again.counts["plans"]["refused"] == 3
    assert again.wrong == ["it broke"]
    with pytest.raises(SystemExit, match="is of seed 5"):
        RunRecord(seed=6, file=file)


def test_the_line_at_the_end_tells_all_and_fails_where_anything_is_wrong(
    capsys: pytest.CaptureFixture[str],
) -> None:
    record = RunRecord(seed=5)
    record.count("read")
    assert record.finish(more=2) == 0
    record.wrong.append("it broke")
    assert record.finish() == 1
    told = capsys.readouterr()
    assert '"counts": {"read": 1}, "more": 2, "wrong": 0}' in told.out
    assert told.err == "it broke\n"


def test_faults_are_put_where_code_runs_and_nowhere_else() -> None:
    found = [(one.line, one.kind, one.before, one.after) for one in mutants_of("near.py", _SOURCE)]
    assert found == [
        (4, "constant", "3", "4"),
        (7, "removed statement", 'counts.update(["x"])', "pass"),
        (7, "constant", '"x"', '""'),
        (8, "comparison", "a < b", "(a <= b)"),
        (8, "boolean", "a < b and not a == 7", "(a < b or not a == 7)"),
        (8, "boolean", "not a == 7", "(a == 7)"),
        (8, "comparison", "a == 7", "(a != 7)"),
        (8, "constant", "7", "8"),
        (9, "returned value", "return a in (1, 2)", "return None"),
        (9, "comparison", "a in (1, 2)", "(a not in (1, 2))"),
        (9, "constant", "1", "2"),
        (9, "constant", "2", "3"),
        (10, "returned value", "return False", "return None"),
        (10, "constant", "False", "True"),
    ]
    faulty = [one.applied(_SOURCE) for one in mutants_of("near.py", _SOURCE)]
    assert len(set(faulty)) == len(faulty)
    assert all(each.count(b"\n") == _SOURCE.count(b"\n") for each in faulty)
    assert {one.function for one in mutants_of("near.py", _SOURCE)} == {4}
