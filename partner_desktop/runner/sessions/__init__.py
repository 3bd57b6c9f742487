"""Commands in the background: started, read by offset, ended, and heard of when they end by themselves."""
