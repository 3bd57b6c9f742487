"""Ability: an entry in the list of what Partner can do here, live or broken.

AbilityDraft: the part of its description that a person edits, before it is written down. And the languages
that one can be written in, and what people call them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field
from pathlib import Path

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.domain.meta_action import MetaActionInfo, Route


@dataclass(frozen=True)
class AbilityFault:
    """Why a file is not an ability, or not in its latest form."""

    message: str
    path: Path
    line: int | None = None


@dataclass(frozen=True)
class Ability:
    """A usable ability, a broken one, or both: a broken edit with its last good version kept."""

    key: str
    info: MetaActionInfo | None
    fault: AbilityFault | None = None
    hints: tuple[str, ...] = ()
    """Harmless oddities worth telling its author."""
    path: Path | None = None
    """Its file or folder in a live folder; `None` for what is built in."""
    script: Path | None = None
    """The file that runs, where its author edits it: `path` itself, or a file in that folder."""
    off: bool = False
    """Switched off by the person: listed, but neither matched nor run."""

    @property
    def usable(self) -> bool:
        """Whether it can be called now."""
        return self.info is not None and not self.off

    @property
    def temporary(self) -> bool:
        """Whether it leaves the list by itself."""
        return self.info is not None and self.info.route is Route.ORIGIN

    @property
    def in_folder(self) -> bool:
        """Whether it is a folder with a `desc.json` beside its script."""
        return self.script is not None and self.script != self.path


@dataclass(frozen=True)
class AbilityDraft:
    """What stands in the form. Types, annotations and permissions stay as the script's author wrote them."""

    name: str
    """The part of the key after `local::`, and the name of the file or folder."""
    title: str = ""
    """Shown instead of the name; empty: made from the name."""
    description: str = ""
    aliases: tuple[str, ...] = ()
    """Other ways to ask for it."""
    params: Mapping[str, str] = field(default_factory=dict)
    """Parameter → what it means, in the parameters' order."""
    timeout_s: float = 120.0


_MODULE = re.compile(r"^[ \t]*(?:import[ \t]+[\w*{\"']|export[ \t]+\w)", re.MULTILINE)


@dataclass(frozen=True)
class ScriptLanguage:
    """One language."""

    code_type: str
    """What it is called in a call."""
    title: str
    ending: str
    sign: str
    """What begins a line of comment; empty where a file cannot begin with one."""
    also: frozenset[str] = frozenset()
    """Other names, in lower case: those of fences and of programs among them."""

    def ending_for(self, code: str) -> str:
        """The ending of a file that holds `code`."""
        return ".mjs" if self.code_type == "javascript" and _MODULE.search(code) else self.ending


def _language(code_type: str, title: str, ending: str, sign: str, also: str = "") -> ScriptLanguage:
    return ScriptLanguage(code_type, title, ending, sign, frozenset(also.split()))


LANGUAGES = (
    _language("python", "Python", ".py", "#", "py py3 python3 pyw"),
    _language("shell", "shell", ".sh", "#", "sh bash dash posix shellscript shell-script"),
    _language("javascript", "JavaScript", ".js", "//", "js node nodejs node.js mjs cjs ecmascript"),
    _language("zsh", "zsh", ".zsh", "#"),
    _language("fish", "fish", ".fish", "#"),
    _language("ruby", "Ruby", ".rb", "#", "rb"),
    _language("perl", "Perl", ".pl", "#", "pl perl5"),
    _language("lua", "Lua", ".lua", "--", "luajit"),
    _language("r", "R", ".r", "#", "rscript"),
    _language("php", "PHP", ".php", ""),
    _language("julia", "Julia", ".jl", "#", "jl"),
    _language("tcl", "Tcl", ".tcl", "#", "tclsh"),
    _language("awk", "awk", ".awk", "#", "gawk mawk"),
)


def language_of(name: str) -> ScriptLanguage | None:
    """The language that is called so; `None` when none is."""
    folded = name.strip().casefold()
    return next((each for each in LANGUAGES if folded == each.code_type or folded in each.also), None)
