"""The Protocols through which modules reach each other; one implementation of each."""
