"""A step is as its card showed it, or the yes to it does not count: nothing is left out, nothing comes in."""

from __future__ import annotations

from dataclasses import replace

import pytest

from partner_desktop.action.plans.card_version import is_as_shown
from partner_desktop.domain.plan import Step, StepInput
from partner_desktop.domain.run_facts import Isolation, PathUse

from .made import step

_HERE = PathUse("folder", "/srv/photos", "write", seen=(1, 2))
SHOWN = replace(step("A"), params={"folder": "/srv/photos", "count": 3}, paths=(_HERE,))


@pytest.mark.parametrize(
    ("now", "same"),
    [
        (SHOWN, True),
        (replace(SHOWN, params={"folder": "/srv/photos"}), False),
        (replace(SHOWN, params={**SHOWN.params, "deep": True}), False),
        (replace(SHOWN, params={**SHOWN.params, "count": 4}), False),
        (replace(SHOWN, paths=()), False),
        (replace(SHOWN, paths=(_HERE, replace(_HERE, path="/srv/other"))), False),
        (replace(SHOWN, paths=(replace(_HERE, seen=(1, 3)),)), False),
        (replace(SHOWN, feeds=(StepInput("count", "B"),)), False),
        (replace(SHOWN, isolation=Isolation(sandboxed=False, net=True, summary="open")), False),
    ],
)
def test_a_step_is_as_shown_only_where_all_of_it_is(now: Step, same: bool) -> None:
    assert is_as_shown(SHOWN, now, SHOWN.params) is same


def test_what_was_edited_on_the_card_may_differ_and_nothing_else() -> None:
    given = {**SHOWN.params, "count": 5}
    assert is_as_shown(SHOWN, replace(SHOWN, params=given), given)
    assert not is_as_shown(SHOWN, replace(SHOWN, params={**given, "deep": True}), given)
