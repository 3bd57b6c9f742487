"""Plans that are changed on their way: by a mind that mends them, and as the person wants them."""
