"""Speed and memory, as ratios in one run: `python -m tests.benchmarks NAME [--json]`."""
