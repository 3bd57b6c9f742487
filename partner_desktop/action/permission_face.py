"""The part of the app's public face that is about what may run; `app.Partner` inherits it."""

from __future__ import annotations

from partner_desktop.base.errors import UsageError
from partner_desktop.domain.permission import Mode, Permissions, Rule


class PermissionFace:
    """Whoever inherits builds the parts."""

    async def permissions(self) -> Permissions:
        """What is in force now."""
        return Permissions(Mode.SMART)

    async def set_mode(self, mode: Mode) -> None:
        """Let more or less run without a question; written into `config/permission.toml`."""
        raise UsageError("The mode cannot be changed.")

    async def save_rule(self, rule: Rule, *, place: int | None = None) -> None:
        """Write a rule into the file: a new one at its end, or in the place of the one that stands there.

        Raises:
            UsageError: It is not one that can hold; the sentence says why.
        """
        raise UsageError("The rule cannot be written.")

    async def remove_rule(self, place: int) -> None:
        """Take a rule out of the file; `place` counts from 0.

        Raises:
            UsageError: There is none.
        """
        raise UsageError("There is no such rule.")

    async def revoke_grant(self, grant_id: str) -> None:
        """Take a yes back: it asks again from now on. What runs at this moment goes on.

        Raises:
            UsageError: There is none, or it was taken back already.
        """
        raise UsageError("There is no such grant.")
