"""The table of all attempts."""

from __future__ import annotations

from tests.long.escapes.around import AROUND
from tests.long.escapes.kernel import KERNEL
from tests.long.escapes.reaching import REACHING
from tests.long.escapes.reading import READING
from tests.long.escapes.using import USING
from tests.long.escapes.writing import WRITING

ATTEMPTS = (*READING, *WRITING, *REACHING, *KERNEL, *USING, *AROUND)
