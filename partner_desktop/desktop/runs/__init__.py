"""What comes of runs, brought to their cards and into the panel, and what is decided about them."""
