"""Sensitive places: where keys, passwords and private records lie. A read there is asked about, each time.

Facts only: the resolved path is compared with a list, its contents are not looked at. A place counts wherever
it lies, so that a backup of a home and another user's home are no way around it. Matching ignores case, as
some file systems do.
"""

from __future__ import annotations

from fnmatch import fnmatchcase
from pathlib import Path, PurePath

from partner_desktop.domain.action import PathUse

#: Folders and files by the end of their path; everything in them counts too.
_PLACES = (
    # keys, and what signs one in
    ".ssh", ".gnupg", ".pki", ".password-store", ".aws", ".azure", ".kube", ".oci", ".docker/config.json",
    ".config/gcloud", ".config/gh", ".config/hub", ".config/rclone", ".config/op", ".config/doctl",
    ".netrc", ".git-credentials", ".pgpass", ".my.cnf", ".npmrc", ".pypirc", ".vault-token",
    ".cargo/credentials", ".cargo/credentials.toml", ".config/containers/auth.json",
    ".config/git/credentials", ".authinfo", ".authinfo.gpg", ".s3cfg", ".boto", ".terraform.d",
    ".gem/credentials", ".m2/settings.xml", ".gradle/gradle.properties", ".yarnrc.yml",
    ".composer/auth.json", ".config/composer/auth.json", ".subversion/auth", ".config/sops",
    ".config/age", ".vnc", ".config/remmina", ".local/share/remmina",
    ".config/filezilla", ".huggingface/token", ".cache/huggingface/token", ".bitcoin", ".electrum",
    # other assistants: their sign-ins, and servers' tokens in plain text
    ".config/Claude", "Application Support/Claude", ".claude.json", ".claude/.credentials.json",
    ".codex/auth.json", ".cursor/mcp.json", ".config/github-copilot", ".gemini/oauth_creds.json",
    # keyrings
    ".local/share/keyrings", ".local/share/kwalletd", ".kde/share/apps/kwallet", ".config/keepassxc",
    ".config/Bitwarden", ".config/1Password", "Library/Keychains", "Microsoft/Credentials",
    "Microsoft/Protect", "Microsoft/Vault",
    # profiles of browsers, mail and messengers
    ".mozilla", ".thunderbird", ".config/google-chrome", ".config/chromium", ".config/microsoft-edge",
    ".config/BraveSoftware", ".config/opera", ".config/vivaldi", ".config/qutebrowser",
    ".local/share/qutebrowser", ".local/share/evolution", "snap/firefox", "snap/chromium",
    ".var/app/org.mozilla.firefox", ".var/app/org.chromium.Chromium", ".var/app/com.google.Chrome",
    "Application Support/Firefox", "Application Support/Google/Chrome", "Application Support/Chromium",
    "Library/Safari", "Library/Cookies", "Library/Mail", "Library/Messages", "Mozilla/Firefox",
    "Google/Chrome/User Data", "Microsoft/Edge/User Data", "Maildir", ".msmtprc", ".mbsyncrc",
    ".offlineimaprc", ".fetchmailrc", ".config/evolution", ".config/Signal", ".config/Slack",
    ".config/discord", ".config/Element", ".local/share/TelegramDesktop", ".purple",
    # what was typed
    ".bash_history", ".zsh_history", ".python_history", ".psql_history", ".mysql_history",
    ".local/share/fish/fish_history", ".node_repl_history", ".sqlite_history", ".rediscli_history",
    ".irb_history", ".viminfo",
)  # fmt: skip
#: Names that tell secrets wherever they lie, and those of them that are only examples.
_NAMES = (
    ".env", ".env.*", "*.env", "id_rsa*", "id_dsa*", "id_ecdsa*", "id_ed25519*", "*.pem", "*.key", "*.ppk",
    "*.p12", "*.pfx", "*.jks", "*.keystore", "*.kdbx", "*.keychain-db", ".htpasswd", "credentials.json",
    ".envrc", "secrets.json", "secrets.toml", "secrets.y*ml", "client_secret*.json", "service?account*.json",
    "*.p8", "*.ovpn", "wallet.dat",
)  # fmt: skip
_EXAMPLES = ("*.example", "*.sample", "*.template", "*.dist", "*.pub")
#: The system's own: accounts, and what running programs hold.
_SYSTEM = (
    "/etc/shadow", "/etc/shadow-", "/etc/gshadow", "/etc/sudoers", "/etc/ssl/private", "/proc",
    "/run/secrets", "/var/mail", "/var/spool/mail", "/etc/NetworkManager/system-connections",
    "/etc/wireguard",
)  # fmt: skip

_RUNS = tuple(tuple(place.casefold().split("/")) for place in _PLACES)


def is_sensitive(use: PathUse, *, whole: bool) -> bool:
    """Whether a path that was chosen for this run may hold secrets.

    `whole`: it is given with everything in it, so that a folder above such a place counts, too. What a script
    declares for every run is no choice: the card showed it, and a grant is bound to it.
    """
    if not use.param:
        return False
    path = Path(use.path)
    return is_sensitive_place(path) or (whole and lies_above(path))


def is_sensitive_place(path: PurePath) -> bool:
    """Whether a resolved path is one of the places, or lies in one."""
    if any(path.is_relative_to(place) for place in _SYSTEM):
        return True
    parts = [part.casefold() for part in path.parts]
    if any(_contains(parts, run) for run in _RUNS):
        return True
    return any(_tells(part) for part in parts)


def lies_above(path: PurePath) -> bool:
    """Whether such places lie in a resolved folder as a rule: a home, `~/.config`, `/etc`."""
    home = Path.home()
    if home.is_relative_to(path) or any(PurePath(place).is_relative_to(path) for place in _SYSTEM):
        return True
    if not path.is_relative_to(home):
        return str(path) == "/root" or str(path.parent) in ("/home", "/Users")  # another user's home
    below = tuple(part.casefold() for part in path.relative_to(home).parts)
    return any(run[: len(below)] == below for run in _RUNS)


def _contains(parts: list[str], run: tuple[str, ...]) -> bool:
    length = len(run)
    return any(tuple(parts[at : at + length]) == run for at in range(len(parts) - length + 1))


def _tells(name: str) -> bool:
    if any(fnmatchcase(name, example) for example in _EXAMPLES):
        return False
    return any(fnmatchcase(name, pattern) for pattern in _NAMES)
