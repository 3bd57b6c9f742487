"""What JSON can say, as a type."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"
else:
    Json = Any  # whoever reads hints at run time, as pydantic does, cannot follow one that names itself

JsonObject: TypeAlias = dict[str, Json]
