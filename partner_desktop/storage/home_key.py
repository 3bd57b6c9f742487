"""The key of a home: what its backups are signed with. It never leaves the home.

Blocking. Where it is missing a backup is another home's.
"""

from __future__ import annotations

import os
import secrets

from partner_desktop.base import private
from partner_desktop.base.paths import Home

_BYTES = 32


def home_key(home: Home) -> bytes:
    """The key; made where there is none.

    Raises:
        OSError: It cannot be read or written.
    """
    path = home.key_file
    private.close(path)
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    except FileExistsError:
        key = path.read_bytes()
        if len(key) == _BYTES:
            return key
        path.unlink()  # cut off while it was written: nothing is signed with it yet
        return home_key(home)
    with os.fdopen(descriptor, "wb") as file:
        key = secrets.token_bytes(_BYTES)
        file.write(key)
        file.flush()
        os.fsync(file.fileno())
    return key
