# ruff: noqa: E501
# (a table: one attempt a line)
"""Ways that begin outside of the sandbox: in what is found, mounted and started on a script's behalf."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

from partner_desktop.domain.run_facts import PathUse
from partner_desktop.runner.mounts import seen_of
from tests.long.escapes.attempt import Around, Attempt, Evidence, leaks, reaches, says
from tests.long.escapes.world import World

_OUTSIDE = "it begins outside of the sandbox, which is what it is about"


def _tool(place: Path) -> Path:
    """A program that does what it is told, and could be anything."""
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text('#!/bin/sh\nexec "$@"\n')
    place.chmod(0o755)
    return place


def _binary(place: Path) -> Path:
    """A program of the system under another name: `env`, which starts what comes after it."""
    place.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(Path(shutil.which("env") or "/usr/bin/env").resolve(), place)
    return place


def _started_by(world: World, program: str | Path) -> Around:
    """Told to read whatever can be found, and to say that it ran at all."""
    places = {path.parent for path in world.canaries.values()} | {
        world.home,
        world.folder / "tools",
        _mine(world),
    }
    find = f"find -L {' '.join(map(str, places))} $PWD -type f -exec head -c 4096 {{}} +"
    return Around(launcher=(str(program), "/bin/sh", "-c", f"echo {world.mark}:ran; {find}; :"))


def _mine(world: World) -> Path:
    return world.folder / "action" / "dynamic" / "mine"


def _hidden_launcher(folder: str, leads_to: str) -> Callable[[World], Around]:
    """A launcher in a folder of the ability that no hash knows, with a link beside it."""

    def around(world: World) -> Around:
        prefix = _mine(world) / folder
        _tool(prefix / "bin" / "python3")
        (prefix / "share").symlink_to(world.home if leads_to == "home" else world.partner.root)
        return _started_by(world, f"./{folder}/bin/python3")

    return around


def _prefix(*, link: str, name: str = "python3") -> Callable[[World], Around]:
    """A launcher elsewhere, with a part of its prefix that leads to what is nobody's business."""

    def around(world: World) -> Around:
        prefix = world.folder / "tools"
        program = _binary(prefix / "bin" / name)
        (prefix / link).symlink_to(world.home)
        return _started_by(world, program)

    return around


def _launcher_in(*places: str) -> Callable[[World], Around]:
    return lambda world: _started_by(world, _tool(world.folder.joinpath(*places)))


def _linked_launcher(world: World) -> Around:
    (_mine(world) / "tool").symlink_to(_tool(world.folder / "elsewhere" / "tool"))
    return _started_by(world, "./tool")


def _swapped_launcher(world: World) -> Around:
    """Another program after the yes."""
    program = _tool(world.folder / "tools" / "tool")
    evil = f"printf '#!/bin/sh\\necho {world.mark}:another\\n' > {program}"
    return Around(launcher=(str(program),), before=evil)


def _swapped_own_launcher(world: World) -> Around:
    program = _tool(_mine(world) / "tool")
    evil = f"printf '#!/bin/sh\\necho {world.mark}:another\\n' > {program}"
    return Around(launcher=("./tool",), before=evil)


def _library(needed: Callable[[World], Path]) -> Callable[[World], Around]:
    """A launcher whose search path for libraries names a file that is none."""

    def around(world: World) -> Around:
        secret = needed(world)
        program = world.folder / "tools" / "program"
        program.parent.mkdir()
        stub = world.folder / "stub.so"
        _compile(world, "", ["-shared", "-nostdlib", f"-Wl,-soname,{secret.name}", "-o", str(stub)])
        _compile(
            world,
            _START,
            ["-o", str(program), "-Wl,--no-as-needed", str(stub), f"-Wl,-rpath,{secret.parent}"],
        )
        return _started_by(world, program)

    return around


