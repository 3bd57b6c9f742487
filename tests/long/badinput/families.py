"""Every kind of input, by name."""

from __future__ import annotations

from tests.long.badinput.family import Family
from tests.long.badinput.file_families import FILE_FAMILIES
from tests.long.badinput.model_worker import ModelFiles
from tests.long.badinput.text_families import TEXT_FAMILIES
from tests.long.badinput.wire_families import WIRE_FAMILIES

FAMILIES: dict[str, type[Family]] = {
    each.name: each for each in (*TEXT_FAMILIES, *FILE_FAMILIES, *WIRE_FAMILIES, ModelFiles)
}
