"""Input of every kind, damaged on purpose: read, or refused with a sentence, in time; nothing else."""
