"""What a model might write, token by token: ordinary Markdown, and the shapes that are hardest to show."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import count

#: About what a model's tokens are: a short piece of a word with the space before it, or one ideograph.
_TOKEN = re.compile(r"\s?[A-Za-z0-9]{1,4}|\s?[^\x00-\x7f]|\s?[^\w\s]{1,3}|\s+|.", re.DOTALL)

_SECTION = """## Part {n}: what the backup does

The script copies **only what changed** since run {n}, and *never* removes anything by itself. Run it with
`backup --dry-run ~/Notes` first; ~~`--force`~~ is gone since version 2. More is in the
[handbook](https://example.org/handbook?part={n}).

中文也可以：**重点。**后面的字，第{n}部分说明文件怎样比较，哪些目录会被跳过，以及为什么不会删除任何东西。

1. Reads the list of folders
   - from `~/.config/backup.toml`
   - or from the command line
2. Compares hashes, file by file
3. Writes one archive per folder, number {n}

| folder | files | changed | note |
|:--|--:|--:|:--|
| `~/Notes` | {n} | 12 | every evening at six |
| `~/Pictures` | 12 804 | 3 | only **on Sundays** |
| 周报 | 52 | 1 | 每周五 |

```python
def digest(path: Path, *, size: int = 1 << 16) -> str:
    \"\"\"The SHA-256 of file {n}, read in pieces.\"\"\"
    found = hashlib.sha256()
    with path.open("rb") as file:
        while piece := file.read(size):  # an empty piece is the end
            found.update(piece)
    return found.hexdigest()
```

> Nothing is deleted. A file that is gone from the source stays in the backup
> until you say otherwise.

"""


def _mixed() -> Iterator[str]:
    for n in count(1):
        yield _SECTION.format(n=n)


def _code() -> Iterator[str]:
    yield "```python\n"
    for n in count(1):
        yield f"def step_{n}(value: int) -> str:\n"
        yield f'    """What step {n} does."""\n    total = value * {n}  # and on\n'
        yield f'    return f"{{total}} of {n}"\n\n\n'


def _paragraph() -> Iterator[str]:
    for n in count(1):
        yield f"And then, as it was said **{n} times**, the script goes on with `folder {n}` 和下一个目录, "


def _lines() -> Iterator[str]:
    for n in count(1):
        yield f"This is line {n} of a paragraph that *never* ends, "
        yield f"with `code` and a [link](https://example.org/{n})\n"


def _table() -> Iterator[str]:
    yield "| folder | files | note |\n|:--|--:|:--|\n"
    for n in count(1):
        yield f"| `~/folder-{n}` | {n} | changed **{n % 7} times** this week |\n"


def _list() -> Iterator[str]:
    for n in count(1):
        yield f"{n}. The folder `~/folder-{n}` holds {n} files of **some** kind\n"


def _quote() -> Iterator[str]:
    for n in count(1):
        yield f"> Line {n} of what somebody said about *folders*, and it goes on\n"


#: Shape → how its text goes on without end.
SHAPES: dict[str, Callable[[], Iterator[str]]] = {
    "mixed": _mixed,
    "code": _code,
    "paragraph": _paragraph,
    "lines": _lines,
    "table": _table,
    "list": _list,
    "quote": _quote,
}


class Source:
    """One endless text: first as much as is wanted at once, then token by token."""

    def __init__(self, shape: str) -> None:
        self._pieces = SHAPES[shape]()

    def bulk(self, size: int, *, portion: int = 4_096) -> Iterator[str]:
        """At least `size` characters, in large pieces."""
        held = ""
        while size > 0:
            held += next(self._pieces)
            if len(held) >= min(portion, size):
                size -= len(held)
                yield held
                held = ""

    def tokens(self) -> Iterator[str]:
        """The rest, in tokens."""
        for piece in self._pieces:
            yield from _TOKEN.findall(piece)
