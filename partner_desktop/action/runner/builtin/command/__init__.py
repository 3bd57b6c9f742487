"""`command::…`: programs with their arguments, without a shell, with the person's own rights."""
