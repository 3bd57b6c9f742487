"""The live folders, the catalog of abilities, what is built in, and how abilities are made and kept."""
