"""The runtime: context of parts, turns, dialog, channels, the host of a home. Knows no Qt."""