def _audited(world: World) -> Around:
    """A launcher that the loader runs code for as soon as somebody asks which libraries it needs."""
    folder = world.folder / "tools"
    folder.mkdir()
    code = "#include <stdlib.h>\n__attribute__((constructor)) static void go(void) "
    code += f'{{ system("echo out > {world.outside}/audited"); }}\nunsigned la_version(unsigned v) {{ return v; }}'
    _compile(world, code, ["-shared", "-fPIC", "-o", str(folder / "audit.so")])
    _compile(world, _START, ["-o", str(folder / "program"), f"-Wl,--audit={folder / 'audit.so'}"])
    return _started_by(world, folder / "program")


_START = "int execv(const char*, char*const*); int main(int n, char** a) { return execv(a[1], a + 1); }"


def _compile(world: World, code: str, options: list[str]) -> None:
    source = world.folder / "source.c"
    source.write_text(code or "int stub;")
    subprocess.run(["gcc", "-x", "c", str(source), "-x", "none", *options], check=True, capture_output=True)


def _use(path: Path, access: str = "read") -> PathUse:
    return PathUse("", str(path), access, seen=seen_of(str(path)))


def _swap(kind: str, access: str = "read") -> Callable[[World], Around]:
    """An approved folder becomes something else between the last look and the mount."""

    def around(world: World) -> Around:
        out = world.outside / "project" / "out"
        out.mkdir(parents=True)
        (out / "notes.txt").write_text("nothing")
        gone, ssh = f"mv {out} {out}.old", world.canaries["ssh"]
        what = {
            "home": f"{gone}; ln -s {world.home} {out}",
            "partner": f"{gone}; ln -s {world.partner.root} {out}",
            "folder": f"{gone}; mv {ssh.parent} {out}",
            "parent": f"mv {out.parent} {out.parent}.old; mkdir {out.parent}; ln -s {ssh.parent} {out}",
            "parent-link": f"mv {out.parent} {out.parent}.old; ln -s {world.home} {out.parent}; mv {ssh.parent} {world.home}/out",
            "file-link": f"rm {out}/notes.txt; ln -s {ssh} {out}/notes.txt",
            "file-hardlink": f"rm {out}/notes.txt; ln {ssh} {out}/notes.txt",
            "workspace": f"for w in {world.partner.runs}/*/workspace; do rmdir $w; ln -s {world.home} $w; done",
            "snapshot": f"for s in {world.partner.root}/cache/abilities/*; do mv $s {world.folder}/gone; ln -s {ssh.parent} $s; done",
        }[kind]
        shown = out / "notes.txt" if kind.startswith("file") else out
        return Around(uses=(_use(shown, access),), swap=what)

    return around


def _since(kind: str) -> Callable[[World], Around]:
    """The same between the card and the yes."""

    def around(world: World) -> Around:
        inner = _swap(kind)(world)
        return Around(uses=inner.uses, before=inner.swap)

    return around


def _asks_for(path: Callable[[World], str], access: str = "read") -> Callable[[World], Around]:
    return lambda world: Around(uses=(PathUse("", path(world), access),))


def _near_sockets(*, access: str = "read", net: bool = False) -> Callable[[World], Around]:
    """The folder with the sockets is approved."""
    return lambda world: Around(uses=(_use(world.folder / "sockets", access),), net=net)


_FIND = """for top in (W["home"], W["outside"], os.getcwd(), os.path.dirname(os.path.abspath(sys.argv[0])), W["files"]["database"].rpartition("/")[0]):
    for place, _, names in os.walk(top, followlinks=True):
        for name in names:
            try:
                print(open(os.path.join(place, name), errors="replace").read(4096))
            except OSError:
                pass"""


def _any_secret(seen: Evidence) -> bool:
    names = ("diary", "ssh", "cookies", "database", "config", "run")
    return any(seen.leaked(name) for name in names)


def _moved_key_is_gone(seen: Evidence) -> bool:
    return (seen.world.outside / "project" / "out" / "id_ed25519").read_text() != seen.world.secret("ssh")


def _audit_ran(seen: Evidence) -> bool:
    return (seen.world.outside / "audited").exists()


def _way(
    name: str,
    tried: str,
    around: Callable[[World], Around],
    escaped: Callable[[Evidence], bool] = _any_secret,
    code: str = _FIND,
    *,
    suite: bool = False,
) -> Attempt:
    return Attempt(name, tried, code, escaped, no_control=_OUTSIDE, alone=True, around=around, suite=suite)


