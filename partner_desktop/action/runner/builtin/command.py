"""`command::execute`: one program with its arguments, without a shell, with the user's own rights."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from partner_desktop.action.runner.builtin.registry import BuiltinCall, BuiltinDefinition
from partner_desktop.action.runner.launch_spec import LaunchSpec
from partner_desktop.action.runner.process import run_process
from partner_desktop.action.runner.responses import response_of
from partner_desktop.base.errors import AskHumanError
from partner_desktop.domain.meta_action import Annotations, MetaActionInfo, Route, RunnerResponse

_TIMEOUT_S = 120.0


def command_definition() -> BuiltinDefinition:
    """The definition."""
    info = MetaActionInfo(
        key="builtin::command::execute",
        route=Route.BUILTIN,
        label="Run a command",
        description="Run a command in the terminal",
        aliases=("run a command in the terminal", "execute a program", "执行命令", "运行命令"),
        params={
            "type": "object",
            "properties": {
                "argv": {
                    "type": "array",
                    "items": {"type": "string"},
                    "minItems": 1,
                    "description": "the program and its arguments, one a line",
                    "x-partner-rest": True,
                }
            },
            "required": ["argv"],
        },
        annotations=Annotations(read_only=False, destructive=True, open_world=True),
        timeout_s=_TIMEOUT_S,
    )
    return BuiltinDefinition(info, _execute)


async def _execute(call: BuiltinCall) -> RunnerResponse:
    given = call.params["argv"]
    argv = tuple(str(part) for part in given) if isinstance(given, list) else ()
    cwd = Path(call.cwd) if call.cwd else Path.home()
    # A name with a slash is relative to where the person stands, not to where Partner runs.
    named = str(cwd / argv[0]) if argv and os.sep in argv[0] else argv[0] if argv else ""
    program = shutil.which(named) if named else None
    if program is None:
        raise AskHumanError(f"There is no program called `{argv[0] if argv else ''}` here.")
    spec = LaunchSpec(argv=(program, *argv[1:]), timeout_s=_TIMEOUT_S, spill_dir=call.run_folder, cwd=cwd)
    return response_of(await run_process(spec), sandboxed=False)
