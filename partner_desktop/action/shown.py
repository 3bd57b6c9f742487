"""Shown: what a card showed, against what is wanted and what there is by now. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from partner_desktop.action.path_arguments import is_given
from partner_desktop.base.errors import UsageError
from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.chain import Stage
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.permission.request import Scope


def card_face(record: ActionRecord) -> tuple[object, ...]:
    """What a yes to a card is to."""
    stages = [[replace(step, error="") for step in stage.steps] for stage in _stages(record)]
    return record.key, record.params, record.content_hash, record.paths, record.isolation, stages


def _stages(record: ActionRecord) -> Sequence[Stage]:
    return record.chain.stages if record.chain is not None else ()


def check_yes(record: ActionRecord, scope: Scope, params: JsonObject | None) -> None:
    """A yes to a chain is to these steps, these arguments and this run."""
    if scope != "once":
        raise UsageError(
            f"{record.title} can be allowed once only: a yes to several steps is for this run alone."
        )
    if params is not None:
        raise UsageError(f"{record.title} has several steps: change their arguments with Edit, then approve.")


def timed_out(record: ActionRecord) -> str:
    """Why a yes comes too late."""
    return f"{record.title} has timed out: its half hour is over. Run it again to be asked anew."


def is_as_shown(shown: ActionRecord, found: ActionRecord, given: JsonObject) -> bool:
    """Whether the card told the truth: the same hold, and the same arguments and places, which are still what
    they were, where nothing was edited on it. `given`: the arguments of the yes.

    A path that was emptied is not edited: its default takes its place, and the card has not shown that.
    """
    if shown.isolation != found.isolation:
        return False
    edited = {name for name, value in given.items() if is_given(value) and shown.params.get(name) != value}
    for name, value in found.params.items():
        seen = [params[name] for params in (shown.params, given) if name in params]
        if name not in edited and value not in seen:
            return False
    kept = [use for use in found.paths if use.param not in edited]
    return all(any(use.is_still(now) for use in shown.paths) for now in kept)
