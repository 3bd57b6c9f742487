"""The right column: actions and abilities, live."""
