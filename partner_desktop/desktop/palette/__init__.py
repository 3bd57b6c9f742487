"""The command palette: everything that the window can do or show, found by some letters of its name."""
