"""A new script is there whole or not at all, under a name of its own, and what is no script is refused."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from partner_desktop.abilities.ability_file import read_ability
from partner_desktop.abilities.folders import LiveFolders
from partner_desktop.abilities.new_script import MOST_CODE_BYTES, new_script
from partner_desktop.abilities.persistence import TemporaryFiles
from partner_desktop.abilities.script_writer import ScriptWriter
from partner_desktop.base.errors import UsageError
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.meta_action import MetaActionInfo, Route
from tests.support import REPOSITORY
from tests.tables import all_rows


def make(root: Path, **given: str) -> MetaActionInfo:
    """Make an ability; what it is when it is read where it lies."""
    key = ScriptWriter(root, TemporaryFiles(root / "tmp")).make(
        new_script({**given}), now_ms=1_700_000_000_000
    )
    return read_ability(root / "tmp" / key.partition("::")[2], location="origin", route=Route.ORIGIN).info


def test_a_script_is_written_with_its_description_in_front(tmp_path: Path) -> None:
    meta = {
        "aliases": {"zh": ["缩放"]},
        "annotations": {"readOnlyHint": True},
        "params": {"size": {"type": "integer"}, "unit": {"type": "string", "default": 'a "b" \u2028\\ c'}},
    }
    made = make(
        tmp_path,
        name="re size",
        desc="Say it",
        code="#!/usr/bin/python3\nprint(1)",
        codeType="py",
        meta=json.dumps(meta),
    )
    assert made.key == "origin::1700000000000-re_size.py"
    assert (made.title, made.description, made.aliases) == ("Re size", "Say it", ("缩放",))
    assert made.annotations.read_only
    assert made.required() == ("size",)
    assert made.properties()["unit"]["default"] == 'a "b" \u2028\\ c'
    lines = (tmp_path / "tmp" / made.name).read_text().split("\n")
    assert lines[:2] == ["#!/usr/bin/python3", "# /// partner"]
    assert lines[-2:] == ["print(1)", ""]


def test_a_language_without_comments_to_begin_with_becomes_a_folder(tmp_path: Path) -> None:
    made = make(tmp_path, desc="Greet", code="<?php echo 1;", codeType="php", launcher="cat")
    folder = tmp_path / "tmp" / made.name
    assert sorted(path.name for path in folder.iterdir()) == ["desc.json", "run.php"]
    assert made.description == "Greet"


def test_code_that_describes_itself_keeps_what_it_says_and_has_one_block(tmp_path: Path) -> None:
    code = '# /// partner\n# description = "Old"\n# aliases = ["again"]\n# ///\necho hi\n'
    made = make(tmp_path, desc="New", code=code, codeType="sh")
    assert (made.description, made.aliases) == ("New", ("again",))
    assert (tmp_path / "tmp" / made.name).read_text().count("/// partner") == 1


def test_a_name_that_is_taken_gives_the_next(tmp_path: Path) -> None:
    (tmp_path / "tmp").mkdir()
    (tmp_path / "tmp" / "1700000000000-say.sh").write_text("mine")
    assert (
        make(tmp_path, name="say", desc="x", code="echo", codeType="sh").key == "origin::1700000000001-say.sh"
    )
    assert (tmp_path / "tmp" / "1700000000000-say.sh").read_text() == "mine"
    assert {path.name for path in tmp_path.iterdir()} == {"tmp", "user"}, "nothing is left beside it"


@all_rows(
    "given, told",
    [
        ({"code": "echo", "codeType": "cobol"}, r"“cobol” is no language .* it can be python, shell,"),
        ({"codeType": ""}, r"cannot tell which language"),
        ({"code": " \n\n"}, r"no code"),
        ({"code": "x = 1\n" * 180_000}, rf"1054 KiB long; a script may have {MOST_CODE_BYTES // 1024} KiB"),
        (
            {"code": "x = 1\ny = '\u202e'"},
            r"Line 2 of the code holds a character that cannot be seen \(U\+202E\)",
        ),
        ({"code": "x = '\x1b[2J'"}, r"Line 1 .* \(U\+001B\)"),
        ({"code": "const \u3164 = 1", "codeType": "js"}, r"Line 1 .* \(U\+3164\)"),
        ({"code": "// ok\u2028evil()", "codeType": "js"}, r"Line 1 .* \(U\+2028\)"),
        ({"code": "admin\u200d = True"}, r"Line 1 .* \(U\+200D\)"),
        ({"code": "x = 'a\U000e0041'"}, r"Line 1 .* \(U\+E0041\)"),
        ({"code": "x = '\ud800'"}, r"half a character"),
        ({"meta": "{"}, r"`meta` is not valid JSON"),
        ({"meta": "[1]"}, r"`meta` must be an object"),
        ({"meta": '{"timeoutSeconds": NaN}'}, r"`meta` .* beyond reason"),
        ({"meta": '{"params": {"a": {"type": "strng"}}}'}, r"unknown type `strng`"),
        ({"meta": '{"permissions": {"all": true}}'}, r"`permissions.all` does not fit"),
        ({"name": "../up"}, r"“\.\./up” cannot be a name"),
        ({"name": "a\x00b"}, r"cannot be a name"),
        ({"name": "CON"}, r"some systems keep it for a device"),
        ({"launcher": "no-such-program"}, r"`no-such-program` is not installed"),
        ({"launcher": '"'}, r"quotation mark is not closed"),
        ({"code": "# /// partner\n# x\n"}, r"block that does not do"),
    ],
)
def test_what_does_not_do_is_refused_in_one_sentence(given: JsonObject, told: str) -> None:
    with pytest.raises(UsageError, match=told) as refusal:
        new_script({"code": "print(1)", "codeType": "python", "desc": "x", **given})
    assert "\n" not in str(refusal.value)
    assert str(refusal.value).isprintable()


def test_signs_that_join_others_in_a_text_are_no_hidden_ones() -> None:
    given: JsonObject = {"codeType": "python", "desc": "x", "code": "print('👩\u200d💻 می\u200cخواهم')"}
    assert new_script(given).code.count("\u200d") == 1


TROUBLE = """
import errno, json, os, sys
from pathlib import Path
from partner_desktop.abilities.folders import LiveFolders
from partner_desktop.abilities.new_script import new_script
from partner_desktop.domain.ability import AbilityDraft

