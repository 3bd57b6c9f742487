"""Scripts that leave things in their workspace, and scripts that are given them."""

from __future__ import annotations

from pathlib import Path

from partner_desktop.app import Partner
from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.events import ReplyEvent
from tests.action.listing import keys
from tests.action.plans.running import Wanted, approved, at_rest, child_card, ended
from tests.support import Watcher

#: Runs what its first line says, in its working folder.
LEAVES = """\
# /// partner
# description = "Make a table as a file"
# [params.what]
# type = "string"
# description = "what to leave"
# ///
import json, os, socket, sys
home, what = os.environ["PARTNER_WORKSPACE"], json.load(sys.stdin)["what"]
exec(what)
"""

READS = """\
# /// partner
# description = "Read a table"
# [params.table]
# type = "string"
# format = "path"
# access = "read"
# description = "the table to read"
# ///
import json, os, sys
place = json.load(sys.stdin)["table"]
print(open(place).read() if os.path.isfile(place) else sorted(os.listdir(place)))
try:
    open(place, "a").write("x")
    print("written!")
except OSError:
    pass
"""

SPOILS = """\
# /// partner
# description = "Spoil a table"
# [params.table]
# type = "string"
# format = "path"
# access = "write"
# x-partner-there = true
# description = "the table to spoil"
# ///
import json, sys
open(json.load(sys.stdin)["table"], "a").write("spoiled")
"""

JOINS = """\
# /// partner
# description = "Join tables"
# [params.tables]
# type = "array"
# items = { type = "string", format = "path", access = "read" }
# description = "the tables to join"
# ///
import json, sys
print("".join(open(place).read() for place in json.load(sys.stdin)["tables"]))
"""

#: Says that it only reads, and so it does: what it makes lies in its workspace. It tells its input again.
CHART = """\
# /// partner
# description = "Draw a chart of the numbers in a CSV file"
# aliases = { en = ["make a chart from a table"] }
# annotations = { readOnlyHint = true }
# [params.table]
# type = "string"
# format = "path"
# access = "read"
# description = "the CSV file with the numbers"
# ///
import json, sys
table = json.load(sys.stdin)["table"]
open("chart.png", "w").write("a chart of " + open(table).read())
print(json.dumps({"summary": "Drew 2 bars.", "table": table}))
"""

SHRINK = """\
# /// partner
# description = "Shrink a picture"
# [params.picture]
# type = "string"
# format = "path"
# access = "read"
# description = "the picture to shrink"
# ///
import json, sys
print("shrunk", open(json.load(sys.stdin)["picture"]).read())
"""

#: Looks at what lies around it.
PEEKS = """\
# /// partner
# description = "Peek around a table"
# [params.table]
# type = "string"
# format = "path"
# access = "read"
# description = "the table"
# ///
import json, os, sys
place = json.load(sys.stdin)["table"]
for _ in range(3):
    place = os.path.dirname(place)
    print(*sorted(os.listdir(place)))
"""

ABILITIES = {
    "peeks": PEEKS,
    "chart": CHART,
    "shrink": SHRINK,
    "joins": JOINS,
    "leaves": LEAVES,
    "reads": READS,
    "spoils": SPOILS,
}
TABLE = "open('out.csv', 'w').write('a,b'); print('done')"


async def write_leaving(partner: Partner, watcher: Watcher, action_dir: Path) -> None:
    """Drop the scripts, and wait until they are listed."""
    for name, text in ABILITIES.items():
        (action_dir / "dynamic" / f"{name}.py").write_text(text)
    await watcher.until(lambda event: {f"local::{name}" for name in ABILITIES} <= keys(partner))


def leaves(what: str = TABLE) -> Wanted:
    return Wanted({"what": what}, "local::leaves")


def reads(source: Wanted, key: str = "local::reads", param: str = "table") -> Wanted:
    return Wanted({}, key, feeds={param: source.id})


def told(watcher: Watcher) -> list[str]:
    return [event.text for event in watcher.events if isinstance(event, ReplyEvent) and event.done]


async def ran(partner: Partner, watcher: Watcher, *steps: Wanted) -> tuple[ActionRecord, str]:
    """The chain at its end, and what its last step printed."""
    chain = await approved(partner, [[step] for step in steps])
    over = await ended(partner, watcher, chain.id)
    assert over.chain is not None
    last = await partner.actions.get(steps[-1].id) if over.chain.steps[-1].started_at else None
    return over, last.stdout if last is not None else ""


def two_tables() -> tuple[Wanted, Wanted]:
    first = leaves("[open(n, 'w').write(n) for n in ('a.csv', 'b.csv')]; print('wrote a.csv and b.csv')")
    return first, reads(first)


async def answered(
    partner: Partner, watcher: Watcher, first: Wanted, second: Wanted
) -> tuple[ActionRecord, ActionRecord]:
    """The chain, and the card of its second step, after its question was answered."""
    chain = await approved(partner, [[first], [second]])
    await at_rest(watcher, chain)
    await partner.messages.send("b.csv", conversation_id=chain.conversation_id)
    return chain, await child_card(watcher, chain.id)
