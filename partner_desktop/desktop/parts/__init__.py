"""Small widgets that know nothing of Partner."""
