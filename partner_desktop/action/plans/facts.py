"""The facts that a card shows and a decision rests on, worked out in one place."""

from __future__ import annotations

import os
from collections.abc import Sequence

from partner_desktop.base.errors import AskHumanError
from partner_desktop.base.messages import sentence_of, spoken_language
from partner_desktop.base.text import cut, shown
from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.meta_action import MetaActionInfo, Route
from partner_desktop.domain.run_facts import Isolation, PathUse, Risk
from partner_desktop.domain.schema_check import is_foreign, known_names, misfit, unknown_names
from partner_desktop.permission.request import PermissionRequest
from partner_desktop.permission.sensitive_paths import is_executed, is_sensitive

#: What a person can be asked to look through: the letters of all arguments, and how many of those there are.
_MOST_LETTERS, _MOST_NAMES = 256 * 1024, 200
#: Beside a script that is as long as one may be.
_MORE_LETTERS = 16 * 1024


def risk_of(info: MetaActionInfo, isolation: Isolation, uses: Sequence[PathUse]) -> Risk:
    """From route, hold and paths alone: what a description claims of itself lowers nothing."""
    writes = any(use.access == "write" for use in uses)
    if isolation.server:
        return Risk.WRITE if isolation.remote else Risk.SYSTEM
    if info.route is Route.BUILTIN:
        if info.annotations.read_only:
            return Risk.READ
        stays = info.annotations.open_world is False  # of Partner's own that is a fact, no claim
        return Risk.WRITE if stays or (writes and not info.annotations.open_world) else Risk.SYSTEM
    if not isolation.sandboxed:
        return Risk.SYSTEM
    return Risk.WRITE if writes or isolation.net or isolation.sockets else Risk.READ


def asks_each_time(info: MetaActionInfo) -> bool:
    """Free command lines and the like: yesterday's yes says nothing about today's command."""
    return info.route is Route.BUILTIN and not info.annotations.only_looks


def is_careful(info: MetaActionInfo, uses: Sequence[PathUse]) -> bool:
    """Whether it touches what a yes for later is too much for."""
    whole = info.route is not Route.BUILTIN
    return any(is_sensitive(use, whole=whole) or is_executed(use, whole=whole) for use in uses)


def request_for(record: ActionRecord, info: MetaActionInfo) -> PermissionRequest:
    """What the permission engine is asked about this record."""
    if record.isolation is None:
        raise AskHumanError("plans.not_assessed", title=record.title)
    return PermissionRequest(
        action_id=record.id,
        action_key=record.key,
        route=info.route,
        content_hash=record.content_hash,
        params=record.params,
        risk=record.risk,
        isolation=record.isolation,
        paths=record.paths,
        args_bound=asks_each_time(info) or info.free_args,
        looks=bool(info.annotations.read_only),
        command=info.takes_command(),
        code=info.takes_code(),
        outward=bool(info.annotations.open_world),
        conversation_id=record.conversation_id,
        grantable=record.grantable,
        led_away=_led_away(record, info),
        program=record.program,
        title=record.title,
    )


def _led_away(record: ActionRecord, info: MetaActionInfo) -> bool:
    """Whether a declared place is another one than its words say; without asking the disk again."""
    declared = (*info.permissions.read, *info.permissions.write)
    said = {os.path.normpath(os.path.expanduser(path)) for path in declared}  # noqa: PTH111 - unknown users
    return any(not use.param and use.path not in said for use in record.paths)


def validation_problem(info: MetaActionInfo, params: JsonObject) -> tuple[str, str]:
    """Why the arguments do not fit the schema, and which parameter is to blame; both empty when they fit.

    A name that the schema does not know is none that the person could be asked for. Off the loop, as
    `schema_check`.
    """
    if len(params) > _MOST_NAMES or _letters(params) > _MOST_LETTERS + _MORE_LETTERS:
        return sentence_of(
            "plans.too_much_given", title=info.title, most=_MOST_NAMES, size=_MOST_LETTERS // 1024
        ), ""
    unknown = unknown_names(info.params, params)
    if unknown:
        return _unknown_words(info, unknown[0]), ""
    found = misfit(info.params, params, foreign=is_foreign(info))
    if found is None:
        return "", ""
    if found.of_schema:
        return sentence_of("plans.described_wrongly", title=info.title, problem=found.message), ""
    return f"{found.message[:1].upper()}{found.message[1:]}.", found.param


def _letters(value: Json) -> int:
    if isinstance(value, dict):
        return sum(len(name) + _letters(each) for name, each in value.items())
    if isinstance(value, list):
        return sum(1 + _letters(each) for each in value)
    return len(value) if isinstance(value, str) else 1


def _unknown_words(info: MetaActionInfo, name: str) -> str:
    from difflib import SequenceMatcher  # noqa: PLC0415 - somebody said a name that nobody knows

    said, known = cut(shown(name), 80), known_names(info.params)
    title = info.spoken(spoken_language.get()).title
    if not known:
        return sentence_of("param.none", title=title, param=said)
    nearest = max(known, key=lambda each: SequenceMatcher(None, each.casefold(), name.casefold()).ratio())
    return sentence_of("param.unknown", title=title, param=said, nearest=shown(nearest))
