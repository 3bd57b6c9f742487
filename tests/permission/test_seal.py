"""Only the engine makes a decision, and the runner takes nothing else."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from copy import copy
from dataclasses import replace
from pathlib import Path

import pytest

import partner_desktop
from partner_desktop.action.runs.executor import ActionExecutor
from partner_desktop.base.errors import WiringError
from partner_desktop.permission.request import Decision, Outcome
from partner_desktop.runner.call import Call
from partner_desktop.runner.client import RunnerClient
from tests.deciding import decided

pytestmark = [pytest.mark.promise("actions.permission.engine"), pytest.mark.integration]

SOURCE = Path(partner_desktop.__file__).parent


def test_a_decision_without_the_engines_seal_cannot_be_made_nor_changed() -> None:
    denied = decided("a1", "local::upper", "h", {}, outcome=Outcome.DENY)
    with pytest.raises(WiringError, match="outside of the permission engine"):
        Decision(Outcome.ALLOW, "a1", "local::upper", "h", "p", sandboxed=True, by="person")
    with pytest.raises(WiringError, match="outside of the permission engine"):
        replace(denied, outcome=Outcome.ALLOW)
    assert copy(denied) == denied


def trees(*words: str) -> Iterator[tuple[str, ast.Module]]:
    """Every file of the source in which one of the words stands."""
    for path in sorted(SOURCE.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if any(word in text for word in words):
            yield path.relative_to(SOURCE).as_posix(), ast.parse(text)


def named(node: ast.AST) -> str:
    """The last part of what a name or an attribute says."""
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def makes_decision(node: ast.AST) -> bool:
    """Calls the class, derives from it, gives it another name, or takes the seal."""
    if isinstance(node, ast.Call):
        return named(node.func) == "Decision" or any(
            named(argument) == "Decision" for argument in node.args if named(node.func) == "__new__"
        )
    if isinstance(node, ast.ClassDef):
        return any(named(base) == "Decision" for base in node.bases)
    if isinstance(node, ast.alias):
        return node.name == "SEAL" or (node.name == "Decision" and node.asname is not None)
    return named(node) == "SEAL" or (isinstance(node, ast.Assign) and named(node.value) == "Decision")


def test_nothing_in_the_source_makes_one_but_the_engine() -> None:
    own = {"permission/engine.py", "permission/request.py"}
    makers = {name for name, tree in trees("Decision", "SEAL") if any(map(makes_decision, ast.walk(tree)))}
    assert makers == own


def callers_of(name: str) -> set[str]:
    return {
        file
        for file, tree in trees(f"{name}(")
        if any(isinstance(node, ast.Call) and named(node.func) == name for node in ast.walk(tree))
    }


def test_everything_that_runs_goes_through_the_runner_with_a_decision() -> None:
    for function in (RunnerClient.submit, ActionExecutor.start, ActionExecutor.resume):
        parameter = inspect.signature(function).parameters["decision"]
        assert (parameter.annotation, parameter.default) == ("Decision", inspect.Parameter.empty)
    assert Call.__annotations__["decision"] == "Decision"
    assert callers_of("Call") == {"runner/client.py"}
    assert callers_of("LocalRunnerClient") == callers_of("PermittedRunner") == {"app/actions.py"}
