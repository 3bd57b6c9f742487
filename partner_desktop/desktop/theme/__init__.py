"""How everything looks: tokens, one stylesheet, and the Theme that applies them."""
