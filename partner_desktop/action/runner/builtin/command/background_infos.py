"""What is said of the commands in the background to whoever looks for an ability."""

from __future__ import annotations

from partner_desktop.action.runner.builtin.command.argv import ARGV
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.meta_action import Annotations, MetaActionInfo, Route

_ONLY_LOOKS = Annotations(read_only=True, destructive=False, idempotent=True, open_world=False)

_ID: JsonObject = {
    "type": "string",
    "format": "execution-id",
    "minLength": 1,
    "maxLength": 64,
    "description": "the id of the command, as its start gave it; without it, the only one that fits",
}

START = MetaActionInfo(
    key="builtin::command::start",
    route=Route.BUILTIN,
    label="Start a background command",
    description="Start a program in the background",
    # None begins with `run`: what has no word of the background is a plain command.
    aliases=("in the background run", "put into the background", "在后台运行", "后台运行", "放到后台"),
    params={
        "type": "object",
        "properties": {
            "argv": ARGV,
            "desc": {
                "type": "string",
                "title": "What for",
                "maxLength": 200,
                "format": "short-label",
                "description": "what it is for, in a few words",
            },
            "cwd": {
                "type": "string",
                "title": "Folder",
                "format": "path",
                "access": "read",
                "description": "where it runs",
            },
            "timeoutSeconds": {
                "type": "number",
                "title": "Seconds",
                "exclusiveMinimum": 0,
                "maximum": 31_536_000,
                "description": "when it is ended at the latest; without it, it may take for ever",
            },
        },
        "required": ["argv"],
    },
    annotations=Annotations(read_only=False, destructive=True, open_world=True),
)

OVERVIEW = MetaActionInfo(
    key="builtin::command::overview",
    route=Route.BUILTIN,
    label="List background commands",
    description="List the background commands",
    aliases=(
        "what is in the background",
        "show the background commands",
        "后台有哪些命令",
        "后台在做什么",
        "列出后台命令",
    ),
    annotations=_ONLY_LOOKS,
)

INSPECT = MetaActionInfo(
    key="builtin::command::inspect",
    route=Route.BUILTIN,
    label="Look at a background command",
    description="Look at how a background command is doing",
    aliases=("how is the background command doing", "state of the background command", "查看后台命令的状态"),
    params={"type": "object", "properties": {"id": _ID}},
    annotations=_ONLY_LOOKS,
)

READ = MetaActionInfo(
    key="builtin::command::read",
    route=Route.BUILTIN,
    label="Read a background command's output",
    description="Read what a background command has printed",
    aliases=("show the output of the background command", "读取后台命令的输出"),
    params={
        "type": "object",
        "properties": {
            "id": _ID,
            "stream": {
                "type": "string",
                "enum": ["stdout", "stderr"],
                "default": "stdout",
                "description": "its output, or its messages",
            },
            "offset": {
                "type": "integer",
                "default": 0,
                "description": "the byte to begin at; below zero: so many before the end",
            },
            "limit": {
                "type": "integer",
                "minimum": 1,
                "maximum": 262_144,
                "default": 4096,
                "description": "how many bytes",
            },
        },
    },
    annotations=_ONLY_LOOKS,
)

CANCEL = MetaActionInfo(
    key="builtin::command::cancel",
    route=Route.BUILTIN,
    label="End a background command",
    description="Stop a command that runs in the background",
    aliases=(
        "stop the background command",
        "end the command in the background",
        "kill the background process",
        "停止后台命令",
        "结束后台命令",
    ),
    params={
        "type": "object",
        "properties": {
            "command": {"type": "string", "description": "the command that is ended"},
            "id": _ID,
        },
    },
    annotations=Annotations(read_only=False, destructive=True, open_world=False),
)
