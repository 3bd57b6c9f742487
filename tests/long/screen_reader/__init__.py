"""The real window, had by a screen reader's own door alone: a client of AT-SPI, as Orca is one."""
