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
    from partner_desktop.desktop.audit.audit_controller import AuditController
    from partner_desktop.desktop.panel.memory.memory_controller import MemoryController
    from partner_desktop.desktop.panel.record.record_controller import RecordController
    from partner_desktop.desktop.permissions.permission_controller import PermissionController

D = TypeVar("D", bound=Controller)


class LateControllers(Controller):
    """One window's; there may be no Partner yet."""

    def __init__(
        self,
        window: MainWindow,
        work: Work,
        make_records: Callable[[], RecordController],
        make_memory: Callable[[], MemoryController],
    ) -> None:
        super().__init__(window, work)
        self._make_records = make_records
        self._make_memory = make_memory
        self._made: list[Controller] = []
        window.permissions_wanted.connect(lambda: self.permissions.toggle())  # noqa: PLW0108 - made when asked for
        window.panel.tab_shown.connect(lambda number: self.memory if number == MEMORY_TAB else None)
        window.audit_wanted.connect(lambda: self.audit.toggle())  # noqa: PLW0108 - made when asked for

    @cached_property
    def permissions(self) -> PermissionController:
        """Of the page of permissions."""
        from partner_desktop.desktop.permissions.permission_controller import PermissionController  # noqa: PLC0415

        return self._joined(PermissionController(self._window, self._work))

    @cached_property
    def audit(self) -> AuditController:
        """Of the page of the audit log."""
        from partner_desktop.desktop.audit.audit_controller import AuditController  # noqa: PLC0415

        return self._joined(AuditController(self._window, self._work))

    @cached_property
    def records(self) -> RecordController:
        """Of the page of one run."""
        return self._joined(self._make_records())

    @cached_property
    def memory(self) -> MemoryController:
        """Of the Memory tab."""
        return self._joined(self._make_memory())

    def _joined(self, controller: D) -> D:
        self._made.append(controller)
        if self._partner is not None:
            controller.listen(self._partner)
        return controller

    def _begin(self, partner: Partner) -> None:
        for controller in self._made:
            controller.listen(partner)

    def ignore(self) -> None:
        """Take nothing more."""
        super().ignore()
        for controller in self._made:
            controller.ignore()
