"""How the source hangs together. What does not yet do so as it should stands in `structure.toml`.

Its lists only shrink: what is new fails, and so does what is still listed and is no more.
"""

from __future__ import annotations

import ast
import re
import sqlite3
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import grimp
import pytest

import partner_desktop
from partner_desktop.storage import search_text
from partner_desktop.storage.migrations import shipped_steps

SOURCE = Path(partner_desktop.__file__).parent
LISTS = tomllib.loads(Path(__file__).with_name("structure.toml").read_text(encoding="utf-8"))


def only_shrinks(name: str, found: Iterable[str]) -> None:
    """Hold what was found against a list, or against how often each of its names stands."""
    counted, listed = Counter(found), Counter(LISTS[name])
    new, gone = counted - listed, listed - counted
    assert not new, f"{name} may only shrink, and these are new:{_lines(new, counted)}"
    assert not gone, f"{name} shrank; write into structure.toml what is left of:{_lines(gone, counted)}"


def _lines(names: Iterable[str], counted: Counter[str]) -> str:
    return "".join(f"\n    {name} ({counted[name]})" for name in sorted(names))


@cache
def imports() -> dict[str, set[str]]:
    """What each module imports of ours, wherever in its file: below `TYPE_CHECKING` and in functions too."""
    graph = grimp.build_graph("partner_desktop", cache_dir=None)
    own = "partner_desktop."
    return {
        module.removeprefix(own): {
            other.removeprefix(own) for other in graph.find_modules_directly_imported_by(module)
        }
        for module in graph.modules
    }


def is_in(module: str, package: str) -> bool:
    return f"{module}.".startswith(f"{package}.")


@cache
def sources() -> dict[str, str]:
    """The text of every file of the product by its path."""
    return {
        path.relative_to(SOURCE).as_posix(): path.read_text(encoding="utf-8") for path in SOURCE.rglob("*.py")
    }


def test_no_files_import_each_other_in_a_circle() -> None:
    try:
        TopologicalSorter(imports()).prepare()
    except CycleError as error:
        pytest.fail("a circle of imports: " + " -> ".join(reversed(error.args[1])))


def test_the_insides_of_a_mind_are_imported_by_that_mind() -> None:
    minds = {".".join(module.split(".")[:2]) for module in imports() if re.match(r"mind\.\w+\.", module)}
    assert len(minds) > 1
    only_shrinks(
        "imports_of_a_minds_insides",
        {
            module
            for module, imported in imports().items()
            for mind in minds
            if not is_in(module, mind) and any(is_in(other, mind) for other in imported)
        },
    )


@cache
def tables() -> set[str]:
    """The tables of the database, as the shipped migrations make them."""
    with closing(sqlite3.connect(":memory:")) as db:
        search_text.install(db)
        db.executescript("\n".join(shipped_steps().values()))
        rows = db.execute("SELECT name FROM pragma_table_list WHERE type IN ('table', 'virtual')").fetchall()
    return {name for (name,) in rows if not name.startswith("sqlite_")}


_NAMED = re.compile(r"\b(?:FROM|INTO|UPDATE|JOIN|TABLE)\s+(\w*)")


def queried(text: str) -> set[str]:
    """The tables that the SQL of a file names, which is written in capitals and joins tables by `JOIN`.

    Where a name is put in only as it runs, each text that is a table's name is taken for one.
    """
    if not _NAMED.search(text):
        return set()
    strings = set(_strings(ast.parse(text)))
    named = {name for string in strings for name in _NAMED.findall(string)}
    return (named | strings if "" in named else named) & tables()


def _strings(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
        elif isinstance(node, ast.JoinedStr):
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            """db.execute("SELECT * FROM messages AS m JOIN actions ON actions.id = m.action_id")""",
            "actions messages",
        ),
        ("""db.execute(f"SELECT {names} FROM audit " "WHERE position > ?")""", "audit"),
        ("""db.execute("UPDATE takes SET active = 0 WHERE id IN (SELECT id FROM undo)")""", "takes undo"),
        ("""db.execute("INSERT OR IGNORE INTO undo VALUES (?) ON CONFLICT DO UPDATE SET a = 1")""", "undo"),
        ("""for table in ("takes", "undo"): db.execute(f"DELETE FROM {table}")""", "takes undo"),
        ("""keep("undo", db.execute("DELETE FROM " + table))""", "undo"),
        ("""keep("undo", "from messages")  # FROM audit""", ""),
    ],
)
def test_the_tables_of_a_query_are_read_from_the_source(text: str, found: str) -> None:
    assert queried(text) == set(found.split())


def test_a_table_has_one_package_that_queries_it() -> None:
    owners: dict[str, str] = LISTS["tables"]
    unknown = owners.keys() ^ tables()
    assert not unknown, f"tables without an owner, or owners of no table: {sorted(unknown)}"
    pairs = {(file, table) for file, text in sources().items() for table in queried(text)}
    foreign = {(file, table) for file, table in pairs if file.split("/")[0] != owners[table]}
    unused = owners.keys() - {table for _, table in pairs - foreign}
    assert not unused, f"not queried by their owners: {sorted(unused)}"
    only_shrinks("queries_of_another_packages_table", {f"{file}: {table}" for file, table in foreign})


def test_the_window_hears_of_partner_through_its_store_alone() -> None:
    listening = [path for path, text in sources().items() if re.search(r"\bpartner\.subscribe\(", text)]
    assert [path for path in listening if path.startswith("desktop/")] == ["desktop/window_store.py"]


def test_a_file_name_stands_once() -> None:
    only_shrinks("file_names", repeated(Path(file).stem for file in sources() if not file.endswith("__.py")))


@pytest.mark.parametrize(
    ("name", "opening"), [("class_names", "class"), ("function_names", "(?:async )?def")]
)
def test_a_public_name_stands_once(name: str, opening: str) -> None:
    # Reading lines takes a tenth of a second, building trees of a thousand files six.
    line = re.compile(rf"^{opening} ([a-zA-Z]\w*)", re.MULTILINE)
    only_shrinks(name, repeated(each for text in sources().values() for each in line.findall(text)))


def repeated(names: Iterable[str]) -> Iterator[str]:
    counted = Counter(names)
    return (name for name in counted.elements() if counted[name] > 1)
