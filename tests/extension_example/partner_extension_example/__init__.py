"""An example of a package that extends Partner Desktop; see its pyproject.toml for the entry points."""
