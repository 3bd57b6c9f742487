"""What a run needs around its start and end: the guard's options, the sandbox's command line and its gate."""

from __future__ import annotations

import contextlib
import errno
import math
import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from partner_desktop.runner.endings import not_started
from partner_desktop.runner.gate import Gate, filled_pipe
from partner_desktop.runner.launch_spec import LaunchSpec
from partner_desktop.runner.launchers import interpreter
from partner_desktop.runner.sandbox import (
    Inherited,
    SandboxSpec,
    check_paths,
    hold_mounts,
    make_missing,
    program_of,
    remove_unused,
)

LINGER_S = 1.0
"""For what the command left behind, while it keeps the output open."""
_GUARD = Path(__file__).with_name("guard.py")


def guard_command(options: Mapping[str, int | str], command: Sequence[str]) -> list[str]:
    """A command line under the guard."""
    told = [f"--{name}={value}" for name, value in options.items()]
    return [interpreter(), "-I", "-S", "-B", str(_GUARD), *told, "--", *command]


def guard_options(spec: LaunchSpec, life: int) -> dict[str, int | str]:
    """The guard's own options; `life` is the descriptor whose closing ends the run."""
    options: dict[str, int | str] = {
        "life": life,
        "grace-ms": int(spec.grace_s * 1000),
        "linger-ms": int(LINGER_S * 1000),
        "leave": int(spec.hand_over),
    }
    if spec.sandbox is not None:
        limits = spec.sandbox.limits
        options |= {
            "wrappers": spec.sandbox.sandbox.wrappers,
            "processes": limits.processes,
            "memory": limits.memory_bytes,
            "folder": os.fspath(spec.sandbox.workspace),
            "folder-bytes": limits.workspace_bytes,
            "nice": 10,  # the guard must get its turn among all of a run's processes
            "rlimit-cpu": math.ceil(spec.timeout_s),
            "rlimit-data": limits.data_bytes,
            "rlimit-fsize": limits.file_bytes,
            "rlimit-nofile": limits.open_files,
            # 0 would not keep the kernel from handing the dump to a program: see core(5).
            "rlimit-core": 1,
        }
        if spec.sandbox.sandbox.cgroup:
            options |= {"cgroup": spec.sandbox.sandbox.cgroup, "tasks": limits.tasks}
    return options


def inside(
    box: SandboxSpec, argv: tuple[str, ...], stack: contextlib.ExitStack
) -> tuple[list[str], list[int], Gate]:
    """The command line in the sandbox, the descriptors it inherits, and the gate at which it waits.

    Raises:
        AskHumanError: It may not be started, or would show something else than was approved.
    """
    if not os.access(argv[0], os.X_OK):
        raise not_started(errno.EACCES if Path(argv[0]).exists() else errno.ENOENT, argv[0])
    check_paths(box)
    stack.callback(remove_unused, make_missing(box))
    program = program_of(box, argv[0])
    mounts = hold_mounts(box, program)
    stack.callback(mounts.close)
    gate = Gate(stack, box.sandbox.filter(box), mounts)
    files = {place: filled_pipe(stack, text)[0] for place, text in box.sandbox.files(box).items()}
    inherited = Inherited(files, gate.filter, gate.status)
    command = box.sandbox.command((program.path, *argv[1:]), box, mounts=mounts, inherited=inherited)
    return command, [*files.values(), gate.filter, gate.status], gate
