"""A day to look at: what a Partner holds by then, and what the window hears of once it is there."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from partner_desktop.base.paths import Home
from partner_desktop.desktop.sidebar.status import StatusState
from partner_desktop.desktop.window import MainWindow
from partner_desktop.domain.ability import Ability
from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.events import AbilitiesEvent, Event, ServersEvent
from partner_desktop.domain.mcp_server import ServerPhase, ServerStatus

from .moments import Loop, Moments
from .samples import ability, broken_ability

#: Today, so that times read as times, but always at the same hour.
NOW = datetime.now(UTC).replace(hour=10, minute=42, second=0, microsecond=0)


class Day(Moments):
    """Rows in the home of a real Partner; of abilities and servers it is only told."""

    def __init__(self, loop: Loop, home: Home, action_dir: Path) -> None:
        super().__init__(loop, home, action_dir, now=NOW)
        self.told: list[Event] = []
        """Once the window is there, in order."""
        self.abilities: list[Ability] = [
            ability(
                "count_types",
                "Count how often each file type occurs in a folder",
                aliases=("count file types", "统计文件类型"),
            ),
            ability(
                "find_duplicates",
                "Find files with the same content",
                aliases=("find duplicates", "查找重复文件"),
            ),
            broken_ability(),
        ]
        self.servers: dict[str, ServerStatus] = {}

    def put(self, *records: ActionRecord) -> None:
        """Actions that are there; those of the open conversation have their cards."""
        for record in records:
            if record.conversation_id == "c1":
                self.add_card(record)
            else:
                self.add_action(record)

    def tell(self, window: MainWindow) -> None:
        """The window hears of it; what differs from machine to machine is as on any other."""
        servers = tuple(self.servers.values())
        for event in (
            AbilitiesEvent(changed=tuple(self.abilities), removed=()),
            ServersEvent(changed=servers),
            *self.told,
        ):
            self.deliver(event)
        phases = [server.phase for server in servers]
        known = window.panel.abilities_tab.abilities
        state = StatusState(
            started=True,
            finding="ready",
            abilities=sum(1 for one in known if one.usable),
            broken=sum(1 for one in known if one.fault is not None),
            servers=phases.count(ServerPhase.READY),
            failed_servers=phases.count(ServerPhase.FAILED),
        )
        window.sidebar.status.show_state(state)
        window.panel.abilities_tab.show_folder(Path("/home/user/partner/action"))
