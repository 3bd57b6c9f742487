"""A decision for tests of what comes behind the engine; in the app nobody but the engine makes one."""

from __future__ import annotations

from partner_desktop.domain.json_value import JsonObject
from partner_desktop.permission.request import SEAL, By, Decision, Outcome, params_hash


def decided(
    action_id: str,
    key: str,
    content_hash: str,
    params: JsonObject,
    *,
    outcome: Outcome = Outcome.ALLOW,
    sandboxed: bool = False,
    by: By = "person",
) -> Decision:
    """As the engine would answer."""
    return Decision(
        outcome=outcome,
        action_id=action_id,
        action_key=key,
        content_hash=content_hash,
        params_hash=params_hash(params),
        sandboxed=sandboxed,
        by=by,
        seal=SEAL,
    )