_SPEAK = 'with socket.socket(socket.AF_UNIX) as s:\n    s.connect(W["sockets"]["near"])'
_INHERITED = 'for fd in os.listdir("/proc/self/fd"):\n    place = f"/proc/self/fd/{fd}"\n    if os.path.isdir(place) and not os.readlink(place).startswith("/proc/"):\n        got("fd")'

AROUND = (
    _way("launcher-pycache", "a launcher in __pycache__, with Partner's home as its share", _hidden_launcher("__pycache__", "partner"), suite=True),
    _way("launcher-git", "the same in .git, with the person's home", _hidden_launcher(".git", "home")),
    _way("launcher-hidden", "the same in a hidden folder", _hidden_launcher(".tools", "home")),
    _way("launcher-link", "a launcher that is a link", _linked_launcher, says("ran"), 'got("ran")'),
    *(_way(f"launcher-prefix-{part}", f"a launcher whose {part} is the home", _prefix(link=part)) for part in ("lib", "lib64", "libexec", "share")),
    _way("launcher-prefix-node", "the same, called node", _prefix(link="lib", name="node")),
    _way("launcher-downloads", "a launcher among the downloads", _launcher_in("ann", "Downloads", "tool"), says("ran"), 'got("ran")'),
    _way("launcher-live", "a launcher beside the abilities", _launcher_in("action", "tmp", "tool"), says("ran"), 'got("ran")'),
    _way("launcher-partner", "a launcher in Partner's own home", _launcher_in("partner", "tools", "tool"), says("ran"), 'got("ran")'),
    _way("launcher-swapped", "another launcher after the yes", _swapped_launcher, says("another"), "pass", suite=True),
    _way("launcher-own-swapped", "another launcher in the ability after the yes", _swapped_own_launcher, says("another"), "pass"),
    _way("library-key", "a key as a library of the launcher", _library(lambda world: world.canaries["ssh"])),
    _way("library-database", "Partner's database as a library", _library(lambda world: world.canaries["database"])),
    _way("loader-audit", "code that runs when the launcher's libraries are looked for", _audited, _audit_ran, "pass"),
    *(_way(f"swap-{kind}", f"between look and mount: {kind}", _swap(kind), suite=kind == "folder") for kind in ("home", "partner", "folder", "parent", "parent-link", "file-link", "file-hardlink", "workspace", "snapshot")),
    _way("swap-write", "the same, to write", _swap("folder", "write"), _moved_key_is_gone, 'import glob\nfor place in glob.glob(W["outside"] + "/project/out/*"):\n    open(place, "w").write("gone")'),
    *(_way(f"since-{kind}", f"between card and yes: {kind}", _since(kind)) for kind in ("home", "folder", "parent", "file-link")),
    _way("ask-link", "a path behind a link", _asks_for(lambda world: str(_linked(world)))),
    _way("ask-dots", "a path with steps up", _asks_for(lambda world: f"{world.outside}/../ann/.ssh")),
    _way("ask-proc", "a path through the kernel's folders", _asks_for(lambda world: f"/proc/self/root{world.home}")),
    _way("ask-partner", "Partner's own folder", _asks_for(lambda world: str(world.partner.root))),
    _way("ask-above-partner", "a folder above Partner's own", _asks_for(lambda world: str(world.folder)), leaks("database")),
    _way("ask-run", "the folder of the session's sockets", _asks_for(lambda world: "/run"), says("listed"), 'os.listdir("/run"); got("listed")'),
    _way("socket-near", "a socket in an approved folder", _near_sockets(), reaches("near"), _SPEAK, suite=True),
    _way("socket-near-write", "the same, to write", _near_sockets(access="write"), reaches("near"), _SPEAK),
    _way("socket-near-net", "the same, with the network", _near_sockets(net=True), reaches("near"), _SPEAK),
    _way("descriptor-of-a-mount", "a descriptor of what was mounted", _near_sockets(), says("fd"), _INHERITED),
)  # fmt: skip


def _linked(world: World) -> Path:
    link = world.outside / "link"
    link.symlink_to(world.home / ".ssh")
    return link
