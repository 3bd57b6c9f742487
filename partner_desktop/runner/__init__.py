"""RunnerClient and everything under it: routes, live folders, sandbox, processes."""
