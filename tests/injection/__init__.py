"""Texts that give orders, put wherever a text from outside can stand; and what must not come of them."""
