"""Code in a message, fenced or bare, and which language it is in. No guess is better than a wrong one."""

from __future__ import annotations

import re
from dataclasses import dataclass

from partner_desktop.base.patterns import late
from partner_desktop.domain.script_language import ScriptLanguage, language_of
from partner_desktop.language.code_reading import parsed

_FENCE = late(r"^[ \t]{0,3}(?P<mark>`{3,}|~{3,})[ \t]*(?P<tag>[\w.+-]*)[^\n`]*$")
_PYTHON = late(
    r"^(?:import [\w.]+(?: as \w+)?(?:, ?[\w.]+)*$|from [\w.]+ import |(?:async )?def \w+\(|class \w+[:(]|@\w"
    r"|if __name__ ?==|(?:for|while|with|if|elif|try|else|except)\b.*:\s*(?:#.*)?$"
    r"|print\(|[\w.]+\(.*\)$|\w+ ?= ?\S)",
    re.MULTILINE,
)
_SURE_PYTHON = late(
    r"^\s*(?:import \w+|from [\w.]+ import |def \w+\(|class \w+[:(]|print\(|if __name__)", re.MULTILINE
)
_NODE = late(
    r"^\s*(?:(?:const|let|var) [\w{\[].*=|(?:async )?function\b.*\(|import .* from ['\"]"
    r"|console\.\w+\(|export )|\brequire\(['\"]|=>\s*[{(\w]|\bprocess\.(?:argv|stdout)",
    re.MULTILINE,
)
_SHELL = late(
    r"^\s*(?:set -[a-z]+|echo |printf |cd |ls\b|grep |find |for \w+ in |while .*; ?do|if \[|done\b|fi\b"
    r"|esac\b|export \w+="
    r"|(?:sudo|curl|tar|mkdir|cp|mv|rm|cat|sed|awk|sort|wc|du|df|date|git|head|tail|xargs|convert) ?\S*)",
    re.MULTILINE,
)


@dataclass(frozen=True)
class Pasted:
    """A piece of code, as it was pasted."""

    code: str
    tag: str = ""
    """What its fence calls it."""
    fenced: bool = True


@dataclass(frozen=True)
class Parted:
    """A message: what is said in it, line by line, and the code between its fences."""

    lines: list[str]
    code: tuple[Pasted, ...]


def parted(text: str) -> Parted:
    """A message without its fenced code, and that."""
    spoken: list[str] = []
    found: list[Pasted] = []
    body: list[str] | None = None
    mark = tag = ""
    for line in text.replace("\r\n", "\n").split("\n"):
        fence = _FENCE.match(line)
        if body is None and fence is not None:
            body, mark, tag = [], fence["mark"], fence["tag"]
        elif body is not None and line.strip().startswith(mark) and not line.strip().strip(mark[0]):
            found.append(Pasted("\n".join(body), tag))
            body = None
        elif body is not None:
            body.append(line)
        else:
            spoken.append(line)
    if body is not None:  # not closed: it goes on to the end
        found.append(Pasted("\n".join(body), tag))
    return Parted(spoken, tuple(one for one in found if one.code.strip()))


def bare_code(lines: list[str], hint: str = "") -> Pasted | None:
    """The lines as code, where they surely are some; `hint`: what was said of them."""
    code = "\n".join(lines).strip("\n")
    if not code.strip() or guessed(Pasted(code, fenced=False), hint) is None:
        return None
    return Pasted(code, fenced=False)


def is_script(text: str) -> bool:
    """Whether an unfenced text is surely a script as a whole: a `#!` line, or lines that are Python."""
    code = text.strip()
    if code.startswith("#!"):
        return "\n" in code and _of_program(code.partition("\n")[0]) is not None
    return "\n" in code and _SURE_PYTHON.search(code) is not None and _is_python(code)


def guessed(pasted: Pasted, hint: str = "") -> ScriptLanguage | None:
    """The language: by its fence, its first line, what was said of it (`hint`), or its looks."""
    named = language_of(pasted.tag) if pasted.tag else None
    if named is not None:
        return named
    first = pasted.code.lstrip("\n").partition("\n")[0]
    if first.startswith("#!"):
        return _of_program(first)
    for word in re.findall(r"[A-Za-z.]{2,}", hint):
        named = language_of(word)
        if named is not None:
            return named
    return _by_looks(pasted.code)


def _of_program(line: str) -> ScriptLanguage | None:
    words = [word for word in line[2:].split() if not word.startswith("-") and "=" not in word]
    name = words[0].rpartition("/")[2] if words else ""
    if name == "env" and len(words) > 1:
        name = words[1]
    return language_of(re.sub(r"[\d.]+$", "", name))


def _by_looks(code: str) -> ScriptLanguage | None:
    node, shell = bool(_NODE.search(code)), bool(_SHELL.search(code))
    if _is_python(code) and (not node or _SURE_PYTHON.search(code)):
        return language_of("python")
    if node != shell:
        return language_of("javascript" if node else "shell")
    return language_of("python") if _SURE_PYTHON.search(code) and not node and not shell else None


def _is_python(code: str) -> bool:
    return bool(_PYTHON.search(code)) and parsed(code) is not None
