"""A Partner with three small abilities, and chains that begin as the planner begins them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from partner_desktop.action.plans.plan_draft import PlanDraft, StepDraft
from partner_desktop.app import Partner
from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.evidence import Asked, Evidence, Proposed
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.plan import StepInput
from partner_desktop.permission.request import ApprovalMode
from partner_desktop.runtime.exchanges import Exchange
from tests.action.listing import by_key, keys, put
from tests.support import Watcher

UPPER = """\
# /// partner
# description = "Shout a text in capital letters"
# [params.text]
# type = "string"
# description = "the text to shout"
# [params.times]
# type = "integer"
# description = "how often"
# default = 1
# ///
import json, sys
given = json.load(sys.stdin)
print(given["text"].upper() * given.get("times", 1))
"""

KEEP = """\
# /// partner
# description = "Keep a text in a file"
# [params.file]
# type = "string"
# format = "path"
# access = "write"
# description = "the file to write"
# [params.text]
# type = "string"
# description = "what to keep"
# ///
import json, pathlib, sys
given = json.load(sys.stdin)
pathlib.Path(given["file"]).write_text(given["text"])
print(given["file"])
"""

COUNT = """\
# /// partner
# description = "Count the characters of a file"
# [params.file]
# type = "string"
# format = "path"
# access = "read"
# description = "the file to look at"
# ///
import json, pathlib, sys
print(len(pathlib.Path(json.load(sys.stdin)["file"]).read_text()))
"""

SCRIPTS = {"upper": UPPER, "keep": KEEP, "count": COUNT}


class ChainRoom:
    """What a test of chains does with a Partner."""

    def __init__(self, partner: Partner, watcher: Watcher, action_dir: Path, folder: Path) -> None:
        self.partner = partner
        self.watcher = watcher
        self.folder = folder
        """Where relative paths are."""
        self.scripts = action_dir / "dynamic"
        self.proposals = partner._parts.actions.proposals
        self.conversation_id = ""

    async def launch(self) -> None:
        """Drop the scripts, and wait until they are listed."""
        for name, text in SCRIPTS.items():
            (self.scripts / f"{name}.py").write_text(text)
        wanted = {f"local::{name}" for name in SCRIPTS}
        await self.watcher.until(lambda event: wanted <= keys(self.partner))
        self.conversation_id = (await self.partner.conversations.create()).id
        self.watcher.events.clear()

    def draft(self, name: str, *feeds: StepInput, **params: object) -> StepDraft:
        """What is wanted of an ability."""
        key = name if "::" in name else f"local::{name}"
        info = by_key(self.partner, key).info
        assert info is not None
        given: JsonObject = dict(params)  # type: ignore[arg-type] # JSON, or what no schema takes
        return StepDraft(info, f"please {info.title}", given, feeds)

    def fed(self, draft: StepDraft, param: str, source: str) -> StepDraft:
        """The same, with a parameter that another step brings."""
        return replace(draft, feeds=(StepInput(param, source),))

    async def add(self, name: str, text: str) -> str:
        """Drop one more script, and wait until it is listed; its key."""
        await put(self.watcher, self.scripts / f"{name}.py", text, f"local::{name}")
        return f"local::{name}"

    async def edit(self, name: str, change: Callable[[str], str]) -> None:
        """Edit a script as the person does, and wait until that is known."""
        path = self.scripts / f"{name}.py"
        await put(self.watcher, path, change(path.read_text()), f"local::{name}")

    def exchange(self, standing: ApprovalMode = ApprovalMode.ASK) -> Exchange:
        book = self.partner._parts.core.exchanges
        return book.open(self.conversation_id, cwd=str(self.folder), standing=standing)

    async def begin(
        self, *stages: Sequence[StepDraft] | StepDraft, standing: ApprovalMode = ApprovalMode.ASK
    ) -> Evidence:
        """As the planner begins a chain."""
        exchange = self.exchange(standing)
        release = exchange.hold()
        rows = [[stage] if isinstance(stage, StepDraft) else stage for stage in stages]
        try:
            return await self.proposals.begin(PlanDraft(rows, "do all of that"), exchange=exchange)
        finally:
            release()

    async def propose(self, *stages: Sequence[StepDraft] | StepDraft) -> ActionRecord:
        """A chain that waits on its card."""
        evidence = await self.begin(*stages)
        assert isinstance(evidence, Proposed)
        return evidence.action

    async def tell(self, evidence: Proposed | Asked) -> None:
        """As the turn ends that began it: the reply takes its place."""
        action = evidence.action
        self.watcher.events.clear()
        self.partner._parts.core.dialog.initiate_turn(
            [evidence],
            conversation_id=action.conversation_id,
            exchange_id=action.exchange_id,
            skip=frozenset({"ActionPlanner"}),
        )
        await self.watcher.done(action.exchange_id)

    async def answer(self, asked: Evidence, **params: object) -> Evidence:
        """As the planner takes an answer: with all parameters of the asked step."""
        assert isinstance(asked, Asked)
        known = asked.action.params
        return await self.proposals.answer(asked.action, {**known, **params}, exchange=self.exchange())  # type: ignore[dict-item]

    async def now(self, record: ActionRecord) -> ActionRecord:
        return await self.partner.actions.get(record.id)
