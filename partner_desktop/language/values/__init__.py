"""Values that words name: numbers, measures, moments, time zones, languages."""
