"""What the window seldom needs: pages whose code comes in when they are asked for."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from partner_desktop.desktop.panel.panel import MEMORY_TAB
from partner_desktop.desktop.window import MainWindow
from partner_desktop.desktop.work import Controller, Work

if TYPE_CHECKING:
    from partner_desktop.app import Partner
    from partner_desktop.desktop.audit.desk import AuditDesk
    from partner_desktop.desktop.memory_desk import MemoryDesk
    from partner_desktop.desktop.permissions.desk import PermissionDesk
    from partner_desktop.desktop.record_desk import RecordDesk

D = TypeVar("D", bound=Controller)


class LaterDesks(Controller):
    """One window's; there may be no Partner yet."""

    def __init__(
        self,
        window: MainWindow,
        work: Work,
        make_records: Callable[[], RecordDesk],
        make_memory: Callable[[], MemoryDesk],
    ) -> None:
        super().__init__(window, work)
        self._make_records = make_records
        self._make_memory = make_memory
        self._made: list[Controller] = []
        window.permissions_wanted.connect(lambda: self.permissions.toggle())  # noqa: PLW0108 - made when asked for
        window.panel.tab_shown.connect(lambda number: self.memory if number == MEMORY_TAB else None)
        window.audit_wanted.connect(lambda: self.audit.toggle())  # noqa: PLW0108 - made when asked for

    @cached_property
    def permissions(self) -> PermissionDesk:
        """Of the page of permissions."""
        from partner_desktop.desktop.permissions.desk import PermissionDesk  # noqa: PLC0415

        return self._joined(PermissionDesk(self._window, self._work))

    @cached_property
    def audit(self) -> AuditDesk:
        """Of the page of the audit log."""
        from partner_desktop.desktop.audit.desk import AuditDesk  # noqa: PLC0415

        return self._joined(AuditDesk(self._window, self._work))

    @cached_property
    def records(self) -> RecordDesk:
        """Of the page of one run."""
        return self._joined(self._make_records())

    @cached_property
    def memory(self) -> MemoryDesk:
        """Of the Memory tab."""
        return self._joined(self._make_memory())

    def _joined(self, desk: D) -> D:
        self._made.append(desk)
        if self._partner is not None:
            desk.listen(self._partner)
        return desk

    def _begin(self, partner: Partner) -> None:
        for desk in self._made:
            desk.listen(partner)

    def ignore(self) -> None:
        """Take nothing more."""
        super().ignore()
        for desk in self._made:
            desk.ignore()
