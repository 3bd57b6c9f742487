"""Small faults put into the product on purpose: a test that cannot see one cannot fail there."""
