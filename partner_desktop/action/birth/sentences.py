"""What is said when there is no code to make an ability of, in the person's language."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Sentences:
    """One language's."""

    no_code: str
    """`This` is nowhere to be found."""
    no_model: str
    """Somebody should write it, and nobody here can."""
    not_written: str
    """The model was asked, and no script came of it."""
    no_language: str


ENGLISH = Sentences(
    no_code="I found no code in your last messages.",
    no_model="Writing code takes a model, and none is set up; but I can make an ability of code "
    "that you paste.",
    not_written="The model did not write a script that works out.",
    no_language="I cannot tell which language that is; put it between ``` marks, with the language behind "
    "the first, such as ```python.",
)
CHINESE = Sentences(
    no_code="在你最近的消息里没有找到代码。",
    no_model="写代码需要模型，这里还没有设置；不过，你贴出代码，我就能把它变成能力。",
    not_written="模型没有写出可用的脚本。",
    no_language="我看不出这是什么语言；请放在 ``` 之间，并在第一个 ``` 后写上语言，比如 ```python。",
)
