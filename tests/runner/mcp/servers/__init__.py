"""Small MCP servers for tests: plain scripts, each with one way to behave or to misbehave.

They run as `python servers/NAME.py [argument …]` and speak over stdio; `path("NAME")` gives the script.
Those built on `by_hand.py` speak the handshake era (2025-06-18) with the standard library only, so they start
at once; `features.py` is a real server of the SDK, which speaks the 2026 era as well, and can serve HTTP and
SSE (`python features.py http`; the first line of its stdout is its address).

| name | what it does |
|---|---|
| `well_behaved` | tools `add`, `shout`, `where` (folder, variable, pid), `fail`; a resource, a prompt |
| `features` | the SDK's: progress, log, elicitation, roots, sampling, changing tools, pictures, structure |
| `asks` | by hand: the same requests of the server to its client, as the handshake era sends them |
| `silent` | never answers |
| `dies_at_start` | writes two lines to stderr and ends with exit code 3 |
| `dies_at_probe` | ends at any first request but `initialize` |
| `dies_in_call` | tool `die` ends it with exit code 4; `hang` never answers |
| `slow_start` | waits `argv[1]` seconds before it reads anything |
| `stubborn` | ignores the end of its stdin and SIGTERM, and has a child that does, too |
| `floods` | tool `flood` with `what`: notifications, logs, stdout, stderr, changes; then answers |
| `changes` | tool `learn` adds a tool named `name` and says so; `forget` removes it |
| `wrong_schemas` | lists tools with names and schemas that will not do, and one that will |
| `many_pages` | tools on `argv[1]` pages; `endless` never ends, `same` repeats its cursor |
| `huge` | tool `big` answers with `megabytes` of text, `parts` with many; `picture`, `liar`, `sound`, … |
| `odd` | a banner, duplicate answers, invalid UTF-8, deeply nested JSON, structure that breaks its promise |
"""

from __future__ import annotations

from pathlib import Path


def path(name: str) -> Path:
    """The script of a server."""
    return Path(__file__).with_name(f"{name}.py")
