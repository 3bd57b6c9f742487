"""`command::execute`: one command to its end, with what it prints told as it comes."""

from __future__ import annotations

from partner_desktop.action.runner.builtin.command.argv import ARGV, folder_of, given_argv, with_program
from partner_desktop.action.runner.builtin.registry import BuiltinCall, BuiltinDefinition
from partner_desktop.action.runner.launch_spec import LaunchSpec
from partner_desktop.action.runner.process import run_process
from partner_desktop.action.runner.responses import response_of
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
        params={"type": "object", "properties": {"argv": ARGV}, "required": ["argv"]},
        annotations=Annotations(read_only=False, destructive=True, open_world=True),
        timeout_s=_TIMEOUT_S,
    )
    return BuiltinDefinition(info, _execute)


async def _execute(call: BuiltinCall) -> RunnerResponse:
    folder = folder_of(call)
    argv = await with_program(given_argv(call), folder)
    spec = LaunchSpec(argv=argv, timeout_s=_TIMEOUT_S, spill_dir=call.run_folder, cwd=folder)
    return response_of(await run_process(spec, on_output=call.on_output), sandboxed=False)
