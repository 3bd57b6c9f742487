"""What is wrong in a configuration gets a sentence at its line, and takes nothing else with it."""

from __future__ import annotations

from tests.runner.mcp_config.reads import faults
from tests.tables import all_rows

_WHOLE = [
    ("", 1, "it is empty"),
    ("  \n // nothing\n", 1, "it is empty"),
    ("[]", 1, "must be an object"),
    ('{"a": {"command": "x"}', 1, "ends before the `{` of line 1 is closed (column 23)"),
    ('{\n "a": {"command": "x"}\n "b": {}}', 3, 'a `,` or `}` is missing before `"b"` (column 2)'),
    ("{\n  a: {}}", 2, "a name in double quotes was expected, but `a` stands there (column 3)"),
    ("{\n 'a': {}}", 2, "a name in double quotes was expected"),
    ('{"a": {"command": \'x\'}}', 1, "straight double quotes"),
    ('{"a": {"disabled": True}}', 1, "`True` is no JSON value; write `true`"),
    ('{"a": {\n"command": "C:\\work\\x"}}', 2, "a backslash is written as two"),
    ('{"a": {"command": "x\n"}}', 1, "not closed by a quote on the same line"),
    ('{"a": {"command": "\\ud800"}}', 1, "half a character"),
    ('{"a": {"command" "x"}}', 1, "a `:` is missing"),
    ('{"a": {"command": }}', 1, "a value was expected"),
    ('{"a": {"timeout": 01}}', 1, "a value was expected"),
    ('{"a": {"timeout": NaN}}', 1, "`NaN` is no JSON value"),
    ("{} {}", 1, "stands after the end"),
    ("{,}", 1, "a name in double quotes was expected"),
    ("/* {}", 1, "not closed by `*/`"),
    ('{"a": ' + "[" * 500, 1, "nested deeper"),
    ('{"a": {"timeout": ' + "9" * 5_000 + "}}", 1, "digits"),
    ("mcpServers:\n  a:\n    command: x\n", 1, "a value was expected, but `mcpServers` stands there"),
]

