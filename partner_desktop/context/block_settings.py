"""The context's settings, `config/context.toml`, and the fades of every kind of block, in one table.

No module has fades of its own: points of a score that runs from 100 to 0. To read a row: `FINISHED` loses 35
when a newer outcome of the same action arrives and 14 a minute, and regains up to 24 whenever a turn asks
for what actions did.
"""

from __future__ import annotations

from pydantic import ConfigDict, Field

from partner_desktop.config.handle import SettingsModel
from partner_desktop.context.score import Fades

# fmt: off
#                              replace  per_minute  activation
# What is going on around the conversation.
PERCEIVE                = Fades(   100,         30,          0)
SYSTEM                  = Fades(   100,          0,          0)

# What was said.
RECENT_MESSAGES         = Fades(   100,         10,          4)
DIALOG_HISTORY          = Fades(    20,          5,         10)

# What is remembered.
RECALLED_SLICES         = Fades(    18,          8,         16)
EXPLICIT_RECALL         = Fades(    60,         16,         28)
ACTIVE_ENTITY           = Fades(   100,        0.5,         20)

# What is wanted and done.
INTENTIONS              = Fades(    60,         18,          4)
ACQUIRE_INTERVENTION    = Fades(    10,         10,         20)
RECOVERED               = Fades(   100,         12,          1)
STATE_TRIGGERED         = Fades(    90,         30,         10)
LAUNCHED                = Fades(    28,          6,         18)
STAGE_SETTLED           = Fades(    55,         10,         12)
CORRECTION              = Fades(    22,          5,         22)
FINISHED                = Fades(    35,         14,         24)
STATE_HINT              = Fades(    60,        100,          0)

# What this turn itself brought about: it ends with the turn, and until then nothing takes from it.
TURN_EVIDENCE           = Fades(     0,          0,          0)

# An error that was turned into context.
EXCEPTION               = Fades(    10,         10,          0)
# fmt: on


class ContextSettings(SettingsModel):
    """How much of what is known goes into a prompt, and how long that can be looked up."""

    model_config = ConfigDict(json_schema_extra={"section": "memory", "place": 60})

    budget_tokens: int = Field(
        default=4_096,
        ge=256,
        le=1_000_000,
        description="The most tokens that the context blocks of one prompt may hold together.",
        json_schema_extra={"unit": "tokens"},
    )
    housekeeping_percent: int = Field(
        default=25,
        ge=0,
        le=100,
        description="The part of that budget that blocks written by a clock may take.",
        json_schema_extra={"unit": "percent"},
    )
    dialog_tokens: int = Field(
        default=8_192,
        ge=256,
        le=1_000_000,
        description="The most tokens that the retained dialog of one prompt may hold.",
        json_schema_extra={"unit": "tokens"},
    )
    kept_turns: int = Field(
        default=500,
        ge=1,
        le=100_000,
        description="How many turns of a conversation keep their prompt, so that it can be shown again.",
    )
