"""The `mcp` SDK's side of a connection to an external server."""

import logging

for _name in ("mcp", "client"):  # what a server says wrongly would end up on the terminal, unasked, unbounded
    logging.getLogger(_name).propagate = False
    logging.getLogger(_name).addHandler(logging.NullHandler())