STEPS = ("os.mkdir", "os.rename", "os.link")
what, how, place = sys.argv[1], sys.argv[2], Path(sys.argv[3])
script = new_script({"name": "hello", "desc": "Greet", "code": "echo hello", "codeType": "sh"})

seen = 0

def trouble_at(step, root):
    def hook(event, arguments):
        global seen
        writes = event == "open" and isinstance(arguments[2], int) and arguments[2] & os.O_WRONLY
        if (writes or event in STEPS) and any(str(root) in str(argument) for argument in arguments):
            seen += 1
            if seen == step:
                if how == "killed":
                    os._exit(7)
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    sys.addaudithook(hook)

for step in range(1, 200):
    root = place / f"{step}-"
    (root / "tmp").mkdir(parents=True)
    (root / "dynamic").mkdir()
    folders = LiveFolders(root, snapshots=place / "cache")
    if what == "keep":
        (root / "tmp" / "hello.sh").write_text("echo hello")
        folders.temporary.made("hello.sh")
    child = os.fork()
    if not child:
        trouble_at(step, root)
        try:
            if what == "make":
                folders.script_writer.make(script, now_ms=1)
            else:
                folders.persister.keep(root / "tmp" / "hello.sh", AbilityDraft("hello", description="Greet"))
        except OSError as error:
            os._exit(8 if error.errno == errno.ENOSPC else 9)
        os._exit(5 if seen >= step else 0)  # 5: the trouble did not matter
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    half = set(os.listdir(root / "tmp")) - {"hello.sh", "1-hello.sh", ".made-by-partner.json"}
    scraps = sorted((set(os.listdir(root)) | half) - {"tmp", "dynamic"})
    folders.persister.recover()
    found = [ability.key for ability in folders.scan(now_s=0) if not ability.fault]
    ours = [folders.temporary.is_ours(key.partition("::")[2]) for key in found]
    left = sorted(set(os.listdir(root)) - {"tmp", "dynamic"})
    print(json.dumps([code, found, ours, scraps, left]))
    if code == 0:
        break
"""


def rounds_of(
    what: str, how: str, place: Path
) -> list[tuple[int, list[str], list[bool], list[str], list[str]]]:
    """One round a step: how it ended, what is listed, whose it is, what lies beside it then and later."""
    command = [sys.executable, "-c", TROUBLE, what, how, str(place)]
    done = subprocess.run(command, cwd=REPOSITORY, timeout=60, check=True, capture_output=True, text=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.integration
@pytest.mark.promise("actions.folder.tmp")
@pytest.mark.parametrize("how", ["killed", "full"])
def test_trouble_at_any_step_leaves_a_new_script_whole_and_partners_own_or_nothing(
    tmp_path: Path, how: str
) -> None:
    rounds = rounds_of("make", how, tmp_path)
    assert (rounds[-1][0], rounds[-1][1]) == (0, ["origin::1-hello.sh"])
    assert len(rounds) > 4
    for number, (code, found, ours, scraps, left) in enumerate(rounds, start=1):
        assert code in (0, 5, 7 if how == "killed" else 8), f"at step {number}"
        assert found in ([], ["origin::1-hello.sh"]), f"at step {number}"
        assert all(ours), f"what appeared at step {number} is Partner's to remove"
        assert not [name for name in scraps if not name.startswith(".")], f"half a script at step {number}"
        assert not left, f"at step {number}"
        assert how == "killed" or not scraps, f"clean-up after step {number}"


@pytest.mark.integration
@pytest.mark.promise("actions.persist")
def test_a_full_disk_at_any_step_of_keeping_leaves_the_old_or_the_new_and_no_scrap(tmp_path: Path) -> None:
    rounds = rounds_of("keep", "full", tmp_path)
    assert (rounds[-1][0], rounds[-1][1]) == (0, ["local::hello"])
    for number, (code, found, _ours, scraps, left) in enumerate(rounds, start=1):
        assert (code == 8) == (found == ["origin::hello.sh"]), f"said truly at step {number}"
        assert found in (["origin::hello.sh"], ["local::hello"]), f"at step {number}"
        assert not left, f"at step {number}"
        # What is there needs only to be put away: that waits for the next start.
        assert not scraps or found == ["local::hello"], f"clean-up after step {number}"


def test_leftovers_of_a_making_go_at_the_next_start(tmp_path: Path) -> None:
    (tmp_path / "tmp").mkdir()
    scrap = tmp_path / ".keeping-abc"
    scrap.mkdir()
    (scrap / "1-hello.sh").write_text("echo")
    LiveFolders(tmp_path, snapshots=tmp_path / "cache").persister.recover()
    assert not scrap.exists()
