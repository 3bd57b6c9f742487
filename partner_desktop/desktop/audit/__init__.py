"""The page of the audit log: what was decided and run, to look through and to take along."""
