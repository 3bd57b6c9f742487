"""Says why on stderr, and ends."""

import sys

print("reading the settings\nthe key is missing", file=sys.stderr)
sys.exit(3)
