"""How `intervention::*` describe themselves: their keys, words and parameters."""

from __future__ import annotations

from partner_desktop.domain.intervention import InterventionKind
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.meta_action import Annotations, MetaActionInfo, Route

_LOOKS = Annotations(read_only=True, idempotent=True, open_world=False)
_ONE_KEY: JsonObject = {"type": "string", "minLength": 1, "maxLength": 300}
#: An hour, and what it takes to say that it is over.
LONGEST_WAIT_S = 3_600
_KINDS: list[Json] = [kind.value for kind in InterventionKind]

AVAILABLE = MetaActionInfo(
    key="builtin::intervention::list_available_meta_actions",
    route=Route.BUILTIN,
    label="List available actions",
    description="List all available actions with their keys and parameters",
    aliases=("list all available actions", "列出所有可用的动作"),
    annotations=Annotations(read_only=True, idempotent=True),
)

INTERVENABLE = MetaActionInfo(
    key="builtin::intervention::list_intervenable_actions",
    route=Route.BUILTIN,
    label="List open actions",
    description="List the actions of this conversation that wait or run",
    aliases=("which actions are waiting or running", "有哪些动作正在等待或运行"),
    annotations=Annotations(read_only=True, idempotent=True),
)

CREATE = MetaActionInfo(
    key="builtin::intervention::create_intervention",
    route=Route.BUILTIN,
    label="Change a chain of steps",
    description="Change a chain of steps that waits or runs: append, insert, delete, cancel or rebuild",
    params={
        "type": "object",
        "properties": {
            "id": {
                "type": "string",
                "minLength": 1,
                "maxLength": 64,
                "description": "the id of the chain, as the list of open actions gives it",
            },
            "type": {"type": "string", "enum": _KINDS, "description": "what becomes of the chain"},
            "order": {
                "type": "integer",
                "minimum": 0,
                "maximum": 200,
                "description": "the number of the stage: append comes after it, insert into it, delete takes"
                " it out; without it, append comes at the end",
            },
            "actions": {
                "anyOf": [
                    {"type": "array", "items": _ONE_KEY, "maxItems": 200},
                    {"type": "string", "maxLength": 10_000},
                ],
                "description": "the keys of the new steps, or the steps that delete takes out; as a list, or"
                " separated by commas",
            },
            "reason": {"type": "string", "maxLength": 500, "description": "why, in a sentence"},
        },
        "required": ["id", "type"],
    },
    annotations=Annotations(read_only=False, destructive=False, open_world=False),
)

ACQUIRE = MetaActionInfo(
    key="builtin::intervention::acquire_intervention",
    route=Route.BUILTIN,
    label="Ask the person",
    description="Ask the person a question and wait for the answer",
    params={
        "type": "object",
        "properties": {
            "demand": {
                "type": "string",
                "minLength": 1,
                "maxLength": 2_000,
                "description": "the question",
                "x-partner-rest": True,
            },
            "actionId": {
                "type": "string",
                "maxLength": 64,
                "description": "the id of the action that it is about; without it, none",
            },
            "timeout": {
                "type": "integer",
                "minimum": 1,
                "maximum": LONGEST_WAIT_S,
                "default": 300,
                "description": "for how many seconds the answer is waited for",
            },
        },
        "required": ["demand"],
    },
    timeout_s=LONGEST_WAIT_S + 60.0,
    annotations=_LOOKS,
)
