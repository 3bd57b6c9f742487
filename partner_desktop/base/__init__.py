"""The ground floor: errors, clock, paths, log, tasks. Standard library only."""
