"""Input of every kind, damaged on purpose: read, or refused with a sentence, in time; never more than that."""
