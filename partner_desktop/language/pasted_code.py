"""Code in a message, fenced or bare, which language it is in, and what it says of itself: what it does,
and which arguments it takes. Read, never run.

No guess of a language is better than a wrong one. Arguments are declared only where that is certain:
options of one `ArgumentParser` whose every word is plain. Any other use of arguments is told as one free
field, as they would be typed.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator, Mapping

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.patterns import late
from partner_desktop.domain.ability import ScriptLanguage, language_of
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.language.lexicon import word_set

_LONGEST = 300
_PARSED = 64 * 1024
_PARSED_BRACES = 100_000_000
_TYPES: dict[str, JsonObject] = {
    "int": {"type": "integer"},
    "float": {"type": "number"},
    "str": {"type": "string"},
    # A parser opens or makes it in ways that cannot be told: what is only read is the least.
    "Path": {"type": "string", "format": "path", "access": "read"},
}
_OPTION = re.compile(r"--([A-Za-z][A-Za-z0-9_-]*)")
#: Words of an option that change nothing about how it is written.
_TOLD = frozenset({"default", "help", "required", "choices"})
_PLAIN = _TOLD | {"type", "dest", "metavar"}
#: What reads arguments as they were typed, asks on the terminal, or is a parser that is not read here: of
#: Python what is taken of a module, imported, and called.
_FREE = word_set(
    """
    .argv .orig_argv .stdin argv click typer fire docopt getopt optparse fileinput
    input() add_subparsers() parse_known_args() add_mutually_exclusive_group()
    """
)
_ARGUMENTS = {
    "shell": re.compile(r"\$[@*#1-9]|\$\{[@*#1-9]|\bgetopts\b|\bshift\b"),
    "javascript": re.compile(r"\bprocess\.argv\b|\bparseArgs\b|\bDeno\.args\b|\bBun\.argv\b"),
}
_COMMENT = re.compile(r"^\s*(?:#+|//+|--|/?\*+)\s?(.*?)(?:\*/)?\s*$")
_NO_WORDS = re.compile(
    r"^\W*$|^(?:!|-\*-|eslint|shellcheck|noqa|type:|pylint|vim:|/// )|coding[:=]", re.IGNORECASE
)


def described(code: str, code_type: str) -> str:
    """The first paragraph of its docstring, or of that of its only function, or of its first comment."""
    text = ""
    if code_type == "python" and (tree := parsed(code)) is not None:
        functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
        only = ast.get_docstring(functions[0]) if len(functions) == 1 else ""
        text = ast.get_docstring(tree) or only or ""
    told = " ".join((text or _first_comment(code)).split("\n\n")[0].split())
    return told if len(told) <= _LONGEST else told[: _LONGEST - 1] + "…"


def _first_comment(code: str) -> str:
    words: list[str] = []
    for line in code.strip().splitlines():
        comment = _COMMENT.match(line)
        if comment is None or (words and _NO_WORDS.search(comment[1])):
            break
        words += [] if _NO_WORDS.search(comment[1]) else [comment[1].strip()]
    return " ".join(words)


def parameters(code: str, code_type: str) -> JsonObject | None:
    """JSON Schema of the arguments, which come as `--name=value`; `None` where it takes them freely."""
    if code_type != "python":
        pattern = _ARGUMENTS.get(code_type)
        return None if pattern is None or pattern.search(code) else _schema({})
    tree = parsed(code)
    nodes = list(ast.walk(tree)) if tree is not None else []
    if tree is None or any(not _FREE.isdisjoint(_uses(node)) for node in nodes):
        return None
    calls = [node for node in nodes if isinstance(node, ast.Call)]
    parsers, options = (
        [call for call in calls if _name(call.func) == name] for name in ("ArgumentParser", "add_argument")
    )
    if len(parsers) > 1 or (options and not parsers):
        return None
    try:
        return _schema(dict(map(_option, options)))
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError, KeyError):
        return None


def _schema(found: Mapping[str, tuple[JsonObject, bool]]) -> JsonObject:
    properties: JsonObject = {name: spec for name, (spec, _) in found.items()}
    required: list[Json] = [name for name, (_, required) in found.items() if required]
    return {"type": "object", "properties": properties, "required": required}


def _uses(node: ast.AST) -> Iterator[str]:
    """`.argv`, `click`, `input()`."""
    match node:
        case ast.Attribute(attr=name):
            yield f".{name}"
        case ast.Import(names=names):
            yield from (each.name.partition(".")[0] for each in names)
        case ast.ImportFrom(module=module, names=names):
            yield from ((module or "").partition(".")[0], *("argv" for each in names if each.name == "argv"))
        case ast.Call(func=func):
            yield f"{_name(func)}()"


def _name(node: ast.expr) -> str:
    """The last name of `json.loads` and `int`; empty: it is called otherwise."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _option(call: ast.Call) -> tuple[str, tuple[JsonObject, bool]]:
    """One option as a property, and whether it must be given.

    Raises:
        ValueError, KeyError: its arguments cannot be told.
    """
    flags = [ast.literal_eval(argument) for argument in call.args]
    long = [match[1] for flag in flags if (match := _OPTION.fullmatch(flag))]
    words = {keyword.arg or "": keyword.value for keyword in call.keywords}
    told = {name: ast.literal_eval(value) for name, value in words.items() if name in _TOLD}
    choices = told.get("choices") or []
    if not long or set(words) - _PLAIN or not isinstance(choices, list | tuple):
        raise ValueError
    spec = dict(_TYPES[_name(words["type"]) if "type" in words else "str"])
    if isinstance(said := told.get("help"), str):
        spec["description"] = said.replace("%(default)s", "").replace("()", "").strip()
    if choices:
        spec["enum"] = [*choices]
    if isinstance(default := told.get("default"), str | int | float) and default != "":
        spec["default"] = default
    return long[0], (spec, told.get("required") is True)


def may_be_parsed(code: str) -> bool:
    """Whether Python's parser, which holds the whole interpreter, is done with it in a moment.

    For each brace in a text with fields it may go over all of that text once more.
    """
    return len(code) <= _PARSED and len(code) * code.count("{") <= _PARSED_BRACES


def parsed(code: str) -> ast.Module | None:
    """The code as Python reads it; `None` where it is none, or is too much to be read."""
    if not may_be_parsed(code):
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


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
