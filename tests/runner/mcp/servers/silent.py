"""Never answers."""

import sys

while sys.stdin.buffer.readline():
    pass
