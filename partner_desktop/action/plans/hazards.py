"""What makes a command line worth a closer look: a shell that reads it, code in it, administrator's rights.

Commands run without a shell: what stands in an argument is never read as a command. Where the argument list
itself names a shell with `-c` (or a program that runs one), that is no longer so, and the card says it. A
hazard decides nothing: no command line runs without the person's own yes, with one or without. It is read
from the argument list alone, by well-known names; a program that is called otherwise is the person's to know.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from partner_desktop.base.patterns import late
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.meta_action import MetaActionInfo, Route
from partner_desktop.domain.run_facts import Hazard, Isolation


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


_ADMINS = _names("sudo doas pkexec su run0 runuser gksudo kdesu kdesudo")
_SHELLS = _names("sh bash zsh fish dash ksh mksh ash rbash csh tcsh nu xonsh cmd powershell pwsh")
#: They take one argument for a shell's line.
_SHELL_INSIDE = frozenset({"watch", "parallel", "script", "ssh", "eval"})
#: They run the program that follows among their arguments.
_CARRIERS = _names(
    """
    env nohup nice ionice chrt taskset timeout setsid stdbuf unbuffer xargs find fd time busybox toybox flock
    chroot unshare nsenter setarch strace ltrace gdb systemd-run dbus-run-session xvfb-run script sem
    torsocks proxychains firejail bwrap docker podman flatpak-spawn toolbox distrobox
    """
)
#: They run what their arguments name: from the net, at another time, at the next login.
_STARTERS = _names("npx pnpx bunx uvx crontab at batch systemctl launchctl")
_SPLIT = late(r"-[a-zA-Z]*S.*|--split-string(?:=.*)?", re.DOTALL)
_AWK = late(r".*(?:system\s*\(|\||getline).*", re.DOTALL)
#: The code may follow in the same argument: `python3 -cpass`, `node --eval=1`.
_CODE_OPTIONS = {
    "python": late(r"-[bBdEhiIOPqsSuvVx]*c.*", re.DOTALL),
    "pypy": late(r"-[bBdEhiIOPqsSuvVx]*c.*", re.DOTALL),
    "perl": late(r"-[acfilnpstTuUvwWX\d]*[eE].*", re.DOTALL),
    "ruby": late(r"-[aclnpsSvwW\d]*e.*", re.DOTALL),
    "node": late(r"-e|-p|-pe|--(?:eval|print)(?:=.*)?", re.DOTALL),
    "nodejs": late(r"-e|-p|-pe|--(?:eval|print)(?:=.*)?", re.DOTALL),
    "deno": late(r"eval"),
    "bun": late(r"-e|-p|--(?:eval|print)(?:=.*)?", re.DOTALL),
    "php": late(r"-[rBRE].*", re.DOTALL),
    "lua": late(r"-e.*", re.DOTALL),
    "Rscript": late(r"-e"),
    "R": late(r"-e.*", re.DOTALL),
    "julia": late(r"-[eE].*|--(?:eval|print)(?:=.*)?", re.DOTALL),
    "awk": _AWK,
    "gawk": _AWK,
    "mawk": _AWK,
    "nawk": _AWK,
    "sed": late(r"(?:.*[\s;{])?[\d$,]*e\b.*|s(.).*\1.*\1\w*e\w*", re.DOTALL),
    "git": late(r"-c.*|--config-env.*|--exec-path=.*", re.DOTALL),
    "tar": late(
        r"-I.*|-F.*|--(?:checkpoint-action|to-command|use-compress-program|info-script|rsh-command).*"
    ),
    "rsync": late(r"-\w*e.*|--(?:rsh|rsync-path).*", re.DOTALL),
    "osascript": late(r"-e.*", re.DOTALL),
}
_SHELL_OPTION = late(r"-[a-zA-Z]*c[a-zA-Z]*|/[ckCK]|-(?i:command|encodedcommand|ec|enc)|--command(?:=.*)?")
_VERSION = late(r"[\d.]+$|\.exe$", re.IGNORECASE)

_SUMMARIES: dict[Hazard, str] = {
    "shell": "a shell command line",
    "code": "runs code from its arguments",
    "admin": "as administrator",
}


def with_hazard(isolation: Isolation, info: MetaActionInfo, params: JsonObject) -> Isolation:
    """What holds a run of these very arguments, with what is to be said of them."""
    argv = params.get("argv")
    if info.route is not Route.BUILTIN or not isinstance(argv, list):
        return isolation
    hazard = hazard_of([str(part) for part in argv])
    if not hazard:
        return isolation
    return replace(isolation, hazard=hazard, summary=f"{_SUMMARIES[hazard]} · {isolation.summary}")


def hazard_of(argv: Sequence[str]) -> Hazard:
    """The gravest that an argument list shows."""
    found: set[Hazard] = set()
    for name, rest in _programs(argv):
        if name in _ADMINS:
            found.add("admin")
        elif name in _SHELL_INSIDE or _is_given_a_line(name, rest):
            found.add("shell")
        elif name in _STARTERS or ((option := _CODE_OPTIONS.get(name)) and any(map(option.fullmatch, rest))):
            found.add("code")
    gravest: tuple[Hazard, ...] = ("admin", "shell", "code")
    return next((hazard for hazard in gravest if hazard in found), "")


def _is_given_a_line(name: str, rest: Sequence[str]) -> bool:
    """Whether one of the options is followed by a line that is split or read as a shell does."""
    option = _SHELL_OPTION if name in _SHELLS else _SPLIT if name == "env" else None
    return option is not None and any(map(option.fullmatch, rest))


def _programs(argv: Sequence[str]) -> Iterator[tuple[str, Sequence[str]]]:
    """The programs that are run, each with what follows it: the first, and those that carriers carry."""
    for index, part in enumerate(argv):
        name = _VERSION.sub("", part.replace("\\", "/").rpartition("/")[2])
        yield name, argv[index + 1 :]
        if index == 0 and name not in _CARRIERS | _ADMINS:
            return
