"""Finds the places of a source text where a small fault can be put, and puts it there.

A fault replaces the text of one node, so that all other lines stay as and where they are.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

_TURNED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
#: Nobody tests what is only logged.
_LOGS = ("_log.", "log.", "logging.", "warnings.")
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True)
class Mutant:
    """One fault; `function` is the line that its function begins in, 0 outside of any."""

    file: str
    line: int
    function: int
    kind: str
    before: str
    after: str
    start: int
    """In bytes of the source, as the two ends of what is replaced."""
    end: int

    @property
    def name(self) -> str:
        return f"{self.file}:{self.line} {self.kind}: {_short(self.before)} → {_short(self.after)}"

    def applied(self, source: bytes) -> bytes:
        """The source with the fault."""
        return source[: self.start] + self.after.encode() + source[self.end :]


def mutants_of(file: str, source: bytes) -> list[Mutant]:
    """All faults that one file can have, in the order of its text."""
    tree = ast.parse(source)
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    found = []
    for node, function in _within(tree, 0):
        for kind, after in _faults(node):
            start = starts[node.lineno - 1] + node.col_offset
            end = starts[(node.end_lineno or node.lineno) - 1] + (node.end_col_offset or 0)
            before = source[start:end].decode()
            found.append(Mutant(file, node.lineno, function, kind, before, after, start, end))
    return sorted(found, key=lambda each: (each.start, each.end, each.kind))


def _within(node: ast.AST, function: int) -> Iterator[tuple[Any, int]]:  # Any: nodes with a place
    """Each node that runs, with its function; docstrings, annotations and what is only for types are none."""
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "type_params", "bases", "keywords") and not (
            name == "keywords" and isinstance(node, ast.Call)
        ):
            continue
        for child in value if isinstance(value, list) else [value]:
            if not isinstance(child, ast.AST) or _is_left_out(child):
                continue
            inner = function
            if isinstance(child, _FUNCTIONS):
                inner = min([child.lineno, *(each.lineno for each in child.decorator_list)])
            if hasattr(child, "lineno"):
                yield child, inner
            yield from _within(child, inner)


def _is_left_out(node: ast.AST) -> bool:
    if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
        return True
    if isinstance(node, ast.Expr):
        said = ast.unparse(node.value)
        return isinstance(node.value, ast.Constant) or said.startswith(_LOGS)
    if isinstance(node, (ast.Assign, ast.AnnAssign)):
        return ast.unparse(node).startswith(("__all__", "_log ="))
    return isinstance(node, (ast.Import, ast.ImportFrom, ast.JoinedStr, ast.Assert))


def _faults(node: ast.AST) -> Iterator[tuple[str, str]]:
    """Kinds of faults of one node, with the text in its place."""
    if isinstance(node, ast.Compare) and type(node.ops[0]) in _TURNED:
        changed = copy.deepcopy(node)
        changed.ops[0] = _TURNED[type(node.ops[0])]()
        yield "comparison", f"({ast.unparse(changed)})"
    elif isinstance(node, ast.BoolOp):
        changed_bool = copy.deepcopy(node)
        changed_bool.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        yield "boolean", f"({ast.unparse(changed_bool)})"
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield "boolean", f"({ast.unparse(node.operand)})"
    elif isinstance(node, ast.Constant):
        yield from _other_constant(node.value)
    elif isinstance(node, ast.AugAssign) or (
        isinstance(node, ast.Expr) and isinstance(node.value, (ast.Call, ast.Await))
    ):
        yield "removed statement", "pass"
    elif isinstance(node, ast.Return) and node.value is not None and ast.unparse(node.value) != "None":
        yield "returned value", "return None"


def _other_constant(value: object) -> Iterator[tuple[str, str]]:
    if isinstance(value, bool):
        yield "constant", str(not value)
    elif isinstance(value, int):
        yield "constant", str(value + 1)
    elif isinstance(value, str) and value:
        yield "constant", '""'


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 90 else line[:89] + "…"
