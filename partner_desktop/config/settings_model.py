"""SettingsModel: what the settings of all packages have in common."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class SettingsModel(BaseModel):
    """Whole and never changed in place; a key that it does not know is an error."""

    # The validators are built with the first file that is read: no start-up has to wait for them.
    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)
