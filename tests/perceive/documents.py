"""Documents of every kind that people attach, made by the libraries that others make them with."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence

from docx import Document
from pypdf import PdfWriter
from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject


def pdf(pages: Sequence[str], *, password: str = "") -> bytes:
    """One with a line of text a page; an empty text is an empty page."""
    writer = PdfWriter()
    font = DictionaryObject(
        {
            NameObject("/Type"): NameObject("/Font"),
            NameObject("/Subtype"): NameObject("/Type1"),
            NameObject("/BaseFont"): NameObject("/Helvetica"),
        }
    )
    for text in pages:
        page = writer.add_blank_page(width=600, height=800)
        content = DecodedStreamObject()
        content.set_data(f"BT /F1 12 Tf 20 700 Td ({text}) Tj ET".encode() if text else b"")
        page[NameObject("/Contents")] = writer._add_object(content)
        fonts = DictionaryObject({NameObject("/F1"): writer._add_object(font)})
        page[NameObject("/Resources")] = DictionaryObject({NameObject("/Font"): fonts})
    if password:
        writer.encrypt(password, algorithm="RC4-128")
    sink = io.BytesIO()
    writer.write(sink)
    return sink.getvalue()


def docx(paragraphs: Sequence[str], rows: Sequence[Sequence[str]] = ()) -> bytes:
    """One of paragraphs, and a table after them."""
    document = Document()
    for text in paragraphs:
        document.add_paragraph(text)
    if rows:
        table = document.add_table(rows=len(rows), cols=len(rows[0]))
        for at, row in enumerate(rows):
            for column, text in enumerate(row):
                table.cell(at, column).text = text
    sink = io.BytesIO()
    document.save(sink)
    return sink.getvalue()


def bomb(megabytes: int) -> bytes:
    """A DOCX whose body grows to so many megabytes, of which never more than one is held here."""
    source, sink = io.BytesIO(docx(["x"])), io.BytesIO()
    filler = b"<w:p><w:r><w:t>" + b"a" * 1_000_000 + b"</w:t></w:r></w:p>"
    with (
        zipfile.ZipFile(source) as old,
        zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as new,
    ):
        for name in old.namelist():
            before, body, after = old.read(name).partition(b"<w:body>")
            with new.open(name, "w") as entry:
                entry.write(before + body)
                for _ in range(megabytes if name == "word/document.xml" else 0):
                    entry.write(filler)
                entry.write(after)
    return sink.getvalue()
