"""Takes the text out of a document (PDF, DOCX) that may be anybody's. A script of its own, run in a sandbox.

    python -I document_child.py KIND MOST_CHARACTERS SITE…   < document   > {"text", "characters", "unread"}

Contract: never imported by Partner itself, whose process no foreign parser runs in. It reads the document
from its input, writes one line of JSON, and touches nothing else. `SITE` are folders that the parsers lie in.
`unread` is a value of `Unread`.
"""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Iterator

#: What an encrypted document of Word begins with: it is no zip any more.
_COMPOUND = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


def pdf_text(data: bytes, most: int) -> tuple[str, int, str]:
    """The text of its first pages, about how much there is of it, and why not all of it was taken."""
    from pypdf import PdfReader  # noqa: PLC0415 - found once the folders are known
    from pypdf.errors import DependencyError  # noqa: PLC0415 - as above

    reader = PdfReader(io.BytesIO(data), strict=False)
    try:
        if reader.is_encrypted and not reader.decrypt(""):
            return "", 0, "encrypted"
    except (DependencyError, NotImplementedError):
        return "", 0, "encrypted"
    taken, characters, pages = [], 0, len(reader.pages)
    for number, page in enumerate(reader.pages, 1):
        text = page.extract_text().strip()
        taken.append(text)
        characters += len(text)
        if characters >= most:
            return "\n\n".join(taken)[:most], characters * pages // number, "long"
    return "\n\n".join(taken).strip(), characters, "" if characters else "scanned"


def docx_text(data: bytes, most: int) -> tuple[str, int, str]:
    """Its paragraphs and tables, in order."""
    if data.startswith(_COMPOUND):
        return "", 0, "encrypted"
    from docx import Document  # noqa: PLC0415 - found once the folders are known

    text = "\n".join(_docx_lines(data, Document)).strip()
    return text[:most], len(text), "long" if len(text) > most else "" if text else "scanned"


def _docx_lines(data: bytes, document: object) -> Iterator[str]:
    from docx.table import Table  # noqa: PLC0415 - as above

    assert callable(document)
    for part in document(io.BytesIO(data)).iter_inner_content():
        if isinstance(part, Table):
            for row in part.rows:
                yield " | ".join(cell.text.strip() for cell in row.cells)
        else:
            yield part.text


def _main() -> None:
    kind, most = sys.argv[1], int(sys.argv[2])
    sys.path[:0] = sys.argv[3:]
    data = sys.stdin.buffer.read()
    try:
        text, characters, unread = pdf_text(data, most) if kind == "pdf" else docx_text(data, most)
    except (MemoryError, RecursionError):
        text, characters, unread = "", 0, "slow"
    except Exception:  # noqa: BLE001 - a parser of strangers' files may fail in any way
        text, characters, unread = "", 0, "broken"
    sys.stdout.write(json.dumps({"text": text, "characters": characters, "unread": unread}))


if __name__ == "__main__":
    _main()
