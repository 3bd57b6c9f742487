"""Places that may hold secrets: known by their path, and asked about whatever was granted."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path, PurePosixPath

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.clock import SystemClock
from partner_desktop.base.errors import UsageError
from partner_desktop.base.paths import Home
from partner_desktop.domain.events import AbilitiesEvent
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.meta_action import Route
from partner_desktop.domain.run_facts import Isolation, PathUse, Risk
from partner_desktop.permission.audit import AuditLog
from partner_desktop.permission.engine import PermissionEngine
from partner_desktop.permission.grants import GrantStore
from partner_desktop.permission.request import ApprovalMode, Outcome, PermissionRequest
from partner_desktop.permission.sensitive_paths import (
    executed_below,
    is_executed,
    is_sensitive_place,
    never_below,
    never_mounted,
)
from partner_desktop.storage.database import Database
from tests.support import UPPER_SCRIPT, Watcher
from tests.tables import all_rows

KEY = PathUse(param="file", path="/home/user/.ssh/id_ed25519", access="read")

READ = PermissionRequest(
    action_id="a1",
    action_key="builtin::files::read",
    route=Route.BUILTIN,
    content_hash="hash-1",
    params={"file": KEY.path},
    risk=Risk.READ,
    isolation=Isolation(sandboxed=False, net=False, summary="built in · only looks"),
    paths=(KEY,),
)


@pytest.fixture
async def engine(home: Home) -> AsyncIterator[PermissionEngine]:
    home.prepare()
    database = Database(home.database, backups=home.backups, clock=SystemClock())
    await database.launch()
    audit = AuditLog(database, clock=SystemClock())
    yield PermissionEngine(GrantStore(database, clock=SystemClock()), audit, home=home)
    await database.shutdown()


@all_rows(
    "path",
    [
        "/home/user/.ssh",
        "/home/user/.ssh/config",
        "/media/backup/home/user/.SSH/known_hosts",
        "/home/user/.gnupg/pubring.kbx",
        "/home/user/.local/share/keyrings/login.keyring",
        "/home/user/.mozilla/firefox/x.default/logins.json",
        "/home/user/.config/google-chrome/Default/Cookies",
        "/Users/ada/Library/Keychains/login.keychain-db",
        "/Users/ada/Library/Application Support/Google/Chrome/Default/Cookies",
        "/home/user/project/.env",
        "/home/user/project/.env.production",
        "/home/user/.netrc",
        "/home/user/.bash_history",
        "/home/user/.aws/credentials",
        "/home/user/work/server.pem",
        "/home/user/passwords.kdbx",
        "/home/user/.config/git/credentials",
        "/home/user/.config/Claude/claude_desktop_config.json",
        "/home/user/.claude.json",
        "/home/user/Maildir/cur/1",
        "/home/user/.config/Signal/config.json",
        "/var/home/user/.config/Signal/config.json",
        "/home/user/project/secrets.yaml",
        "/home/user/work/service-account.json",
        "/var/mail/ada",
        "/run/secrets/token",
        "/etc/shadow",
        "/proc/self/environ",
        "/home/user/.zhistory",
        "/home/user/.Xauthority",
        "/home/user/project/.git/config",
        "/home/user/.kaggle/kaggle.json",
        "/home/user/.config/Code/User/globalStorage/state.vscdb",
        "/home/user/.config/zed/settings.json",
        "/home/user/.smbcredentials",
        "/tmp/krb5cc_1000",
        "/run/user/1000/bus",
    ],
)
def test_a_place_of_secrets_is_known(path: str) -> None:
    assert is_sensitive_place(PurePosixPath(path))


@pytest.mark.parametrize(
    "path",
    [
        "/home/user/notes.txt",
        "/home/user/environment.txt",
        "/home/user/project/.env.example",
        "/home/user/.ssh-notes.md",
        "/home/user/Documents/keyrings.md",
        "/etc/hostname",
        "/home/user/ssh/config",
        "/home/user/.config/editor/settings.json",
    ],
)
def test_an_ordinary_place_is_none(path: str) -> None:
    assert not is_sensitive_place(PurePosixPath(path))


#: Where a file is run without a further act of the person's.
EXECUTED = [
    "~/.bashrc", "~/.profile", "~/.zshenv", "~/.config/fish/config.fish", "~/.config/autostart/x.desktop",
    "~/.config/systemd/user/x.service", "~/.local/share/systemd/user/x.timer", "~/.local/bin/ls", "~/bin/ls",
    "~/.local/share/applications/x.desktop", "~/.config/environment.d/x.conf", "~/.gitconfig",
    "~/.config/git/config", "~/project/.git/hooks/pre-commit", "~/project/.git/config", "~/project/.git",
    "~/bare.git/hooks/update", "~/project/.husky/pre-commit", "~/.ssh/authorized_keys", "~/.ssh/rc",
    "~/.vimrc", "~/.config/nvim/init.lua", "~/.emacs.d/init.el", "~/.tmux.conf", "~/.inputrc", "~/.xprofile",
    "~/.Xresources", "~/project/sitecustomize.py", "~/v/lib/python3/site-packages/a.pth", "~/.npmrc",
    "~/.cargo/config.toml", "~/project/.vscode/tasks.json", "~/Library/LaunchAgents/x.plist",
    "~/.mozilla/native-messaging-hosts/x.json", "~/.config/chromium/Default/NativeMessagingHosts/x.json",
    "~/.config/editor/settings.json", "~/.anything", "~/.anything/at/all", "~/.cache/x", "~/.local/share/x",
    "/home/other/.anything/x", "/root/.anything", "/Users/ada/.anything/x", "~/miniconda3/bin/python",
    "/media/backup/home/user/.mozilla/native-messaging-hosts/x.json", "/media/backup/home/user/.psqlrc",
    "/media/backup/home/user/.config/polybar/config.ini", "/media/backup/home/user/.rustup/toolchains/x",
    "/media/backup/home/user/.local/share/kwin/scripts/x", "~/project/.hg/hgrc", "~/project/.lefthook.yml",
    "~/project/.windsurf/mcp.json", "/media/backup/home/user/.config/mise/config.toml",
    "/home/other/.bashrc", "/home/other/bin/ls", "/media/backup/home/user/.BASHRC", "/etc/cron.d/x",
    "/var/spool/cron/crontabs/user", "/usr/local/bin/ls", "/root/.profile", "/Users/ada/.zshrc",
]  # fmt: skip
NOT_EXECUTED = [
    "~/notes.txt", "~/project/Makefile", "~/project/bin/tool", "~/project/hooks/pre-commit", "~/bashrc",
    "~/Documents/model.pth", "~/project/.gitignore", "~/project/config", "~/project/.anything/x",
    "/srv/.anything",
]  # fmt: skip


def script_that_writes(path: str, user_home: Path, *, param: str = "file") -> PermissionRequest:
    where = str(Path(path.replace("~", str(user_home), 1)))
    return replace(
        READ,
        action_key="local::note",
        route=Route.MCP,
        isolation=Isolation(sandboxed=True, net=False, summary="sandboxed · no network"),
        risk=Risk.WRITE,
        paths=(PathUse(param, where, "write"),),
    )


async def granted(engine: PermissionEngine, request: PermissionRequest, user_home: Path) -> PermissionEngine:
    """With an everlasting yes to all that can be granted of it, as from the card of another call."""
    other = replace(request, paths=tuple(replace(use, path=str(user_home / "x")) for use in request.paths))
    if all(use.param for use in request.paths):
        await engine.approve(other, scope="everywhere")
    return engine


@pytest.mark.promise("actions.grant.places")
@pytest.mark.parametrize("path", EXECUTED)
async def test_a_write_to_where_programs_are_started_from_asks_each_time_whatever_was_said(
    engine: PermissionEngine, user_home: Path, path: str
) -> None:
    request = script_that_writes(path, user_home)
    await granted(engine, request, user_home)
    said = "it writes where programs are started from"
    for param in ("file", ""):
        for route in (Route.MCP, Route.ORIGIN, Route.BUILTIN):
            one = replace(
                request, route=route, paths=tuple(replace(use, param=param) for use in request.paths)
            )
            assert (await engine.decide(one, standing=ApprovalMode.ASK)).outcome is Outcome.ASK
            for standing in (ApprovalMode.ALL, ApprovalMode.GRANTED):
                refused = await engine.decide(one, standing=standing)
                assert (refused.outcome, said in refused.reason) == (Outcome.DENY, True), refused.reason
            for scope in ("conversation", "always", "everywhere"):
                with pytest.raises(UsageError, match=said):
                    await engine.approve(one, scope=scope)
    read = replace(request, paths=(replace(request.paths[0], access="read"),))
    if not is_sensitive_place(Path(read.paths[0].path)):
        assert (await engine.decide(read, standing=ApprovalMode.ASK)).outcome is Outcome.ALLOW


@pytest.mark.parametrize("path", NOT_EXECUTED)
async def test_a_write_elsewhere_is_covered_by_what_was_said(
    engine: PermissionEngine, user_home: Path, path: str
) -> None:
    request = script_that_writes(path, user_home)
    await granted(engine, request, user_home)
    assert (await engine.decide(request, standing=ApprovalMode.ASK)).outcome is Outcome.ALLOW


@pytest.mark.promise("actions.grant.places")
@pytest.mark.parametrize(
    "folder",
    [
        "~",
        "~/.config",
        "~/.local",
        "~/.local/share",
        "~/Library",
        "/etc",
        "/var",
        "/home",
        "/var/home",
        "/Users",
    ],
)
async def test_a_folder_in_which_programs_are_started_is_not_given_to_write_to_by_an_old_yes(
    engine: PermissionEngine, user_home: Path, folder: str
) -> None:
    request = script_that_writes(folder, user_home)
    await granted(engine, request, user_home)
    assert (await engine.decide(request, standing=ApprovalMode.ASK)).outcome is Outcome.ASK
    project = script_that_writes("~/project", user_home)
    assert (await engine.decide(project, standing=ApprovalMode.ASK)).outcome is Outcome.ALLOW


async def test_a_folder_of_the_settings_that_the_environment_has_moved_counts_where_it_is(
    user_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    moved = user_home / "settings"
    use = PathUse("file", str(moved / "autostart" / "x.desktop"), "write")
    assert not is_executed(use, whole=True)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(moved))
    assert is_executed(use, whole=True)


def test_where_programs_are_started_from_is_found_in_a_folder(tmp_path: Path) -> None:
    project = tmp_path / "project"
    found = [".git/hooks", "sub/.git", "sub/deep/.husky", "sub/deep/.vscode", "v/site-packages"]
    for name in (*found, "plain/hooks"):
        (project / name).mkdir(parents=True)
    (project / "v" / "site-packages" / "a.pth").write_text("", encoding="utf-8")
    (project / "worktree").mkdir()
    (project / "worktree" / ".git").write_text("gitdir: elsewhere", encoding="utf-8")
    (project / "linked").symlink_to(tmp_path)
    (project / "plain" / ".bashrc").symlink_to(project / "plain" / "rc")
    wanted = [
        ".git", "sub/.git", "sub/deep/.husky", "sub/deep/.vscode", "v/site-packages/a.pth", "worktree/.git",
    ]  # fmt: skip
    assert executed_below(project) == [project / name for name in wanted]
    assert executed_below(project / ".git" / "hooks") == [project / ".git" / "hooks"]
    assert executed_below(project / "plain") == []


@pytest.mark.promise("actions.grant.places")
def test_the_stores_and_hooks_that_lie_elsewhere_in_the_folder_are_found_too(tmp_path: Path) -> None:
    project, outside = tmp_path / "project", tmp_path / "outside"
    texts = {
        "store/HEAD": "ref: x", "store/config": "[core]\n\tworktree = ../apart\n\thooksPath = checks\n",
        "apart/.git": "gitdir: ../store\n", "apart/checks/pre-commit": "", "apart/plain/x": "",
        "linked/plain": "", "kept/HEAD": "ref: x", "kept/hooks/pre-commit": "",
        "usual/.git/HEAD": "ref: x", "usual/.git/config": "[include]\npath = ../more\n[x]\npath = ../../..\n",
        "usual/more": "[core]\n", "usual/scripts/check": "", "usual/src/x": "",
        "tree/.git": f"gitdir: {outside}/store/worktrees/tree", "tree/hooked/x": "",
        "open/.git": "gitdir: gone", "tool/tasks.json": "",
    }  # fmt: skip
    theirs = {
        "store/HEAD": "ref: x", "store/config": "[core]\n\thookspath = hooked\n",
        "store/worktrees/tree/HEAD": "ref: x",
        "store/worktrees/tree/commondir": "../..\n", "store/worktrees/tree/gitdir": f"{project}/tree/.git\n",
        "store/worktrees/tree/config.worktree": '[core]\n\thooksPath = "hooked" \n',
    }  # fmt: skip
    for folder, files in ((project, texts), (outside, theirs)):
        for name, text in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text, encoding="utf-8")
    (project / "usual" / ".git" / "hooks").mkdir()
    links = [
        ("linked/.git", "../kept"), ("usual/.git/hooks/pre-commit", "../../scripts/check"),
        (".vscode", "tool"), (".husky", "../outside"), (".idea", "."), (".lefthook.yml", ".lefthook.yml"),
    ]  # fmt: skip
    for link, to in links:
        (project / link).symlink_to(to)
    wanted = [
        "apart/.git", "apart/checks", "kept", "open/.git", "store", "tool", "tree/.git", "tree/hooked",
        "usual/.git", "usual/more", "usual/scripts/check",
    ]  # fmt: skip
    assert [str(place.relative_to(project)) for place in executed_below(project)] == wanted


@pytest.mark.promise("actions.grant.places")
async def test_settings_that_are_kept_elsewhere_and_linked_to_count_where_they_lie(
    partner: Partner, watcher: Watcher, action_dir: Path, user_home: Path
) -> None:
    kept = user_home / "settings"
    for name in ("config/autostart", "aws", "plain"):
        (kept / name).mkdir(parents=True)
    for name in ("bashrc", "plain/rc"):
        (kept / name).write_text("", encoding="utf-8")
    for link, to in ((".bashrc", "bashrc"), (".config", "config"), (".aws", "aws")):
        (user_home / link).symlink_to(kept / to)
    script = action_dir / "dynamic" / "upper.py"
    script.write_text(
        UPPER_SCRIPT.replace('"string"', '"string"\n# format = "path"\n# access = "write"'), encoding="utf-8"
    )
    await watcher.until(lambda event: isinstance(event, AbilitiesEvent))
    asked = [".bashrc", "settings/bashrc", "settings/config/autostart/x", "settings/aws/credentials"]
    for name in (*asked, "settings/plain/rc"):
        given: JsonObject = {"text": str(user_home / name)}
        await partner.abilities.run("local::upper", given, cwd="", standing=ApprovalMode.ASK, exchange_id="")
        card = (await partner.actions.list())[0]
        assert card.grantable is (name not in asked), name
        await partner.actions.reject(card.id)
    assert executed_below(kept) == [kept / name for name in ("aws", "bashrc", "config")]
    assert executed_below(kept / "config" / "autostart") == [kept / "config" / "autostart"]


@pytest.mark.parametrize(
    ("path", "never"),
    [
        ("/run/user/1000/bus", True),
        ("/run", True),
        ("/var/run/docker.sock", True),
        ("/tmp/.X11-unix/X0", True),
        ("/tmp/ssh-abcd/agent.1", True),
        ("/dev/sda", True),
        ("/run/media/ada/STICK", False),
        ("/tmp/notes", False),
        ("/srv/run", False),
    ],
)
@pytest.mark.promise("actions.grant.places")
async def test_where_programs_listen_is_given_to_no_ability(
    engine: PermissionEngine, path: str, *, never: bool
) -> None:
    assert never_mounted(PurePosixPath(path)) is never
    assert Path("/dev") in never_below(Path("/"))
    use = PathUse("file", path, "read")
    script = replace(READ, action_key="local::note", route=Route.MCP, paths=(use,))
    assert ((await engine.approve(script, scope="once")).outcome is Outcome.DENY) is never
    assert (await engine.approve(replace(READ, paths=(use,)), scope="once")).outcome is Outcome.ALLOW


@pytest.mark.parametrize("folder", ["/home/other", "/Users/other", "/root", "/home"])
async def test_another_persons_home_is_asked_about(engine: PermissionEngine, folder: str) -> None:
    script = replace(READ, action_key="local::count", route=Route.MCP)
    await engine.approve(replace(script, paths=(replace(KEY, path="/srv/notes"),)), scope="everywhere")
    given = replace(script, paths=(PathUse("folder", folder, "read"),))
    assert (await engine.decide(given, standing=ApprovalMode.ASK)).outcome is Outcome.ASK


async def test_a_read_of_secrets_asks_though_it_only_reads(engine: PermissionEngine) -> None:
    assert (await engine.decide(READ, standing=ApprovalMode.ASK)).outcome is Outcome.ASK
    harmless = replace(READ, paths=(replace(KEY, path="/home/user/notes.txt"),))
    assert (await engine.decide(harmless, standing=ApprovalMode.ASK)).outcome is Outcome.ALLOW


async def test_what_only_reads_but_reaches_beyond_files_asks(engine: PermissionEngine) -> None:
    request = replace(READ, paths=(), outward=True)
    assert (await engine.decide(request, standing=ApprovalMode.ASK)).outcome is Outcome.ASK


async def test_a_grant_for_good_does_not_cover_secrets(engine: PermissionEngine) -> None:
    script = replace(READ, action_key="local::count", route=Route.MCP, paths=())
    await engine.approve(script, scope="everywhere")
    assert (await engine.decide(script, standing=ApprovalMode.ASK)).outcome is Outcome.ALLOW
    assert (await engine.decide(replace(script, paths=(KEY,)), standing=ApprovalMode.ASK)).outcome is (
        Outcome.ASK
    )


@pytest.mark.parametrize("folder", ["", ".config", ".local/share", "..", "../.."])
async def test_a_folder_that_is_given_whole_is_asked_about_where_secrets_lie_in_it(
    engine: PermissionEngine, user_home: Path, folder: str
) -> None:
    place = PathUse("folder", str((user_home / folder).resolve()), "read")
    script = replace(READ, action_key="local::count", route=Route.MCP, paths=())
    notes = PathUse("folder", str(user_home / "notes"), "read")
    await engine.approve(replace(script, paths=(notes,)), scope="everywhere")
    asked = await engine.decide(replace(script, paths=(place,)), standing=ApprovalMode.ASK)
    assert asked.outcome is Outcome.ASK
    allowed = await engine.decide(replace(script, paths=(notes,)), standing=ApprovalMode.ASK)
    assert allowed.outcome is Outcome.ALLOW
    looked_at = await engine.decide(replace(READ, paths=(place,)), standing=ApprovalMode.ASK)
    assert looked_at.outcome is Outcome.ALLOW, "what is built in leaves the secrets in it alone"


async def test_what_a_script_declares_for_every_run_is_covered_by_its_grant(
    engine: PermissionEngine,
) -> None:
    script = replace(READ, action_key="local::count", route=Route.MCP, paths=(replace(KEY, param=""),))
    await engine.approve(script, scope="always")
    assert (await engine.decide(script, standing=ApprovalMode.ASK)).outcome is Outcome.ALLOW


async def test_a_program_is_refused_and_told_why(engine: PermissionEngine) -> None:
    decision = await engine.decide(READ, standing=ApprovalMode.GRANTED)
    assert decision.outcome is Outcome.DENY
    assert "/home/user/.ssh/id_ed25519 may hold secrets" in decision.reason


def test_settings_that_the_environment_moved_are_found_where_they_are(
    user_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (user_home / "settings" / "shell").mkdir(parents=True)
    (user_home / "papers").mkdir()
    monkeypatch.setenv("XDG_CONFIG_HOME", str(user_home / "settings"))
    assert executed_below(user_home) == [user_home / "settings"]
