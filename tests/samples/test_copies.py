"""Samples are mounted alone and share no module: helpers in several of them stay the same everywhere."""

from __future__ import annotations

import ast

import pytest

from tests.support import REPOSITORY

SAMPLES = REPOSITORY / "action" / "dynamic"


@pytest.mark.parametrize("name", ["arguments", "human", "say", "is_name"])
def test_a_helper_is_the_same_in_every_sample_that_has_it(name: str) -> None:
    found: dict[str, list[str]] = {}
    for path in sorted([*SAMPLES.glob("*.py"), *SAMPLES.glob("*/*.py")]):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef) and node.name == name:
                found.setdefault(ast.dump(node), []).append(path.name)
    assert len(found) == 1, f"{name} differs: {list(found.values())}"
    assert len(next(iter(found.values()))) > 1
