"""Models in the window: who answers, what there is, and how to get more. Brought in when first asked for."""
