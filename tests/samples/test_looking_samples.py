"""Samples that only look: words in files, space on the disk, what changed lately."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
import zipfile
from pathlib import Path

import pytest

from tests.samples.stage import SampleRunner, script_of, straight

pytestmark = pytest.mark.integration

ODD = [
    "two\nlines.txt",
    "😀.txt",
    '"quoted" \\ back.txt',
    "-rf.txt",
    os.fsdecode(b"caf\xe9.txt"),
    "x" * 251 + ".txt",
]


def write(folder: Path, **files: str | bytes) -> None:
    """Files by name; `_` stands for the dot, `__` for a slash."""
    for name, content in files.items():
        path = folder / name.replace("__", "/").replace("_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)


def one_pdf(text: str) -> bytes:
    """A small PDF of one page."""
    stream = f"BT /F1 24 Tf 72 700 Td ({text}) Tj ET".encode()
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>",
        b"<</Length %d>>stream\n%s\nendstream" % (len(stream), stream),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    ]
    out, places = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj%s endobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    return (
        out
        + b"xref\n0 6\n0000000000 65535 f \n%strailer<</Size 6/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF"
        % (table, len(out))
    )


# --- search_text -------------------------------------------------------------------------------------------


async def test_a_phrase_is_found_with_file_line_and_what_stands_beside_it(
    samples: SampleRunner, tmp_path: Path
) -> None:
    write(
        tmp_path,
        a_txt="nothing\nthe Annual   Report of 2024\n",
        deep__b_md="annual report\nannual report",
        _hidden="annual report",
        c_bin=b"annual report\0",
    )
    (tmp_path / "link.txt").symlink_to("a.txt")
    found = await samples.result("search_text", text="annual report", folder=str(tmp_path))
    assert found["summary"] == f"“annual report” stands 3 times in 2 files of {tmp_path} (2 files searched)."
    assert found["files"] == [{"file": "deep/b.md", "times": 2}, {"file": "a.txt", "times": 1}]
    assert {"file": "a.txt", "where": "line 2", "text": "the Annual Report of 2024"} in found["places"]


async def test_whole_words_and_capitals_count_when_asked(samples: SampleRunner, tmp_path: Path) -> None:
    write(tmp_path, a_txt="cat\nCat\nconcatenate\n")
    asked = {"text": "cat", "folder": str(tmp_path)}
    assert (await samples.result("search_text", **asked))["files"][0]["times"] == 3
    assert (await samples.result("search_text", **asked, whole_words=True))["files"][0]["times"] == 2
    found = await samples.result("search_text", **asked, whole_words=True, match_case=True)
    assert [place["where"] for place in found["places"]] == ["line 1"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "gb18030"])
async def test_chinese_text_is_found_in_the_usual_encodings(
    samples: SampleRunner, tmp_path: Path, encoding: str
) -> None:
    (tmp_path / "笔记.txt").write_bytes("第一行\n今天的会议纪要很重要\n".encode(encoding))
    found = await samples.result("search_text", text="会议纪要", folder=str(tmp_path))
    assert found["places"] == [{"file": "笔记.txt", "where": "line 2", "text": "今天的会议纪要很重要"}]


async def test_western_text_and_both_spellings_of_an_accent_are_found(
    samples: SampleRunner, tmp_path: Path
) -> None:
    (tmp_path / "a.txt").write_bytes("Straße zum Café".encode("latin-1"))
    (tmp_path / "b.txt").write_text("Cafe\u0301", encoding="utf-8")
    found = await samples.result("search_text", text="café", folder=str(tmp_path))
    assert len(found["files"]) == 2


async def test_office_documents_are_searched(samples: SampleRunner, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "letter.docx", "w") as archive:
        body = "<w:p><w:r><w:t>Dear Ms </w:t></w:r><w:r><w:t>O&apos;Neil</w:t></w:r></w:p><w:p>Bye</w:p>"
        archive.writestr("word/document.xml", f"<w:document>\n{body}\n</w:document>")
    with zipfile.ZipFile(tmp_path / "table.ods", "w") as archive:
        archive.writestr("content.xml", "<text:p>ms o'neil</text:p>")
    (tmp_path / "broken.docx").write_bytes(b"PK not really")
    found = await samples.result("search_text", text="Ms O'Neil", folder=str(tmp_path))
    assert {place["file"] for place in found["places"]} == {"letter.docx", "table.ods"}
    assert found["unreadable"] == [str(tmp_path / "broken.docx")]


async def test_pdfs_are_searched_or_it_is_said_that_they_were_not(
    samples: SampleRunner, tmp_path: Path
) -> None:
    (tmp_path / "invoice.pdf").write_bytes(one_pdf("Invoice 4711"))
    found = await samples.result("search_text", text="invoice 4711", folder=str(tmp_path))
    if shutil.which("pdftotext", path="/usr/bin:/usr/local/bin"):
        assert found["places"] == [{"file": "invoice.pdf", "where": "page 1", "text": "Invoice 4711"}]
    else:
        assert "1 PDF was left out: install poppler-utils" in found["summary"]


def test_a_program_that_reads_pdfs_is_used_where_it_is(tmp_path: Path) -> None:
    """With a stand-in of the same manners, where `pdftotext` itself is not there."""
    tools, folder = tmp_path / "bin", tmp_path / "folder"
    write(tools, pdftotext="#!/bin/sh\n[ \"$4\" = - ] || exit 3\nprintf 'one\\n\\f'\ncat\n")
    (tools / "pdftotext").chmod(0o755)
    write(folder, a_pdf="the text of page 2", _hidden_pdf="")
    done = subprocess.run(
        [shutil.which("python3") or "python3", script_of("search_text"), "--text=TEXT", f"--folder={folder}"],
        capture_output=True, text=True, check=False, timeout=10,
        env={"PATH": f"{tools}:{os.environ['PATH']}"},
    )  # fmt: skip
    assert '"file": "a.pdf", "where": "page 2"' in done.stdout


async def test_long_lists_and_odd_names_stay_within_bounds(samples: SampleRunner, tmp_path: Path) -> None:
    for name in ODD:
        (tmp_path / name).write_text("needle " * 50)
    for number in range(200):
        (tmp_path / f"{number}.txt").write_text("会" * 5000 + "needle" + "议" * 5000 + "\n" * 3)
    found = await samples.result("search_text", text="needle", folder=str(tmp_path))
    assert len(found["places"]) == 30
    assert found["files_not_listed"] == 186
    assert all(row["file"].isprintable() and row["text"].isprintable() for row in found["places"])


async def test_a_single_file_can_be_searched_and_nothing_found_is_said(
    samples: SampleRunner, tmp_path: Path
) -> None:
    write(tmp_path, a_txt="one")
    found = await samples.result("search_text", text="two", folder=str(tmp_path / "a.txt"))
    assert found == {"summary": f"“two” is nowhere in {tmp_path}/a.txt (1 file searched)."}


def test_what_cannot_be_searched_is_refused_with_a_sentence(tmp_path: Path) -> None:
    assert "There is no folder" in straight("search_text", "--text=a", f"--folder={tmp_path}/none")
    assert "neither a folder nor a file" in straight("search_text", "--text=a", "--folder=/dev/null")
    assert "true or false" in straight("search_text", "--text=a", f"--folder={tmp_path}", "--match_case=si")
    assert "Which words?" in straight("search_text", f"--folder={tmp_path}")
    assert "Which folder?" in straight("search_text", "--text=a")


# --- disk_usage --------------------------------------------------------------------------------------------


async def test_the_biggest_subfolders_and_files_come_first(samples: SampleRunner, tmp_path: Path) -> None:
    write(
        tmp_path,
        films__deep__a_mkv=b"x" * 3_000_000,
        films__b_mkv=b"x" * 1_000_000,
        music__c_mp3=b"x" * 500_000,
        _cache__d=b"x" * 800_000,
        e_txt=b"x" * 100_000,
    )
    (tmp_path / "music" / "hard.mkv").hardlink_to(tmp_path / "films" / "b.mkv")
    (tmp_path / "music" / "link").symlink_to(tmp_path / "films")
    (tmp_path / "loop").symlink_to(tmp_path)
    found = await samples.result("disk_usage", folder=str(tmp_path))
    names = [row["subfolder"] for row in found["subfolders"]]
    assert names[0] == "films"
    assert {"films", "music", "(files directly in it)"} <= set(names)
    assert found["biggest_files"][0]["file"] == "films/deep/a.mkv"
    assert 5_400_000 <= found["_total_bytes"] <= 5_700_000
    assert "Most of it is in films: " in found["summary"]


async def test_only_as_many_are_named_as_asked(samples: SampleRunner, tmp_path: Path) -> None:
    for number in range(30):
        (tmp_path / f"d{number}").mkdir()
        (tmp_path / f"d{number}" / "f").write_bytes(b"x" * 5000 * (number + 1))
    found = await samples.result("disk_usage", folder=str(tmp_path), top=3)
    assert [row["subfolder"] for row in found["subfolders"][:3]] == ["d29", "d28", "d27"]
    assert [row["file"] for row in found["biggest_files"]] == ["d29/f", "d28/f", "d27/f"]
    assert found["subfolders_not_listed"] >= 27


async def test_sparse_files_count_for_what_they_take(samples: SampleRunner, tmp_path: Path) -> None:
    with (tmp_path / "sparse").open("wb") as file:
        file.truncate(10**12)
    assert (await samples.result("disk_usage", folder=str(tmp_path)))["_total_bytes"] < 10**7


async def test_folders_that_may_not_be_read_are_counted_and_odd_names_shown(
    samples: SampleRunner, tmp_path: Path
) -> None:
    folder = tmp_path / "odd"
    folder.mkdir()
    for name in ODD:
        (folder / name).write_text("x" * 9000)
        (folder / f"d{name[:200]}").mkdir()
    (folder / "secret").mkdir(mode=0)
    found = await samples.result("disk_usage", folder=str(folder), top=50)
    assert all(row["file"].isprintable() for row in found["biggest_files"])
    assert len(found["biggest_files"]) == len(ODD)
    if samples.sandboxed or os.geteuid() != 0:
        assert found["unreadable"] == [str(folder / "secret")]
        assert found["summary"].endswith("1 place could not be read.")


async def test_an_empty_folder_takes_nothing(samples: SampleRunner, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    found = await samples.result("disk_usage", folder=str(tmp_path / "empty"))
    assert found == {"summary": f"{tmp_path}/empty takes 0 bytes in 0 files.", "_total_bytes": 0}


def test_what_cannot_be_measured_is_refused_with_a_sentence(tmp_path: Path) -> None:
    write(tmp_path, a_txt="x")
    assert "There is no folder" in straight("disk_usage", f"--folder={tmp_path}/none")
    assert "is not a folder" in straight("disk_usage", f"--folder={tmp_path}/a.txt")
    assert "between 1 and 50" in straight("disk_usage", f"--folder={tmp_path}", "--top=0")
    assert "whole number" in straight("disk_usage", f"--folder={tmp_path}", "--top=all")
    assert "Which folder?" in straight("disk_usage")


# --- recent_files ------------------------------------------------------------------------------------------


async def test_the_newest_files_come_first_and_old_ones_not_at_all(
    samples: SampleRunner, tmp_path: Path
) -> None:
    folder = tmp_path / "work"
    write(folder, old_txt="x", week_txt="x", deep__new_txt="x" * 1500, _hidden="x", _cache__a_txt="x")
    now = time.time()
    for name, days in (("old.txt", 30), ("week.txt", 5), ("deep/new.txt", 0.1)):
        os.utime(folder / name, (now - days * 86400,) * 2)
    (folder / "link.txt").symlink_to("old.txt")
    found = await samples.result("recent_files", folder=str(folder))
    assert [row["file"] for row in found["files"]] == ["deep/new.txt", "week.txt"]
    assert found["files"][0]["size"] == "1.5 kB"
    day = time.strftime("%Y-%m-%d %H:%M", time.localtime(int((folder / "deep" / "new.txt").stat().st_mtime)))
    assert found["files"][0]["changed"] == day
    assert found["summary"] == (
        f"2 files in {folder} changed in the last 7 days; the newest is deep/new.txt ({day})."
    )
    assert (await samples.result("recent_files", folder=str(folder), days=1))["files_found"] == 1
    assert (await samples.result("recent_files", folder=str(folder), days=60, include_hidden=True))[
        "files_found"
    ] == 5


async def test_odd_names_pass_through_the_shell_unharmed(samples: SampleRunner, tmp_path: Path) -> None:
    folder = tmp_path / "o'dd $(x) `y` &"
    folder.mkdir()
    for name in [*ODD, "a & b.txt", "$(touch x).txt"]:
        (folder / name).write_text("x")
    found = await samples.result("recent_files", folder=str(folder), count=100)
    names = {row["file"] for row in found["files"]}
    assert found["files_found"] == len(ODD) + 2
    assert {
        "two�lines.txt",
        "😀.txt",
        '"quoted" \\ back.txt',
        "a & b.txt",
        "$(touch x).txt",
        "caf�.txt",
    } <= names


async def test_nothing_new_is_said(samples: SampleRunner, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    found = await samples.result("recent_files", folder=str(tmp_path / "empty"), days=1)
    assert found["summary"] == f"No file in {tmp_path}/empty changed in the last day."


async def test_what_may_not_be_read_is_counted_by_the_shell_too(
    samples: SampleRunner, tmp_path: Path
) -> None:
    if not samples.sandboxed and os.geteuid() == 0:
        pytest.skip("root can read everything")
    (tmp_path / "f").mkdir()
    (tmp_path / "f" / "secret").mkdir(mode=0)
    found = await samples.result("recent_files", folder=str(tmp_path / "f"))
    assert found["summary"].endswith("1 place could not be read.")


@pytest.mark.parametrize("locale", ["C", "C.UTF-8"])
def test_what_has_no_recent_files_is_refused_with_a_sentence_in_any_locale(
    tmp_path: Path, locale: str
) -> None:
    write(tmp_path, a_txt="x")
    env = {"LC_ALL": locale}
    assert "There is no folder" in straight("recent_files", f"--folder={tmp_path}/没有", env=env)
    assert "is not a folder" in straight("recent_files", f"--folder={tmp_path}/a.txt", env=env)
    assert "between 1 and 3650" in straight("recent_files", f"--folder={tmp_path}", "--days=0", env=env)
    assert "whole number" in straight("recent_files", f"--folder={tmp_path}", "--count=-1", env=env)
    assert "Which folder?" in straight("recent_files", env=env)
