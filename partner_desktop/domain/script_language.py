"""The languages that an ability can be written in, and what people call them. No I/O."""

from __future__ import annotations

import re
from dataclasses import dataclass

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
