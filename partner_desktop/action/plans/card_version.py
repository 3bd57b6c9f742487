"""Shown: what a card showed, against what is wanted and what there is by now. Pure."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import fields, is_dataclass, replace
from typing import TypeAlias

from partner_desktop.action.plans.path_arguments import is_given
from partner_desktop.base.errors import UsageError
from partner_desktop.base.messages import LazySentence
from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.events import as_json
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.permission import Scope
from partner_desktop.domain.plan import Plan, Stage, Step

#: What a person saw of a card when they decided: the card, or its `card_version`.
Shown: TypeAlias = ActionRecord | str | None


def card_version(record: ActionRecord) -> str:
    """A hash of what a yes to a card is to; another one, once it shows something else."""
    stages = [[replace(step, error="") for step in stage.steps] for stage in _stages(record)]
    looks = record.chain.looks if record.chain is not None else ()
    own = record.key, record.params, record.content_hash, record.paths, record.isolation
    face: tuple[object, ...] = (*own, stages, looks)
    if record.terms is not None:
        face = *face, record.terms
    return hashlib.sha256(json.dumps(as_json(_compared(face)), sort_keys=True).encode()).hexdigest()


def _compared(value: object) -> object:
    """Without the fields that make no difference between two of a kind."""
    if is_dataclass(value):
        return {one.name: _compared(getattr(value, one.name)) for one in fields(value) if one.compare}
    if isinstance(value, list | tuple):
        return [_compared(item) for item in value]
    return value


def _stages(record: ActionRecord) -> Sequence[Stage]:
    return record.chain.stages if record.chain is not None else ()


def check_yes(record: ActionRecord, scope: Scope, params: JsonObject | None) -> None:
    """A yes to a chain is to these steps, these arguments and this run; to a saved plan it may reach on."""
    if scope != "once" and not record.grantable:
        raise UsageError("plans.once_only", title=record.title)
    if params is not None:
        raise UsageError("plans.edit_first", title=record.title)


def with_yes(record: ActionRecord, chain: Plan) -> ActionRecord:
    """With the yes to each of its steps."""
    stages = tuple(
        Stage(tuple(replace(step, approved=True, error="") for step in stage.steps)) for stage in chain.stages
    )
    return replace(record, chain=replace(chain, stages=stages))


def status_word(record: ActionRecord) -> LazySentence:
    """Where an action stands, in a word."""
    return LazySentence(f"plans.status.{record.status.value}")


def is_as_shown(shown: Step, found: Step, given: JsonObject) -> bool:
    """Whether the card told the truth of a step: the same hold, and the same arguments and places, which are
    still what they were, where nothing was edited on it. `given`: the arguments of the yes.

    A path that was emptied is not edited: its default takes its place, and the card has not shown that.
    """
    if (shown.isolation, shown.feeds) != (found.isolation, found.feeds):
        return False
    if given == shown.params and (
        found.params.keys() != given.keys() or len(found.paths) != len(shown.paths)
    ):
        return False  # what stands on the card and would not be run is no truth of it either
    edited = {name for name, value in given.items() if is_given(value) and shown.params.get(name) != value}
    for name, value in found.params.items():
        seen = [params[name] for params in (shown.params, given) if name in params]
        if name not in edited and value not in seen:
            return False
    kept = [use for use in found.paths if use.param not in edited]
    return all(any(use.is_still(now) for use in shown.paths) for now in kept)