_ENTRIES = [
    ('{"a": {}}', 1, "neither `command` nor `url`"),
    ('{"a": {"args": []}}', 1, "neither `command` nor `url`"),
    ('{"a": null}', 1, "must be an object"),
    ('{\n"a": "npx -y x"}', 2, "must be an object"),
    ('{"a": {\n"comand": "x"}}', 2, "did you mean that by `comand`?"),
    ('{"a": {"ulr": "http://x"}}', 1, "it has no `url`; did you mean that by `ulr`?"),
    ('{"a": {"type": "http"}}', 1, "it has no `url`"),
    ('{"a": {"type": "stdio", "url": "http://h"}}', 1, "it has no `command`"),
    ('{"a": {"type": "websocket", "url": "ws://h"}}', 1, "`websocket` is no type of connection"),
    ('{"a": {"command": "x",\n"url": "http://h"}}', 2, "both `command` and an address"),
    ('{"a": {"command": ["npx", "-y"]}}', 1, "put the program into `command` and the rest into `args`"),
    ('{"a": {"command": 3, "url": "http://h/"}}', 1, "`command` must be a text, not a number"),
    ('{"a": {"command": {}, "args": []}}', 1, "`command` must be a text, not an object"),
    ('{"a": {"command": "x\\ny"}}', 1, "`command` holds a line break"),
    ('{"a": {"command": "x", "args": "-y"}}', 1, "`args` must be a list of texts"),
    ('{"a": {"command": "x", "args": [\n"y",\nnull]}}', 3, "`args`, place 2, must be a text, not null"),
    ('{"a": {"command": "x", "args": [["y"]]}}', 1, "not a list"),
    ('{"a": {"command": "x", "args": ["\\u0000"]}}', 1, "NUL"),
    ('{"a": {"command": "x", "env": ["A=b"]}}', 1, "`env` must be an object"),
    ('{"a": {"command": "x", "env": {"A": null}}}', 1, "`A` in `env` must be a text, not null"),
    ('{"a": {"command": "x", "env": {"A=B": "c"}}}', 1, "not the name of a variable"),
    ('{"a": {"command": "x", "env": {"A": "1", "A": "2"}}}', 1, "`env` holds `A` twice"),
    ('{"a": {"command": "x", "cwd": 3}}', 1, "`cwd` must be a text"),
    ('{"a": {"command": "x",\n"command": "y"}}', 2, "`command` stands twice"),
    ('{"a": {"url": "ftp://h"}}', 1, "must begin with `http://` or `https://`"),
    ('{"a": {"url": "localhost:3000/mcp"}}', 1, "must begin with `http://` or `https://`"),
    ('{"a": {"url": "http://"}}', 1, "names no host"),
    ('{"a": {"url": "http://h:99999/"}}', 1, "is not an address"),
    ('{"a": {"url": "http://h:0/"}}', 1, "port 0"),
    ('{"a": {"url": "http://[::1/"}}', 1, "is not an address"),
    ('{"a": {"url": "http://h/a b"}}', 1, "holds blanks"),
    ('{"a": {"url": 80}}', 1, "`url` must be a text"),
    ('{"a": {"uri": "http://h", "endpoint": "ftp://x/"}}', 1, "must begin with `http://`"),
    ('{"a": {"url": "http://h", "headers": {"X": "a\\r\\nEvil: 1"}}}', 1, "holds a line break"),
    ('{"a": {"url": "http://h", "headers": {"X Y": "a"}}}', 1, "is not the name of a header"),
    ('{"a": {"url": "http://h", "headers": {"X": "grün"}}}', 1, "outside of ASCII"),
    ('{"a": {"command": "x", "timeout": -1}}', 1, "more than 0 seconds"),
    ('{"a": {"command": "x", "timeout": 0}}', 1, "more than 0 seconds"),
    ('{"a": {"command": "x",\n"timeout": "30"}}', 2, "number of seconds without quotes"),
    ('{"a": {"command": "x",\n"timeout":\n\n"30"}}', 2, "number of seconds without quotes"),
    ('{"a": {"command": "x", "timeout": 600000}}', 1, "leave out three zeros"),
    ('{"a": {"command": "x", "timeout": 1e999}}', 1, "more than a day"),
    ('{"a": {"command": "x", "timeout": true}}', 1, "number of seconds"),
    ('{"a": {"command": "x", "disabled": "yes"}}', 1, "must be true or false"),
    ('{"a::b": {"command": "x"}}', 1, "has `::` in its name"),
    ('{"a/b": {"command": "x"}}', 1, "for example `b`"),
    ('{"a\\\\b": {"command": "x"}}', 1, "has `\\` in its name"),
    ('{"a\\tb": {"command": "x"}}', 1, "control characters"),
    ('{"a\\u202eb": {"command": "x"}}', 1, "control characters"),
    ('{" a": {"command": "x"}}', 1, "blanks at an end"),
    ('{"": {"command": "x"}}', 1, "has no name"),
    ('{"' + "n" * 300 + '": {"command": "x"}}', 1, "300 characters"),
    *(
        (f'{{"{name}": {{"command": "x"}}}}', 1, "Partner's own abilities")
        for name in ("local", "builtin", "origin", "file", "folder", "server", "Local", "ｌｏｃａｌ")
    ),
    ('{"a": {"command": "x"},\n"a": {"command": "y"}}', 2, "`a` stands twice"),
    ('{"mcpServers": {"a": {"command": "x"}},\n"servers": {"a": {"command": "y"}}}', 2, "`a` stands twice"),
    ('{"mcpServers": {}, "mcpServers": {}}', 1, "`mcpServers` stands twice"),
    ('{"mcpServers": {},\n"b": {"command": "x"}}', 2, "stands beside `mcpServers`"),
    ('{"mcpserver": {"a": {"command": "x"}}}', 1, "did you mean `mcpServers`?"),
    ('{"mcpServers": {"mcpServers": {"a": {"command": "x"}}}}', 1, "did you mean `mcpServers`?"),
]


@all_rows("text, line, words", [*_WHOLE, *_ENTRIES])
def test_a_mistake_gets_its_sentence_at_its_line(text: str, line: int, words: str) -> None:
    (fault,) = faults(text)
    assert words in fault.message
    assert fault.line == line
    assert fault.message.isprintable()
    assert len(fault.message) < 300


@all_rows("text", [text for text, _, _ in _ENTRIES if text.startswith('{"a": {')])
def test_a_broken_entry_leaves_its_neighbour(text: str) -> None:
    neighbours = text.rstrip()[:-1] + ', "fine": {"command": "y"}}'
    assert all(fault.id == "a" for fault in faults(neighbours))
    assert len(faults(neighbours)) == 1


def test_more_servers_than_anybody_has_are_counted_once() -> None:
    many = ",\n".join(f'"s{number}": {{"command": "x"}}' for number in range(600))
    (fault,) = faults(f"{{{many}}}")
    assert "more than 500 servers" in fault.message
    assert fault.line == 501
