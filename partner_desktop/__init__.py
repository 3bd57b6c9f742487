"""Partner Desktop: a local-first desktop companion that can act."""

__version__ = "0.1.0"
