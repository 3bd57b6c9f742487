"""What the window seldom needs: pages whose code comes in when they are asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from partner_desktop.desktop.window import MainWindow
from partner_desktop.desktop.work import Work

if TYPE_CHECKING:
    from partner_desktop.app import Partner
    from partner_desktop.desktop.audit.desk import AuditDesk
    from partner_desktop.desktop.permissions.desk import PermissionDesk
    from partner_desktop.desktop.record_desk import RecordDesk


class LaterDesks:
    """One window's; there may be no Partner yet."""

    def __init__(self, window: MainWindow, work: Work, make_records: Callable[[], RecordDesk]) -> None:
        self._window = window
        self._work = work
        self._make_records = make_records
        self._partner: Partner | None = None
        self._permissions: PermissionDesk | None = None
        self._audit: AuditDesk | None = None
        self._records: RecordDesk | None = None
        window.permissions_wanted.connect(lambda: self.permissions.toggle())  # noqa: PLW0108 - made when asked for
        window.audit_wanted.connect(lambda: self.audit.toggle())  # noqa: PLW0108 - made when asked for

    @property
    def permissions(self) -> PermissionDesk:
        """Of the page of permissions."""
        if self._permissions is None:
            from partner_desktop.desktop.permissions.desk import PermissionDesk  # noqa: PLC0415

            self._permissions = PermissionDesk(self._window, self._work)
            if self._partner is not None:
                self._permissions.listen(self._partner)
        return self._permissions

    @property
    def audit(self) -> AuditDesk:
        """Of the page of the audit log."""
        if self._audit is None:
            from partner_desktop.desktop.audit.desk import AuditDesk  # noqa: PLC0415

            self._audit = AuditDesk(self._window, self._work)
            if self._partner is not None:
                self._audit.listen(self._partner)
        return self._audit

    @property
    def records(self) -> RecordDesk:
        """Of the page of one run."""
        if self._records is None:
            self._records = self._make_records()
            if self._partner is not None:
                self._records.listen(self._partner)
        return self._records

    def listen(self, partner: Partner) -> None:
        """Partner is there."""
        self._partner = partner
        for desk in (self._permissions, self._audit, self._records):
            if desk is not None:
                desk.listen(partner)

    def ignore(self) -> None:
        """Take nothing more."""
        for desk in (self._permissions, self._audit, self._records):
            if desk is not None:
                desk.ignore()
