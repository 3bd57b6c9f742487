"""Plans that run: stage by stage, step by step, each step by the executor."""
